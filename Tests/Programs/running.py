"""Programs that run where the pages say: on port 8080, in a network of their own where the system allows one."""

import asyncio
import contextlib
import ctypes
import fcntl
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import harness
from client import Client

# What the pages say, and what `Client` has to know of a server.
SERVER = SimpleNamespace(port=8080)
URL = "http://localhost:8080"
BY_SIGNAL = -signal.SIGTERM


def isolate():
    """Gives this process and its children a network of their own, in which no other server has port 8080.

    Without the right to do so (in most containers, and on macOS) they share the machine's. Then that port has to be free.
    """
    new_user, new_network = 0x10000000, 0x40000000
    wanted = new_network if os.geteuid() == 0 else new_network | new_user
    user, group = os.geteuid(), os.getegid()
    if sys.platform != "linux" or ctypes.CDLL(None).unshare(wanted) != 0:
        return
    if wanted & new_user:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"0 {user} 1")
        Path("/proc/self/gid_map").write_text(f"0 {group} 1")
    # As `ip link set lo up` does: SIOCSIFFLAGS with IFF_UP.
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh", b"lo", 1))


def listens(port=8080):
    """Whether somebody serves that port of this machine."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Process:
    """A program that was started; all that it wrote is `printed`, standard error too."""

    def __init__(self, process, log, recorder):
        self.process, self.log, self.recorder = process, log, recorder

    @property
    def printed(self):
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    async def prints(self, text, seconds=10):
        """Waits for a line that the page says it prints."""
        await self.until(lambda: text in self.printed, seconds, f"it printed {text!r}")

    async def until(self, holds, seconds, what):
        deadline = time.monotonic() + seconds
        while not holds():
            assert self.process.returncode is None, f"it ended with {self.process.returncode} before {what}:\n{self.printed}"
            assert time.monotonic() < deadline, f"not within {seconds} s: {what}\n{self.printed}"
            await asyncio.sleep(0.02)

    async def end(self, seconds=10):
        """Its exit status, when it ends. Then all that it printed has been written down."""
        status = await asyncio.wait_for(self.process.wait(), seconds)
        await asyncio.to_thread(self.recorder.join, seconds)
        return status


def record(terminal, log):
    """Writes down what a program says to its terminal: to a pipe, lines would wait in the program for more of them."""
    with open(log, "wb", buffering=0) as file, contextlib.suppress(OSError):
        while said := os.read(terminal, 65536):
            file.write(said.replace(b"\r\n", b"\n"))
    os.close(terminal)


@contextlib.asynccontextmanager
async def running(*command, folder, port=8080, ends=0, environment=None, within=10):
    """Runs a program until the block ends. Then it gets SIGTERM, and has to end in time, with this status.

    `port`: the block begins when it is served; None where the program serves nothing.
    """
    assert port is None or not listens(port), f"port {port} is taken, and the pages say that it is ours"
    log = Path(folder) / f"output-{time.monotonic_ns()}.log"
    terminal, end = os.openpty()
    recorder = threading.Thread(target=record, args=(terminal, log), daemon=True)
    recorder.start()
    process = await asyncio.create_subprocess_exec(
        *map(str, command), cwd=folder, env={**os.environ, **(environment or {})}, stdin=asyncio.subprocess.DEVNULL,
        stdout=end, stderr=end, start_new_session=True,
    )  # fmt: skip
    os.close(end)
    program = Process(process, log, recorder)
    try:
        if port is not None:
            await program.until(lambda: listens(port), within, f"port {port} was served")
        yield program
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGTERM)
        status = await program.end(2 * within)
        assert status == ends, f"after SIGTERM it ended with {status}:\n{program.printed}"
    except BaseException as fault:
        fault.add_note(f"It printed:\n{program.printed[-3000:]}")
        raise
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


@contextlib.contextmanager
def folder():
    """A temporary folder, gone at the end."""
    with tempfile.TemporaryDirectory(prefix="programs-") as name:
        yield Path(name)


# What settings of the pages take from the environment.
SECRETS = {"SHOP_PASSWORD": "shop-secret", "TOKEN": "correct-horse", "PUSH_TOKEN": "correct-horse-battery"}


def environment(home):
    """What commands of the pages find: `refreshable` on the path, and a home of their own."""
    mine = {name: text for name, text in os.environ.items() if not name.startswith("REFRESHABLE_")}
    return {**mine, **SECRETS, "PATH": f"{harness.BINARY.parent}:{os.environ['PATH']}", "HOME": str(home)}


def shell(text, where, within=30):
    """Runs lines as a person types them, to their end; gives what they print."""
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text], cwd=where, env=environment(where), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=within,
    )  # fmt: skip
    assert done.returncode == 0, f"status {done.returncode} of\n{text}\n{done.stdout}"
    return done.stdout


async def typed(text, where, within=30):
    """As `shell`, while servers of this process go on."""
    return await asyncio.to_thread(shell, text, where, within)


async def get(path, headers=None, method="GET", body=None, host="127.0.0.1"):
    """One request to the server: (status, headers with lower-case names, text)."""
    reader, writer = await asyncio.open_connection(host, SERVER.port)
    try:
        status, head, text = await harness.exchange(
            reader, writer, method, path, {"Host": "localhost:8080", **(headers or {})}, body
        )
        return status, head, text.decode()
    finally:
        writer.close()


async def rows(name, headers=None):
    """The rows of a list as HTTP has them: [(key, fields)]."""
    status, _, text = await get(f"/lists/{name}", headers)
    assert status == 200, (status, text)
    return [(row["key"], row["fields"]) for row in json.loads(text)["rows"]]


async def titles(name, headers=None):
    """The titles of a list's rows."""
    return [fields["title"] for _, fields in await rows(name, headers)]


async def pulled(name, wanted, headers=None):
    """Opens a list as a page does, pulls it, and compares what it shows, shuffled or not, with what the server has."""
    options = {"additional_headers": headers} if headers else {}
    async with Client.open(SERVER, **options) as client:
        await client.watch(name)
        await client.settled(name)
        answer = await client.pull(name, 1)
        assert answer.get("run"), answer
        if not answer["joined"]:
            await client.expect({"type": "state", "list": name, "phase": "loading", "run": answer["run"]})
        end = await client.expect({"type": "state", "list": name, "phase": "closing", "run": answer["run"]}, 10)
        assert end["last"]["outcome"] == "success", end
        seen = client.model(name).ordered()
        assert sorted(fields["title"] for _, fields in seen) == sorted(wanted), seen
        assert seen == await rows(name, headers)
