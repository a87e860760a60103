"""P6: who does not read costs nobody, and is brought to now by one fold when they read again."""

import asyncio
import json
import socket
import struct

from client import Client
from harness import Folder, Server, exchange, test, tsv

PATCHES = 2000


class RawReader:
    """A WebSocket by hand with a small receive buffer, which can stop reading."""

    def __init__(self, server):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.setblocking(False)
        self.server, self.bytes, self.frames = server, b"", []

    async def open(self):
        loop = asyncio.get_running_loop()
        await loop.sock_connect(self.socket, ("127.0.0.1", self.server.port))
        await loop.sock_sendall(
            self.socket,
            f"GET /ws HTTP/1.1\r\nHost: localhost:{self.server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Protocol: refreshable.v1\r\n\r\n".encode(),
        )
        while b"\r\n\r\n" not in self.bytes:
            self.bytes += await asyncio.wait_for(loop.sock_recv(self.socket, 4096), 5)
        head, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
        assert b" 101 " in head, head

    async def send(self, message):
        """Sends a masked text frame (RFC 6455 §5.3), short enough for one length byte; the mask is zero."""
        payload = json.dumps(message).encode()
        assert len(payload) < 126
        await asyncio.get_running_loop().sock_sendall(self.socket, bytes([0x81, 0x80 | len(payload)]) + b"\0\0\0\0" + payload)

    async def read_until(self, holds, within=10):
        """Reads frames until one makes the condition true."""
        async with asyncio.timeout(within):
            while True:
                while (frame := self.take_frame()) is not None:
                    self.frames.append(frame)
                    if holds(frame):
                        return frame
                piece = await asyncio.get_running_loop().sock_recv(self.socket, 65536)
                assert piece, "the server closed"
                self.bytes += piece

    def take_frame(self):
        if len(self.bytes) < 2:
            return None
        opcode, length, start = self.bytes[0] & 0xF, self.bytes[1] & 0x7F, 2
        if length == 126:
            start = 4
            length = struct.unpack(">H", self.bytes[2:4])[0] if len(self.bytes) >= 4 else 1 << 62
        elif length == 127:
            start = 10
            length = struct.unpack(">Q", self.bytes[2:10])[0] if len(self.bytes) >= 10 else 1 << 62
        if len(self.bytes) < start + length:
            return None
        payload, self.bytes = self.bytes[start : start + length], self.bytes[start + length :]
        if opcode != 1:
            return self.take_frame()
        return json.loads(payload)


async def refresh_many(server, count):
    """Refreshes `ticks` again and again on one connection: each is a commit of one row."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    for _ in range(count):
        status, _, body = await exchange(
            reader, writer, "POST", "/lists/ticks/refresh", {"Host": f"localhost:{server.port}"}, b""
        )
        assert status == 200, body
    writer.close()


@test(limit=240)
async def a_reader_that_stops_costs_under_256_KiB_and_gets_one_fold():
    folder = Folder()
    # One row of 600 bytes that differs each time, and starts no program but the shell itself.
    filler = "x" * 600
    counter = folder / "counter"
    counter.write_text("0")
    command = f"read n < '{counter}'; echo $((n + 1)) > '{counter}'; printf 'only\\t%s {filler}\\n' $n"
    async with Server([tsv("ticks", command)], folder=folder) as server, Client.open(server) as reader:
        await reader.watch("ticks")
        await reader.settled("ticks")
        # Everything that grows once has grown: the ring of recent frames, caches, the allocator's arenas.
        await refresh_many(server, PATCHES)
        before = server.resident()
        await refresh_many(server, PATCHES // 2)
        grown_without = server.resident() - before

        stalled = RawReader(server)
        await stalled.open()
        await stalled.send({"type": "watch", "id": "1", "list": "ticks"})
        await stalled.read_until(lambda frame: frame["type"] == "state")
        start = len(stalled.frames)
        before = server.resident()
        await refresh_many(server, PATCHES)
        grown = server.resident() - before
        drift = max(0, grown_without) * 2
        assert grown - drift < 256 * 1024, f"{grown / 1024:.0f} KiB with one who does not read, {drift / 1024:.0f} KiB without"

        await reader.shows_what_the_server_has("ticks")
        newest = reader.model("ticks").revision
        last = await stalled.read_until(lambda frame: frame["type"] == "patch" and frame["revision"] == newest)
        patches = [frame for frame in stalled.frames[start:] if frame["type"] == "patch"]
        assert last["revision"] - last["from"] > PATCHES // 2, f"no fold: {last['from']} to {last['revision']}"
        assert "run" not in last and len(last["set"]) == 1, last
        folds = [patch for patch in patches if patch["revision"] - patch["from"] > 1]
        assert len(folds) == 1, f"{len(folds)} folds among {len(patches)} patches"
        await stalled.read_until(lambda frame: frame["type"] == "state" and frame["phase"] in ("closing", "waiting"))
