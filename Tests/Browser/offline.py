"""Between visits, and without a server: what was seen stays to be seen, and its age is said."""

import json
import shutil
import signal
import socket

from engines import ENGINES, missing
from harness import DESKTOP, PHONE, PUBLIC, test, tsv
from pulling import FAR, logged

ROWS = "printf 'a\\tAlpha\\nb\\tBeta\\n'"
# Shifts a page's clock, as if it were opened so much later. Milliseconds.
LATER = "{{ const now = Date.now; Date.now = () => now() + {0}; }}"
KEPT = "address => caches.match(address).then(kept => kept?.text()).then(text => text?.includes('Alpha'))"
GONE = "address => caches.match(address).then(kept => !kept)"
UPDATED = "document.querySelector('refreshable-list').shadowRoot.querySelector('[part=updated]').textContent"
FRAMES = """() => {
    window.frames = [];
    const { Socket = WebSocket } = window;
    window.WebSocket = class extends Socket {
        constructor(...given) {
            super(...given);
            this.addEventListener('message', ({ data }) => frames.push(JSON.parse(data)));
        }
    };
}"""

# Kept rows are waited for however long a busy machine takes to find them, not for 250 ms.
PATIENT = "{ const set = setTimeout; window.setTimeout = (work, delay, ...given) => set(work, delay === 250 ? 15_000 : delay, ...given); }"


def port(url):
    return url.rstrip("/").rsplit(":", 1)[1]


def wait_until(shown, promises, argument):
    """Waits until what a function promises is true, which wait_for_function takes for granted."""
    shown.page.evaluate("""async ([promises, argument]) => {
        const isTrue = eval(promises);
        for (const start = performance.now(); !(await isTrue(argument)); await new Promise(resolve => setTimeout(resolve, 50))) {
            if (performance.now() - start > 15_000) throw new Error(`not within 15 s: ${promises}`);
        }
    }""", [promises, argument])


def wait_until_kept(shown, url, name="list"):
    """Waits until the browser holds the page and the rows of a list."""
    shown.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    wait_until(shown, "address => caches.match(address)", f"{url}lists/{name}")


def visit(shown, url=None):
    """Opens the page anew, and with it the list that it shows."""
    shown.page.goto("about:blank")
    shown.page.goto(url)
    shown.list.wait_for()


def is_offline(shown):
    shown.page.wait_for_function("list => list.shadowRoot.querySelector('[part=updated]').textContent.startsWith('Offline')", arg=shown.handle)


@test
def the_next_visit_goes_on_where_the_last_one_ended(stage):
    rows = stage.folder / "rows"
    rows.write_text("a\tAlpha\nb\tBeta\nc\tGamma\n")
    url = stage.serve([tsv("list", f"cat '{rows}'")])
    shown = stage.open(f"{url}#list", script=f"({FRAMES})(); {PATIENT}")
    wait_until_kept(shown, url)
    shown.page.goto("about:blank")
    rows.write_text("c\tGamma!\nd\tDelta\na\tAlpha\n")
    stage.open(f"{url}#list").list.evaluate("list => list.refresh()")
    visit(shown, f"{url}#list")
    shown.wait_for_titles("Gamma!", "Delta", "Alpha")
    frames = shown.page.evaluate("frames")
    assert [frame.get("begin") for frame in frames if frame["type"] == "ok"][:1] == ["resume"], frames
    assert "snapshot" not in [frame["type"] for frame in frames], frames


@test
def without_a_server_the_last_rows_are_shown_with_their_age(stage):
    lists = [tsv("list", ROWS)]
    url = stage.serve(lists)
    shown = stage.open(f"{url}#list")
    wait_until_kept(shown, url)
    stage.stop()
    shown.page.add_init_script(LATER.format(2 * 3_600_000))
    visit(shown, f"{url}#list")
    shown.wait_for_titles("Alpha", "Beta")
    is_offline(shown)
    said = shown.part("updated").inner_text()
    assert said.startswith("Offline · Updated 2 h"), said
    assert shown.list.get_attribute("stale") is not None
    assert shown.part("heading").inner_text() == "List"
    stage.serve(lists, port=port(url))
    shown.page.evaluate("dispatchEvent(new Event('online'))")
    shown.page.wait_for_function("list => !list.hasAttribute('offline') && !list.hasAttribute('stale')", arg=shown.handle)
    shown.wait_for_titles("Alpha", "Beta")
    stage.noise.clear()


@test
def without_a_network_the_page_says_so_and_is_back_with_it(stage):
    url = stage.serve([tsv("list", ROWS), tsv("other", ROWS)])
    shown = stage.open(f"{url}#list")
    wait_until_kept(shown, url)
    inspector = shown.page.context.new_cdp_session(shown.page)

    def be(is_offline):
        shown.page.context.set_offline(is_offline)
        # A page that is opened anew knows of it only by this.
        inspector.send("Network.emulateNetworkConditions", {"offline": is_offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})

    be(True)
    shown.page.reload()
    be(True)
    shown.wait_for_titles("Alpha", "Beta")
    is_offline(shown)
    shown.page.get_by_label("All lists").click()
    shown.page.get_by_text("Offline · lists as of").wait_for()
    shown.page.locator("nav li").first.click()
    shown.wait_for_titles("Alpha", "Beta")
    is_offline(shown)
    be(False)
    # By the event of the browser, not when the wait of a reconnection is over.
    shown.page.wait_for_function("list => !list.hasAttribute('offline')", arg=shown.handle, timeout=5000)
    stage.noise.clear()


@test
def a_server_that_is_silent_is_not_waited_for(stage):
    url = stage.serve([tsv("list", ROWS)])
    shown = stage.open(f"{url}#list")
    wait_until_kept(shown, url)
    server = stage.servers[-1]
    server.send_signal(signal.SIGSTOP)
    try:
        visit(shown, f"{url}#list")
        shown.wait_for_titles("Alpha", "Beta")
        is_offline(shown)
    finally:
        server.send_signal(signal.SIGCONT)
    shown.page.wait_for_function("list => !list.hasAttribute('offline')", arg=shown.handle)
    stage.noise.clear()


# A socket that opens at once and says nothing.
SILENT = """
window.order = [];
window.WebSocket = class {
    bufferedAmount = 0;
    constructor() { setTimeout(() => this.onopen(), 0); }
    send(data) { order.push(JSON.parse(data).type); }
    close() {}
};
"""
# Nothing that was kept is ever found. The page's wait gets a timer before it and one behind, set in the same moment: however
# busy the machine is, timers come in the order in which they are due.
FORGETFUL = SILENT + """
if (window.caches) CacheStorage.prototype.open = () => new Promise(() => {});
const set = window.setTimeout;
window.setTimeout = (work, delay, ...given) => {
    for (const due of delay === 250 ? [225, 275] : []) set(() => order.push(due), due);
    return set(work, delay, ...given);
};
"""


@test
def the_server_is_asked_after_250_ms_though_nothing_kept_has_come(stage):
    url = stage.serve([tsv("list", ROWS)])
    shown = stage.open(url, script=FORGETFUL)
    visit(shown, f"{url}#list")
    shown.page.wait_for_function("() => order.includes(275)")
    assert shown.page.evaluate("order") == [225, "watch", 275], shown.page.evaluate("order")


@test
def kept_rows_are_shown_though_the_server_says_nothing(stage):
    url = stage.serve([tsv("list", ROWS)])
    shown = stage.open(f"{url}#list")
    wait_until_kept(shown, url)
    shown.page.add_init_script(SILENT)
    visit(shown, f"{url}#list")
    shown.wait_for_titles("Alpha", "Beta")


@test
def a_list_that_never_came_says_that_its_server_is_away(stage):
    url = stage.serve([tsv("list", ROWS), tsv("other", ROWS)])
    shown = stage.open(f"{url}#list")
    wait_until_kept(shown, url)
    stage.stop()
    visit(shown, f"{url}#other")
    away = shown.list.locator("slot[name=offline]")
    away.locator("strong").wait_for()
    assert not shown.part("skeleton").is_visible()
    assert not shown.list.get_by_text("Nothing here yet").is_visible()
    stage.noise.clear()


@test
def the_directory_is_there_without_a_server_and_says_its_age(stage):
    url = stage.serve([tsv("one", ROWS), tsv("two", ROWS, title="Second")])
    shown = stage.open(f"{url}#one")
    wait_until_kept(shown, url, "one")
    stage.stop()
    shown.page.goto("about:blank")
    shown.page.goto(url)
    shown.page.get_by_text("Offline · lists as of just now").wait_for()
    assert shown.page.locator("nav li").count() == 2
    shown.page.locator("nav li").nth(0).click()
    shown.wait_for_titles("Alpha", "Beta")
    stage.noise.clear()


@test
def a_changed_module_is_used_at_the_next_visit(stage):
    public = stage.folder / "public"
    shutil.copytree(PUBLIC, public)
    lists = [tsv("list", ROWS)]
    url = stage.serve(lists, "--public", public)
    shown = stage.open(f"{url}#list")
    wait_until_kept(shown, url)
    stage.stop()
    for module in ("page", "words"):
        with (public / module / f"{module}.js").open("a") as file:
            file.write(f"document.documentElement.dataset.{module} = 'new';\n")
    stage.serve(lists, "--public", public, port=port(url))
    visit(shown, f"{url}#list")
    shown.wait_for_titles("Alpha", "Beta")
    assert shown.page.evaluate("navigator.serviceWorker.controller !== null")
    fresh = "() => document.documentElement.dataset.page === 'new' && document.documentElement.dataset.words === 'new'"
    assert shown.page.evaluate(fresh), "an old page was shown by a server that has a new one"
    wait_until(shown, """async () => {
        const kept = await caches.match('page/page.js');
        return (await kept.text()).includes('dataset.page') && (await caches.keys()).filter(name => name.includes('page')).length === 1;
    }""", None)
    stage.stop()
    visit(shown, f"{url}#list")
    shown.wait_for_titles("Alpha", "Beta")
    assert shown.page.evaluate(fresh), "what is kept is still the old page"
    stage.noise.clear()


# In the worker: has the page kept anew, while files of it are looked for. Gives the stores of the page that are left.
BESIEGED = """async () => {
    const stores = async () => (await caches.keys()).filter((name) => name.startsWith('refreshable-page'));
    for (let round = 0; round < 10 && (await stores()).length === 1; round += 1) {
        let isKept = false;
        const keeping = cachePage().then(() => { isKept = true; });
        while (!isKept) await Promise.all(Array.from({ length: 40 }, () => cached(home)));
        await keeping;
    }
    return stores();
}"""
# As the worker of an earlier page and the one of a new page do, one of which begins a little later.
AT_ONCE = """async () => {
    for (let round = 0; round < 5; round += 1) {
        const later = new Promise((resolve) => setTimeout(resolve, 5));
        await Promise.all([cachePage(), later.then(cachePage)]);
        if (!(await cached(home))) throw new Error('nothing is kept');
    }
    return (await caches.keys()).filter((name) => name.startsWith('refreshable-page'));
}"""


def in_the_worker(stage, script):
    """Shows a list, and runs a script in the worker that keeps its page."""
    url = stage.serve([tsv("list", ROWS)])
    shown = stage.open(f"{url}#list")
    wait_until_kept(shown, url)
    [worker] = shown.page.context.service_workers
    return worker.evaluate(script)


@test
def files_that_are_asked_for_meanwhile_leave_no_store_behind(stage):
    left = in_the_worker(stage, BESIEGED)
    assert len(left) == 1, left


@test
def a_page_that_two_workers_keep_at_once_is_kept(stage):
    left = in_the_worker(stage, AT_ONCE)
    assert len(left) == 1, left


@test
def what_is_kept_is_the_whole_page(stage):
    url = stage.serve([tsv("list", ROWS)], "--public", PUBLIC)
    shown = stage.open(f"{url}#list")
    wait_until_kept(shown, url)
    kept = shown.page.evaluate("""async () => {
        const page = (await caches.keys()).find(name => name.startsWith('refreshable-page'));
        return (await (await caches.open(page)).keys()).map(({ url }) => new URL(url).pathname.slice(1));
    }""")
    # The worker is the browser's to keep, icons of the manifest are the installed page's, types no browser's.
    elsewhere = {"index.html", "sw.js", "icon-192.png", "icon-512.png", "icon-maskable-512.png"}
    files = {str(file.relative_to(PUBLIC)) for file in PUBLIC.rglob("*") if file.is_file()}
    wanted = {file for file in files if not file.endswith((".d.ts", ".json"))} - elsewhere
    assert set(kept) - {""} == wanted, (wanted - set(kept), set(kept) - wanted)


@test
def the_page_is_kept_in_whatever_language_it_speaks(stage):
    url = stage.serve([tsv("list", ROWS)])
    shown = stage.open(url, locale="de-DE")
    shown.page.get_by_text("Listen", exact=True).wait_for()
    wait_until(shown, "() => navigator.serviceWorker.getRegistration().then(found => found?.active)", None)
    stage.stop()
    shown.page.reload()
    shown.page.get_by_text("Listen", exact=True).wait_for()
    assert shown.page.locator("nav li").is_visible()
    stage.noise.clear()


@test
def what_is_no_kept_list_is_ignored(stage):
    url = stage.serve([tsv("list", ROWS)])
    shown = stage.open(f"{url}#list")
    wait_until_kept(shown, url)
    address = f"{url}lists/list"
    kept = json.loads(shown.page.evaluate("address => caches.match(address).then(kept => kept.text())", address))
    foreign = ["", "{", "null", "[]", '"x"', json.dumps({**kept, "rows": [None]}), json.dumps({**kept, "rows": [{"key": 1}]}),
               json.dumps({**kept, "revision": "1"}), json.dumps({**kept, "about": None})]
    for text in foreign:
        shown.page.evaluate("""async ([address, text]) => {
            for (const name of await caches.keys()) if (name.includes('rows')) await (await caches.open(name)).put(address, new Response(text));
        }""", [address, text])
        visit(shown, f"{url}#list")
        shown.wait_for_titles("Alpha", "Beta")
        shown.page.evaluate("dispatchEvent(new Event('pagehide'))")
        wait_until(shown, KEPT, address)


@test
def rows_that_came_before_they_could_be_kept_are_kept(stage):
    # Where the keeper is a file of its own.
    url = stage.serve([tsv("list", ROWS)], "--public", PUBLIC)
    shown = stage.open(url, service_workers="block")
    shown.page.locator("nav li").wait_for()
    held = []
    shown.page.route("**/offline-store.js", lambda route: held.append(route))
    shown.page.locator("nav li").click()
    shown.wait_for_titles("Alpha", "Beta")
    shown.page.wait_for_function("list => list.phase === 'waiting' && list.shadowRoot.querySelector('[part=updated]').textContent", arg=shown.handle)
    held[0].continue_()
    wait_until(shown, KEPT, f"{url}lists/list")
    # A blocked worker is told of.
    stage.noise.clear()


@test
def a_list_that_the_server_no_longer_shows_is_kept_no_longer(stage):
    url = stage.serve([tsv("list", ROWS), tsv("other", ROWS)])
    shown = stage.open(f"{url}#list")
    wait_until_kept(shown, url)
    stage.stop()
    stage.serve([tsv("other", ROWS)], port=port(url))
    visit(shown, f"{url}#list")
    shown.list.get_by_text("No such list").wait_for()
    wait_until(shown, GONE, f"{url}lists/list")
    assert shown.titles == []


@test
def a_list_that_is_not_to_be_kept_leaves_nothing_behind(stage):
    url = stage.serve([tsv("list", ROWS)])
    shown = stage.open(f"{url}#list")
    wait_until_kept(shown, url)
    shown.page.evaluate("""() => {
        const list = document.createElement('refreshable-list');
        list.setAttribute('keep', 'none');
        list.src = 'lists/list';
        document.querySelector('refreshable-list').replaceWith(list);
    }""")
    shown.wait_for_titles("Alpha", "Beta")
    wait_until(shown, GONE, f"{url}lists/list")
    shown.list.evaluate("list => list.refresh()")
    shown.page.evaluate("dispatchEvent(new Event('pagehide'))")
    shown.rest(500)
    assert shown.page.evaluate(GONE, f"{url}lists/list")


@test
def only_the_newest_lists_are_kept_and_none_that_is_huge(stage):
    url = stage.serve([tsv("list", ROWS)])
    shown = stage.open(url)
    kept = shown.page.evaluate("""async () => {
        const { OfflineStore } = await import('./connection/offline-store.js');
        const save = async (name, fields = {}) => {
            const rows = [{ key: 'a', position: 1, fields }];
            const watch = Object.assign(new EventTarget(), {
                about: {}, connection: {}, address: `${location.origin}/lists/${name}`, state: { updatedAt: 1 },
                replica: { rows, resume: { epoch: 'e', revision: 1 } },
            });
            const kept = new OfflineStore(watch);
            watch.dispatchEvent(new CustomEvent('change', { detail: { what: 'rows' } }));
            await kept.save();
        };
        for (let i = 1; i <= 25; i += 1) await save(`list-${i}`);
        await save('huge', { text: 'x'.repeat(2_000_000) });
        const rows = (await caches.keys()).find(name => name.includes('rows'));
        return (await (await caches.open(rows)).keys()).map(({ url }) => url.split('/').at(-1));
    }""")
    assert kept == [f"list-{number}" for number in range(6, 26)], kept


@test
def many_rows_are_kept_some_at_a_time_but_all_at_once_where_the_page_is_left(stage):
    url = stage.serve([tsv("list", ROWS)])
    shown = stage.open(url)
    kept = shown.page.evaluate("""async () => {
        const { OfflineStore } = await import('./connection/offline-store.js');
        const { stringify } = JSON, { setTimeout } = window;
        const address = `${location.origin}/lists/many`, written = [];
        const rows = Array.from({ length: 1000 }, (_, i) => ({ key: `${i}`, position: i, fields: {} }));
        const watch = Object.assign(new EventTarget(), {
            about: {}, connection: {}, address, state: { updatedAt: 1 }, replica: { rows, resume: { epoch: 'e', revision: 1 } },
        });
        const keeper = new OfflineStore(watch);
        const change = (revision) => {
            watch.replica.resume = { epoch: 'e', revision };
            watch.dispatchEvent(new CustomEvent('change', { detail: { what: 'rows' } }));
        };
        const said = async () => (await caches.match(address))?.json().then(({ revision, rows }) => `${revision}: ${rows.length}`);
        JSON.stringify = (value) => {
            if (Array.isArray(value)) written.push(value.length);
            return stringify(value);
        };
        change(1);
        await keeper.save();
        const bit = await said();
        // From now on no turn of the page comes to an end.
        window.setTimeout = () => 1;
        change(2);
        keeper.save();
        const before = written.length;
        dispatchEvent(new Event('pagehide'));
        const atOnce = written.length - before;
        for (let i = 0; i < 100 && (await said()) === bit; i += 1) await new Promise((done) => setTimeout(done, 50));
        const left = await said();
        // Nor is anything kept once it is not to be, though it was being written.
        window.setTimeout = setTimeout;
        change(3);
        keeper.save();
        await keeper.restore(false);
        await new Promise((done) => setTimeout(done, 300));
        return { bit, most: Math.max(...written), atOnce, left, gone: (await said()) ?? null };
    }""")
    assert kept == {"bit": "1: 1000", "most": 200, "atOnce": 5, "left": "2: 1000", "gone": None}, kept


@test
def the_page_can_be_installed(stage):
    url = stage.serve([tsv("list", ROWS)])
    shown = stage.open(f"{url}#list")
    wait_until_kept(shown, url)
    inspector = shown.page.context.new_cdp_session(shown.page)
    errors = inspector.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A test's browser keeps nothing when it ends, and is called incognito for it.
    assert [error for error in errors if error["errorId"] != "in-incognito"] == [], errors
    found = inspector.send("Page.getAppManifest")
    assert found["errors"] == [], found["errors"]
    manifest = json.loads(found["data"])
    assert {"id", "name", "short_name", "description", "start_url", "scope", "display"} <= manifest.keys()
    for icon in manifest["icons"]:
        size = shown.page.evaluate("""async ({ src }) => {
            const image = Object.assign(new Image(), { src });
            await image.decode();
            return `${image.naturalWidth}x${image.naturalHeight}`;
        }""", icon)
        assert icon["sizes"] in ("any", size), (icon, size)
    assert {icon["purpose"] for icon in manifest["icons"]} == {"any", "maskable"}


@test
def a_lost_connection_is_said_once_and_covers_no_row(stage):
    for device in (PHONE, DESKTOP):
        shown = stage.one(ROWS) if device is PHONE else stage.open(f"{stage.serve([tsv('list', ROWS)])}#list", DESKTOP)
        stage.stop()
        shown.part("updated").get_by_text("Connecting…").wait_for()
        said = shown.list.evaluate("list => list.shadowRoot.textContent.match(/Connecting|Offline/g).length")
        assert said == 1, said
        shown.part("updated").get_by_text("Offline · Updated").wait_for()
        row = shown.part("row").last.evaluate("""row => {
            const { left, right, top, bottom } = row.getBoundingClientRect();
            return row.getRootNode().elementFromPoint((left + right) / 2, (top + bottom) / 2).closest('[part=row]') === row;
        }""")
        assert row, "the last row is covered"
    stage.noise.clear()


@test
def the_last_rows_open_without_a_server_in_other_engines_too(stage):
    for name in ("firefox", "webkit"):
        if lack := missing(name):
            print(f"  {name} not tried: this machine has no {lack}")
            continue
        lists = [tsv("list", ROWS)]
        url = stage.serve(lists)
        with ENGINES[name]() as engine:
            address = f"http://localhost:{port(url)}/#list"
            engine.open(address)
            engine.wait_for("navigator.serviceWorker.ready.then(() => true)")
            engine.wait_for("caches.match('lists/list').then(Boolean)")
            stage.stop()
            engine.open("about:blank")
            engine.open(address)
            engine.wait_for("document.querySelector('refreshable-list')?.shadowRoot.querySelectorAll('[part=row]').length === 2")
            engine.wait_for(f"{UPDATED}.startsWith('Offline · Updated')")
            stage.serve(lists, port=port(url))
            engine.evaluate("dispatchEvent(new Event('online'))")
            engine.wait_for(f"!{UPDATED}.startsWith('Offline')")


@test
def all_the_rest_works_over_plain_http_on_a_lan_address(stage):
    address = lan_address()
    if not address:
        print("  this machine has no address but loopback: not tried")
        return
    lists = [tsv("list", logged(stage)), tsv("other", ROWS)]
    url = stage.serve(lists, "--host", "0.0.0.0")
    shown = stage.open(f"http://{address}:{port(url)}/#list")
    lacking = "[isSecureContext, 'serviceWorker' in navigator, 'caches' in window, 'randomUUID' in crypto, 'subtle' in crypto]"
    assert shown.page.evaluate(lacking) == [False] * 5
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    shown.wait_for_phase("waiting")
    assert stage.count() == 2
    shown.part("refresh").click()
    shown.wait_for_trace("closing", 2)
    shown.wait_for_phase("waiting")
    assert stage.count() == 3
    stage.stop()
    shown.part("updated").get_by_text("Connecting…").wait_for()
    assert shown.titles, "the rows went with the connection"
    stage.serve(lists, "--host", "0.0.0.0", port=port(url))
    shown.page.evaluate("dispatchEvent(new Event('online'))")
    shown.part("updated").get_by_text("Connecting…").wait_for(state="hidden")
    shown.wait_for_phase("waiting")
    shown.page.get_by_label("All lists").click()
    shown.page.locator("nav li").nth(1).click()
    shown.wait_for_titles("Alpha", "Beta")
    stage.noise.clear()


def lan_address():
    """An address of this machine that is not loopback; None where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: connecting a datagram socket only chooses an address.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return probe.getsockname()[0]
