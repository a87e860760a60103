"""A server with its watchers, and what it cost them to be served."""

import time
from contextlib import contextmanager

import process
from load_client import Crowd
from servers import PULL

# Who come first, and whose memory is not counted: with them comes what a server needs once.
FIRST = 100


class Contender:
    """One server, watched by a crowd that comes in two parts."""

    def __init__(self, kind, tools, is_compressed=False):
        self.kind, self.tools, self.is_compressed = kind, tools, is_compressed
        self.server = kind(tools, is_compressed)
        self.crowd = None
        self.memory, self.opened = {}, None

    @property
    def key(self):
        return f"{self.server.key}{'-deflate' * self.is_compressed}"

    def gather(self, count, greets=True):
        self.crowd = Crowd(self.tools.load, self.server, self.tools.client_core)
        self.crowd.open(min(FIRST, count), greets=greets)
        self.crowd.pull_by(PULL, self.server.answer)

    def fill(self, count):
        """The rest of the crowd comes, all of them between two looks at the memory."""
        before, held = process.memory(self.members), process.kernel_memory()
        with self.timed() as spent:
            seconds = self.crowd.open(count - self.crowd.count)["seconds"]
        time.sleep(0.3)
        after, people = process.memory(self.members), count - FIRST
        resident, proportional = ((now - then) / people for now, then in zip(after, before, strict=True))
        self.memory = {"rss": resident, "pss": proportional, "kernel": (process.kernel_memory() - held) / people}
        self.opened = {"seconds": seconds, "cpu": spent.cpu / people}
        self.server.prepare(self.crowd)

    def come_back(self, count):
        """All are cut off, and come again in the same moment: the seconds till the last of them watches, and the CPU of one."""
        self.crowd.close()
        # They are seen to be gone first, as after a restart.
        time.sleep(1)
        self.crowd = Crowd(self.tools.load, self.server, self.tools.client_core)
        with self.timed() as spent:
            seconds = self.crowd.open(count, at_once=count)["seconds"]
        return {"seconds": seconds, "cpu": spent.cpu / count}

    @property
    def members(self):
        return self.server.members()

    @contextmanager
    def timed(self):
        """Counts what the server's processes cost meanwhile."""
        members, spent = self.members, Spent()
        spent.cpu, spent.kernel = -process.seconds(members), -process.kernel_seconds(members)
        yield spent
        spent.cpu += process.seconds(members)
        spent.kernel += process.kernel_seconds(members)

    def push_by(self, body):
        file = self.server.folder / "push"
        file.write_bytes(body)
        self.crowd.push_by(file)

    def close(self):
        try:
            if self.crowd:
                self.crowd.close()
        finally:
            self.server.close()


class Spent:
    """Seconds of the processor: all, and the system's part."""

    cpu = kernel = 0.0
