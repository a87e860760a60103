"""Buttons, keys, errors: the ways besides a finger."""

from harness import DESKTOP, test, tsv
from pulling import FAR, logged


@test
def the_bar_is_walked_as_it_is_seen_and_refresh_works_by_keyboard(stage):
    shown = stage.one(logged(stage))
    shown.list.evaluate("list => { const b = document.createElement('button'); list.before(b); b.focus(); }")
    shown.page.keyboard.press("Tab")
    assert shown.page.evaluate("document.activeElement.className") == "back"
    for part in ("search", "refresh"):
        shown.page.keyboard.press("Tab")
        assert shown.list.evaluate("list => list.shadowRoot.activeElement?.part.value") == part
    shown.page.keyboard.press("Enter")
    shown.wait_for_trace("closing")
    assert stage.count() == 2


@test
def the_refresh_button_is_large_enough_for_a_thumb(stage):
    box = stage.one("echo 'a\tAlpha'").part("refresh").bounding_box()
    assert box["width"] >= 44 and box["height"] >= 44, box


@test
def cancel_ends_the_run(stage):
    shown = stage.one(f"test -e '{stage.folder}/log' && sleep 5; {logged(stage)}")
    shown.list.evaluate("list => { list.done = list.refresh(); }")
    shown.wait_for_phase("loading")
    shown.part("cancel").click()
    outcome = shown.list.evaluate("async list => (await list.done).outcome")
    assert outcome == "cancelled", outcome
    assert shown.titles == ["Alpha", "Beta"]
    assert stage.count() == 1
    assert not shown.part("cancel").is_visible() and not shown.part("error").is_visible()


@test
def an_error_keeps_the_rows_says_why_and_offers_another_try(stage):
    broken = stage.folder / "broken"
    shown = stage.one(f"test -e '{broken}' && {{ echo 'The mailbox is locked.' >&2; exit 3; }}; echo 'a\tAlpha'")
    shown.list.evaluate("list => list.addEventListener('error', ({ detail }) => { list.failed = detail; })")
    broken.touch()
    shown.finger.pull(FAR)
    shown.part("error").wait_for()
    assert shown.titles == ["Alpha"], "the last good rows are gone"
    assert shown.list.get_attribute("stale") is not None, "nothing marks the rows as old"
    assert shown.list.evaluate("list => Boolean(list.failed.message)")
    assert shown.part("error").inner_text().startswith("Refresh failed")
    broken.unlink()
    shown.part("error").locator("[part=retry]").click()
    shown.wait_for_trace("closing")
    shown.wait_for_phase("waiting")
    assert not shown.part("error").is_visible() and shown.list.get_attribute("stale") is None


@test
def refreshing_from_code_is_awaited(stage):
    shown = stage.one(logged(stage))
    last = shown.list.evaluate("list => list.refresh()")
    assert last["outcome"] == "success" and stage.count() == 2, last
    assert shown.phase == "closing"


@test
def a_failed_refresh_from_code_says_so(stage):
    shown = stage.one(f"test -e '{stage.folder}/log' && exit 1; {logged(stage)}")
    last = shown.list.evaluate("list => list.refresh()")
    assert last["outcome"] == "failure" and last["error"]["message"], last


@test
def a_list_that_does_not_exist_is_told(stage):
    url = stage.serve([tsv("list", "echo a")])
    shown = stage.open(url)
    shown.page.goto(f"{url}#nowhere")
    shown.part("error").wait_for()
    assert shown.part("refresh").is_disabled()
    assert not shown.part("skeleton").is_visible()
    assert not shown.part("error").locator("[part=retry]").is_visible(), "another try would be told the same"
    shown.page.locator(".elsewhere").click()
    shown.page.locator("nav li").wait_for()


@test
def a_button_elsewhere_commands_a_refresh(stage):
    url = stage.serve([tsv("list", logged(stage))])
    shown = stage.open(f"{url}#list", DESKTOP)
    shown.list.evaluate("""list => {
        list.id = 'mine';
        const button = Object.assign(document.createElement('button'), { textContent: 'Look again' });
        button.setAttribute('commandfor', 'mine');
        button.setAttribute('command', '--refresh');
        list.before(button);
    }""")
    shown.page.get_by_role("button", name="Look again").click()
    shown.wait_for_trace("closing")
    assert stage.count() == 2


@test
def a_button_elsewhere_works_in_a_browser_without_commands(stage):
    # As WebKit was before 2.52: the attribute means nothing.
    url = stage.serve([tsv("list", logged(stage))])
    shown = stage.open(f"{url}#list", DESKTOP, script="""delete HTMLButtonElement.prototype.commandForElement;
        addEventListener('command', (event) => event.isTrusted && event.stopImmediatePropagation(), { capture: true });""")
    shown.list.evaluate("""list => {
        list.id = 'mine';
        list.insertAdjacentHTML('beforebegin', '<button commandfor="mine" command="--refresh"><b>Look again</b></button>');
    }""")
    shown.page.get_by_text("Look again").click()
    shown.wait_for_trace("closing")
    assert stage.count() == 2
    shown.list.evaluate("list => { list.previousSibling.disabled = true; list.previousSibling.firstChild.click(); }")
    shown.rest()
    assert stage.count() == 2
