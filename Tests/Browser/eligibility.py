"""Which touches become pulls, and what ends one without a release."""

from touch import quick
from harness import DESKTOP, test, tsv
from pulling import FAR, ROWS, logged


def watched(shown):
    """Counts the moves that displace the content."""
    shown.list.evaluate("list => { list.pulls = 0; list.addEventListener('pull', () => { list.pulls += 1; }); }")
    return shown


def pulls(shown):
    return shown.list.evaluate("list => list.pulls")


def header(shown, markup):
    shown.list.evaluate("(list, markup) => list.insertAdjacentHTML('beforeend', `<div slot='header'>${markup}</div>`)", markup)
    box = shown.page.locator("[slot=header] > *").bounding_box()
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + 20}


def drag(shown, x, y):
    shown.finger.down(x, y)
    shown.finger.move(FAR)
    shown.finger.up()


@test
def what_means_something_else_to_a_finger_is_not_pulled(stage):
    url = stage.serve([tsv("list", logged(stage))])
    for markup in ("<p data-pull-ignore>A map</p>", "<input type='range'>", "<textarea>A text</textarea>"):
        shown = watched(stage.open(f"{url}#list"))
        drag(shown, **header(shown, markup))
        assert pulls(shown) == 0, markup
    shown = watched(stage.open(f"{url}#list"))
    drag(shown, **header(shown, "<p>Any other</p>"))
    assert pulls(shown) > 0
    shown.wait_for_trace("closing")
    assert stage.count() == 2


@test
def a_touch_that_the_page_takes_is_not_pulled(stage):
    shown = watched(stage.one(logged(stage)))
    place = header(shown, "<p>Mine</p>")
    shown.page.evaluate("document.querySelector('[slot=header]').addEventListener('touchstart', event => event.preventDefault(), { passive: false })")
    drag(shown, **place)
    assert pulls(shown) == 0 and stage.count() == 1


@test
def a_selection_is_not_pulled(stage):
    shown = watched(stage.one(logged(stage)))
    shown.list.evaluate("""list => {
        const title = list.shadowRoot.querySelector('[part=title]').firstChild;
        getSelection().setBaseAndExtent(title, 0, title, 3);
    }""")
    shown.finger.pull(FAR)
    assert pulls(shown) == 0
    shown.page.evaluate("getSelection().removeAllRanges()")
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    assert stage.count() == 2


@test
def a_scroll_that_arrives_at_the_top_does_not_become_a_pull(stage):
    shown = watched(stage.one(logged(stage, "seq 100"), columns=()))
    shown.page.evaluate("scrollTo(0, 60)")
    shown.finger.down(y=300)
    shown.finger.move(400, steps=30)
    shown.page.wait_for_function("() => scrollY === 0")
    shown.finger.up()
    assert pulls(shown) == 0 and stage.count() == 1, pulls(shown)


@test
def a_scroller_under_the_finger_must_be_at_its_top(stage):
    shown = watched(stage.one(logged(stage)))
    place = header(shown, "<div><p>Long</p></div>")
    shown.page.evaluate("""() => {
        const box = document.querySelector('[slot=header] > div');
        Object.assign(box.style, { height: '200px', overflowY: 'auto' });
        box.firstChild.style.height = '900px';
        box.scrollTop = 300;
    }""")
    shown.finger.down(**place)
    shown.finger.move(FAR)
    # A touch that is taken away leaves no momentum.
    shown.finger.lose()
    assert pulls(shown) == 0
    shown.page.evaluate("document.querySelector('[slot=header] > div').scrollTop = 0")
    drag(shown, **place)
    assert pulls(shown) > 0


@test
def a_list_that_failed_can_be_pulled(stage):
    shown = stage.one(f"echo run >> '{stage.folder}/log'; test $(wc -l < '{stage.folder}/log') -gt 1 || exit 3; {ROWS}")
    assert shown.part("error").is_visible()
    shown.finger.pull(FAR)
    shown.wait_for_titles("Alpha", "Beta")


@test
def what_takes_the_page_away_cancels_and_never_releases(stage):
    shown = stage.one(logged(stage))
    ends = ["window, 'blur'", "window, 'pagehide'", "document, 'visibilitychange'", "window, 'orientationchange'"]
    for number, end in enumerate(ends, 1):
        shown.finger.down()
        shown.finger.move(FAR)
        shown.wait_for_trace("primed", times=number)
        shown.page.evaluate(f"((target, type) => target.dispatchEvent(new Event(type, {{ bubbles: true }})))({end})")
        shown.wait_for_phase("waiting")
        shown.finger.up()
    shown.rest()
    assert "loading" not in shown.phases and stage.count() == 1, shown.phases


@test
def turning_the_phone_cancels(stage):
    shown = stage.one(logged(stage))
    shown.finger.down()
    shown.finger.move(FAR)
    shown.wait_for_phase("primed")
    turned = {"width": 844, "height": 390, "deviceScaleFactor": 2, "mobile": True}
    shown.finger.session.send("Emulation.setDeviceMetricsOverride", turned | {"screenOrientation": {"type": "landscapePrimary", "angle": 90}})
    shown.wait_for_phase("waiting")
    shown.finger.up()
    shown.rest()
    assert stage.count() == 1


@test
def a_pointer_that_is_taken_away_cancels(stage):
    shown = stage.open(f"{stage.serve([tsv('list', logged(stage))])}#list", DESKTOP)
    mouse = shown.page.mouse
    mouse.move(800, 30)
    mouse.down()
    mouse.move(800, 230, steps=12)
    shown.wait_for_phase("primed")
    shown.page.evaluate("window.dispatchEvent(new PointerEvent('pointercancel', { pointerId: 1, isPrimary: true }))")
    shown.wait_for_phase("waiting")
    mouse.up()
    shown.rest()
    assert "loading" not in shown.phases and stage.count() == 1, shown.phases


@test
def a_flick_does_not_prime(stage):
    for preset in ("standard", "progress"):
        url = stage.serve([tsv("list", logged(stage), pull={"preset": preset})])
        shown = stage.open(f"{url}#list")
        before = stage.count()
        quick(shown, [[40, 10], [160, 20], [300, 30]])
        shown.wait_for_phase("waiting")
        shown.rest()
        assert shown.phases == [] and stage.count() == before, (preset, shown.phases)


@test
def a_quick_finger_that_stays_primes_without_another_move(stage):
    shown = stage.one(logged(stage))
    quick(shown, [[40, 10], [160, 20], [300, 30]], up=None)
    assert shown.phase == "waiting"
    shown.wait_for_phase("primed")


@test
def a_pencil_that_is_heard_twice_pulls_once(stage):
    shown = watched(stage.one(logged(stage)))
    shown.list.evaluate("""list => list.shadowRoot.querySelector('[part=row]').dispatchEvent(new PointerEvent('pointerdown', {
        bubbles: true, composed: true, isPrimary: true, pointerType: 'pen', pointerId: 7, clientX: 195, clientY: 220 }))""")
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    assert pulls(shown) > 0 and stage.count() == 2


TICKS = "window.ticks = []; navigator.vibrate = duration => window.ticks.push([duration, performance.now()]);"


@test
def a_phone_ticks_once_for_each_priming_and_not_twice_at_once(stage):
    url = stage.serve([tsv("list", logged(stage), pull={"haptics": True})])
    shown = stage.open(f"{url}#list", script=TICKS)
    # It came down long ago, then over the threshold and back three times within a blink.
    quick(shown, [[20, 100], [200, 110], [20, 120], [200, 130], [20, 140], [200, 150]], up=None)
    assert shown.phases.count("primed") == 3, shown.phases
    assert len(shown.page.evaluate("ticks")) == 1, shown.page.evaluate("ticks")
    shown.list.evaluate("list => list.cancel()")
    shown.rest(150)
    shown.finger.down()
    shown.finger.move(FAR)
    shown.wait_for_trace("primed", times=4)
    assert len(shown.page.evaluate("ticks")) == 2, shown.page.evaluate("ticks")
    calm = stage.open(f"{url}#list", script=TICKS, reduced_motion="reduce")
    calm.finger.down()
    calm.finger.move(FAR)
    calm.wait_for_phase("primed")
    assert calm.page.evaluate("ticks") == []


@test
def the_browser_keeps_its_own_refresh_to_itself(stage):
    url = stage.serve([tsv("list", ROWS)])
    shown = stage.open(f"{url}#list")
    # A box that will scroll, but has not enough in it yet.
    shown.list.evaluate("""list => {
        const box = Object.assign(document.createElement('div'), { id: 'box' });
        box.style.cssText = 'height: 600px; overflow-y: auto';
        list.replaceWith(box);
        box.append(list);
    }""")
    held = "['html', '#box'].map(name => getComputedStyle(document.querySelector(name)).overscrollBehaviorY)"
    assert shown.page.evaluate(held) == ["contain", "contain"]
    shown.list.evaluate("list => list.remove()")
    assert shown.page.evaluate("[document.documentElement, box].map(e => e.style.overscrollBehaviorY)") == ["", ""]


@test
def escape_abandons_a_pull_by_mouse_or_finger(stage):
    url = stage.serve([tsv("list", logged(stage))])
    computer = stage.open(f"{url}#list", DESKTOP)
    mouse = computer.page.mouse
    mouse.move(800, 30)
    mouse.down()
    mouse.move(800, 230, steps=12)
    computer.wait_for_phase("primed")
    computer.page.keyboard.press("a")
    assert computer.phase == "primed"
    computer.page.keyboard.press("Escape")
    computer.wait_for_phase("waiting")
    mouse.up()
    phone = stage.open(f"{url}#list")
    phone.finger.down()
    phone.finger.move(FAR)
    phone.wait_for_phase("primed")
    phone.page.keyboard.press("Escape")
    phone.wait_for_phase("waiting")
    phone.finger.up()
    for shown in (computer, phone):
        shown.rest()
        assert "loading" not in shown.phases, shown.phases
    assert stage.count() == 1


@test
def a_list_that_was_scrolled_away_and_back_pulls_again(stage):
    shown = stage.one(logged(stage, "seq 100"), columns=())
    shown.page.evaluate("scrollTo(0, 2000)")
    shown.rest()
    shown.page.evaluate("scrollTo(0, 0)")
    shown.rest()
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    assert stage.count() == 2


@test
def a_mouse_selects_the_text_of_any_number_of_rows(stage):
    shown = stage.open(f"{stage.serve([tsv('list', logged(stage, 'seq -f Row%g 9'), columns=())])}#list", DESKTOP)
    first, last = shown.part("row").first.bounding_box(), shown.part("row").nth(4).bounding_box()
    mouse = shown.page.mouse
    mouse.move(first["x"] + 4, first["y"] + 4)
    mouse.down()
    mouse.move(last["x"] + 300, last["y"] + 40, steps=12)
    assert shown.phase == "waiting" and shown.part("content").evaluate("e => e.style.transform") == ""
    mouse.up()
    text = shown.page.evaluate("getSelection().toString()")
    assert "Row1" in text and "Row5" in text, text
    assert stage.count() == 1


@test
def a_pull_that_begins_a_little_below_the_top_arrives_there_and_goes_on(stage):
    shown = stage.one(logged(stage, "seq 100"), columns=())
    shown.page.evaluate("scrollTo(0, 30)")
    shown.rest(100)
    shown.finger.down()
    shown.finger.move(28)
    assert 5 < shown.page.evaluate("scrollY") < 15, "it follows the finger to the top first"
    assert shown.part("content").evaluate("e => e.style.transform") == ""
    shown.finger.move(FAR)
    assert shown.page.evaluate("scrollY") == 0 and shown.phase == "primed"
    shown.finger.up()
    shown.wait_for_trace("closing")
    assert stage.count() == 2


@test
def a_pull_that_begins_further_down_scrolls_and_refreshes_nothing(stage):
    shown = stage.one(logged(stage, "seq 100"), columns=())
    shown.page.evaluate("scrollTo(0, 90)")
    shown.rest(100)
    shown.finger.pull(FAR + 90)
    shown.rest(500)
    assert shown.phases == [] and stage.count() == 1 and shown.page.evaluate("scrollY") == 0


@test
def a_pull_that_is_pushed_up_goes_on_as_a_scroll_and_is_flung(stage):
    shown = stage.one(logged(stage, "seq 100"), columns=())
    shown.finger.down(y=400)
    shown.finger.move(80)
    assert shown.part("content").evaluate("e => e.style.transform") != ""
    shown.finger.move(-280)
    assert shown.part("content").evaluate("e => e.style.transform") == ""
    assert 170 < shown.page.evaluate("scrollY") < 230, shown.page.evaluate("scrollY")
    shown.finger.up()
    shown.rest(200)
    # Flung: by a clock of its own, for this machine has other things to do.
    shown.page.evaluate("scrollTo(0, 0)")
    shown.rest(200)
    quick(shown, [(20, 100), (60, 116), (20, 132), (-30, 148), (-80, 164), (-130, 180)])
    at = shown.page.evaluate("scrollY")
    shown.page.wait_for_function("at => scrollY > at + 80", arg=at)
    assert shown.phases == [] and stage.count() == 1
