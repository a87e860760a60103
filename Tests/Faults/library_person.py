"""One program that uses the client library: driven by seed as the people are, and held to the server's rows and runs.

The library decides about connections, sessions, resuming, retries and what to believe; this only asks and looks.
"""

import asyncio
import contextlib
import json
from collections import deque
from types import SimpleNamespace

from falsifying_proxy import FalsifyingProxy
from list_content import Content
from seeded_random import Step, stream
from shared_history import number_of

# One frame of rows in so many is falsified.
SHARE = 0.04


class LibraryReplica:
    """One list as the library shows it."""

    def __init__(self):
        self.content = Content()
        self.epoch = self.revision = self.state = None
        self.is_online = False
        # Of the server that said what it says.
        self.start = 0

    @property
    def is_settled(self):
        return self.is_online and self.state is not None and self.state["phase"] == "waiting"

    # What a fault is told with.
    is_watched, awaited, rows_pending = True, 0, False


class LibraryPerson:
    """Lives as long as the world does: over every cut, falsified frame and kill, in one process."""

    def __init__(self, number, world):
        self.name = f"program {number} of the library"
        self.world, self.rules, self.ledger = world, world.rules, world.ledger
        self.steps = stream(world.seed, self.name, "steps")
        self.proxy = FalsifyingProxy(world.server.port, stream(world.seed, self.name, "lines"), share=SHARE)
        self.replicas = {name: LibraryReplica() for name in world.names}
        self.wanted = set(world.names)
        self.said = {}
        self.log = deque(maxlen=80)
        self.start = world.server.starts
        self.process = None
        self.is_ready = False
        self.greeted = asyncio.Event()
        self.runs = set()
        # How often a list was verified in a calm.
        self.asked = 0

    @property
    def wire(self):
        """Whether there is a connection."""
        return self.process if any(replica.is_online for replica in self.replicas.values()) else None

    @property
    def connections(self):
        return self.proxy.connections

    # MARK: Living

    async def live(self):
        await self.proxy.open()
        self.process = await asyncio.create_subprocess_exec(
            self.world.options.library, f"http://127.0.0.1:{self.proxy.port}", *self.world.names,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=1 << 24,
        )  # fmt: skip
        acting = asyncio.create_task(self.world.guard(self.act(), self))
        try:
            while line := await self.process.stdout.readline():
                self.log.append(("←", line))
                self.hear(json.loads(line))
            status = await self.process.wait()
            self.rules.check("library", self.world.is_over, f"it ended by itself, with status {status}", by=self)
        finally:
            acting.cancel()
            if self.process.returncode is None:
                self.process.kill()
                with contextlib.suppress(asyncio.CancelledError):
                    await self.process.wait()
            await self.proxy.close()

    async def act(self):
        while not self.world.is_over:
            step = Step.draw(self.steps)
            await asyncio.sleep(step.pause)
            # The network is there again: nobody waits half a minute here.
            if self.wire is None and (self.world.is_calm or step.luck < 0.3):
                self.tell({"do": "retry"})
            name = self.world.names[int(step.place * len(self.world.names))]
            if self.is_ready and not self.world.is_calm:
                self.take(step, name)
            elif self.is_ready and step.luck < 0.5:
                # That a frame was kept back is noticed when the next one comes, or when asked: of one list after another.
                self.ask("verify", self.world.names[self.asked % len(self.world.names)])
                self.asked += 1

    def take(self, step, name):
        match step.deed:
            case "pull":
                self.tell({"do": "pull", "list": name, "id": 0, "offset": step.offset})
            case "cancel":
                self.tell({"do": "cancel", "list": name, "id": 0})
            case "release":
                self.ask("release", name, offset=max(step.offset, 90) if step.luck < 0.75 else step.offset)
            case "refresh":
                self.ask("refresh", name, fresh="after" if step.luck < 0.3 else "join")
            case "stop":
                self.ask("stop", name)
            case "digest":
                self.ask("verify", name)
            case "leave":
                for task in list(self.proxy.carrying):
                    task.cancel()

    def ask(self, deed, name, **more):
        id_ = len(self.said) + 1
        said = self.said[id_] = SimpleNamespace(message={"do": deed, "list": name, "id": id_, **more}, answer=None)
        self.tell(said.message)
        return said

    def tell(self, command):
        text = json.dumps(command)
        self.log.append(("→", text))
        if self.process and self.process.stdin and not self.process.stdin.is_closing():
            self.process.stdin.write(f"{text}\n".encode())

    def let_go(self, name, *, is_pull):
        """A release far enough, or a refresh, now."""
        if not is_pull:
            return self.ask("refresh", name)
        # By a new finger: one that was down while the list loaded is spent.
        self.tell({"do": "cancel", "list": name, "id": 0})
        return self.ask("release", name, offset=95)

    # MARK: Hearing

    def hear(self, line):
        match line["type"]:
            case "watching":
                self.is_ready = True
                self.greeted.set()
            case "rows":
                self.hear_rows(line, self.replicas[line["list"]])
            case "state":
                self.hear_state(line, self.replicas[line["list"]])
            case "connection":
                self.hear_connection(line, self.replicas[line["list"]])
            case "answer":
                self.hear_answer(line)
            case "refused":
                self.check("library", False, f"a list that is there is refused: {line}")

    def hear_connection(self, line, replica):
        replica.is_online = line["is"] == "online"
        if replica.is_online:
            replica.start = self.world.server.starts

    def hear_rows(self, line, replica):
        before = {key: text for key, (_, text) in replica.content.rows.items()}
        content = Content()
        for place, (key, fields) in enumerate(line["rows"]):
            content.set(key, place, fields)
        self.check_changes(line, before, content)
        replica.content, replica.epoch, replica.revision = content, line["epoch"], line["revision"]
        if line["list"] not in self.proxy.falsified:
            self.ledger.saw(line["list"], line["epoch"], line["revision"], content, by=self)
        self.world.heard({"type": "patch", "list": line["list"]})

    def check_changes(self, line, before, content):
        """What is told of each row leads from the rows of before to these."""
        told = {key: kind for kind, key in line["changes"]}
        for key in before.keys() | content.rows.keys():
            was, now = before.get(key), content.rows.get(key, (0, None))[1]
            right = "inserted" if was is None else "removed" if now is None else "changed" if was != now else (None, "moved")
            kind = told.get(key)
            holds = kind in right if isinstance(right, tuple) else kind == right
            self.check("changes", holds, f"'{key}' of {line['list']} is told as {kind}, and is {right}")

    def hear_state(self, line, replica):
        replica.state = line
        self.start = replica.start or self.start
        name, epoch, last = line["list"], line["epoch"], line.get("last")
        if line["list"] not in self.proxy.falsified:
            if line["phase"] == "loading":
                self.ledger.loading(name, epoch, line, by=self)
            if last:
                self.ledger.over(name, epoch, last, by=self)
        if last and line["phase"] != "loading":
            if last["outcome"] == "success":
                self.check("stale", "staleSince" not in line, f"stale after a success: {line}")
            elif last["outcome"] in ("failure", "timeout"):
                self.check("stale", "staleSince" in line, f"not stale after a {last['outcome']}: {line}")
        self.world.heard({"type": "state", "list": name})

    def hear_answer(self, line):
        said = self.said[line["id"]]
        self.check("answered", said.answer is None, f"{said.message} was answered {said.answer}, and now {line}")
        run = line.get("run")
        said.answer = {"type": "ok" if line["answer"] == "ended" else "error", "run": run, **line, "joined": None}
        if run:
            self.runs.add((said.message["list"], number_of(run)))

    def check(self, rule, holds, what):
        self.rules.check(rule, holds, what, by=self)

    # MARK: Calm

    @property
    def unanswered(self):
        return [said.message for said in self.said.values() if said.answer is None]

    def converged(self):
        """What was falsified has been found and put right."""
        self.proxy.falsified.clear()

    def last_frames(self):
        for way, what in self.log:
            text = what.decode(errors="replace") if isinstance(what, bytes) else what
            yield f"    {way} {text.rstrip() if len(text) < 500 else text[:500] + '…'}"
