"""What is seen while a list loads, and for how long."""

from harness import test, tsv
from pulling import FAR, held, let_go, logged

# The first load is quick, every later one takes 700 ms.
SLOW = "test -e '{0}/ran' && sleep 0.7; touch '{0}/ran'; printf 'a\\tAlpha\\n'"

# Everything that looks like an indicator: ours, a placeholder, anything that turns for ever.
SIGNS = """list => {
    const root = list.shadowRoot;
    const isSeen = e => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const turning = root.getAnimations().filter(a => a.effect.getTiming().iterations === Infinity && isSeen(a.effect.target));
    return {
        indicators: [...root.querySelectorAll('[part=indicator]')].filter(isSeen).length,
        placeholders: [...root.querySelectorAll('[part=skeleton]')].filter(isSeen).length,
        turning: new Set(turning.map(a => a.effect.target.closest('[part=indicator], [part=skeleton]') ?? a.effect.target)).size,
    };
}"""


def signs(shown):
    return tuple(shown.list.evaluate(SIGNS).values())


@test
def the_indicator_loads_as_long_as_the_handler(stage):
    shown = stage.one(SLOW.format(stage.folder))
    shown.list.evaluate("list => list.addEventListener('refresh', () => { list.done = list.refresh(); }, { once: true })")
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    duration = shown.list.evaluate("async list => (await list.done).duration")
    times = dict(shown.trace)
    seen = times["closing"] - times["loading"]
    assert 650 < duration < 1500, duration
    assert abs(seen - duration) <= 100, f"seen for {seen:.0f} ms, the handler took {duration} ms"


@test
def there_is_one_indicator_in_every_phase_and_none_at_rest(stage):
    shown = stage.one(SLOW.format(stage.folder))
    assert signs(shown) == (0, 0, 0), signs(shown)
    shown.finger.down()
    shown.finger.move(60)
    assert signs(shown) == (1, 0, 0), signs(shown)
    shown.finger.move(140)
    assert shown.phase == "primed" and signs(shown) == (1, 0, 0), signs(shown)
    shown.finger.up()
    shown.wait_for_phase("loading")
    assert signs(shown) == (1, 0, 1), signs(shown)
    shown.wait_for_trace("closing")
    assert signs(shown) == (1, 0, 0), signs(shown)
    shown.wait_for_phase("waiting")
    shown.rest(500)
    assert signs(shown) == (0, 0, 0), signs(shown)


@test
def the_first_load_has_a_placeholder_and_no_indicator(stage):
    go = stage.folder / "go"
    url = stage.serve([{"name": "list", "command": f"until test -e '{go}'; do sleep 0.1; done; echo Alpha"}])
    page = stage.open(url)
    page.page.goto(f"{url}#list")
    page.wait_for_phase("loading")
    page.rest(200)
    assert signs(page) == (0, 1, 1), signs(page)
    let_go(stage)
    page.wait_for_phase("waiting")
    assert signs(page) == (0, 0, 0), signs(page)


@test
def the_content_is_held_while_it_loads_and_rests_without_a_transform(stage):
    shown = stage.one(held(stage))
    at_rest = shown.top()
    shown.finger.pull(FAR)
    shown.wait_for_phase("loading")
    shown.wait_for_top(at_rest + 56)
    let_go(stage)
    shown.wait_for_phase("waiting")
    shown.wait_for_top(at_rest)
    assert shown.top() == at_rest
    assert shown.part("content").evaluate("e => getComputedStyle(e).transform") == "none"


@test
def the_way_back_takes_300_ms_and_is_the_only_way_under_way(stage):
    shown = stage.one(SLOW.format(stage.folder), pull={"preset": "classic"})
    shown.list.evaluate("""list => {
        const content = list.shadowRoot.querySelector('[part=content]');
        list.ways = [];
        const look = () => {
            list.ways.push(content.getAnimations().map(a => [list.phase, a.effect.getTiming().duration]));
            requestAnimationFrame(look);
        };
        look();
    }""")
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    shown.finger.pull(60)
    shown.wait_for_phase("waiting")
    shown.rest(500)
    ways = shown.list.evaluate("list => list.ways")
    assert max(len(way) for way in ways) == 1, "two animations at a time"
    assert {duration for [*way] in ways for phase, duration in way} <= {200, 250, 300}
    shown.list.evaluate("list => { list.ways.length = 0; list.refresh() }")
    shown.wait_for_trace("closing", times=shown.phases.count("closing") + 1)
    shown.rest(700)
    back = [duration for way in shown.list.evaluate("list => list.ways") for phase, duration in way if phase == "closing"]
    assert set(back) == {300}, back


@test
def the_gap_closes_while_the_result_is_shown(stage):
    shown = stage.one(SLOW.format(stage.folder))
    at_rest = shown.top()
    shown.list.evaluate("""list => {
        const rows = list.shadowRoot.querySelector('[part=rows]');
        list.tops = [];
        const look = () => { list.tops.push([list.phase, rows.getBoundingClientRect().top]); requestAnimationFrame(look); };
        look();
    }""")
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    shown.wait_for_phase("waiting")
    tops = [top - at_rest for phase, top in shown.list.evaluate("list => list.tops") if phase == "closing"]
    assert abs(tops[0] - 56) < 1, "the result was not seen"
    assert tops[-1] < 10, f"the gap was still {tops[-1]} px high when closing was over"


@test
def a_run_that_takes_long_is_said_to_load(stage):
    shown = stage.one(held(stage))
    shown.finger.pull(FAR)
    shown.wait_for_phase("loading")
    shown.rest(1200)
    assert shown.phase == "loading" and shown.part("indicator").inner_text() == "Refreshing…", shown.part("indicator").inner_text()
    let_go(stage)


@test
def a_release_does_not_jump(stage):
    shown = stage.one(SLOW.format(stage.folder))
    shown.finger.down()
    shown.finger.move(FAR)
    shown.list.evaluate("""list => {
        const content = list.shadowRoot.querySelector('[part=content]');
        list.tops = [];
        const look = () => { list.tops.push(content.getBoundingClientRect().top); list.looking = requestAnimationFrame(look); };
        look();
    }""")
    shown.finger.up()
    shown.rest(400)
    tops = shown.list.evaluate("list => (cancelAnimationFrame(list.looking), list.tops)")
    steps = [abs(b - a) for a, b in zip(tops, tops[1:])]
    assert max(steps) < 30, f"{max(steps)} px in one frame"


@test
def somebody_who_reads_further_down_is_not_moved(stage):
    shown = stage.one(held(stage, "seq 100"), columns=())
    shown.page.evaluate("scrollTo(0, 1000)")
    before = shown.top()
    shown.list.evaluate("list => { list.refresh() }")
    shown.wait_for_phase("loading")
    shown.rest(200)
    assert shown.top() == before
    assert signs(shown) == (1, 0, 1), signs(shown)
    let_go(stage)
    shown.wait_for_phase("waiting")
    shown.rest(400)
    assert shown.top() == before and signs(shown) == (0, 0, 0), signs(shown)


@test
def who_asks_for_calm_gets_it(stage):
    url = stage.serve([{"name": "list", "command": SLOW.format(stage.folder), "format": "tsv", "fields": {"key": 1, "title": 2}}])
    shown = stage.open(f"{url}#list", reduced_motion="reduce")
    at_rest = shown.top()
    shown.finger.pull(FAR)
    assert abs(shown.top() - at_rest - 56) < 1, "the way to hold was animated"
    shown.wait_for_trace("closing")


@test
def a_result_is_spoken_once(stage):
    shown = stage.one(SLOW.format(stage.folder))
    shown.list.evaluate("""list => {
        const status = list.shadowRoot.querySelector('[role=status]');
        list.said = [];
        new MutationObserver(() => list.said.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true });
    }""")
    shown.finger.pull(FAR)
    shown.wait_for_phase("waiting")
    said = shown.list.evaluate("list => list.said")
    assert said[0] == "Refreshing" and said[1].startswith("No new rows, updated "), said
    assert len(said) == 2, said


@test
def a_first_load_that_was_cancelled_is_begun_by_the_next_visitor(stage):
    gate = stage.folder / "gate"
    gate.touch()
    url = stage.serve([tsv("list", f"while test -e '{gate}'; do sleep 0.05; done; {logged(stage)}", deadline="none")])
    first = stage.open(f"{url}#list", at_rest=False)
    first.part("cancel").click()
    first.part("empty").get_by_text("Not loaded yet").wait_for()
    assert not first.list.evaluate("list => list.shadowRoot.textContent.includes('Nothing here yet')")
    gate.unlink()
    second = stage.open(f"{url}#list", at_rest=False)
    second.wait_for_titles("Alpha", "Beta")
    first.wait_for_titles("Alpha", "Beta")
    assert stage.count() == 1


@test
def a_run_of_others_can_be_hidden_and_asked_for_again(stage):
    gate = stage.folder / "gate"
    url = stage.serve([tsv("list", f"while test -e '{gate}'; do sleep 0.05; done; {logged(stage)}", deadline="none")])
    theirs, ours = stage.open(f"{url}#list"), stage.open(f"{url}#list")
    gate.touch()
    theirs.part("refresh").click()
    ours.wait_for_phase("loading")
    assert theirs.part("cancel").inner_text() == "Cancel" and ours.part("cancel").inner_text() == "Hide"
    ours.part("cancel").click()
    ours.wait_for_phase("waiting")
    ours.part("indicator").wait_for(state="hidden")
    assert theirs.phase == "loading", "it was cancelled for those who want it"
    ours.part("refresh").click()
    ours.wait_for_phase("loading")
    assert ours.part("cancel").inner_text() == "Cancel"
    gate.unlink()
    for shown in (theirs, ours):
        shown.wait_for_trace("closing")
    assert stage.count() == 2


@test
def the_indicator_scrolls_with_its_gap_and_floats_once_that_is_away(stage):
    gate = stage.folder / "gate"
    shown = stage.one(f"while test -e '{gate}'; do sleep 0.05; done; seq 100 | sed 's/.*/&\\tRow &/'", deadline="none")
    gate.touch()
    shown.finger.pull(FAR)
    shown.wait_for_phase("loading")
    shown.rest(400)
    place = """list => {
        const root = list.shadowRoot;
        const { top, bottom } = root.querySelector('[part=indicator]').getBoundingClientRect();
        return { top, bottom, bar: root.querySelector('[part=bar]').getBoundingClientRect().bottom,
            row: root.querySelector('[part=row]').getBoundingClientRect().top, isFloating: !!root.querySelector('.floating') };
    }"""
    at_rest = shown.list.evaluate(place)
    for scrolled in (20, 40):
        shown.page.evaluate(f"scrollTo(0, {scrolled})")
        shown.rest(100)
        now = shown.list.evaluate(place)
        assert abs(at_rest["top"] - scrolled - now["top"]) < 1 and not now["isFloating"], (at_rest, now)
        assert now["bottom"] <= now["row"] + 1, "it is printed over a row"
    shown.page.evaluate("scrollTo(0, 400)")
    shown.page.wait_for_function("list => list.shadowRoot.querySelector('.floating')", arg=shown.handle)
    shown.rest(300)
    background = shown.part("indicator").evaluate("e => getComputedStyle(e).backgroundColor")
    assert "0)" not in background.replace(" ", "")[-3:], background
    shown.page.evaluate("scrollTo(0, 0)")
    shown.page.wait_for_function("list => !list.shadowRoot.querySelector('.floating')", arg=shown.handle)
    assert abs(shown.list.evaluate(place)["top"] - at_rest["top"]) < 1
    gate.unlink()
    shown.wait_for_trace("closing")


@test
def a_result_that_is_news_stands_for_700_ms(stage):
    rows = stage.folder / "rows"
    rows.write_text("a\tAlpha\n")
    shown = stage.one(f"cat '{rows}'")
    rows.write_text("a\tAlpha\nb\tBeta\nc\tCeta\n")
    shown.list.evaluate("""list => {
        const gap = list.shadowRoot.querySelector('[part=content]');
        const label = list.shadowRoot.querySelector('.label');
        list.stood = [];
        const look = () => {
            if (label.textContent === '2 new rows' && gap.style.transform) list.stood.push(performance.now());
            requestAnimationFrame(look);
        };
        look();
    }""")
    shown.finger.pull(FAR)
    shown.wait_for_trace("waiting")
    shown.rest(900)
    stood = shown.list.evaluate("list => list.stood.at(-1) - list.stood[0]")
    assert stood >= 650, stood


@test
def the_content_gives_while_it_loads(stage):
    shown = stage.one(SLOW.format(stage.folder).replace("0.7", "3"))
    shown.finger.pull(FAR)
    shown.wait_for_phase("loading")
    shown.rest(400)
    shown.finger.down()
    shown.finger.move(150)
    offset = shown.part("content").evaluate("e => new DOMMatrix(getComputedStyle(e).transform).f")
    assert offset > 80, offset
    shown.finger.up()
    shown.rest(400)
    offset = shown.part("content").evaluate("e => new DOMMatrix(getComputedStyle(e).transform).f")
    assert offset == 56, offset
    shown.wait_for_trace("closing")
    shown.rest(900)
    assert shown.phases.count("loading") == 1 and shown.part("content").evaluate("e => e.style.transform") == ""
