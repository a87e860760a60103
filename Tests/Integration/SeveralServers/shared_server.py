"""One of several servers over a database, and tests that have a PostgreSQL server."""

import asyncio
import json

from harness import Server, say, test
from postgres_processes import PROGRAMS
from postgres_server import PostgresServer

BOARD = [{"name": "board", "push": True}]


def database_test(limit=120, **options):
    """A test that has a PostgreSQL server, if this machine has any. `options` are the server's."""

    def wrap(function):
        async def run():
            if PROGRAMS is None:
                return say("    skipped: there is no PostgreSQL here")
            with PostgresServer(**options) as postgres:
                await function(postgres)

        run.__name__, run.__module__ = function.__name__, function.__module__
        return test(limit=limit)(run)

    return wrap


class SharedServer(Server):
    """It keeps its lists in the database of a URL."""

    def __init__(self, url, *flags, lists=None, folder=None, environment=None):
        super().__init__(lists or BOARD, *flags, folder=folder)
        self.store = url
        self.environment = environment or {}
        # Another program than that which is tested.
        self.binary = None

    def arguments(self):
        program, *arguments = super().arguments()
        return [str(self.binary or program), *arguments]

    @property
    def storage(self):
        return ["--store", self.store]

    async def push(self, key, title=None, within=10):
        """The status with which a row is taken, or not."""
        body = json.dumps({"set": [{"key": key, "fields": {"title": title or key}}]}).encode()
        headers = {"Idempotency-Key": key, "Content-Length": str(len(body))}
        return (await self.http("PATCH", "/lists/board", headers, body, within))[0]

    async def readiness(self):
        """(status, what it says) of /readyz, as this machine is told."""
        status, _, body = await self.http("GET", "/readyz")
        return status, body.decode()

    async def becomes(self, status, within=15):
        """Waits until /readyz has this status, and gives what it says."""
        deadline = asyncio.get_running_loop().time() + within
        while (found := await self.readiness())[0] != status:
            assert asyncio.get_running_loop().time() < deadline, f"not within {within} s: {status} instead of {found}"
            await asyncio.sleep(0.05)
        return found[1]

    async def refuses(self, *words):
        """It does not start: its message has these words. Gives the message."""
        try:
            await self.start()
            raise AssertionError(f"it started:\n{self.log}")
        except AssertionError as fault:
            assert "the server ended with status" in str(fault), fault
            for word in words:
                assert word in self.log, f"no {word!r} in:\n{self.log}"
            return self.log
        finally:
            if self.process.returncode is None:
                await self.kill()
            self.folder.remove()
