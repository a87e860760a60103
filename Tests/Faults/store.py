#!/usr/bin/env python3
"""Store faults by a seed, under load: flip, cut, swap, restore, delete, lock, fill, and ends, one after another.

    python Tests/Faults/store.py --binary .build/debug/refreshable --faults 500 --seed 7
    python Tests/Faults/store.py --faults 20 --seed 7 --verbose         a line for each fault

Three programs push, three people watch and come back, and one reads by GET (store_load.py), while the file is damaged,
replaced, held, or has no room (store_faults.py). Held against the server, all the time: no (list, epoch, revision) has two
contents, no row is served that was not written, nothing that was acknowledged is missing from its epoch (store_history.py).
After each fault: the log names every refusal; then the store is put right as Documentation/Operating.md says, and must serve.
A full disk is a small file system in memory, which needs root; without it that fault is left out.
"""

import asyncio
import contextlib
import shutil
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

# What every frame looks like is known there already.
sys.path.append(str(Path(__file__).parent.parent / "Integration"))

from seeded_random import stream  # noqa: E402
from rules import Broken  # noqa: E402
from server import NotServing  # noqa: E402
from store_faults import HEALS_WITHIN, KINDS, StoreFaults  # noqa: E402
from store_history import RULES, History, Seals, StoreRules  # noqa: E402
from store_load import AWAY, NAMES, PUSHED, Load, comes_true  # noqa: E402
from trial import Trial, arguments, run  # noqa: E402

# Of the disk: some times what the store is.
ROOM = "48m"
# Copies of the store that are kept as backups.
COPIES = 4


def lists(folder):
    """Two small ones, one of several pages, and one whose rows a command brings."""
    feed = {"name": "feed", "command": f"cat '{folder / 'feed.tsv'}'", "format": "tsv",
            "fields": {"key": 1, "title": 2, "subtitle": 3, "detail": 4}}  # fmt: skip
    return [*({"name": name, "push": True} for name in PUSHED), feed]


class StoreTrial(Trial):
    """The server, its disk, its backups, and what is known of it."""

    def __init__(self, options):
        super().__init__("store", options, [])
        self.server.lists = lists(self.folder)
        # An empty page, so that a start takes a tenth of the time.
        (self.folder / "page").mkdir()
        self.server.flags = ("--public", self.folder / "page")
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        self.server.data = self.disk / "data"
        self.is_small = self.mount()
        self.rules = StoreRules()
        self.history = History(self.rules, Seals(options.seed))
        self.load = Load(options.seed, self.server, self.history, self.rules)
        self.faults = StoreFaults(self)
        self.copies = []
        self.counts = Counter()
        self.told = []
        # The newest start that this run has ended, and whether the newest was refused.
        self.ended, self.is_refused = 0, False
        self.shown = Counter()
        self.kept = 0

    def mount(self):
        """Whether the disk is one that can be filled."""
        try:
            command = ["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs", self.disk]
            return subprocess.run(command, capture_output=True, check=False).returncode == 0
        except OSError:
            return False

    async def __aexit__(self, *fault):
        try:
            await super().__aexit__(*fault)
        finally:
            if self.is_small:
                subprocess.run(["umount", "--lazy", self.disk], check=False)
                if not self.failed and not fault[0]:
                    shutil.rmtree(self.folder, ignore_errors=True)

    # MARK: One fault after another

    async def befall_all(self):
        kinds = {kind: weight for kind, weight in KINDS.items() if kind != "fill" or self.is_small}
        for number in range(1, self.options.faults + 1):
            dice = stream(self.options.seed, "fault", number)
            kind = dice.choices(list(kinds), list(kinds.values()))[0]
            await asyncio.sleep(dice.uniform(0.02, 0.25))
            broken = self.broken
            await self.befall(number, kind, dice)
            self.counts[kind] += 1
            if self.options.verbose or self.broken > broken:
                print(f"{'✘' if self.broken > broken else ' '} {number} {kind}: {'; '.join(self.told)}", flush=True)
            if self.broken > broken:
                self.tell_faults()
                self.keep(number)

    @property
    def broken(self):
        return sum(map(len, self.rules.faults.values()))

    async def befall(self, number, kind, dice):
        self.told = []
        if len(self.copies) < 2 or dice.random() < 0.3:
            await asyncio.to_thread(self.back_up)
        self.rules.moment = f"fault {number} ({kind})"
        self.since = (self.server.starts, self.server.log.stat().st_size)
        self.load.refusals.first.clear()
        try:
            is_sound = await self.faults.befall(kind, dice)
            await self.check_named()
            if not is_sound:
                self.tell("restored")
                await self.put_right(dice)
        except Broken:
            await self.put_right(dice)
        except (*AWAY, NotServing, sqlite3.Error) as fault:
            self.rules.note("serves", False, f"{fault!r} {'; '.join(self.told)}")
            await self.put_right(dice)
        if not await self.check_serves():
            await self.put_right(dice)

    def tell(self, what):
        self.told.append(what)
        self.rules.moment = f"{self.rules.moment.split(':')[0]}: {'; '.join(self.told)}"

    def tell_faults(self):
        """What broke, the first of each rule and fault."""
        for rule, faults in self.rules.faults.items():
            for fault in faults[self.shown[rule] :][:2]:
                print(f"    {rule}: {fault}", flush=True)
            self.shown[rule] = len(faults)

    def keep(self, number):
        """What the store was like where something broke, for the first few."""
        self.kept += 1
        if self.kept <= 3 and self.server.data.exists():
            shutil.copytree(self.server.data, self.folder / f"data-{number}", dirs_exist_ok=True)

    # MARK: Begin and end

    async def end_server(self, dice):
        """kill -9, or SIGTERM with a status that the log explains."""
        if not self.server.is_running:
            return self.died()
        self.ended = self.server.starts
        if dice.random() < 0.5:
            self.tell("killed")
            return await self.server.kill()
        self.tell("stopped")
        try:
            status = await self.server.stop(20)
        except TimeoutError:
            self.rules.note("alive", False, "it did not end within 20 s of SIGTERM")
            return await self.server.kill()
        self.rules.note("alive", status >= 0, f"it ended by signal {-status} when it was asked to: {self.server.tail()}")
        self.rules.note("named", status == 0 or self.names(str(self.faults.file)), f"it ended with {status}: {self.server.tail()}")
        return None

    def died(self):
        process = self.server.process
        if process is not None and self.ended < self.server.starts and not self.is_refused:
            self.rules.note("alive", False, f"it ended with {process.returncode}: {self.server.tail()}")

    async def start_server(self):
        """Starts it, or finds out in its log why not."""
        self.is_refused = False
        try:
            await self.server.start(loops=self.options.loops)
        except NotServing as fault:
            self.tell("refused to start")
            self.is_refused = True
            if self.server.is_running:
                await self.server.kill()
                self.rules.note("serves", False, f"{fault}")
                return
            status = self.server.process.returncode
            self.rules.note("alive", status > 0, f"it ended by signal {-status} at its start: {fault}")
            self.rules.note("named", self.names(str(self.server.data)), f"it did not start: {fault}")
            self.counts["refused starts"] += 1

    def back_up(self):
        """As Documentation/Operating.md does it."""
        copy = self.folder / f"copy-{time.monotonic_ns()}.sqlite"
        with contextlib.closing(sqlite3.connect(self.faults.file, timeout=10)) as live, contextlib.closing(sqlite3.connect(copy)) as target:
            live.backup(target)
        self.copies.append(copy)
        # The first one stays: it is as old as can be.
        for old in self.copies[1:-COPIES]:
            old.unlink()
            self.copies.remove(old)

    async def put_right(self, dice):
        """Stop, put `lists.sqlite` alone into an empty folder, start: all lists are in new epochs."""
        await self.end_server(dice)
        known = set(self.history.newest)
        shutil.rmtree(self.server.data, ignore_errors=True)
        self.server.data.mkdir(mode=0o700)
        shutil.copyfile(dice.choice(self.copies), self.faults.file)
        await self.start_server()
        self.rules.note("epoch", await self.has_new_epochs(known), "a restored copy is in an epoch that was seen")

    # MARK: Looking

    async def look(self):
        """Everybody has been told something; each list is asked for, so that it is read."""
        if not self.server.is_running:
            self.died()
            return
        for name in NAMES:
            with contextlib.suppress(*AWAY, Broken):
                await self.load.get(name)
        await asyncio.sleep(0.05)

    async def epochs(self):
        """By list, where all can be read."""
        try:
            documents = [await self.load.get(name) for name in NAMES]
        except (*AWAY, Broken):
            return None
        return None if None in documents else {name: document["epoch"] for name, document in zip(NAMES, documents, strict=True)}

    async def has_new_epochs(self, known):
        epochs = await self.epochs()
        return epochs is not None and not any((name, epoch) in known for name, epoch in epochs.items())

    # MARK: Judging

    def log_since(self):
        """What the log has said since the fault, over all starts."""
        start, offset = self.since
        first = (self.folder / f"server-{start}.log").read_bytes()[offset:].decode(errors="replace")
        later = ((self.folder / f"server-{number}.log").read_text(errors="replace") for number in range(start + 1, self.server.starts + 1))
        return "\n".join([first, *later])

    def names(self, *words):
        """Whether a line since the fault that says what can't be done has one of these."""
        return any(word in line for line in self.log_since().splitlines() if "Cannot " in line for word in words)

    async def check_named(self):
        for name, refusal in list(self.load.refusals.first.items()):
            words = (f"list={name}", f'"{name}"', str(self.faults.file))
            await comes_true(lambda words=words: self.names(*words), 1)
            self.rules.note("named", self.names(*words), f"{name} was refused ({refusal}); the log since: {self.log_since()[-1000:]}")

    async def check_serves(self):
        """Each list is read, pushed to, and shown to all; and nothing is in doubt."""
        missing = ["not looked at"]
        deadline = time.monotonic() + HEALS_WITHIN
        while missing and time.monotonic() < deadline and self.server.is_running:
            try:
                missing = [name for name in NAMES if not await self.serves(name)]
                status, _, text = await self.server.http("GET", "/readyz")
                missing += [] if status == 200 else [f"/readyz {text}"]
            except (*AWAY, Broken) as fault:
                missing = [f"{fault!r}"]
            await asyncio.sleep(0.02 if not missing else 0.2)
        return self.rules.note("serves", not missing, lambda: f"{missing} within {HEALS_WITHIN} s; {self.server.tail()}")

    async def serves(self, name):
        if name in PUSHED:
            number, fields = self.history.seals.row(name, "check")
            path = f"/lists/{name}/rows/check"
            if not await self.load.push(name, "PUT", path, {"fields": fields}, {"check": (number, False)}):
                return False
        document = await self.load.get(name)
        where = document and (name, document["epoch"], document["revision"])
        return document and await comes_true(lambda: all(watcher.shows(*where) for watcher in self.load.watchers), 4)


async def change_feed(trial, dice):
    """The source of the list that a command brings, changed and refreshed all the time."""
    while True:
        write_feed(trial.folder, trial.history.seals, dice)
        await asyncio.sleep(dice.uniform(0.2, 2))
        with contextlib.suppress(*AWAY, Broken):
            await trial.load.refresh("feed")


def write_feed(folder, seals, dice):
    rows = []
    for number in range(dice.randint(5, 40)):
        _, fields = seals.row("feed", f"f{number}", 16)
        rows.append(f"f{number}\t{fields['title']}\t{fields['subtitle']}\t{fields['detail']}\n")
    (folder / "feed.new").write_text("".join(rows))
    (folder / "feed.new").replace(folder / "feed.tsv")


async def main(options):
    trial = StoreTrial(options)
    if not trial.is_small:
        print("No file system can be mounted here: fill is left out.")
    tasks = [asyncio.create_task(change_feed(trial, stream(options.seed, "feed")))]
    await asyncio.sleep(0)
    async with trial:
        began = time.monotonic()
        tasks += trial.load.tasks()
        trial.rules.note("serves", await trial.check_serves(), "at the beginning")
        await trial.befall_all()
        trial.load.is_over = True
        for task in tasks:
            task.cancel()
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            trial.rules.note("shape", result is None or isinstance(result, asyncio.CancelledError), f"{result!r}")
        report(trial, time.monotonic() - began)
    if trial.failed:
        print(f"What the server left is in {trial.folder}")
    return trial.status


def report(trial, seconds):
    load, counts = trial.load, trial.counts
    print("faults: " + ", ".join(f"{counts[kind]} {kind}" for kind in KINDS))
    print(
        f"{load.pushes} pushes, {load.reads} reads, {load.snapshots} snapshots, {load.refusals.count} refusals, "
        f"{len(trial.history.ordered)} contents, {trial.server.starts} starts, {counts['refused starts']} refused, "
        f"a GET took {trial.faults.slowest:.2f} s at most while the file was held; "
        f"{seconds:.0f} s, seed {trial.options.seed}"
    )
    trial.judge_rules(RULES, trial.rules)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--faults", type=int, default=500)
    parser.add_argument("--verbose", action="store_true", help="a line for each fault")
    run(main, parser)
