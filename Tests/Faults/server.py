"""The server under test: started again and again on one data folder and one port."""

import asyncio
import contextlib
import functools
import json
import mmap
import os
import re
import shutil
import signal
import ssl
import subprocess
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "Integration"))

from ports import free_port  # noqa: E402

HERE = Path(__file__).parent
# What a binary calls at its start.
SANITIZERS = {"address": b"__asan_init", "thread": b"__tsan_init"}


class NotServing(Exception):
    """The server ended, or did not begin."""


class Server:
    """One `refreshable serve`, and what it leaves behind."""

    def __init__(self, binary, folder, lists, port=None, flags=()):
        self.binary, self.folder, self.lists, self.flags = binary, folder, lists, flags
        self.port = port or free_port()
        # Where the store is.
        self.data = folder / "data"
        self.process = None
        self.starts = 0
        # The newest start that was asked to stop: it turns away who comes meanwhile.
        self.stopped = 0
        self.slow_disk = None
        # The starts on a disk that takes its time.
        self.slow_starts = set()
        # A file with whom to trust, where it speaks TLS.
        self.authority = None

    @functools.cached_property
    def sanitizer(self):
        """Which one the binary was built with: "address", "thread", or None."""
        with open(self.binary, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as code:
            found = (name for name, entry in SANITIZERS.items() if code.find(entry) >= 0)
            return next(found, None)

    @property
    def log(self):
        return self.folder / f"server-{self.starts}.log"

    def build_slow_disk(self):
        """A disk that takes its time; None where there is no compiler for it, or another loader."""
        library = self.folder / "slow_disk.so"
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler and os.uname().sysname == "Linux":
            subprocess.run([compiler, "-shared", "-fPIC", "-o", library, HERE / "slow_disk.c", "-ldl"], check=True)
            self.slow_disk = library

    @property
    def storage(self):
        """The flags that say where its lists are stored."""
        return "--data", self.data

    @property
    def environment(self):
        """What handlers are told beside the environment of this program."""
        return {"FAULTS_START": str(self.starts)}

    async def start(self, disk_delay=0, loops=1):
        """Starts it. `disk_delay` is what each write to the store's log waits first, in microseconds."""
        await self.spawn(disk_delay, loops)
        await self.wait_until_serving()

    async def spawn(self, disk_delay=0, loops=1):
        self.starts += 1
        settings = self.folder / "lists.yaml"
        settings.write_text(json.dumps({"lists": self.lists}, indent=1))  # JSON is YAML, too
        environment = {name: value for name, value in os.environ.items() if not name.startswith("REFRESHABLE_")}
        environment |= self.environment
        if self.sanitizer:
            environment = self.sanitized(environment)
        if disk_delay and self.slow_disk:
            environment |= {"LD_PRELOAD": str(self.slow_disk), "FAULTS_DISK_DELAY": str(disk_delay)}
            self.slow_starts.add(self.starts)
        with open(self.log, "wb") as log:
            self.process = await asyncio.create_subprocess_exec(
                self.binary, "serve", settings, "--port", str(self.port), *self.storage,
                "--loops", str(loops), *self.flags,
                stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder, env=environment,
            )  # fmt: skip

    @staticmethod
    def sanitized(environment):
        """Swift's own report of a crash would read memory that a sanitizer guards. What was freed is held back, so that its
        use is noticed, but so little of it that memory can be judged."""
        return {
            "SWIFT_BACKTRACE": "enable=no",
            "TSAN_OPTIONS": f"suppressions={HERE / 'thread-sanitizer.txt'}",
            "ASAN_OPTIONS": "quarantine_size_mb=16:thread_local_quarantine_size_kb=64",
            **environment,
        }

    async def wait_until_serving(self, seconds=30):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if b"Serving " in self.log.read_bytes():
                return
            if self.process.returncode is not None:
                raise NotServing(f"it ended with status {self.process.returncode}:\n{self.tail()}")
            await asyncio.sleep(0.01)
        raise NotServing(f"it did not serve within {seconds} s:\n{self.tail()}")

    def strike(self):
        """kill -9, by its number: `process.kill` would take the status of one that has ended from whoever awaits it."""
        if self.is_running:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)

    async def kill(self):
        """The end without a warning."""
        self.strike()
        return await self.process.wait()

    async def stop(self, seconds=20):
        self.stopped = self.starts
        self.process.send_signal(signal.SIGTERM)
        return await asyncio.wait_for(self.process.wait(), seconds)

    @property
    def is_running(self):
        return self.process is not None and self.process.returncode is None

    def tail(self):
        return self.log.read_text(errors="replace")[-2000:]

    def resident(self):
        """Its resident memory in bytes, without what it shares with files."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
        raise NotServing("the kernel did not say RssAnon")

    def worked(self):
        """Seconds of processors that it has used since its start, to the nanosecond (clock_getcpuclockid)."""
        return time.clock_gettime(~self.process.pid << 3 | 2)

    async def figure(self, name, labels=""):
        """One of its metrics, added up over those whose labels begin so (Documentation/Metrics.md)."""
        _, _, body = await self.http("GET", "/metrics")
        lines = re.findall(rf"^refreshable_{name}(?:{{{labels}.*}})? (\d+)", body.decode(), re.MULTILINE)
        return sum(map(int, lines))

    # MARK: HTTP

    async def http(self, method, path, headers=None, body=None, within=20):
        """One request on a connection of its own: (status, headers, body). OSError where the server went away."""
        async with asyncio.timeout(within):
            context = ssl.create_default_context(cafile=self.authority) if self.authority else None
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", self.port, limit=1 << 24, ssl=context, server_hostname="localhost" if context else None
            )
            try:
                return await exchange(reader, writer, self.port, method, path, headers, body)
            except asyncio.IncompleteReadError as end:
                raise ConnectionResetError("the server went away before it answered") from end
            finally:
                writer.transport.abort()

    async def json(self, path):
        status, _, body = await self.http("GET", path)
        if status != 200:
            raise NotServing(f"GET {path} answers {status}: {body[:300]}")
        return json.loads(body)

    async def rows(self, name):
        """(epoch, revision, [(key, fields)]) as the server has them."""
        body = await self.json(f"/lists/{name}")
        return body["epoch"], body["revision"], [(row["key"], row["fields"]) for row in body["rows"]]


async def exchange(reader, writer, port, method, path, headers=None, body=None):
    """Writes one request and reads its answer."""
    head = {"Host": f"localhost:{port}", **(headers or {})}
    if body is not None or method not in ("GET", "HEAD"):
        head["Content-Length"] = str(len(body or b""))
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    writer.write(f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + (body or b""))
    first, *lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    answer = {}
    for line in filter(None, lines):
        name, _, value = line.partition(":")
        answer[name.strip().lower()] = value.strip()
    content = await reader.readexactly(int(answer.get("content-length", 0)))
    return int(first.split(" ")[1]), answer, content
