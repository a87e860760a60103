"""A list's refresh action: whose it is, who may call it, and what is offered where there is none."""

from harness import DESKTOP, TRACE, test, tsv
from prediction import WIRE
from pulling import FAR, held, let_go, logged

WITHOUT_ACTION = "window.heard = frame => frame.type === 'ok' && 'refreshable' in frame ? { ...frame, refreshable: false } : frame;"


def control(shown, markup):
    """Puts markup into the list."""
    shown.list.evaluate("(list, markup) => list.insertAdjacentHTML('beforeend', markup)", markup)
    shown.page.wait_for_timeout(50)


def without_action(stage):
    """A list that is watched, and that nothing refreshes."""
    url = stage.serve([tsv("list", logged(stage))])
    shown = stage.open(url, script=WIRE + WITHOUT_ACTION)
    shown.page.goto(f"{url}#list")
    return shown.ready()


@test
def a_list_without_an_action_offers_no_refresh(stage):
    shown = without_action(stage)
    assert shown.titles == ["Alpha", "Beta"]
    assert shown.part("refresh").is_disabled()
    shown.finger.pull(FAR)
    shown.rest()
    assert shown.phases == [] and stage.count() == 1, shown.phases
    assert shown.list.evaluate("list => list.refresh().catch(error => error.code)") == "notRefreshable"


@test
def a_plain_button_is_disabled_without_an_action(stage):
    shown = without_action(stage)
    shown.list.evaluate("""list => {
        list.id = 'mine';
        list.innerHTML = '<button slot="header" command="--refresh" class="inside">Again</button>';
        list.insertAdjacentHTML('beforebegin', '<button commandfor="mine" command="--refresh" class="outside">Again</button>');
        list.setAttribute('heading', 'Painted anew');
    }""")
    assert shown.page.locator("button.inside").is_disabled() and shown.page.locator("button.outside").is_disabled()


@test
def buttons_are_looked_for_only_where_some_must_be_disabled(stage):
    shown = stage.one(logged(stage))
    shown.page.evaluate("""() => {
        window.searched = 0;
        for (const { prototype } of [Element, Document]) {
            const { querySelectorAll } = prototype;
            prototype.querySelectorAll = function (names) {
                searched += names.includes('command');
                return querySelectorAll.call(this, names);
            };
        }
    }""")
    shown.list.evaluate("list => list.refresh()")
    shown.wait_for_trace("closing")
    assert shown.page.evaluate("searched") == 0


@test
def a_button_inside_shares_the_action(stage):
    shown = stage.one(logged(stage))
    control(shown, "<button slot='header' command='--refresh'>Again</button>")
    again = shown.page.get_by_role("button", name="Again")
    assert again.is_enabled()
    again.click()
    shown.wait_for_trace("closing")
    assert stage.count() == 2


@test
def the_nearest_list_is_the_one_a_button_refreshes(stage):
    lists = [tsv(name, f"echo run >> '{stage.folder}/{name}'; echo 'a\tAlpha'") for name in ("outer", "inner")]
    shown = stage.open(f"{stage.serve(lists)}#outer", DESKTOP)
    control(shown, "<div slot='header'><refreshable-list src='/lists/inner'><button slot='header' command='--refresh'>Again</button></refreshable-list></div>")
    inner = shown.page.locator("refreshable-list refreshable-list")
    shown.page.wait_for_function("list => list.phase === 'waiting' && list.refreshable", arg=inner.element_handle())
    inner.evaluate(TRACE)
    shown.page.get_by_role("button", name="Again").click()
    shown.page.wait_for_function("list => list.trace.some(([phase]) => phase === 'closing')", arg=inner.element_handle())
    assert stage.count("inner") == 2 and stage.count("outer") == 1


@test
def refreshing_from_code_opens_the_gap(stage):
    shown = stage.one(held(stage))
    at_rest = shown.top()
    shown.list.evaluate("list => { list.done = list.refresh(); }")
    shown.wait_for_phase("loading")
    shown.wait_for_top(at_rest + 56)
    let_go(stage)
    assert shown.list.evaluate("async list => (await list.done).outcome") == "success"


@test
def refreshing_quietly_moves_nothing_and_is_awaited(stage):
    shown = stage.one(held(stage))
    at_rest = shown.top()
    shown.list.evaluate("list => { list.done = list.refresh({ quietly: true }); }")
    shown.wait_for_phase("loading")
    shown.rest(350)
    assert shown.top() == at_rest and shown.part("indicator").is_visible()
    let_go(stage)
    assert shown.list.evaluate("async list => (await list.done).outcome") == "success"
    shown.wait_for_phase("waiting")
    assert not shown.part("indicator").is_visible() and stage.count() == 2


@test
def asking_twice_from_code_is_one_run_and_cancelling_at_rest_is_nothing(stage):
    shown = stage.one(f"test -e '{stage.folder}/log' && sleep 0.5; {logged(stage)}")
    shown.list.evaluate("list => list.cancel()")
    assert shown.phase == "waiting"
    runs = shown.list.evaluate("async list => (await Promise.all([list.refresh(), list.refresh()])).map(last => last.run)")
    assert len(set(runs)) == 1 and stage.count() == 2, runs
