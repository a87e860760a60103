#!/usr/bin/env python3
"""Tests a built `refreshable` from outside, by the document alone.

python Tests/Integration/run.py --binary .build/debug/refreshable
python Tests/Integration/run.py --binary … resuming             only the tests whose name has this word
"""

import argparse
import asyncio
import importlib
import sys
import time
import traceback
from pathlib import Path

import harness

MODULES = [
    "protocol",
    "runs",
    "pages",
    "gestures",
    "resuming",
    "storing",
    "digests",
    "over_http",
    "pushing",
    "bad_input",
    "refusals",
    "slow_reader",
    "conflation",
    "readme",
]


async def run(function, limit):
    """Runs one test and gives what went wrong, if anything did."""
    try:
        async with asyncio.timeout(limit):
            await function()
    except TimeoutError:
        return f"did not end within {limit} s\n{traceback.format_exc()}"
    except Exception:
        return traceback.format_exc()
    return None


async def main(words):
    passed = failed = 0
    for module in MODULES:
        importlib.import_module(module)
    for function, limit in harness.TESTS:
        name = harness.sentence(function)
        if words and not any(word in name for word in words):
            continue
        started = time.monotonic()
        fault = await run(function, limit)
        mark = "✘" if fault else "✔"
        harness.say(f"{mark} {name} ({time.monotonic() - started:.1f} s)")
        if fault:
            failed += 1
            harness.say("".join(f"    {line}\n" for line in fault.splitlines()))
        else:
            passed += 1
    harness.say(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path(".build/debug/refreshable"))
    parser.add_argument("words", nargs="*")
    arguments = parser.parse_args()
    harness.BINARY = arguments.binary.resolve()
    sys.exit(asyncio.run(main(arguments.words)))
