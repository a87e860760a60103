#!/usr/bin/env python3
"""Pulls the page of a built `refreshable` in a real Chromium, by real touch events.

    python Tests/Browser/run.py --binary .build/debug/refreshable
    python Tests/Browser/run.py --binary … --built-in               the page in the binary, not the one in Public
    python Tests/Browser/run.py --binary … --thorough axe           axe-core on phone and desk, light and dark, each with each,
                                                                    with every kind of indicator and every example
    python Tests/Browser/run.py --binary … --screenshots FOLDER     pictures of every view too
    python Tests/Browser/run.py --binary … resumes error            only the tests whose name has one of these words

Needs the Python package playwright, and Chromium (its path by --chromium where it is not found).
"""

import argparse
import importlib
import queue
import shutil
import sys
import threading
import time
import traceback
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

import harness

# A line each, so that two changes rarely meet.
MODULES = [
    "pulling",
    "eligibility",
    "motion",
    "wheel",
    "loading",
    "indicators",
    "languages",
    "text_layout",
    "rows",
    "sections",
    "flinging",
    "long_lists",
    "opening",
    "row_actions",
    "row_menus",
    "row_actions_offline",
    "unread",
    "finding",
    "template",
    "paging",
    "connection",
    "prediction",
    "controls",
    "actions",
    "embedding",
    "articles",
    "handler",
    "reference",
    "page",
    "bundles",
    "offline",
    "signing_in",
    "notifications",
    "examples",
    "accessibility",
    "keyboard",
    "screen_reader",
    "reduced_motion",
]
# The headless shell has the same engine without windows, and takes half the processor time (Decisions/26).
CHROMIUMS = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"]


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


def tell(function, browser, failed):
    """Runs one test, says how it went, and gives whether it passed. `failed` marks one that did not."""
    started = time.monotonic()
    fault = run(function, browser)
    name = function.__name__.replace("_", " ")
    lines = [f"{failed if fault else '✔'} {name} ({time.monotonic() - started:.1f} s)"]
    lines += [f"    {line}" for line in (fault or "").splitlines()]
    # In one piece: others speak too.
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
    return fault is None


def work(tests, outcomes, path):
    """Runs tests in a browser of its own until there are none left, and notes which passed."""
    with opened(path) as browser:
        while True:
            try:
                function = tests.get_nowait()
            except queue.Empty:
                return
            outcomes[function] = tell(function, browser, "↻")


@contextmanager
def opened(path):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


def wanted(words):
    for module in MODULES:
        importlib.import_module(module)
    return [test for test in harness.TESTS if not words or any(word in test.__name__.replace("_", " ") for word in words)]


def run_all(functions, browsers, path):
    """Most tests wait most of the time, so that a few can do so beside each other. One that failed so (↻) is judged by how it
    does alone, as others may have held it up. Gives which of them passed.
    """
    tests, outcomes = queue.SimpleQueue(), {}
    for function in functions:
        tests.put(function)
    workers = [threading.Thread(target=work, args=(tests, outcomes, path)) for _ in range(browsers)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    again = [function for function in functions if not outcomes.get(function)]
    if again:
        with opened(path) as browser:
            outcomes |= {function: tell(function, browser, "✘") for function in again}
    return outcomes.values()


def main(arguments):
    path = chromium(arguments.chromium)
    functions = wanted(arguments.words)
    passed = sum(run_all(functions, arguments.browsers, path))
    faults = []
    if arguments.screenshots:
        faults = importlib.import_module("screenshots").take(arguments.screenshots)
        print("".join(f"✘ no pictures in {fault}\n" for fault in faults), end="")
    # One whose browser was lost has not passed either.
    failed = len(functions) - passed + len(faults)
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path(".build/debug/refreshable"))
    parser.add_argument("--built-in", action="store_true")
    parser.add_argument("--thorough", action="store_true")
    parser.add_argument("--screenshots", type=Path, metavar="FOLDER")
    parser.add_argument("--chromium", metavar="PATH")
    parser.add_argument("--browsers", type=int, default=6, metavar="NUMBER", help="how many at a time")
    parser.add_argument("words", nargs="*")
    given = parser.parse_args()
    harness.BINARY = given.binary.resolve()
    harness.IS_THOROUGH = given.thorough
    harness.PAGE = None if given.built_in else harness.PUBLIC
    sys.exit(main(given))
