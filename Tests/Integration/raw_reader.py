"""A WebSocket by hand that can stop reading."""

import asyncio
import contextlib
import json
import socket
import struct


class RawReader:
    """A WebSocket by hand with a small receive buffer, which can stop reading."""

    def __init__(self, server):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.setblocking(False)
        self.server, self.bytes, self.frames, self.close_code = server, b"", [], None

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

    async def watch(self, name):
        """Watches a list and reads no further than its ok."""
        await self.send({"type": "watch", "id": name, "list": name})
        await self.read_until(lambda frame: frame.get("id") == name)

    async def send(self, message):
        """Sends a masked text frame (RFC 6455 §5.3), short enough for one length byte; the mask is zero."""
        payload = json.dumps(message).encode()
        assert len(payload) < 126
        await asyncio.get_running_loop().sock_sendall(
            self.socket, bytes([0x81, 0x80 | len(payload)]) + b"\0\0\0\0" + payload
        )

    async def read_until(self, holds, within=10):
        """Reads frames until one makes the condition true."""
        async with asyncio.timeout(within):
            while True:
                while (frame := self.take_frame()) is not None:
                    self.frames.append(frame)
                    if holds(frame):
                        return frame
                piece = await asyncio.get_running_loop().sock_recv(self.socket, 65536)
                assert piece, f"the server closed ({self.close_code})"
                self.bytes += piece

    async def read_to_the_end(self, within=10):
        """Reads until the server ends the connection: gives the code of its Close frame."""
        async with asyncio.timeout(within):
            with contextlib.suppress(ConnectionResetError):
                while self.close_code is None:
                    piece = await asyncio.get_running_loop().sock_recv(self.socket, 65536)
                    if not piece:
                        break
                    self.bytes += piece
                    while self.take_frame() is not None:
                        pass
        return self.close_code

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
        if opcode == 8:
            (self.close_code,) = struct.unpack(">H", payload[:2])
        if opcode != 1:
            return self.take_frame()
        return json.loads(payload)
