#!/usr/bin/env python3
"""Runs what the README and the articles tell people to run: each program, command and settings file, from the pages' own text.

    .build/venv/bin/python Tests/Programs/run.py --binary .build/debug/refreshable
    .build/venv/bin/python Tests/Programs/run.py --binary … Metrics        only blocks whose name has this word

It knows the kind of each fenced block, and fails where it doesn't, or where something to be run has no run. Swift programs
are built as a package of a reader's. Prints "N passed, N failed".
"""

import argparse
import asyncio
import importlib
import re
import sys
import time
import traceback
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "Integration"))

import harness  # noqa: E402 (it is found there)
import package  # noqa: E402
import people  # noqa: E402
import running  # noqa: E402
from kinds import faults_of, kind_of  # noqa: E402
from pages import PAGES, ROOT, blocks  # noqa: E402
from registry import RUNS, Given, run_of  # noqa: E402

MODULES = ["swift_programs", "settings_files", "shell_sessions", "protocol_messages", "people", "elsewhere"]
# For one block, in seconds.
LIMIT = 60
results = []


def tell(name, began, fault=""):
    """Counts one rule, and says how it went."""
    results.append(not fault)
    lines = [f"{'✘' if fault else '✔'} {name} ({time.monotonic() - began:.1f} s)"]
    harness.say("\n".join(lines + [f"    {line}" for line in fault.splitlines()]))


def unknown(all_blocks):
    """What is wrong with the blocks and the runs, taken together."""
    for block in all_blocks:
        yield from faults_of(block)
    for page in PAGES:
        fences = len(re.findall(r"^ *(?:```|~~~)", page.read_text(), re.MULTILINE))
        if fences != 2 * sum(block.page == page for block in all_blocks):
            yield f"{page.relative_to(ROOT)}: a fence is not closed, or has another indent than its block"
    there = {(kind_of(block), block.name) for block in all_blocks if kind_of(block)}
    for kind, name in sorted(there):
        if not run_of(kind, name):
            yield f"{name}: this is a {kind}, and nothing runs it"
    for kind, name in RUNS:
        if (kind, name) not in there and (name or kind not in {kind for kind, _ in there}):
            yield f"{name or kind}: there is no such block to run"


async def run_block(block, all_blocks, built):
    """Runs one block; gives what went wrong."""
    kind = kind_of(block)
    try:
        with running.folder() as folder:
            async with asyncio.timeout(LIMIT):
                await run_of(kind, block.name)(Given(block, tuple(all_blocks), folder, built))
    except Exception:
        return f"{block.place}\n{traceback.format_exc()}"
    return ""


def build(all_blocks):
    """Builds the Swift programs, and runs the tests among them."""
    programs, tests = ([block for block in all_blocks if kind_of(block) == kind] for kind in ("program", "test"))
    package.write_package(programs, tests)
    began = time.monotonic()
    went_well = package.swift("build", "--build-tests", "-j", "2").returncode == 0
    tell(f"{len(programs)} programs and {len(tests)} tests of the pages are built", began, "" if went_well else "see above")
    began = time.monotonic()
    went_well = went_well and package.swift("test", "--skip-build", "--disable-xctest").returncode == 0
    tell("the tests of the pages pass", began, "" if went_well else "see above")


async def run_all(chosen, all_blocks, built):
    """Runs blocks one after the other, as they have one port; gives how many seconds each took."""
    seconds = {}
    for block in chosen:
        began = time.monotonic()
        tell(f"{kind_of(block)} {block.name}", began, await run_block(block, all_blocks, built))
        seconds[kind_of(block), block.name] = time.monotonic() - began
    return seconds


def tell_people(all_blocks, seconds):
    """Whether everybody of the README is served within a minute; those of whose steps some were left out are not told."""
    for who, steps in people.PEOPLE.items():
        if seconds.keys() >= set(steps):
            began = time.monotonic() - sum(seconds[step] for step in steps)
            kinds = [(kind_of(block), block) for block in all_blocks]
            tell(f"somebody {who} is served within a minute", began, "\n".join(people.faults(who, kinds, seconds)))


def main(words, built):
    for module in MODULES:
        importlib.import_module(module)
    began, all_blocks = time.monotonic(), blocks()
    tell(f"each of {len(all_blocks)} blocks of the pages has its kind and its run", began, "\n".join(unknown(all_blocks)))
    chosen = [block for block in all_blocks if kind_of(block) and (not words or any(word in block.name for word in words))]
    if any(kind_of(block) in ("program", "test") for block in chosen):
        build(all_blocks)
    running.isolate()
    runnable = [block for block in chosen if run_of(kind_of(block), block.name)]
    tell_people(all_blocks, asyncio.run(run_all(runnable, all_blocks, built)))
    harness.say(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path(".build/debug/refreshable"))
    parser.add_argument("words", nargs="*")
    arguments = parser.parse_args()
    harness.BINARY = arguments.binary.resolve()
    sys.exit(main(arguments.words, ROOT / ".build/debug"))
