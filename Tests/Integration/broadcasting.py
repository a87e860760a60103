"""A loop that sends to thousands lets everybody else in after each slice of time."""

import asyncio
import json
import resource
import socket

from harness import Server, test

WATCHERS = 3000
ROUNDS = 40
ENOUGH = 5

BOARD = {"name": "board", "push": True}
QUIET = {"name": "quiet", "command": "echo still", "format": "lines"}
PING, PONG = b"\x89\x01\x72", b"\x8a\x81\0\0\0\0\x72"


class Peer:
    """A WebSocket on a plain socket that looks for words in what comes, and answers pings."""

    def __init__(self, server):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(
            f"GET /ws HTTP/1.1\r\nHost: localhost:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self.bytes = b""
        self.read_until(b'"heartbeat"')

    def say(self, message):
        """A masked text frame; the mask is zero."""
        payload = json.dumps(message).encode()
        self.socket.sendall(bytes([0x81, 0x80 | len(payload)]) + b"\0\0\0\0" + payload)

    def watch(self, name):
        self.say({"type": "watch", "id": name, "list": name})
        self.read_until(b'"type":"state"')

    def read_until(self, *words):
        """Reads until all words came, and gives what it read."""
        while not all(word in self.bytes for word in words):
            self.fill()
        taken, self.bytes = self.bytes, b""
        return taken

    def fill(self):
        piece = self.socket.recv(65536)
        assert piece, "the server closed"
        for _ in range(piece.count(PING)):
            self.socket.sendall(PONG)
        self.bytes += piece

    def catch_up(self):
        """Reads what is there already."""
        self.socket.setblocking(False)
        try:
            self.fill()
        except BlockingIOError:
            pass
        finally:
            self.socket.settimeout(20)
        self.bytes = b""


class Board(Peer):
    """Pushes rows, one after another, on a connection of its own."""

    def __init__(self, server):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=20)
        self.host, self.bytes = f"localhost:{server.port}", b""

    def push(self, number):
        body = json.dumps({"fields": {"number": number}})
        self.socket.sendall(
            f"PUT /lists/board/rows/k HTTP/1.1\r\nHost: {self.host}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
        )

    def pushed(self):
        self.read_until(b'"revision"')


def pull_amid_broadcasts(server):
    """How often a pull, sent when the first watcher had its patch, was answered before the last one had its own."""
    crowd = [Peer(server) for _ in range(WATCHERS)]
    for peer in crowd:
        peer.watch("board")
    puller = Peer(server)
    puller.watch("quiet")
    puller.watch("board")
    board, answered = Board(server), 0
    for number in range(ROUNDS):
        board.push(number)
        crowd[0].read_until(b'"patch"')
        puller.say({"type": "pull", "list": "quiet", "gesture": number + 1, "offset": 30})
        came = puller.read_until(b'"gesture"', b'"patch"')
        answered += came.index(b'"gesture"') < came.index(b'"patch"')
        if answered == ENOUGH:
            break
        board.pushed()
        for peer in crowd:
            peer.catch_up()
    return answered, number + 1


@test(limit=90)
async def a_pull_amid_a_broadcast_to_thousands_is_answered_before_its_last_watcher_is_served():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 20_000), hard))
    # One loop, so that the pull can't be answered by another; the puller watches last, and so is served last.
    async with Server([BOARD, QUIET], "--loops", "1", ephemeral=True) as server:
        answered, rounds = await asyncio.to_thread(pull_amid_broadcasts, server)
        assert answered == ENOUGH, f"in {answered} of {rounds} broadcasts"
