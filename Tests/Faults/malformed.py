#!/usr/bin/env python3
"""A million malformed messages over real connections, beside a healthy client that must not notice.

    python Tests/Faults/malformed.py --binary .build/release/refreshable --messages 1000000 --seed 7

Each connection says as many wrong things as the rate allows a client, and counts one error for each; then it breaks the
rules of frames, so that the server must close it, with the code that stands in RFC 6455 §7.4.1. Meanwhile somebody else
pulls ten times a second on ten connections, before and during: their 99th percentile is printed. Then the server's memory
is compared with what it was after the first tenth, and it is asked to end, so that a sanitizer can report.
"""

import argparse
import asyncio
import multiprocessing
import os
import random
import shutil
import socket
import sys
import tempfile
import time
from pathlib import Path

from breakage import FRAMES, MESSAGES, masked
from server import Server, free_port
from slow import Child, LISTS, Peer, go_before_others, percentile, watch

# Bursts of forty messages are taken (Documentation/Protocol.md, limits); the next ones are answered rateLimited.
BURST = 40
# Bytes that each connection may add to the server's memory, over all that came and went.
MOST_GROWTH = 8 << 20


class Attacker:
    """Breaks one connection after another until it said enough."""

    def __init__(self, port, seed):
        self.port, self.dice = port, random.Random(seed)
        self.said = self.connections = 0
        self.faults = []

    def run(self, messages):
        while self.said < messages and len(self.faults) < 10:
            name, frame, codes = self.dice.choice(FRAMES)
            texts = [self.dice.choice(MESSAGES) for _ in range(BURST - 1)]
            try:
                self.break_one(texts, name, frame, codes)
            except (OSError, TimeoutError) as fault:
                self.faults.append(f"{name}: {fault!r}")
        return self.said, self.connections, self.faults

    def break_one(self, texts, name, frame, codes):
        peer = Peer(self.port)
        peer.socket.settimeout(20)
        self.connections += 1
        made = [text(self.dice) for text in texts]
        payload = b"".join(masked(0x81, one) for one in made) + frame(self.dice)
        peer.socket.sendall(payload)
        self.said += len(texts) + 1
        errors, code = self.hear(peer)
        peer.socket.close()
        # A message that is skipped for its length is told before too much of it ends the connection.
        # What ends without a word takes with it what was under way.
        if code is not None and errors - (1009 in codes) != len(texts):
            self.faults.append(f"{errors} errors to {len(texts)} messages, then {name}: {made[errors - len(texts)][:200]}")
        if code not in codes:
            self.faults.append(f"{name} was closed with {code}, not {codes}")

    @staticmethod
    def hear(peer):
        """Errors that came, and the code of the end; None: a bare end."""
        errors = 0
        while True:
            while len(peer.bytes) >= 2:
                length, start = peer.bytes[1] & 0x7F, 2
                if length == 126:
                    length, start = int.from_bytes(peer.bytes[2:4], "big"), 4
                elif length == 127:
                    length, start = int.from_bytes(peer.bytes[2:10], "big"), 10
                if len(peer.bytes) < start + length:
                    break
                opcode, payload = peer.bytes[0] & 0xF, peer.bytes[start : start + length]
                peer.bytes = peer.bytes[start + length :]
                if opcode == 8:
                    return errors, int.from_bytes(payload[:2], "big") if payload else 1005
                errors += payload.startswith(b'{"type":"error"')
            try:
                peer.fill()
            except ConnectionError:
                return errors, None


def attack(port, orders):
    """A process that breaks connections when it is told how many messages, by which seed."""
    os.nice(19)
    while (order := orders.recv()) is not None:
        messages, seed = order
        orders.send(Attacker(port, seed).run(messages))


class Siege:
    """The server, its healthy neighbour, and those who break the rules."""

    def __init__(self, server, options):
        self.server, self.options = server, options
        self.neighbour = Child(watch, server.port)
        self.neighbour.result()
        self.attackers = [Child(attack, server.port) for _ in range(options.attackers)]
        self.said = self.connections = 0
        self.faults = []

    def listen(self, seconds):
        self.neighbour.begin(seconds)
        return self.neighbour.result()[1]

    def attack(self, messages, seed):
        """All attack until they said so many; the neighbour's delays meanwhile, in milliseconds."""
        share = messages // len(self.attackers)
        for number, attacker in enumerate(self.attackers):
            attacker.begin((share, f"{seed}/{number}"))
        delays = []
        while not all(attacker.orders.poll() for attacker in self.attackers):
            delays += self.listen(2)
        for attacker in self.attackers:
            said, connections, faults = attacker.result()
            self.said, self.connections = self.said + said, self.connections + connections
            self.faults += faults
        return delays

    def end(self):
        self.neighbour.end()
        for attacker in self.attackers:
            attacker.end()


def report(siege, before, during, growth, seconds):
    """The lines, each with whether it holds."""
    options = siege.options
    delays = f"{percentile(before, 0.5):.2f} / {percentile(before, 0.99):.2f} ms before, {percentile(during, 0.5):.2f} / {percentile(during, 0.99):.2f} ms during"
    yield f"{siege.said} malformed messages on {siege.connections} connections in {seconds:.0f} s", siege.said >= options.messages * 0.99
    yield "each was answered by an error, and each broken frame by its close code", not siege.faults
    yield f"the neighbour's pull to state, p50 / p99: {delays}; less than {options.delay:.0f} ms more", percentile(
        during, 0.99
    ) < percentile(before, 0.99) + options.delay
    yield f"memory grew by {growth / 1024:.0f} KiB after the first tenth; less than {MOST_GROWTH >> 20} MiB", growth < MOST_GROWTH
    yield "the server lives", siege.server.is_running


async def main(options):
    print(f"seed {options.seed}")
    folder = Path(tempfile.mkdtemp(prefix="refreshable-malformed-"))
    server = Server(options.binary, folder, LISTS, free_port())
    await server.start()
    siege = Siege(server, options)
    passed = failed = 0
    try:
        siege.listen(1)
        before = siege.listen(options.seconds)
        began = time.monotonic()
        during = siege.attack(options.messages // 10, f"{options.seed}/warm")
        resident = server.resident()
        during += siege.attack(options.messages - options.messages // 10, options.seed)
        growth = server.resident() - resident
        for text, holds in report(siege, before, during, growth, time.monotonic() - began):
            print(f"{'✔' if holds else '✘'} {text}")
            passed, failed = passed + holds, failed + (not holds)
        for fault in siege.faults[:10]:
            print(f"    {fault}")
        siege.end()
        siege = None
        status = await server.stop()
        log = server.log.read_text(errors="replace")
        holds = status == 0 and "Sanitizer" not in log
        print(f"{'✔' if holds else '✘'} it ended with {status} when it was asked to{'' if holds else ': ' + log[-3000:]}")
        passed, failed = passed + holds, failed + (not holds)
    finally:
        if siege:
            siege.end()
        if server.is_running:
            await server.kill()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path(".build/debug/refreshable"))
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--attackers", type=int, default=2, help="processes that break connections")
    parser.add_argument("--seconds", type=float, default=10, help="of quiet before, for comparison")
    parser.add_argument("--delay", type=float, default=25, help="milliseconds by which the neighbour's p99 may rise")
    parser.add_argument("--seed", default=None, help="replays the same messages; by chance unless given")
    arguments = parser.parse_args()
    arguments.binary = arguments.binary.resolve()
    if arguments.seed is None:
        arguments.seed = random.SystemRandom().randrange(2**32)
    multiprocessing.set_start_method("spawn")
    print(go_before_others())
    sys.exit(asyncio.run(main(arguments)))
