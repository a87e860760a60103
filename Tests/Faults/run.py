#!/usr/bin/env python3
"""Proves the promises against a built `refreshable`: people, programs, cuts, kills, and a model of what may be seen.

python Tests/Faults/run.py --binary .build/debug/refreshable --seed 7 --minutes 10 --kills 200 --clients 12
"""

import argparse
import asyncio
import random
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

# What every frame looks like is known there already.
sys.path.append(str(Path(__file__).parent.parent / "Integration"))

from rules import Broken  # noqa: E402
from simulation import World  # noqa: E402


def say(text=""):
    print(text, flush=True)


async def main(options):
    started = time.monotonic()
    say(f"seed {options.seed}: {options.clients} people, {options.kills} kills in {options.minutes} minutes")
    world = World(options)
    try:
        await world.begin()
        if not world.push_names:
            say("This server knows no `push: true`: pushes are left out.")
        await world.live()
    except Exception as fault:
        world.rules.keep(fault)
    finally:
        await world.end()
    report(world, time.monotonic() - started)
    passed, failed = world.rules.counts
    say(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 and passed > 0 else 1


def report(world, seconds):
    say()
    for line in world.rules.table():
        say(line)
    for line in world.handlers.summary():
        say(line)
    say(
        f"{world.kills} kills, {world.stops} clean stops, {world.restored} older copies put back, {world.calms} calms, "
        f"{sum(person.connections for person in getattr(world, 'people', []))} connections, "
        f"{len(world.ledger.contents)} contents, {len(world.ledger.runs)} runs, {seconds:.0f} s."
    )
    if world.options.client == "swift":
        lies = sum((person.proxy.lies for person in world.people), Counter())
        answers = Counter(said.answer["answer"] for person in world.people for said in person.said.values() if said.answer)
        say(f"Falsified: {tell_counts(lies)}. Requests: {tell_counts(answers)}.")
    if world.rules.broken:
        tell_fault(world)


def tell_counts(counts):
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "none"


def tell_fault(world):
    fault, actor = world.rules.broken
    say(f"\nBROKEN, with --seed {world.seed} --minutes {world.options.minutes} --kills {world.options.kills} "
        f"--clients {world.options.clients} --client {world.options.client}, in start {world.server.starts} of the server:")  # fmt: skip
    if isinstance(fault, Broken):
        say(str(fault)[:6000])
    else:
        say("".join(traceback.format_exception(fault)))
    if actor is not None:
        say(f"The last of {actor.name}:")
        for line in actor.last_frames():
            say(line)
    say(f"What the server left is in {world.folder}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path(".build/debug/refreshable"))
    parser.add_argument("--seed", type=int, default=None, help="replays the same decisions; by chance unless given")
    parser.add_argument("--minutes", type=float, default=10, help="how long all rounds of turmoil take together, about")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--clients", type=int, default=12)
    parser.add_argument("--client", choices=["python", "swift"], default="python",
                        help="who the people are: our own model of a client, or programs that use the client library, whose "
                        "frames are falsified, too")  # fmt: skip
    parser.add_argument("--library", type=Path, help="with --client swift: the program, as Scripts/faults builds it")
    parser.add_argument("--verbose", action="store_true", help="a line for each round")
    arguments = parser.parse_args()
    arguments.binary = arguments.binary.resolve()
    if arguments.client == "swift":
        arguments.library = (arguments.library or parser.error("--client swift needs --library")).resolve()
    if arguments.seed is None:
        arguments.seed = random.SystemRandom().randrange(2**32)
    sys.exit(asyncio.run(main(arguments)))
