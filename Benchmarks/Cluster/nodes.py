"""What is measured: a PostgreSQL server that writes as a real one does, nodes of ours over it, and one node alone over SQLite."""

import copy
import json
import os
import time
from contextlib import contextmanager
from urllib.parse import quote

from postgres_server import PostgresServer
from servers import Refreshable


@contextmanager
def database(**settings):
    """Durable: a commit is on the disk before it is answered."""
    with PostgresServer(durable=True) as postgres:
        set_all(postgres, {"max_connections": 200, **settings})
        postgres.restart("fast")
        yield postgres


def set_all(postgres, settings):
    """Settings of PostgreSQL; those of connections take effect at once, others with its next start."""
    for name, value in settings.items():
        postgres.sql(f"ALTER SYSTEM SET {name} = '{value}'", "postgres", "postgres")
    postgres.sql("SELECT pg_reload_conf()", "postgres", "postgres")


class Node(Refreshable):
    """One server of ours, with lists that others push to. `core` is its own; None: it runs where there is room."""

    def __init__(self, tools, name, storage, lists, core=None):
        self.key_name, self.storage, self.lists = name, storage, lists
        tools = copy.copy(tools)
        tools.server_core = core
        super().__init__(tools, False)

    @classmethod
    def over(cls, postgres, tools, name, lists, core=None):
        """A node of a cluster. PostgreSQL knows its connections by its name."""
        return cls(tools, name, ["--store", f"{postgres.url()}?application_name={quote(name)}"], lists, core)

    @classmethod
    def alone(cls, tools, lists, core=None):
        """One node over SQLite, with a new file."""
        number = time.monotonic_ns()
        return cls(tools, f"alone-{number}", ["--data", tools.folder / f"data-{number}"], lists, core)

    @property
    def key(self):
        return self.key_name

    def command(self):
        settings = self.folder / "lists.yaml"
        settings.write_text(json.dumps({"lists": self.lists}))
        return [self.tools.binary, "serve", settings, "--port", self.port, "--loops", "1", *self.storage]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def pushed_lists(count):
    """Lists that have no rows but those that are pushed."""
    return [{"name": name, "push": True} for name in names(count)]


def names(count):
    return [f"list{number}" for number in range(count)]


def disk_times(folder, count=500):
    """How many seconds this disk takes to keep a page of 8 KiB, again and again: each commit waits for that at least."""
    file = os.open(folder / "page", os.O_CREAT | os.O_WRONLY)
    times = []
    for _ in range(count):
        start = time.monotonic()
        os.pwrite(file, bytes(8192), 0)
        os.fdatasync(file)
        times.append(time.monotonic() - start)
    os.close(file)
    return times
