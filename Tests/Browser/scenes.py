"""Every phase and view of the page, each reached for real: by a finger, on a page that a server serves.

    actor = Actor(page, World(stage), (390, 844))
    for scene in SCENES:
        for name in scene(actor):
            …                       the page stands still and shows what the name says

A page is a driver of a browser: it has open, evaluate and a finger with down, move and up.
"""

import contextlib
import json
import time
from datetime import datetime, timedelta
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from harness import tsv
from proxy import Wire

COMMITS = [
    ("Send one frame to ten thousand watchers", "Ada", "-2 minutes", "", True),
    ("Keep the place of a row that did not move", "Grace", "-26 minutes", "", True),
    ("Answer a pull in the midst of a broadcast", "Ada", "-1 hour", "fix", True),
    ("Count what a slow reader costs", "Barbara", "-3 hours", "", False),
    ("Resume from the revision that a page remembers", "Grace", "-7 hours", "", True),
    ("Say how to allow more when a deadline ends a run", "Radia", "-1 day", "", False),
    ("Prune tombstones by age and number", "Barbara", "-2 days", "", True),
    ("Hold both reducers to the same tables", "Ada", "-3 days", "tests", True),
    ("Draw three indicators", "Susan", "-5 days", "", False),
    ("Start", "Ada", "-8 days", "", True),
]
NEWS = [
    {"title": "Bakery opens at six", "subtitle": "The ovens are warm from four", "image": "/icon.svg", "time": 9},
    {"title": "A bridge is closed until Sunday", "subtitle": "Buses go round by the mill", "image": "/icon.svg", "badge": "3"},
    {"title": "Library", "detail": "Open"},
    {"title": "Minutes of Tuesday", "detail": "All were there; the tables were agreed on, and the tea was praised at length."},
    {"title": "مرحبا بالعالم", "subtitle": "صف يُقرأ من اليمين إلى اليسار", "badge": "٣"},
]

LONG = "usr/lib/systemd/systemd-journald --rotate --vacuum-time=2weeks --flush --sync --relinquish-var"
# What nobody wishes for in a list, and every list has one day.
NASTY = [
    {"title": f"/{LONG} /{LONG} /{LONG}", "subtitle": f"/{LONG} /{LONG} /{LONG}", "detail": "98.6 %"},
    {"title": "Short", "badge": "waiting-for-review-of-somebody-else"},
    {"title": "Both of them, and a title that needs its room", "badge": "needs-triage-by-the-team", "detail": "12,345,678.90 EUR"},
    {"title": "1234567890123456789012345678901234567890", "time": 3},
    {"title": "https://example.com/a/very/long/path?with=many&arguments=that&nobody=reads#and-a-fragment", "link": "/#x"},
    {"title": "", "subtitle": "A row without a title"},
    {"title": "هذا عنوان عربي طويل جدًا في قائمة تُقرأ من اليسار إلى اليمين، وفيه ما يكفي من الكلمات لأكثر من سطر", "badge": "٣"},
    {"title": "👩‍👩‍👧‍👦👩🏽‍🚀🏳️‍🌈 Emoji of several parts", "subtitle": "🇩🇪🇫🇷🇯🇵", "time": 60},
    {"title": "A picture that is not there", "image": "/lists", "time": 9},
    {"title": "Prose", "detail": "All were there; the tables were agreed on, the tea was praised at length, and nobody left before nine. " * 3},
    {"title": "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz", "subtitle": "x" * 200, "time": 2000},
]

# What stands still can be looked at: while `isStill`, no timer of 100 ms or more runs down, and `heard` takes each frame of
# the server and gives what the page is to hear of it, or null.
STAGING = """(() => {
    if (window.heard) return;
    window.heard = frame => frame;
    window.isStill = false;
    const { get } = Object.getOwnPropertyDescriptor(MessageEvent.prototype, 'data');
    Object.defineProperty(MessageEvent.prototype, 'data', { get() {
        const data = get.call(this);
        return this.target instanceof WebSocket ? JSON.stringify(window.heard(JSON.parse(data)) ?? { type: 'held' }) : data;
    } });
    const { setTimeout: set, clearTimeout: clear } = window;
    const off = new Set();
    window.setTimeout = (work, delay, ...given) => {
        if (!(delay >= 100)) return set(work, delay, ...given);
        const look = () => {
            if (off.delete(id)) return;
            if (window.isStill) set(look, 50);
            else work(...given);
        };
        const id = set(look, delay);
        return id;
    };
    window.clearTimeout = id => { off.add(id); clear(id); };
})()"""

LIST = "document.querySelector('refreshable-list')"
# Of pulls, in px of travel: half way, and past the threshold.
HALF, FAR = 95, 190
SCENES = []


def scene(function):
    """Marks a function that brings the page to one state after another, and yields the name of each."""
    SCENES.append(function)
    return function


class World:
    """A server of lists that load when they are let, fail when they are told to, and can be cut off."""

    def __init__(self, stage):
        self.stage, self.folder = stage, stage.folder
        self.server = stage.serve(list(self._lists()))
        self.wire = Wire(self.server)
        self.url = self.wire.url

    @contextlib.contextmanager
    def sign(self, name):
        """While it stands: `gate` holds every run up, `broken` fails it, `newer` gives it rows more."""
        (self.folder / name).touch()
        try:
            yield
        finally:
            (self.folder / name).unlink()

    def refresh(self, name):
        """As somebody else would, who is waited for."""
        origin = "{0.scheme}://{0.netloc}".format(urlsplit(self.server))
        urlopen(Request(f"{origin}/lists/{name}/refresh", b"", {"Origin": origin})).read()

    def _lists(self):
        gate = f"while test -e '{self.folder}/gate'; do sleep 0.05; done"
        broken = f"test -e '{self.folder}/broken' && {{ echo 'The printer is out of paper. Fill it, then try again.' >&2; exit 1; }}"
        newer = f"test -e '{self.folder}/newer' && printf 'new%s\\tA commit that was not there before\\tRadia\\n' 1 2"
        commits = "\n".join(
            f"{number}\t{title}\t{who}\t$(date -d '{when}' --iso-8601=seconds)\t{badge}\t{'/#' if isLink else ''}"
            for number, (title, who, when, badge, isLink) in enumerate(COMMITS)
        )
        slow = f"{gate}; {broken}; {newer}; cat <<END\n{commits}\nEND"
        for name, title in {"default": "Commits", "circular": "Reviews", "simple": "Releases"}.items():
            columns = ("title", "subtitle", "time", "badge", "link")
            yield tsv(name, slow, columns, deadline="none", title=title, pull={"indicator": name})
        yield tsv("long", f"test -e '{self.folder}/newer' && echo 'x\tNewer'; seq 60 | sed 's/.*/&\tRow &/'", title="Log")
        yield tsv("endless", "seq 3000 | sed 's/.*/&\tRow &\tOne of three thousand/'", ("title", "subtitle"), title="Everything")
        yield tsv("short", f"{gate}; {broken}; printf 'a\\tAlpha\\nb\\tBeta\\n'", deadline="none", title="Letters")
        for name, rows in {"news": NEWS, "nasty": NASTY}.items():
            lines = "\n".join(self._dated(rows))
            yield {"name": name, "command": f"{gate}; cat <<'END'\n{lines}\nEND", "format": "jsonl"}
        yield {"name": "mailbox", "demo": "mailbox"}
        yield tsv("empty", "true", title="Notes")
        yield tsv("failing", f"{broken}; sleep 1; exit 1", deadline="1s", title="Paper trail")
        yield tsv("first", f"{gate}; echo 'a\tAlpha'", title="Numbers")

    @staticmethod
    def _dated(rows):
        now = datetime.now().astimezone()
        for number, row in enumerate(rows):
            time = {"time": (now - timedelta(minutes=row["time"])).isoformat()} if "time" in row else {}
            yield json.dumps({"key": str(number), **row, **time})


class Actor:
    """Whoever walks a page through the scenes."""

    def __init__(self, page, world, size):
        self.page, self.world = page, world
        self.width, self.height = size
        # Beside the directory, where there is room for both, on either side.
        self.x, self.y = (195, 260) if self.width < 800 else (self.width // 2, 260)

    def open(self, name="", script="null"):
        """Opens a list on a fresh page and waits until it is at rest."""
        self.page.open(self.world.url)
        self.page.evaluate(STAGING)
        self.page.evaluate(script)
        if name:
            self.visit(name)

    def visit(self, name):
        self.go(name)
        self.wait_for(f"{LIST}?.dataset.name === '{name}' && {LIST}.phase === 'waiting' && !({self.seen('skeleton')})")
        self.rest(0.45)

    def go(self, name):
        self.page.evaluate(f"void (location.hash = '{name}')")

    def wait_for(self, condition, seconds=15):
        deadline = time.monotonic() + seconds
        while not self.page.evaluate(f"Boolean({condition})"):
            if time.monotonic() > deadline:
                raise AssertionError(f"not true after {seconds} s: {condition}")
            self.rest(0.03)

    def phase(self, phase):
        self.wait_for(f"{LIST}.phase === '{phase}'")

    @staticmethod
    def rest(seconds=0.4):
        time.sleep(seconds)

    def tell(self, **given):
        """Of the staging: what is heard, as a function's text, and whether time stands still."""
        for name, value in given.items():
            self.page.evaluate(f"void (window.{name} = {value})")

    @staticmethod
    def part(name):
        return f"{LIST}.shadowRoot.querySelector('[part~={name}]')"

    def seen(self, name):
        """Whether a part is to be seen, as an expression."""
        return f"(part => part?.getClientRects().length > 0 && getComputedStyle(part).visibility === 'visible')({self.part(name)})"

    def press(self, name):
        self.page.evaluate(f"{self.part(name)}.click()")

    def down(self, travel):
        self.page.finger.down(self.x, self.y)
        self.further(travel)

    def further(self, travel):
        self.page.finger.move(self.x, self.y + travel)
        # Where there is much to do a page hears of a finger later.
        progress = f"{self.part('indicator')}.style.getPropertyValue('--pull-progress')"
        self.wait_for(f"{progress} {'>= 1' if travel == FAR else '> 0'}")
        self.rest()

    def up(self):
        self.page.finger.up()

    def pull(self):
        self.down(FAR)
        self.up()

    def enlarge(self):
        """Text twice as large, as people may want it."""
        self.page.evaluate("void (document.documentElement.style.fontSize = '200%')")
        self.rest()

    def loading(self, gesture=None):
        """A refresh that goes on until the gate opens."""
        (gesture or self.pull)()
        self.phase("loading")
        self.rest()

    def close(self):
        """From loading to its result, which is not taken back."""
        self.tell(heard="frame => frame.phase === 'waiting' ? null : frame", isStill="true")

    def closed(self):
        self.phase("closing")
        self.rest()


def phases(kind):
    def walk(actor):
        actor.open(kind)
        actor.down(HALF)
        yield f"pulling-{kind}"
        actor.further(FAR)
        yield f"primed-{kind}"
        with actor.world.sign("gate"):
            actor.loading(actor.up)
            yield f"loading-{kind}"
            actor.close()
        actor.closed()
        yield f"closing-good-{kind}"
        actor.open(kind)
        with actor.world.sign("broken"):
            actor.close()
            actor.pull()
            actor.closed()
            yield f"closing-bad-{kind}"
        actor.open("mailbox")
        actor.page.evaluate(f"void {LIST}.setAttribute('heading', 'Measured')")
        actor.tell(heard=MEASURED % kind)
        actor.go("default")
        actor.rest()
        actor.visit("mailbox")
        actor.pull()
        actor.wait_for("window.isHeld")
        actor.rest()
        yield f"measured-{kind}"

    walk.__name__ = f"the_{kind}_indicator"
    return scene(walk)


# The indicator of that kind, and nothing of a run once it has told how far it is.
MEASURED = """frame => {
    if (frame.pull) return { ...frame, pull: { ...frame.pull, indicator: '%s' } };
    if (window.isHeld) return null;
    window.isHeld = frame.type === 'progress' && frame.completed > 0;
    return frame;
}"""

for kind in ("default", "simple", "circular"):
    phases(kind)


@scene
def behind(actor):
    """An indicator that stands still behind the content, and one of the page's own."""
    actor.open("default")
    actor.page.evaluate(f"void {LIST}.setAttribute('behind', '')")
    actor.down(HALF)
    yield "pulling-behind"
    actor.further(FAR)
    yield "primed-behind"
    with actor.world.sign("gate"):
        actor.loading(actor.up)
        yield "loading-behind"
    actor.phase("waiting")
    actor.page.evaluate(f"""{LIST}.append(Object.assign(document.createElement('strong'), {{ slot: 'indicator', textContent: 'A little further' }}))""")
    actor.down(FAR)
    yield "primed-custom"
    actor.up()


@scene
def unusual(actor):
    """A refresh that was cancelled, one that nobody answers, and one asked for further down."""
    actor.open("default")
    with actor.world.sign("gate"):
        actor.loading()
        actor.close()
        actor.press("cancel")
        actor.closed()
        yield "closing-cancelled"
    actor.open("default")
    actor.tell(heard="frame => null")
    actor.pull()
    actor.rest(1.4)
    yield "connecting"
    actor.rest(4)
    yield "kept"
    actor.open("long")
    actor.page.evaluate("scrollTo(0, 900)")
    with actor.world.sign("newer"):
        actor.world.refresh("long")
    actor.wait_for(f"{actor.seen('news')} && {LIST}.phase === 'waiting'")
    actor.rest()
    yield "pill"


@scene
def floating(actor):
    actor.open("default")
    with actor.world.sign("gate"):
        actor.loading(lambda: actor.page.evaluate(f"void {LIST}.refresh({{ quietly: true }})"))
        yield "loading-floating"


@scene
def lists(actor):
    actor.open()
    for name in ("default", "mailbox", "news", "nasty"):
        actor.visit(name)
        yield f"list-{name}"
    actor.page.evaluate("void (document.documentElement.dir = 'rtl')")
    actor.rest()
    yield "list-from-right"
    actor.down(HALF)
    yield "pulling-from-right"
    actor.up()
    actor.open("default")
    actor.enlarge()
    yield "list-large-text"
    actor.down(FAR)
    yield "primed-large-text"
    actor.page.finger.move(actor.x, actor.y)
    actor.up()
    actor.open("empty")
    yield "empty"
    actor.go("")
    actor.rest(0.7)
    yield "directory"
    actor.go("nowhere")
    actor.wait_for(actor.seen("error"))
    actor.rest()
    yield "unknown"


@scene
def first_load(actor):
    actor.open()
    with actor.world.sign("gate"):
        actor.go("first")
        actor.phase("loading")
        actor.rest()
        yield "first-load"
    with actor.world.sign("broken"):
        actor.visit("failing")
        yield "first-load-failed"
    # A desk has opened it first, and what failed the other may have failed it too.
    actor.world.refresh("default")
    actor.visit("default")
    with actor.world.sign("broken"):
        actor.pull()
        actor.wait_for(f"{actor.seen('error')} && {LIST}.phase === 'waiting'")
        actor.rest(0.8)
        yield "error"
    actor.open("short", """void (heard = frame => 'refreshable' in frame ? { ...frame, refreshable: false } : frame)""")
    yield "no-action"


@scene
def offline(actor):
    actor.open("default")
    actor.world.wire.cut()
    actor.wait_for(f"{LIST}.hasAttribute('stale')")
    actor.rest()
    yield "offline"
    actor.world.wire.mend()


@scene
def more(actor):
    actor.open("mailbox")
    end = f"{actor.part('more')}.scrollIntoView({{ block: 'end' }})"
    actor.page.evaluate(end)
    yield "more"
    actor.tell(heard="frame => null")
    actor.page.evaluate(f"{actor.part('more')}.querySelector('button').click()")
    actor.rest()
    yield "more-loading"
    for name, last in {
        "failed": "{ ...frame.last, outcome: 'failure', error: { code: 'internal', message: 'No mail today.' } }",
        "exhausted": "frame.last",
    }.items():
        actor.open("mailbox")
        actor.tell(heard=f"frame => frame.last?.cause === 'more' ? {{ ...frame, more: undefined, last: {last} }} : frame")
        actor.page.evaluate(f"{actor.part('more')}.querySelector('button').click()")
        actor.wait_for(f"{actor.part('more')}.dataset.state === '{name}'")
        actor.page.evaluate(end)
        actor.rest()
        yield f"more-{name}"


@scene
def long_list(actor):
    """A list of which few rows are in the document: in its midst, at its end, what is found in it, and where rows are late."""
    actor.open("endless")
    yield "long"
    row = LIST + ".shadowRoot.querySelector('[data-key=\"{}\"]')"
    for place, key, share in (("midst", 1500, 0.5), ("end", 3000, 1)):
        actor.page.evaluate(f"scrollTo(0, document.documentElement.scrollHeight * {share})")
        actor.wait_for(row.format(key))
        actor.rest()
        yield f"long-{place}"
    for name, words, sign in (("found", "row%2059", row.format(59)), ("nothing-found", "nobody", "!" + row.format(59))):
        actor.go(f"endless?find={words}")
        actor.wait_for(sign)
        actor.rest()
        yield f"long-{name}"
    actor.open("endless")
    actor.tell(heard="frame => null")
    actor.page.evaluate("scrollTo(0, document.documentElement.scrollHeight * 0.4)")
    actor.rest()
    yield "long-late"


@scene
def handler(actor):
    """Without a list of the server: the page's own content, and its own way to refresh it."""
    actor.open("default")
    actor.page.evaluate(f"""void (list => {{
        const article = document.createElement('article');
        article.style.padding = '8px 16px';
        article.append(Object.assign(document.createElement('p'), {{ textContent: 'Anything at all can be refreshed.' }}));
        list.append(article);
        list.removeAttribute('src');
        list.setAttribute('heading', 'Mine');
        list.handler = ({{ progress }}) => new Promise(resolve => {{ list.finish = resolve; progress(3, 4, 'nearly'); }});
    }})({LIST})""")
    actor.wait_for(f"{LIST}.refreshable")
    actor.rest()
    yield "handler"
    actor.loading()
    yield "loading-handler"
    actor.page.evaluate(f"void {LIST}.finish()")
    actor.phase("waiting")
