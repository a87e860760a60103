#!/usr/bin/env python3
"""Touches the page of a built `refreshable` in Chromium, Firefox and WebKitGTK, by a screen that is real to them.

    python Tests/Browser/engines/run.py --binary .build/debug/refreshable
    python Tests/Browser/engines/run.py --binary … --engine firefox closing     gestures whose rule has one of these words

The gestures are the rules of Tests/Traces/finger.trace: at each step page and server must say what is written there, and
the whole, as the page noted it, is replayed by the reducer. Then come the checks of rows.py.
An engine that is not installed is told as skipped.
"""

import argparse
import sys
import threading
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness
from engines import ENGINES, missing, rules as tables
from engines.gestures import GESTURES
from engines.player import Mismatch, Player
from engines.rows import CHECKS
from engines.transcript import Transcript, replay
from engines.world import House, World

# The first load is over, and what the page noted of it is no part of a gesture.
READY = """(() => {
    const told = notes.filter(({ kind, frame }) => kind === 'heard' && frame.type === 'state').at(-1)?.frame;
    const isReady = told?.phase === 'waiting' && told.last && document.querySelector('refreshable-list').phase === 'waiting';
    if (isReady) notes.length = 0;
    return isReady;
})()"""


class Count:
    """What engines tell, from a thread for each."""

    def __init__(self):
        self.passed = self.failed = 0
        self.lock = threading.Lock()

    def tell(self, engine, title, started, fault):
        lines = "".join(f"\n    {line}" for line in (fault or "").splitlines())
        with self.lock:
            print(f"{'✘' if fault else '✔'} {engine}: {title.rstrip('.')} ({time.monotonic() - started:.1f} s){lines}", flush=True)
            if fault:
                self.failed += 1
            else:
                self.passed += 1


def perform(engine, rule, gesture, address, world):
    """Plays one gesture; gives what went wrong, if anything did."""
    try:
        engine.open(address)
        engine.wait_for(READY)
        player = Player(engine, rule, gesture, world)
        player.play()
        text = Transcript(player.page.notes, rule).text
        if fault := replay(text):
            return f"{fault}\n{text}"
    except Mismatch as error:
        return "\n".join([str(error), *map(brief, player.page.notes[-20:])])
    except Exception:
        return traceback.format_exc()
    finally:
        engine.finger.up()
        engine.mouse.up()
    return None


def examine(engine, check):
    """Makes one check; gives what went wrong, if anything did."""
    try:
        with harness.Stage(None) as stage:
            check(engine, stage)
    except Exception:
        return traceback.format_exc()
    return None


def title(check):
    return check.__name__.replace("_", " ")


def brief(note):
    """A note of the page on a line."""
    told = {key: value for key, value in (note | note.get("frame", {})).items() if key not in ("frame", "list", "last", "updatedAt", "startedAt")}
    return "  " + "  ".join(f"{key} {value}" for key, value in told.items())


def play(name, gestures, rules, count):
    """All gestures in one engine."""
    started = time.monotonic()
    house = House(gestures, rules)
    try:
        with ENGINES[name]() as engine:
            for number, gesture in enumerate(gestures):
                started = time.monotonic()
                fault = perform(engine, rules[gesture.rule], gesture, house.address(number, gesture), World(house, number))
                count.tell(name, gesture.rule, started, fault)
    except Exception:
        count.tell(name, "starts", started, traceback.format_exc())
    finally:
        house.close()


def examine_all(name, checks, count):
    """All checks in one engine."""
    started = time.monotonic()
    try:
        with ENGINES[name]() as engine:
            for check in checks:
                started = time.monotonic()
                count.tell(name, title(check), started, examine(engine, check))
    except Exception:
        count.tell(name, "starts", started, traceback.format_exc())


def try_out(name, gestures, checks, rules, count):
    if gestures:
        play(name, gestures, rules, count)
    if checks:
        examine_all(name, checks, count)


def main(arguments):
    count, rules = Count(), tables.read()
    is_wanted = lambda rule: not arguments.words or any(word in rule for word in arguments.words)
    gestures = [gesture for gesture in GESTURES if is_wanted(gesture.rule)]
    checks = [check for check in CHECKS if is_wanted(title(check))]
    players = []
    for name in arguments.engine or ENGINES:
        if lack := missing(name):
            print(f"- {name}: skipped, since this machine has no {lack}")
            continue
        # Beside each other: most of their time they wait for a finger.
        players.append(threading.Thread(target=try_out, args=(name, gestures, checks, rules, count)))
        players[-1].start()
    for player in players:
        player.join()
    print(f"{count.passed} passed, {count.failed} failed")
    return 0 if count.failed == 0 and count.passed > 0 else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path(".build/debug/refreshable"))
    parser.add_argument("--engine", action="append", choices=list(ENGINES))
    parser.add_argument("words", nargs="*")
    given = parser.parse_args()
    harness.BINARY = given.binary.resolve()
    sys.exit(main(given))
