#!/usr/bin/env python3
"""Ten thousand clients whose server is killed, and who come back: each must be served, none may wait for a time-out.

    python Tests/Faults/reconnect_storm.py --binary .build/release/refreshable --clients 10000

They watch a list; the server is killed and started again at once. They come back as the page does: after a random time within
two seconds, later where nobody listens yet (Public/connection/reconnection.js), with their session and their revision. Then once more,
all at one moment. What is printed is how long it took until a client was told where it is, since it tried to come back and
since the server was gone, and what both sides worked meanwhile.
"""

import errno
import heapq
import json
import os
import random
import selectors
import socket
import time

from child_process import Child, go_before_others
from percentiles import percentile
from trial import Trial, arguments, run
from raw_websocket import CLOSE, frames_in, handshake, masked

LISTS = [{"name": "quiet", "command": "echo still", "format": "lines"}]
# The page gives a connection up that did not open within ten seconds (Public/connection/connection.js). s
LONGEST = 10.0
# Until what has not come back is given up by the trial. s
PATIENCE = 60
# Connections under way at a time, while nobody is in a hurry.
TOGETHER = 64


class Client:
    """One page: it connects, says who it was, and watches from where it is."""

    def __init__(self, port):
        self.port = port
        self.session = self.place = None
        self.socket = None
        self.attempts = 0

    def connect(self):
        self.began = time.monotonic()
        self.received = bytearray()
        self.is_open = False
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.connect_ex(("127.0.0.1", self.port))

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None

    @property
    def wait(self):
        """Seconds until the next try, where nobody listened."""
        self.attempts += 1
        return random.uniform(0, min(30, 2**self.attempts))

    def ask(self):
        """The socket can be written to for the first time. OSError where nobody listens."""
        if fault := self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
            raise OSError(fault, os.strerror(fault))
        self.socket.send(handshake(self.port))

    def hear(self):
        """Takes what came; whether it knows now where it is."""
        if not (piece := self.socket.recv(1 << 14)):
            raise ConnectionResetError(errno.ECONNRESET, "closed before the rows came")
        self.received += piece
        if not self.is_open:
            if (end := self.received.find(b"\r\n\r\n")) < 0:
                return False
            assert self.received.startswith(b"HTTP/1.1 101 "), bytes(self.received[:end])
            del self.received[: end + 4]
            self.is_open = True
            self.greet()
        return any(self.is_told(opcode, payload) for opcode, payload in frames_in(self.received))

    def greet(self):
        hello = masked(0x81, json.dumps({"type": "hello", "id": "0", "session": self.session}).encode()) if self.session else b""
        watch = {"type": "watch", "id": "1", "list": "quiet", **(self.place or {})}
        self.socket.send(hello + masked(0x81, json.dumps(watch).encode()))

    def is_told(self, opcode, payload):
        if opcode == CLOSE:
            raise ConnectionResetError(errno.ECONNRESET, f"closed with {int.from_bytes(payload[:2])} {payload[2:].decode()}")
        if payload.startswith(b'{"type":"welcome"'):
            self.session = json.loads(payload)["session"]
        elif payload.startswith(b'{"type":"ok"') and b'"id":"1"' in payload:
            answer = json.loads(payload)
            self.place = {"epoch": answer["epoch"], "revision": answer["revision"]}
            return answer["begin"] != "snapshot"
        return payload.startswith(b'{"type":"snapshot"')


class Part:
    """A part of the herd, in one process."""

    def __init__(self, port, count):
        self.clients = [Client(port) for _ in range(count)]
        self.waiting = selectors.DefaultSelector()

    def gather(self):
        """All come, a few at a time."""
        return self.come([(0.0, client) for client in self.clients], TOGETHER)

    def come_back(self, gone, spread):
        """All have lost the server at a moment, and come back within so many seconds of it."""
        for client in self.clients:
            client.close()
            client.attempts = 0
        return self.come([(gone + random.uniform(0, spread), client) for client in self.clients])

    def come(self, due, together=1 << 30):
        """Connects each when it is due: when each tried and was served, what went wrong, how many tries found nobody, and the
        seconds of a processor that it took."""
        self.due = [(at, number, client) for number, (at, client) in enumerate(due)]
        heapq.heapify(self.due)
        self.spans, self.faults, self.refused = [], [], 0
        end, worked = max(time.monotonic(), *(at for at, _ in due)) + PATIENCE, time.process_time()
        while (self.due or self.waiting.get_map()) and (now := time.monotonic()) < end:
            while self.due and self.due[0][0] <= now and len(self.waiting.get_map()) < together:
                client = heapq.heappop(self.due)[-1]
                client.connect()
                self.waiting.register(client.socket, selectors.EVENT_WRITE, client)
            is_due = self.due and len(self.waiting.get_map()) < together
            for key, events in self.waiting.select(max(0, min(0.1, self.due[0][0] - now)) if is_due else 0.1):
                self.step(key.data, events)
        for client in [key.data for key in self.waiting.get_map().values()]:
            self.lose(client, f"nothing within {PATIENCE} s, {'open' if client.is_open else 'not open'}")
        return self.spans, self.faults, self.refused, time.process_time() - worked

    def step(self, client, events):
        try:
            if events & selectors.EVENT_WRITE:
                client.ask()
                self.waiting.modify(client.socket, selectors.EVENT_READ, client)
            elif client.hear():
                self.spans.append((client.began, time.monotonic()))
                self.waiting.unregister(client.socket)
        except ConnectionRefusedError:
            self.refused += 1
            self.lose(client)
            heapq.heappush(self.due, (time.monotonic() + client.wait, -self.refused, client))
        except OSError as fault:
            self.lose(client, str(fault))

    def lose(self, client, fault=None):
        self.waiting.unregister(client.socket)
        client.close()
        if fault:
            self.faults.append(fault)


def live(port, orders):
    """A process with a part of the herd: how many they are, and then when the server was gone, again and again."""
    part = Part(port, orders.recv())
    orders.send(part.gather())
    while (order := orders.recv()) is not None:
        orders.send(part.come_back(*order))


async def main(options):
    print(go_before_others())
    async with Trial("herd", options, LISTS) as trial:
        parts = [Child(live, trial.server.port) for _ in range(options.processes)]
        for part in parts:
            part.begin(options.clients // len(parts))
        tell(trial, "came", 0, [part.result() for part in parts])
        for name, spread in (("came back as the page does", 2.0), ("came back at one moment", 0.0)):
            await trial.server.kill()
            gone = time.monotonic()
            if spread:
                begin(parts, gone, spread)
            await trial.server.start(loops=options.loops)
            print(f"the server served again {time.monotonic() - gone:.2f} s after it was gone")
            if not spread:
                begin(parts, time.monotonic(), spread)
            results = [part.result() for part in parts]
            holds, faults = tell(trial, name, gone, results)
            trial.judge(f"all {options.clients} {name}, and were served within {LONGEST:.0f} s", holds, faults)
        for part in parts:
            part.end()
    return trial.status


def begin(parts, gone, spread):
    for part in parts:
        part.begin((gone, spread))


def tell(trial, name, gone, results):
    """Prints how long it took; whether all were served in time, and what speaks against it."""
    spans = [span for spans, *_ in results for span in spans]
    faults = [fault for _, faults, *_ in results for fault in faults]
    print(f"{len(spans)} {name}; {sum(result[2] for result in results)} tries while nobody listened; {len(faults)} failed")
    if not spans:
        return False, faults
    if gone:
        print(f"    since the server was gone: {spread_of([end - gone for _, end in spans])}")
    waits = [end - began for began, end in spans]
    print(f"    since each tried:          {spread_of(waits)}")
    seconds = max(end for _, end in spans) - min(began for began, _ in spans)
    theirs = " + ".join(f"{result[3]:.2f}" for result in results)
    print(f"    in {seconds:.2f} s the server worked {trial.server.worked():.2f} s since its start, its clients {theirs} s")
    holds = not faults and len(spans) == trial.options.clients and max(waits) < LONGEST
    return holds, sorted(set(faults))


def spread_of(values):
    shares = {"first": 0, "median": 0.5, "p99": 0.99, "last": 1}
    return ", ".join(f"{name} {percentile(values, share):.3f} s" for name, share in shares.items())


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--clients", type=int, default=10_000)
    parser.add_argument("--processes", type=int, default=2)
    run(main, parser)
