"""People who act on rows: twice, joined by others, over connections that are cut, and who ask again when they are back."""

import asyncio
import json
import time

import frames
from action_history import Wish
from raw_websocket import Ended, TurnedAway, Wire
from replica import Replica, short
from rules import Broken
from seeded_random import Line, stream

AWAY = (OSError, TimeoutError, EOFError)
# What a person does next, and how often.
DEEDS = {"act": 40, "undo": 14, "again": 8, "echo": 8, "stop": 5, "refresh": 6, "leave": 4, "wait": 15}
ACTIONS = {"tasks": ("archive", "archive", "check"), "board": ("archive", "archive", "flag")}


class Person:
    """Connects, acts, is cut, and comes back, until the trial is over."""

    def __init__(self, number, trial):
        self.name = f"person {number}"
        self.trial, self.rules, self.history = trial, trial.rules, trial.history
        self.dice = stream(trial.options.seed, self.name)
        self.proxy = trial.proxy()
        self.session, self.wire = None, None
        self.mine = []
        self.count = self.connections = 0
        self.forget()
        self.begin_connection()

    def forget(self):
        self.replicas = {name: Replica(name, self.rules, self.history, self) for name in ACTIONS}

    def begin_connection(self):
        self.start = self.trial.server.starts
        # By id what was sent, by run what may be told here, and the runs whose end was.
        self.sent, self.known, self.runs, self.over = {}, {}, set(), set()
        self.numbers = 0
        self.is_watching = False
        for replica in self.replicas.values():
            replica.begin_connection()

    # MARK: Living

    async def live(self):
        await self.proxy.open()
        try:
            while not self.trial.is_over:
                try:
                    await self.spend_a_connection()
                except Broken:
                    self.forget()
                await asyncio.sleep(self.dice.uniform(0, 0.2))
        finally:
            await self.proxy.close()

    async def spend_a_connection(self):
        self.proxy.line = line = Line.draw(self.dice)
        self.begin_connection()
        try:
            self.wire = await Wire.open(self.proxy.port, deflates=line.deflates)
            first = await self.receive()
        except (*AWAY, Ended, TurnedAway):
            return
        # A server that has just been killed may have welcomed us.
        if self.start != self.trial.server.starts:
            return self.wire.abort()
        self.connections += 1
        if self.dice.random() < 0.15:
            # They don't come back to what they wanted: somebody else asks what became of it.
            self.trial.orphans += [wish for wish in self.mine if wish.is_open]
            self.mine = []
        acting = asyncio.create_task(self.act(first, line))
        try:
            while True:
                self.hear(await self.receive())
        except (*AWAY, Ended):
            pass
        finally:
            acting.cancel()
            self.wire.abort()
            self.wire, self.is_watching = None, False
            await asyncio.gather(acting, return_exceptions=True)

    async def receive(self):
        payload = await self.wire.receive()
        try:
            frame = json.loads(payload)
            frames.check(frame)
        except (ValueError, frames.WrongFrame) as fault:
            self.rules.check("shape", False, f"{fault}: {payload[:400]}", by=self)
        self.trial.heard(frame)
        return frame

    # MARK: Saying

    def say(self, message):
        self.numbers += 1
        id_ = f"m{self.numbers}"
        self.sent[id_] = message
        if message["type"] == "watch":
            self.replicas[message["list"]].will_watch()
        self.wire.send(json.dumps({**message, "id": id_}))

    def wish(self, list_, members):
        """Asks for something under a key of its own."""
        self.count += 1
        key = f"{self.name}/{self.count}"
        wish = Wish({"type": "act", "list": list_, "key": key, **members}, self.start)
        self.mine.append(wish)
        self.send(wish, 2 if self.dice.random() < 0.15 else 1)

    def send(self, wish, times=1):
        self.history.will_send(wish)
        for _ in range(times):
            self.known[f"m{self.numbers + 1}"] = wish.run
            self.say(wish.message)

    def may_be_late(self, frame):
        """Whether this connection was not told of the end of a run that others were told of."""
        return frame["run"] not in self.over

    # MARK: Acting

    async def act(self, welcome, line):
        if line.says_hello and self.session:
            self.say({"type": "hello", "session": self.session})
        else:
            self.session = welcome["session"]
        for name, replica in self.replicas.items():
            self.say({"type": "watch", "list": name, **(replica.position if line.resumes else {})})
        while not all(replica.is_watched and not replica.awaited for replica in self.replicas.values()):
            await asyncio.sleep(0.01)
        self.mine = [wish for wish in self.mine if wish.is_open or self.dice.random() < 0.1][-40:]
        await self.ask_again(self.mine)
        self.is_watching = True
        while True:
            pause, deed = self.dice.expovariate(1 / 0.15), self.dice.choices(list(DEEDS), list(DEEDS.values()))[0]
            await asyncio.sleep(pause)
            if not self.trial.is_calm:
                getattr(self, f"do_{deed}")()

    async def ask_again(self, wishes):
        """Sends wishes that were sent before, no faster than a client may."""
        for wish in wishes:
            if self.wire:
                self.send(wish)
            await asyncio.sleep(0.06)

    def do_act(self):
        name = self.dice.choice(list(ACTIONS))
        # The first rows are popular, so that people meet there.
        place, action = int(self.dice.paretovariate(1)) - 1, self.dice.choice(ACTIONS[name])
        rows = sorted(self.replicas[name].content.rows)
        if rows:
            self.wish(name, {"action": action, "row": rows[min(place, len(rows) - 1)]})

    def do_undo(self):
        done = [run for run in self.trial.undoable if run[1] > time.monotonic()]
        if done:
            name, run = self.dice.choice(done[-4:])[0]
            self.wish(name, {"undo": run})

    def do_again(self):
        if self.mine:
            self.send(self.dice.choice(self.mine[-6:]))

    def do_echo(self):
        """Somebody else's key, which is random for each wish and so is one wish from any session."""
        wishes = [wish for person in self.trial.people for wish in person.mine[-3:]]
        if wishes:
            self.send(self.dice.choice(wishes))

    def do_stop(self):
        under_way = [wish for wish in self.mine if wish.is_open and wish.run]
        if under_way:
            wish = self.dice.choice(under_way)
            self.history.runs_of_actions[wish.run].is_stopped = True
            self.say({"type": "stop", "list": wish.list, "run": wish.run})

    def do_refresh(self):
        self.say({"type": "refresh", "list": "tasks"})

    def do_leave(self):
        (self.wire.close if self.dice.random() < 0.5 else self.wire.abort)()

    def do_wait(self):
        pass

    # MARK: Hearing

    def hear(self, frame):
        if frame["type"] in ("ok", "error"):
            self.hear_answer(frame)
        elif frame["type"] == "act":
            self.hear_act(frame)
        elif "list" in frame:
            replica = self.replicas[frame["list"]]
            if word := replica.receive(frame):
                self.say({"type": "watch", "list": replica.name, **(replica.position if word != "fresh" else {})})

    def hear_answer(self, answer):
        message = self.sent.get(answer.get("id"))
        self.rules.check("shape", message is not None, f"an answer to nothing: {short(answer)}", by=self)
        if answer["type"] == "error":
            is_due = answer["code"] in ("rateLimited", "unavailable", "notWatching")
            self.rules.check("shape", is_due, f"{message} is answered {short(answer)}", by=self)
            if message["type"] == "watch":
                self.wire.abort()
        elif message["type"] == "watch":
            self.replicas[message["list"]].watched(answer)
        elif message["type"] == "hello":
            self.session = answer["session"]
        elif message["type"] == "act":
            self.history.answered(self.history.wishes[message["key"]], answer, self.known.pop(answer["id"], None), self)
            self.runs.add(answer["run"])

    def hear_act(self, frame):
        self.rules.check("private", frame["run"] in self.runs, f"{short(frame)}, whose key was not answered here", by=self)
        self.history.told(frame, self)
        if frame["phase"] == "loading":
            return
        self.over.add(frame["run"])
        if "undo" in frame:
            self.trial.undoable.append(((frame["list"], frame["run"]), time.monotonic() + frame["undo"] / 1000))

    # MARK: Calm

    @property
    def waits(self):
        """What it was promised to be told on this connection and was not."""
        return self.runs - self.over - {None}

    def shows(self, name, epoch, revision):
        replica = self.replicas[name]
        return replica.is_settled and (replica.epoch, replica.revision) == (epoch, revision)
