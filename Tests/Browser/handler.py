"""The element without a server of ours: a plain pull-to-refresh around a page's own content."""

import functools
import http.server
import shutil
import threading
from contextlib import contextmanager

from harness import PUBLIC, test
from pulling import FAR, NEAR

PAGE = """<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<title>Mine</title><script type="module" src="refreshable/refreshable-list.js"></script>
<refreshable-list heading="Mine" MORE><p id="mine">Anything at all.</p></refreshable-list>
<script>
const list = document.querySelector('refreshable-list');
list.runs = [];
list.errors = [];
list.addEventListener('error', ({ detail }) => list.errors.push(detail));
list.handler = context => new Promise((resolve, reject) => list.runs.push({ ...context, resolve, reject }));
</script>"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Says nothing: the tests tell what went wrong."""


@contextmanager
def site(stage, more=""):
    """A page on a site that serves nothing but files, with a copy of Public."""
    shutil.copytree(PUBLIC, stage.folder / "site" / "refreshable")
    (stage.folder / "site" / "index.html").write_text(PAGE.replace("MORE", more))
    server = http.server.ThreadingHTTPServer(("localhost", 0), functools.partial(Quiet, directory=stage.folder / "site"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        shown = stage.open(f"http://localhost:{server.server_port}/#")
        shown.page.wait_for_function("list => list.refreshable", arg=shown.handle)
        yield shown
    finally:
        server.shutdown()


def pull(shown, travel=FAR):
    shown.finger.down(y=120)
    shown.finger.move(travel)
    shown.finger.up()


def runs(shown):
    return shown.list.evaluate("list => list.runs.length")


@test
def a_handler_of_the_page_runs_for_a_pull_and_lasts_as_long_as_it(stage):
    with site(stage) as shown:
        assert shown.page.locator("#mine").is_visible() and not shown.part("empty").is_visible()
        pull(shown, NEAR)
        shown.rest()
        assert runs(shown) == 0
        pull(shown)
        shown.wait_for_phase("loading")
        shown.rest(900)
        assert shown.phase == "loading" and runs(shown) == 1
        shown.list.evaluate("list => list.runs[0].progress(3, 4, 'nearly')")
        assert "3 of 4" in shown.part("indicator").inner_text()
        shown.list.evaluate("list => list.runs[0].resolve()")
        shown.wait_for_phase("waiting")
        assert shown.phases == ["primed", "loading", "closing", "waiting"], shown.phases
        assert shown.part("updated").inner_text() == "Updated just now"
        pull(shown)
        shown.wait_for_trace("loading", times=2)
        assert runs(shown) == 2


@test
def a_handler_that_throws_is_a_failure_with_its_text(stage):
    with site(stage) as shown:
        shown.list.evaluate("list => { list.done = list.refresh(); list.again = list.refresh(); }")
        shown.wait_for_phase("loading")
        assert runs(shown) == 1, "the second joins the first"
        shown.list.evaluate("list => list.runs[0].reject(new Error('No paper left.'))")
        assert shown.list.evaluate("async list => [(await list.done).outcome, (await list.again).run]") == ["failure", "local-1"]
        shown.wait_for_phase("waiting")
        assert "No paper left." in shown.part("error").inner_text()
        assert shown.list.evaluate("list => list.errors") == [{"code": "internal", "message": "No paper left."}]


@test
def cancelling_aborts_the_signal_and_is_neither_failure_nor_success(stage):
    with site(stage) as shown:
        shown.list.evaluate("list => { list.done = list.refresh(); }")
        shown.wait_for_phase("loading")
        shown.part("cancel").click()
        assert shown.list.evaluate("list => list.runs[0].signal.aborted") is True
        assert shown.phase == "loading", "the indicator lasts as long as the handler"
        shown.list.evaluate("list => list.runs[0].resolve()")
        assert shown.list.evaluate("async list => (await list.done).outcome") == "cancelled"
        shown.wait_for_phase("waiting")
        assert shown.part("updated").inner_text() == ""


@test
def a_crossing_preset_asks_with_the_finger_down(stage):
    with site(stage, 'preset="progress" indicator="circular"') as shown:
        shown.finger.down(y=120)
        shown.finger.move(300)
        shown.wait_for_phase("loading")
        shown.list.evaluate("list => list.runs[0].resolve()")
        shown.wait_for_trace("closing")
        shown.finger.up()
        shown.wait_for_phase("waiting")
        assert runs(shown) == 1


@test
def a_list_that_leaves_the_page_aborts_its_handler_and_one_that_moves_does_not(stage):
    with site(stage) as shown:
        shown.list.evaluate("list => { list.refresh().catch(() => {}); window.mine = list; }")
        shown.wait_for_phase("loading")
        shown.list.evaluate("list => document.body.prepend(list)")
        shown.rest(100)
        assert shown.page.evaluate("mine.runs[0].signal.aborted") is False and shown.phase == "loading"
        shown.list.evaluate("list => list.remove()")
        shown.page.wait_for_function("() => mine.runs[0].signal.aborted")


@test
def a_page_may_refresh_as_soon_as_it_has_given_a_handler(stage):
    with site(stage) as shown:
        ended = shown.page.evaluate("""async () => {
            const list = document.createElement('refreshable-list');
            document.body.append(list);
            list.handler = () => {};
            return (await list.refresh()).outcome;
        }""")
        assert ended == "success", ended
