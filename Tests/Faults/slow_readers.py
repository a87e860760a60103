#!/usr/bin/env python3
"""What readers that stop reading cost: memory on the server, and the others' 99th percentile.

    python Tests/Faults/slow_readers.py --binary .build/debug/refreshable --rounds 10 --readers 32

One process pushes 200 rows a second, another watches them with ten connections and pulls, all on loopback. Slices with
and without stopped readers take turns, in the order without, with, with, without, so that a machine that has other
things to do disturbs both alike; what is compared are medians over slices.
"""

import json
import socket
import statistics
import time

from child_process import Child, go_before_others
from percentiles import percentile
from healthy_client import LISTS, Neighbour
from peer import Peer
from trial import Trial, arguments, run

# Rows that are pushed in a second.
RATE = 200
MOST_BYTES = 256 * 1024
MOST_DELAY = 1.10


def is_behind(reader):
    """Reads on: whether a fold of many revisions comes, so that this reader had indeed been left behind."""
    reader.socket.settimeout(5)
    while True:
        for frame in reader.frames():
            patch = json.loads(frame)
            if patch["type"] == "patch" and patch["revision"] - patch["from"] > 1:
                return True
        try:
            reader.fill()
        except (TimeoutError, ConnectionError):
            return False


def push(port, orders):
    """Pushes rows at a steady pace for as long as it is told, on one connection."""
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    number = 0
    while (seconds := orders.recv()) is not None:
        begun = time.monotonic()
        for tick in range(int(seconds * RATE)):
            time.sleep(max(0, begun + tick / RATE - time.monotonic()))
            number += 1
            fields = {"at": time.time_ns(), "title": "x" * 220}
            body = json.dumps({"fields": fields}, separators=(",", ":")).encode()
            connection.sendall(
                f"PUT /lists/board/rows/k{number % 20} HTTP/1.1\r\nHost: localhost:{port}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
            )
            answer = b""
            while b"\r\n\r\n" not in answer or not answer.endswith(b"}"):
                answer += connection.recv(4096)
            assert answer.startswith(b"HTTP/1.1 20"), answer
        orders.send(number)


class Measurement:
    def __init__(self, server, options):
        self.server, self.options = server, options
        self.pusher, self.neighbour = Child(push, server.port), Neighbour(server.port)
        self.slices = {0: [], options.readers: []}

    def stop_readers(self, count):
        """So many who watch and read no further."""
        readers = [Peer(self.server.port, receive_buffer=4096) for _ in range(count)]
        for reader in readers:
            reader.watch("board")
        return readers

    def push(self, seconds):
        self.pusher.begin(seconds)
        self.pusher.result()

    def take_slice(self, count):
        readers = self.stop_readers(count)
        self.push(1.5)  # What the system queues for them is full now.
        self.pusher.begin(self.options.seconds)
        self.neighbour.begin(self.options.seconds)
        patches, states = self.neighbour.result()
        self.pusher.result()
        for reader in readers:
            reader.socket.close()
        time.sleep(0.1)
        return [percentile(patches, 0.5), percentile(patches, 0.99), percentile(states, 0.5), percentile(states, 0.99)]

    def latency(self):
        readers = self.options.readers
        print(f"{'':>6}{'push to patch, ms':>36}{'pull to state, ms':>38}")
        print(f"{'round':>6}" + f"{'p50 without':>14}{'with':>8}{'p99':>8}{'with':>8}" * 2, flush=True)
        for number in range(self.options.rounds):
            order = [0, readers] if number % 2 == 0 else [readers, 0]
            for count in order:
                self.slices[count].append(self.take_slice(count))
            print(self.row(str(number + 1), self.slices[0][-1], self.slices[readers][-1]), flush=True)
        medians = [[statistics.median(column) for column in zip(*self.slices[count], strict=True)] for count in (0, readers)]
        print(self.row("median", *medians))
        return medians

    @staticmethod
    def row(name, without, with_):
        cells = [value for pair in zip(without, with_, strict=True) for value in pair]
        return f"{name:>6}" + "".join(f"{value:>{14 if i % 4 == 0 else 8}.2f}" for i, value in enumerate(cells))

    def memory(self):
        """Bytes for each stopped reader: what the same pushes add with them, beyond what they add without."""
        self.push(5)
        costs = []
        for _ in range(3):
            growth = []
            for count in (0, self.options.readers):
                before = self.server.resident()
                readers = self.stop_readers(count)
                self.push(5)
                growth.append(self.server.resident() - before)
                assert all(map(is_behind, readers)), "a reader was not left behind: push more"
                for reader in readers:
                    reader.socket.close()
                time.sleep(0.2)
            costs.append((growth[1] - growth[0]) / self.options.readers)
        return statistics.median(costs), costs

    def end(self):
        self.pusher.end()
        self.neighbour.end()


async def main(options):
    print(go_before_others())
    async with Trial("slow", options, LISTS) as trial:
        measurement = Measurement(trial.server, options)
        each, all_ = measurement.memory()
        without, with_ = measurement.latency()
        measurement.end()
        costs = ", ".join(f"{cost / 1024:.0f}" for cost in all_)
        trial.judge(f"a stopped reader costs {each / 1024:.0f} KiB on the server ({costs}); less than 256", each < MOST_BYTES)
        for what, column in (("push to patch", 1), ("pull to state", 3)):
            ratio = with_[column] / without[column]
            trial.judge(f"the others' 99th percentile, {what}: {ratio - 1:+.1%}; less than +10 %", ratio < MOST_DELAY)
    return trial.status


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--readers", type=int, default=32, help="that stop reading")
    parser.add_argument("--rounds", type=int, default=10, help="slices with and without them")
    parser.add_argument("--seconds", type=float, default=4, help="for each slice")
    run(main, parser)
