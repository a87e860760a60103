"""A WebSocket by hand (RFC 6455), so that a test decides about every byte. Needs nothing but Python."""

import asyncio
import base64
import os
import struct
import zlib

TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA


class Ended(Exception):
    """The connection is over. `code` is that of the server's Close frame, if there was one."""

    def __init__(self, code=None):
        super().__init__(f"ended with {code}")
        self.code = code


def masked(first, payload, key=bytes(4)):
    """A frame as a client must send it (RFC 6455 §5.2); unless another key is given, one that hides nothing."""
    length = len(payload)
    if length < 126:
        head = bytes([first, 0x80 | length])
    elif length < 1 << 16:
        head = struct.pack(">BBH", first, 0x80 | 126, length)
    else:
        head = struct.pack(">BBQ", first, 0x80 | 127, length)
    if any(key):
        mask = (key * (length // 4 + 1))[:length]
        payload = (int.from_bytes(payload) ^ int.from_bytes(mask)).to_bytes(length)
    return head + key + payload


def frames_in(received):
    """(opcode, payload) of each frame that has arrived whole, which is taken out of the bytearray; a message that is marked as
    compressed is inflated."""
    start = 0
    try:
        while (frame := frame_at(received, start)) is not None:
            first, begin, end = frame
            payload = bytes(received[begin:end])
            start = end
            yield first & 0xF, inflated(payload) if first & 0x40 else payload
    finally:
        del received[:start]


def frame_at(received, start):
    """(first byte, where the payload begins, where it ends) of a server's frame; None where it has not arrived whole."""
    if len(received) - start < 2:
        return None
    length, begin = received[start + 1] & 0x7F, start + 2
    if length >= 126:
        size = 2 if length == 126 else 8
        if len(received) < begin + size:
            return None
        length, begin = int.from_bytes(received[begin : begin + size]), begin + size
    return None if len(received) < begin + length else (received[start], begin, begin + length)


def handshake(port, deflates=False):
    """The request that opens a WebSocket; `deflates` offers to be sent compressed messages (RFC 7692)."""
    offer = "Sec-WebSocket-Extensions: permessage-deflate\r\n" if deflates else ""
    return (
        f"GET /ws HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n"
        f"{offer}Sec-WebSocket-Protocol: refreshable.v1\r\n\r\n"
    ).encode()


def inflated(payload):
    """A message as it was before it was compressed by itself (RFC 7692 §7.2.2)."""
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(payload + b"\0\0\xff\xff")


class TurnedAway(Ended):
    """The server asks to come back later."""


class Wire:
    """One connection to a server, or to a proxy in front of one."""

    def __init__(self, reader, writer, deflates=False):
        self.reader, self.writer, self.deflates = reader, writer, deflates

    @classmethod
    async def open(cls, port, deflates=False, within=10):
        """Connects and shakes hands; `deflates` offers to be sent compressed messages (RFC 7692)."""
        async with asyncio.timeout(within):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
            writer.write(handshake(port, deflates))
            try:
                head = await reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                writer.transport.abort()
                raise Ended from None
        if b" 101 " not in head.split(b"\r\n")[0]:
            writer.transport.abort()
            # A server that was asked to stop says when to come back.
            if b" 503 " in head.split(b"\r\n")[0] and b"\r\nretry-after: " in head.lower():
                raise TurnedAway
            raise AssertionError(f"the handshake was answered {head.decode('latin-1')}")
        return cls(reader, writer, deflates=b"permessage-deflate" in head)

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
        is_compressed = first & 0x70 == 0x40 and self.deflates
        assert (first & 0x70 == 0 or is_compressed) and second & 0x80 == 0, "reserved bits, or a mask"
        return first & 0xF, inflated(payload) if is_compressed else payload

    def send(self, text):
        self.write(TEXT, text.encode())

    def write(self, opcode, payload):
        """Sends one masked frame. Whether it arrives is another question."""
        if self.writer.transport.is_closing():
            return
        self.writer.write(masked(0x80 | opcode, payload, os.urandom(4)))

    def close(self, code=1000):
        """Says goodbye by a Close frame; the server answers it."""
        self.write(CLOSE, struct.pack(">H", code))

    def abort(self):
        """Ends as a lost connection does."""
        self.writer.transport.abort()
