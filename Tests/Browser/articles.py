"""The HTML and the scripts of the article about the element, each on a page beside its list, as they stand there."""

import functools
import http.server
import shutil
import sys
import threading

from handler import Quiet, pull
from harness import PUBLIC, test, tsv
from pulling import logged

sys.path.append(str(PUBLIC.parent / "Tests/Programs"))

from pages import blocks  # noqa: E402 (it is found there)

TEXTS = {(block.name, block.language): block.text for block in blocks()}


HEAD = """<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Mine</title>
<link rel="icon" href="data:,"><script type="module" src="/refreshable-list.js"></script>"""


def page(stage, html, *lists):
    """A page of somebody's own that the server has in the place of its own."""
    site = stage.folder / "site"
    site.mkdir()
    (site / "index.html").write_text(HEAD + html)
    return stage.open(stage.serve([tsv("names", logged(stage)), *lists], "--public", site)).ready()


def text(section, language):
    """A block of the article."""
    return TEXTS[f"CustomElement: {section}", language]


@test
def the_two_lines_of_the_article_are_those_of_the_readme(_):
    assert text("The element", "html") == TEXTS["README: A list on your own page", "html"]


@test
def the_template_of_the_article_shows_fields_as_it_says(stage):
    rows = r"printf 'a\tAlpha\thttps://a.example/\t2026-11-21T10:00:00Z\tnew\nb\tBeta\t\t\t\n'"
    html = text("Appearance", "html").replace("/lists/names", "/lists/full")
    shown = page(stage, html, tsv("full", rows, ("title", "link", "time", "badge")))
    alpha, beta = (shown.page.locator("li", has_text=title) for title in ("Alpha", "Beta"))
    assert alpha.locator("a").get_attribute("href") == "https://a.example/"
    assert alpha.locator("b").inner_text() == "new" and alpha.locator("time").inner_text()
    assert beta.locator("b").count() == 0 or not beta.locator("b").is_visible()


@test
def the_script_of_the_article_acts_on_a_row(stage):
    mail = tsv("mail", r"printf 'k17\tHello\nk18\tLunch\n'", actions=[{"title": "Archive", "effect": "remove"}])
    shown = page(stage, '<refreshable-list src="/lists/mail"></refreshable-list>', mail)
    shown.wait_for_titles("Hello", "Lunch")
    # The second time, the page refuses: it listens to `act` by then.
    again = "await list.act('archive', 'k18').catch((error) => error.message)"
    script = f"async list => {{ {text('Actions on rows', 'js')} return [outcome, {again}]; }}"
    assert shown.list.evaluate(script) == ["success", "The page refused the action."]
    shown.wait_for_titles("Lunch")


@test
def both_buttons_of_the_article_refresh_the_list(stage):
    shown = page(stage, text("The refresh action", "html"))
    for number, button in enumerate(shown.page.get_by_role("button", name="Look again").all(), 1):
        button.click()
        shown.wait_for_trace("closing", times=number)
        shown.wait_for_phase("waiting")
    assert stage.count() == 3


@test
def the_script_of_the_article_refreshes_the_list_and_then_refuses(stage):
    shown = page(stage, '<refreshable-list src="/lists/names"></refreshable-list>')
    again = "await list.refresh().catch((error) => error.message)"
    script = f"async () => {{ {text('The refresh action', 'js')} return [outcome, Object.keys(changes).length, {again}]; }}"
    assert shown.page.evaluate(script) == ["success", 4, "The page refused the refresh."]
    assert stage.count() == 2, "the first load and one refresh"


@test
def the_handler_of_the_article_fills_its_table(stage):
    site = shutil.copytree(PUBLIC, stage.folder / "site")
    (site / "index.html").write_text(HEAD + text("Without a server", "html"))
    (site / "orders").write_text("<p>Tea</p>")
    server = http.server.ThreadingHTTPServer(("localhost", 0), functools.partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    shown = stage.open(f"http://localhost:{server.server_port}/#")
    shown.page.wait_for_function("list => list.refreshable", arg=shown.handle)
    pull(shown)
    shown.wait_for_trace("closing")
    assert shown.page.locator("#table p").inner_text() == "Tea"
    server.shutdown()
