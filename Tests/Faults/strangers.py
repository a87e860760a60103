#!/usr/bin/env python3
"""Generated bad neighbours: who they are, what they say, where they stop and how they leave is drawn by a seed.

    python Tests/Faults/strangers.py --binary .build/release/refreshable --minutes 5 --seed 7
    python Tests/Faults/strangers.py --seed 7 --only 1234        this one stranger, and what came of it

A stranger says one to three requests, or opens a socket and says anything there; is cut off after any byte; says it all at
once, in pieces, or slowly; reads nothing, a little, steadily, or all; holds on for as long as it likes; and leaves by the end
of the stream, by half of it, or by a reset. Held against the server: its memory, its connections and its threads, the 99th
percentile of a healthy neighbour, that every answer is one, and that no row was touched but the one that was named. For that a
registrar writes rows with keys of every kind in every encoding, and looks at all of them after each.
"""

import asyncio
import contextlib
import json
import os
import re
import socket
import struct
import time
from collections import Counter
from urllib.parse import quote

from child_process import go_before_others, go_behind_others
from seeded_random import stream
from healthy_client import LISTS, Neighbour, compared
from trial import Trial, arguments, run
from raw_websocket import frames_in, handshake, masked

HERE = "Host: localhost\r\n"
# Bytes by which memory may grow while they are there: the budget of bodies, and what so many sockets hold.
MOST_DURING = 160 << 20
# And may be kept of them when they are gone.
MOST_AFTER = 48 << 20
# Threads beyond those of an idle server.
MOST_THREADS = 24
# Seconds after which nothing of those who left may be there.
GONE_WITHIN = 15
# Descriptors that a store opens when several read it at once.
ALLOWED = 16
# What a server may answer; a 500 it may not.
ANSWERS = {200, 201, 204, 303, 304, 308, 400, 401, 403, 404, 405, 408, 409, 411, 412, 413, 414, 415, 417, 422, 426, 429, 431,
           501, 502, 503, 504, 505}  # fmt: skip
STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) [^\r\n]*\r\n")
CUT = ("the end", "half of it", "a reset")


def lists(folder):
    """Beside those of the neighbour: one that never loads, one that is long, and two that are pushed."""
    rows = folder / "long.txt"
    rows.write_text("".join(f"row {number} of a list that is long enough to be read slowly\n" for number in range(8000)))
    return [
        *LISTS,
        {"name": "endless", "command": "exec sleep 1000", "deadline": "1h"},
        {"name": "long", "command": f"cat '{rows}'", "format": "lines"},
        {"name": "wall", "push": True},
        {"name": "keys", "push": True},
    ]


# MARK: Keys


# What keys are made of: what separates, what escapes, what looks like something else.
PIECES = ["a", "b", "/", "//", ".", "..", "...", "%", "%2F", "%25", "?", "#", "&", "+", " ", ":", "https://", "\\", "é", "e\u0301",
          "日本", "\u202e", "\u200f", "\u00a0", "\U0001f469\u200d\U0001f467", "'", '"', "rows", "refresh", "lists", "~", "\u0301"]  # fmt: skip


def key(dice):
    return "".join(dice.choice(PIECES) for _ in range(dice.randint(1, 8)))[:80]


def encoded(text, dice):
    """The key in a path, in one of the ways that all mean it; slashes may stay where no segment could be resolved away."""
    segments = text.split("/")
    may_stay = not any(segment in (".", "..") for segment in segments) and dice.random() < 0.3
    kept = "/" if may_stay else ""
    text = quote(text, safe=kept + dice.choice(["", "~-._", "~-._:+&'"]))
    if dice.random() < 0.3:
        text = re.sub("%[0-9A-F]{2}", lambda match: match[0].lower(), text)
    if dice.random() < 0.3:
        text = "".join(f"%{ord(mark):02X}" if mark.isalnum() and mark.isascii() and dice.random() < 0.3 and not escaped(text, place)
                       else mark for place, mark in enumerate(text))  # fmt: skip
    return text


def escaped(text, place):
    """Whether the character is a digit of an escape."""
    return "%" in text[max(0, place - 2) : place]


class Registrar:
    """Writes rows one after another, each by its key, and looks whether the list is then what it must be."""

    def __init__(self, server, dice):
        self.server, self.dice, self.rows = server, dice, {}
        self.done, self.refused, self.faults = 0, 0, []

    async def work(self):
        while True:
            with contextlib.suppress(TimeoutError, OSError):
                await self.step()

    async def step(self):
        dice, rows = self.dice, self.rows
        known = list(rows)
        name = dice.choice(known) if known and dice.random() < 0.5 else key(dice)
        number = dice.randrange(1 << 30)
        path = f"/lists/keys/rows/{encoded(name, dice)}"
        if name in (".", "..") or any(segment in (".", "..") for segment in path.split("/")):
            expected, wanted = {400}, dict(rows)
        elif dice.random() < 0.4 or len(rows) > 40:
            expected, wanted = {200}, {other: value for other, value in rows.items() if other != name}
        else:
            expected, wanted = {200, 201}, {**rows, name: number}
        put = wanted.get(name) == number
        body = json.dumps({"fields": {"n": number}}).encode() if put else None
        status, _, text = await self.server.http("PUT" if put else "DELETE", path, body=body)
        if status == 503:
            self.refused += 1
            return
        if status not in expected:
            self.faults.append(f"{'PUT' if put else 'DELETE'} {path}: {status} {text[:200]}")
        _, _, found = await self.server.rows("keys")
        found = {row: fields["n"] for row, fields in found}
        if found != wanted:
            wrong = {row for row in found.keys() | wanted.keys() if found.get(row) != wanted.get(row)}
            self.faults.append(f"{'PUT' if put else 'DELETE'} {path} touched {sorted(wrong)[:5]}")
        self.rows = found
        self.done += 1


# MARK: Strangers


def path(dice):
    name = dice.choice(["board", "quiet", "endless", "long", "wall", "none", "", "..", "%2e%2e", "a%2Fb", quote(key(dice))])
    return dice.choice([
        "/", "/lists", "/healthz", "/readyz", "/metrics", "/sign-in", "/sign-out", "/ws", "/index.html", "/page/page.js", "/x" * 50,
        f"/lists/{name}", f"/lists/{name}/refresh", f"/lists/{name}/rows/{encoded(key(dice), dice)}", f"//lists/{name}",
        f"/lists/{name}/rows", "/%", "/%00", "/\x01", "*", "http://localhost/lists", "/" + "a" * dice.randint(0, 6000),
    ])  # fmt: skip


def fields(dice):
    lines = [HERE] if dice.random() < 0.93 else []
    for _ in range(dice.choice([0, 0, 0, 1, 1, 2, 5])):
        lines.append(dice.choice([
            f"Idempotency-Key: {'k' * dice.choice([1, 36, 256, 257, 7900])}{dice.randrange(1 << 20)}\r\n",
            "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n",
            "Upgrade: websocket\r\n", "Expect: 100-continue\r\n", "Connection: close\r\n", "If-None-Match: *\r\n",
            'If-Match: "x:1"\r\n', "Origin: http://evil.example\r\n", "Origin: null\r\n", "Sec-Fetch-Site: cross-site\r\n",
            "Authorization: Bearer nobody\r\n", "Cookie: refreshable=x\r\n", "Transfer-Encoding: chunked\r\n", "TE: trailers\r\n",
            "X-Forwarded-For: 203.0.113.9\r\n", "Accept-Encoding: gzip\r\n", "Range: bytes=0-1\r\n", "A : b\r\n",
            f"X: {'x' * dice.randint(0, 9000)}\r\n", "Host: evil.example\r\n",
        ]))  # fmt: skip
    return "".join(lines)


def plain(dice):
    """What a well-behaved program says, who then may leave all the same."""
    row = json.dumps({"fields": {"title": "x" * dice.randint(0, 3000)}})
    line, body = dice.choice([
        ("GET /lists/endless", ""), ("POST /lists/endless/refresh", ""), ("POST /lists/endless/refresh", "{}"),
        ("GET /lists/long", ""), ("GET /lists", ""), ("GET /", ""), (f"PUT /lists/wall/rows/{dice.randint(0, 500)}", row),
        ("PATCH /lists/wall", " " * (1 << 20)), (f"POST {path(dice)}", " " * (1 << 20)),
    ])  # fmt: skip
    told = f"Content-Length: {len(body)}\r\n" if not line.startswith("GET") else ""
    return f"{line} HTTP/1.1\r\n{HERE}{told}\r\n{body}".encode("utf-8", "replace")


def request(dice):
    method = dice.choices(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "get", ""],
                          [30, 5, 20, 12, 12, 8, 3, 2, 1, 1])[0]  # fmt: skip
    body = b""
    if dice.random() < (0.1 if method in ("GET", "HEAD") else 0.6):
        body = dice.choice([
            b"{}", b"x" * dice.choice([1, 100, 65536, 65537, 1 << 20]), b'{"fields":{"title":"of a stranger"}}',
            json.dumps({"set": [{"key": key(dice), "fields": {"t": "x" * dice.randint(0, 3000)}}]}).encode(), b"\xff\xfe",
        ])  # fmt: skip
    told = dice.choices([len(body), len(body) + dice.randint(1, 1 << 20), 10**12, -1], [80, 15, 3, 2])[0]
    length = f"Content-Length: {told}\r\n" if body or dice.random() < 0.3 else ""
    return f"{method} {path(dice)} HTTP/1.1\r\n{fields(dice)}{length}\r\n".encode("utf-8", "replace") + body


def said(dice):
    """A message on a socket."""
    name = dice.choice(["board", "quiet", "endless", "long", "wall", "none"])
    message = dice.choice([
        {"type": "watch", "id": "1", "list": name},
        {"type": "watch", "id": "2", "list": name, "epoch": dice.choice(["x", "3c1z2xnvqkptw"]), "revision": dice.randrange(1 << 40)},
        {"type": "refresh", "id": "3", "list": name, "key": "k" * dice.choice([1, 256, 257])},
        {"type": "pull", "list": name, "gesture": dice.randint(0, 5), "offset": dice.uniform(-1e5, 1e5)},
        {"type": "release", "id": "4", "list": name, "gesture": dice.randint(0, 5), "offset": 90, "peak": 90},
        {"type": "hello", "id": "5", "session": "x" * dice.choice([1, 22, 10_000])}, {"type": "digest", "id": "6", "list": name},
        {"type": "more", "id": "7", "list": name}, {"type": "stop", "id": "8", "list": name, "run": "r1"}, {"type": "x"}, [], None,
    ])  # fmt: skip
    payload = json.dumps(message).encode()
    first = dice.choices([0x81, 0x82, 0x01, 0x89, 0x88, 0xC1, 0x83], [80, 3, 8, 3, 2, 2, 2])[0]
    return masked(first, payload, bytes(dice.randrange(256) for _ in range(4)))


class Stranger:
    """One of them, by its number."""

    def __init__(self, seed, number, port):
        dice = stream(seed, "stranger", number)
        self.number, self.port, self.dice = number, port, dice
        self.is_socket = dice.random() < 0.35
        if self.is_socket:
            self.wire = handshake(port, dice.random() < 0.3) + b"".join(said(dice) for _ in range(dice.choice([0, 1, 3, 30])))
        else:
            self.wire = b"".join((plain if dice.random() < 0.4 else request)(dice) for _ in range(dice.choice([1, 1, 1, 2, 3])))
        self.is_cut = dice.random() < 0.45
        if self.is_cut:
            self.wire = self.wire[: dice.randint(0, len(self.wire))]
        self.piece = dice.choice([len(self.wire) + 1] * 3 + [1000, 10])
        self.reads = dice.choice(["nothing", "a little", "steadily", "all"])
        self.holds = min(8.0, dice.expovariate(1 / 0.8)) if dice.random() < 0.7 else 0
        self.leaves = dice.choice(CUT)
        self.heard = bytearray()

    @property
    def kind(self):
        return f"{'socket' if self.is_socket else 'requests'}, {'cut' if self.is_cut else 'whole'}, reads {self.reads}, leaves by {self.leaves}"

    async def live(self):
        loop = asyncio.get_running_loop()
        with socket.socket() as peer:
            if self.reads in ("nothing", "a little"):
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            peer.setblocking(False)
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(30):
                    await loop.sock_connect(peer, ("127.0.0.1", self.port))
                    await self.talk(peer, loop)
            self.leave(peer)

    async def talk(self, peer, loop):
        reading = asyncio.create_task(self.read(peer, loop))
        try:
            for start in range(0, min(len(self.wire), self.piece * 200), self.piece):
                await asyncio.wait_for(loop.sock_sendall(peer, self.wire[start : start + self.piece]), 5)
                if self.piece < 1000:
                    await asyncio.sleep(0.01)
            await asyncio.sleep(self.holds)
        finally:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)

    async def read(self, peer, loop):
        if self.reads == "nothing":
            return
        if self.reads == "a little":
            self.heard += await loop.sock_recv(peer, 100)
            return
        while piece := await loop.sock_recv(peer, 65536 if self.reads == "all" else 512):
            # What tells of an answer is at its beginning.
            self.heard += piece[: max(0, (1 << 20) - len(self.heard))]
            if self.reads == "steadily":
                await asyncio.sleep(0.02)

    def leave(self, peer):
        with contextlib.suppress(OSError):
            if self.leaves == "a reset":
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            elif self.leaves == "half of it":
                peer.shutdown(socket.SHUT_WR)

    def verdict(self):
        """The status of each answer that was heard, and what is wrong with them."""
        statuses = [int(status) for status in STATUS.findall(bytes(self.heard))]
        faults = [f"stranger {self.number} ({self.kind}) was answered {status}: {bytes(self.heard)[:300]}"
                  for status in statuses if status not in ANSWERS | {100, 101}]  # fmt: skip
        if self.heard and not statuses and not self.is_socket:
            faults.append(f"stranger {self.number} heard what is no answer: {bytes(self.heard)[:100]}")
        if 101 in statuses and b"\r\n\r\n" in self.heard:
            rest = bytearray(self.heard[self.heard.find(b"\r\n\r\n") + 4 :])
            try:
                for opcode, payload in frames_in(rest):
                    if opcode == 1:
                        json.loads(payload)
            except Exception as fault:  # noqa: BLE001
                faults.append(f"stranger {self.number} heard a frame that is none: {fault}")
        return statuses, faults


# MARK: The trial


class Watcher:
    """What the process has, looked at all the time."""

    def __init__(self, server):
        self.server = server
        self.memory, self.threads = server.resident(), threads(server)
        self.most_memory, self.most_threads = self.memory, self.threads

    async def work(self):
        while True:
            self.most_memory = max(self.most_memory, self.server.resident())
            self.most_threads = max(self.most_threads, threads(self.server))
            await asyncio.sleep(0.2)


def threads(server):
    return len(os.listdir(f"/proc/{server.process.pid}/task"))


def descriptors(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


async def besiege(trial, numbers, until):
    """So many strangers at a time, one after another, until time is over."""
    options, port = trial.options, trial.server.port
    kinds, statuses, faults = Counter(), Counter(), []

    async def place():
        while time.monotonic() < until:
            stranger = Stranger(options.seed, next(numbers), port)
            await stranger.live()
            heard, wrong = stranger.verdict()
            kinds[stranger.kind.split(",")[0]] += 1
            kinds[f"leaves by {stranger.leaves}"] += 1
            kinds[f"reads {stranger.reads}"] += 1
            statuses.update(heard)
            faults.extend(wrong)

    await asyncio.gather(*(place() for _ in range(options.together)))
    return kinds, statuses, faults


async def settled(server, baseline, seconds):
    """Waits until nothing is left of those who went; what is."""
    deadline = time.monotonic() + seconds
    while True:
        left = {"connections": await server.figure("connections") - baseline["connections"],
                "descriptors": descriptors(server) - baseline["descriptors"]}  # fmt: skip
        if all(count <= (ALLOWED if what == "descriptors" else 0) for what, count in left.items()) or time.monotonic() > deadline:
            return {what: count for what, count in left.items() if count > (ALLOWED if what == "descriptors" else 0)}
        await asyncio.sleep(0.3)


class Strangers(Trial):
    """The trial, whose lists lie in its folder."""

    def __init__(self, options):
        # Little, so that whatever is not given back is soon missed.
        super().__init__("strangers", options, [], "--memory-for-visitors", "128MiB")
        self.server.lists = lists(self.folder)


async def bodies_let_in(port):
    """How many of the largest bodies are let in at a time: as many as ever, if all that was lent was given back."""
    sockets = []
    for _ in range(24):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"PATCH /lists/wall HTTP/1.1\r\n{HERE}Content-Length: {1 << 20}\r\n\r\n ".encode())
        sockets.append((reader, writer))
    await asyncio.sleep(1)
    count = 0
    for reader, writer in sockets:
        try:
            await asyncio.wait_for(reader.read(1), 0.02)
        except TimeoutError:
            count += 1  # Neither refused nor ended: it waits for the rest.
        writer.close()
    await asyncio.sleep(1)
    return count


async def only(options):
    """One stranger, for whoever looks for what went wrong."""
    async with Strangers(options) as trial:
        stranger = Stranger(options.seed, options.only, trial.server.port)
        print(f"{stranger.kind}, in pieces of {stranger.piece}, holds {stranger.holds:.1f} s")
        print(f"says {stranger.wire[:2000]}")
        await stranger.live()
        print(f"hears {bytes(stranger.heard[:2000])}")
        _, faults = stranger.verdict()
        trial.judge("what it heard is in order", not faults, faults)
    return trial.status


async def main(options):
    if options.only is not None:
        return await only(options)
    print(go_before_others())
    async with Strangers(options) as trial:
        server = trial.server
        await server.json("/lists/long")
        room = await bodies_let_in(server.port)
        neighbour = Neighbour(server.port)
        neighbour.pulls(1)
        before = await asyncio.to_thread(neighbour.pulls, max(2, options.minutes * 6))
        baseline = {"connections": await server.figure("connections"), "descriptors": descriptors(server)}
        watcher, registrar = Watcher(server), Registrar(server, stream(options.seed, "registrar"))
        go_behind_others()
        tasks = [asyncio.create_task(watcher.work()), asyncio.create_task(registrar.work())]
        seconds = options.minutes * 60
        ends = asyncio.create_task(besiege(trial, iter(range(1 << 30)), time.monotonic() + seconds))
        during = []
        while not ends.done():
            during += await asyncio.to_thread(neighbour.pulls, 1)
        kinds, statuses, faults = await ends
        for task in tasks:
            task.cancel()
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            if not isinstance(result, asyncio.CancelledError):
                faults.append(f"{result!r}")
        left = await settled(server, baseline, GONE_WITHIN)
        after = server.resident()
        let_in = await bodies_let_in(server.port)
        neighbour.end()
        print("kinds: " + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())))
        print("answers: " + ", ".join(f"{count} × {status}" for status, count in sorted(statuses.items())))
        met = kinds["socket"] + kinds["requests"]
        trial.judge(f"{met} strangers in {seconds:.0f} s, {options.together} at a time", met > seconds)
        trial.judge("every answer is one, and none is a 500", not faults, faults)
        trial.judge(f"no row but the one that was named was touched, {registrar.done} times", registrar.done > max(seconds, registrar.refused) and not registrar.faults,
                    registrar.faults)  # fmt: skip
        grown = watcher.most_memory - watcher.memory
        trial.judge(f"memory grew by {grown >> 20} MiB at its most; less than {MOST_DURING >> 20}", grown < MOST_DURING)
        trial.judge(f"memory is {(after - watcher.memory) >> 20} MiB more when they are gone; less than {MOST_AFTER >> 20}",
                    after - watcher.memory < MOST_AFTER)  # fmt: skip
        more = watcher.most_threads - watcher.threads
        trial.judge(f"{more} more threads at its most; at most {MOST_THREADS}", more <= MOST_THREADS)
        trial.judge(f"within {GONE_WITHIN} s nothing is left of those who went", not left, [f"{left}"])
        trial.judge(f"{let_in} large bodies are let in at a time, {room} before", 0 < room == let_in)
        trial.judge(*compared(before, during, options.delay))
    return trial.status


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--together", type=int, default=64, help="strangers at a time")
    parser.add_argument("--only", type=int, default=None, help="the number of one stranger")
    parser.add_argument("--delay", type=float, default=25, help="milliseconds by which the neighbour's p99 may rise")
    run(main, parser)
