"""The element on other people's pages."""

import functools
import http.server
import re
import shutil
import threading
from contextlib import contextmanager

from harness import DESKTOP, PUBLIC, TRACE, test, tsv
from pulling import FAR, held, let_go, logged

README = PUBLIC.parent / "README.md"


def elsewhere(html):
    """Serves a document on an origin of its own."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200 if self.path == "/" else 204)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            if self.path == "/":
                self.wfile.write(self.server.html.encode())

        def log_message(self, *_):
            """Says nothing: the tests tell what went wrong."""

    server = http.server.ThreadingHTTPServer(("localhost", 0), Handler)
    server.html = html
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://localhost:{server.server_port}"


@test
def two_lines_of_html_work_on_another_origin(stage):
    server, origin = elsewhere("")
    url = stage.serve([tsv("names", logged(stage))], "--allow-origin", origin)
    lines = re.search(r"^```html\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)[1]
    assert len(lines.splitlines()) == 2, lines
    server.html = '<!doctype html><meta name="viewport" content="width=device-width"><title>Elsewhere</title>'
    server.html += lines.replace("http://localhost:8080/", url)
    shown = stage.open(f"{origin}/#").ready()
    assert shown.titles == ["Alpha", "Beta"]
    shown.finger.down(y=120)
    shown.finger.move(FAR)
    shown.finger.up()
    shown.wait_for_trace("closing")
    assert stage.count() == 2
    server.shutdown()


@test
def a_copy_of_public_serves_the_element_from_another_site(stage):
    shutil.copytree(PUBLIC, stage.folder / "site" / "refreshable")

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            """Says nothing: the tests tell what went wrong."""

    site = http.server.ThreadingHTTPServer(("localhost", 0), functools.partial(Quiet, directory=stage.folder / "site"))
    threading.Thread(target=site.serve_forever, daemon=True).start()
    origin = f"http://localhost:{site.server_port}"
    url = stage.serve([tsv("names", logged(stage))], "--allow-origin", origin)
    (stage.folder / "site" / "index.html").write_text(f"""<!doctype html><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><title>A site</title><script type="module" src="refreshable/refreshable-list.js"></script>
<refreshable-list src="{url}lists/names"></refreshable-list>""")
    shown = stage.open(f"{origin}/#").ready()
    fetched = shown.page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name).filter(name => /js$/.test(name))")
    assert len(fetched) > 5 and all(name.startswith(origin) for name in fetched), fetched
    shown.finger.down(y=120)
    shown.finger.move(FAR)
    shown.finger.up()
    shown.wait_for_trace("closing")
    assert shown.titles == ["Alpha", "Beta"] and stage.count() == 2
    site.shutdown()


@test
def any_content_above_the_rows_can_be_pulled_and_scrolls_with_them(stage):
    shown = stage.one(logged(stage, "true"))
    shown.list.evaluate("""list => {
        const picture = Object.assign(document.createElement('div'), { slot: 'header', id: 'picture' });
        Object.assign(picture.style, { height: '1500px', background: 'linear-gradient(teal, navy)' });
        list.append(picture);
    }""")
    top = "document.querySelector('#picture').getBoundingClientRect().top"
    at_rest = shown.page.evaluate(top)
    shown.finger.down(y=500)
    shown.finger.move(FAR)
    pulled = shown.page.evaluate(top) - at_rest
    assert abs(pulled - (shown.top("content") - at_rest)) < 1 and pulled > 64, pulled
    shown.finger.up()
    shown.wait_for_trace("closing")
    shown.wait_for_phase("waiting")
    shown.rest(400)
    shown.page.evaluate("scrollTo(0, 500)")
    assert shown.page.evaluate(top) == at_rest - 500 and stage.count() == 2


@test
def a_bar_above_is_kept_clear_by_an_inset(stage):
    shown = stage.one("echo 'a\tAlpha'")
    assert shown.top("heading") < 40
    shown.list.evaluate("list => list.style.setProperty('--refreshable-inset-top', '40px')")
    assert shown.top("heading") >= 40
    assert shown.top() == shown.part("bar").evaluate("e => e.getBoundingClientRect().bottom")
    shown.finger.down()
    shown.finger.move(FAR)
    assert shown.top("indicator") >= 40, shown.top("indicator")
    shown.finger.lose()


@test
def lists_of_a_page_share_one_socket(stage):
    url = stage.serve([tsv("one", "echo 'a\tAlpha'"), tsv("two", "echo 'b\tBeta'")])
    shown = stage.open(f"{url}#one")
    sockets = []
    shown.page.on("websocket", lambda socket: sockets.append(socket.url))
    shown.list.evaluate("""list => {
        for (const name of ['two', 'one']) document.body.append(Object.assign(document.createElement('refreshable-list'), { src: `/lists/${name}` }));
    }""")
    shown.page.wait_for_function("""() => [...document.querySelectorAll('refreshable-list')].map(list =>
        list.shadowRoot.querySelector('[part=row]')?.textContent).join() === 'Alpha,Beta,Alpha'""")
    assert sockets == [], f"{len(sockets)} more sockets"


@test
def the_socket_closes_with_the_last_list(stage):
    url = stage.serve([tsv("list", "echo 'a\tAlpha'")])
    shown = stage.open(url)
    with shown.page.expect_websocket() as opened:
        shown.page.goto(f"{url}#list")
    shown.ready()
    with opened.value.expect_event("close"):
        shown.list.evaluate("list => list.remove()")


@test
def a_list_moved_in_the_midst_of_a_refresh_goes_on(stage):
    shown = stage.one(held(stage))
    shown.finger.pull(FAR)
    shown.wait_for_phase("loading")
    shown.list.evaluate("list => document.body.prepend(list)")
    assert shown.titles == ["Alpha", "Beta"]
    shown.wait_for_phase("loading")
    let_go(stage)
    shown.wait_for_trace("closing")
    shown.wait_for_phase("waiting")
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing", times=2)
    shown.wait_for_phase("waiting")
    assert stage.count() == 3


@test
def a_list_removed_in_the_midst_of_a_pull_is_pulled_no_more(stage):
    shown = stage.one(logged(stage))
    shown.finger.down()
    shown.finger.move(FAR)
    shown.list.evaluate("list => { window.gone = list; list.remove(); }")
    shown.finger.up()
    shown.rest()
    assert stage.count() == 1
    shown.page.evaluate("document.body.prepend(gone)")
    shown.wait_for_phase("waiting")
    assert shown.titles == ["Alpha", "Beta"]
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    assert stage.count() == 2


@test
def another_src_shows_another_list(stage):
    url = stage.serve([tsv("one", "echo 'a\tAlpha'"), tsv("two", "echo 'b\tBeta'")])
    shown = stage.open(f"{url}#one")
    shown.list.evaluate("list => { list.src = '/lists/two'; }")
    shown.wait_for_titles("Beta")
    # The page around it gives it a heading.
    heading = shown.list.evaluate("""list => {
        list.removeAttribute('heading');
        return list.shadowRoot.querySelector('[part=heading]').textContent;
    }""")
    assert heading == "Two", heading


@test
def a_slotted_indicator_hears_phase_and_progress(stage):
    shown = stage.one("echo 'a\tAlpha'")
    shown.list.evaluate("list => { const own = document.createElement('b'); own.slot = 'indicator'; own.textContent = 'mine'; list.append(own); }")
    own = shown.list.locator("b")
    shown.finger.down()
    shown.finger.move(60)
    assert own.get_attribute("phase") == "waiting"
    assert 0 < float(own.evaluate("e => e.style.getPropertyValue('--pull-progress')")) < 1
    shown.finger.move(150)
    assert own.get_attribute("phase") == "primed"
    shown.finger.up()


@test
def an_inner_scroller_is_pulled_at_its_own_top(stage):
    url = stage.serve([tsv("list", logged(stage, "seq 100"), columns=())])
    shown = stage.open(f"{url}#list", DESKTOP)
    shown.list.evaluate("""list => {
        const box = document.createElement('div');
        Object.assign(box.style, { height: '500px', overflowY: 'auto' });
        list.replaceWith(box);
        box.append(list);
        box.scrollTop = 100;
    }""")
    shown.ready()
    drag(shown.page)
    assert stage.count() == 1, "pulled although it was scrolled down"
    shown.list.evaluate("list => { list.parentNode.scrollTop = 0; }")
    shown.list.evaluate(TRACE)
    drag(shown.page)
    shown.wait_for_trace("closing")
    assert stage.count() == 2


def drag(page):
    box = page.locator("refreshable-list").first.locator("[part~=bar]").bounding_box()
    page.mouse.move(800, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(800, box["y"] + 230, steps=12)
    page.mouse.up()
    page.wait_for_timeout(300)


@contextmanager
def page(stage, lists, html):
    """A page of somebody else, with the element's script at its end; SERVER in it is where the lists are."""
    server, origin = elsewhere("")
    url = stage.serve(lists, "--allow-origin", origin)
    server.html = f"""<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Elsewhere</title>
<body>{html.replace("SERVER/", url)}<script type="module" src="{url}refreshable-list.js"></script></html>"""
    yield stage.open(f"{origin}/")
    server.shutdown()


@test
def what_a_page_said_before_the_script_came_is_heard(stage):
    # As a framework does it: properties of elements that nobody has defined yet.
    html = """<script>
        window.isEarly = !customElements.get('refreshable-list');
        const early = (properties) => document.body.append(Object.assign(document.createElement('refreshable-list'), properties));
        early({ id: 'far', src: 'SERVER/lists/names' });
        early({ id: 'mine', handler: () => { window.hasRun = true; } });
    </script>"""
    with page(stage, [tsv("names", "echo 'a\tAlpha'")], html) as shown:
        shown.page.wait_for_function("() => document.querySelector('#far').shadowRoot?.querySelector('[part=row]')?.textContent === 'Alpha'")
        assert shown.page.evaluate("isEarly && document.querySelector('#far').getAttribute('src')").endswith("/lists/names")
        assert shown.page.evaluate("async () => (await document.querySelector('#mine').refresh()).outcome") == "success"
        assert shown.page.evaluate("hasRun") is True


@test
def a_list_of_the_pages_markup_lets_go_of_its_socket(stage):
    shown = stage.open("about:blank")
    with shown.page.expect_websocket() as opened:
        html = '<refreshable-list src="SERVER/lists/names"></refreshable-list>'
        with page(stage, [tsv("names", "echo 'a\tAlpha'")], html) as other:
            shown.page.goto(other.page.url)
            shown.part("row").wait_for()
            with opened.value.expect_event("close"):
                shown.list.evaluate("list => list.remove()")


@test
def a_list_may_be_moved_in_each_phase(stage):
    html = '<main><section><refreshable-list src="SERVER/lists/list"></refreshable-list></section><section></section></main>'
    lists = [tsv("list", f"test -e '{stage.folder}/log' && sleep 0.4; {logged(stage)}")]
    with page(stage, lists, html) as shown:
        shown.ready()

        def move():
            shown.list.evaluate("list => (list.parentNode.nextElementSibling ?? list.parentNode.previousElementSibling).append(list)")
            assert shown.titles == ["Alpha", "Beta"]

        def pull(travel):
            shown.finger.down(195, 140)
            shown.finger.move(travel)

        for travel in (60, FAR):
            pull(travel)
            move()
            shown.finger.up()
            assert shown.phase == "waiting" and shown.part("content").evaluate("e => e.style.transform") == ""
        assert stage.count() == 1, "a pull that was cut short has run"
        for phase in ("loading", "closing"):
            shown.list.evaluate(TRACE)
            pull(FAR)
            shown.finger.up()
            shown.wait_for_trace(phase)
            move()
            shown.wait_for_trace("closing")
            shown.wait_for_phase("waiting")
        shown.page.wait_for_function(
            "list => getComputedStyle(list.shadowRoot.querySelector('[part=content]')).transform === 'none'", arg=shown.handle
        )
        assert stage.count() == 3


@test
def a_list_that_leaves_the_page_withdraws_from_the_refresh_it_asked_for(stage):
    stopped = f"trap \"echo stopped >> '{stage.folder}/stopped'; exit 1\" TERM; sleep 20 & wait $!"
    url = stage.serve([tsv("other", "echo 'b\tBeta'"), tsv("slow", f"test -e '{stage.folder}/log' && {{ {stopped}; }}; {logged(stage)}")])
    shown = stage.open(f"{url}#slow")
    shown.list.evaluate("""list => document.body.append(Object.assign(document.createElement('refreshable-list'), { src: '/lists/other' }))""")
    shown.finger.pull(FAR)
    shown.wait_for_phase("loading")
    shown.page.wait_for_timeout(300)
    shown.list.evaluate("list => list.remove()")
    for _ in range(40):
        if stage.count("stopped"):
            break
        shown.rest(100)
    assert stage.count("stopped") == 1, "the command runs on for nobody"


@test
def a_refresh_that_a_page_awaits_ends_though_its_list_is_gone(stage):
    shown = stage.one(f"test -e '{stage.folder}/log' && sleep 20; {logged(stage)}")
    shown.list.evaluate("list => { window.gone = list; list.done = list.refresh().then((last) => last.outcome, (error) => error.code); }")
    shown.wait_for_phase("loading")
    shown.list.evaluate("list => list.remove()")
    assert shown.page.evaluate("Promise.race([gone.done, new Promise(resolve => setTimeout(resolve, 3000, 'never'))])") == "cancelled"


@test
def lists_of_two_servers_have_a_socket_each(stage):
    server, origin = elsewhere("")
    urls = [stage.serve([tsv("names", f"echo '{key}\t{title}'")], "--allow-origin", origin) for key, title in (("a", "Alpha"), ("b", "Beta"))]
    lists = "".join(f'<refreshable-list src="{url}lists/names"></refreshable-list>' for url in (*urls, *urls))
    server.html = f"""<!doctype html><meta name="viewport" content="width=device-width"><title>Elsewhere</title>
<script type="module" src="{urls[0]}refreshable-list.js"></script>{lists}"""
    shown = stage.open("about:blank")
    sockets = []
    shown.page.on("websocket", lambda socket: sockets.append(socket.url))
    shown.page.goto(f"{origin}/")
    shown.page.wait_for_function("""() => [...document.querySelectorAll('refreshable-list')].map(list =>
        list.shadowRoot?.querySelector('[part=row]')?.textContent).join() === 'Alpha,Beta,Alpha,Beta'""")
    assert sorted(sockets) == sorted(f"{url.replace('http', 'ws')}ws" for url in urls), sockets
    server.shutdown()


@test
def a_page_whose_policy_takes_no_markup_from_script_shows_lists(stage):
    for number, policy in enumerate(("require-trusted-types-for 'script'", "require-trusted-types-for 'script'; trusted-types 'none'")):
        folder = stage.folder / f"strict-{number}"
        shutil.copytree(PUBLIC, folder)
        index = folder / "index.html"
        index.write_text(index.read_text().replace("<head>", f'<head><meta http-equiv="Content-Security-Policy" content="{policy}">'))
        shown = stage.open(f"{stage.serve([tsv('list', logged(stage))], '--public', folder)}#list")
        shown.wait_for_titles("Alpha", "Beta")
        shown.finger.pull(FAR)
        shown.wait_for_trace("closing")
        # The service worker's address is refused where no policy may be made.
        stage.noise[:] = [noise for noise in stage.noise if "refreshable-page" not in noise]


@test
def attributes_count_at_once_and_a_list_without_an_address_keeps_no_rows(stage):
    url = stage.serve([tsv("one", "echo 'a\tAlpha'"), tsv("two", "echo 'b\tBeta'")])
    shown = stage.open(f"{url}#one")
    shown.list.evaluate("list => list.setAttribute('level', '4')")
    assert shown.part("heading").evaluate("e => e.ariaLevel") == "4"
    shown.list.evaluate("list => list.setAttribute('src', '/lists/two')")
    shown.wait_for_titles("Beta")
    shown.list.evaluate("list => list.removeAttribute('src')")
    assert shown.titles == []
    shown.part("error").wait_for()
