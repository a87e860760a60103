"""The nodes of a cluster, and the ways to them: from a client to any node, and from each node to both databases."""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import subprocess
import time
from types import SimpleNamespace
from urllib.parse import quote

from postgres_server import PASSWORD
from proxy import Proxy
from server import NotServing, Server

# A connection that nothing is done to (seeded_random.Line).
CLEAR = SimpleNamespace(cut_down=None, cut_up=None, stall=None, is_slow=False)


class DatabaseLink(Proxy):
    """The way from one node to one PostgreSQL server: open, cut, silent, or one on which only answers are lost."""

    def __init__(self, target):
        super().__init__(target)
        self.line = CLEAR
        self.cut_by = set()
        self.to_database, self.to_node = asyncio.Event(), asyncio.Event()
        self.open_again("")

    def open_again(self, cause):
        """It may be cut for another cause still."""
        self.cut_by.discard(cause)
        self.to_database.set()
        self.to_node.set()

    def cut(self, cause):
        """Ends all connections, and lets no other through."""
        self.cut_by.add(cause)
        for task in list(self.carrying):
            task.cancel()

    def fall_silent(self):
        """Nothing goes either way, and nobody's connection ends."""
        self.to_database.clear()
        self.to_node.clear()

    def lose_answers(self):
        """What the node says arrives, so that it is done. What it is answered does not."""
        self.to_node.clear()

    async def carry(self, reader, writer):
        # It may be cut, and closed, while it still ends.
        with contextlib.suppress(asyncio.CancelledError):
            await super().carry(reader, writer)
        self.carrying.discard(asyncio.current_task())

    async def connect(self, line):
        if self.cut_by:
            raise ConnectionRefusedError
        return await super().connect(line)

    async def pump(self, reader, writer, cut, stall):
        # The node is the one that has connected to this proxy's own port.
        flows = self.to_node if writer.get_extra_info("sockname")[1] == self.port else self.to_database
        with contextlib.suppress(ConnectionError):
            while piece := await reader.read(1 << 16):
                await flows.wait()
                writer.write(piece)
                await writer.drain()


class Node(Server):
    """One `refreshable serve` of the cluster, in a folder of its own; all have the same lists."""

    def __init__(self, number, binary, folder, lists, servers=()):
        (folder / f"node{number}").mkdir()
        super().__init__(binary, folder / f"node{number}", lists)
        self.number, self.name = number, f"node {number}"
        # By PostgreSQL server.
        self.links = {server: DatabaseLink(server.port) for server in servers}
        self.is_paused = False
        # When it last began, or went on.
        self.disturbed = 0.0

    async def open_links(self):
        for link in self.links.values():
            await link.open()

    @property
    def storage(self):
        if not self.links:
            return super().storage
        hosts = ",".join(f"127.0.0.1:{link.port}" for link in self.links.values())
        return "--store", f"postgres://app:{quote(PASSWORD)}@{hosts}/lists?target_session_attrs=read-write"

    @property
    def environment(self):
        return {"FAULTS_START": f"node{self.number}.{self.starts}", "FAULTS_MARK": "1"}

    @property
    def has_served(self):
        """Since its newest start."""
        return b"Serving " in self.log.read_bytes()

    # MARK: What befalls it

    def pause(self):
        self.is_paused = True
        os.kill(self.process.pid, signal.SIGSTOP)

    def resume(self):
        self.is_paused, self.disturbed = False, time.monotonic()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGCONT)

    async def revive(self):
        """It runs, is not paused, and reaches both databases; whether it serves is another question."""
        for link in self.links.values():
            link.open_again("node")
        if self.is_paused:
            self.resume()
        if not self.is_running:
            self.disturbed = time.monotonic()
            await self.spawn()

    def note_stacks(self):
        """What each of its threads is at, beside its logs, where there is a debugger: the logs of one that hangs say little."""
        if self.is_running and shutil.which("gdb"):
            command = ["gdb", "-p", str(self.process.pid), "-batch", "-ex", "thread apply all backtrace"]
            with (self.folder / "stacks.txt").open("w") as file:
                subprocess.run(command, stdout=file, stderr=subprocess.DEVNULL, check=False)

    async def end(self):
        if self.is_running:
            if self.is_paused:
                self.resume()
            await self.kill()
        for link in self.links.values():
            if link.server:
                await link.close()

    # MARK: Asking it

    async def status(self, path, method="GET", body=None, within=3):
        """(status, headers); (0, {}) where it does not answer."""
        try:
            status, headers, _ = await self.http(method, path, {"Content-Type": "application/json"}, body, within)
        except (OSError, TimeoutError, EOFError):
            return 0, {}
        return status, headers

    async def is_ready(self):
        return (await self.readiness())[0] == 200

    async def readiness(self):
        """(status, what it says) of /readyz; (0, why) where it does not answer."""
        try:
            status, _, body = await self.http("GET", "/readyz", within=3)
        except (OSError, TimeoutError, EOFError) as fault:
            return 0, repr(fault)
        return status, body.decode(errors="replace").strip()

    async def document(self, name):
        """The rows of a list as this node has them."""
        status, _, body = await self.http("GET", f"/lists/{quote(name)}", within=8)
        if status != 200:
            raise NotServing(f"{self.name}: GET of {name} answers {status}: {body[:300]}")
        return json.loads(body)


class NodeProxy(Proxy):
    """A client's way to the cluster: each connection is to a node by chance. It can be cut at any byte, as in Proxy."""

    def __init__(self, nodes, dice):
        super().__init__(None)
        self.nodes, self.dice, self.node = nodes, dice, None

    async def connect(self, line):
        self.node = self.dice.choice(self.nodes)
        self.target = self.node.port
        return await super().connect(line)


def has_store(binary):
    """Whether `serve` knows of a store on PostgreSQL."""
    return b"--store" in subprocess.run([binary, "serve", "--help"], capture_output=True, check=False).stdout
