"""What a finger does and what comes of it."""

from harness import DESKTOP, test, tsv

NEAR, FAR = 60, 200
"""Finger travel in px: short of the threshold, and well past it."""

ROWS = "printf 'a\\tAlpha\\nb\\tBeta\\n'"


def logged(stage, rest=ROWS):
    """A command that leaves a line for each run; the first load leaves one too."""
    return f"echo run >> '{stage.folder}/log'; {rest}"


def held(stage, rest=ROWS):
    """The same; but for the first one, a run lasts until it is let go."""
    return f"test -e '{stage.folder}/log' && until test -e '{stage.folder}/go'; do sleep 0.1; done; {logged(stage, rest)}"


def let_go(stage):
    """Ends the run that is held, and all that come after it."""
    (stage.folder / "go").touch()


@test
def a_pull_short_of_the_threshold_runs_nothing(stage):
    shown = stage.one(logged(stage))
    shown.finger.pull(NEAR)
    shown.rest()
    assert shown.phases == [], shown.phases
    assert stage.count() == 1
    assert shown.part("content").evaluate("e => e.style.transform") == "", "a transform is left at rest"


@test
def the_first_touch_of_a_page_may_pull_wherever_it_lands(stage):
    note = '{"key":"%d","title":"A note","subtitle":"A line that is nearly as long as the row"}\\n'
    notes = "".join(note % number for number in range(5))
    lists = [{"name": "list", "command": f"printf '{notes}'", "format": "jsonl"}, {"name": "names", "demo": "names"}]
    url = stage.serve(lists)
    for name in ("list", "names"):
        for y in (150, 180, 220):
            shown = stage.open(f"{url}#{name}")
            # Until its first frames are drawn, a page hears every touch the slow way.
            shown.page.wait_for_timeout(1000)
            shown.finger.down(195, y)
            shown.finger.move(FAR)
            offset = shown.part("content").evaluate("e => new DOMMatrix(getComputedStyle(e).transform).f")
            assert offset > 40, f"a finger that came down at {y} on {name} pulls nothing"
            shown.finger.lose()


@test
def a_pull_dragged_back_runs_nothing(stage):
    shown = stage.one(logged(stage))
    shown.finger.down()
    shown.finger.move(FAR)
    shown.wait_for_phase("primed")
    shown.finger.move(-FAR)
    shown.wait_for_phase("waiting")
    shown.finger.up()
    shown.rest()
    assert shown.phases == ["primed", "waiting"], shown.phases
    assert stage.count() == 1


@test
def a_primed_release_runs_once(stage):
    shown = stage.one(logged(stage))
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    shown.wait_for_phase("waiting")
    assert shown.phases == ["primed", "loading", "closing", "waiting"], shown.phases
    assert stage.count() == 2


@test
def the_content_follows_the_finger_in_the_same_frame(stage):
    shown = stage.one(ROWS)
    at_rest = shown.top()
    shown.finger.down()
    shown.finger.move(108)
    # 100 px after the slop; the rubber band of an 844 px scroller.
    expected = (1 - 1 / (0.55 * 100 / 844 + 1)) * 844
    assert abs(shown.top() - at_rest - expected) < 1, (shown.top() - at_rest, expected)
    shown.finger.up()


@test
def a_second_finger_cancels(stage):
    shown = stage.one(logged(stage))
    shown.finger.down()
    shown.finger.move(FAR)
    shown.finger.second()
    shown.wait_for_phase("waiting")
    shown.finger.up()
    shown.rest()
    assert "loading" not in shown.phases and stage.count() == 1, shown.phases


@test
def a_second_finger_beside_the_list_cancels_too(stage):
    shown = stage.one(logged(stage))
    shown.list.evaluate("list => { list.style.minHeight = '0'; }")
    shown.finger.down(y=120)
    shown.finger.move(FAR)
    shown.finger.second(y=780)
    shown.finger.move(4, steps=1)
    shown.wait_for_phase("waiting")
    shown.finger.up()
    shown.rest()
    assert "loading" not in shown.phases and stage.count() == 1, shown.phases


@test
def a_touch_that_is_taken_away_cancels(stage):
    shown = stage.one(logged(stage))
    shown.finger.down()
    shown.finger.move(FAR)
    shown.finger.lose()
    shown.wait_for_phase("waiting")
    shown.rest()
    assert "loading" not in shown.phases and stage.count() == 1, shown.phases


@test
def a_swipe_to_the_side_is_no_pull(stage):
    shown = stage.one(logged(stage))
    shown.finger.down(x=100)
    shown.finger.move(FAR, dx=FAR)
    shown.finger.up()
    shown.rest()
    assert shown.phases == [] and stage.count() == 1


@test
def a_scroll_that_arrives_at_the_top_is_no_pull(stage):
    shown = stage.one(logged(stage, "seq 100"), columns=())
    shown.page.evaluate("scrollTo(0, 60)")
    shown.finger.down()
    shown.finger.move(FAR * 2, steps=30)
    shown.finger.up()
    shown.rest()
    assert shown.page.evaluate("scrollY") == 0, "the finger did not scroll"
    assert shown.phases == [] and stage.count() == 1, shown.phases


@test
def the_page_scrolls_while_it_loads(stage):
    shown = stage.one(held(stage, "seq 100"), columns=())
    shown.finger.pull(FAR)
    shown.wait_for_phase("loading")
    shown.finger.down(y=700)
    shown.finger.move(-300)
    shown.finger.up()
    assert shown.page.evaluate("scrollY") > 100, shown.page.evaluate("scrollY")
    assert shown.phase == "loading"
    let_go(stage)
    shown.wait_for_phase("waiting")


@test
def an_empty_list_can_be_pulled(stage):
    shown = stage.one(logged(stage, "true"))
    assert shown.part("empty").is_visible()
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    assert stage.count() == 2


@test
def a_new_pull_interrupts_closing(stage):
    shown = stage.one(logged(stage))
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    shown.finger.pull(FAR)
    shown.wait_for_trace("loading", times=2)
    shown.wait_for_phase("waiting")
    assert stage.count() == 3


@test
def two_quick_pulls_are_one_run_and_leave_a_list_that_can_be_pulled(stage):
    shown = stage.one(f"test -e '{stage.folder}/log' && sleep 0.5; {logged(stage)}")
    shown.finger.pull(FAR)
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    shown.wait_for_phase("waiting")
    assert stage.count() == 2, "the second pull began another run"
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing", times=2)
    assert stage.count() == 3


@test
def a_fling_that_bounces_at_the_top_pulls_nothing(stage):
    shown = stage.one(logged(stage, "seq 100"), columns=())
    shown.page.evaluate("scrollTo(0, 300)")
    shown.finger.down(y=300)
    shown.finger.move(FAR, steps=4, pause=8)
    shown.finger.up()
    shown.rest(800)
    assert shown.part("content").evaluate("e => e.style.transform") == ""
    assert shown.phases == [] and stage.count() == 1, shown.phases


@test
def crossing_runs_with_the_finger_down_and_only_once(stage):
    shown = stage.one(logged(stage), pull={"preset": "progress"})
    shown.finger.down()
    shown.finger.move(260)
    shown.wait_for_trace("loading")
    shown.wait_for_trace("closing")
    shown.finger.move(-200)
    shown.finger.move(200)
    shown.rest()
    shown.finger.up()
    shown.wait_for_phase("waiting")
    shown.rest()
    assert stage.count() == 2, "the finger that was still down began a second run"


@test
def return_runs_on_the_way_back(stage):
    shown = stage.one(logged(stage), pull={"preset": "recipe"})
    shown.finger.down()
    shown.finger.move(FAR)
    assert stage.count() == 1
    shown.finger.move(-FAR + 40)
    shown.wait_for_trace("loading")
    shown.finger.up()
    shown.wait_for_phase("waiting")
    assert stage.count() == 2


@test
def a_mouse_pulls_too(stage):
    url = stage.serve([tsv("list", logged(stage))])
    shown = stage.open(f"{url}#list", DESKTOP)
    mouse = shown.page.mouse
    mouse.move(800, 30)
    mouse.down()
    mouse.move(800, 230, steps=12)
    assert shown.phase == "primed"
    mouse.up()
    shown.wait_for_trace("closing")
    assert stage.count() == 2


@test
def a_page_may_refuse(stage):
    shown = stage.one(logged(stage))
    shown.list.evaluate("list => list.addEventListener('refresh', event => event.preventDefault())")
    shown.finger.pull(FAR)
    shown.wait_for_phase("waiting")
    shown.rest()
    assert stage.count() == 1 and "loading" not in shown.phases


@test
def two_pages_that_pull_at_once_start_one_run(stage):
    url = stage.serve([tsv("list", f"test -e '{stage.folder}/log' && sleep 0.5; {logged(stage)}")])
    pages = [stage.open(f"{url}#list") for _ in range(2)]
    for shown in pages:
        shown.finger.down()
        shown.finger.move(FAR)
    for shown in pages:
        shown.finger.up()
    for shown in pages:
        shown.wait_for_trace("closing")
        assert shown.phases[:3] == ["primed", "loading", "closing"], shown.phases
    assert stage.count() == 2, f"{stage.count() - 1} runs"


@test
def no_age_is_told_anew_under_a_finger(stage):
    url = stage.serve([tsv("list", logged(stage))])
    shown = stage.open(f"{url}#list", script="{ const set = setInterval; window.setInterval = (work, delay) => set(work, delay === 10_000 ? 50 : delay); }")
    shown.finger.down()
    shown.finger.move(NEAR)
    shown.page.evaluate("() => { const now = Date.now; Date.now = () => now() + 3_600_000; }")
    shown.rest(500)
    assert "1 h" not in shown.part("updated").inner_text()
    shown.finger.move(FAR - NEAR)
    shown.wait_for_phase("primed")
    assert "1 h" not in shown.part("indicator").inner_text()
    shown.finger.move(NEAR - FAR)
    shown.finger.up()
    shown.part("updated").get_by_text("1 h").wait_for()
