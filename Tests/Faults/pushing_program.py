"""A program beside the people: pushes rows over HTTP, refreshes lists, and knows what it was acknowledged."""

import asyncio
import json

from list_content import canonical
from seeded_random import stream


class Program:
    """Owns the keys with its prefix in the lists that nobody else fills: what is there must be what it put there."""

    def __init__(self, number, world):
        self.name = f"program {number}"
        self.prefix = f"p{number}-"
        self.world, self.rules, self.ledger = world, world.rules, world.ledger
        self.dice = stream(world.seed, self.name)
        self.pushed = {name: {} for name in world.board_names}
        self.newest = {}
        self.log = []
        self.count = 0

    @property
    def start(self):
        return self.world.server.starts

    async def live(self):
        while not self.world.is_over:
            draw = [self.dice.random() for _ in range(8)]
            await asyncio.sleep(draw[0] * 0.3)
            if self.world.is_calm or not self.world.server.is_running:
                continue
            try:
                await self.step(draw)
            except (OSError, TimeoutError, EOFError):
                continue  # The server was killed meanwhile; what was asked is in doubt, and noted as such.

    async def step(self, draw):
        names = self.world.push_names
        if names and draw[1] < 0.8:
            await self.push(names[int(draw[2] * len(names))], draw)
        elif draw[1] < 0.95:
            names = [name for name in self.world.names if self.world.refreshable(name)]
            name = names[int(draw[2] * len(names))]
            await self.world.server.http("POST", f"/lists/{name}/refresh", {"Idempotency-Key": f"{self.name}{draw[3]}"})
        else:
            await self.world.server.rows(self.world.names[int(draw[2] * len(self.world.names))])

    # MARK: Pushing

    def key(self, draw):
        return f"{self.prefix}{int(draw * 12)}"

    async def push(self, name, draw):
        """One change of one to three keys; sometimes said twice, sometimes on a condition, sometimes wrong."""
        fields = {"title": f"{self.name} {self.count}", "n": self.count, "ä": "ö" * int(draw[3] * 5)}
        key = self.key(draw[4])
        if draw[3] < 0.3:
            request, effect = ("PUT", f"/lists/{name}/rows/{key}", {"fields": fields}), {key: fields}
        elif draw[3] < 0.45:
            request, effect = ("DELETE", f"/lists/{name}/rows/{key}", None), {key: None}
        else:
            request, effect = self.patch(name, draw, fields)
        if draw[6] < 0.06:
            return await self.push_wrongly(name, draw)
        headers = {"Idempotency-Key": f"{self.prefix}{self.count}-{self.start}"}
        if draw[6] > 0.85:
            headers["If-Match"] = f'"{self.newest[name]}"' if name in self.newest else '"nowhere:7"'
        self.count += 1
        before = self.doubt(name, effect)
        answer = await self.ask(request, headers)
        self.acknowledged(name, effect, answer, before)
        if draw[7] < 0.15:
            await self.push_again(request, headers, answer)
        return None

    def patch(self, name, draw, fields):
        keys = [self.key(draw[4]), self.key(draw[5])]
        effect = {key: fields for key in keys}
        places = [{}, {"at": "end"}, {"at": "top"}, {"before": self.key(draw[0])}, {"after": "nobody"}]
        rows = [{"key": key, "fields": fields, **places[int(draw[6] * len(places))]} for key in effect]
        remove = [key for key in [self.key(draw[7])] if key not in effect]
        effect |= {key: None for key in remove}
        return ("PATCH", f"/lists/{name}", {"set": rows, "remove": remove}), effect

    async def ask(self, request, headers):
        method, path, body = request
        content = None if body is None else json.dumps(body).encode()
        start = self.start
        self.note("→", f"{method} {path} {content}")
        asked = self.world.server.starts
        status, _, answer = await self.world.server.http(
            method, path, {"Content-Type": "application/json", **headers}, content
        )
        self.note("←", f"{status} {answer[:300]} (start {start})")
        if status == 503 and self.world.server.stopped >= asked:
            raise ConnectionRefusedError("the server was asked to stop meanwhile")
        return status, json.loads(answer) if answer else None

    async def push_wrongly(self, name, draw):
        """A mistake is answered by a problem, and changes nothing (P10)."""
        wrong = [{"set": "x"}, {"set": [{"fields": {}}]}, ["not", "an object"], {"remove": [7]}]
        status, answer = await self.ask(("PATCH", f"/lists/{name}", wrong[int(draw[5] * len(wrong))]), {})
        self.check("shape", 400 <= status < 500 and "detail" in answer, f"a wrong push is answered {status} {answer}")

    async def push_again(self, request, headers, answer):
        start = self.start
        again = await self.ask(request, headers)
        if self.start == start and answer[0] in (200, 201):
            self.check("again", again == answer, f"{request} with {headers} was answered {answer}, and again {again}")

    def doubt(self, name, effect):
        """Until it is acknowledged, it may be done or not. Gives what may have been there before."""
        known = self.pushed.get(name, {})
        before = {key: known.get(key, {None}) for key in effect}
        for key, fields in effect.items() if name in self.pushed else ():
            known[key] = before[key] | {text(fields)}
        return before

    def acknowledged(self, name, effect, answer, before):
        status, body = answer
        is_done = status in (200, 201)
        self.check("shape", is_done or status == 412, f"a push is answered {status} {body}")
        self.newest[name] = f"{body['epoch']}:{body['revision']}"
        self.ledger.reached(name, body["epoch"], body["revision"])
        for key, fields in effect.items() if name in self.pushed else ():
            # What stood under a condition that did not hold was not done.
            self.pushed[name][key] = {text(fields)} if is_done else before[key]

    def compare(self, name, rows):
        """In calm: the list holds what was acknowledged, and of what is in doubt one or the other."""
        there = {key: canonical(fields) for key, fields in rows if key.startswith(self.prefix)}
        for key in {*there, *self.pushed[name]}:
            may = self.pushed[name].get(key, {None})
            self.check("pushed", there.get(key) in may, f"{name}: {key} is {there.get(key)}, and may be {may}")
            self.pushed[name][key] = {there.get(key)}

    def learn(self, name, rows):
        """The list is an older copy now."""
        self.pushed[name] = {key: {canonical(fields)} for key, fields in rows if key.startswith(self.prefix)}

    def check(self, rule, holds, what):
        self.rules.check(rule, holds, what, by=self)

    def note(self, way, what):
        self.log = [*self.log[-39:], (way, what)]

    def last_frames(self):
        for way, what in self.log:
            yield f"    {way} {what[:500]}"


def text(fields):
    return None if fields is None else canonical(fields)
