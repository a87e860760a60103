#!/usr/bin/env python3
"""Noise over real sockets: frames of a WebSocket, or requests, mutated from a corpus, for a server that must live.

    python Tests/Fuzz/noise.py --binary .build-fuzz/debug/refreshable --seconds 60 frames
    python Tests/Fuzz/noise.py --binary .build-fuzz/debug/refreshable --seconds 60 http

After each hundred inputs, somebody healthy asks and must be answered within two seconds. Ends when the time is over, or
when the server does not answer, has ended, or its sanitizer spoke; then the last inputs are kept in .build-fuzz/crashes.
"""

import asyncio
import collections
import contextlib
import random
import socket
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.append(str(ROOT / "Tests" / "Faults"))

from invalid_messages import FRAMES, MESSAGES  # noqa: E402
from healthy_client import LISTS  # noqa: E402
from peer import Peer  # noqa: E402
from trial import Trial, arguments, run  # noqa: E402
from raw_websocket import masked  # noqa: E402

INTERESTING = [b"\0", b"\xff", b"\x7f", b"\x80", b"\x81", b"\x89", b"\x8a", b"\x88", b"\xc1", b"\xfe", b"\r\n", b"\r\n\r\n",
               b"%00", b"%2e%2e/", b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b"Upgrade: websocket\r\n",
               b"18446744073709551616", b"-1", b"\xf0\x9f\x8d\x87"]  # fmt: skip


def mutated(data, others, dice):
    """A few changes: bits, bytes, pieces doubled, left out, from elsewhere."""
    data = bytearray(data)
    for _ in range(dice.choice([0, 1, 1, 2, 4, 16])):
        at = dice.randrange(len(data) + 1)
        end = min(len(data), at + dice.randrange(1, 40))
        kind = dice.randrange(7)
        if kind == 0 and at < len(data):
            data[at] ^= 1 << dice.randrange(8)
        elif kind == 1:
            data[at:at] = dice.randbytes(dice.randrange(1, 20))
        elif kind == 2:
            del data[at:end]
        elif kind == 3:
            data[at:at] = data[at:end] * dice.randrange(1, 50)
        elif kind == 4:
            data[at:at] = dice.choice(INTERESTING)
        elif kind == 5:
            other = dice.choice(others)
            data[at:at] = other[dice.randrange(len(other) + 1) :]
        else:
            del data[at:]
    return bytes(data)


def frame_inputs(dice):
    """What may come on a WebSocket that is open."""
    whole = [masked(dice.choice([0x81, 0x82, 0xC1]), make(dice).encode()) for _, make, _ in dice.choices(MESSAGES, k=3)]
    whole += [frame(dice) for _, frame, _ in dice.choices(FRAMES, k=2)]
    dice.shuffle(whole)
    return b"".join(whole[: dice.randrange(1, 6)])


class Noise:
    def __init__(self, server, what, seed):
        self.server, self.what, self.seed = server, what, seed
        self.dice = random.Random(f"{seed}/{what}")
        self.corpus = [file.read_bytes() for file in sorted((HERE / "Corpus" / what).iterdir())]
        self.last = collections.deque(maxlen=100)
        self.count = 0

    def throw(self):
        """One input on a connection of its own, in one piece or in several; then what comes back is read, a little."""
        dice = self.dice
        begin = dice.choice(self.corpus)
        if self.what == "frames" and dice.random() < 0.5:
            begin = frame_inputs(dice)
        data = mutated(begin, self.corpus, dice)
        self.last.append(data)
        self.count += 1
        with contextlib.suppress(OSError, TimeoutError):
            connection = self.connect()
            with contextlib.closing(connection):
                cut = dice.randrange(len(data) + 1) if dice.random() < 0.3 else len(data)
                connection.sendall(data[:cut])
                if cut < len(data):
                    connection.sendall(data[cut:])
                if dice.random() < 0.8:
                    connection.settimeout(0.02)
                    connection.recv(1 << 16)

    def connect(self):
        if self.what == "http":
            return socket.create_connection(("127.0.0.1", self.server.port), timeout=2)
        return Peer(self.server.port, deflates=self.dice.random() < 0.5).socket

    def is_answered(self):
        """Whether somebody healthy gets an answer."""
        try:
            with contextlib.closing(socket.create_connection(("127.0.0.1", self.server.port), timeout=2)) as connection:
                connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                return connection.recv(12) == b"HTTP/1.1 200"
        except (OSError, TimeoutError):
            return False

    def keep(self):
        folder = ROOT / ".build-fuzz" / "crashes"
        folder.mkdir(parents=True, exist_ok=True)
        for number, data in enumerate(self.last):
            (folder / f"{self.what}-{self.seed}-{number:03}").write_bytes(data)
        return folder


async def main(options):
    async with Trial("noise", options, LISTS) as trial:
        noise = Noise(trial.server, options.what, options.seed)
        end, is_well = time.monotonic() + options.seconds, True
        while is_well and trial.server.is_running and time.monotonic() < end:
            for _ in range(100):
                noise.throw()
            await asyncio.sleep(0)
            is_well = noise.is_answered()
        trial.judge(f"{noise.count} inputs for {options.what} in {options.seconds:.0f} s, and somebody healthy is answered", is_well)
    if trial.failed:
        print(f"The last inputs are in {noise.keep()}")
    return trial.status


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("what", choices=["frames", "http"])
    parser.add_argument("--seconds", type=float, default=60)
    run(main, parser)
