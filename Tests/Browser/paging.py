"""A list that comes a page at a time."""

from harness import test
from prediction import WIRE, alter, sent

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
def before_its_rows_are_there_a_list_asks_for_no_more_of_them(stage):
    shown = stage.open(f"{stage.serve([{'name': 'mailbox', 'demo': 'mailbox'}])}", script=WIRE)
    alter(shown, "frame => /reset|patch/.test(frame.type) ? null : frame")
    shown.page.evaluate("location.hash = 'mailbox'; new Promise(done => setTimeout(done, 500))")
    shown.page.evaluate("dispatchEvent(new Event('scroll')); new Promise(done => setTimeout(done, 500))")
    assert sent(shown, "more") == []
    assert not shown.part("more").is_visible()


@test
def what_got_no_page_is_not_asked_for_again_until_something_changed(stage):
    shown = mailbox(stage)
    alter(shown, """frame => frame.type === 'ok' && frame.run ? { ...frame, run: null, reason: 'refused' }
        : /state|patch/.test(frame.type) ? null : frame""")
    shown.page.evaluate("dispatchEvent(new Event('scroll')); new Promise(done => setTimeout(done, 700))")
    assert len(sent(shown, "more")) == 1
    assert load(shown).inner_text() == "Load more"
    load(shown).click()
    shown.page.evaluate("new Promise(done => setTimeout(done, 300))")
    assert len(sent(shown, "more")) == 2


def fail(shown):
    alter(shown, """frame => frame.last?.cause !== 'more' ? frame
        : { ...frame, last: { ...frame.last, outcome: 'failure', error: { code: 'internal', message: 'No mail today.' } } }""")
    load(shown).click()
    shown.page.wait_for_function(
        "list => list.shadowRoot.querySelector('[part=more]').dataset.state === 'failed'", arg=shown.handle
    )


@test
def a_page_that_fails_says_so_where_it_would_have_been(stage):
    shown = mailbox(stage)
    fail(shown)
    assert "No mail today." in shown.part("more").inner_text() and load(shown).inner_text() == "Retry"
    assert not shown.part("error").is_visible()
    alter(shown, "frame => frame")
    load(shown).click()
    wait_for_rows(shown, 12)


# On how many lines an element's letters stand.
LINES = "e => { const range = document.createRange(); range.selectNodeContents(e); return new Set([...range.getClientRects()].map(box => box.top)).size; }"


@test
def a_word_at_the_end_is_not_broken_where_letters_are_large(stage):
    shown = mailbox(stage)
    shown.page.set_viewport_size({"width": 320, "height": 640})
    shown.page.evaluate("document.documentElement.style.fontSize = '200%'")
    fail(shown)
    assert load(shown).evaluate(LINES) == 1
    assert shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


FEED = """list => [...list.shadowRoot.querySelectorAll('[role=feed] [role=article]')]
    .map(row => [row.ariaLabel, row.ariaPosInSet, row.ariaSetSize, row.tabIndex].join())"""
FOCUSED = "list => list.shadowRoot.activeElement?.ariaLabel ?? list.shadowRoot.activeElement?.textContent.trim() ?? ''"


@test
def a_list_that_loads_more_is_a_feed_and_others_are_lists(stage):
    shown = mailbox(stage)
    feed = shown.list.evaluate(FEED)
    assert len(feed) == 4 and feed[0].split(",")[-3:] == ["1", "-1", "0"], feed
    assert shown.list.evaluate("list => list.shadowRoot.querySelector('[role=feed]').ariaLabel") == shown.part("heading").inner_text()
    load(shown).click()
    for count in (8, 12, 16, 20):
        wait_for_rows(shown, count)
        shown.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    shown.page.wait_for_function(f"list => ({FEED})(list).every(row => row.split(',').at(-2) === '20')", arg=shown.handle)
    assert [row.split(",")[-3] for row in shown.list.evaluate(FEED)] == [str(number) for number in range(1, 21)]


NAMES = "list => [list.shadowRoot ?? list].flatMap(root => ['[slot=rows], [part=rows]', '[data-key]'].map(name => root.querySelector(name).localName))"


@test
def a_feed_is_made_of_articles_and_a_list_of_list_items(stage):
    shown = mailbox(stage)
    assert shown.list.evaluate(NAMES) == ["div", "article"]
    shown.list.evaluate("list => { list.innerHTML = '<template><li class=\"mine\" data-field-title=\"title\"><b data-field=\"title\"></b></li></template>'; }")
    mine = shown.list.locator("> [role=feed] > div > div > article.mine")
    shown.page.wait_for_function("list => list.querySelectorAll('article.mine').length === 4", arg=shown.handle)
    assert mine.first.get_attribute("title") == mine.first.inner_text() == mine.first.get_attribute("aria-label")
    shown.list.evaluate("list => { list.innerHTML = ''; }")
    wait_for_rows(shown, 4)
    assert shown.list.evaluate(NAMES) == ["div", "article"]
    assert stage.one("printf 'a\\tAlpha\\n'").list.evaluate(NAMES) == ["ul", "li"]


@test
def a_list_without_more_is_a_list(stage):
    shown = stage.one("printf 'a\\tAlpha\\n'")
    assert shown.list.evaluate("list => list.shadowRoot.querySelector('[part=rows]').role") == "list"
    assert shown.list.evaluate("list => list.shadowRoot.querySelectorAll('[role=feed], [role=article], [aria-posinset]').length") == 0


@test
def keys_walk_through_a_feed_and_out_of_it(stage):
    shown = mailbox(stage)
    names = [row.split(",")[0] for row in shown.list.evaluate(FEED)]
    shown.list.evaluate("list => list.shadowRoot.querySelector('[role=article]').focus()")
    walked = []
    for key in ("PageDown", "PageDown", "PageUp", "Control+End", "Enter"):
        shown.page.keyboard.press(key)
        walked.append(shown.list.evaluate(FOCUSED))
    assert walked == [names[1], names[2], names[1], "Load more", "Loading…"], walked
    wait_for_rows(shown, 8)
    shown.page.wait_for_function(f"list => ({FOCUSED})(list) === 'Load more'", arg=shown.handle)
    shown.list.evaluate("list => list.shadowRoot.querySelector('[role=article]').focus()")
    shown.page.keyboard.press("Control+Home")
    assert shown.list.evaluate("list => list.shadowRoot.activeElement.part.value") == "refresh"
