#!/usr/bin/env python3
"""Thousands who are slow on purpose: heads, bodies, handshakes of TLS and frames that come byte by byte, and answers that are
taken so; more of each than one address may have, beside a healthy client that must not notice.

    python Tests/Faults/slow_clients.py --binary .build/release/refreshable --each 1000

Each kind comes from an address of its own. Who is beyond the limit must be told so; each of the others must be ended by its
deadline (Sources/WebSockets/Server/ConnectionTimeouts.swift) and no sooner; a message that trickles is answered once it is whole, however
long that took. What a connection of each kind costs is printed, and the neighbour's delays before and during. In the end the
server must have no connection left but the healthy ones.
"""

import asyncio
import contextlib
import heapq
import select
import socket
import ssl
import sys
import time
from dataclasses import dataclass
from pathlib import Path

# Certificates are made there already.
sys.path.append(str(Path(__file__).parent.parent / "Integration"))

from certificates import Authority  # noqa: E402
from child_process import Child, go_before_others, go_behind_others  # noqa: E402
from percentiles import percentile  # noqa: E402
from healthy_client import LISTS, Neighbour, compared  # noqa: E402
from peer import Peer  # noqa: E402
from trial import Trial, arguments, run  # noqa: E402
from raw_websocket import CLOSE, TEXT, frames_in, handshake, masked  # noqa: E402

# Connections that one address may have at a time (--max-connections-per-address).
SHARE = 1000
# Those of each kind that come beyond it.
BEYOND = 20
# The status that these are told.
CROWDED = 429
# Seconds between two bytes.
PACE = 1.5
# Seconds by which a deadline may be missed: the wheel's quarter, and a machine that is busy.
LATE = 4.0
# Rows of a list whose answer is no small one.
LONG = {"name": "long", "command": "seq -f 'row %g of a list that takes a while to be read by who reads a byte at a time' 1 3000",
        "format": "lines"}  # fmt: skip

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
BODY = b"PATCH /lists/board HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
KEPT = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
READ = b"GET /lists/long HTTP/1.1\r\nHost: localhost\r\n\r\n"


@dataclass
class Kind:
    """A way of being slow."""

    name: str
    # What is said at once, and what follows byte by byte.
    opening: bytes = b""
    trickle: bytes = b""
    # Seconds until the server ends it, at the least and at the most; None: it does not.
    ends: tuple | None = (10, 10)
    # The status or the close code that it is told at the end.
    told: int | None = None
    # It is a WebSocket, after this.
    is_socket: bool = False
    # It reads a byte at a time, so that its end is not heard.
    reads_slowly: bool = False
    # KiB that one may cost.
    cost: int = 16


def plain():
    """The longest first, so that all are there at one time."""
    watch = masked(0x81, b'{"type":"watch","id":"1","list":"long"}')
    return [
        Kind("a message, byte by byte", trickle=masked(0x81, b"?" * 100), is_socket=True, ends=None),
        Kind("a body, byte by byte", BODY, b" " * 999, ends=(60, 60)),
        Kind("keeps its connection", KEPT, ends=(60, 60)),
        Kind("an answer, read byte by byte", READ, ends=(60, 60), reads_slowly=True, cost=24),
        Kind("rows, read byte by byte", watch, is_socket=True, ends=(30, 60), reads_slowly=True, cost=256),
        # The first ping comes after half a beat to a whole one, and then there are eight seconds.
        Kind("a socket that answers no ping", is_socket=True, ends=(20.5, 33), told=4102),
        Kind("a head, byte by byte", HEAD, b"X-Slow: " + b"a" * 1000),
        Kind("says nothing"),
    ]


def secured():
    hello = first_flight()
    return [
        Kind("half a handshake of TLS", hello, cost=64),
        Kind("a hello of TLS, byte by byte", hello[:5], hello[5:], cost=64),
        Kind("no byte of TLS", cost=64),
    ]


def first_flight():
    """What a client of TLS says first."""
    outgoing = ssl.MemoryBIO()
    client = ssl.create_default_context().wrap_bio(ssl.MemoryBIO(), outgoing, server_hostname="localhost")
    try:
        client.do_handshake()
    except ssl.SSLWantReadError:
        return outgoing.read()
    raise AssertionError("TLS shook hands with nobody")


class Slow:
    """One connection that takes its time."""

    def __init__(self, kind, port, address):
        self.kind, self.left = kind, kind.trickle
        self.received = bytearray()
        self.socket = socket.socket()
        if kind.reads_slowly:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.bind((address, 0))
        self.began = time.monotonic()
        self.socket.connect(("127.0.0.1", port))
        if kind.is_socket:
            self.shake_hands(port)
        self.socket.setblocking(False)
        if kind.opening:
            self.give(kind.opening)

    def shake_hands(self, port):
        self.give(handshake(port))
        while b"\r\n\r\n" not in self.received:
            piece = b""
            with contextlib.suppress(ConnectionError):
                piece = self.socket.recv(1024)
            if not piece:
                return
            self.received += piece
        if self.received.startswith(b"HTTP/1.1 101 "):
            del self.received[: self.received.index(b"\r\n\r\n") + 4]

    def give(self, some):
        with contextlib.suppress(OSError):  # It is over, which is heard when it is read.
            self.socket.send(some)

    def trickle(self):
        """One byte more, or less."""
        if self.kind.reads_slowly:
            self.take(1)
        elif self.left:
            self.give(self.left[:1])
            self.left = self.left[1:]

    def take(self, most=1 << 16):
        """Reads: whether it is over."""
        try:
            piece = self.socket.recv(most)
        except BlockingIOError:
            return False
        except OSError:
            return True
        if not self.kind.reads_slowly or len(self.received) < 20:
            self.received += piece
        return not piece

    @property
    def told(self):
        """The status or the close code that it was told."""
        if self.received.startswith(b"HTTP/1.1 "):
            return int(self.received[9:12])
        codes = [int.from_bytes(payload[:2]) for opcode, payload in self.frames() if opcode == CLOSE]
        return codes[-1] if codes else None

    def frames(self):
        return list(frames_in(bytearray(self.received))) if self.kind.is_socket else []


class Crowd:
    """All who are slow, in one process."""

    def __init__(self, port):
        self.port = port
        self.lines, self.ends, self.due = {}, [], []
        self.poller = select.epoll()

    def come(self, kind, count, number):
        """So many of a kind come, from one address."""
        self.turn(0.5, [Slow(kind, self.port, f"127.0.7.{number}") for _ in range(count)])

    def turn(self, seconds, lines=()):
        """Time passes; who is new is looked after, too."""
        for line in lines:
            self.lines[line.socket.fileno()] = line
            self.poller.register(line.socket, 0 if line.kind.reads_slowly else select.EPOLLIN)
            heapq.heappush(self.due, (time.monotonic() + PACE, id(line), line))
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            while self.due and self.due[0][0] <= now:
                _, _, line = heapq.heappop(self.due)
                if line.socket.fileno() in self.lines:
                    line.trickle()
                    heapq.heappush(self.due, (now + PACE, id(line), line))
            pause = min(end, self.due[0][0] if self.due else end) - now
            for descriptor, events in self.poller.poll(max(0, pause)):
                line = self.lines[descriptor]
                is_over = line.take() or events & (select.EPOLLERR | select.EPOLLHUP)
                # Whom a Close frame tells that it is over does not answer that either.
                if line.told != CROWDED and (is_over or (line.kind.told and line.told)):
                    self.ends.append((line.kind.name, time.monotonic() - line.began, line.told))
                if is_over:
                    self.forget(line)
                elif line.kind.told and line.told:
                    self.poller.modify(line.socket, 0)

    def forget(self, line):
        if self.lines.pop(line.socket.fileno(), None):
            self.poller.unregister(line.socket)
            line.socket.close()

    def finish(self, kind):
        """Those of a kind that are still there end what they had to say: how many were answered."""
        lines = [line for line in self.lines.values() if line.kind.name == kind.name]
        for line in lines:
            line.give(line.left)
            line.left = b""
        self.turn(2)
        return sum(any(opcode == TEXT and b'"error"' in payload for opcode, payload in line.frames()) for line in lines)

    def leave(self):
        for line in list(self.lines.values()):
            self.forget(line)


def live(port, orders):
    """A process with the slow ones: told what to do by a name and arguments, while time passes for them."""
    go_behind_others()
    crowd = Crowd(port)
    while True:
        if not orders.poll():
            crowd.turn(0.05)
        elif (order := orders.recv()) is None:
            return
        elif order[0] == "ends":
            orders.send(crowd.ends)
        else:
            orders.send(getattr(crowd, order[0])(*order[1:]))


class Siege:
    """The slow ones and the healthy neighbour of one server."""

    def __init__(self, trial, kinds):
        self.trial, self.server, self.kinds = trial, trial.server, kinds
        self.each = trial.options.each
        self.neighbour = Neighbour(self.server.port, self.server.authority)
        self.crowd = Child(live, self.server.port)
        self.costs = {}

    def ask(self, *order):
        self.crowd.begin(order)
        return self.crowd.result()

    async def run(self):
        trial, options = self.trial, self.trial.options
        self.neighbour.pulls(1)
        before, during = self.neighbour.pulls(5), []
        healthy = await self.connections()
        for number, kind in enumerate(self.kinds):
            during += await self.come(number + 1, kind)
        print(f"{await self.connections() - healthy} slow connections are there", flush=True)
        seconds = max(kind.ends[1] for kind in self.kinds if kind.ends) + LATE
        end = time.monotonic() + seconds
        during += self.neighbour.pulls_while(lambda: time.monotonic() < end)
        stays = [kind for kind in self.kinds if kind.ends is None]
        left, due = await self.connections() - healthy, options.each * len(stays)
        trial.judge(f"after {seconds:.0f} s more, {left} of them are left; due are {due}", left == due)
        for kind in stays:
            answered = self.ask("finish", kind)
            trial.judge(f"{kind.name}: {answered} are answered once it is whole", answered == options.each)
        self.judge(self.ask("ends"))
        trial.judge(*compared(before, during, options.delay))
        self.ask("leave")
        await asyncio.sleep(1)
        left = await self.connections() - healthy
        trial.judge(f"{left} connections are left when all went", left == 0)

    async def connections(self):
        return await self.server.figure("connections")

    async def come(self, number, kind):
        """So many of a kind come, and more than one address may have; the neighbour's delays meanwhile."""
        resident, away = self.server.resident(), await self.turned_away()
        extra = BEYOND if self.each == SHARE else 0
        self.crowd.begin(("come", kind, self.each + extra, number))
        during = self.neighbour.pulls_while(lambda: not self.crowd.is_done)
        self.crowd.result()
        away = await self.turned_away() - away
        cost = (self.server.resident() - resident) / self.each / 1024
        text = f"{kind.name}: {self.each} came, {away} more were turned away; {cost:.1f} KiB each"
        # What a sanitizer puts around memory is not the server's.
        is_cheap = self.server.sanitizer or cost < kind.cost
        self.trial.judge(text if self.server.sanitizer else f"{text}, less than {kind.cost}", away == extra and is_cheap)
        return during

    async def turned_away(self):
        return await self.server.figure("refusals_total", 'reason="crowded"')

    def judge(self, ends):
        for kind in self.kinds:
            mine = sorted(((seconds, told) for name, seconds, told in ends if name == kind.name), key=lambda end: end[0])
            # Whom TLS would have to tell that there is no room is just hung up on, at once.
            mine = mine[max(0, len(mine) - self.each) :]
            if kind.reads_slowly:
                continue
            if kind.ends is None:
                self.trial.judge(f"{kind.name}: {len(mine)} were ended", not mine, mine)
                continue
            low, high = kind.ends[0], kind.ends[1] + LATE
            times = [seconds for seconds, _ in mine] or [0.0]
            wrong = [end for end in mine if not low <= end[0] <= high or (kind.told and end[1] != kind.told)]
            span = f"after {times[0]:.1f} to {times[-1]:.1f} s (median {percentile(times, 0.5):.1f})"
            deadline = f"{low} s" if kind.ends[0] == kind.ends[1] else f"{low} to {kind.ends[1]} s"
            told = f", and told {kind.told}" if kind.told else ""
            self.trial.judge(f"{kind.name}: {len(mine)} were ended {span}{told}; due after {deadline}", len(mine) == self.each and not wrong, wrong)

    def end(self):
        self.neighbour.end()
        self.crowd.end()


async def main(options):
    print(go_before_others())
    trial = Trial("loris", options, [*LISTS, LONG])
    if options.tls:
        authority = Authority(trial.folder)
        certificate, key = authority.issue()
        trial.server.flags, trial.server.authority = ("--certificate", str(certificate), "--key", str(key)), authority.trusted
    async with trial:
        siege = Siege(trial, secured() if options.tls else plain())
        await siege.run()
        siege.end()
    return trial.status


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--tls", action="store_true", help="to a server that speaks TLS: those who are slow at that")
    parser.add_argument("--each", type=int, default=SHARE, help="connections of each kind; at 1000, as many as one address may have")
    parser.add_argument("--delay", type=float, default=25, help="milliseconds by which the neighbour's p99 may rise")
    run(main, parser)
