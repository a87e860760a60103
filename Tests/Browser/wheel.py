"""A wheel or trackpad at the top of a list pulls it too; nothing that merely scrolls does."""

from eligibility import pulls, watched
from harness import DESKTOP, test, tsv
from pulling import logged

# So many events, one each 16 ms or more: of a clock of their own, for this machine has other things to do.
TURN = """([list, sizes, more, arriving, gap]) => {
    const target = list.shadowRoot.querySelector('[part=row]');
    let at = Math.max(performance.now(), window.lastTurn ?? 0) + 200;
    for (const size of sizes) {
        const event = new WheelEvent('wheel', { deltaY: -size, bubbles: true, composed: true, cancelable: true, ...more });
        Object.defineProperty(event, 'timeStamp', { value: at += gap });
        target.dispatchEvent(event);
        if (arriving) scrollTo(0, 0);
    }
    window.lastTurn = at;
}"""
# One event in each frame, with what it scrolls.
SCROLLING = """async ([list, sizes]) => {
    const target = list.shadowRoot.querySelector('[part=row]');
    let at = performance.now();
    for (const size of sizes) {
        const event = new WheelEvent('wheel', { deltaY: -size, bubbles: true, composed: true, cancelable: true });
        Object.defineProperty(event, 'timeStamp', { value: at += 16 });
        target.dispatchEvent(event);
        scrollBy(0, -size);
        await new Promise(requestAnimationFrame);
    }
}"""
STEADY = [8] * 40
TAIL = [round(150 * 0.93**number, 1) for number in range(60)]


def turn(shown, sizes, arriving=False, gap=16, **more):
    shown.page.evaluate(TURN, [shown.handle, sizes, more, arriving, gap])


def computer(stage, rest="seq 100", **settings):
    url = stage.serve([tsv("list", logged(stage, rest), columns=(), **settings)])
    return watched(stage.open(f"{url}#list", DESKTOP))


@test
def a_trackpad_pulls_and_lets_go_when_it_is_silent(stage):
    shown = computer(stage)
    turn(shown, STEADY)
    assert shown.phase == "primed"
    shown.wait_for_trace("closing")
    shown.wait_for_phase("waiting")
    assert shown.phases == ["primed", "loading", "closing", "waiting"] and stage.count() == 2, shown.phases


@test
def a_trackpad_that_stops_short_refreshes_nothing(stage):
    shown = computer(stage)
    turn(shown, [2] * 30)
    assert pulls(shown) > 0
    shown.rest(400)
    assert shown.phases == [] and stage.count() == 1
    assert shown.part("content").evaluate("e => e.style.transform") == ""


@test
def a_wheel_that_a_finger_turns_pulls_nothing(stage):
    shown = computer(stage)
    # As WebKitGTK has it: the wheel turns right after the finger, by their clocks.
    shown.list.evaluate("""list => {
        window.lastTurn = performance.now() + 10_000;
        const end = new Event('touchend', { bubbles: true, composed: true });
        Object.defineProperty(end, 'timeStamp', { value: window.lastTurn });
        list.shadowRoot.querySelector('[part=row]').dispatchEvent(end);
    }""")
    turn(shown, STEADY)
    shown.rest(200)
    assert pulls(shown) == 0 and shown.phases == [], shown.phases


@test
def a_flick_and_what_a_trackpad_adds_to_it_refresh_nothing(stage):
    shown = computer(stage)
    turn(shown, [10, 40, 90, 140, *TAIL])
    shown.rest(400)
    assert shown.phases == [] and stage.count() == 1, shown.phases


@test
def what_a_trackpad_adds_to_a_pull_is_not_waited_for(stage):
    shown = computer(stage)
    turn(shown, [*STEADY, *(size / 20 for size in TAIL)])
    assert len(STEADY) - 2 < pulls(shown) < len(STEADY) + 20, pulls(shown)
    shown.wait_for_trace("closing")
    shown.wait_for_phase("waiting")
    assert shown.phases == ["primed", "loading", "closing", "waiting"] and stage.count() == 2, shown.phases


@test
def notches_of_a_mouse_move_nothing(stage):
    for more in ({}, {"deltaMode": 1}):
        shown = computer(stage)
        before = stage.count()
        turn(shown, [120 if not more else 3] * 8, gap=50, **more)
        shown.rest(400)
        assert pulls(shown) == 0 and shown.phases == [] and stage.count() == before, (more, shown.phases)


@test
def a_wheel_that_arrives_at_the_top_pulls_nothing(stage):
    shown = computer(stage)
    shown.page.evaluate("scrollTo(0, 40)")
    turn(shown, STEADY, arriving=True)
    shown.rest(300)
    assert pulls(shown) == 0 and stage.count() == 1


@test
def a_wheel_is_heard_only_at_the_top_and_not_what_arrives_there(stage):
    shown = computer(stage)
    inspector = shown.page.context.new_cdp_session(shown.page)

    def heard():
        found = inspector.send("Runtime.evaluate", {"expression": "document.querySelector('refreshable-list')"})["result"]
        listeners = inspector.send("DOMDebugger.getEventListeners", {"objectId": found["objectId"]})["listeners"]
        return {one["type"] for one in listeners if one["type"] == "wheel" or not one["passive"]} & {"wheel", "touchstart"}

    def comes_to_hear(*names):
        for _ in range(100):
            if heard() == set(names):
                return
            shown.rest(50)
        raise AssertionError(f"listens to {heard()}, not {names}")

    comes_to_hear("wheel", "touchstart")
    shown.page.evaluate("scrollTo(0, 600)")
    # Once, so that rows wait until the list is at rest.
    turn(shown, [8])
    comes_to_hear()
    shown.page.evaluate(SCROLLING, [shown.handle, [20] * 60])
    assert shown.page.evaluate("scrollY") == 0 and pulls(shown) == 0
    comes_to_hear("wheel", "touchstart")
    turn(shown, STEADY)
    assert shown.phase == "primed"


@test
def a_wheel_that_zooms_or_goes_to_the_side_pulls_nothing(stage):
    shown = computer(stage)
    for more in ({"ctrlKey": True}, {"shiftKey": True}, {"deltaX": 20}):
        turn(shown, STEADY, **more)
        shown.rest(200)
    assert pulls(shown) == 0 and stage.count() == 1


@test
def going_back_down_cancels(stage):
    shown = computer(stage)
    turn(shown, [*STEADY, -4, *STEADY])
    shown.wait_for_phase("waiting")
    shown.rest(300)
    assert shown.phases == ["primed", "waiting"] and stage.count() == 1, shown.phases


@test
def a_real_wheel_scrolls_without_being_held_up(stage):
    shown = computer(stage)
    shown.page.evaluate("addEventListener('wheel', event => { window.prevented ||= event.defaultPrevented; })")
    shown.page.mouse.move(800, 400)
    for _ in range(5):
        shown.page.mouse.wheel(0, -30)
    shown.rest(200)
    assert pulls(shown) == 0, "a notch moved the list"
    shown.page.mouse.wheel(0, 400)
    shown.page.wait_for_function("() => scrollY > 200")
    shown.page.mouse.wheel(0, -400)
    shown.page.wait_for_function("() => scrollY === 0")
    shown.rest(300)
    assert shown.page.evaluate("window.prevented") is False and shown.phases == [] and stage.count() == 1
