"""Who uses the cluster: people with fingers who move from node to node, programs that push, and one that reads."""

import asyncio
import json

from cluster_history import Attempt, Pushed, Repeated, now
from list_content import canonical
from replica import Replica
from rules import Broken
from seeded_random import stream
from server import NotServing
from shared_history import number_of
from simulated_user import Person, decision

AWAY = (OSError, TimeoutError, EOFError)
KEYS = [f"k{number}" for number in range(10)]
# So many changes at one moment, of one program, that several servers have several of them each to commit.
BURST = 9


class ClusterReplica(Replica):
    """A list as a person sees it, who stays connected while its epoch changes. Runs are counted anew then, and states name no
    epoch: what breaks their order counts only if rows of the same epoch follow."""

    def begin_watch(self):
        super().begin_watch()
        self.doubts = []

    def check(self, rule, holds, what):
        if rule == "order" and not holds:
            self.rules.checked[rule] += 1
            return self.doubts.append(what)
        return super().check(rule, holds, what)

    def apply(self, parts):
        first = parts[0]
        if first["type"] == "snapshot" and first["epoch"] != self.epoch:
            self.doubts, self.patched, self.begun, self.over = [], set(), set(), 0
        for what in self.doubts:
            super().check("order", False, what)
        if first["type"] == "patch" and "run" in first:
            self.ledger.patched(parts, self.person)
        return super().apply(parts)

    def hear(self, state):
        """Loading may be said again of a run that was heard of before its rows: it is stale now, as the database is away."""
        run = number_of(state["run"]) if state["phase"] == "loading" and "gesture" not in state else None
        is_again = run in self.begun and run in self.patched
        if is_again:
            self.patched.discard(run)
        super().hear(state)
        if is_again:
            self.patched.add(run)

    def check_staleness(self, state, last):
        """After a success, too, a list may be stale: while the database is away."""
        if last["outcome"] != "success":
            super().check_staleness(state, last)

    @property
    def is_rightly_stale(self):
        """Once the database is back, only what failed is stale."""
        state = self.state or {}
        return "staleSince" not in state or state.get("last", {}).get("outcome", "success") != "success"


class ClusterPerson(Person):
    """A simulated user whose connections go to any node, with the session of the one before."""

    def __init__(self, number, world):
        super().__init__(number, world)
        self.replicas = {name: ClusterReplica(name, self.rules, self.ledger, self) for name in world.names}

    def begin_connection(self):
        super().begin_connection()
        self.ledger.forget(self)

    def say(self, message, **more):
        said = super().say(message, **more)
        said.since = now()
        return said

    def repeat(self, name):
        since = self.releases[name].since
        super().repeat(name)
        self.releases[name].since = since

    def hear_release(self, said, ok):
        """Whether a release that is sent again is answered as before is told by the whole history: a failover may forget it."""
        # What is told again as it was may be of the epoch before.
        if said.before != decision(ok):
            self.hear_run(said, ok, ("gesture", self.session, said.message["list"], said.message["gesture"]))
        if said.before is not None and said.heard == 1:
            name, gesture = said.message["list"], said.message["gesture"]
            message = f"the release of gesture {gesture} in session {self.session}, on {self.proxy.node.name},"
            self.world.history.add(Repeated(now(), self.name, name, said.since, message, said.before, decision(ok)))

    def watch_all(self):
        """What was refused while there was no database is watched again, and what was looked at in part is watched whole."""
        for name in list(self.windows.lists) if self.wire is not None and self.begun else ():
            self.windows.lists.discard(name)
            self.watch(name, resumes=False)
        for name in self.world.names:
            if name not in self.wanted and self.wire is not None and self.begun:
                self.watch(name, resumes=True)

    def shows(self, name):
        """(epoch, revision, CRC-32, rows) once it has all that it was promised, else None."""
        replica = self.replicas[name]
        if self.wire is None or not self.greeted.is_set() or not self.is_ready or not replica.is_settled:
            return None
        if not replica.is_rightly_stale:
            return None
        return replica.epoch, replica.revision, replica.content.crc32(), tuple(replica.content.ordered())

    def missing(self, name):
        """Why it shows nothing that counts."""
        replica = self.replicas[name]
        return (
            f"on {self.proxy.node and self.proxy.node.name}, connected: {self.wire is not None}, ready: {self.is_ready}, "
            f"watched: {replica.is_watched}, awaited: {replica.awaited}, rightly stale: {replica.is_rightly_stale}, "
            f"rows pending: {replica.rows_pending}, parts: {len(replica.parts)}, {json.dumps(replica.state)}"
        )


class Pusher:
    """A program that changes rows over HTTP, on any node, and sends again to another one what was not answered."""

    def __init__(self, number, world):
        self.name = f"pusher {number}"
        self.world, self.history, self.nodes = world, world.history, world.nodes
        self.dice = stream(world.seed, self.name)
        self.count = 0
        self.newest = {}

    async def live(self):
        while not self.world.is_over:
            await asyncio.sleep(self.dice.expovariate(1 / 0.12))
            name = "board" if self.dice.random() < 0.8 else "inbox"
            draws = [[self.dice.random() for _ in range(7)] for _ in range(BURST if self.dice.random() < 0.1 else 1)]
            if not self.world.is_calm:
                await asyncio.gather(*(self.push(name, draw) for draw in draws))

    async def push(self, name, draw):
        self.count += 1
        request, effect = self.change(name, draw)
        headers = {"Idempotency-Key": f"{self.name} {self.count}"}
        condition = self.newest.get(name) if draw[0] < 0.3 else None
        if condition:
            headers["If-Match"] = f'"{condition[0]}:{condition[1]}"'
        push = self.history.add(Pushed(now(), self.name, name, effect, condition))
        # Not all who are not answered ask again. A node alone forgets keys at its end.
        for _ in range(4 if draw[1] < 0.8 and self.world.databases else 1):
            attempt = await self.attempt(push, request, headers)
            if attempt.is_done or attempt.is_refused:
                break
            await asyncio.sleep(self.dice.uniform(0, 0.6))
        if attempt.is_done and draw[2] < 0.2:
            starts = self.nodes[0].starts
            again = await self.attempt(push, request, headers)
            is_remembered = self.world.databases or starts == self.nodes[0].starts
            if again.status and again.status != 503 and is_remembered:
                first, second = ((one.status, one.epoch, one.revision) for one in (attempt, again))
                message = f"the push {push.effect}, on {again.node},"
                self.history.add(Repeated(now(), self.name, name, push.at, message, first, second))

    def change(self, name, draw):
        """One to three keys; what is written is written once in the whole run."""
        fields = {"title": f"{self.name}, {self.count}"}
        key, other, third = (KEYS[int(one * len(KEYS))] for one in draw[3:6])
        if draw[6] < 0.35:
            return ("PUT", f"/lists/{name}/rows/{key}", {"fields": fields}), {key: canonical(fields)}
        if draw[6] < 0.5:
            return ("DELETE", f"/lists/{name}/rows/{key}", None), {key: None}
        rows = [{"key": one, "fields": fields, **({"at": "end"} if draw[6] < 0.7 else {})} for one in {key: 0, other: 0}]
        effect = {row["key"]: canonical(fields) for row in rows}
        if third not in effect:
            effect[third] = None
        return ("PATCH", f"/lists/{name}", {"set": rows, "remove": [one for one, text in effect.items() if text is None]}), effect

    async def attempt(self, push, request, headers):
        method, path, body = request
        node = self.dice.choice(self.nodes)
        attempt = Attempt(node.name, now())
        push.attempts.append(attempt)
        content = None if body is None else json.dumps(body).encode()
        try:
            status, _, answer = await node.http(method, path, {"Content-Type": "application/json", **headers}, content, within=8)
        except AWAY:
            return attempt
        attempt.answered = now()
        body = json.loads(answer) if answer else {}
        self.world.rules.check(
            "shape", status in (200, 201, 412, 503), lambda: f"{node.name} answers {status} {body} to {method} {path} {headers}"
        )
        attempt.status, attempt.epoch, attempt.revision = status, body.get("epoch"), body.get("revision")
        if attempt.epoch:
            self.newest[push.list] = attempt.epoch, attempt.revision
        return attempt


class Reader:
    """Reads any list from any node."""

    def __init__(self, world):
        self.name = "reader"
        self.world, self.dice = world, stream(world.seed, "reader")

    async def live(self):
        while not self.world.is_over:
            await asyncio.sleep(self.dice.expovariate(1 / 0.1))
            node, name = self.dice.choice(self.world.nodes), self.dice.choice(self.world.names)
            try:
                self.world.history.read(f"GET {node.name}", name, await node.document(name))
            except (*AWAY, NotServing, Broken):
                continue
