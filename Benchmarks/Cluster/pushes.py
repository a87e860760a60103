"""A program that pushes rows by HTTP, and a page that watches lists."""

import itertools
import json
import re
import socket

import frames

# Bytes of text in a row.
SIZE = 200
TITLE = frames.words(SIZE).decode()
PLACE = frames.NUMBER.decode()
# No text is pushed twice: what changes nothing is no commit.
numbers = itertools.count()
# Seconds that a push may be under way.
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
        head = f"PATCH /lists/{name} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        self.socket.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
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
