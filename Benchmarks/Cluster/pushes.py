"""Programs that push rows by HTTP, as many at once as are asked for, and a page that watches the lists."""

import itertools
import json
import re
import select
import socket
import time
from contextlib import ExitStack, closing

import frames

# Bytes of text in a row.
SIZE = 200
TITLE = frames.words(SIZE).decode()
PLACE = frames.NUMBER.decode()
# Rows of a list: so many that hardly one changes twice while one change is under way.
ROWS = 500
# No text is pushed twice: what changes nothing is no commit.
numbers = itertools.count()
# Seconds that what was pushed last may be under way.
PATIENCE = 10


class Pusher:
    """One connection that pushes one row after the other."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.held = b""

    def fileno(self):
        return self.socket.fileno()

    def close(self):
        self.socket.close()

    def push(self, name, key):
        """Gives the number, of eight digits, that the row's text ends with."""
        number = next(numbers)
        title = TITLE.replace(PLACE, f"{number:08}")
        body = json.dumps({"set": [{"key": key, "fields": {"title": title}}]}).encode()
        head = f"PATCH /lists/{name} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        self.socket.sendall(head.encode() + body)
        return number

    def is_answered(self):
        """Takes what there is of the answer. Anything but a 2xx is an error."""
        piece = self.socket.recv(1 << 16)
        self.held += piece
        head, end, body = self.held.partition(b"\r\n\r\n")
        if not piece or end and not head.startswith(b"HTTP/1.1 2"):
            raise RuntimeError(f"A push was refused: {self.held[:300]!r}")
        length = re.search(rb"content-length: *(\d+)", head, re.I)
        if not end or length and len(body) < int(length[1]):
            return False
        self.held = b""
        return True


class Watcher:
    """A page that watches lists, and knows which numbers it was shown."""

    def __init__(self, port, names):
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(
            b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Protocol: refreshable.v1\r\n\r\n")
        self.held = b""
        while b"\r\n\r\n" not in self.held:
            self.held += self.socket.recv(1 << 16)
        self.held = self.held.partition(b"\r\n\r\n")[2]
        for name in names:
            self._send(1, json.dumps({"type": "watch", "list": name}).encode())
        # A list is watched once its state came.
        states = set()
        while len(states) < len(names):
            for payload in self.messages():
                if payload.startswith(b'{"type":"state"'):
                    states.add(json.loads(payload)["list"])

    def fileno(self):
        return self.socket.fileno()

    def close(self):
        self.socket.close()

    def messages(self):
        """The messages that are whole by now. Pings are answered."""
        piece = self.socket.recv(1 << 18)
        if not piece:
            raise RuntimeError("The server hung up on a watcher.")
        self.held += piece
        found, used = [], 0
        for opcode, payload, wire in frames.split(self.held):
            used += len(wire)
            if opcode == 9:
                self._send(10, payload)
            elif opcode == 8:
                raise RuntimeError(f"A watcher was closed: {payload!r}")
            else:
                found.append(payload)
        self.held = self.held[used:]
        return found

    def numbers(self):
        """The numbers in the patches that came."""
        for payload in self.messages():
            for number in re.findall(rb'(\d{8})"}', payload):
                yield int(number)

    def _send(self, opcode, payload):
        # A mask of zeros leaves the payload as it is. All that is said here is shorter than 126 bytes.
        self.socket.sendall(bytes([0x80 | opcode, 0x80 | len(payload)]) + bytes(4) + payload)


def closed_loop(port, lists, clients, seconds):
    """Each client pushes to a list of its own, or to one that it shares, and again once it was answered.

    Gives pushes a second, and the seconds that each took. The first fifth of the time is not counted."""
    with ExitStack() as stack:
        crowd = [stack.enter_context(closing(Pusher(port))) for _ in range(clients)]
        poller = stack.enter_context(select.epoll())
        places = {pusher.fileno(): place for place, pusher in enumerate(crowd)}
        sent, times = [0.0] * clients, []
        start = time.monotonic()
        begin, end = start + seconds / 5, start + seconds
        for place, pusher in enumerate(crowd):
            poller.register(pusher.fileno(), select.EPOLLIN)
            sent[place] = time.monotonic()
            pusher.push(lists[place % len(lists)], f"row{place}")
        waiting = clients
        while waiting:
            for file, _ in poller.poll(PATIENCE) or fail("No push was answered"):
                place = places[file]
                if not crowd[place].is_answered():
                    continue
                moment = time.monotonic()
                if begin <= moment < end:
                    times.append(moment - sent[place])
                if moment >= end:
                    waiting -= 1
                    continue
                sent[place] = moment
                crowd[place].push(lists[place % len(lists)], f"row{place}")
    return len(times) / (end - begin), times


def open_loop(port, watchers, resting, lists, rate, seconds):
    """Pushes at a fixed rate, whether the last ones were answered or not, to lists in turn.

    Gives the seconds from when each was due: a series for each watcher, until it was shown it, and one until it was answered.
    Those who rest are only kept alive."""
    count = int(rate * seconds)
    answered, shown = {}, {watcher.fileno(): {} for watcher in watchers}
    listening = {watcher.fileno(): watcher for watcher in (*watchers, *resting)}
    with ExitStack() as stack:
        poller, idle, busy = stack.enter_context(select.epoll()), [], {}
        for file in listening:
            poller.register(file, select.EPOLLIN)
        start, number, first = time.monotonic() + 0.1, 0, None
        while min(len(answered), *map(len, shown.values())) < count:
            moment = time.monotonic()
            while number < count and moment >= start + number / rate:
                if not idle:
                    idle.append(stack.enter_context(closing(Pusher(port))))
                    poller.register(idle[-1].fileno(), select.EPOLLIN)
                pusher = idle.pop()
                busy[pusher.fileno()] = pusher, number
                pushed = pusher.push(lists[number % len(lists)], f"row{number // len(lists) % ROWS}")
                first = pushed if first is None else first
                number += 1
                moment = time.monotonic()
            for file, _ in poller.poll(max(0, start + number / rate - moment) if number < count else 0.1):
                moment = time.monotonic()
                if file in listening:
                    series = shown.get(file, {})
                    for shows in listening[file].numbers():
                        which = shows - first
                        # What the row had before, it shows no more.
                        while which >= 0 and which not in series:
                            series[which] = moment
                            which -= ROWS * len(lists)
                elif busy[file][0].is_answered():
                    pusher, which = busy.pop(file)
                    answered[which] = moment
                    idle.append(pusher)
            if moment > start + seconds + PATIENCE:
                fail(f"Of {count} pushes to {len(lists)} lists {len(answered)} were answered, and {min(map(len, shown.values()))} shown")
    return [[series[which] - start - which / rate for which in range(count)] for series in (*shown.values(), answered)]


def fail(what):
    raise RuntimeError(f"{what} within {PATIENCE} s.")
