"""Actions on rows, by finger and by code: what is seen at once, what the server does, and what becomes of it."""

from harness import DESKTOP, PHONE, test, tsv
from pulling import FAR, logged
from template import wait_for_texts
from embedding import elsewhere

ROWS = "printf 'a\\tAlpha\\nb\\tBeta\\nc\\tGamma\\nd\\tDelta\\n'"
# Notes each act as it is over.
ACTED = """list => {
    list.acted = [];
    list.addEventListener('acted', ({ detail }) => list.acted.push([detail.action, detail.key, detail.outcome]));
}"""
TOAST = "list => list.shadowRoot.querySelector('[part=toast].shown p')?.textContent ?? ''"


def actions(stage):
    """Archive can be undone; End can't; Send reports; Fail says why; Flag is an effect alone."""
    log = f"echo \"$ROW_KEY\" >> '{stage.folder}/{{}}'"
    gate = f"while test -e '{stage.folder}/gate'; do sleep 0.05; done"
    return [
        {"title": "Archive", "effect": "remove", "command": f"{gate}; {log.format('archived')}", "undo": log.format("returned")},
        {"title": "Flag", "effect": {"badge": "!"}},
        {"title": "Send", "command": f"echo '#progress 1/4'; sleep 0.2; {gate}; {log.format('sent')}"},
        {"title": "Fail", "effect": "remove", "command": f"{gate}; test -e '{stage.folder}/mended' || {{ echo 'The drawer is full.' >&2; exit 1; }}"},
        {"title": "End", "effect": "remove", "destructive": True, "command": log.format("ended")},
    ]


def mail(stage, only=None, **settings):
    """A list with those actions, or some of them."""
    chosen = [one for one in actions(stage) if not only or one["title"] in only]
    return tsv("mail", logged(stage, ROWS), actions=chosen, **settings)


def opened(stage, only=None, device=PHONE, **options):
    shown = stage.open(f"{stage.serve([mail(stage, only)])}#mail", device, **options)
    return ready(shown)


def ready(shown):
    """Waits until the rows can be acted upon."""
    shown.page.wait_for_function("list => list.shadowRoot.querySelector('[part=actions]')", arg=shown.handle)
    shown.list.evaluate(ACTED)
    return shown


def row(shown, key):
    return shown.list.locator(f"[part=row][data-key='{key}']")


def displaced(shown, key):
    """How far a row is displaced towards its start, as it is drawn. px"""
    return row(shown, key).evaluate("row => -new DOMMatrix(getComputedStyle(row).transform).m41")


def touch(shown, key, dx, dy=0, up=True, steps=8, pause=16):
    """A finger comes down near the end of a row, moves, and goes up."""
    box = row(shown, key).bounding_box()
    shown.finger.down(box["x"] + box["width"] - 50, box["y"] + box["height"] / 2)
    shown.finger.move(dy, dx, steps=steps, pause=pause)
    if up:
        shown.finger.up()


def wait_for_place(shown, key, condition):
    shown.page.wait_for_function(
        f"row => (x => {condition})(-new DOMMatrix(getComputedStyle(row).transform).m41)", arg=row(shown, key).element_handle()
    )


def wait_for_acted(shown, *acted):
    """Waits until these acts, and no others, are over, in any order, each as (action, key, outcome)."""
    shown.page.wait_for_function("([list, count]) => list.acted.length >= count", arg=[shown.handle, len(acted)])
    assert sorted(shown.list.evaluate("list => list.acted")) == sorted(list(one) for one in acted)


def wait_for_toast(shown, text):
    shown.page.wait_for_function(f"([list, text]) => ({TOAST})(list) === text", arg=[shown.handle, text])


def lines(stage, name):
    file = stage.folder / name
    return file.read_text().split() if file.exists() else []


@test
def a_row_follows_the_finger_and_stays_open(stage):
    shown = opened(stage, ["Archive", "Flag"])
    touch(shown, "b", -100, up=False)
    assert abs(displaced(shown, "b") - 92) < 1, "1:1, but for the slop"
    shown.finger.move(0, -20)
    assert abs(displaced(shown, "b") - 112) < 1
    shown.finger.up()
    width = row(shown, "b").evaluate("row => [...row.lastElementChild.shadowRoot.querySelectorAll('span')].reduce((sum, { offsetWidth }) => sum + offsetWidth, 0)")
    wait_for_place(shown, "b", f"Math.abs(x - {width}) < 1")
    assert [button.inner_text() for button in shown.part("action").all()] == ["Archive", "Flag"]
    shown.part("action").nth(1).click()
    wait_for_acted(shown, ("flag", "b", "success"))
    assert row(shown, "b").locator("[part=badge]").inner_text() == "!"
    wait_for_place(shown, "b", "x === 0")
    # Once it has come to rest, nothing is left on the row.
    shown.page.wait_for_function("row => !row.getAttribute('style')", arg=row(shown, "b").element_handle())


@test
def an_open_row_is_shut_by_what_happens_elsewhere(stage):
    shown = opened(stage)
    for shut in (
        lambda: shown.page.keyboard.press("Escape"),
        lambda: touch(shown, "d", 0),
        lambda: touch(shown, "b", 0),
        lambda: touch(shown, "b", 130),
        lambda: shown.page.evaluate("document.body.style.minHeight = '300vh', scrollTo(0, 40)"),
    ):
        shown.page.evaluate("scrollTo(0, 0)")
        touch(shown, "b", -140)
        wait_for_place(shown, "b", "x > 140")
        shut()
        wait_for_place(shown, "b", "x === 0")
    touch(shown, "b", -140)
    wait_for_place(shown, "b", "x > 140")
    touch(shown, "c", -140)
    wait_for_place(shown, "c", "x > 140")
    wait_for_place(shown, "b", "x === 0")
    assert shown.list.evaluate("list => list.acted") == []


@test
def a_full_swipe_runs_the_first_action_and_undo_takes_it_back(stage):
    shown = opened(stage)
    touch(shown, "b", -300)
    shown.wait_for_titles("Alpha", "Gamma", "Delta")
    wait_for_acted(shown, ("archive", "b", "success"))
    wait_for_toast(shown, "Archive: Beta")
    shown.part("undo").click()
    shown.wait_for_titles("Alpha", "Beta", "Gamma", "Delta")
    wait_for_acted(shown, ("archive", "b", "success"), ("archive", "b", "success"))
    assert lines(stage, "archived") == ["b"] and lines(stage, "returned") == ["b"]
    wait_for_toast(shown, "")
    assert displaced(shown, "b") == 0


@test
def undo_takes_back_the_newest_first(stage):
    shown = opened(stage)
    for key in ("b", "c"):
        shown.list.evaluate("(list, key) => void list.act('archive', key)", key)
    shown.wait_for_titles("Alpha", "Delta")
    wait_for_toast(shown, "Archive: Gamma")
    shown.part("undo").click()
    shown.wait_for_titles("Alpha", "Gamma", "Delta")
    wait_for_toast(shown, "Archive: Beta")
    shown.part("undo").click()
    shown.wait_for_titles("Alpha", "Beta", "Gamma", "Delta")


@test
def what_destroys_for_good_is_not_done_by_a_full_swipe(stage):
    shown = opened(stage, ["End"])
    touch(shown, "b", -300, up=False)
    assert displaced(shown, "b") < 200, "it resists"
    shown.finger.up()
    wait_for_place(shown, "b", "x > 70 && x < 120")
    shown.rest()
    assert lines(stage, "ended") == [] and shown.list.evaluate("list => list.acted") == []
    shown.part("action").click()
    shown.wait_for_titles("Alpha", "Gamma", "Delta")
    wait_for_acted(shown, ("end", "b", "success"))
    assert lines(stage, "ended") == ["b"]


@test
def a_steep_touch_pulls_a_flat_one_swipes_and_none_does_both(stage):
    shown = opened(stage)
    touch(shown, "b", -20, FAR, up=False)
    assert displaced(shown, "b") == 0
    shown.wait_for_phase("primed")
    shown.finger.lose()
    shown.wait_for_phase("waiting")
    shown.list.evaluate("list => { list.trace = []; list.pulled = 0; list.addEventListener('pull', () => { list.pulled += 1; }); }")
    touch(shown, "b", -120, 90)
    shown.rest()
    assert shown.list.evaluate("list => list.pulled") == 0 and shown.phases == []
    assert displaced(shown, "b") > 100


@test
def a_vertical_touch_scrolls_and_swipes_nothing(stage):
    shown = opened(stage)
    shown.page.evaluate("document.body.style.minHeight = '300vh'")
    touch(shown, "c", -30, -200)
    shown.page.wait_for_function("() => scrollY > 50")
    assert displaced(shown, "c") == 0


@test
def what_begins_at_the_edge_of_the_screen_is_the_browsers(stage):
    shown = opened(stage)
    box = row(shown, "b").bounding_box()
    for x, dx in ((379, -150), (10, 200)):
        shown.finger.down(x, box["y"] + 20)
        shown.finger.move(0, dx)
        assert displaced(shown, "b") == 0
        shown.finger.up()


@test
def rows_end_at_the_left_where_people_read_from_there(stage):
    shown = opened(stage)
    shown.page.evaluate("document.documentElement.dir = 'rtl'")
    box = row(shown, "b").bounding_box()
    shown.finger.down(box["x"] + 60, box["y"] + 20)
    shown.finger.move(0, 110)
    assert abs(displaced(shown, "b") + 102) < 1
    shown.finger.up()
    wait_for_place(shown, "b", "x < -150")
    shown.page.wait_for_function("row => !row.getAnimations().length", arg=row(shown, "b").element_handle())
    button = shown.part("action").first.locator("span").bounding_box()
    assert abs(button["x"] - box["x"]) < 2, ("the first action is at the end of the row", button, box)


@test
def without_motion_a_row_is_there_at_once(stage):
    shown = opened(stage, reduced_motion="reduce")
    touch(shown, "b", -140)
    shown.page.wait_for_timeout(30)
    assert displaced(shown, "b") > 150
    assert row(shown, "b").evaluate("row => row.style.transition") == ""


@test
def a_failure_brings_the_row_back_says_why_and_is_tried_again(stage):
    shown = opened(stage)
    (stage.folder / "gate").touch()
    shown.list.evaluate("list => void list.act('fail', 'b')")
    shown.wait_for_titles("Alpha", "Gamma", "Delta")
    (stage.folder / "gate").unlink()
    shown.wait_for_titles("Alpha", "Beta", "Gamma", "Delta")
    wait_for_toast(shown, "Fail: Beta · Couldn’t be done. The command ended with status 1.")
    (stage.folder / "mended").touch()
    assert shown.part("undo").inner_text() == "Retry"
    shown.part("undo").click()
    shown.wait_for_titles("Alpha", "Gamma", "Delta")
    wait_for_acted(shown, ("fail", "b", "failure"), ("fail", "b", "success"))


@test
def an_action_that_takes_long_shows_how_far_it_is(stage):
    shown = opened(stage)
    (stage.folder / "gate").touch()
    shown.list.evaluate("list => void list.act('send', 'b')")
    assert row(shown, "b").get_attribute("aria-busy") is None, "a short one shows nothing"
    shown.page.wait_for_function(
        "row => row.ariaBusy === 'true' && row.style.getPropertyValue('--rl-done') === '0.25'", arg=row(shown, "b").element_handle()
    )
    (stage.folder / "gate").unlink()
    wait_for_acted(shown, ("send", "b", "success"))
    assert row(shown, "b").get_attribute("aria-busy") is None and row(shown, "b").get_attribute("data-act") is None


@test
def the_page_may_refuse_an_action_and_is_told_of_its_end(stage):
    shown = opened(stage)
    shown.list.evaluate("list => list.addEventListener('act', (event) => event.detail.key === 'b' && event.preventDefault())")
    touch(shown, "b", -300)
    wait_for_place(shown, "b", "x === 0")
    assert shown.list.evaluate("list => list.act('archive', 'b').catch(error => error.code)") == "refused"
    assert shown.list.evaluate("list => list.act('nothing', 'a').catch(error => error.code)") == "unknownAction"
    assert shown.list.evaluate("list => list.act('flag', 'a')") == {"action": "flag", "key": "a", "outcome": "success"}
    assert shown.list.evaluate("list => list.act('flag', 'nobody')")["outcome"] == "gone"
    assert lines(stage, "archived") == []


@test
def a_toast_stays_while_it_has_the_focus(stage):
    shown = opened(stage, device=DESKTOP, script="{ const set = setTimeout; window.setTimeout = (work, delay, ...given) => set(work, delay >= 1000 ? delay / 10 : delay, ...given); }")
    shown.list.evaluate("list => void list.act('archive', 'b')")
    wait_for_toast(shown, "Archive: Beta")
    shown.part("undo").focus()
    shown.rest(1000)
    assert shown.list.evaluate(TOAST) == "Archive: Beta"
    shown.page.keyboard.press("Enter")
    shown.wait_for_titles("Alpha", "Beta", "Gamma", "Delta")
    focused = shown.list.evaluate("list => list.shadowRoot.activeElement.closest('[data-key]')?.dataset.key")
    assert focused == "b", "the focus goes to what came back"
    shown.list.evaluate("list => void list.act('archive', 'c')")
    wait_for_toast(shown, "Archive: Gamma")
    wait_for_toast(shown, "")


@test
def a_list_that_all_is_taken_from_is_empty(stage):
    shown = opened(stage)
    (stage.folder / "gate").touch()
    for key in "abcd":
        shown.list.evaluate("(list, key) => void list.act('archive', key)", key)
    shown.part("empty").wait_for()
    (stage.folder / "gate").unlink()


@test
def only_rows_in_view_glide_into_the_place_of_one_that_goes(stage):
    many = mail(stage, ["Archive"])
    many["command"] = "seq 300 | sed 's/.*/&\\tRow &/'"
    shown = ready(stage.open(f"{stage.serve([many])}#mail"))
    moving = shown.list.evaluate("""async (list) => {
        list.act('archive', '2');
        await new Promise((resolve) => setTimeout(resolve, 30));
        return list.shadowRoot.getAnimations().length;
    }""")
    assert 5 < moving < 60, moving


@test
def lists_without_actions_load_none_of_it(stage):
    url = stage.serve([tsv("list", ROWS), mail(stage)])
    shown = stage.open("about:blank")
    asked = []
    shown.page.on("request", lambda request: asked.append(request.url))
    shown.page.goto(f"{url}#list")
    shown.ready()
    shown.wait_for_titles("Alpha", "Beta", "Gamma", "Delta")
    assert not [one for one in asked if "/actions/" in one], asked
    assert shown.part("actions").count() == 0
    touch(shown, "b", -200)
    assert displaced(shown, "b") == 0
    shown.page.goto(f"{url}#mail")
    shown.part("actions").first.wait_for()


TEMPLATE = "<template><li class='card'><b data-field='title'></b> <i data-if='badge' data-field='badge'></i><button type='button' data-actions>More</button></li></template>"


@test
def rows_of_a_template_are_swiped_and_have_a_menu_where_they_say_so(stage):
    server, origin = elsewhere("")
    url = stage.serve([mail(stage)], "--allow-origin", origin)
    server.html = f"""<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Mine</title><link rel="icon" href="data:,">
<style>li {{ padding: 12px; display: grid; grid-template-columns: 1fr auto auto; }} li > * {{ min-height: 44px; }}</style><script type="module" src="{url}refreshable-list.js"></script>
<refreshable-list src="{url}lists/mail">{TEMPLATE}</refreshable-list>"""
    shown = stage.open(f"{origin}/#")
    wait_for_texts(shown, "Alpha More", "Beta More", "Gamma More", "Delta More")
    more = shown.page.locator("li[data-key='b'] [data-actions]")
    shown.page.wait_for_function("() => document.querySelector('li[data-key=b] [aria-haspopup=menu]')")
    assert more.get_attribute("aria-label") == "Actions for Beta"
    box = shown.page.locator("li[data-key='b']").bounding_box()
    shown.finger.down(200, box["y"] + 30)
    shown.finger.move(0, -110)
    shown.finger.up()
    shown.page.locator("li[data-key='b']").get_by_role("button", name="Flag").click()
    wait_for_texts(shown, "Alpha More", "Beta ! More", "Gamma More", "Delta More")
    more.click()
    shown.page.get_by_role("menuitem", name="Archive").click()
    wait_for_texts(shown, "Alpha More", "Gamma More", "Delta More")
    shown.page.locator("li[data-key='c'] [data-actions]").focus()
    shown.page.keyboard.press("Delete")
    wait_for_texts(shown, "Alpha More", "Delta More")
    shown.page.keyboard.press("Control+z")
    wait_for_texts(shown, "Alpha More", "Gamma More", "Delta More")
