"""A row opens in place, with all that it says: by tap, by keys, and by the address."""

import json
from urllib.request import Request, urlopen

from harness import DESKTOP, PHONE, test, tsv

LONG = "A title that is too long for a phone, and goes on until nobody would read it, and then for three lines more"
ROWS = [
    {"key": "a b/c", "title": LONG, "subtitle": "Ada", "time": "2026-01-05T14:03:00Z", "status": "open", "labels": ["one", "two"], "size": 12345},
    {"key": "b", "title": "Short"},
    {"key": "c", "title": LONG, "link": "/#elsewhere", "badge": "9"},
]
OPEN = "list => list.shadowRoot.querySelector('[data-open]')?.dataset.key ?? null"


def push(url, rows, *removed):
    """Has the list be these rows, without those that are removed."""
    patch = [{"key": row["key"], "at": "end", "fields": {name: value for name, value in row.items() if name != "key"}} for row in rows]
    body = json.dumps({"set": patch, "remove": removed}).encode()
    urlopen(Request(f"{url}lists/list", body, {"Content-Type": "application/json"}, method="PATCH")).read()


def opened(stage, device=PHONE, address="#list"):
    url = stage.serve([{"name": "list", "push": True}])
    push(url, ROWS)
    shown = stage.open(url + address, device)
    shown.url = url
    shown.page.wait_for_function("list => list.shadowRoot.querySelectorAll('[part=row]').length === 3", arg=shown.handle)
    return shown


def is_open(shown, key):
    shown.page.wait_for_function(f"([list, key]) => ({OPEN})(list) === key", arg=[shown.handle, key])


@test
def a_tap_opens_a_row_with_all_that_it_says_and_the_way_back_closes_it(stage):
    shown = opened(stage)
    row = shown.part("row").first
    before = row.bounding_box()["height"]
    row.tap()
    is_open(shown, "a b/c")
    said = row.inner_text()
    assert "Monday, January 5, 2026" in said and "12,345" in said and "one, two" in said and "status" in said, said
    assert row.bounding_box()["height"] > before + 60
    title = shown.part("title").first
    assert title.evaluate("e => e.scrollHeight <= e.clientHeight + 1"), "the title is still cut"
    assert shown.page.evaluate("location.hash") == "#/list/a%20b%2Fc"
    shown.page.go_back()
    is_open(shown, None)
    assert shown.page.evaluate("location.hash") == "#list"
    row.tap()
    is_open(shown, "a b/c")
    row.locator("[part=subtitle]").tap()
    is_open(shown, None)
    assert shown.page.evaluate("location.hash") == "#list"


@test
def an_open_row_says_everything_once_and_cuts_nothing_short(stage):
    prose = "All were there, the tables were agreed on, the tea was praised at length, and nobody left before nine. " * 2
    url = stage.serve([{"name": "list", "push": True}])
    push(url, [
        {"key": "a", "title": "Both of them, and a title that needs its room", "badge": "needs-triage-by-the-team", "detail": "12,345,678.90 EUR"},
        {"key": "b", "title": "Minutes", "detail": prose, "pages": 3},
    ])
    shown = stage.open(f"{url}#list", {**PHONE, "viewport": {"width": 320, "height": 700}})
    shown.part("row").first.wait_for()
    for number, said in ((0, "12,345,678.90 EUR"), (0, "needs-triage-by-the-team"), (1, prose.strip())):
        row = shown.part("row").nth(number)
        shown.list.evaluate("(list, key) => list.setAttribute('open-row', key)", "ab"[number])
        is_open(shown, "ab"[number])
        assert row.inner_text().count(said) == 1, row.inner_text()
        for part in row.locator("[part=badge], [part=detail]").all():
            assert part.evaluate("e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight + 1"), part.inner_text()
    box = shown.part("detail").last.bounding_box()
    assert shown.part("details").bounding_box()["y"] >= box["y"] + box["height"], "details come last"


@test
def the_address_opens_a_row_and_the_arrow_leads_to_the_directory(stage):
    shown = opened(stage, address="#/list/a%20b%2Fc")
    is_open(shown, "a b/c")
    shown.part("row").first.locator("[part=subtitle]").tap()
    is_open(shown, None)
    shown.page.get_by_label("All lists").click()
    shown.page.locator("nav li").first.click()
    shown.part("row").first.tap()
    is_open(shown, "a b/c")
    shown.page.get_by_label("All lists").click()
    shown.page.locator("nav li").first.wait_for()
    assert shown.page.evaluate("location.hash") == ""


@test
def a_row_that_has_no_more_and_one_that_leads_elsewhere_do_not_open_by_tap(stage):
    shown = opened(stage)
    shown.part("row").nth(1).tap()
    shown.rest(200)
    assert shown.list.evaluate(OPEN) is None
    assert shown.part("row").nth(1).locator("[role=button], button").count() == 0
    box = shown.part("disclosure").bounding_box()
    assert box["width"] >= 44 and box["height"] >= 44, box
    shown.part("disclosure").tap()
    is_open(shown, "c")
    assert shown.part("disclosure").get_attribute("aria-expanded") == "true"
    assert "/#elsewhere" in shown.part("details").inner_text()


@test
def keys_open_and_close_a_row_and_the_focus_stays(stage):
    shown = opened(stage, DESKTOP)
    title = shown.part("title").first
    for key, other in (("Enter", "Escape"), ("Space", "Enter")):
        title.focus()
        shown.page.keyboard.press(key)
        is_open(shown, "a b/c")
        assert title.get_attribute("aria-expanded") == "true"
        shown.page.keyboard.press(other)
        is_open(shown, None)
        assert title.get_attribute("aria-expanded") == "false"
        assert shown.list.evaluate("list => list.shadowRoot.activeElement.part.value") == "title"


@test
def an_open_row_says_what_it_says_now_and_stays_open_when_it_moves(stage):
    shown = opened(stage)
    shown.part("row").first.tap()
    is_open(shown, "a b/c")
    rows = [{"key": "n", "title": "New"}, ROWS[1], {**ROWS[0], "status": "closed"}]
    push(shown.url, rows, "c")
    shown.part("details").get_by_text("closed").wait_for()
    is_open(shown, "a b/c")
    push(shown.url, [], "a b/c")
    shown.page.wait_for_function(f"list => ({OPEN})(list) === null", arg=shown.handle)


@test
def a_page_may_show_more_in_its_own_way_and_keep_a_row_shut(stage):
    shown = opened(stage)
    shown.list.evaluate("""list => {
        const own = document.createElement('div');
        own.slot = 'details';
        own.innerHTML = '<b data-field="status"></b> of <i data-field="nothing">nobody</i>';
        list.append(own);
    }""")
    shown.part("row").first.tap()
    is_open(shown, "a b/c")
    assert shown.page.locator("[slot=details]").inner_text() == "open of nobody"
    assert not shown.list.evaluate("list => list.shadowRoot.querySelector('.details-own').checkVisibility()")
    shown.page.go_back()
    is_open(shown, None)
    shown.list.evaluate("list => list.addEventListener('rowopen', event => { list.asked = event.detail.key; event.preventDefault(); })")
    shown.part("row").first.tap()
    shown.rest(200)
    assert shown.list.evaluate(OPEN) is None and shown.list.evaluate("list => list.asked") == "a b/c"
    shown.list.evaluate("list => list.setAttribute('open-row', 'a b/c')")
    is_open(shown, "a b/c")


@test
def text_that_is_selected_opens_no_row(stage):
    shown = opened(stage, DESKTOP)
    box = shown.part("title").first.bounding_box()
    mouse = shown.page.mouse
    mouse.move(box["x"] + 2, box["y"] + 8)
    mouse.down()
    mouse.move(box["x"] + 120, box["y"] + 8, steps=6)
    mouse.up()
    shown.rest(200)
    assert shown.page.evaluate("getSelection().toString().length") > 5 and shown.list.evaluate(OPEN) is None


@test
def a_tap_on_the_bar_leads_back_to_the_top(stage):
    url = stage.serve([tsv("list", "seq 100", ())])
    shown = stage.open(f"{url}#list")
    shown.page.evaluate("scrollTo(0, 2000)")
    shown.rest(100)
    shown.part("heading").tap()
    shown.page.wait_for_function("() => scrollY === 0")
    shown.page.evaluate("scrollTo(0, 2000)")
    shown.part("refresh").tap()
    shown.rest(600)
    assert shown.page.evaluate("scrollY") == 2000, "a button is no bar"
