"""People and programs that use lists through a proxy for as long as a test lasts, and come back as they are told."""

import asyncio
import contextlib
import json
import random
import ssl
import time

from client import Client
from model import ListModel
from proxies import TOKEN
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

# What a connection that ends in the midst of something is told by.
ENDED = (ConnectionClosed, OSError, ssl.SSLError, asyncio.IncompleteReadError, TimeoutError)


class Visitor:
    """A page that watches two lists, and somebody who pulls one of them again and again."""

    def __init__(self, proxy, number):
        self.proxy, self.dice = proxy, random.Random(number)
        self.models = {name: ListModel(name) for name in ("slow", "board")}
        self.session = self.pulled = None
        self.gestures = 0
        # Runs that this page asked for; (code, wait in s) of each goodbye; what was answered to handshakes that failed.
        self.runs, self.goodbyes, self.refused = [], [], []
        self.epochs, self.begins, self.counts = {}, [], []
        self.faults = []

    async def stay(self, over):
        """Until the event `over`."""
        wait = 0
        while not over.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(over.wait(), wait)
            if not over.is_set():
                wait = await self.visit(over)

    async def visit(self, over):
        """One connection; gives how long to wait before the next."""
        url = f"wss://{self.proxy.host}:{self.proxy.port}/ws"
        try:
            socket = await connect(
                url, host="127.0.0.1", ssl=self.proxy.trust(), subprotocols=["refreshable.v1"], ping_interval=None,
                origin=f"https://{self.proxy.host}:{self.proxy.port}",
            )  # fmt: skip
        except InvalidStatus as refusal:
            self.refused.append(refusal.response.status_code)
            return self.dice.uniform(0, 2)
        client = Client(socket, self.proxy, self.models)
        try:
            client.welcome = await client.next({"type": "welcome"})
            await self.use(client, over)
        except AssertionError:
            # Where the connection has ended, what was waited for comes by the next.
            if not client.reading.done():
                raise
        except ConnectionClosed:
            pass
        finally:
            await client.close()
            self.note(client)
        client.raise_fault()
        if over.is_set():
            return 0
        return self.goodbyes[-1][1]

    def note(self, client):
        """What this connection was told."""
        for frame in client.frames:
            if frame["type"] == "error":
                self.faults.append(frame)
            if frame["type"] == "goodbye":
                least, most = frame["after"]
                self.goodbyes.append((frame["code"], self.dice.uniform(least, most) / 1000))
            if frame["type"] == "state" and frame.get("last", {}).get("outcome", "success") != "success":
                self.faults.append(frame["last"])
        if client.frames and client.frames[-1]["type"] != "goodbye" and client.socket.close_code not in (1000, 4200):
            self.faults.append(f"a connection ended without a goodbye: {client.socket.close_code}")

    async def use(self, client, over):
        if self.session:
            answer = await client.ask({"type": "hello", "session": self.session})
            assert answer["resumed"] is True, answer
        self.session = self.session or client.session
        for name in ("slow", "board"):
            answer = await client.watch(name, resume=self.models[name].epoch is not None)
            self.begins.append(answer["begin"])
            self.epochs.setdefault(name, set()).add(answer["epoch"])
        while not over.is_set():
            await self.pull(client)
            if counter := self.models["board"].rows.get("counter"):
                self.counts.append(int(counter[1]["title"]))
            await asyncio.sleep(self.dice.uniform(0, 0.5))

    async def pull(self, client):
        """Pulls and waits for the run's end. A pull whose answer was lost with a connection is sent again."""
        if self.pulled is None:
            self.gestures += 1
            self.pulled = self.gestures
        place = {"list": "slow", "gesture": self.pulled, "offset": 80}
        await client.send({"type": "pull", **place})
        answer = await client.ask({"type": "release", **place, "peak": 80}, within=15)
        self.pulled = None
        if answer["type"] != "ok" or answer["run"] is None:
            self.faults.append(answer)
            return
        self.runs.append(answer["run"])
        number = int(answer["run"][1:])
        is_over = lambda state: state and "last" in state and int(state["last"]["run"][1:]) >= number  # noqa: E731
        await client.until(lambda: is_over(self.models["slow"].state), 15, f"{answer['run']} never ended")


class Pusher:
    """A program that pushes a row and a counter, one push after the other, each until it is taken."""

    def __init__(self, proxy):
        self.proxy, self.count, self.sent_again, self.longest = proxy, 0, [], 0.0

    async def go_on(self, over):
        while not over.is_set():
            self.count += 1
            began = time.monotonic()
            while (status := await self.push(self.count)) != 200:
                self.sent_again.append(status)
                await asyncio.sleep(0.1)
            self.longest = max(self.longest, time.monotonic() - began)
            await asyncio.sleep(0.05)

    async def push(self, number):
        rows = [{"key": f"p{number}", "fields": {"title": f"Push {number}"}}, {"key": "counter", "fields": {"title": str(number)}}]
        headers = {"Authorization": f"Bearer {TOKEN}", "Connection": "close", "Idempotency-Key": f"push {number}"}
        try:
            answer = await self.proxy.ask("PATCH", "/lists/board", headers, json.dumps({"set": rows}).encode())
        except ENDED as end:
            return type(end).__name__
        return answer[0]


class Reader:
    """Somebody who asks over HTTP all the time, and must always be answered."""

    def __init__(self, proxy):
        self.proxy, self.answers = proxy, []

    async def go_on(self, over):
        while not over.is_set():
            try:
                self.answers.append((await self.proxy.ask("GET", "/lists/board", {"Connection": "close"}))[0])
            except ENDED as end:
                self.answers.append(type(end).__name__)
            await asyncio.sleep(0.05)
