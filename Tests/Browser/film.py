#!/usr/bin/env python3
"""Films a pull, and an action on a row: its frames as one strip, each with its time, and how long each way takes, beside iOS.

    python Tests/Browser/film.py FOLDER --binary .build/debug/refreshable            every scene
    python Tests/Browser/film.py FOLDER pull --binary .build/debug/refreshable       one of them: pull, offline, action

Frames are what Chromium painted, in its own time: on a busy machine there are fewer. The times in the table are those of
the animations that the page began, which need no machine to be quick.
"""

import argparse
import base64
import io
import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import sync_playwright

import harness
from animation import FINGER, Recording
from proxy import Wire
from run import chromium

WIDTH, HEIGHT = 340, 560
PHONE = {"viewport": {"width": WIDTH, "height": HEIGHT}, "has_touch": True, "is_mobile": True, "device_scale_factor": 1}
# Of a strip: how many frames at most, how many beside each other, and the room around them. px
FRAMES, COLUMNS, MARGIN, LABEL = 36, 9, 10, 24
# How near is there: what nobody sees as a way any more. px
NEAR = 1
SCENES = {}
# What a scene's list has besides.
MORE = {"action": {"actions": [{"title": "Archive", "effect": "remove"}, {"title": "Flag", "effect": {"badge": "!"}}]}}

# Notes what happens to the list, each with its time in ms since 1970, and each way of the content with its keyframes.
NOTES = """(() => {
    const list = document.querySelector('refreshable-list');
    const content = list.shadowRoot.querySelector('[part=content]');
    const { animate } = Element.prototype;
    const y = transform => new DOMMatrix(transform).f;
    window.notes = [];
    const note = (what, more = {}) => notes.push({ what, at: performance.timeOrigin + performance.now(), ...more });
    content.animate = (frames, options) => {
        note('way', { way: frames.map(({ transform }) => y(transform)), duration: options.duration });
        return animate.call(content, frames, options);
    };
    for (const type of ['touchstart', 'touchend']) addEventListener(type, () => note(type), { capture: true, passive: true });
    list.addEventListener('phasechange', ({ detail }) => note(detail.to));
    for (const type of ['act', 'acted']) list.addEventListener(type, ({ detail }) => note(`${type}${detail.isUndo ? ' undo' : ''}`));
})()"""


def scene(function):
    """Marks a function that performs something on an opened page; what it shows is filmed under its name."""
    SCENES[function.__name__] = function
    return function


def drag(shown):
    shown.finger.down(WIDTH / 2, 200)
    shown.finger.move(170, steps=20, pause=16)
    shown.rest(150)
    shown.finger.up()


@scene
def pull(shown, _):
    """A pull that brings a new row."""
    drag(shown)
    shown.wait_for_phase("loading")
    shown.wait_for_phase("waiting")
    shown.rest(1400)


@scene
def offline(shown, wire):
    """A pull while the server can't be reached, which comes back later."""
    wire.cut()
    shown.rest(1500)
    drag(shown)
    shown.rest(2600)
    wire.mend()
    shown.wait_for_trace("waiting")
    shown.rest(3000)


@scene
def action(shown, _):
    """A swipe all the way over a row, which is archived by that, and then undone."""
    shown.list.locator("[part=actions]").first.wait_for()
    box = shown.list.locator("[data-key='2']").bounding_box()
    shown.finger.down(WIDTH - 50, box["y"] + box["height"] / 2)
    shown.finger.move(0, -250, steps=20, pause=16)
    shown.finger.up()
    shown.list.locator("[part=undo]").wait_for()
    shown.rest(900)
    shown.list.locator("[part=undo]").click()
    shown.page.wait_for_function("() => notes.some(({ what }) => what === 'acted undo')")
    shown.rest(900)


def perform(browser, name):
    """The scene's pictures as [(seconds since 1970, PNG)], and what was noted."""
    with harness.Stage(browser) as stage:
        rows = "seq 7 | sed 's/.*/&\\tRow number &\\tIt was here before/'"
        new = f"test -e '{stage.folder}/ran' && {{ sleep 0.7; printf 'new\\tA new row\\tIt has just come\\n'; }}; touch '{stage.folder}/ran'; {rows}"
        wire = Wire(stage.serve([harness.tsv("list", new, ("title", "subtitle"), title="Orchard", **MORE.get(name, {}))]))
        shown = stage.open(f"{wire.url}#list", PHONE)
        for script in (FINGER, NOTES):
            shown.page.evaluate(script)
        recording = Recording(shown.page)
        recording.start()
        SCENES[name](shown, wire)
        recording.stop()
        return [(at, base64.b64decode(data)) for at, data in recording.pictures], shown.page.evaluate("notes")


def strip(pictures, zero):
    """The frames from when the finger comes down, in rows; below each its milliseconds since the finger went up."""
    # Of frames between which nothing happens to be seen, one.
    shown = [(at, data) for number, (at, data) in enumerate(pictures) if number == 0 or data != pictures[number - 1][1]]
    chosen = shown if len(shown) <= FRAMES else [shown[number * (len(shown) - 1) // (FRAMES - 1)] for number in range(FRAMES)]
    step = (WIDTH // 2 + MARGIN, HEIGHT // 2 + MARGIN + LABEL)
    columns = min(COLUMNS, len(chosen))
    sheet = Image.new("RGB", (MARGIN + columns * step[0], MARGIN + -(-len(chosen) // columns) * step[1]), (40, 42, 44))
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(15)
    for number, (at, data) in enumerate(chosen):
        x, y = MARGIN + number % columns * step[0], MARGIN + number // columns * step[1]
        frame = Image.open(io.BytesIO(data)).convert("RGB").resize((WIDTH // 2, HEIGHT // 2), Image.Resampling.LANCZOS)
        sheet.paste(frame, (x, y))
        draw.text((x, y + HEIGHT // 2 + 2), f"{(at - zero) * 1000:+.0f} ms", "white", font)
    return sheet


class Way:
    """One way that the content took by itself."""

    def __init__(self, note):
        self.began, self.duration, self.stations = note["at"], note["duration"], note["way"]
        self.start, self.goal = self.stations[0], self.stations[-1]

    @property
    def arrival(self):
        """Milliseconds until it is so near that nobody sees it move."""
        last = max((number for number, at in enumerate(self.stations) if abs(at - self.goal) > NEAR), default=-1)
        return (last + 1) * self.duration / (len(self.stations) - 1)

    @property
    def overshoot(self):
        """How far it goes beyond its goal: px."""
        beyond = 1 if self.goal > self.start else -1
        return max(0, *(beyond * (at - self.goal) for at in self.stations))


# What is published of iOS' own: Grant Paul's rubber band (2012); Ilya Lobanov, “How UIScrollView works” (2019), of whose spring
# (mass 1, stiffness 100, damping ratio 1) the 0.5 px that it takes for rest are reached from 80 px in 0.7 s.
IOS = [
    ("rubber band", "0.55, of 480…900 px", "0.55, of the scroll view's height"),
    ("spring, without overshoot", "ω = 25/s", "ω = 10/s"),
    ("a fling loses speed", "1/e in 325 ms", "0.998/ms: 1/e in 500 ms"),
]


def figures(notes):
    """Rows of the table: what, ours, and that of iOS where it is known."""
    at = {note["what"]: note["at"] for note in reversed(notes)}
    if "act" in at:
        yield "release to the request, the row slid out", f"{at['act'] - at['touchend']:.0f} ms", "about 0.3 s, not published"
        yield "request to the outcome, by loopback", f"{at['acted'] - at['act']:.0f} ms", "none: it has no server"
        yield "undo to its outcome", f"{at['acted undo'] - at['act undo']:.0f} ms", "none"
        return
    ways = [Way(note) for note in notes if note["what"] == "way"]
    after = lambda moment: next((way for way in ways if way.began >= moment - 1), None)
    released, ended = at["touchend"], at.get("closing")
    hold = after(released)
    yield "release to hold", f"{hold.duration} ms; within {NEAR} px in {hold.arrival:.0f}", "0.25…0.3 s (animated insets)"
    yield "  of it, before it begins to move", f"{hold.began - released:.0f} ms", "next frame"
    if ended and (rest := next((way for way in ways if way.began > ended and way.goal == 0), None)):
        yield "end of work to the way back", f"{rest.began - ended:.0f} ms, in which the result is read", "none: it has no result"
        yield "the way back to rest", f"{rest.duration} ms; within {NEAR} px in {rest.arrival:.0f}", "0.25…0.3 s"
    yield "overshoot", f"{max(way.overshoot for way in ways):.1f} px", "0 px (critically damped)"
    yield from IOS


def main(given):
    wrong = [name for name in given.scenes if name not in SCENES]
    if wrong:
        sys.exit(f"There is no scene {wrong[0]}. There are {', '.join(SCENES)}.")
    given.folder.mkdir(parents=True, exist_ok=True)
    line = "{:<34} {:<44} {}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(given.chromium), args=["--no-sandbox"])
        for name in given.scenes or SCENES:
            pictures, notes = perform(browser, name)
            moments = {note["what"]: note["at"] / 1000 for note in reversed(notes)}
            file = given.folder / f"{name}.png"
            strip([picture for picture in pictures if picture[0] >= moments["touchstart"] - 0.05], moments["touchend"]).save(file)
            print(f"{file}: {len(pictures)} frames\n" + line.format(name, "ours", "iOS, as published"))
            for row in figures(notes):
                print(line.format(*row).rstrip())
        browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("scenes", nargs="*", metavar="SCENE")
    parser.add_argument("--binary", type=Path, default=Path(".build/debug/refreshable"))
    parser.add_argument("--chromium", metavar="PATH")
    arguments = parser.parse_intermixed_args()
    harness.BINARY = arguments.binary.resolve()
    main(arguments)
