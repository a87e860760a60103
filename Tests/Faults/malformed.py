#!/usr/bin/env python3
"""A million malformed messages over real connections, beside a healthy client that must not notice.

    python Tests/Faults/malformed.py --binary .build-address-release/release/refreshable --messages 1000000 --seed 7

Each connection says as many wrong things as the rate allows a client, whole, in fragments, and compressed, and must hear for
each the error that belongs to it; then it breaks the rules of frames, so that the server must close it, with the code that
stands in RFC 6455 §7.4.1. Meanwhile somebody else pulls ten times a second on ten connections, before and during: their 99th
percentile is printed. Then the server's memory is compared with what it was after the first tenth, and it is asked to end,
so that a sanitizer can report.
"""

import random
import selectors
import socket
import time
from collections import Counter

from invalid_messages import COMPRESSED_FRAMES, FRAMES, MESSAGES, binary, compressed, fragmented, whole
from child_process import Child, go_before_others, go_behind_others
from healthy_client import LISTS, Neighbour, compared
from trial import Trial, arguments, run
from raw_websocket import CLOSE, TEXT, frames_in, handshake

# Bursts of forty messages are taken (Documentation/Protocol.md, limits); the next ones are answered rateLimited.
BURST = 40
# Bytes by which the server's memory may grow, over all that came and went.
MOST_GROWTH = 8 << 20
# Seconds for a connection, from its first byte to its last.
PATIENCE = 30
CODE = b'"code":"'
# Messages among which each kind comes by chance.
ENOUGH = 50_000


class Tally:
    """What was said and what came of it."""

    def __init__(self):
        # Messages by their name; ends by what broke the rules, and the code.
        self.messages, self.ends = Counter(), Counter()
        self.connections = 0
        # What was not as it must be, and how often.
        self.faults = Counter()

    @property
    def said(self):
        return self.messages.total() + self.connections

    def add(self, other):
        self.messages += other.messages
        self.ends += other.ends
        self.connections += other.connections
        self.faults += other.faults


class Attack:
    """One connection that says wrong things, and what it must hear."""

    def __init__(self, port, dice):
        self.deflates = dice.random() < 0.3
        self.awaited, wire = [], []
        for _ in range(BURST - 1):
            name, make, code = dice.choice(MESSAGES)
            form = dice.choice((whole, whole, fragmented, binary, compressed if self.deflates else whole))
            self.awaited.append((name, "badType" if form is binary and code != "tooLarge" else code))
            wire.append(form(make(dice).encode(), dice))
        self.name, frame, self.codes = dice.choice(FRAMES[:-1] + COMPRESSED_FRAMES if self.deflates else FRAMES)
        wire.append(frame(dice))
        self.outgoing = [handshake(port, self.deflates), b"".join(wire)]
        self.received = bytearray()
        self.heard = []
        self.is_open = False
        self.began = time.monotonic()
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.connect_ex(("127.0.0.1", port))

    def step(self, events):
        """Goes on; whether it is over, and the code of its end: None, where there was none."""
        if events & selectors.EVENT_READ:
            if not (piece := self.take()):
                return True, None
            self.received += piece
        if not self.is_open and (end := self.received.find(b"\r\n\r\n")) >= 0:
            assert b" 101 " in self.received[:20], bytes(self.received[:300])
            del self.received[: end + 4]
            self.is_open = True
        for opcode, payload in frames_in(self.received) if self.is_open else ():
            if opcode == CLOSE:
                return True, int.from_bytes(payload[:2]) if payload else 1005
            if opcode == TEXT and payload.startswith(b'{"type":"error"'):
                start = payload.index(CODE) + len(CODE)
                self.heard.append(payload[start : payload.index(b'"', start)].decode())
        if events & selectors.EVENT_WRITE:
            self.give()
        return False, None

    def take(self):
        try:
            return self.socket.recv(1 << 16)
        except ConnectionResetError:
            return b""

    def give(self):
        part = 0 if not self.is_open else len(self.outgoing) - 1
        try:
            self.outgoing[part] = self.outgoing[part][self.socket.send(self.outgoing[part]) :]
        except (BrokenPipeError, ConnectionResetError):
            self.outgoing[part] = b""  # What the server had to say of it can still be read.

    @property
    def events(self):
        wants = bool(self.outgoing[-1] if self.is_open else self.outgoing[0])
        return selectors.EVENT_READ | (selectors.EVENT_WRITE if wants else 0)

    def faults(self, code):
        """What it did not hear as it must."""
        if code not in self.codes:
            yield f"{self.name} was closed with {code}, not {self.codes}, after {len(self.heard)} errors"
        # A message that is skipped for its length is told before too much of it ends the connection.
        heard = self.heard[:-1] if 1009 in self.codes and len(self.heard) > len(self.awaited) else self.heard
        awaited = [code for _, code in self.awaited]
        # What ends without a word takes with it what was under way.
        if heard != awaited and not (code is None and heard == awaited[: len(heard)]):
            wrong = next((i for i, (one, two) in enumerate(zip(heard, awaited)) if one != two), min(len(heard), len(awaited)))
            name = self.awaited[wrong][0] if wrong < len(self.awaited) else self.name
            yield f"{len(heard)} errors to {len(awaited)} messages; {name}: {heard[wrong:][:1]}, not {awaited[wrong:][:1]}"


def attack(port, orders):
    """A process that breaks connections when it is told how many messages, how many connections at once, by which seed."""
    go_behind_others()
    while (order := orders.recv()) is not None:
        orders.send(attack_until(port, *order))


def attack_until(port, messages, together, seed):
    dice, tally, waiting = random.Random(seed), Tally(), selectors.DefaultSelector()
    while not (is_enough := tally.said >= messages) or waiting.get_map():
        while not is_enough and len(waiting.get_map()) < together:
            visit = Attack(port, dice)
            waiting.register(visit.socket, visit.events, visit)
        for key, events in waiting.select(1):
            step(key.data, events, waiting, tally)
        for visit in [key.data for key in waiting.get_map().values()]:
            if time.monotonic() - visit.began > PATIENCE:
                tally.faults[f"{visit.name} did not end within {PATIENCE} s, after {len(visit.heard)} errors"] += 1
                close(visit, waiting)
    return tally


def step(visit, events, waiting, tally):
    is_over, code = visit.step(events)
    if not is_over:
        waiting.modify(visit.socket, visit.events, visit)
        return
    close(visit, waiting)
    tally.connections += 1
    tally.messages.update(name for name, _ in visit.awaited)
    tally.ends[visit.name, code] += 1
    tally.faults.update(visit.faults(code))


def close(visit, waiting):
    waiting.unregister(visit.socket)
    visit.socket.close()


class Siege:
    """Those who break the rules, and the healthy neighbour of the same server."""

    def __init__(self, trial):
        self.options, port = trial.options, trial.server.port
        self.neighbour = Neighbour(port)
        self.attackers = [Child(attack, port) for _ in range(self.options.attackers)]
        self.tally = Tally()

    def attack(self, messages, seed):
        """All attack until they said so many; the neighbour's delays meanwhile, in milliseconds."""
        for number, attacker in enumerate(self.attackers):
            attacker.begin((messages // len(self.attackers), self.options.together, f"{seed}/{number}"))
        delays = self.neighbour.pulls_while(lambda: not all(attacker.is_done for attacker in self.attackers))
        for attacker in self.attackers:
            self.tally.add(attacker.result())
        return delays

    def end(self):
        for child in (self.neighbour, *self.attackers):
            child.end()


def table(tally):
    """How often each was said, and how each kind of frame ended."""
    yield "messages: " + ", ".join(f"{count} {name}" for name, count in sorted(tally.messages.items()))
    ends = [f"{count} {name} ({code or 'no code'})" for (name, code), count in sorted(tally.ends.items(), key=str)]
    yield "ends: " + ", ".join(ends)


async def main(options):
    print(go_before_others())
    async with Trial("malformed", options, LISTS) as trial:
        siege, server = Siege(trial), trial.server
        siege.neighbour.pulls(1)
        before = siege.neighbour.pulls(options.seconds)
        began, worked = time.monotonic(), server.worked()
        during = siege.attack(options.messages // 10, f"{options.seed}/warm")
        resident = server.resident()
        during += siege.attack(options.messages - options.messages // 10, options.seed)
        growth = server.resident() - resident
        seconds, worked = time.monotonic() - began, server.worked() - worked
        siege.end()
        judge(trial, siege.tally, seconds, worked)
        trial.judge(*compared(before, during, options.delay))
        trial.judge(
            f"memory grew by {growth / 1024:.0f} KiB after the first tenth; less than {MOST_GROWTH >> 20} MiB",
            growth < MOST_GROWTH,
        )
    return trial.status


def judge(trial, tally, seconds, worked):
    for line in table(tally):
        print(line)
    trial.judge(
        f"{tally.said} malformed messages on {tally.connections} connections in {seconds:.0f} s, {tally.said / seconds:.0f} a "
        f"second; {worked / tally.said * 1e6:.0f} µs of the server's for each",
        tally.said >= trial.options.messages * 0.99,
    )
    faults = [f"{count} times {fault}" for fault, count in tally.faults.most_common()]
    trial.judge("each was answered by its error, in order, and each broken frame by its close code", not faults, faults)
    kinds = {name for name, *_ in MESSAGES}, {name for name, *_ in FRAMES + COMPRESSED_FRAMES}
    said = set(tally.messages), {name for name, _ in tally.ends}
    if trial.options.messages >= ENOUGH:
        trial.judge(f"all {len(kinds[0])} kinds of messages and {len(kinds[1])} of frames were said", kinds == said)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--attackers", type=int, default=2, help="processes that break connections")
    parser.add_argument("--together", type=int, default=8, help="connections of each that are open at a time")
    parser.add_argument("--seconds", type=float, default=10, help="of quiet before, for comparison")
    parser.add_argument("--delay", type=float, default=25, help="milliseconds by which the neighbour's p99 may rise")
    run(main, parser)
