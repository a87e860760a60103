"""Load on a store: writers over HTTP, people who watch and come back, and readers."""

import asyncio
import json
import time
from urllib.parse import quote

import frames
from seeded_random import stream
from replica import Replica, short
from rules import Broken
from raw_websocket import Ended, Wire

# Bytes of padding, by the list whose rows they are in; a large row takes pages of its own.
PADDING = {"small": [0, 40], "large": [80, 80, 80, 80, 5000], "notes": [0, 200, 900]}
KEYS = {"small": 12, "large": 300, "notes": 40}
PUSHED = list(KEYS)
NAMES = [*PUSHED, "feed"]
AWAY = (OSError, TimeoutError, EOFError)


class Refusals:
    """What was refused since the last fault: by list, the first answer."""

    def __init__(self):
        self.first = {}
        self.count = 0

    def add(self, name, what):
        if "The server is " not in what:  # about to stop, or stopping
            self.count += 1
            self.first.setdefault(name, what)


class Load:
    """Everybody who reads and writes."""

    def __init__(self, seed, server, history, rules):
        self.seed, self.server, self.history, self.rules = seed, server, history, rules
        self.refusals = Refusals()
        self.is_over = False
        self.writers = [Writer(number, self) for number in range(3)]
        self.watchers = [Watcher(number, self) for number in range(3)]
        self.pushes = self.reads = self.snapshots = 0

    def tasks(self):
        lives = [writer.live() for writer in self.writers] + [watcher.live() for watcher in self.watchers]
        return [asyncio.create_task(life) for life in [*lives, self.read_on()]]

    async def read_on(self):
        dice = stream(self.seed, "reader")
        while not self.is_over:
            await asyncio.sleep(dice.expovariate(1 / 0.08))
            try:
                await self.get(dice.choice(NAMES))
            except (*AWAY, Broken):
                await asyncio.sleep(0.05)

    async def get(self, name):
        """One GET of a list, judged: its document, or None where it is refused."""
        status, _, body = await self.server.http("GET", f"/lists/{name}")
        document = self.parsed(f"GET {name}", body)
        if status != 200:
            self.refused(name, f"GET {status}", document)
            return None
        self.reads += 1
        self.history.read(name, document)
        return document

    def parsed(self, what, body):
        try:
            return json.loads(body)
        except ValueError as fault:
            return self.rules.check("shape", False, f"{what} is answered by no JSON ({fault}): {body[:300]}")

    def refused(self, name, what, problem):
        self.rules.check("shape", what.endswith("503") and "detail" in problem, f"{name}: {what} {problem}")
        self.refusals.add(name, f"{what} {problem['detail']}")

    async def refresh(self, name):
        """One refresh, whose outcome is in the list."""
        status, _, body = await self.server.http("POST", f"/lists/{name}/refresh")
        answer = self.parsed(f"POST {name}", body)
        if status == 503:
            self.refused(name, f"POST {status}", {"detail": f"{answer}"})

    async def push(self, name, method, path, body, effect, key=None):
        """One push, judged: whether it was acknowledged."""
        headers = {"Content-Type": "application/json"} | ({"Idempotency-Key": key} if key else {})
        content = None if body is None else json.dumps(body).encode()
        status, _, answer = await self.server.http(method, path, headers, content)
        answer = self.parsed(f"{method} {path}", answer)
        if status not in (200, 201):
            self.refused(name, f"{method} {status}", answer)
            return False
        self.pushes += 1
        self.history.was_acknowledged(name, effect, answer["epoch"], answer["revision"])
        return True


class Writer:
    """Pushes rows under keys of its own, one after another; what was not acknowledged, it sometimes says again."""

    def __init__(self, number, load):
        self.name, self.load = f"w{number}", load
        self.dice = stream(load.seed, self.name)
        self.count = 0

    async def live(self):
        for name in PUSHED:
            await self.fill(name)
        while not self.load.is_over:
            await asyncio.sleep(self.dice.expovariate(1 / 0.04))
            name = self.dice.choice(PUSHED)
            request = self.request(name)
            again = self.dice.random()
            key = f"{self.name}-{self.count}"
            self.count += 1
            await self.say(name, request, key)
            if again < 0.15:
                await self.say(name, request, key)

    async def say(self, name, request, key):
        try:
            return await self.load.push(name, *request, key=key)
        except (*AWAY, Broken):
            await asyncio.sleep(0.05)
            return False

    async def fill(self, name):
        """All keys at once: what a list begins with."""
        for start in range(0, KEYS[name], 50):
            numbers = range(start, min(start + 50, KEYS[name]))
            keys = [f"{self.name}-{number}" for number in numbers if number % 3 == int(self.name[1:])]
            while keys and not await self.say(name, self.patch(name, keys, []), None):
                pass

    def request(self, name):
        """(method, path, body, effect) of a change."""
        dice = self.dice
        keys = [f"{self.name}-{number}" for number in range(KEYS[name]) if number % 3 == int(self.name[1:])]
        key = dice.choice(keys)
        kind = dice.random()
        if kind < 0.5:
            number, fields = self.load.history.seals.row(name, key, dice.choice(PADDING[name]))
            return "PUT", f"/lists/{name}/rows/{quote(key)}", {"fields": fields}, {key: (number, False)}
        if kind < 0.62:
            return "DELETE", f"/lists/{name}/rows/{quote(key)}", None, {key: (self.load.history.will_remove(name, key), True)}
        several = dice.sample(keys, min(len(keys), dice.randint(1, 5)))
        return self.patch(name, several[1:] or several, several[:1] if len(several) > 2 else [])

    def patch(self, name, keys, removed):
        effect, rows = {}, []
        for key in keys:
            number, fields = self.load.history.seals.row(name, key, self.dice.choice(PADDING[name]))
            effect[key] = (number, False)
            rows.append({"key": key, "fields": fields, "at": self.dice.choice(["top", "end"])})
        effect |= {key: (self.load.history.will_remove(name, key), True) for key in removed}
        return "PATCH", f"/lists/{name}", {"set": rows, "remove": removed}, effect


class Watcher:
    """Watches all lists, goes away, and comes back with the revisions that it has."""

    def __init__(self, number, load):
        self.name, self.load = f"watcher {number}", load
        self.dice = stream(load.seed, self.name)
        self.replicas = {}
        self.start = 0
        self.forget()

    def forget(self):
        for name in NAMES:
            self.replicas[name] = Replica(name, self.load.rules, self.load.history, self)

    async def live(self):
        while not self.load.is_over:
            try:
                await self.connect()
            except Broken:
                self.forget()
            except (*AWAY, Ended, AssertionError):
                pass
            await asyncio.sleep(self.dice.uniform(0.02, 0.15))

    async def connect(self):
        self.start = self.load.server.starts
        if self.dice.random() < 0.2:
            self.forget()
        for replica in self.replicas.values():
            replica.begin_connection()
        wire = await Wire.open(self.load.server.port, deflates=self.dice.random() < 0.3)
        again = []
        try:
            for name in NAMES:
                self.watch(wire, name)
            async with asyncio.timeout(self.dice.expovariate(1 / 3)):
                while True:
                    self.hear(wire, await wire.receive(), again)
        finally:
            for timer in again:
                timer.cancel()
            wire.abort()

    def watch(self, wire, name, resumes=True):
        self.replicas[name].will_watch()
        position = self.replicas[name].position if resumes else {}
        wire.send(json.dumps({"type": "watch", "id": name, "list": name, **position}))

    def hear(self, wire, payload, again):
        try:
            frame = json.loads(payload)
            frames.check(frame)
        except (ValueError, frames.WrongFrame) as fault:
            self.load.rules.check("shape", False, f"{fault}: {payload[:400]}")
        if frame["type"] == "ok":
            self.replicas[frame["id"]].watched(frame)
        elif frame["type"] == "error":
            self.refused(wire, frame, again)
        elif "list" in frame:
            name = frame["list"]
            self.load.snapshots += frame["type"] == "snapshot"
            self.load.history.written(name, [*frame.get("rows", []), *frame.get("set", [])])
            if word := self.replicas[name].receive(frame):
                self.watch(wire, name, resumes=word != "fresh")

    def refused(self, wire, frame, again):
        self.load.rules.check("shape", frame.get("code") == "unavailable" and frame.get("id"), f"a watch is answered {short(frame)}")
        name = frame["id"]
        self.load.refusals.add(name, f"watch {frame['message']}")
        self.replicas[name].refused()
        again.append(asyncio.get_running_loop().call_later(0.3, self.watch, wire, name))

    def shows(self, name, epoch, revision):
        replica = self.replicas[name]
        return replica.epoch == epoch and replica.revision is not None and replica.revision >= revision


async def comes_true(holds, seconds):
    """Waits until something holds; whether it did."""
    deadline = time.monotonic() + seconds
    while not (is_true := holds()) and time.monotonic() < deadline:
        await asyncio.sleep(0.02)
    return is_true
