"""A primary and its asynchronous standby, and what befalls them. Every operation blocks, so each has a thread."""

import asyncio
import contextlib
import subprocess

from cluster_history import Fault, now
from postgres_processes import PROGRAMS
from postgres_server import PostgresServer


class Databases:
    """Two PostgreSQL servers, of which one is the primary unless something is being done to it."""

    def __init__(self, history, dice):
        self.history, self.dice = history, dice
        self.first = PostgresServer(durable=True)
        self.second = PostgresServer(follows=self.first)
        self.primary, self.standby = self.first, self.second
        # What can be put back: (how, the folder).
        self.copies = []
        self.listener = self.doing = None

    @property
    def servers(self):
        return [self.first, self.second]

    async def begin(self):
        for server in self.servers:
            await self.do(server.__enter__)

    async def end(self):
        self.forget_listener()
        if self.doing:
            await asyncio.wait([self.doing])
        for server in self.servers:
            await self.do(server.__exit__)

    async def do(self, function, *arguments, **more):
        """Blocks a thread. What has begun goes on to its end, even if nobody waits for it any more."""
        self.doing = asyncio.ensure_future(asyncio.to_thread(function, *arguments, **more))
        return await asyncio.shield(self.doing)

    @contextlib.asynccontextmanager
    async def fault(self, what, *, loses=False):
        """Notes a fault for as long as it lasts."""
        fault = self.history.add(Fault(now(), "database", "", what, loses=loses))
        try:
            yield fault
        finally:
            fault.until = now()

    # MARK: Without a loss

    async def kill(self, seconds):
        async with self.fault("kill -9 of the primary"):
            await self.do(self.primary.kill)
            await asyncio.sleep(seconds)
            await self.do(self.primary.start)

    async def restart(self, seconds):
        async with self.fault("immediate restart of the primary"):
            await self.do(self.primary.stop, "immediate")
            await self.do(self.primary.start)

    async def pause(self, seconds):
        async with self.fault("SIGSTOP of the primary"):
            self.primary.pause()
            try:
                await asyncio.sleep(seconds)
            finally:
                self.primary.resume()

    async def terminate_backends(self, _):
        async with self.fault("pg_terminate_backend of all clients"):
            await self.do(self.primary.terminate_backends)

    async def terminate_a_writer(self, seconds):
        async with self.fault("pg_terminate_backend amid a commit") as fault:
            if not await self.do(self.primary.terminate_a_writer, seconds):
                fault.what += ", of which there was none"

    async def take_copy(self, _):
        """Made now, put back some time."""
        how = self.dice.choice(["fast", "immediate", "while it runs"])
        async with self.fault(f"a copy is taken: {how}"):
            if how == "while it runs":
                copy = await self.do(self.primary.base_backup)
            else:
                copy = await self.do(self.primary.cold_copy, how)
        self.copies.append((how, copy))
        for _, old in self.copies[:-2]:
            subprocess.run(["rm", "-rf", old], check=False)
        self.copies = self.copies[-2:]

    async def hang_listener(self, _):
        """A session that listens and never reads: what is notified can't be thrown away while its transaction lasts."""
        self.forget_listener()
        async with self.fault("a listener that never reads"):
            self.listener = subprocess.Popen(
                [PROGRAMS / "psql", "-h", self.primary.folder, "-p", str(self.primary.port), "-U", "app", "-d", "lists", "-X"],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            self.listener.stdin.write(b"LISTEN anything;\nBEGIN;\nSELECT 1;\n")
            self.listener.stdin.flush()

    def forget_listener(self):
        if self.listener:
            self.listener.kill()
            self.listener.wait()
            self.listener.stdin.close()
            self.listener = None

    # MARK: With a loss

    async def put_back(self, _):
        """An older copy takes the place of the primary's data; or a restore in time does. The standby begins anew.

        Returns whether it is from before a promotion, after which servers are to be started anew (Operating.md).
        """
        if not self.copies:
            return await self.take_copy(_)
        how, copy = self.dice.choice(self.copies)
        before = await self.do(self.primary.identity)
        async with self.fault(f"put back: a copy that was taken {how}", loses=True):
            await self.have_back(how, copy)
        after = await self.do(self.primary.identity)
        return after.timeline < before.timeline

    async def put_newest_back(self):
        """While no server runs that would know better."""
        how, copy = self.copies[-1]
        async with self.fault(f"put back, seen by no server: a copy that was taken {how}", loses=True):
            await self.have_back(how, copy)

    async def have_back(self, how, copy):
        if how == "while it runs":
            await self.do(self.primary.restore, copy, knows_timelines=self.dice.random() < 0.5)
        else:
            await self.do(self.primary.put_back, copy)
        await self.do(self.standby.follow, self.primary)

    async def promote(self, links, lag, lives_on):
        """The standby, which may lag behind, becomes the primary. The old one lives on for a while, for the nodes that keep it;
        those of `links` are cut from it."""
        old, new = self.primary, self.standby
        async with self.fault(f"promotion; the old primary lives on for {lives_on:.1f} s", loses=True):
            if lag:
                new.pause()
                await asyncio.sleep(lag)
            if not lives_on:
                await self.do(old.kill)
            if lag:
                new.resume()
            for link in links:
                link.cut("promotion")
            await self.do(new.promote)
            await asyncio.sleep(lives_on)
            await self.do(old.kill)
        self.primary, self.standby = new, old
        await self.do(old.follow, new)
        for link in links:
            link.open_again("promotion")
