"""Rows as a page's own template says."""

import json

from embedding import elsewhere
from harness import test, tsv
from prediction import WIRE

# The title of each row is its fields, as a program that pushes rows may send any.
FIELDS = WIRE.replace("frame => frame;", """frame => {
    for (const row of [...(frame.rows ?? []), ...(frame.set ?? [])]) if (row.fields) row.fields = JSON.parse(row.fields.title);
    return frame;
};""")
STYLES = "refreshable-list li { color: rgb(200, 0, 0); }"
TEMPLATE = """<template><li class="card">
  <img alt="" data-if="image" data-field-src="image">
  <a data-field-href="link" data-field="title">Untitled</a>
  <i data-field="author.name" data-field-title="author.email"></i>
  <b data-if="badge" data-field="badge"></b>
  <em data-unless="badge">nothing new</em>
  <time data-field="due"></time> <data data-field="count"></data>
  <button data-field-onclick="title" data-field-style="title" data-field-aria-pressed="starred" data-field-disabled="gone">★</button>
</li></template>"""
ROWS = [
    {"key": "a", "title": "Alpha <b>", "link": "https://example.com/", "author": {"name": "Ada", "email": "ada@example.com"}, "badge": 3,
     "due": 1000000000000, "count": 12345, "starred": True, "image": "/a.png"},
    {"key": "b", "link": "javascript:alert(1)", "badge": "", "image": "data:image/gif;base64,", "starred": False, "gone": True, "due": "soon"},
]


def served(stage, template=TEMPLATE, rows=ROWS):
    """A page with a template of its own around a list; also gives what writes the rows."""
    file = stage.folder / "rows"

    def write(rows):
        file.write_text("".join(f"{row['key']}\t{json.dumps(row)}\n" for row in rows))

    write(rows)
    server, origin = elsewhere("")
    url = stage.serve([tsv("list", f"cat '{file}'")], "--allow-origin", origin)
    server.html = f"""<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Mine</title>
<link rel="icon" href="data:,"><style>{STYLES}</style><script type="module" src="{url}refreshable-list.js"></script>
<refreshable-list src="{url}lists/list">{template}</refreshable-list>"""
    return stage.open(f"{origin}/#", script=FIELDS), write


def wait_for_texts(shown, *texts):
    shown.page.wait_for_function(
        "wanted => [...document.querySelectorAll('refreshable-list > ul:not([inert]) li')].map(row => row.innerText.replace(/\\s+/g, ' ').trim()).join('|') === wanted",
        arg="|".join(texts),
    )


FIRST = "Alpha <b> Ada 3 Sep 9, 2001 12,345 ★"


@test
def fields_go_where_a_template_says(stage):
    shown, _ = served(stage)
    wait_for_texts(shown, FIRST, "Untitled nothing new soon ★")
    first, second = shown.page.locator("li.card").all()
    assert first.evaluate("row => row.parentNode.parentNode.parentNode.parentNode.localName") == "refreshable-list", "it is not a row itself"
    assert first.locator("a").get_attribute("href") == "https://example.com/" and first.locator("i").get_attribute("title") == "ada@example.com"
    assert first.locator("img").get_attribute("src").endswith("/a.png") and first.locator("img").get_attribute("loading") == "lazy"
    assert first.locator("time").get_attribute("datetime").startswith("2001-09-09T") and first.locator("data").get_attribute("value") == "12345"
    assert first.get_attribute("data-key") == "a" and first.get_attribute("role") == "listitem"
    assert first.locator("button").get_attribute("aria-pressed") == "true" and first.locator("button").is_enabled()
    assert second.locator("button").get_attribute("aria-pressed") == "false" and second.locator("button").is_disabled()
    assert not second.locator("img").is_visible() or second.locator("img").get_attribute("src") is None
    assert second.locator("i").get_attribute("title") is None


@test
def nothing_in_a_row_becomes_markup_or_script_in_a_template(stage):
    shown, _ = served(stage)
    wait_for_texts(shown, FIRST, "Untitled nothing new soon ★")
    assert shown.page.locator("li a b").count() == 0
    assert shown.page.locator("li a").nth(1).get_attribute("href") is None
    assert shown.page.locator("li img").nth(1).get_attribute("src") is None
    assert shown.page.locator("li [onclick], li button[style]").count() == 0


@test
def a_pages_styles_and_listeners_reach_the_rows_of_its_template(stage):
    shown, _ = served(stage)
    wait_for_texts(shown, FIRST, "Untitled nothing new soon ★")
    row = shown.page.locator("li.card").first
    assert row.evaluate("row => getComputedStyle(row).color") == "rgb(200, 0, 0)"
    shown.list.evaluate("list => list.addEventListener('click', ({ target }) => { list.clicked = target.closest('li').dataset.key; })")
    row.locator("button").click()
    assert shown.list.evaluate("list => list.clicked") == "a"


@test
def rows_of_a_template_stay_and_lose_what_they_no_longer_have(stage):
    shown, write = served(stage)
    wait_for_texts(shown, FIRST, "Untitled nothing new soon ★")
    shown.list.evaluate("list => { const row = list.querySelector('li'); row.mine = true; row.querySelector('button').focus(); }")
    write([{"key": "n", "title": "New"}, {"key": "a", "badge": 1}])
    shown.list.evaluate("list => list.refresh()")
    wait_for_texts(shown, "New nothing new ★", "Untitled 1 ★")
    assert shown.page.evaluate("document.activeElement.closest('li').mine") is True, "the focused row was made anew"
    row = shown.page.locator("ul:not([inert]) li").nth(1)
    assert row.locator("a").get_attribute("href") is None and row.locator("time").get_attribute("datetime") is None
    write([{"key": "n", "title": "New"}])
    shown.list.evaluate("list => list.refresh()")
    wait_for_texts(shown, "New nothing new ★")
    assert shown.page.evaluate("document.activeElement.closest('li')?.dataset.key") == "n"


@test
def a_template_may_come_change_and_go(stage):
    shown, write = served(stage, template="", rows=[{"key": "a", "title": "Alpha"}])
    shown.ready()
    assert shown.titles == ["Alpha"]
    shown.list.evaluate("list => { list.innerHTML = '<template>» <b data-field=\"title\"></b></template>'; }")
    wait_for_texts(shown, "» Alpha")
    assert shown.part("row").count() == 0
    shown.list.evaluate("list => { list.querySelector('template').content.prepend('»'); }")
    wait_for_texts(shown, "»» Alpha")
    shown.list.evaluate("list => { list.innerHTML = '<template><b data-field=\"key\"></b></template>'; }")
    wait_for_texts(shown, "a")
    shown.list.evaluate("list => list.querySelector('template').remove()")
    shown.wait_for_titles("Alpha")
    assert shown.page.locator("refreshable-list > ul").count() == 0


@test
def a_long_list_has_a_template_too(stage):
    rows = [{"key": str(number), "title": f"Row {number}"} for number in range(900)]
    shown, write = served(stage, "<template><p data-field='title'></p></template>", rows)
    shown.page.wait_for_function("() => document.querySelectorAll('li').length === 900")
    write(rows[450:] + rows[:440])
    shown.list.evaluate("list => list.refresh()")
    shown.page.wait_for_function("() => document.querySelectorAll('li').length === 890")
    keys = shown.list.evaluate("list => [...list.querySelectorAll('li')].map(row => row.dataset.key)")
    assert keys == [row["key"] for row in rows[450:] + rows[:440]]
    assert shown.list.evaluate("list => getComputedStyle(list.querySelector('.group')).contentVisibility") == "auto"


VIEWS = """<p slot="loading">One moment.</p><p slot="empty">Nobody wrote.</p>
<div slot="error"><b data-field="title"></b>: <i data-field="message"></i> <button command="--refresh">Once more</button></div>"""


@test
def a_page_may_have_its_own_views_of_loading_empty_and_failed_lists(stage):
    shown, write = served(stage, VIEWS, rows=[])
    view = shown.page.locator("refreshable-list > [slot]")
    shown.ready()
    assert [place.get_attribute("slot") for place in view.all() if place.is_visible()] == ["empty"] and not shown.part("empty").is_visible()
    (stage.folder / "rows").unlink()
    shown.list.evaluate("list => list.refresh()")
    error = shown.page.locator("[slot=error]")
    error.wait_for()
    assert error.inner_text().startswith("Refresh failed: The command ended with status 1."), error.inner_text()
    assert not shown.part("error").is_visible() and not shown.page.locator("[slot=empty]").is_visible()
    write([{"key": "a", "title": "Alpha"}])
    error.locator("button").click()
    shown.wait_for_titles("Alpha")
    error.wait_for(state="hidden")


@test
def a_pages_own_placeholder_stands_till_the_first_rows_come(stage):
    shown, _ = served(stage, VIEWS, rows=[{"key": "a", "title": "Alpha"}])
    shown.ready()
    assert not shown.page.locator("[slot=loading]").is_visible()
    shown.page.evaluate("window.heard = () => null")
    shown.list.evaluate("list => { list.src += '2'; }")
    shown.page.locator("[slot=loading]").wait_for()
    assert not shown.part("skeleton").is_visible()
