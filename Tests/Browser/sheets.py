#!/usr/bin/env python3
"""Draws contact sheets: every phase and view of the page on one picture for each width and variant, to be looked at.

    python Tests/Browser/sheets.py FOLDER --binary .build/debug/refreshable
    python Tests/Browser/sheets.py FOLDER 320 rtl        only sheets whose name has all of these words
    python Tests/Browser/sheets.py FOLDER --scene more   only that scene's pictures

Sheets are named WIDTH-VARIANT.png: light and dark at every width; on phones also letters of twice the size, and Arabic from
right to left. A server serves the lists, and a touch pulls them: nothing is drawn for the picture.
"""

import argparse
import contextlib
import io
import queue
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Error

import harness
import reading_scenes  # noqa: F401 (its scenes are among SCENES)
from harness import Stage
from page_driver import Still
from run import chromium, opened
from scenes import SCENES, Actor, World
from screenshots import FRAMES as SCREEN

# Of a window, by its width: px.
HEIGHTS = {320: 568, 390: 844, 820: 1180, 1280: 800}
PHONES = [320, 390]
# How wide a tile is, and how many are beside each other.
TILE, COLUMNS = {320: 320, 390: 390, 820: 410, 1280: 640}, {320: 8, 390: 7, 820: 6, 1280: 4}
MARGIN, LABEL = 14, 26


@dataclass
class Variant:
    """How people may have set their device, besides light and dark."""

    text: str = "100%"
    direction: str = "ltr"
    language: str = "en"

    @property
    def script(self):
        """Sets what the page says of itself before it is drawn."""
        return f"""document.addEventListener('readystatechange', () => {{
            Object.assign(document.documentElement, {{ dir: '{self.direction}', lang: '{self.language}' }}).style.fontSize = '{self.text}';
        }})"""


# What stands still is painted light and dark in one go.
VARIANTS = {("light", "dark"): Variant(), ("large",): Variant(text="200%"), ("rtl",): Variant(direction="rtl", language="ar")}


def walks(words):
    """Each width and variant, with the names of its sheets that are wanted."""
    for width in HEIGHTS:
        for names, variant in VARIANTS.items():
            wanted = [name for name in names if all(word in (str(width), name) for word in words)]
            if wanted and (width in PHONES or "light" in names):
                yield width, variant, wanted


def pictures(browser, width, variant, scene, names):
    """A scene's pictures, each as (name, PNG by name of the sheet); one that was not reached has none."""
    size = (width, HEIGHTS[width])
    device = {"viewport": {"width": width, "height": size[1]}, "has_touch": True, "is_mobile": width in PHONES}
    reached = scene.__name__
    with Stage(browser) as stage:
        page = stage.open("about:blank", device, script=variant.script).page
        driver = Still(harness.Shown(page, stage.folder))
        try:
            for reached in scene(Actor(driver, World(stage), size)):
                taken = {}
                for name in names:
                    driver.dark(name == "dark")
                    page.evaluate(SCREEN)
                    taken[name] = page.screenshot()
                yield reached, taken
        except (AssertionError, OSError, Error) as error:
            print(f"{width} {names[0]}: not reached after {reached}: {error}", flush=True)
            yield f"after {reached}: not reached", {}


def draw(path, width, variant, scenes, names, browsers):
    """All scenes' pictures in their order, from a few browsers at a time: most of the time is waited."""
    waiting, tiles = queue.SimpleQueue(), {}
    for scene in scenes:
        waiting.put(scene)

    def work():
        with opened(path) as browser, contextlib.suppress(queue.Empty):
            while True:
                scene = waiting.get_nowait()
                tiles[scene] = list(pictures(browser, width, variant, scene, names))

    workers = [threading.Thread(target=work) for _ in range(min(browsers, len(scenes)))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return [tile for scene in scenes for tile in tiles.get(scene, [])]


def compose(tiles, width):
    """One picture of them all, each with its name above."""
    tile = (TILE[width], round(HEIGHTS[width] * TILE[width] / width))
    columns = min(COLUMNS[width], len(tiles))
    rows = -(-len(tiles) // columns)
    step = (tile[0] + MARGIN, tile[1] + MARGIN + LABEL)
    sheet = Image.new("RGB", (MARGIN + columns * step[0], MARGIN + rows * step[1]), (128, 132, 136))
    draw, font = ImageDraw.Draw(sheet), ImageFont.load_default(17)
    for number, (name, data) in enumerate(tiles):
        x, y = MARGIN + number % columns * step[0], MARGIN + number // columns * step[1]
        draw.text((x, y), name, "white" if data else "red", font)
        if data:
            sheet.paste(Image.open(io.BytesIO(data)).convert("RGB").resize(tile, Image.Resampling.LANCZOS), (x, y + LABEL))
    return sheet


def main(given):
    given.folder.mkdir(parents=True, exist_ok=True)
    scenes = [scene for scene in SCENES if not given.scene or scene.__name__ == given.scene]
    if not scenes:
        sys.exit(f"There is no scene {given.scene}. There are {', '.join(scene.__name__ for scene in SCENES)}.")
    missing = 0
    for width, variant, names in walks(given.words):
        tiles = draw(chromium(given.chromium), width, variant, scenes, names, given.browsers)
        missing += sum(not taken for _, taken in tiles)
        for name in names:
            file = given.folder / f"{width}-{name}.png"
            compose([(scene, taken.get(name)) for scene, taken in tiles], width).save(file)
            print(f"{file}: {len(tiles)} pictures", flush=True)
    return 1 if missing else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("words", nargs="*", metavar="WORD")
    parser.add_argument("--binary", type=Path, default=Path(".build/debug/refreshable"))
    parser.add_argument("--chromium", metavar="PATH")
    parser.add_argument("--scene")
    parser.add_argument("--browsers", type=int, default=4, metavar="NUMBER", help="how many at a time")
    arguments = parser.parse_intermixed_args()
    harness.BINARY = arguments.binary.resolve()
    sys.exit(main(arguments))
