#!/usr/bin/env python3
"""People act on rows while their connections are cut and the server is killed: is each action done once, and told always?

    python Tests/Faults/actions.py --binary .build/debug/refreshable --minutes 5 --seed 7
    python Tests/Faults/actions.py --minutes 0.3 --verbose              a line for each round

Two lists: the rows of tasks are files that handlers move (act.sh), refreshed all the time; those of board are pushed. People
archive, flag, check and undo, twice, joined by others, with each other's keys (action_people.py). Each round ends with kill -9:
at a random moment, in the instant in which somebody hears the n-th frame, or by a handler in its first, middle or last
instruction; sometimes with SIGTERM, and too little time. Now and then all are calm, send again what has no outcome yet, and all
that handlers wrote down and people were told is compared (action_history.py).
"""

import asyncio
import contextlib
import itertools
import sys
import time
from collections import Counter, deque
from pathlib import Path
from urllib.parse import quote

# What every frame looks like is known there already.
sys.path.append(str(Path(__file__).parent.parent / "Integration"))

from action_history import RULES, ActionHistory, ActionRules  # noqa: E402
from action_people import AWAY, Person  # noqa: E402
from list_content import canonical  # noqa: E402
from proxy import Proxy  # noqa: E402
from rules import Broken  # noqa: E402
from seeded_random import stream  # noqa: E402
from server import NotServing  # noqa: E402
from store_load import comes_true  # noqa: E402
from trial import Trial, arguments, run  # noqa: E402

ACT = Path(__file__).parent / "act.sh"
MOODS = {"ok": 80, "fail": 8, "first": 2, "half": 2, "last": 3}
# Rows that there are at least.
ROWS = 12
# Seconds within which all that was sent again must have its outcome.
PATIENCE = 20


def lists(folder):
    """Each with actions of a handler; the handlers of tasks change its source."""

    def work(name, what):
        return ["sh", str(ACT), str(folder), name, what, "{key}"]

    def archive(name):
        return {"title": "Archive", "effect": "remove", "command": work(name, "archive"), "undo": work(name, "unarchive")}

    # The rows are those of the moment at which it begins, told a while later.
    source = f"rows=$(ls '{folder}/tasks'); sleep 0.$(($$ % 3)); [ -z \"$rows\" ] || printf '%s\\n' \"$rows\" | sed 's/.*/&\\t&/'"
    return [
        {"name": "tasks", "command": source, "format": "tsv", "fields": {"key": 1, "title": 2},
         "actions": [archive("tasks"), {"title": "Check", "command": work("tasks", "check")}]},
        {"name": "board", "push": True, "actions": [archive("board"), {"title": "Flag", "effect": {"badge": "!"}}]},
    ]  # fmt: skip


class ActionTrial(Trial):
    """The server, those who act, and the rounds."""

    def __init__(self, options):
        super().__init__("actions", options, [], "--drain", "200ms")
        for name in ("tasks", "archived", "struck", "page"):
            (self.folder / name).mkdir()
        self.server.lists = lists(self.folder)
        # An empty page, so that a start takes a tenth of the time.
        self.server.flags += ("--public", self.folder / "page")
        self.rules = ActionRules()
        self.history = ActionHistory(self.rules, self.server, self.folder / "acts.log")
        self.dice = stream(options.seed, "trial")
        self.is_calm = self.is_over = False
        self.trap, self.trapped = 0, asyncio.Event()
        self.counts = Counter()
        self.made = itertools.count(1)
        self.pushed = set()
        # (list, run) that can be undone, and until when.
        self.undoable = deque(maxlen=64)
        # Wishes whose people have left without coming back to them.
        self.orphans = []
        self.people = [Person(number, self) for number in range(options.clients)]

    async def __aenter__(self):
        trial = await super().__aenter__()
        self.began()
        return trial

    def began(self):
        """The server is up: handlers may kill it by its number."""
        (self.folder / "server.pid").write_text(f"{self.server.process.pid}\n")
        self.struck = self.strikes

    @property
    def strikes(self):
        return len(list((self.folder / "struck").iterdir()))

    def proxy(self):
        return Proxy(self.server.port)

    def heard(self, frame):
        """Somebody heard a frame. It may be the one at which the server is to die."""
        if self.trap and frame["type"] in ("patch", "act", "ok"):
            self.trap -= 1
            if self.trap == 0:
                self.server.strike()
                self.trapped.set()

    # MARK: Rows

    async def make_rows(self):
        """There is always something to act on."""
        while not self.is_over:
            with contextlib.suppress(*AWAY, NotServing):
                await self.make_some("tasks", len(list((self.folder / "tasks").iterdir())))
                await self.make_some("board", len((await self.server.rows("board"))[2]))
            await asyncio.sleep(0.3)

    async def make_some(self, name, count):
        for _ in range(0 if self.is_calm else max(0, ROWS - count)):
            mood = self.dice.choices(list(MOODS), list(MOODS.values()))[0]
            key = f"{name[0]}{next(self.made):05}-{mood}-{self.dice.choice(['00', '00', '03', '10', '30'])}"
            if name == "tasks":
                (self.folder / "tasks" / key).touch()
                continue
            body = f'{{"fields":{{"title":"{key}"}},"at":"end"}}'.encode()
            status, _, _ = await self.server.http("PUT", f"/lists/board/rows/{quote(key)}", None, body)
            if status == 201:
                self.pushed.add(key)

    # MARK: Rounds

    async def live(self):
        tasks = [asyncio.create_task(life) for life in [self.make_rows(), *(person.live() for person in self.people)]]
        end = time.monotonic() + self.options.minutes * 60
        while time.monotonic() < end:
            await self.spend_a_round()
            if self.counts["rounds"] % 8 == 0:
                await self.rest()
        await self.rest()
        self.is_over = True
        for task in tasks:
            task.cancel()
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            self.rules.note("shape", result is None or isinstance(result, asyncio.CancelledError), f"{result!r}")

    async def spend_a_round(self):
        self.counts["rounds"] += 1
        lasts, kind, trap = self.dice.uniform(0.3, 3), self.dice.random(), self.dice.randrange(1, 40)
        try:
            async with asyncio.timeout(lasts):
                await self.server.process.wait()
        except TimeoutError:
            await self.end_server(kind, trap)
        if self.server.process.returncode == -9 and self.strikes > self.struck:
            self.counts["strikes"] += 1
        elif self.is_unasked:
            self.rules.note("alive", False, f"it ended with {self.server.process.returncode}: {self.server.tail()}")
        self.is_unasked = True
        await self.server.start(loops=self.dice.choice([1, 1, 3]))
        self.began()
        if self.options.verbose:
            faults = sum(map(len, self.rules.faults.values()))
            print(f"round {self.counts['rounds']}: {len(self.history.wishes)} keys, {faults} faults", flush=True)

    is_unasked = True

    async def end_server(self, kind, trap):
        """kill -9, now or when something is heard; or SIGTERM."""
        self.is_unasked = False
        if kind < 0.2:
            self.counts["stops"] += 1
            status = await self.server.stop()
            is_struck = status == -9 and self.strikes > self.struck
            return self.rules.note("alive", status == 0 or is_struck, f"asked to stop, it ended with {status}: {self.server.tail()}")
        if kind < 0.7:
            self.trapped.clear()
            self.trap = trap
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self.trapped.wait()
            self.trap = 0
        self.counts["kills"] += 1
        return await self.server.kill()

    # MARK: Calm

    async def rest(self):
        """Nobody wants anything new. What has no outcome is sent again, and some that has."""
        self.is_calm = True
        for person in self.people:
            person.proxy.is_calm = True
        self.counts["calms"] += 1
        # A handler may end the server once more, and a connection its own: then all are asked again.
        for _ in range(12):
            await self.revive()
            if await self.ask_again() or self.rules.is_any_broken:
                break
        self.history.read_log()
        self.rules.note("told", not self.untold, lambda: f"no outcome of {self.untold[:3]}; {len(self.untold)} in all")
        await self.compare()
        self.is_calm = False
        for person in self.people:
            person.proxy.is_calm = False

    async def revive(self):
        if not self.server.is_running:
            self.rules.note("alive", self.strikes > self.struck, f"it ended by itself: {self.server.tail()}")
            await self.server.start()
            self.began()
        await comes_true(lambda: all(person.is_watching for person in self.people), PATIENCE)

    @property
    def untold(self):
        return [wish for wish in self.history.wishes.values() if wish.is_open]

    async def ask_again(self):
        """Each key once, by somebody; whether everybody was there all the time, so that all must have been told."""
        closed = [wish for wish in self.history.wishes.values() if not wish.is_open and wish.run][-400:]
        again = self.untold + self.dice.sample(closed, min(len(closed), 2 * len(self.people)))
        before = [person.connections for person in self.people]
        told = [person.ask_again(again[number :: len(self.people)]) for number, person in enumerate(self.people)]
        await asyncio.gather(*told)
        there = lambda: self.server.is_running and before == [person.connections for person in self.people]  # noqa: E731
        waits = lambda: self.untold or any(person.waits for person in self.people)  # noqa: E731
        await comes_true(lambda: not there() or not waits(), PATIENCE)
        return there()

    async def compare(self):
        """What the server has, what all show, what the source has, and what all were told: one."""
        try:
            await self.server.http("POST", "/lists/tasks/refresh")
            for name, source in (("tasks", {file.name for file in (self.folder / "tasks").iterdir()}), ("board", None)):
                epoch, revision, rows = await self.server.rows(name)
                self.history.check_rows(name, dict(rows), source)
                served = [(key, canonical(fields)) for key, fields in rows]
                for person in self.people:
                    is_equal = await comes_true(lambda person=person: person.shows(name, epoch, revision), 10)  # noqa: B023
                    shown = person.replicas[name].content.ordered()
                    self.rules.note("equal", is_equal and shown == served, f"{person.name} shows {shown} of {name}, the server {served}")
        except (*AWAY, NotServing) as fault:
            self.rules.note("alive", False, f"{fault!r}: {self.server.tail()}")


async def main(options):
    trial = ActionTrial(options)
    async with trial:
        began = time.monotonic()
        with contextlib.suppress(Broken):
            await trial.live()
        report(trial, time.monotonic() - began)
    if trial.failed:
        print(f"What the server left is in {trial.folder}")
    return trial.status


def report(trial, seconds):
    runs, counts = trial.history.runs_of_actions.values(), trial.counts
    outcomes = Counter(run.code if run.code == "interrupted" else run.outcome for run in runs)
    shared = sum(len(keys) > 1 for keys in trial.history.keys.values())
    print(
        f"{len(trial.history.wishes)} keys, {len(runs)} runs ({', '.join(f'{count} {name}' for name, count in outcomes.most_common())}; "
        f"{sum(run.undoes is not None for run in runs)} undo another, {shared} have several keys), {counts['kills']} kills, "
        f"{counts['strikes']} by a handler, {counts['stops']} stops, {counts['calms']} calms, "
        f"{sum(person.connections for person in trial.people)} connections, {seconds:.0f} s, seed {trial.options.seed}"
    )
    trial.judge_rules(RULES, trial.rules)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--verbose", action="store_true", help="a line for each round")
    run(main, parser)
