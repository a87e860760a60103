"""How the content moves, what a page says while a server is silent, and what may be refused or taken back."""

from connection import wired
from touch import quick
from harness import test, tsv
from prediction import tampered
from pulling import FAR, NEAR, logged

# Notes each way that the content takes by itself: where it was just before, how long it takes, and where it goes.
WAYS = """list => {
    const content = list.shadowRoot.querySelector('[part=content]');
    const own = content.animate;
    const y = transform => new DOMMatrix(transform).f;
    list.ways = [];
    content.animate = (frames, options) => {
        list.ways.push({ from: y(frames[0].transform), to: y(frames.at(-1).transform), first: y(frames[1].transform), ...options });
        return own.call(content, frames, options);
    };
    list.at = () => y(getComputedStyle(content).transform);
}"""


def noted(shown):
    shown.list.evaluate(WAYS)
    return shown


def ways(shown):
    return shown.list.evaluate("list => list.ways")


@test
def each_way_has_its_time_and_begins_where_the_content_is(stage):
    shown = noted(stage.one(f"test -e '{stage.folder}/log' && sleep 0.5; {logged(stage)}"))
    shown.finger.down()
    shown.finger.move(NEAR)
    short = shown.list.evaluate("list => list.at()")
    shown.finger.up()
    shown.finger.down()
    shown.finger.lose()
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    shown.wait_for_phase("waiting")
    cancel, hold, rest = ways(shown)
    assert (cancel["duration"], hold["duration"], rest["duration"]) == (200, 250, 300), ways(shown)
    assert abs(cancel["from"] - short) < 0.2 and cancel["to"] == 0 and hold["from"] > 64 and hold["to"] == 56, ways(shown)
    assert (rest["from"], rest["to"]) == (56, 0)


@test
def the_way_begins_with_the_speed_of_the_finger(stage):
    shown = noted(stage.one(logged(stage)))
    # To the same place, once at speed and once after a rest.
    for moves in ([[20, 100], [40, 110], [80, 120]], [[20, 100], [40, 110], [80, 120], [80, 400]]):
        quick(shown, moves, up=200 if len(moves) > 3 else 5)
        shown.page.wait_for_function("list => list.at() === 0", arg=shown.handle)
    fast, still = ways(shown)
    assert fast["from"] == still["from"] and fast["first"] > fast["from"] > still["first"], ways(shown)


@test
def a_new_touch_takes_the_content_where_it_is(stage):
    shown = noted(stage.one(f"test -e '{stage.folder}/log' && sleep 0.3; {logged(stage)}"))
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    # The way back is stopped half way, as a busy machine would stop it, and a finger comes down.
    shown.page.wait_for_function("list => list.shadowRoot.querySelector('[part=content]').getAnimations().length", arg=shown.handle)
    before = shown.list.evaluate("""list => {
        const content = list.shadowRoot.querySelector('[part=content]');
        for (const animation of list.shadowRoot.getAnimations()) {
            if (animation.effect.getTiming().duration !== 300) continue;
            animation.pause();
            animation.currentTime = 60;
        }
        return list.at();
    }""")
    assert 5 < before < 56, before
    shown.finger.down()
    shown.finger.move(24, steps=1)
    pulled = shown.list.evaluate("list => list.at()")
    # 24 px of travel, of which 8 are slop.
    assert 0 < pulled - before < 16, (before, pulled)
    shown.finger.move(FAR)
    shown.finger.up()
    shown.wait_for_trace("closing", times=2)
    assert stage.count() == 3


@test
def a_pull_without_a_server_is_told_and_kept_for_a_minute(stage):
    wire, shown = wired(stage, logged(stage))
    shown.page.clock.install()
    shown.finger.down()
    shown.finger.move(FAR)
    wire.cut()
    shown.page.wait_for_function("list => list.hasAttribute('offline')", arg=shown.handle)
    shown.finger.up()
    says = "() => document.querySelector('refreshable-list').shadowRoot.querySelector('[part=indicator]').innerText.startsWith('{}')"
    shown.page.wait_for_function(says.format("Refreshing"))
    shown.page.clock.fast_forward(1100)
    shown.page.wait_for_function(says.format("Will refresh when connected"))
    # Another one is not kept beside it.
    shown.finger.pull(FAR)
    shown.page.clock.fast_forward(60_000)
    shown.part("error").wait_for()
    shown.part("indicator").wait_for(state="hidden")
    assert stage.count() == 1
    wire.mend()
    shown.page.clock.fast_forward(60_000)
    shown.page.wait_for_function("list => !list.hasAttribute('offline')", arg=shown.handle)
    shown.page.clock.fast_forward(1000)
    shown.rest()
    assert stage.count() == 1, "it was kept for longer than a minute"


@test
def a_pull_that_waits_for_the_server_can_be_taken_back(stage):
    wire, shown = wired(stage, logged(stage))
    shown.finger.down()
    shown.finger.move(FAR)
    wire.cut()
    shown.page.wait_for_function("list => list.hasAttribute('offline')", arg=shown.handle)
    shown.finger.up()
    shown.list.evaluate("list => list.cancel()")
    shown.wait_for_phase("waiting")
    wire.mend()
    shown.page.wait_for_function("list => !list.hasAttribute('offline')", arg=shown.handle)
    shown.rest()
    assert stage.count() == 1 and shown.part("content").evaluate("e => e.style.transform") == ""


@test
def what_is_taken_back_before_its_answer_is_stopped(stage):
    shown = tampered(stage, f"test -e '{stage.folder}/log' && sleep 30; {logged(stage)}")
    shown.page.evaluate("window.delay = 600")
    shown.finger.pull(FAR)
    shown.list.evaluate("list => list.cancel()")
    shown.wait_for_phase("waiting")
    shown.page.wait_for_function("() => window.sent.some(message => message.type === 'stop')")
    shown.wait_for_trace("closing")
    shown.wait_for_phase("waiting")
    assert shown.list.evaluate("list => list.phase") == "waiting"


@test
def a_phase_of_ones_own_doing_can_be_refused(stage):
    shown = stage.one(f"test -e '{stage.folder}/log' && sleep 20; {logged(stage)}")
    shown.list.evaluate("""list => {
        list.refused = 'primed';
        list.addEventListener('phasechange', event => {
            if (event.detail.to === list.refused) event.preventDefault();
            (list.cancelable ??= {})[event.detail.to] = event.cancelable;
        });
    }""")
    shown.finger.pull(FAR)
    shown.wait_for_trace("waiting")
    shown.rest()
    assert shown.phases == ["primed", "waiting"] and stage.count() == 1, shown.phases
    shown.list.evaluate("list => { list.refused = 'loading'; }")
    outcome = shown.list.evaluate("async list => (await list.refresh()).outcome")
    assert outcome == "cancelled"
    shown.wait_for_phase("waiting")
    assert shown.list.evaluate("list => list.cancelable") == {"primed": False, "waiting": False, "loading": True, "closing": False}


@test
def a_phase_of_somebody_elses_doing_can_not(stage):
    url = stage.serve([tsv("list", f"test -e '{stage.folder}/log' && sleep 0.5; {logged(stage)}")])
    shown, other = stage.open(f"{url}#list"), stage.open(f"{url}#list")
    shown.list.evaluate("list => list.addEventListener('phasechange', event => event.preventDefault())")
    assert other.list.evaluate("async list => (await list.refresh()).outcome") == "success"
    shown.wait_for_trace("closing")


@test
def a_page_may_refuse_what_fires_by_itself(stage):
    shown = stage.one(logged(stage), pull={"preset": "progress"})
    shown.list.evaluate("list => list.addEventListener('refresh', event => event.preventDefault())")
    shown.finger.pull(300)
    shown.wait_for_phase("waiting")
    shown.rest()
    assert stage.count() == 1 and "loading" not in shown.phases
    assert shown.part("content").evaluate("e => e.style.transform") == ""


@test
def a_page_may_take_the_list_away_whenever_it_hears_of_it(stage):
    url = stage.serve([tsv("list", logged(stage)), tsv("firing", logged(stage), pull={"preset": "progress"})])
    for name, kind in (("list", "pull"), ("list", "phasechange"), ("list", "refresh"), ("firing", "refresh")):
        shown = stage.open(f"{url}#{name}")
        shown.list.evaluate("""(list, kind) => {
            window.list = list;
            list.addEventListener(kind, () => list.remove(), { once: true });
        }""", kind)
        before = stage.count()
        shown.finger.pull(260)
        assert shown.page.evaluate("list.isConnected") is False, (name, kind)
        shown.page.evaluate("document.body.prepend(list)")
        shown.wait_for_phase("waiting")
        shown.finger.pull(260)
        shown.page.wait_for_function("() => list.trace.some(([phase]) => phase === 'closing')")
        assert stage.count() == before + 1, (name, kind)


@test
def a_list_that_was_away_while_it_refreshed_is_right_when_it_comes_back(stage):
    shown = stage.one(f"test -e '{stage.folder}/log' && sleep 0.4; {logged(stage)}")
    other = stage.open(f"{shown.page.url}")
    shown.finger.pull(FAR)
    shown.wait_for_phase("loading")
    other.wait_for_phase("loading")
    shown.list.evaluate("list => { window.gone = list; list.remove(); }")
    other.wait_for_trace("closing")
    shown.page.evaluate("document.body.prepend(gone)")
    shown.wait_for_phase("waiting")
    assert not shown.part("indicator").is_visible()
    assert shown.part("content").evaluate("e => e.style.transform") == ""
    count = stage.count()
    shown.finger.pull(FAR)
    shown.page.wait_for_function("() => gone.trace.filter(([phase]) => phase === 'loading').length === 2")
    shown.wait_for_phase("waiting")
    assert stage.count() == count + 1
