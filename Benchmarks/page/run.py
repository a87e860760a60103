#!/usr/bin/env python3
"""Measures what the page costs a slow phone: Chromium with its processor slowed down four times.

    python Benchmarks/page/run.py                     five runs of each, as a table; medians, and the least and most
    python Benchmarks/page/run.py --runs 3 patch      only the rows whose name has one of these words

What a pull costs is timed at full speed and multiplied: Chromium's throttle stops the thread for 0.7 ms at a time, so that
of a listener that takes 0.05 ms the 95th percentile would be 0.7, whatever it does. What is opened over a slow network is timed
at full speed, too, so that it tells of the network. All else runs slowed down.

Needs a built `refreshable`, Chromium, and the Python package websockets (Scripts/setup integration browser).
"""

import argparse
import shutil
import sys
import time
from functools import partial
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Browser"))

import harness
import sizes
from browser import Browser
from timeline import percentile

SLOWER = 4
# What a wheel scrolls at once, and what the fastest fling does in a sixtieth of a second: 8,000 px/s are the most that
# Android gives one (ViewConfiguration, MAXIMUM_FLING_VELOCITY). px
TURN, FLING = 600, 8000 / 60
# The page keeps rows 2 s after they changed (offline-store.js); till that is over. s
KEPT = 4
LIST = "document.querySelector('refreshable-list')"
DRAWN = f"({LIST}?.shadowRoot.querySelectorAll('li').length ?? 0)"
SETTLED = f"{LIST}.shadowRoot.querySelector('[part=rows]').ariaBusy !== 'true'"
SHIFTS = """(() => {
    window.shift = 0;
    new PerformanceObserver(list => { for (const entry of list.getEntries()) window.shift += entry.value; })
        .observe({ type: 'layout-shift' });
})()"""


class Measured:
    """A list of some rows, shown by a browser that has come to rest: all of them, or, of a long one, those near the view."""

    def __init__(self, browser, rows, rate=SLOWER, section=None, is_whole=True):
        self.browser, self.stage = browser, harness.Stage(None)
        self.file = self.stage.folder / "rows"
        self.write(range(rows))
        settings = {"section": section} if section else {}
        url = self.stage.serve([harness.tsv("list", f"cat '{self.file}'", ("title", "subtitle"), **settings)])
        browser.open("about:blank")
        browser.slow_down(1)
        browser.open(f"{url}#list")
        browser.wait_for(f"{LIST}?.refresh !== undefined")
        if is_whole:
            # However many.
            browser.evaluate(f"{LIST}.toggleAttribute('whole', true)")
        drawn = f"{DRAWN} === {rows}" if is_whole or rows <= 2000 else f"{DRAWN} > 0"
        browser.wait_for(f"{drawn} && {SETTLED} && {LIST}.phase === 'waiting'")
        time.sleep(1)
        browser.slow_down(rate)
        time.sleep(0.5)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.stage.__exit__(*failure)

    def write(self, keys, changed=frozenset()):
        # Rows of a section are side by side, whatever their keys are.
        lines = (f"{key}\tRow {key}{'!' * (key in changed)}\tWhat is said of it\tSection {place // 33}\n" for place, key in enumerate(keys))
        self.file.write_text("".join(lines))

    def refresh(self, rows):
        self.browser.evaluate(f"{LIST}.refresh().then(() => null)")
        self.browser.wait_for(f"{DRAWN} === {rows} && {SETTLED}")


def drag(browser, pulls=2):
    """Pulls of sixty moves, dragged back before they are let go. Each move waits for its frame, as those of a second do on
    a phone that draws sixty: this machine may draw half as many, and would put two into one."""
    def move():
        for _ in range(pulls):
            browser.touch("touchStart", 195, 220)
            for travel in [*range(0, 180, 6), *range(180, 8, -6)]:
                browser.touch("touchMove", 195, 220 + travel)
            browser.touch("touchEnd")
            time.sleep(0.5)

    return browser.watch(move)


def script(timeline, share=95):
    return SLOWER * percentile(timeline.script_while_moving, share)


def pull(browser, share=95):
    """A list of 1,000 rows, which was pulled before."""
    with Measured(browser, 1000, rate=1):
        drag(browser, pulls=1)
        return script(drag(browser), share)


def first_pull(browser):
    """Runs code that has never run, so it is the browser that takes most of the time: to compile it, to find what it names."""
    with Measured(browser, 1000, rate=1):
        return script(drag(browser, pulls=1))


def work(browser):
    """The frames in which the finger comes down, primes and goes up are the longest."""
    with Measured(browser, 1000, rate=1):
        return SLOWER * drag(browser).frames_of_work[-1]


def hear(browser):
    """A page that moves nothing and asks nobody: what is left of the time is the browser's and this machine's."""
    return bare(browser, "() => {}")


def follow(browser):
    """The least that a pull can be: a page that moves its content with the finger, and does nothing else."""
    return bare(browser, "y => { content.style.transform = `translateY(${y / 2}px)`; }")


def promise(browser, share=95):
    """What pages and their people are promised of each frame, and no more: the content and the indicator follow, a property
    tells how far, and so does an event; the server is told, here through a port. A pull that begins looks whether the list is
    at its top, and shows the indicator; another phase is an attribute, a text and an event. Nothing resists or is animated."""
    return bare(browser, """(() => {
        const { port1: server } = new MessageChannel();
        let phase = 'waiting', isBegun = false;
        document.addEventListener('touchend', () => { isBegun = false; indicator.hidden = true; });
        const tell = (type, detail) => {
            document.body.dispatchEvent(new CustomEvent(type, { detail }));
            server.postMessage(JSON.stringify({ type, list: 'rows', ...detail }));
        };
        return (y) => {
            const offset = Math.max(0, y - 220) / 2, progress = Math.min(1, offset / 64);
            if (!isBegun && document.scrollingElement.scrollTop > 0) return;
            if (!isBegun) indicator.hidden = false;
            isBegun = true;
            content.style.transform = `translateY(${offset}px)`;
            indicator.style.transform = `translateY(${offset / 2}px)`;
            indicator.style.setProperty('--pull-progress', progress.toFixed(2));
            tell('pull', { gesture: 1, offset, progress });
            const to = progress === 1 ? 'primed' : 'waiting';
            if (to === phase) return;
            document.body.setAttribute('phase', to);
            indicator.textContent = to;
            tell('phasechange', { from: phase, to });
            phase = to;
        };
    })()""", share)


def bare(browser, moved, share=95):
    """A page without us, that calls `moved` with where the finger is. px"""
    browser.open("about:blank")
    browser.evaluate(f"""(() => {{
        const [content, indicator] = ['p', 'p'].map(name => document.body.appendChild(document.createElement(name)));
        content.style.blockSize = '3000px';
        const moved = {moved};
        document.addEventListener('touchmove', event => {{
            event.preventDefault();
            moved(event.touches[0].clientY);
        }}, {{ passive: false }});
    }})()""")
    time.sleep(0.5)
    return script(drag(browser), share)


def pull_to_promise(browser):
    return pull(browser) / promise(browser)


def median_pull_to_promise(browser):
    """Of most frames: those in which a phase changes, and those in which the browser compiles or collects, are in the tail."""
    return pull(browser, 50) / promise(browser, 50)


def promise_to_itself(browser):
    """What the machine alone makes of a ratio."""
    return promise(browser) / promise(browser)


def patch(browser, section=None):
    """2,000 rows come, 2,000 change and 1,000 go, spread over a list of 10,000, which is kept then for the next visit."""
    with Measured(browser, 10_000, section=section) as measured:
        keys = [key for key in range(10_000) if key % 10]
        come = [key for place, old in enumerate(keys) for key in ([old, 20_000 + place] if place % 9 in (0, 5) else [old])]
        measured.write(come, set(keys[::4]))

        def refresh():
            measured.refresh(len(come))
            time.sleep(KEPT)

        return browser.watch(refresh).tasks[-1]


def scroll(browser, section=None):
    """A wheel turns sixty times a second, faster than any finger flings, till the last of 10,000 rows is in view."""
    with Measured(browser, 10_000, section=section):
        def turn():
            turns(browser, browser.evaluate("document.documentElement.scrollHeight") // TURN, TURN)
            browser.wait_for("scrollY + innerHeight > document.documentElement.scrollHeight - 2 * innerHeight")

        return browser.watch(turn).tasks[-1]


def fling(browser, section=None):
    """A list of 10,000 rows glides for ten seconds: as many flings in a row, none of which loses speed."""
    with Measured(browser, 10_000, section=section):
        def glide():
            turns(browser, 600, FLING)
            browser.wait_for("scrollY > 60_000")

        return browser.watch(glide).tasks[-1]


def glide(browser, rows):
    """The fastest fling through a list, of which, if it is long, those rows near the view are in the document."""
    with Measured(browser, rows, is_whole=False):
        timeline = browser.watch(lambda: turns(browser, 400, FLING))
        assert browser.evaluate("scrollY") > 40_000
        return timeline


def glide_to_thousand(browser, measure):
    """Beside 1,000 rows, all of which are drawn before: one right after the other."""
    return measure(glide(browser, 100_000)) / measure(glide(browser, 1000))


def fewer_frames(browser):
    """Percent of the frames that a list of 1,000 rows shows."""
    return 100 * (1 - glide_to_thousand(browser, lambda timeline: len(timeline.frames)))


def heap(browser):
    """What the page holds of a list of 100,000 rows, all parts of which it was scrolled to."""
    with Measured(browser, 100_000, rate=1, is_whole=False):
        for part in range(200):
            browser.evaluate(f"scrollTo(0, document.documentElement.scrollHeight * {part / 200})")
            time.sleep(0.05)
        browser.ask("HeapProfiler.collectGarbage")
        return browser.ask("Runtime.getHeapUsage")["usedSize"] / 1e6


def turns(browser, count, distance):
    """Turns a wheel sixty times a second."""
    begun = time.monotonic()
    for number in range(1, count + 1):
        browser.wheel(195, 400, distance)
        time.sleep(max(0, begun + number / 60 - time.monotonic()))


def shift(browser):
    """500 rows come above the view of somebody who reads in the middle of 1,000."""
    with Measured(browser, 1000) as measured:
        browser.evaluate("scrollTo(0, 20000)")
        time.sleep(0.5)
        browser.evaluate(SHIFTS)
        measured.write([*range(5000, 5500), *range(1000)])
        measured.refresh(1500)
        time.sleep(1)
        return browser.evaluate("window.shift")


# A phone far away: ms there and back, and bytes a second. Each file is asked for by a request of HTTP/1.1 of its own.
FAR_AWAY = {"offline": False, "latency": 100, "downloadThroughput": 1_600_000 / 8, "uploadThroughput": 750_000 / 8}
# Notes when the first row is there, and when the list hears fingers.
NOTES = """(() => {
    window.notes = {};
    const { addEventListener } = EventTarget.prototype;
    let isHeard = false;
    EventTarget.prototype.addEventListener = function (type, listener, options) {
        if (type === 'touchstart' && options?.passive === false && this.localName === 'refreshable-list') isHeard = true;
        addEventListener.call(this, type, listener, options);
    };
    const look = () => {
        const list = document.querySelector('refreshable-list');
        if (list?.shadowRoot?.querySelector('li')) window.notes.row ??= performance.now();
        if (isHeard && list.refreshable) window.notes.pull ??= performance.now();
        setTimeout(look, 5);
    };
    look();
})()"""


def opened(browser, note):
    """Milliseconds until something noted, of a page that a browser far away opens for the first time."""
    with harness.Stage(None) as stage:
        url = stage.serve([harness.tsv("list", "seq 40 | sed 's/.*/&\\tRow &/'")])
        browser.ask("Page.enable")
        browser.ask("Network.enable")
        browser.ask("Network.emulateNetworkConditions", **FAR_AWAY)
        browser.ask("Page.addScriptToEvaluateOnNewDocument", source=NOTES)
        browser.open(f"{url}#list")
        browser.wait_for(f"window.notes?.{note}")
        return browser.evaluate(f"window.notes.{note}")


def first_row(browser):
    return opened(browser, "row")


def pull_possible(browser):
    return opened(browser, "pull")


MEASURES = [
    ("script per frame while pulling, 1,000 rows, 95th percentile", "ms", None, pull),
    ("the same of the first pull after the page was opened", "ms", None, first_pull),
    ("the same of a page that only receives the touches", "ms", None, hear),
    ("the same of a page that only moves its content with the finger", "ms", None, follow),
    ("the same of one that does what each frame was promised to", "ms", None, promise),
    ("the first as a multiple of that, one right after the other", "×", 1.3, pull_to_promise),
    ("the same of the medians: of frames that only follow the finger", "×", 1.3, median_pull_to_promise),
    ("that page as a multiple of itself, one right after the other", "×", None, promise_to_itself),
    ("longest frame of a pull: script, style, layout, paint", "ms", 16.7, work),
    ("longest task of a patch of 5,000 rows, 10,000 rows", "ms", 50, patch),
    ("longest task of the fastest fling in a list of 10,000 rows", "ms", 50, fling),
    ("longest task of scrolling through 10,000 rows, 36,000 px a second", "ms", 50, scroll),
    ("the same fling in a list of 100,000 rows, some of which are drawn", "ms", 50, lambda browser: glide(browser, 100_000).tasks[-1]),
    ("its longest task as a multiple of that of 1,000 rows", "×", None, partial(glide_to_thousand, measure=lambda timeline: timeline.tasks[-1])),
    ("frames that it shows fewer than a list of 1,000 rows does", "%", 15, fewer_frames),
    ("heap of a page that looked all through 100,000 rows", "MB", 30, heap),
    ("the same patch in 300 sections, most rows of which go to another", "ms", None, partial(patch, section=4)),
    ("the same fling in 300 sections", "ms", 50, partial(fling, section=4)),
    ("the same scroll in 300 sections", "ms", None, partial(scroll, section=4)),
    ("till the first row, opened at 100 ms and 1.6 Mbit/s", "ms", None, first_row),
    ("till it can be pulled, opened at 100 ms and 1.6 Mbit/s", "ms", None, pull_possible),
    ("layout shift when 500 rows come above the view", "", 0, shift),
]


def measure(function, chromium, runs):
    values = []
    for _ in range(runs):
        browser = Browser(chromium)
        try:
            values.append(function(browser))
        finally:
            browser.close()
    return values


def main(given):
    line = "{:<68} {:>9} {:>7}  {}"
    print(line.format("", "measured", "bar", f"least…most of {given.runs}"))
    for name, unit, bar, function in MEASURES:
        if given.words and not any(word in name for word in given.words):
            continue
        values = measure(function, given.chromium, given.runs)
        spread = f"{min(values):.2f}…{max(values):.2f}"
        print(line.format(name, f"{median(values):.2f} {unit}".strip(), "" if bar is None else f"{bar} {unit}".strip(), spread), flush=True)
    for name, size, bar in sizes.table():
        print(line.format(name, f"{size / 1000:.1f} KB", f"{bar / 1000:g} KB" if bar else "", ""))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=ROOT / ".build/debug/refreshable")
    parser.add_argument("--chromium", default=next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--public", type=Path, metavar="FOLDER", help="the page in a folder, not the one in the binary")
    parser.add_argument("words", nargs="*")
    arguments = parser.parse_args()
    if not arguments.chromium:
        sys.exit("No Chromium was found. Install the package chromium, or name one with --chromium PATH.")
    harness.BINARY, harness.PAGE = arguments.binary.resolve(), arguments.public
    main(arguments)
