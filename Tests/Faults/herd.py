#!/usr/bin/env python3
"""Ten thousand clients that come back at the same moment: each must be served, none may wait for a time-out.

    python Tests/Faults/herd.py --binary .build/release/refreshable --clients 10000

They connect, shake hands and watch a list, all at once, from several processes; then once more, as the page does it: each
after a random time within two seconds. What is printed is how long it took until a client had its rows.
"""

import argparse
import asyncio
import multiprocessing
import random
import resource
import selectors
import shutil
import socket
import sys
import tempfile
import time
from pathlib import Path

from breakage import masked
from server import Server, free_port
from slow import Child, percentile

LISTS = [{"name": "quiet", "command": "echo still", "format": "lines"}]
# The page gives a connection up that did not open within ten seconds (Public/connection.js).
LONGEST = 10.0


class Client:
    """One that wants to see the list."""

    def __init__(self, port, waiting, begin):
        self.began = begin
        self.bytes = b""
        self.is_asked = False
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.connect_ex(("127.0.0.1", port))
        waiting.register(self.socket, selectors.EVENT_WRITE, self)

    def step(self, waiting, port):
        """Goes on; the seconds that it took, once it has its rows."""
        if not self.is_asked:
            self.is_asked = True
            self.socket.send(
                f"GET /ws HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
                + masked(0x81, b'{"type":"watch","id":"1","list":"quiet"}')
            )
            waiting.modify(self.socket, selectors.EVENT_READ, self)
            return None
        piece = self.socket.recv(1 << 14)
        if not piece:
            raise ConnectionResetError("closed before the rows came")
        self.bytes += piece
        return time.monotonic() - self.began if b'"type":"snapshot"' in self.bytes else None


def come(port, orders):
    """A process with a part of the herd: told how many, and within how many seconds they come."""
    while (order := orders.recv()) is not None:
        orders.send(gather(port, *order))


def gather(port, count, spread):
    waiting = selectors.DefaultSelector()
    start = time.monotonic()
    due = sorted(start + random.uniform(0, spread) for _ in range(count))
    clients, times, faults = [], [], []
    while len(times) + len(faults) < count and time.monotonic() - start < 60:
        while len(clients) < count and due[len(clients)] <= time.monotonic():
            clients.append(Client(port, waiting, due[len(clients)]))
        for key, _ in waiting.select(0.01):
            try:
                took = key.data.step(waiting, port)
            except OSError as fault:
                faults.append(repr(fault))
                waiting.unregister(key.data.socket)
                continue
            if took is not None:
                times.append(took)
                waiting.unregister(key.data.socket)
    faults += ["no rows within a minute"] * (count - len(times) - len(faults))
    for client in clients:
        client.socket.close()
    return times, faults


async def main(options):
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    folder = Path(tempfile.mkdtemp(prefix="refreshable-herd-"))
    server = Server(options.binary.resolve(), folder, LISTS, free_port())
    passed = failed = 0
    parts = []
    try:
        await server.start(loops=options.loops)
        parts = [Child(come, server.port) for _ in range(options.processes)]
        for name, spread in (("at once", 0.0), ("spread over two seconds, as the page has it", 2.0)):
            for part in parts:
                part.begin((options.clients // len(parts), spread))
            results = [part.result() for part in parts]
            times = [value for times, _ in results for value in times]
            faults = [fault for _, faults in results for fault in faults]
            text = f"{len(times)} came {name}, {len(faults)} were not served"
            if times:
                text += f"; rows after {percentile(times, 0.5):.2f} s (p50), {percentile(times, 0.99):.2f} s (p99), {max(times):.2f} s (last)"
            holds = not faults and bool(times) and max(times) < LONGEST
            print(f"{'✔' if holds else '✘'} {text}; within {LONGEST:.0f} s")
            for fault in sorted(set(faults))[:5]:
                print(f"    {fault}")
            passed, failed = passed + holds, failed + (not holds)
            await asyncio.sleep(1)
    finally:
        for part in parts:
            part.end()
        if server.is_running:
            await server.kill()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path(".build/debug/refreshable"))
    parser.add_argument("--clients", type=int, default=10_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--loops", type=int, default=2)
    arguments = parser.parse_args()
    multiprocessing.set_start_method("spawn")
    sys.exit(asyncio.run(main(arguments)))
