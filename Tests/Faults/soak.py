#!/usr/bin/env python3
"""A long day: thousands of people who come, go, stall, are cut off and pull, and a server that must not grow.

    python Tests/Faults/soak.py --binary .build/release/refreshable --seconds 900 --clients 2000

They are the people of the fault harness, held to the same rules (rules.py), each with one list. What is measured is the
server's memory: a straight line is laid through it after the first fifth, and its slope printed.
"""

import argparse
import asyncio
import contextlib
import random
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

# What every frame looks like is known there already.
sys.path.append(str(Path(__file__).parent.parent / "Integration"))

from dice import stream  # noqa: E402
from handlers import Handlers  # noqa: E402
from ledger import Ledger  # noqa: E402
from lists import Sources, from_handler  # noqa: E402
from person import Person  # noqa: E402
from rules import Broken, Rules  # noqa: E402
from server import Server  # noqa: E402
from wire import Ended  # noqa: E402

LISTS = 8
# Seconds between two looks at the server's memory.
LOOK = 2.0
# Below this a line through memory says nothing.
LONG_ENOUGH = 240
# What memory may grow by, over what is measured.
MOST_GROWTH = 0.05


class Way:
    """Straight to the server; a person's own doing cuts it."""

    def __init__(self, port):
        self.port = port
        self.line = None

    async def open(self):
        pass

    async def close(self):
        pass


class Place:
    """The world as one visitor knows it: a list of it."""

    def __init__(self, world, name):
        self.world, self.names = world, [name]

    def __getattr__(self, name):
        return getattr(self.world, name)


class Visitor(Person):
    """Stays for seconds or minutes, and then is away for as long."""

    def __init__(self, number, world, name):
        super().__init__(number, Place(world, name))
        self.dice = stream(world.seed, self.name, "visits")

    async def live(self):
        while not self.world.is_over:
            await asyncio.sleep(self.dice.expovariate(1 / self.world.away))
            try:
                async with asyncio.timeout(self.dice.expovariate(1 / self.world.stay)):
                    await self.spend_a_connection()
            except TimeoutError:
                self.world.count("left without a word")

    async def next_step(self):
        await asyncio.sleep(self.dice.expovariate(1 / self.world.pause))
        kind = self.dice.random()
        if kind < 0.04:
            await self.stall()
        elif kind < 0.07:
            self.break_off()
        else:
            await super().next_step()

    async def stall(self):
        """Reads nothing for a while."""
        self.world.count("stalled")
        with contextlib.suppress(RuntimeError):
            self.wire.writer.transport.pause_reading()
        await asyncio.sleep(self.dice.uniform(1, 20))
        with contextlib.suppress(RuntimeError):
            self.wire.writer.transport.resume_reading()

    def break_off(self):
        """In the midst of a frame."""
        self.world.count("were cut in a frame")
        self.wire.writer.write(b"\x81\xfe\x01"[: self.dice.randrange(1, 4)])
        self.wire.abort()


class Day:
    """One soak. What people ask of a world is here."""

    has_digest = True
    is_calm = False

    def __init__(self, options):
        self.options, self.seed = options, options.seed
        self.folder = Path(tempfile.mkdtemp(prefix="refreshable-soak-"))
        self.rules = Rules()
        self.ledger = Ledger(self.rules)
        self.server = Server(options.binary, self.folder, self.lists())
        self.settings = {entry["name"]: entry for entry in self.server.lists}
        self.names = list(self.settings)
        self.handlers = Handlers(self)
        self.is_over = False
        self.stay, self.away, self.pause = options.stay, options.stay / 4, options.pause
        self.counts = {}
        self.memory = []

    def lists(self):
        modes = ["replace", "stream"]
        return [
            from_handler(self.folder, f"list{number}", mode=modes[number % 2], minimumInterval="3s")
            for number in range(LISTS)
        ]

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def trigger(self, name):
        return "release"

    def refreshable(self, name):
        return True

    def proxy(self):
        return Way(self.server.port)

    def heard(self, frame):
        self.count("frames heard")

    async def live(self):
        self.sources = Sources(self.folder, self.names, stream(self.seed, "sources"))
        self.sources.begin()
        await self.server.start(loops=self.options.loops)
        self.ledger.start = self.server.starts
        people = [Visitor(number, self, self.names[number % LISTS]) for number in range(self.options.clients)]
        tasks = [asyncio.create_task(self.guard(person.live(), person)) for person in people]
        tasks.append(asyncio.create_task(self.guard(self.change())))
        watching = asyncio.create_task(self.guard(self.watch()))
        breaking = asyncio.create_task(self.rules.breaking.wait())
        await asyncio.wait([watching, breaking], return_when=asyncio.FIRST_COMPLETED)
        self.is_over = True
        for task in (*tasks, watching, breaking):
            task.cancel()
        await asyncio.gather(*tasks, watching, breaking, return_exceptions=True)
        self.connections = sum(person.connections for person in people)

    async def guard(self, life, actor=None):
        try:
            await life
        except Broken as fault:
            self.rules.keep(fault, actor)
        except (Ended, OSError):
            pass
        except Exception as fault:
            self.rules.keep(fault, actor)
            raise

    async def change(self):
        dice = stream(self.seed, "moods")
        while not self.is_over:
            await asyncio.sleep(dice.expovariate(1 / 0.5))
            self.sources.step()

    async def watch(self):
        """Notes the server's memory until the day is over."""
        began = time.monotonic()
        told = 0
        while (elapsed := time.monotonic() - began) < self.options.seconds:
            await asyncio.sleep(LOOK)
            self.rules.check("alive", self.server.is_running, lambda: f"the server ended:\n{self.server.tail()}")
            self.memory.append((elapsed, self.server.resident()))
            if elapsed - told > 60:
                told = elapsed
                print(f"{elapsed:6.0f} s  {self.memory[-1][1] / 2**20:7.1f} MiB  {self.counts.get('frames heard', 0)} frames", flush=True)

    async def end(self):
        """Asks the server to end, so that a sanitizer can report; its status and what it said of itself."""
        if not self.server.is_running:
            return self.server.process.returncode, self.server.tail()
        try:
            return await self.server.stop(60), self.server.log.read_text(errors="replace")
        except TimeoutError:
            await self.server.kill()
            return "a kill", self.server.tail()


def line_through(points):
    """(slope, share of what varies that the line explains) of a straight line through (time, bytes)."""
    times, sizes = zip(*points, strict=True)
    if len(set(sizes)) == 1:
        return 0.0, 1.0
    slope, _ = statistics.linear_regression(times, sizes)
    return slope, statistics.correlation(times, sizes) ** 2


def results(day, status, log):
    """The lines, each with whether it holds."""
    points = [point for point in day.memory if point[0] > day.options.seconds / 5]
    if len(points) > 2:
        slope, share = line_through(points)
        grown = slope * (points[-1][0] - points[0][0])
        mean = statistics.mean(size for _, size in points)
        text = (
            f"memory: {mean / 2**20:.1f} MiB, slope {slope * 60 / 1024:+.1f} KiB a minute (r² {share:.2f}), "
            f"{grown / mean:+.1%} over {points[-1][0] - points[0][0]:.0f} s"
        )
        is_judged = day.options.seconds >= LONG_ENOUGH and not day.options.sanitized
        yield text + ("; less than +5 %" if is_judged else "; not judged"), not is_judged or grown / mean < MOST_GROWTH
    yield f"it ended with {status} when it was asked to", status == 0
    yield "no sanitizer had anything to say", "Sanitizer" not in log


async def main(options):
    print(f"seed {options.seed}: {options.clients} people for {options.seconds:.0f} s")
    day = Day(options)
    await day.live()
    status, log = await day.end()
    for line in day.rules.table():
        if not line.startswith("–"):
            print(line)
    passed, failed = day.rules.counts
    if day.rules.broken:
        fault, actor = day.rules.broken
        print(f"\nBROKEN, with --seed {options.seed}: {str(fault)[:4000]}")
        for line in actor.last_frames() if actor else ():
            print(line)
    print(f"{day.connections} connections; " + ", ".join(f"{count} {what}" for what, count in sorted(day.counts.items())))
    for text, holds in results(day, status, log):
        print(f"{'✔' if holds else '✘'} {text}")
        passed, failed = passed + holds, failed + (not holds)
    if "Sanitizer" in log:
        print(log[log.index("Sanitizer") - 200 :][:6000])
    if not failed:
        shutil.rmtree(day.folder, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path(".build/debug/refreshable"))
    parser.add_argument("--seconds", type=float, default=900)
    parser.add_argument("--clients", type=int, default=2000)
    parser.add_argument("--loops", type=int, default=2)
    parser.add_argument("--stay", type=float, default=60, help="seconds that a person stays, on average; away: a quarter")
    parser.add_argument("--pause", type=float, default=12, help="seconds between two things that a person does")
    parser.add_argument("--sanitized", action="store_true", help="memory is a sanitizer's, and is not judged")
    parser.add_argument("--seed", type=int, default=None, help="replays the same decisions; by chance unless given")
    arguments = parser.parse_args()
    arguments.binary = arguments.binary.resolve()
    if arguments.seed is None:
        arguments.seed = random.SystemRandom().randrange(2**32)
    sys.exit(asyncio.run(main(arguments)))
