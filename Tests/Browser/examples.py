"""The pages of Examples/Page, as their own README serves them: each does what it says."""

import os
import re
import signal
import subprocess
import urllib.request

import harness
from accessibility import COLOURS, SETTLED, violations
from harness import DESKTOP, PHONE, PUBLIC, test, thoroughly
from offline import FRAMES, PATIENT, wait_until
from pulling import FAR

FOLDER = PUBLIC.parent / "Examples" / "Page"
COMMAND = "Examples/Page/serve"


def site(stage, **environment):
    """Starts what the README says, on free ports, and gives the address of the pages."""
    server = subprocess.Popen(
        [PUBLIC.parent / COMMAND, "--port", "0", "--lists", "0", "--public", str(PUBLIC)],
        env={**os.environ, "REFRESHABLE": str(harness.BINARY), **environment}, stdout=subprocess.PIPE, text=True,
    )
    stage.servers.append(server)
    for line in server.stdout:
        if found := re.match(r"The pages are at (\S+)", line):
            return found[1]
    raise AssertionError("the examples are not served")


def example(stage, name, device=PHONE, environment={}, **options):
    """Opens a page and waits until its first list can be pulled."""
    shown = stage.open(f"{site(stage, **environment)}{name}.html", device, **options)
    shown.page.wait_for_function(
        "list => list.refreshable && list.phase === 'waiting' && list.shadowRoot.querySelector('[part=skeleton]').hidden",
        arg=shown.handle,
    )
    shown.list.evaluate(harness.TRACE)
    return shown


def pull(shown, list=None, travel=FAR, up=True):
    """A finger comes down on a list, a little below its bar, and goes down and up."""
    box = (list or shown.list).locator("[part=bar]").bounding_box()
    shown.finger.down(box["x"] + box["width"] / 2, box["y"] + box["height"] + 24)
    shown.finger.move(travel)
    if up:
        shown.finger.up()


def keys(shown):
    return shown.list.evaluate("list => [...list.shadowRoot.querySelectorAll('[part=row]')].map(row => row.dataset.key)")


@test
def the_command_of_the_readme_is_the_one_that_serves_the_examples(stage):
    assert COMMAND in (FOLDER / "README.md").read_text()
    url = site(stage)
    shown = stage.open(url)
    links = shown.page.eval_on_selector_all("li a", "links => links.map(link => link.getAttribute('href'))")
    assert sorted(links) == sorted(file.name for file in FOLDER.glob("*.html") if file.name != "index.html"), links
    # A phone reaches this machine by another name, and the lists by the same.
    asked = urllib.request.Request(f"{url}two-lines.html", headers={"Host": "192.0.2.7:8000"})
    page = urllib.request.urlopen(asked).read().decode()
    assert re.search(r'src="http://192\.0\.2\.7:\d+/refreshable-list\.js"', page) and "localhost" not in page, page
    server = stage.servers[-1]
    server.send_signal(signal.SIGTERM)
    assert server.wait(20) == 0


@thoroughly
def axe_finds_nothing_wrong_with_the_examples(stage):
    url, faults = site(stage), []
    for file in sorted(FOLDER.glob("*.html")):
        shown = stage.open(f"{url}{file.name}")
        shown.page.wait_for_function("""() => {
            const lists = [...document.querySelectorAll('refreshable-list')];
            const isNamed = ({ src, shadowRoot }) => !src || shadowRoot.querySelector('[part=heading]').textContent;
            const isThere = lists.length || !document.querySelector('script');
            const isCalm = ({ phase, shadowRoot }) => phase === 'waiting' && shadowRoot.querySelector('[part=skeleton]').hidden;
            return isThere && lists.every(list => list.refreshable && isNamed(list) && isCalm(list));
        }""")
        width = shown.page.evaluate("innerWidth")
        shown.page.evaluate(SETTLED, ["light", width])
        found = violations(shown.page)
        shown.page.emulate_media(color_scheme="dark")
        shown.page.evaluate(SETTLED, ["dark", width])
        found += violations(shown.page, COLOURS)
        faults += [f"{file.stem}: {fault}" for fault in found]
        stage.contexts.pop().close()
    assert not faults, "\n".join(faults)


@test
def example_two_lines(stage):
    shown = example(stage, "two-lines")
    assert len(keys(shown)) == 8
    pull(shown)
    shown.wait_for_trace("closing")
    assert shown.phases[:3] == ["primed", "loading", "closing"], shown.phases


@test
def example_photos(stage):
    shown = example(stage, "photos")
    shown.page.wait_for_function("() => document.querySelectorAll('figure').length === 9")
    shown.list.evaluate("list => { list.before = [...list.querySelectorAll('figure')]; }")
    pull(shown)
    shown.wait_for_trace("closing")
    assert shown.list.evaluate("list => list.before.every(photo => !photo.isConnected) && list.querySelectorAll('figure').length") == 9


@test
def example_photos_that_fail_say_so(stage):
    shown = example(stage, "photos")
    shown.page.wait_for_function("() => document.querySelectorAll('figure').length === 9")
    shown.wait_for_phase("waiting")
    shown.page.route("**/photos.json", lambda route: route.fulfill(status=503))
    pull(shown)
    shown.part("error").wait_for()
    assert "The photos could not be fetched (503)." in shown.part("error").inner_text()
    shown.page.unroute("**/photos.json")
    shown.part("error").locator("[part=retry]").click()
    shown.part("error").wait_for(state="hidden")
    # The browser itself tells of the answer.
    stage.noise.clear()


@test
def example_article(stage):
    shown = example(stage, "article")
    assert shown.page.evaluate("document.documentElement.scrollHeight > 2 * innerHeight")
    shown.page.evaluate("scrollTo(0, 400)")
    shown.finger.down(195, 300)
    shown.finger.move(FAR)
    # Held still, so that nothing scrolls on by itself.
    shown.rest(200)
    shown.finger.up()
    assert shown.phases == [], "pulled in the middle of the text"
    shown.page.evaluate("scrollTo(0, 0)")
    pull(shown)
    shown.wait_for_trace("closing")
    assert "Edition of" in shown.page.locator("#edition").inner_text()


@test
def example_progress(stage):
    shown = example(stage, "progress")
    pull(shown, travel=FAR)
    shown.wait_for_phase("loading")
    shown.page.wait_for_function(
        "list => list.shadowRoot.querySelector('[part=indicator]').innerText.includes('2 of 5 · Recipes')", arg=shown.handle
    )
    shown.part("cancel").click()
    shown.wait_for_phase("waiting")
    assert shown.page.locator("li[data-done]").count() < 5
    pull(shown, travel=FAR)
    shown.page.wait_for_function("() => document.querySelectorAll('li[data-done]').length === 5")
    shown.wait_for_trace("closing", times=2)


@test
def example_presets(stage):
    shown = example(stage, "presets", DESKTOP | {"has_touch": True})
    for preset in ("standard", "recipe", "progress", "classic"):
        list = shown.page.get_by_role("group", name=preset).locator("refreshable-list")
        list.evaluate(harness.TRACE)
        pull(shown, list, travel=320, up=False)
        early = list.get_attribute("phase")
        assert early == ("loading" if preset == "progress" else "primed"), f"{preset}: {early}"
        if preset == "recipe":
            shown.finger.move(-320)
            shown.page.wait_for_function("list => list.phase === 'loading'", arg=list.element_handle())
        shown.finger.up()
        shown.page.wait_for_function("list => list.trace.some(([phase]) => phase === 'closing')", arg=list.element_handle())


@test
def example_indicator(stage):
    shown = example(stage, "indicator")
    sun = shown.page.locator(".sun")
    pull(shown, travel=60, up=False)
    assert sun.is_visible() and 0 < float(sun.evaluate("sun => getComputedStyle(sun).getPropertyValue('--pull-progress')")) < 1
    shown.finger.move(FAR)
    assert sun.get_attribute("phase") == "primed"
    shown.finger.up()
    shown.page.wait_for_function("() => document.querySelector('.sun').getAttribute('outcome') === 'success'")


@test
def example_behind(stage):
    shown = example(stage, "behind")
    pull(shown, travel=60, up=False)
    first = shown.top("indicator")
    shown.finger.move(80)
    assert shown.part("indicator").is_visible() and abs(shown.top("indicator") - first) < 1, "the indicator comes along"
    shown.finger.up()
    shown.wait_for_trace("closing")


@test
def example_template(stage):
    shown = example(stage, "template", color_scheme="light")
    rows = shown.page.locator("refreshable-list li")
    assert rows.count() == 8 and rows.locator(".line[data-line]").count() == 8
    assert re.fullmatch(r"Platform \d", rows.first.locator(".where").inner_text())
    late = rows.locator(".late").evaluate_all("all => all.map(late => [late.checkVisibility(), late.textContent !== ''])")
    assert all(is_seen == is_said for is_seen, is_said in late), late
    assert rows.first.evaluate("row => getComputedStyle(row).display") == "grid"
    pull(shown)
    shown.wait_for_trace("closing")
    assert rows.count() == 8


@test
def example_sections(stage):
    shown = example(stage, "sections")
    shown.part("section").filter(has_text="Today").wait_for()
    own = shown.page.locator("refreshable-list.own")
    own.locator("h3").first.wait_for()
    assert own.locator("h3").all_inner_texts() == ["A", "B", "H", "M", "N", "O", "U"]
    assert own.locator("li").count() == 48
    assert own.locator("h3").first.evaluate("heading => getComputedStyle(heading).position") == "sticky"
    pull(shown)
    shown.wait_for_trace("closing")


@test
def example_more(stage):
    shown = example(stage, "more")
    rows = "([list, count]) => list.shadowRoot.querySelectorAll('[part=row]').length >= count"
    shown.page.get_by_role("button", name="Load more").click()
    shown.page.wait_for_function(rows, arg=[shown.handle, 8])
    shown.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    shown.page.wait_for_function(rows, arg=[shown.handle, 12])
    shown.page.evaluate("scrollTo(0, 0)")
    shown.page.wait_for_function("list => list.phase === 'waiting'", arg=shown.handle)
    newest = int(keys(shown)[0])
    pull(shown)
    shown.wait_for_trace("closing")
    assert int(keys(shown)[0]) == newest + 4, keys(shown)


@test
def example_scroller(stage):
    shown = example(stage, "scroller")
    card = shown.page.locator(".card")
    card.evaluate("card => { card.scrollTop = 200; }")
    pull(shown)
    shown.rest(100)
    assert shown.phases == [], "pulled although the card is scrolled down"
    shown.page.wait_for_function("() => document.querySelector('.card').scrollTop < 200")
    card.evaluate("card => { card.scrollTop = 0; }")
    pull(shown)
    shown.wait_for_trace("closing")
    shown.wait_for_phase("waiting")
    shown.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    below = shown.page.locator("section").bounding_box()
    shown.finger.down(195, below["y"] + 40)
    shown.finger.move(FAR)
    shown.finger.up()
    shown.rest(100)
    assert shown.phases.count("loading") == 1, "pulled from the text around it"


@test
def example_several(stage):
    sockets = []
    shown = stage.open("about:blank", DESKTOP | {"has_touch": True})
    shown.page.on("websocket", lambda socket: sockets.append(socket.url))
    shown.page.goto(f"{site(stage)}several.html")
    lists = shown.page.locator("refreshable-list")
    for number in range(3):
        lists.nth(number).locator("[part=row]").first.wait_for()
        lists.nth(number).evaluate(harness.TRACE)
    assert len(sockets) == 1, sockets
    pull(shown, lists.nth(0))
    for number in range(2):
        handle = lists.nth(number).element_handle()
        shown.page.wait_for_function("list => list.trace.some(([phase]) => phase === 'closing')", arg=handle)
    shown.page.wait_for_function("""() => {
        const rows = [...document.querySelectorAll('refreshable-list')].map((list) => list.shadowRoot.querySelector('[part=rows]').innerText);
        return rows[0] === rows[1];
    }""")
    assert lists.nth(2).evaluate("list => list.trace.map(([phase]) => phase)") == [], "another list was pulled"


@test
def example_buttons(stage):
    shown = example(stage, "buttons")
    for number, name in enumerate(("Look again", "One inside", "Ask from code"), 1):
        shown.page.get_by_role("button", name=name).click()
        shown.wait_for_trace("closing", times=number)
        shown.wait_for_phase("waiting")
    assert shown.page.locator("output").inner_text().startswith("success, after")


@test
def example_events(stage):
    shown = example(stage, "events")
    pull(shown)
    shown.wait_for_trace("closing")
    log = shown.page.locator("#log")
    for type in ("pull", "phasechange", "refresh"):
        assert log.locator(f"[data-type={type}]").count() > 0, f"{type} is missing"
    assert '"cause":"pull"' in log.inner_text()
    shown.wait_for_phase("waiting")
    shown.page.get_by_label("Refuse to refresh").check()
    pull(shown)
    shown.rest(100)
    assert shown.phases.count("loading") == 1, "refreshed although the page refused"


@test
def example_quietly(stage):
    shown = example(stage, "quietly")
    at_rest = shown.top()
    shown.list.evaluate("list => list.addEventListener('phasechange', () => { list.seen = list.shadowRoot.querySelector('[part=rows]').getBoundingClientRect().top; })")
    shown.page.get_by_role("button", name="Refresh quietly").click()
    shown.wait_for_trace("closing")
    assert shown.list.evaluate("list => list.seen") == at_rest


@test
def example_slots(stage):
    shown = stage.open(f"{site(stage)}slots.html")
    shown.page.get_by_text("Looking behind the counter").wait_for()
    shown.ready()
    assert shown.page.get_by_text("No parcels").is_visible() and not shown.page.get_by_text("No line to").is_visible()
    assert shown.page.get_by_role("link", name="Back").is_visible()
    pull(shown, up=False)
    below = shown.page.locator(".notice[slot]").bounding_box()["y"] - shown.part("bar").bounding_box()["y"]
    shown.finger.up()
    assert below > 100, "the header stays where it was"
    shown.wait_for_trace("closing")
    weather = shown.page.locator("[heading=Weather]")
    shown.page.evaluate("scrollTo(0, 0)")
    pull(shown, weather)
    shown.page.get_by_text("Nobody is on the hill.").first.wait_for()
    assert weather.locator(".failed").is_visible() and not weather.locator("[part=error] > p").is_visible()


@test
def example_languages(stage):
    shown = example(stage, "languages", DESKTOP | {"has_touch": True})
    for number, text in enumerate(("Zum Aktualisieren", "引き下げて", "اسحب", "A little further")):
        list = shown.page.locator("refreshable-list").nth(number)
        list.scroll_into_view_if_needed()
        list.locator("[part=row]").first.wait_for()
        pull(shown, list, travel=60, up=False)
        label = list.locator("[part=indicator]").inner_text()
        assert text in label, label
        shown.finger.move(-60)
        shown.finger.up()
    arabic = shown.page.locator("refreshable-list").nth(2)
    assert arabic.locator("[part=refresh]").bounding_box()["x"] < arabic.locator("[part=heading]").bounding_box()["x"]


@test
def example_looks(stage):
    shown = example(stage, "looks", color_scheme="light")
    style = "(part, name) => getComputedStyle(part)[name]"
    assert shown.part("heading").evaluate(style, "fontStyle") == "italic"
    assert shown.part("refresh").evaluate(style, "color") == "rgb(140, 47, 107)"
    pull(shown)
    shown.wait_for_trace("closing")


@test
def example_application(stage):
    shown = example(stage, "application")
    assert len(keys(shown)) == 8
    pull(shown, up=False)
    shown.page.locator("#move").evaluate("button => button.click()")
    shown.finger.up()
    assert shown.phase == "waiting" and len(keys(shown)) == 8
    shown.page.get_by_role("button", name="Notes").click()
    notes = shown.page.locator("refreshable-list")
    shown.page.wait_for_function("() => document.querySelector('refreshable-list').refreshable")
    pull(shown, notes)
    shown.page.wait_for_function("() => document.querySelector('refreshable-list').phase === 'loading'")
    shown.page.locator("#move").click()
    notes.locator("p").filter(has_text=":").first.wait_for()
    shown.page.wait_for_function("() => document.querySelector('refreshable-list').phase === 'waiting'")
    pull(shown, notes)
    shown.page.wait_for_function("() => document.querySelector('refreshable-list').phase === 'loading'")
    shown.page.get_by_role("button", name="Trains").click()
    shown.rest(1700)
    shown.page.get_by_role("button", name="Notes").click()
    count = shown.page.evaluate("document.querySelectorAll('refreshable-list > p').length")
    assert count == 1, f"{count} notes: the handler that was left behind went on"


@test
def between_visits_one_list_is_kept_and_the_other_leaves_nothing_behind(stage):
    shown = example(stage, "visits", script=f"({FRAMES})(); {PATIENT}")
    names = shown.page.locator("refreshable-list[keep=none]")
    kept = "async () => (await Promise.all((await caches.keys()).map(async name => (await (await caches.open(name)).keys()).map(({ url }) => url.split('/').at(-1))))).flat()"
    wait_until(shown, f"async () => (await ({kept})()).includes('departures')", None)
    names.evaluate("list => list.refresh()")
    shown.page.reload()
    shown.page.wait_for_function("() => [...document.querySelectorAll('refreshable-list')].every(list => list.shadowRoot.querySelector('[part=row]'))")
    begun = shown.page.evaluate("Object.fromEntries(frames.filter(({ begin }) => begin).map(({ list, begin }) => [list, begin]))")
    # Live: nothing was newer than what is kept.
    assert begun["departures"] in ("resume", "live") and begun["names"] == "snapshot", begun
    assert shown.page.evaluate(kept) == ["departures"]
