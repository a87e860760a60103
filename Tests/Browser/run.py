#!/usr/bin/env python3
"""Pulls the page of a built `refreshable` in a real Chromium, by real touch events.

    python Tests/Browser/run.py --binary .build/debug/refreshable
    python Tests/Browser/run.py --binary … --screenshots FOLDER     pictures of every view too
    python Tests/Browser/run.py --binary … resumes error            only the tests whose name has one of these words

Needs the Python package playwright, and Chromium (its path by --chromium where it is not found).
"""

import argparse
import importlib
import shutil
import sys
import time
import traceback
from pathlib import Path

from playwright.sync_api import sync_playwright

import harness

MODULES = ["pulling", "loading", "indicators", "rows", "more", "connection", "prediction", "controls", "actions", "embedding", "handler", "reference", "page"]
CHROMIUMS = ["chromium", "chromium-browser", "google-chrome", "chrome"]


def chromium(wanted):
    path = wanted or next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if not path:
        sys.exit("No Chromium was found. Install the package chromium, or name one with --chromium PATH.")
    return path


def run(function, browser):
    """Runs one test with a server and pages of its own, and gives what went wrong, if anything did."""
    try:
        with harness.Stage(browser) as stage:
            function(stage)
            stage.check_silence()
    except Exception:
        return traceback.format_exc()
    return None


def main(arguments):
    passed = failed = 0
    for module in MODULES:
        importlib.import_module(module)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(arguments.chromium), args=["--no-sandbox"])
        for function in harness.TESTS:
            name = function.__name__.replace("_", " ")
            if arguments.words and not any(word in name for word in arguments.words):
                continue
            started = time.monotonic()
            fault = run(function, browser)
            print(f"{'✘' if fault else '✔'} {name} ({time.monotonic() - started:.1f} s)", flush=True)
            if fault:
                failed += 1
                print("".join(f"    {line}\n" for line in fault.splitlines()), flush=True)
            else:
                passed += 1
        if arguments.screenshots:
            importlib.import_module("screenshots").take(browser, arguments.screenshots)
        browser.close()
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path(".build/debug/refreshable"))
    parser.add_argument("--screenshots", type=Path, metavar="FOLDER")
    parser.add_argument("--chromium", metavar="PATH")
    parser.add_argument("words", nargs="*")
    given = parser.parse_args()
    harness.BINARY = given.binary.resolve()
    sys.exit(main(given))
