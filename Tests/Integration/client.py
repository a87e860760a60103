"""A client of `refreshable.v1` that knows the document and nothing of the server."""

import asyncio
import contextlib
import json
import time

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

import frames
from model import ListModel


class Client:
    """One connection. All that arrives is checked, kept in order, and applied to models of the lists."""

    def __init__(self, socket, server, models=None):
        self.socket, self.server = socket, server
        self.frames, self.times, self.cursor = [], [], 0
        self.models = models if models is not None else {}
        self.fault = None
        self.welcome = None
        self.changed = asyncio.Condition()
        self.numbers = 0
        self.reading = asyncio.create_task(self.read())

    @classmethod
    @contextlib.asynccontextmanager
    async def open(cls, server, **options):
        """A connection that has been welcomed and is closed at the end. Any fault that was seen fails the test."""
        client = await cls.connect(server, **options)
        try:
            yield client
            client.raise_fault()
        finally:
            await client.close()

    @classmethod
    async def connect(cls, server, models=None, under=None, welcomed=True, **options):
        """`under`: another name that this machine is asked by; `welcomed`: whether that is waited for."""
        options = {"subprotocols": ["refreshable.v1"], "max_size": None, "ping_interval": None, **options}
        scheme = "wss" if "ssl" in options else "ws"
        if under:
            options |= {"host": "localhost", "port": server.port}
        socket = await connect(f"{scheme}://{under or 'localhost'}:{server.port}/ws", **options)
        client = cls(socket, server, models)
        if welcomed:
            client.welcome = await client.next({"type": "welcome"})
        return client

    @property
    def session(self):
        return self.welcome["session"]

    def model(self, name):
        return self.models.setdefault(name, ListModel(name))

    async def read(self):
        """Takes what arrives until the connection ends. A fault is kept, for the test to fail with."""
        with contextlib.suppress(ConnectionClosed):
            async for message in self.socket:
                async with self.changed:
                    try:
                        self.take(message)
                    except AssertionError as fault:
                        self.fault = self.fault or fault
                    self.changed.notify_all()
        async with self.changed:
            self.changed.notify_all()

    def take(self, message):
        assert isinstance(message, str), "a binary frame"
        frame = json.loads(message)
        self.frames.append(frame)
        self.times.append(time.monotonic())
        frames.check(frame)
        if "list" in frame:
            self.model(frame["list"]).receive(frame)

    def raise_fault(self):
        if self.fault:
            raise self.fault

    async def send(self, message):
        """Sends one message, text as it is."""
        if isinstance(message, dict):
            if message.get("type") == "watch" and isinstance(message.get("list"), str):
                self.model(message["list"]).will_watch()
            message = json.dumps(message)
        await self.socket.send(message)

    async def expect(self, pattern, within=5):
        """The next frame that matches, with any others before it."""
        return await self.find(pattern, within, strict=False)

    async def next(self, pattern, within=5):
        """The next frame, which must match."""
        return await self.find(pattern, within, strict=True)

    async def find(self, pattern, within, strict):
        start = self.cursor
        try:
            async with asyncio.timeout(within), self.changed:
                while True:
                    self.raise_fault()
                    while self.cursor < len(self.frames):
                        frame = self.frames[self.cursor]
                        self.cursor += 1
                        if frames.matches(frame, pattern):
                            return frame
                        if strict:
                            raise AssertionError(f"expected {json.dumps(pattern)}\nreceived {json.dumps(frame)}")
                    if self.reading.done():
                        raise AssertionError(
                            f"the connection ended ({self.socket.close_code}) before {json.dumps(pattern)}"
                        )
                    await self.changed.wait()
        except TimeoutError:
            seen = "\n".join(json.dumps(frame)[:300] for frame in self.frames[start:]) or "nothing"
            raise AssertionError(f"not within {within} s: {json.dumps(pattern)}\nreceived {seen}") from None

    def skip(self):
        """Looks at nothing that has arrived until now."""
        self.cursor = len(self.frames)

    async def none(self, pattern, seconds):
        """Fails if a frame matches within this time, or among those not yet looked at."""
        await asyncio.sleep(seconds)
        for frame in self.frames[self.cursor :]:
            assert not frames.matches(frame, pattern), f"came, though it must not: {json.dumps(frame)}"
        self.raise_fault()

    async def ask(self, message, within=5):
        """Sends a message with a fresh id and gives its one answer, ok or error."""
        self.numbers += 1
        message = {**message, "id": f"a{self.numbers}"}
        await self.send(message)
        return await self.expect({"id": message["id"]}, within)

    async def watch(self, name, resume=False, within=5, window=None):
        """Watches a list, or a window of it, and gives the ok; `resume` says where this client is."""
        message = {"type": "watch", "list": name} | ({"window": window} if window else {})
        if resume:
            model = self.model(name)
            message |= {"epoch": model.epoch, "revision": model.revision}
        answer = await self.ask(message, within)
        assert answer["type"] == "ok", f"watching {name}: {answer}"
        return answer

    async def look(self, name, within=5, **window):
        """Looks at another window of a list that is watched, and gives the ok."""
        answer = await self.ask({"type": "look", "list": name, "window": window}, within)
        assert answer["type"] == "ok", f"looking at {name}: {answer}"
        await self.until(lambda: not self.model(name).rows_pending, what=f"no rows followed {answer}")
        return answer

    async def settled(self, name, within=10):
        """Waits until the list waits and this client has all that it was promised."""

        def is_settled():
            model = self.model(name)
            return (
                model.state is not None and model.state["phase"] == "waiting" and not model.rows_pending
                and not model.needs_state and not model.is_awaiting_ok and not model.parts
            )  # fmt: skip

        await self.until(is_settled, within, f"{name} never settled: {self.model(name).state}")

    async def until(self, holds, within=5, what="it never became so"):
        """Waits until what has arrived makes a condition true."""
        try:
            async with asyncio.timeout(within), self.changed:
                while not holds():
                    self.raise_fault()
                    if self.reading.done():
                        raise AssertionError(f"the connection ended ({self.socket.close_code}): {what}")
                    await self.changed.wait()
        except TimeoutError:
            raise AssertionError(f"not within {within} s: {what}") from None

    async def pull(self, name, gesture, offset=80):
        """Pulls past the threshold and releases: gives the ok."""
        await self.send({"type": "pull", "list": name, "gesture": gesture, "offset": offset})
        return await self.ask({"type": "release", "list": name, "gesture": gesture, "offset": offset, "peak": offset})

    async def shows_what_the_server_has(self, name, within=5):
        """P1: this client ends with the server's rows, in the server's order."""
        deadline = time.monotonic() + within
        while True:
            body = await self.server.json(f"/lists/{name}")
            await self.until(
                lambda body=body: self.model(name).revision is not None and self.model(name).revision >= body["revision"],
                within, f"{name} at {self.model(name).revision}, the server at {body['revision']}",
            )  # fmt: skip
            model = self.model(name)
            # Where there are several nodes, the one that was asked may be a moment behind.
            is_there = (model.epoch, model.revision) == (body["epoch"], body["revision"])
            if is_there or time.monotonic() > deadline:
                break
            await asyncio.sleep(0.02)
        assert model.epoch == body["epoch"], f"epochs {model.epoch} and {body['epoch']}"
        assert model.revision == body["revision"], f"revisions {model.revision} and {body['revision']}"
        served = [(row["key"], row["fields"]) for row in body["rows"]]
        assert model.ordered() == served, f"client {model.ordered()}\nserver {served}"

    async def shows_what_is_in_its_window(self, name, within=5):
        """P1, for who looks at a part: this client ends with what the server has there, and knows where that is."""
        model, deadline = self.model(name), time.monotonic() + within
        while True:
            body = await self.server.json(f"/lists/{name}")
            first, total = model.place
            served = [(row["key"], row["fields"]) for row in body["rows"]]
            shown = model.ordered()
            if (model.epoch, total, shown) == (body["epoch"], len(served), served[first : first + len(shown)]):
                return
            assert time.monotonic() < deadline, f"at {model.revision}, {first} of {total}: {shown}\nserver {served}"
            await asyncio.sleep(0.02)

    async def close(self, code=1000):
        """Ends with a Close frame."""
        await self.socket.close(code)
        await self.reading

    async def cut(self):
        """Ends as a lost connection does: without a Close frame."""
        self.socket.transport.abort()
        await self.reading
