"""The page around the lists."""

from harness import DESKTOP, test, tsv
from pulling import FAR, logged


@test
def the_directory_tells_of_every_list(stage):
    url = stage.serve([tsv("one", "printf 'a\\tAlpha\\nb\\tBeta\\n'"), tsv("two", "echo 'b\tBeta'", title="Second")])
    shown = stage.open(f"{url}#one")
    shown.page.get_by_label("All lists").click()
    entries = shown.page.locator("nav li")
    shown.page.wait_for_function("() => document.querySelector('nav .count').textContent === '2'")
    assert entries.count() == 2
    assert entries.nth(0).locator("strong").inner_text() == "One"
    assert entries.nth(0).locator("small").inner_text() == "Updated just now"
    assert entries.nth(1).locator("strong").inner_text() == "Second"
    entries.nth(1).click()
    shown.wait_for_titles("Beta")
    assert not entries.nth(0).is_visible(), "a phone shows one or the other"
    assert shown.page.title() == "Second"


@test
def a_wide_screen_shows_the_directory_beside_the_list(stage):
    url = stage.serve([tsv("one", "echo 'a\tAlpha'"), tsv("two", "echo 'b\tBeta'")])
    shown = stage.open(url, DESKTOP)
    shown.wait_for_titles("Alpha")
    shown.page.locator("nav li").nth(1).click()
    shown.wait_for_titles("Beta")
    assert shown.page.locator("nav [aria-current]").inner_text().startswith("Two")


@test
def a_strict_policy_is_in_force(stage):
    shown = stage.open(stage.serve([tsv("list", "echo a")]))
    policy = shown.page.request.get(shown.page.url).headers.get("content-security-policy", "")
    assert "unsafe-inline" not in policy and "script-src" in policy or "default-src" in policy, policy
    shown.page.evaluate("""() => new Promise(resolve => {
        addEventListener('securitypolicyviolation', resolve, { once: true });
        document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.injected = 1' }));
    })""")
    assert shown.page.evaluate("window.injected") is None
    stage.noise.clear()


@test
def nothing_is_wider_than_a_small_phone(stage):
    url = stage.serve([tsv("list", f"printf 'a\\t{'W' * 120}\\tx\\n'", title="A title that is much too long for one line of a phone")])
    shown = stage.open(f"{url}#list", {"viewport": {"width": 320, "height": 568}, "has_touch": True, "is_mobile": True})
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= 320


@test
def a_name_without_a_space_fits_into_the_directory(stage):
    url = stage.serve([tsv("list", "echo a", title="Donaudampfschifffahrtsgesellschaftskapitän" * 2)])
    for device in ({"viewport": {"width": 320, "height": 568}}, DESKTOP):
        shown = stage.open(url, device)
        shown.page.locator("nav li").wait_for()
        assert shown.page.locator("nav strong").evaluate("title => title.scrollWidth <= title.clientWidth")


@test
def a_list_that_failed_is_out_of_date_unless_it_never_loaded(stage):
    sign = stage.folder / "broken"
    url = stage.serve([tsv("good", "echo a"), tsv("bad", f"test ! -e '{sign}' && echo a"), tsv("never", "exit 1")])
    shown = stage.open(f"{url}#bad")
    shown.part("updated").get_by_text("Updated just now", exact=True).wait_for()
    sign.touch()
    shown.part("refresh").click()
    shown.part("updated").get_by_text("Out of date · Updated just now").wait_for()
    shown.page.get_by_label("All lists").click()
    shown.page.locator("nav li", has_text="never").click()
    shown.part("error").wait_for()
    assert shown.part("updated").inner_text() == ""
    assert shown.part("updated").evaluate("part => getComputedStyle(part, '::before').content") == "none", "a dot without a word"
    shown.page.get_by_label("All lists").click()
    shown.page.locator("nav li[data-stale]", has_text="never").wait_for()
    shown.page.locator("nav li[data-stale]", has_text="bad").get_by_text("Out of date").wait_for()
    assert shown.page.locator("nav li[data-stale]").count() == 2


@test
def an_empty_directory_says_so(stage):
    url = stage.serve([tsv("list", "echo a")])
    shown = stage.open(url, service_workers="block")
    shown.page.locator("nav li").wait_for()
    shown.page.route("**/lists", lambda route: route.fulfill(json={"lists": []}))
    shown.page.evaluate("dispatchEvent(new Event('online'))")
    shown.page.get_by_text("This server has no lists yet.").wait_for()
    assert not shown.page.locator("nav ul").is_visible()
    # A blocked worker is told of.
    stage.noise.clear()


@test
def a_directory_that_cannot_be_read_says_why_and_is_read_again(stage):
    url = stage.serve([tsv("list", "echo a")])
    shown = stage.open(url, service_workers="block")
    shown.page.locator("nav li").wait_for()
    shown.page.route("**/lists", lambda route: route.fulfill(status=503))
    shown.page.evaluate("dispatchEvent(new Event('online'))")
    shown.page.get_by_text("could not be read (503)").wait_for()
    shown.page.unroute("**/lists")
    shown.page.route("**/lists", lambda route: route.abort())
    shown.page.get_by_text("The server can’t be reached. Trying again…").wait_for()
    assert shown.page.locator("nav li").is_visible(), "what was read is gone"
    shown.page.unroute("**/lists")
    shown.page.locator("nav .notice").wait_for(state="hidden")
    stage.noise.clear()


@test
def the_focus_stays_with_whom_uses_the_keyboard(stage):
    url = stage.serve([tsv("one", "echo a"), tsv("two", "echo 'b\tBeta'")])
    shown = stage.open(url)
    shown.page.locator("nav li").nth(1).wait_for()
    shown.page.keyboard.press("Tab")
    shown.page.keyboard.press("Tab")
    focused = "() => document.activeElement.closest('li')?.dataset.name ?? document.activeElement.className"
    assert shown.page.evaluate(focused) == "two"
    with shown.page.expect_response("**/lists"):
        shown.page.evaluate("dispatchEvent(new Event('online'))")
    shown.rest(100)
    assert shown.page.evaluate(focused) == "two", "the directory was read again, and took the focus away"
    shown.page.keyboard.press("Enter")
    shown.wait_for_titles("Beta")
    assert shown.page.evaluate(focused) == "back"
    shown.page.keyboard.press("Enter")
    shown.page.locator("nav").wait_for()
    assert shown.page.evaluate(focused) == "two"


# Notes what can be seen at each frame, from the first one on: the directory, and the title above the list.
WATCHING = """(() => {
    window.seen = new Set();
    const look = () => {
        requestAnimationFrame(look);
        const nav = document.querySelector('nav');
        if (!document.body || getComputedStyle(document.body).visibility === 'hidden') return;
        if (nav?.checkVisibility() && nav.getBoundingClientRect().width > 0) window.seen.add('the directory');
        const heading = document.querySelector('refreshable-list')?.shadowRoot?.querySelector('[part=heading]')?.textContent;
        if (heading) window.seen.add(heading);
    };
    look();
})()"""


@test
def an_address_of_a_list_shows_that_list_and_nothing_else_before_it(stage):
    url = stage.serve([tsv("commits", "echo 'a\\tAlpha'", title="What was done")])
    for _ in range(2):
        shown = stage.open("about:blank", script=WATCHING)
        session = shown.page.context.new_cdp_session(shown.page)
        session.send("Network.enable")
        slow = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
        session.send("Network.emulateNetworkConditions", slow)
        session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        shown.page.goto(f"{url}#commits")
        shown.wait_for_titles("Alpha")
        shown.rest(300)
        assert shown.page.evaluate("[...window.seen]") == ["What was done"]
