"""A server of its own for each test: started in a temporary folder, stopped by its process id."""

import asyncio
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

# Set by run.py.
BINARY = Path("refreshable")
# The version before, where an upgrade from it is tested.
FORMER_BINARY: Path | None = None


class Folder:
    """A temporary folder with the files that lists are made from, and logs that commands write."""

    def __init__(self):
        self.path = Path(tempfile.mkdtemp(prefix="refreshable-"))

    def __truediv__(self, name):
        return self.path / name

    def write(self, name, rows):
        """Puts (key, title) rows into a file, whole at once, so that no command reads half of it."""
        scratch = self.path / f".{name}"
        scratch.write_text("".join(f"{key}\t{title}\n" for key, title in rows))
        scratch.rename(self.path / name)

    def lines(self, name):
        """What a command has logged until now."""
        file = self.path / name
        return file.read_text().splitlines() if file.exists() else []

    def remove(self):
        shutil.rmtree(self.path, ignore_errors=True)


def tsv(name, command, **settings):
    """A list whose rows are a shell line's output: key TAB title."""
    return {
        "name": name,
        "command": command,
        "format": "tsv",
        "fields": {"key": 1, "title": 2},
        **settings,
    }


def file_list(folder, name="fruit", **settings):
    """A list that shows FOLDER/NAME.tsv and adds a line to FOLDER/NAME.log for each run."""
    return tsv(name, f"echo run >> '{folder / name}.log'; cat '{folder / name}.tsv'", **settings)


def slow_list(folder, name="slow", seconds=0.7, **settings):
    """The same, taking as long as FOLDER/NAME.delay says. It logs when a run begins and ends (ms since 1970)."""
    log, rows, delay = folder / f"{name}.log", folder / f"{name}.tsv", folder / f"{name}.delay"
    delay.write_text(str(seconds))
    now = "date +%s%3N"
    return tsv(
        name,
        f"echo begin $({now}) >> '{log}'; sleep $(cat '{delay}'); cat '{rows}'; echo end $({now}) >> '{log}'",
        **settings,
    )


class Server:
    """One `refreshable serve`; use it with `async with`."""

    def __init__(self, lists, *flags, folder=None, ephemeral=False):
        self.folder = folder or Folder()
        self.lists, self.flags, self.ephemeral = lists, flags, ephemeral
        self.name = "server"
        # Beside this process's own.
        self.environment = {}
        self.process = None
        self.port = None
        self.starts = 0

    async def __aenter__(self):
        await self.start()
        return self

    async def __aexit__(self, _, fault, __):
        if self.process and self.process.returncode is None:
            await self.kill()
        if fault:
            fault.add_note(f"The server's log ends:\n{self.log[-2000:]}")
        else:
            self.folder.remove()

    @property
    def pid(self):
        return self.process.pid

    @property
    def url(self):
        return f"http://localhost:{self.port}"

    @property
    def log(self):
        """All that the server has written since its newest start."""
        return self.log_file.read_text(errors="replace")

    @property
    def storage(self):
        """The flags that say where its lists are stored."""
        return ["--ephemeral"] if self.ephemeral else ["--data", str(self.folder / "data")]

    def arguments(self):
        """The command line of this server."""
        settings = self.folder / "lists.yaml"
        scratch = self.folder / f".{self.name}.yaml"
        scratch.write_text(json.dumps({"lists": self.lists}, indent=2))  # JSON is YAML, too
        scratch.rename(settings)
        return [str(BINARY), "serve", str(settings), "--port", "0", *self.storage, *self.flags]

    async def start(self):
        """Starts it and waits for its one line that says where it serves."""
        self.starts += 1
        self.log_file = self.folder / f"{self.name}-{self.starts}.log"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("REFRESHABLE_")}
        with open(self.log_file, "wb") as log:
            self.process = await asyncio.create_subprocess_exec(
                *self.arguments(), stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log,
                cwd=self.folder.path, env={**environment, **self.environment},
            )  # fmt: skip
        self.port = await self.wait_for_port()

    async def wait_for_port(self, seconds=20):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if match := re.search(r"Serving (\d+) lists? at https?://localhost:(\d+)/", self.log):
                assert int(match.group(1)) == len(self.lists), f"it says {match.group(0)}, of {len(self.lists)} lists"
                return int(match.group(2))
            if self.process.returncode is not None:
                raise AssertionError(f"the server ended with status {self.process.returncode}:\n{self.log}")
            await asyncio.sleep(0.02)
        raise AssertionError(f"no line 'Serving N lists at http://localhost:PORT/' in {seconds} s:\n{self.log}")

    async def stop(self, seconds=10):
        """Asks it to stop, and gives its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return await asyncio.wait_for(self.process.wait(), seconds)

    async def kill(self):
        """The end without a warning: kill -9."""
        self.process.kill()
        await self.process.wait()

    async def restart(self, clean=True):
        """Stops or kills it, and starts it again on the same data and, if it can be had, the same port."""
        if clean:
            status = await self.stop()
            assert status == 0, f"a stopped server ended with status {status}:\n{self.log}"
        else:
            await self.kill()
        await self.start()

    def resident(self):
        """Its resident memory in bytes, without what it shares with files."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
        raise AssertionError("the kernel did not say RssAnon")

    async def http(self, method, path, headers=None, body=None, within=10):
        """One request on a connection of its own: (status, headers with lower-case names, body)."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            return await exchange(
                reader, writer, method, path, {"Host": f"localhost:{self.port}", **(headers or {})}, body, within
            )
        finally:
            writer.close()

    async def json(self, path):
        """The JSON that a GET answers."""
        status, _, body = await self.http("GET", path)
        assert status == 200, f"GET {path} answers {status}: {body[:200]}"
        return json.loads(body)

    async def refresh(self, name, within=30):
        """POST /lists/NAME/refresh, which waits for the outcome."""
        path = f"/lists/{name}/refresh"
        status, _, body = await self.http("POST", path, {"Content-Length": "0"}, within=within)
        return status, json.loads(body)

    async def rows(self, name):
        """The server's rows in order: [(key, fields)]."""
        return [(row["key"], row["fields"]) for row in (await self.json(f"/lists/{name}"))["rows"]]


async def exchange(reader, writer, method, path, headers, body=None, within=10):
    """Writes one request on an open connection and reads its answer."""
    if body is not None:
        headers = {**headers, "Content-Length": str(len(body))}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items() if value is not None)
    writer.write(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + (body or b""))
    status, answer = await read_head(reader, within)
    length = int(answer.get("content-length", 0))
    content = b"" if method == "HEAD" or status in (101, 204, 304) else await reader.readexactly(length)
    return status, answer, content


async def read_head(reader, within=10):
    """(status, headers with lower-case names) of an answer."""
    head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), within)).decode("latin-1")
    first, *lines = head.split("\r\n")
    headers = {}
    for line in filter(None, lines):
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    return int(first.split(" ")[1]), headers


TESTS = []


def test(limit=30, alone=False, one_node=False):
    """Marks an async function as a test; its name is the rule it holds. `limit` is in seconds. One that is `alone` runs beside
    no other: it measures times, or uses the whole machine. One of `one_node` is of what a server has to itself, such as its
    address, its counters and its log, and is no test of a cluster.
    """

    def register(function):
        TESTS.append((function, limit))
        function.is_alone, function.is_of_one_node = alone, one_node
        return function

    return register


def sentence(function):
    """A test's name as people read it."""
    return f"{function.__module__}: {function.__name__.replace('_', ' ')}"


async def eventually(holds, seconds=5, what="it never became so"):
    """Waits until a condition holds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds():
            return
        await asyncio.sleep(0.02)
    raise AssertionError(f"not within {seconds} s: {what}")


def say(text):
    print(text, file=sys.stdout, flush=True)
