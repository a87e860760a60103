#!/usr/bin/env python3
"""Touches the page of a built `refreshable` in Chromium, Firefox and WebKitGTK, by a screen that is real to them.

    python Tests/Browser/engines/run.py --binary .build/debug/refreshable
    python Tests/Browser/engines/run.py --binary … --engine firefox closing     gestures whose rule has one of these words
    python Tests/Browser/engines/run.py --binary … --matrix     all of them again with a server that is 200 and 1,000 ms
                                                                away, with a wire that stalls, and with one that is cut
    python Tests/Browser/engines/run.py --binary .build/release/refreshable --rows 1000000 long     long lists of a million rows

The gestures are the rules of Tests/Traces/finger.trace: at each step page and server must say what is written there, and
the whole, as the page noted it, is replayed by the reducer. Then come the checks of rows.py.
An engine that is not installed is told as skipped.
"""

import argparse
import signal
import sys
import threading
import time
import traceback
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import harness
from engines import ENGINES, missing, rules as tables
from engines.gestures import CUTS, GESTURES
from engines.player import Mismatch, Player, TouchLost
from engines import long_lists, pulls, swipes  # noqa: F401, whose checks are with those of rows
from engines.rows import CHECKS
from engines.transcript import Transcript, replay
from engines.list_server import Cut, Far, ListServers, Stalling, World

# The first load is over, and what the page noted of it is no part of a gesture. Rows may be here before what hears a finger,
# which takes the place of the skeleton, and a frame later listens where the top is in view.
READY = """(() => {
    const told = notes.filter(({ kind, frame }) => kind === 'heard' && frame.type === 'state').at(-1)?.frame;
    const list = document.querySelector('refreshable-list');
    const isLoaded = told?.phase === 'waiting' && told.last && list.phase === 'waiting';
    const isReady = isLoaded && list.shadowRoot.querySelector('[part=skeleton]').hidden;
    if (isReady) notes.length = 0;
    return isReady;
})()"""
FRAMES = "new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))"


# Whoever interrupts us waits for the gestures under way, so that no browser is left behind.
stopping = threading.Event()


class Count:
    """What engines tell, from a thread for each."""

    def __init__(self):
        self.passed = self.failed = 0
        self.lock = threading.Lock()

    def tell(self, engine, what, started, fault):
        lines = "".join(f"\n    {line}" for line in (fault or "").splitlines())
        with self.lock:
            print(f"{'✘' if fault else '✔'} {engine}: {what} ({time.monotonic() - started:.1f} s){lines}", flush=True)
            if fault:
                self.failed += 1
            else:
                self.passed += 1


def perform(engine, rule, gesture, address, world):
    """Plays one gesture; gives what went wrong, if anything did."""
    try:
        engine.open(address)
        engine.wait_for(READY)
        engine.evaluate(FRAMES)
        player = Player(engine, rule, gesture, world)
        world.begin()
        player.play()
        text = Transcript(player.page.notes, rule).text
        if fault := replay(text):
            return f"{fault}\n{text}"
    except TouchLost:
        raise
    except Mismatch as error:
        return "\n".join([str(error), *map(brief, player.page.notes[-20:])])
    except Exception:
        return traceback.format_exc()
    finally:
        world.over()
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


def attempt(engine, rules, servers, number, scene):
    """Plays one gesture, again where a machine that is too busy for a touch had lost it; gives the fault, if any."""
    gesture, _, world = scene
    for _ in range(4):
        surroundings = world(servers, number)
        try:
            return perform(engine, rules[gesture.rule], gesture, servers.address(number, gesture), surroundings)
        except TouchLost as lost:
            fault = f"the browser took the finger away four times: {lost.__cause__}"
            surroundings.forget()
    return fault


def brief(note):
    """A note of the page on a line."""
    told = {key: value for key, value in (note | note.get("frame", {})).items() if key not in ("frame", "list", "last", "updatedAt", "startedAt")}
    return "  " + "  ".join(f"{key} {value}" for key, value in told.items())


def play(name, scenes, rules, count):
    """All gestures in one engine."""
    started = time.monotonic()
    servers = ListServers([gesture for gesture, _, _ in scenes], rules)
    try:
        with ENGINES[name]() as engine:
            for number, scene in enumerate(scenes):
                if stopping.is_set():
                    return
                started = time.monotonic()
                count.tell(name, title(scene), started, attempt(engine, rules, servers, number, scene))
    except Exception:
        count.tell(name, "starts", started, traceback.format_exc())
    finally:
        servers.close()


def examine_all(name, checks, count):
    """All checks in one engine."""
    started = time.monotonic()
    try:
        with ENGINES[name]() as engine:
            for check in checks:
                started = time.monotonic()
                count.tell(name, rule(check), started, examine(engine, check))
    except Exception:
        count.tell(name, "starts", started, traceback.format_exc())


def try_out(name, scenes, checks, rules, count):
    if scenes:
        play(name, scenes, rules, count)
    if checks and not stopping.is_set():
        examine_all(name, checks, count)


def rule(check):
    return check.__name__.replace("_", " ")


def title(scene):
    gesture, where, _ = scene
    return gesture.rule.rstrip(".") + where


def scenes(arguments, is_wanted):
    """What is played: gestures, where the server is, and the world of it."""
    worlds = [("", World)]
    if arguments.matrix:
        worlds += [(f", {round(away * 1000)} ms away", partial(Far, latency=away)) for away in (0.2, 1)]
        worlds += [(", and the wire stalls", partial(Stalling, seconds=0.7))]
    played = [(gesture, where, world) for where, world in worlds for gesture in GESTURES]
    if arguments.matrix:
        played += [
            (gesture, f", cut while {phase}", partial(Cut, cut=cut, mended=mended, ends=ends))
            for phase, gesture, cut, mended, ends in CUTS
        ]
    return [scene for scene in played if is_wanted(title(scene))]


def main(arguments):
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stopping.set())
    count, rules = Count(), tables.read()
    is_wanted = lambda title: not arguments.words or any(word in title for word in arguments.words)
    checks = [check for check in CHECKS if is_wanted(rule(check))]
    players = []
    for name in arguments.engine or ENGINES:
        if lack := missing(name):
            print(f"- {name}: skipped, since this machine has no {lack}")
            continue
        # Beside each other: most of their time they wait for a finger.
        players.append(threading.Thread(target=try_out, args=(name, scenes(arguments, is_wanted), checks, rules, count)))
        players[-1].start()
    for player in players:
        player.join()
    print(f"{count.passed} passed, {count.failed} failed")
    return 0 if count.failed == 0 and count.passed > 0 and not stopping.is_set() else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path(".build/debug/refreshable"))
    parser.add_argument("--engine", action="append", choices=list(ENGINES))
    parser.add_argument("--matrix", action="store_true")
    parser.add_argument("--rows", type=int, default=long_lists.COUNT, help="of a long list")
    parser.add_argument("words", nargs="*")
    given = parser.parse_args()
    harness.BINARY = given.binary.resolve()
    long_lists.COUNT = given.rows
    sys.exit(main(given))
