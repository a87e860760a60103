#!/usr/bin/env python3
"""Records one pull on a phone and a second phone that follows, as the animation of the README.

    python Tests/Browser/animation.py Documentation/pull.webp --binary .build/debug/refreshable

A server serves a list to two pages of a real Chromium. A touch pulls one of them down. Both pages are recorded at the
same time, and drawn into the frames of two phones. `--frames FOLDER` also keeps each picture of the animation.
"""

import argparse
import base64
import io
import os
import shutil
import sys
import time
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import sync_playwright

import harness
from run import CHROMIUMS

PICTURES_PER_SECOND = 20
WIDTH, HEIGHT = 340, 510
PHONE = {"viewport": {"width": WIDTH, "height": HEIGHT}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
# Of the animation: how large a CSS pixel of the pages becomes, and the sizes of a phone's frame in CSS pixels.
SCALE = 1.1
BEZEL, CORNER, GAP = 10, 34, 36
LIMIT = 400_000
# Where Scripts/setup unpacks the font: fontconfig looks into the folder `fonts` of this one.
FONTS = Path(__file__).resolve().parents[2] / ".build/unpacked/fonts-inter/usr/share"

# Departures of a station: time, place, platform, and the badge before and after the refresh. None: the row is not there.
TRAINS = [
    ("9:04", "Harbour", 2, "boarding", "boarding"),
    ("9:12", "North Bridge", 1, "on time", "+6 min"),
    ("9:15", "Airport Express", 3, None, "extra"),
    ("9:21", "Old Town", 4, "on time", "on time"),
    ("9:30", "Lakeside", 2, "+3 min", "on time"),
]

# Shows a touch where the page is touched.
FINGER = """(() => {
    const finger = document.createElement('div');
    Object.assign(finger.style, { position: 'fixed', zIndex: 9999, width: '44px', height: '44px', margin: '-22px 0 0 -22px',
        borderRadius: '50%', background: 'rgb(60 70 80 / .35)', border: '2px solid rgb(255 255 255 / .8)',
        boxSizing: 'border-box', pointerEvents: 'none', opacity: 0, transition: 'opacity .15s' });
    document.body.append(finger);
    const show = ({ touches: [touch] }) => {
        finger.style.opacity = touch ? 1 : 0;
        if (touch) Object.assign(finger.style, { left: `${touch.clientX}px`, top: `${touch.clientY}px` });
    };
    for (const type of ['touchstart', 'touchmove', 'touchend']) addEventListener(type, show, { capture: true, passive: true });
})()"""


def departures(folder):
    """A list whose first run prints the rows of before, and each later run those of after, one at a time."""

    def rows(run):
        for time, place, platform, *badges in TRAINS:
            if badges[run]:
                yield f"printf '{time}\\t{place}\\t{time} · platform {platform}\\t{badges[run]}\\n'"

    before, after = "; ".join(rows(0)), "; sleep 0.35; ".join(rows(1))
    command = f"if test -e '{folder}/opened'; then sleep 0.3; {after}; sleep 0.6; else touch '{folder}/opened'; {before}; fi"
    return harness.tsv("departures", command, ("title", "subtitle", "badge"), mode="stream")


class Recording:
    """What a page has painted, each picture with its time."""

    def __init__(self, page):
        self.pictures = []
        self.session = page.context.new_cdp_session(page)
        self.session.on("Page.screencastFrame", self._take)

    def start(self):
        self.session.send("Page.startScreencast", {"format": "png", "everyNthFrame": 1})

    def stop(self):
        self.session.send("Page.stopScreencast")

    def _take(self, frame):
        self.pictures.append((frame["metadata"]["timestamp"], frame["data"]))
        self.session.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

    def at(self, moment):
        """What was to be seen then."""
        seen = [data for when, data in self.pictures if when <= moment]
        return seen[-1] if seen else self.pictures[0][1]


def perform(puller, follower):
    """One pull, from rest to rest; gives when it began and when it was over."""
    began = time.time()
    puller.rest(500)
    puller.finger.down(WIDTH / 2, 210)
    puller.rest(250)
    puller.finger.move(190, steps=16, pause=10)
    puller.rest(450)
    puller.finger.up()
    follower.wait_for_phase("loading")
    for shown in (puller, follower):
        shown.wait_for_phase("waiting")
    puller.rest(1700)
    return began, time.time()


def record(browser):
    """Both pages' pictures, as [(left, right)]."""
    with harness.Stage(browser) as stage:
        url = f"{stage.serve([departures(stage.folder)])}#departures"
        follower = stage.open(url, PHONE, color_scheme="dark")
        puller = stage.open(url, PHONE, color_scheme="light")
        puller.page.evaluate(FINGER)
        recordings = [Recording(shown.page) for shown in (puller, follower)]
        for recording in recordings:
            recording.start()
        puller.rest(500)
        began, ended = perform(puller, follower)
        for recording in recordings:
            recording.stop()
        print(f"recorded {ended - began:.1f} s: {', '.join(str(len(recording.pictures)) for recording in recordings)} pictures")
        moments = [began + number / PICTURES_PER_SECOND for number in range(int((ended - began) * PICTURES_PER_SECOND))]
        return [tuple(recording.at(moment) for recording in recordings) for moment in moments]


def pixels(length):
    return round(length * SCALE)


def rounded(size, corner):
    """A rectangle with round corners, drawn large so that its edge is smooth."""
    large = Image.new("L", (size[0] * 4, size[1] * 4))
    ImageDraw.Draw(large).rounded_rectangle((0, 0, large.width - 1, large.height - 1), corner * 4, fill=255)
    return large.resize(size, Image.Resampling.LANCZOS)


class Phones:
    """Two phones beside each other. What is around them is transparent, so that they fit a light page and a dark one."""

    def __init__(self):
        self.screen = (pixels(WIDTH), pixels(HEIGHT))
        self.body = (pixels(WIDTH + 2 * BEZEL), pixels(HEIGHT + 2 * BEZEL))
        self.glass = rounded(self.screen, pixels(CORNER - BEZEL))
        self.empty = Image.new("RGBA", (2 * self.body[0] + pixels(GAP), self.body[1]))
        self.places = [0, self.body[0] + pixels(GAP)]
        rim = rounded(self.body, pixels(CORNER))
        inner = (self.body[0] - pixels(4), self.body[1] - pixels(4))
        for x in self.places:
            self.empty.paste((122, 130, 138, 255), (x, 0), rim)
            self.empty.paste((20, 23, 26, 255), (x + pixels(2), pixels(2)), rounded(inner, pixels(CORNER - 2)))

    def show(self, screens):
        picture = self.empty.copy()
        for x, data in zip(self.places, screens):
            screen = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB").resize(self.screen, Image.Resampling.LANCZOS)
            picture.paste(screen, (x + pixels(BEZEL), pixels(BEZEL)), self.glass)
        return picture


def compose(screens):
    """The pictures of the animation, and how many ms each is shown."""
    phones, pictures, durations, last = Phones(), [], [], None
    for pair in screens:
        if pair == last:
            durations[-1] += 1000 // PICTURES_PER_SECOND
        else:
            pictures.append(phones.show(pair))
            durations.append(1000 // PICTURES_PER_SECOND)
        last = pair
    return pictures, durations


def main(arguments):
    path = arguments.chromium or next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if not path:
        sys.exit("No Chromium was found. Install the package chromium, or name one with --chromium PATH.")
    with sync_playwright() as playwright:
        environment = {**os.environ, "XDG_DATA_HOME": str(FONTS)}
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"], env=environment)
        screens = record(browser)
        browser.close()
    pictures, durations = compose(screens)
    # Below a quality of 70, libwebp takes the list and its background for one colour, and leaves traces of moving rows.
    pictures[0].save(
        arguments.file, save_all=True, append_images=pictures[1:], duration=durations, loop=0,
        quality=arguments.quality, method=4, minimize_size=True,
    )  # fmt: skip
    if arguments.frames:
        arguments.frames.mkdir(parents=True, exist_ok=True)
        moment = 0
        for picture, duration in zip(pictures, durations):
            picture.save(arguments.frames / f"{moment:05}.png")
            moment += duration
    size = arguments.file.stat().st_size
    print(f"{arguments.file}: {pictures[0].width} × {pictures[0].height}, {len(pictures)} pictures, {size / 1000:.0f} kB")
    if size > LIMIT:
        sys.exit(f"{arguments.file} is larger than {LIMIT // 1000} kB. Record it again, or choose a --quality below {arguments.quality}.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--binary", type=Path, default=Path(".build/debug/refreshable"))
    parser.add_argument("--chromium", metavar="PATH")
    parser.add_argument("--frames", type=Path, metavar="FOLDER")
    parser.add_argument("--quality", type=int, default=70, metavar="0-100")
    given = parser.parse_args()
    harness.BINARY = given.binary.resolve()
    main(given)
