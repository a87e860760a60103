"""Runs the checks of a release one after the other, and counts how they went."""

import time
import traceback

CHECKS = []


def check(function):
    """Adds a function to those that `run_checks` runs, in the order of the file. Its name is the rule."""
    CHECKS.append(function)
    return function


def run_checks():
    """Runs them all; gives the exit status. Later checks may need what earlier ones did, so the first failure is the last."""
    passed = 0
    for function in CHECKS:
        started, name = time.monotonic(), function.__name__.replace("_", " ")
        try:
            function()
        except Exception as error:
            shown = str(error) if isinstance(error, AssertionError) else ""
            print(f"✘ {name}")
            for line in (shown or traceback.format_exc()).splitlines():
                print(f"    {line}")
            print(f"{passed} passed, {len(CHECKS) - passed} failed", flush=True)
            return 1
        passed += 1
        print(f"✔ {name} ({time.monotonic() - started:.1f} s)", flush=True)
    print(f"{passed} passed, 0 failed")
    return 0
