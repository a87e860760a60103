"""A WebSocket by hand (RFC 6455), so that a test decides about every byte. Needs nothing but Python."""

import asyncio
import base64
import os
import struct

TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA


class Ended(Exception):
    """The connection is over. `code` is that of the server's Close frame, if there was one."""

    def __init__(self, code=None):
        super().__init__(f"ended with {code}")
        self.code = code


class Wire:
    """One connection to a server, or to a proxy in front of one."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port, within=10):
        """Connects and shakes hands."""
        async with asyncio.timeout(within):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
            key = base64.b64encode(os.urandom(16)).decode()
            writer.write(
                f"GET /ws HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Protocol: refreshable.v1\r\n\r\n".encode()
            )
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                writer.transport.abort()
                raise Ended from None
        if b" 101 " not in head.split(b"\r\n")[0]:
            writer.transport.abort()
            raise AssertionError(f"the handshake was answered {head.decode('latin-1')}")
        return cls(reader, writer)

    async def receive(self):
        """The next text message. Pings are answered on the way."""
        while True:
            opcode, payload = await self.frame()
            if opcode == TEXT:
                return payload
            if opcode == PING:
                self.write(PONG, payload)
            elif opcode == CLOSE:
                raise Ended(struct.unpack(">H", payload[:2])[0] if len(payload) >= 2 else None)
            elif opcode != PONG:
                raise AssertionError(f"a frame with opcode {opcode}")

    async def frame(self):
        try:
            first, second = await self.reader.readexactly(2)
            length = second & 0x7F
            if length == 126:
                (length,) = struct.unpack(">H", await self.reader.readexactly(2))
            elif length == 127:
                (length,) = struct.unpack(">Q", await self.reader.readexactly(8))
            payload = await self.reader.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError):
            raise Ended from None
        assert first & 0x80, "a fragment, though no frame is larger than its limit"
        assert first & 0x70 == 0 and second & 0x80 == 0, "reserved bits, or a mask"
        return first & 0xF, payload

    def send(self, text):
        self.write(TEXT, text.encode())

    def write(self, opcode, payload):
        """Sends one masked frame. Whether it arrives is another question."""
        if self.writer.transport.is_closing():
            return
        mask = os.urandom(4)
        length = len(payload)
        if length < 126:
            head = bytes([0x80 | opcode, 0x80 | length])
        elif length < 1 << 16:
            head = bytes([0x80 | opcode, 0x80 | 126]) + struct.pack(">H", length)
        else:
            head = bytes([0x80 | opcode, 0x80 | 127]) + struct.pack(">Q", length)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(payload))
        self.writer.write(head + mask + masked)

    def close(self, code=1000):
        """Says goodbye by a Close frame; the server answers it."""
        self.write(CLOSE, struct.pack(">H", code))

    def abort(self):
        """Ends as a lost connection does."""
        self.writer.transport.abort()
