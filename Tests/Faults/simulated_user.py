"""One client with its finger: acts by seed, remembers what it was shown, and is held to the document by its replicas."""

import asyncio
import json
from collections import Counter, deque
from dataclasses import dataclass

import frames
from queries import query_in
from random_windows import RandomWindows
from seeded_random import Line, Step, stream
from shared_history import number_of
from replica import Replica, short
from raw_websocket import Ended, TurnedAway, Wire

# The lists that a release fires; the others fire by a sample, before anything with an id was sent.
RELEASE = "release"


@dataclass
class Said:
    """A message with an id, as it was sent on one connection."""

    message: dict
    times: int = 1
    heard: int = 0
    answer: dict | None = None
    is_repeated: bool = False
    """Whether it was said before in another message, so that what it causes may have come already."""
    before: dict | None = None
    """What that one was answered."""


class Person:
    """Connects, acts, is cut, and comes back, until the world is over."""

    def __init__(self, number, world):
        self.name = f"person {number}"
        self.world, self.rules, self.ledger = world, world.rules, world.ledger
        self.steps = stream(world.seed, self.name, "steps")
        self.lines = stream(world.seed, self.name, "lines")
        self.windows = RandomWindows(world.seed, self.name, number)
        self.proxy = world.proxy()
        self.replicas = {name: Replica(name, self.rules, self.ledger, self) for name in world.names}
        self.wanted = set(world.names)
        self.session = None
        self.gestures = {}
        self.releases = {}
        self.keys = {}
        self.wire = None
        self.log = deque(maxlen=60)
        self.connections = 0
        self.begin_connection()

    def begin_connection(self):
        self.said = {}
        self.counter = 0
        self.loaded = set()
        self.limits = {}
        self.start = self.world.server.starts
        self.greeted = asyncio.Event()
        self.pending_hello = None
        self.begun = False

    # MARK: Living

    async def live(self):
        await self.proxy.open()
        try:
            while not self.world.is_over:
                await self.spend_a_connection()
                await asyncio.sleep(self.lines.uniform(0, 0.3))
        finally:
            await self.proxy.close()

    async def spend_a_connection(self):
        line = Line.draw(self.lines)
        self.proxy.line = line
        self.begin_connection()
        for replica in self.replicas.values():
            replica.begin_connection()
        start = self.world.server.starts
        try:
            self.wire = await Wire.open(self.proxy.port, deflates=line.deflates)
        except TurnedAway:
            return self.check("alive", self.world.server.stopped >= start, "a server that nobody asked to stop turns people away")
        except (Ended, OSError, TimeoutError):
            return
        self.connections += 1
        self.note("—", f"connection {self.connections}: {line}")
        acting = asyncio.create_task(self.act(line))
        try:
            await self.listen()
        except Ended as end:
            self.note("—", f"ended with {end.code}")
        finally:
            acting.cancel()
            self.wire.abort()
            self.wire = None
            await asyncio.gather(acting, return_exceptions=True)
        self.leave_behind()

    def leave_behind(self):
        """No id was answered more often than it was sent, however the connection ended."""
        for id_, said in self.said.items():
            self.check("answered", said.heard <= said.times, f"{said.heard} answers to {id_}: {said.message}")

    def check(self, rule, holds, what):
        self.rules.check(rule, holds, what, by=self)

    def note(self, way, what):
        self.log.append((way, what))

    # MARK: Saying

    def say(self, message, *, twice=False, is_repeated=False):
        """Sends a message with an id of its own, perhaps twice, byte for byte."""
        self.counter += 1
        id_ = f"m{self.counter}"
        said = self.said[id_] = Said({**message, "id": id_}, times=2 if twice else 1, is_repeated=is_repeated)
        self.tell(said.message, twice)
        return said

    def tell(self, message, twice=False):
        text = json.dumps(message)
        for _ in range(2 if twice else 1):
            if message["type"] == "watch":
                self.replicas[message["list"]].will_watch()
            self.note("→", text)
            self.wire.send(text)

    # MARK: Acting

    async def act(self, line):
        try:
            await self.greeted.wait()
            self.take_up(line)
            for name in self.world.names:
                if name in self.wanted:
                    self.watch(name, resumes=line.resumes)
            await self.repeat_releases()
            self.begun = True
            while not self.world.is_over:
                await self.next_step()
        except asyncio.CancelledError:
            raise
        except Exception as fault:  # Whatever it is, the run must end with it.
            self.rules.keep(fault, self)
            raise

    async def next_step(self):
        if self.world.is_calm:
            return await asyncio.sleep(0.02)
        step = Step.draw(self.steps)
        await asyncio.sleep(step.pause)
        if self.world.is_calm or self.wire is None:
            return None
        name = self.world.names[int(step.place * len(self.world.names))]
        return getattr(self, f"do_{step.deed}")(name, step)

    def take_up(self, line):
        if line.says_hello and self.session:
            self.pending_hello = self.say({"type": "hello", "session": self.session}, twice=self.lines.random() < 0.3)
        else:
            self.forget_session()

    def forget_session(self):
        self.session = self.welcome["session"]
        self.gestures, self.releases, self.keys = {}, {}, {}

    async def repeat_releases(self):
        """Who took a session up again may say again what it last said."""
        if self.pending_hello is None:
            return
        while self.pending_hello.answer is None:
            await asyncio.sleep(0.01)
        for name in list(self.releases):
            if name in self.wanted and self.world.refreshable(name):
                self.repeat(name)

    def watch(self, name, *, resumes, twice=False):
        self.wanted.add(name)
        replica = self.replicas[name]
        message = {"type": "watch", "list": name}
        if name in self.windows.lists:
            message["window"] = self.windows.window(replica)
        # A window is no part of the whole that one could go on from.
        if resumes and (replica.place is None or name in self.windows.lists):
            message |= replica.position
        self.say(message, twice=twice)

    def do_watch(self, name, step):
        self.watch(name, resumes=step.luck < 0.8, twice=step.is_sent_twice)

    def do_look(self, name, step):
        """Another part of a list that is watched, or of one that was watched whole."""
        if not self.windows.is_used or name not in self.wanted:
            return
        if step.luck < 0.1:
            self.windows.lists.discard(name)
            return self.watch(name, resumes=False)
        self.windows.lists.add(name)
        self.say({"type": "look", "list": name, "window": self.windows.window(self.replicas[name])}, twice=step.is_sent_twice)
        return None

    def do_unwatch(self, name, step):
        self.wanted.discard(name)
        self.replicas[name].will_unwatch()
        self.say({"type": "unwatch", "list": name}, twice=step.is_sent_twice)

    def do_pull(self, name, step):
        if step.luck < 0.3 or name not in self.gestures:
            self.gestures[name] = self.gestures.get(name, 0) + 1
        message = {"type": "pull", "list": name, "gesture": self.gestures[name], "offset": step.offset}
        if step.luck < 0.15:
            self.say(message, twice=step.is_sent_twice)
        else:
            self.tell(message, step.is_sent_twice)

    def do_release(self, name, step):
        """Lets go; mostly far enough. The gesture is over with it."""
        self.gestures[name] = self.gestures.get(name, 0) + (1 if step.luck < 0.6 else 0) or 1
        known = self.releases.get(name)
        if known and known.message["gesture"] == self.gestures[name]:
            return self.repeat(name)
        offset = max(step.offset, 90) if step.luck < 0.75 else step.offset
        message = {"type": "release", "list": name, "gesture": self.gestures[name], "offset": offset}
        self.releases[name] = self.say(message | {"peak": offset + 5}, twice=step.is_sent_twice)
        return None

    def let_go(self, name, *, is_pull):
        """A release far enough, or a refresh, now."""
        if not is_pull:
            return self.say({"type": "refresh", "list": name, "fresh": "join"})
        self.gestures[name] = self.gestures.get(name, 0) + 1
        said = self.say({"type": "release", "list": name, "gesture": self.gestures[name], "offset": 90, "peak": 99})
        self.releases[name] = said
        return said

    def repeat(self, name):
        """Says the newest release of a list again: its answer must be the one that it had."""
        known = self.releases[name]
        said = self.releases[name] = self.say(known.message | {"id": ""}, is_repeated=True)
        said.before = known.before or (known.answer and decision(known.answer))

    def do_cancel(self, name, step):
        if name in self.gestures and self.gestures[name] > self.released(name):
            self.say({"type": "cancel", "list": name, "gesture": self.gestures[name]}, twice=step.is_sent_twice)
            self.gestures[name] += 1

    def released(self, name):
        return self.releases[name].message["gesture"] if name in self.releases else 0

    def do_refresh(self, name, step):
        key = f"{self.name}-{self.connections}-{self.counter}"
        message = {"type": "refresh", "list": name, "fresh": "after" if step.luck < 0.3 else "join"}
        if step.luck < 0.8:
            message["key"] = key
        self.say(message, twice=step.is_sent_twice and "key" in message)

    def do_stop(self, name, step):
        state = self.replicas[name].state
        if state and "run" in state:
            self.say({"type": "stop", "list": name, "run": state["run"]}, twice=step.is_sent_twice)

    def do_ping(self, name, step):
        self.say({"type": "ping"}, twice=step.is_sent_twice)

    def do_digest(self, name, step):
        if self.world.has_digest:
            self.say({"type": "digest", "list": name}, twice=step.is_sent_twice)

    def do_nonsense(self, name, step):
        """What is wrong hurts its sender alone, and is answered too (P10)."""
        wrong = [
            {"type": "refreshh", "list": name},
            {"type": "pull", "list": name, "gesture": 1, "offset": 1e9},
            {"type": "watch", "list": "nowhere-to-be-found"},
            {"type": "release", "list": name},
        ]
        message = wrong[int(step.luck * len(wrong))]
        self.counter += 1
        id_ = f"m{self.counter}"
        self.said[id_] = Said({**message, "id": id_}, times=1)
        text = json.dumps(self.said[id_].message)
        self.note("→", text)
        self.wire.send(text)

    def do_leave(self, name, step):
        if step.luck < 0.5:
            self.wire.close()
        else:
            self.wire.abort()

    def do_wait(self, name, step):
        pass

    # MARK: Hearing

    async def listen(self):
        first = await self.hear_one()
        self.check("shape", first["type"] == "welcome", f"the first frame is {short(first)}")
        self.welcome, self.limits = first, first["limits"]
        self.start = self.world.server.starts
        self.greeted.set()
        while True:
            await self.hear_one()

    async def hear_one(self):
        payload = await self.wire.receive()
        self.note("←", payload)
        try:
            frame = json.loads(payload)
            frames.check(frame)
        except (ValueError, frames.WrongFrame) as fault:
            self.check("shape", False, f"{fault}: {payload[:400]}")
        self.check("shape", len(payload) <= self.limits.get("serverFrame", 1 << 16), f"a frame of {len(payload)} bytes")
        self.hear(frame)
        self.world.heard(frame)
        return frame

    def hear(self, frame):
        if frame["type"] in ("ok", "error"):
            return self.hear_answer(frame)
        if "list" in frame:
            replica = self.replicas[frame["list"]]
            if frame["type"] == "state" and frame.get("phase") == "loading" and "gesture" not in frame:
                self.loaded.add((frame["list"], replica.here, frame["run"]))
            again = replica.receive(frame)
            if again:
                self.watch(frame["list"], resumes=again != "fresh")
        return None

    def hear_answer(self, answer):
        id_ = answer.get("id")
        if id_ is None:
            return
        said = self.said.get(id_)
        self.check("answered", said is not None, f"an answer to what was never said: {short(answer)}")
        said.heard += 1
        self.check("answered", said.heard <= said.times, f"{said.heard} answers to {said.message}: {short(answer)}")
        if said.heard == 1:
            said.answer = answer
        kind = said.message["type"]
        if answer["type"] == "error":
            # Of a list that is not there, too many messages may be what is told.
            if kind == "watch" and answer["code"] != "unknownList" and said.message["list"] in self.replicas:
                self.replicas[said.message["list"]].refused()
                self.wanted.discard(said.message["list"])
        elif hasattr(self, f"hear_{kind}"):
            getattr(self, f"hear_{kind}")(said, answer)

    def hear_watch(self, said, ok):
        self.replicas[said.message["list"]].watched(
            ok, resumed="revision" in said.message, query=query_in(said.message.get("window"))
        )

    def hear_look(self, said, ok):
        self.replicas[said.message["list"]].looked(ok, query_in(said.message["window"]))

    def hear_hello(self, said, ok):
        self.check_again(said, ok, ("session", "resumed"))
        if said.heard > 1:
            return
        if not ok["resumed"]:
            self.forget_session()
            self.session = ok["session"]
        else:
            self.session = ok["session"]

    def hear_release(self, said, ok):
        self.hear_run(said, ok, ("gesture", self.session, said.message["list"], said.message["gesture"]))
        if said.before is not None:
            same = said.before == decision(ok)
            self.check("again", same, f"{said.message} was answered {said.before}, and now {short(ok)}")

    def hear_refresh(self, said, ok):
        key = said.message.get("key") or (self.name, self.connections, said.message["id"])
        self.hear_run(said, ok, ("key", said.message["list"], key))

    def hear_run(self, said, ok, request):
        """Which run serves a request."""
        self.check("shape", "run" in ok, f"{said.message} was answered {short(ok)}")
        self.check_again(said, ok, ("run", "joined", "reason"))
        name, run = said.message["list"], ok["run"]
        if run is None:
            return
        replica = self.replicas[name]
        if not replica.is_watched or replica.awaited:
            return  # In which epoch that run is, this client was not told.
        if replica.here is not None:
            self.ledger.answered(name, replica.here, number_of(run), request, ok["joined"], by=self)
        is_cause = not ok["joined"] and said.heard == 1 and not said.is_repeated
        if is_cause and self.world.trigger(name) == RELEASE:
            self.check("first", (name, replica.here, run) not in self.loaded, f"loading {run} came before {short(ok)}")

    def hear_digest(self, said, ok):
        replica = self.replicas[said.message["list"]]
        if not replica.is_watched or replica.awaited:
            return  # What comes until the server hears of that is not kept here.
        if (ok["epoch"], ok["revision"]) == (replica.epoch, replica.revision) and not replica.parts:
            ours = (len(replica.content.rows), replica.content.crc32(), replica.place)
            theirs = (ok["count"], ok["crc32"], (ok["first"], ok["total"]) if "total" in ok else None)
            # Who looks elsewhere now may have asked before.
            if (replica.place is None) == (theirs[2] is None) and not replica.rows_pending:
                self.check("digest", ours == theirs, f"ours is {ours}, theirs {short(ok)}")

    def check_again(self, said, ok, members):
        if said.heard > 1 and said.answer["type"] == "ok":
            same = all(said.answer.get(member) == ok.get(member) for member in members)
            self.check("again", same, f"{said.message} was answered {short(said.answer)} and {short(ok)}")

    # MARK: Calm

    @property
    def is_ready(self):
        """Whether this client has said all that it says at the beginning of a connection, and watches what it wants."""
        return self.begun and all(
            self.replicas[name].is_watched or self.replicas[name].awaited for name in self.wanted
        )

    @property
    def unanswered(self):
        return [said.message for said in self.said.values() if said.heard < said.times]

    def converged(self):
        """All who are there show the same."""

    def last_frames(self):
        """The last that it said and heard, a line each."""
        for way, what in self.log:
            text = what.decode(errors="replace") if isinstance(what, bytes) else what
            yield f"    {way} {text if len(text) < 500 else text[:500] + '…'}"


def decision(ok):
    """What an answer decided; not how it was worded."""
    if ok["type"] != "ok":
        return None
    return {member: ok.get(member) for member in ("run", "joined", "reason")}
