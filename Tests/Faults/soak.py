#!/usr/bin/env python3
"""A long day: thousands of people who come, go, stall, are cut off and pull, and a server that must not grow.

    python Tests/Faults/soak.py --binary .build/release/refreshable --seconds 1200 --clients 2000

They are the people of the fault harness, held to the same rules (rules.py), each with one list. What is measured is the
server's memory: a straight line is laid through it from when as much is forgotten as is remembered, and its slope printed
(Decisions/22).
"""

import asyncio
import contextlib
import statistics
import sys
import time
from pathlib import Path

# What every frame looks like is known there already.
sys.path.append(str(Path(__file__).parent.parent / "Integration"))

from seeded_random import stream  # noqa: E402
from percentiles import line_through  # noqa: E402
from handlers import Handlers  # noqa: E402
from shared_history import Ledger  # noqa: E402
from lists import Sources, from_handler  # noqa: E402
from simulated_user import Person  # noqa: E402
from rules import Broken, Rules  # noqa: E402
from trial import Trial, arguments, run  # noqa: E402
from raw_websocket import Ended  # noqa: E402

LISTS = 8
# Seconds between two looks at the server's memory.
LOOK = 2.0
# Seconds for which the server remembers whom it lost, and what it answered.
REMEMBERED = 600
# Seconds below which a line through memory says nothing.
LONG_ENOUGH = 240
# What memory may grow by, over what is measured.
MOST_GROWTH = 0.02
# Seconds until the server has noticed that those are gone who left without a word: a beat, and the time for its pong.
NOTICED = 40


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

    def __init__(self, trial):
        self.server, self.folder = trial.server, trial.folder
        self.options, self.seed = trial.options, trial.options.seed
        self.rules = Rules()
        self.ledger = Ledger(self.rules)
        self.server.lists = self.lists()
        self.settings = {entry["name"]: entry for entry in self.server.lists}
        self.names = list(self.settings)
        self.handlers = Handlers(self)
        self.is_over = False
        self.stay, self.away, self.pause = self.options.stay, self.options.stay / 4, self.options.pause
        self.counts = {}
        self.memory = []
        self.sources = Sources(self.folder, self.names, stream(self.seed, "sources"))
        self.sources.begin()

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
                await self.tell(elapsed)

    async def tell(self, elapsed):
        """What there is to be remembered beside what it takes."""
        sessions, answers = [await self.server.figure(name) for name in ("sessions", "remembered_answers")]
        print(
            f"{elapsed:6.0f} s  {self.memory[-1][1] / 2**20:7.1f} MiB  {sessions:6} sessions  {answers:6} answers"
            f"  {self.counts.get('frames heard', 0)} frames",
            flush=True,
        )

    async def left(self):
        """How many connections the server still has, of those who are gone."""
        end = time.monotonic() + NOTICED
        while (left := await self.server.figure("connections") - 1) and time.monotonic() < end:
            await asyncio.sleep(1)
        return left


def fit(memory, options, sanitizer):
    """A line about the straight line through the server's memory, and whether it is flat."""
    # The first crowd comes and goes, and is forgotten; in a short time, the first fifth must do.
    begin = REMEMBERED + 2 * options.stay
    is_long = options.seconds >= begin + LONG_ENOUGH
    points = [point for point in memory if point[0] > (begin if is_long else options.seconds / 5)]
    if len(points) < 3:
        return "memory: too few looks at it to lay a line through", True
    slope, share = line_through(points)
    span = points[-1][0] - points[0][0]
    mean = statistics.mean(size for _, size in points)
    is_flat = slope * span / mean < MOST_GROWTH
    text = (
        f"memory: {mean / 2**20:.1f} MiB, slope {slope * 3600 / 2**20:+.2f} MiB an hour (r² {share:.2f}), "
        f"{slope * span / mean:+.1%} over {span:.0f} s: {'flat, as it is' if is_flat else 'not flat, as it is not'} less than {MOST_GROWTH:+.0%}"
    )
    if sanitizer or not is_long:
        return f"{text}; not held against it, {'with a sanitizer' if sanitizer else 'in so short a time'}", True
    return text, is_flat


async def main(options):
    print(f"{options.clients} people for {options.seconds:.0f} s")
    trial = Trial("soak", options, [])
    day = Day(trial)
    async with trial:
        harness = time.process_time()
        await day.live()
        seconds = f"the server worked {trial.server.worked():.0f} s, the people {time.process_time() - harness:.0f} s"
        print(f"{day.connections} connections; " + ", ".join(f"{count} {what}" for what, count in sorted(day.counts.items())))
        print(seconds)
        hold(trial, day.rules)
        left = await day.left()
        trial.judge(f"of those who left, {left} are still connected", left == 0)
        looks = options.seconds / LOOK
        trial.judge(f"{len(day.memory)} of {looks:.0f} looks at it were in time: this machine kept up", len(day.memory) > 0.8 * looks)
        trial.judge(*fit(day.memory, options, trial.server.sanitizer))
    return trial.status


def hold(trial, rules):
    """The rules that were checked; and of the first that broke, what broke it."""
    for line in rules.table():
        if not line.startswith("–"):
            print(line)
    passed, failed = rules.counts
    trial.passed, trial.failed = trial.passed + passed, trial.failed + failed
    if rules.broken:
        fault, actor = rules.broken
        print(f"\nBROKEN, with --seed {trial.options.seed}: {str(fault)[:4000]}")
        for line in actor.last_frames() if actor else ():
            print(line)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--seconds", type=float, default=1200)
    parser.add_argument("--clients", type=int, default=2000)
    parser.add_argument("--stay", type=float, default=60, help="seconds that a person stays, on average; away: a quarter")
    parser.add_argument("--pause", type=float, default=12, help="seconds between two things that a person does")
    run(main, parser)
