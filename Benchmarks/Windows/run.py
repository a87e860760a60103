#!/usr/bin/env python3
"""Measures a long list of which people look at parts, beside SQLite with the same rows.

    python Benchmarks/Windows/run.py                     a million rows: about two minutes
    python Benchmarks/Windows/run.py --rows 10000000     as many as this
    python Benchmarks/Windows/run.py jump find           these parts alone
    python Benchmarks/Windows/run.py --table             the rows stay in SQLite, and no copy is kept: first, jump, find
    python Benchmarks/Windows/run.py --disk              the rows are on disk, not in memory: load, first, jump, find, refresh, restart

    load       what it takes to read all rows and to keep them, beside sqlite3's .import with a primary key, in turns; and how long
               those wait meanwhile who push to another list
    first      the first window, from the watch to the last byte of its rows
    jump       a look at some other place, beside SQLite's LIMIT and OFFSET, which goes through all rows before it
    watchers   what a commit of 100 rows costs the server where all look at the top, and where they look at many places
    find       a word that few rows have, and one that many have; beside SQLite's LIKE over the same rows
    screen     from a push to the screen of a page, in Chromium; and what that page's script holds
    datasette  the first rows, a jump and a word with Datasette, which tells of no change
    refresh    what it takes to read all rows again where one in a thousand has changed, and where none has, in turns
    restart    the first window after the server was killed

Ratios are of neighbours in the same run: trust those. The rows are read from a TSV file of about 60 bytes a row.
"""

import argparse
import asyncio
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median, quantiles

import websockets

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path += [str(ROOT / f"Benchmarks/{folder}") for folder in ("Sockets", "Cluster", "page")] + [str(ROOT / "Tests/Integration")]

from datasette_server import datasette  # noqa: E402
from results import Results  # noqa: E402
from screen import screen  # noqa: E402

WORDS = "alpha beta gamma delta omega tea coffee cocoa mate juice water milk".split()
SETTINGS = """lists:
  - {name: log, file: {path: log.tsv, size: 1GiB}, format: tsv, fields: {key: 1, title: 2, subtitle: 3, badge: 4}, push: true}
  - {name: other, push: true}
"""
TABLE = """lists:
  - name: log
    sqlite: {file: rows.sqlite, query: "SELECT key, title, subtitle, badge FROM log", window: key}
"""
DISK = """lists:
  - {name: log, command: {run: cat log.tsv, size: 1GiB}, format: tsv, fields: {key: 1, title: 2, subtitle: 3, badge: 4}, resident: false}
  - {name: other, push: true}
"""
TICK = os.sysconf("SC_CLK_TCK")


class Watcher:
    """One connection that looks at parts of the log."""

    def __init__(self, socket):
        self.socket, self.count = socket, 0

    @classmethod
    async def connect(cls, port):
        url = f"ws://localhost:{port}/ws"
        return cls(await websockets.connect(url, subprotocols=["refreshable.v1"], max_size=None, compression=None))

    async def ask(self, kind, window):
        """(seconds, bytes, ok): until the last row of the window is there."""
        self.count += 1
        start, size, ok = time.perf_counter(), 0, None
        message = {"type": kind, "id": str(self.count), "list": "log", "window": window}
        await self.socket.send(json.dumps(message))
        while True:
            text = await self.socket.recv()
            frame = json.loads(text)
            if frame.get("id") == str(self.count):
                ok = frame
                assert ok["type"] == "ok", ok
            if ok:
                size += len(text.encode())
            if ok and frame["type"] == "snapshot" and frame["last"]:
                return time.perf_counter() - start, size, ok

    async def wait_for(self, holds):
        while not holds(frame := json.loads(await self.socket.recv())):
            pass
        return frame


def size(row):
    """The bytes of a row's key and fields."""
    key, title, subtitle, badge = row
    return len(key) + len(json.dumps({"title": title, "subtitle": subtitle, "badge": badge}, separators=(",", ":")))


def is_over(frame):
    """Its rows are there: they come before `closing`, which lasts as long as people see a refresh close."""
    if not (frame["type"] == "state" and frame["phase"] != "loading" and frame.get("last")):
        return False
    assert frame["last"]["outcome"] == "success", frame
    return True


class Log:
    """A server with one long list, and the same rows in SQLite."""

    def __init__(self, binary, rows, folder, settings=SETTINGS):
        self.binary = binary
        self.rows, self.folder, dice = rows, Path(folder), random.Random(1)
        self.database = sqlite3.connect(self.folder / "rows.sqlite")
        self.database.execute("CREATE TABLE log (key TEXT PRIMARY KEY, title TEXT, subtitle TEXT, badge TEXT)")

        self.size = 0

        def row(number):
            title = f"{dice.choice(WORDS)} number {number} {dice.choice(WORDS)}"
            return f"k{number}", title, f"{dice.choice(WORDS)} line of text", str(dice.randrange(1000))

        with (self.folder / "log.tsv").open("w") as file:
            for first in range(0, rows, 10_000):
                some = [row(number) for number in range(first, min(first + 10_000, rows))]
                self.database.executemany("INSERT INTO log VALUES (?, ?, ?, ?)", some)
                self.size += sum(map(size, some))
                file.writelines("\t".join(one) + "\n" for one in some)
        self.database.commit()
        (self.folder / "lists.yaml").write_text(settings)
        self.start()

    def start(self):
        command = [self.binary, "serve", "lists.yaml", "--port", "0", "--data", "data"]
        self.process = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        self.port = int(line.rstrip("/\n").rsplit(":", 1)[1])

    def restart(self, afresh=False):
        self.end()
        if afresh:
            shutil.rmtree(self.folder / "data")
        self.start()

    async def load(self):
        watcher = await Watcher.connect(self.port)
        start = time.perf_counter()
        await watcher.ask("watch", {"count": 1})
        await watcher.wait_for(is_over)
        return watcher, time.perf_counter() - start

    def alter(self):
        """Has one row in a thousand be another, where they are read from."""
        file = self.folder / "log.tsv"
        lines = file.read_text().splitlines(keepends=True)
        lines[::1000] = [line.rstrip("\n") + "0\n" for line in lines[::1000]]
        # At once: a file that grows while it is read is read again.
        new = file.with_suffix(".new")
        new.write_text("".join(lines))
        new.rename(file)

    async def request(self, watcher):
        await watcher.socket.send(json.dumps({"type": "refresh", "id": "r", "list": "log", "key": str(time.perf_counter())}))

    async def run(self, watcher):
        """Seconds of a run that begins soon, as a client sees it."""
        await watcher.wait_for(lambda frame: frame["type"] == "state" and frame["phase"] == "loading")
        start = time.perf_counter()
        await watcher.wait_for(is_over)
        return time.perf_counter() - start

    @asynccontextmanager
    async def pushes_beside(self):
        """Pushes to another list meanwhile. Gives how long that took, in milliseconds."""
        times = []

        async def push():
            while True:
                start = time.perf_counter()
                await self.push([{"key": "k", "fields": {"title": str(start)}}], to="other")
                times.append((time.perf_counter() - start) * 1000)
                await asyncio.sleep(0.02)

        pushing = asyncio.create_task(push())
        yield times
        pushing.cancel()
        await asyncio.gather(pushing, return_exceptions=True)

    def processor_time(self):
        """Seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    @property
    def memory(self):
        """(now, at its most) in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return [int(status.split(f"{name}:")[1].split()[0]) / 1024 for name in ("VmRSS", "VmHWM")]

    def imported(self):
        """How many seconds sqlite3 takes to import the same file; None where it is not there."""
        if not shutil.which("sqlite3"):
            return None
        (self.folder / "imported.sqlite").unlink(missing_ok=True)
        table = "CREATE TABLE log (key TEXT PRIMARY KEY, title TEXT, subtitle TEXT, badge TEXT);"
        start = time.perf_counter()
        subprocess.run(
            ["sqlite3", "imported.sqlite"], cwd=self.folder, text=True, check=True,
            input=f"{table}\n.mode tabs\n.import log.tsv log\n",
        )  # fmt: skip
        return time.perf_counter() - start

    def sqlite(self, query, *values):
        start = time.perf_counter()
        rows = self.database.execute(query, values).fetchall()
        return time.perf_counter() - start, rows

    async def push(self, rows, to="log"):
        body = json.dumps({"set": rows}).encode()
        reader, writer = await asyncio.open_connection("localhost", self.port)
        head = (
            f"PATCH /lists/{to} HTTP/1.1\r\nHost: localhost:{self.port}\r\nContent-Type: application/json\r\n"
            f"Connection: close\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        writer.write(head.encode() + body)
        answer = await reader.read()
        assert b" 200 " in answer[:20], answer[:300]
        writer.close()

    def end(self):
        self.process.kill()
        self.process.wait()


def add_pushes(results, times):
    results.add("    a push to another list meanwhile, 99th percentile", quantiles(times, n=100)[98], "ms", most=20)


async def load(log, results, given):
    if given.table:
        watcher, seconds = await log.load()
        results.add(f"{given.rows:,} rows of a table counted and the first of them shown", seconds, "s")
        return watcher
    ours, theirs = [], []
    for turn in range(given.turns):
        if turn:
            log.restart(afresh=True)
        watcher, seconds = await log.load()
        ours.append(seconds)
        if imported := await asyncio.to_thread(log.imported):
            theirs.append(imported)
        await watcher.socket.close()
    log.restart(afresh=True)
    async with log.pushes_beside() as times:
        watcher, _ = await log.load()
    results.add(f"{given.rows:,} rows read from TSV and shown", median(ours), "s")
    if theirs:
        results.add(f"    beside sqlite3's .import, {median(theirs):.1f} s", median(ours) / median(theirs), "×", most=2)
    add_pushes(results, times)
    # What the run has held is let go in the background.
    await asyncio.sleep(1)
    return watcher


async def first(log, watcher, results, given):
    times = []
    for _ in range(20):
        other = await Watcher.connect(log.port)
        seconds, size, _ = await other.ask("watch", {"first": 0, "count": 60})
        times.append(seconds * 1000)
        await other.socket.close()
    results.add(f"the first window of {log.rows:,} rows", median(times), "ms", most=50)
    results.add("its rows and its ok", size / 1024, "KiB", most=64)


async def jump(log, watcher, results, given):
    dice, ours, theirs = random.Random(2), [], []
    for _ in range(200):
        index = dice.randrange(log.rows)
        ours.append((await watcher.ask("look", {"first": index, "count": 60}))[0] * 1000)
        # As often as a connection may.
        await asyncio.sleep(0.06)
    for _ in range(20):
        theirs.append(log.sqlite("SELECT * FROM log LIMIT 60 OFFSET ?", dice.randrange(log.rows))[0] * 1000)
    results.add("a jump, median", median(ours), "ms", most=30)
    results.add("a jump, 99th percentile", quantiles(ours, n=100)[98], "ms", most=30)
    results.add("SQLite: LIMIT 60 OFFSET n, median", median(theirs), "ms")


async def watchers(log, watcher, results, given):
    """All at the top, then at as many places as there are; what the server's processor does for each commit."""
    costs = {}
    for places in (1, given.places):
        crowd = []
        # Some at a time: this program takes longer over a handshake than the server.
        while len(crowd) < given.watchers:
            crowd += await asyncio.gather(*(Watcher.connect(log.port) for _ in range(min(100, given.watchers - len(crowd)))))
        for number, one in enumerate(crowd):
            await one.ask("watch", {"first": number % places * (log.rows // places), "count": 60})
        readers = [asyncio.create_task(one.wait_for(lambda frame: False)) for one in crowd]
        await asyncio.sleep(1)
        before = log.processor_time()
        for commit in range(given.commits):
            # The last rows come on top, which concerns everybody: all windows lie elsewhere.
            last = log.rows - 1 - 100 * (commit + (places > 1) * given.commits)
            await log.push([{"key": f"k{number}", "at": "top"} for number in range(last, last - 100, -1)])
        await asyncio.sleep(1)
        costs[places] = (log.processor_time() - before) * 1000 / given.commits
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
        await asyncio.gather(*(one.socket.close() for one in crowd))
        results.add(f"a commit of 100 rows, {given.watchers:,} watchers at {places:,} places", costs[places], "ms of processor time")
    results.add("many places, beside all at the top", costs[given.places] / costs[1], "×", most=1.3)


async def find(log, watcher, results, given):
    for what, words in (("one row", str(log.rows - 1)), ("no row", "nobody"), ("every fourth row", "tea")):
        start = time.perf_counter()
        seconds, _, ok = await watcher.ask("look", {"find": words, "count": 60})
        if ok.get("searching"):
            ok = await watcher.wait_for(lambda frame: frame["type"] == "snapshot" and "searching" not in frame)
        whole = time.perf_counter() - start
        await watcher.ask("look", {"count": 60})
        like = "SELECT count(*) FROM log WHERE title LIKE ?1 OR subtitle LIKE ?1 OR badge LIKE ?1"
        theirs, [(count,)] = log.sqlite(like, f"%{words}%")
        assert ok["total"] == count, (ok, count)
        # A table lies where SQLite has it: what only one row has is found no sooner than all of it was read.
        limit = None if given.table and count < 2 else 100
        results.add(f"found: {what}, the first of it", seconds * 1000, "ms", digits=0, most=limit)
        # What is found in one of four rows is a list of 250,000 rows, with an order of its own, which LIKE does not make.
        bar = {"most": 2 if given.table else 1 if given.disk else 0.5} if count < 2 else {}
        results.add(f"    all of it, beside SQLite's LIKE, {theirs * 1000:.0f} ms", whole / theirs, "×", **bar)


async def refresh(log, watcher, results, given):
    nothing, changed, waits = [], [], []
    for _ in range(given.turns):
        await log.request(watcher)
        nothing.append(await log.run(watcher))
        # Not meanwhile: the pushes would wait for this program.
        log.alter()
        async with log.pushes_beside() as times:
            # A list follows its file by itself.
            if given.disk:
                await log.request(watcher)
            changed.append(await log.run(watcher))
        waits += times
    results.add("a refresh that reads all rows and finds nothing new", median(nothing), "s")
    results.add("a refresh of which one row in a thousand has changed", median(changed), "s")
    results.add("    beside the one that finds nothing new", median(changed) / median(nothing), "×", most=1.2)
    add_pushes(results, waits)
    results.add("    memory of the server then", log.memory[0], "MiB", digits=0)


async def restart(log, watcher, results, given):
    await watcher.socket.close()
    log.restart()
    other = await Watcher.connect(log.port)
    seconds, _, ok = await other.ask("watch", {"first": 0, "count": 100})
    assert ok["total"] == log.rows, ok
    results.add("the first window after a kill", seconds * 1000, "ms", most=100)
    if not given.disk:
        start = time.perf_counter()
        await other.ask("look", {"first": log.rows // 2, "count": 60})
        seconds += time.perf_counter() - start
        results.add("    any other, when all rows have been read", seconds, "s")
        if imported := await asyncio.to_thread(log.imported):
            results.add(f"    beside sqlite3's .import, {imported:.1f} s", seconds / imported, "×", most=1)
    results.add("memory of the server then", log.memory[0], "MiB", digits=0)


PARTS = {part.__name__: part for part in (first, jump, watchers, find, screen, datasette, refresh, restart)}
# What can be asked of lists whose rows are not in memory, and of those whose rows are.
OF_TABLES, OF_DISKS = ["first", "jump", "find"], ["first", "jump", "find", "refresh", "restart"]
OF_MEMORY = list(PARTS)


async def main(given):
    results = Results()
    with tempfile.TemporaryDirectory(prefix="refreshable-windows-") as folder:
        settings = TABLE if given.table else DISK if given.disk else SETTINGS
        log = Log(given.binary.resolve(), given.rows, folder, settings)
        try:
            watcher = await load(log, results, given)
            now, most = log.memory
            results.add("memory of the server then", now, "MiB", digits=0)
            if not given.table and not given.disk:
                results.add("    beside the bytes of keys and fields", now / log.size * 2**20, "×")
                results.add("    besides them, for each row", (now * 2**20 - log.size) / log.rows, "bytes", digits=0, most=200)
            results.add("    at its most", most, "MiB", digits=0, most=300 if given.disk else None)
            for name in given.parts:
                print(f"  {name} …", file=sys.stderr, flush=True)
                await PARTS[name](log, watcher, results, given)
        finally:
            log.end()
    results.show()
    return 1 if given.check and results.missed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; default: all")
    parser.add_argument("--binary", type=Path, default=ROOT / ".build/release/refreshable")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--places", type=int, default=500)
    parser.add_argument("--commits", type=int, default=20)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--disk", action="store_true")
    parser.add_argument("--turns", type=int, default=3, help="how often what varies much is measured, for its median")
    parser.add_argument("--check", action="store_true", help="fail if a bar is missed")
    arguments = parser.parse_args()
    if unknown := [part for part in arguments.parts if part not in PARTS]:
        parser.error(f"don't know {', '.join(unknown)}; known are {', '.join(PARTS)}")
    arguments.parts = arguments.parts or (OF_TABLES if arguments.table else OF_DISKS if arguments.disk else OF_MEMORY)
    sys.exit(asyncio.run(main(arguments)))
