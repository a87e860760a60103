"""A list that comes a page at a time."""

from harness import test
from prediction import WIRE, alter

ROWS = "([list, count]) => list.shadowRoot.querySelectorAll('[part=row]').length === count"


def mailbox(stage):
    shown = stage.open(f"{stage.serve([{'name': 'mailbox', 'demo': 'mailbox'}])}#mailbox", script=WIRE)
    shown.part("more").wait_for()
    return shown


def load(shown):
    return shown.part("more").get_by_role("button")


def wait_for_rows(shown, count):
    shown.page.wait_for_function(ROWS, arg=[shown.handle, count])


@test
def a_page_is_loaded_at_the_end_and_says_nothing_at_the_top(stage):
    shown = mailbox(stage)
    assert load(shown).inner_text() == "Load more"
    load(shown).click()
    assert "Loading…" in shown.part("more").inner_text()
    wait_for_rows(shown, 8)
    shown.rest()
    assert shown.phases == [], "a page is no refresh"
    assert not shown.part("indicator").is_visible() and shown.page.evaluate("scrollY") == 0


@test
def scrolling_near_the_end_loads_the_next_page_until_there_is_none(stage):
    shown = mailbox(stage)
    load(shown).click()
    wait_for_rows(shown, 8)
    for count in (12, 16, 20):
        shown.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        wait_for_rows(shown, count)
    shown.page.wait_for_function(
        "list => list.shadowRoot.querySelector('[part=more]').textContent.startsWith('No more')", arg=shown.handle
    )
    assert not load(shown).is_visible()


@test
def a_page_that_fails_says_so_where_it_would_have_been(stage):
    shown = mailbox(stage)
    alter(shown, """frame => frame.last?.cause !== 'more' ? frame
        : { ...frame, last: { ...frame.last, outcome: 'failure', error: { code: 'internal', message: 'No mail today.' } } }""")
    load(shown).click()
    shown.page.wait_for_function(
        "list => list.shadowRoot.querySelector('[part=more]').dataset.look === 'failed'", arg=shown.handle
    )
    assert "No mail today." in shown.part("more").inner_text() and load(shown).inner_text() == "Retry"
    assert not shown.part("error").is_visible()
    alter(shown, "frame => frame")
    load(shown).click()
    wait_for_rows(shown, 12)
