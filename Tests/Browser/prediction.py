"""The page is ahead of the server, and yields to it; what it sends is little."""

from harness import test, tsv
from pulling import FAR, NEAR, logged

# A wire that can be slow, altered or silent: `heard` takes each frame and gives what the page is to hear, or null; while
# `held` is a list, frames wait there.
WIRE = """
window.sent = [];
window.sockets = 0;
window.delay = 0;
window.held = null;
window.heard = frame => frame;
window.answers = 0;
window.WebSocket = class extends WebSocket {
    constructor(...given) { super(...given); window.sockets += 1; }
    set onmessage(listener) {
        super.onmessage = listener && (({ data }) => {
            const frame = window.heard(JSON.parse(data));
            window.answers += frame?.gesture ? 1 : 0;
            const hear = () => listener({ data: JSON.stringify(frame) });
            if (frame && window.held) window.held.push(hear);
            else if (frame) setTimeout(hear, window.delay);
        });
    }
    send(data) {
        window.sent.push({ ...JSON.parse(data), at: performance.now() });
        super.send(data);
    }
};
"""


def tampered(stage, command, **settings):
    return stage.open(f"{stage.serve([tsv('list', command, **settings)])}#list", script=WIRE)


def alter(shown, heard):
    """From now on the page hears what this function makes of each frame."""
    shown.page.evaluate(f"() => {{ window.heard = {heard} }}")


def sent(shown, kind):
    return [message for message in shown.page.evaluate("window.sent") if message["type"] == kind]


# What the indicator says from now on, however short: soon it says that it waits for the server.
LABELS = """list => {
    const label = list.shadowRoot.querySelector('.label');
    list.labels = [];
    new MutationObserver(() => list.labels.push(label.textContent)).observe(label, { childList: true, characterData: true, subtree: true });
}"""


@test
def the_page_is_primed_and_held_before_a_slow_server_answers(stage):
    shown = tampered(stage, logged(stage))
    at_rest = shown.top()
    shown.page.evaluate("window.held = []")
    shown.finger.down()
    shown.finger.move(FAR)
    assert shown.phase == "primed", shown.phase
    shown.list.evaluate(LABELS)
    shown.finger.up()
    shown.wait_for_top(at_rest + 56)
    assert shown.phases == ["primed"], "only the server says that it loads"
    assert "Refreshing…" in shown.list.evaluate("list => list.labels")
    shown.page.evaluate("() => { for (const hear of held) hear(); held = null; }")
    shown.wait_for_trace("closing")
    assert shown.phases[:3] == ["primed", "loading", "closing"] or shown.phases[:2] == ["primed", "closing"], shown.phases


@test
def the_server_wins_when_it_differs(stage):
    shown = tampered(stage, logged(stage))
    alter(shown, "frame => frame.gesture && frame.phase === 'primed' ? { ...frame, phase: 'waiting', progress: 0 } : frame")
    shown.finger.down()
    shown.finger.move(FAR)
    assert shown.phase == "primed"
    shown.wait_for_phase("waiting")
    shown.finger.lose()
    assert stage.count() == 1


@test
def a_server_that_is_late_is_not_taken_for_one_that_differs(stage):
    shown = tampered(stage, logged(stage))
    shown.finger.down()
    shown.finger.move(NEAR)
    shown.page.wait_for_function("() => window.answers > 0")
    shown.page.evaluate("window.delay = 1000")
    shown.finger.move(FAR - NEAR)
    # Its word about the samples before comes late, and later still the one about the last.
    shown.rest(900)
    assert shown.phases == ["primed"], shown.phases
    shown.finger.up()
    shown.wait_for_trace("closing")


@test
def a_refusal_lets_the_content_go(stage):
    shown = tampered(stage, logged(stage))
    at_rest = shown.top()
    # As far as the page can tell, the list never loaded.
    alter(shown, "frame => frame.run && frame.type === 'ok' ? { ...frame, run: null, reason: 'refused' } : frame.gesture ? frame : null")
    shown.finger.pull(FAR)
    shown.wait_for_phase("waiting")
    shown.rest(1500)
    assert shown.top() == at_rest
    assert not shown.part("indicator").is_visible()
    alter(shown, "frame => frame")
    shown.finger.down()
    shown.finger.move(FAR)
    shown.wait_for_trace("primed", times=2)
    shown.finger.up()
    shown.wait_for_trace("closing")


# A finger within the page: quicker than any test can drive it from outside, and with nothing between its moves.
TOUCH = """
    const target = list.shadowRoot.querySelector('[part=row]');
    const touch = (type, y) => target.dispatchEvent(new TouchEvent(type, {
        bubbles: true, composed: true, cancelable: true,
        touches: y === null ? [] : [new Touch({ identifier: 1, target, clientX: 195, clientY: 220 + y })],
    }));
    touch('touchstart', 0);
"""
# A move every 5 ms, down to 200 px and back to 60.
QUICK = f"""async list => {{
    {TOUCH}
    for (const y of [...Array(80).keys()].map(i => (i + 1) * 2.5).concat([...Array(56).keys()].map(i => 200 - (i + 1) * 2.5))) {{
        await new Promise(resolve => setTimeout(resolve, 5));
        touch('touchmove', y);
    }}
    touch('touchend', null);
}}"""
# To and fro over the threshold; gives how many samples were sent by the time that each move was over.
TO_AND_FRO = f"""async list => {{
    {TOUCH}
    await new Promise(resolve => setTimeout(resolve, 100));
    const told = [20, 200, 201, 60, 200].map(y => {{
        touch('touchmove', y);
        return window.sent.filter(({{ type }}) => type === 'pull').length;
    }});
    touch('touchcancel', null);
    return told;
}}"""


@test
def what_a_move_changes_is_told_before_it_is_drawn(stage):
    shown = tampered(stage, logged(stage))
    assert shown.list.evaluate(TO_AND_FRO) == [0, 1, 1, 2, 3]


@test
def samples_are_few_and_release_and_peak_are_never_left_out(stage):
    shown = tampered(stage, logged(stage))
    shown.list.evaluate(QUICK)
    shown.rest(100)
    pulls, [release] = sent(shown, "pull"), sent(shown, "release")
    assert "primed" in shown.phases and shown.phases[-1] == "waiting", shown.phases
    primed, unprimed = [message["offset"] for message in pulls if message["offset"] != release["offset"]]
    assert primed >= 64 and unprimed <= 56, (primed, unprimed)
    assert len(pulls) <= 1.5 + 30 * (pulls[-1]["at"] - pulls[0]["at"]) / 1000, pulls
    # It was un-primed since, so what counts is the highest since then.
    assert release["offset"] <= release["peak"] <= 56, release
    assert stage.count() == 1


@test
def a_finger_that_rests_is_told_of_once(stage):
    shown = tampered(stage, logged(stage))
    shown.finger.down()
    shown.finger.move(NEAR)
    offset = round(shown.part("content").evaluate("e => new DOMMatrix(getComputedStyle(e).transform).f"), 1)
    shown.page.wait_for_function("offset => window.sent.some(message => message.offset === offset)", arg=offset)
    shown.rest(400)
    told = [message["offset"] for message in sent(shown, "pull")]
    assert told[-1] == offset and told.count(offset) == 1, told
    shown.finger.up()


@test
def gesture_numbers_rise(stage):
    shown = tampered(stage, logged(stage))
    for _ in range(3):
        shown.finger.pull(NEAR)
    shown.rest(100)
    numbers = [message["gesture"] for message in sent(shown, "release")]
    assert numbers == sorted(set(numbers)) and len(numbers) == 3, numbers


@test
def a_second_finger_sends_cancel_and_no_release(stage):
    shown = tampered(stage, logged(stage))
    shown.finger.down()
    shown.finger.move(FAR)
    shown.finger.second()
    shown.finger.up()
    shown.rest(100)
    assert len(sent(shown, "cancel")) == 1 and sent(shown, "release") == []


@test
def a_silent_server_is_asked_and_then_given_up(stage):
    url = stage.serve([tsv("list", "echo 'a\tAlpha'")])
    impatient = WIRE.replace("frame => frame;", "frame => frame.type === 'welcome' ? { ...frame, heartbeat: 1000 } : frame;")
    shown = stage.open(f"{url}#list", script=impatient)
    # Silent for a heartbeat when its timer looks, which may be twice as long.
    shown.page.wait_for_function("() => window.sent.some(({ type }) => type === 'ping')", timeout=5000)
    assert shown.page.evaluate("window.sockets") == 1
    alter(shown, "frame => window.sockets > 1 ? frame : null")
    shown.page.wait_for_function("() => window.sockets === 2")
    shown.page.wait_for_function("list => !list.hasAttribute('offline')", arg=shown.handle)
    hello = sent(shown, "hello")
    assert len(hello) == 1 and hello[0]["session"], hello
    watch = sent(shown, "watch")[-1]
    assert watch["epoch"] and watch["revision"] >= 1, watch


@test
def a_gap_makes_the_page_watch_again_from_where_it_is(stage):
    rows = stage.folder / "rows"
    rows.write_text("a\tAlpha\n")
    shown = tampered(stage, f"cat '{rows}'")
    alter(shown, "frame => frame.type === 'patch' && !window.lost ? (window.lost = frame, null) : frame")
    for text in ("a\tAlpha\nb\tBeta\n", "b\tBeta\nc\tGamma\n"):
        rows.write_text(text)
        shown.list.evaluate("list => list.refresh()")
    shown.wait_for_titles("Beta", "Gamma")
    first, second = sent(shown, "watch")
    assert "revision" not in first and second["revision"] == shown.page.evaluate("window.lost.from"), (first, second)
