"""Several nodes over one database in the place of a server: for tests that must hold on any of them (run.py --cluster).

                          ┌─ refreshable serve, node 1 ─┐
    client ── balancer ───┤                             ├── a database of the run's PostgreSQL
                          └─ refreshable serve, node 2 ─┘

The balancer is one port. It gives each connection, and so each HTTP request, to a node by chance.
"""

import asyncio
import contextlib
import itertools
import random

import harness
from harness import Server
from postgres_server import PostgresServer

# Of all balancers, so that one seed decides; which connection comes first is the machine's affair.
DICE = random.Random()
# Where each cluster has a database. Set by run.py; None: one node, which stores in a folder.
POSTGRES: PostgresServer | None = None
NODES = 2
numbers = itertools.count(1)


class Node(Server):
    """One node; what it serves, and how, is its cluster's."""

    def __init__(self, cluster, number):
        super().__init__(cluster.lists, folder=cluster.folder)
        self.cluster, self.name = cluster, f"node{number}"

    @property
    def storage(self):
        return ["--store", POSTGRES.url(database=self.cluster.database)] if self.cluster.database else self.cluster.storage

    def arguments(self):
        self.lists, self.flags = self.cluster.lists, without_port(self.cluster.flags)
        return super().arguments()


class ClusterServer(Server):
    """Used as a Server is. All that is done to it is done to all nodes at once."""

    def __init__(self, lists, *flags, folder=None, ephemeral=False):
        super().__init__(lists, *flags, folder=folder, ephemeral=ephemeral)
        is_shared = POSTGRES is not None and not ephemeral and "--data" not in flags
        self.database = f"lists{next(numbers)}" if is_shared else None
        self.nodes = [Node(self, number) for number in range(1, NODES + 1 if is_shared else 2)]
        self.balancer = Balancer(self.nodes)
        # By path: the newest (epoch, revision) that this test was told over HTTP.
        self.newest = {}

    async def __aenter__(self):
        if self.database:
            await asyncio.to_thread(POSTGRES.sql, f"CREATE DATABASE {self.database} OWNER app", "postgres", "postgres")
        await self.balancer.open()
        self.port = self.balancer.port
        return await super().__aenter__()

    async def __aexit__(self, *fault):
        await self.kill()
        await self.balancer.close()
        if self.database:
            await asyncio.to_thread(POSTGRES.sql, f"DROP DATABASE {self.database} WITH (FORCE)", "postgres", "postgres")
        self.process = None
        await super().__aexit__(*fault)

    # MARK: Its life

    async def start(self):
        self.starts += 1
        await asyncio.gather(*(node.start() for node in self.nodes))
        self.process = self.nodes[0].process

    async def stop(self, seconds=10):
        """Asks all to stop; the first status that is not 0."""
        statuses = await asyncio.gather(*(node.stop(seconds) for node in self.nodes))
        return next((status for status in statuses if status), 0)

    async def kill(self):
        await asyncio.gather(*(node.kill() for node in self.nodes if node.process and node.process.returncode is None))

    @property
    def log(self):
        """What all have written since their newest start."""
        return "".join(node.log for node in self.nodes if node.starts)

    # MARK: Asking it

    async def http(self, method, path, headers=None, body=None, within=10):
        """One request, to any node. It is not told of a list as it was before what this test was told of it: other nodes hear of
        a change a moment later than the one that made it, as clients do."""
        name = "/".join(path.split("/")[:3])
        deadline = asyncio.get_running_loop().time() + 2
        while True:
            answer = await super().http(method, path, headers, body, within)
            if method != "GET" or not self.is_older(name, answer) or asyncio.get_running_loop().time() > deadline:
                break
            await asyncio.sleep(0.02)
        self.remember(name, answer)
        if method == "POST" and path.endswith("/refresh") and answer[0] == 200:
            await self.learn(name, headers)
        return answer

    async def learn(self, name, headers):
        """How far all nodes together have come with a list that a run has changed."""
        shown = {key: value for key, value in (headers or {}).items() if key in ("Authorization", "Host")}
        for node in self.nodes:
            with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                self.remember(name, await node.http("GET", name, shown))

    def is_older(self, name, answer):
        epoch, revision = place(answer)
        known = self.newest.get(name)
        return known is not None and epoch == known[0] and revision < known[1]

    def remember(self, name, answer):
        epoch, revision = place(answer)
        if epoch and not self.is_older(name, answer):
            self.newest[name] = epoch, revision


class Balancer:
    """A port whose connections are carried to nodes, each to one by chance, byte for byte."""

    def __init__(self, nodes):
        self.nodes = nodes
        self.carrying = set()

    async def open(self):
        self.server = await asyncio.start_server(self.carry, "localhost", 0)
        self.port = self.server.sockets[0].getsockname()[1]

    async def close(self):
        self.server.close()
        for task in list(self.carrying):
            task.cancel()
        await asyncio.gather(*self.carrying, return_exceptions=True)

    async def carry(self, reader, writer):
        task = asyncio.current_task()
        self.carrying.add(task)
        far = None
        try:
            far_reader, far = await asyncio.open_connection("127.0.0.1", DICE.choice(self.nodes).port)
            await asyncio.gather(pump(reader, far), pump(far_reader, writer))
        except (OSError, asyncio.CancelledError):
            pass  # One side is not there any more, and so the other one's connection ends as well.
        finally:
            for one in (writer, far):
                if one:
                    one.transport.abort()
            self.carrying.discard(task)


async def pump(reader, writer):
    """Carries one direction to its end. A side that has said all may still listen."""
    while piece := await reader.read(1 << 16):
        writer.write(piece)
        await writer.drain()
    writer.write_eof()


def place(answer):
    """(epoch, revision) of an answer, by its ETag; (None, None) where it has none of a list."""
    epoch, colon, revision = answer[1].get("etag", "").strip('"').rpartition(":")
    return (epoch, int(revision)) if colon and revision.isdigit() else (None, None)


def without_port(flags):
    """Tests name the port of a server that is to come back there. The balancer keeps it."""
    flags = list(flags)
    if "--port" in flags:
        del flags[flags.index("--port") : flags.index("--port") + 2]
    return flags


def begin(seed, postgres):
    """From now on each Server of a test is a cluster."""
    global POSTGRES  # noqa: PLW0603
    DICE.seed(seed)
    POSTGRES = postgres
    harness.Server = ClusterServer
