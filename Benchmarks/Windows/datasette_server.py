"""The same rows in Datasette, where people would look at them otherwise: over HTTP, and told of no change."""

import http.client
import json
import os
import random
import shutil
import subprocess
import sys
import time
import urllib.parse
from pathlib import Path
from statistics import median

from ports import free_port


class Datasette:
    def __init__(self, database):
        # Beside this Python, where Scripts/setup puts it, or wherever there is one.
        command = shutil.which("datasette", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
        if not command:
            raise FileNotFoundError("Datasette is not here: Scripts/setup bench installs it")
        port = free_port()
        flags = ["--port", str(port), "--setting", "sql_time_limit_ms", "60000"]
        self.process = subprocess.Popen([command, "serve", database, *flags], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.name = database.stem
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        deadline = time.monotonic() + 30
        while not self.answers():
            if time.monotonic() > deadline:
                self.close()
                raise TimeoutError("Datasette does not answer within 30 s")
            time.sleep(0.1)

    def answers(self):
        try:
            self.http.connect()
        except ConnectionRefusedError:
            return False
        return True

    def ask(self, path, **query):
        """(seconds, rows)"""
        start = time.perf_counter()
        self.http.request("GET", f"/{self.name}{path}.json?{urllib.parse.urlencode(query | {'_shape': 'array'})}")
        answer = self.http.getresponse()
        rows = json.loads(answer.read())
        assert answer.status == 200, rows
        return time.perf_counter() - start, rows

    def close(self):
        self.process.kill()
        self.process.wait()


async def datasette(log, watcher, results, given):
    """The first rows, a jump and a word that few rows have; it has no other way to a place than SQLite's OFFSET."""
    try:
        server = Datasette(log.folder / "rows.sqlite")
    except FileNotFoundError as fault:
        return results.miss(f"{fault}")
    try:
        dice = random.Random(3)
        first = [server.ask("/log", _size=60)[0] * 1000 for _ in range(20)]
        query = "SELECT * FROM log LIMIT 60 OFFSET :n"
        jumps = [server.ask("", sql=query, n=dice.randrange(log.rows))[0] * 1000 for _ in range(20)]
        found, rows = server.ask("/log", _size=60, title__contains=f"number {log.rows - 1} ")
        assert len(rows) == 1, rows
        results.add("Datasette: the first 60 rows, median", median(first), "ms")
        results.add("Datasette: LIMIT 60 OFFSET n, median", median(jumps), "ms")
        results.add("Datasette: one row found by a word of its title", found * 1000, "ms", digits=0)
    finally:
        server.close()
