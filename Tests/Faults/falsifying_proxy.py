"""A way between a client and the server on which what the server says of rows is sometimes falsified: as no network does
it, but as a client must survive it."""

import json
import struct
from collections import Counter

from proxy import Proxy
from raw_websocket import TEXT, frame_at
from seeded_random import Line

LIES = ("drop", "title", "row", "twice", "count", "epoch", "jump", "type", "broken")


class FalsifyingProxy(Proxy):
    """Draws what befalls each connection, and falsifies one patch or snapshot in so many."""

    def __init__(self, target, dice, *, share):
        super().__init__(target)
        self.dice, self.share = dice, share
        self.connections = 0
        self.lies = Counter()
        # Lists of which something was falsified since it was known to be right again.
        self.falsified = set()

    async def carry(self, reader, writer):
        self.line = Line.draw(self.dice)
        self.connections += 1
        await super().carry(reader, writer)

    async def connect(self, line):
        reader, writer = await super().connect(line)
        return FalsifiedReader(reader, self), writer


class FalsifiedReader:
    """Reads whole frames from the server once the handshake is over, and passes them on, falsified or not."""

    def __init__(self, reader, proxy):
        self.reader, self.proxy = reader, proxy
        self.received, self.ready = bytearray(), bytearray()
        self.is_open = False

    async def read(self, most):
        while not self.ready:
            piece = await self.reader.read(most)
            if not piece:
                return b""
            self.received += piece
            self.take()
        piece = bytes(self.ready[:most])
        del self.ready[:most]
        return piece

    def take(self):
        if not self.is_open:
            end = self.received.find(b"\r\n\r\n")
            if end < 0:
                return
            self.move(end + 4)
            self.is_open = True
        while (frame := frame_at(self.received, 0)) is not None:
            first, begin, end = frame
            payload = bytes(self.received[begin:end])
            if first == 0x80 | TEXT:
                del self.received[:end]
                self.ready += self.falsified(payload)
            else:
                self.move(end)

    def move(self, end):
        self.ready += self.received[:end]
        del self.received[:end]

    def falsified(self, payload):
        proxy = self.proxy
        is_rows = payload.startswith((b'{"type":"patch"', b'{"type":"snapshot"'))
        if proxy.is_calm or not is_rows or proxy.dice.random() >= proxy.share:
            return text_frame(payload)
        frame, lie = json.loads(payload), proxy.dice.choice(LIES)
        proxy.lies[lie] += 1
        proxy.falsified.add(frame["list"])
        changed = lied(frame, lie, payload)
        return b"" if changed is None else text_frame(changed)


def lied(frame, lie, payload):
    """The frame with one thing in it that is not so; None where it is kept back."""
    rows = frame.get("rows", frame.get("set", []))
    if lie == "drop":
        return None
    if lie == "broken":
        return payload[: len(payload) // 2]
    if lie == "epoch":
        frame["epoch"] = "z" + frame["epoch"][1:]
    elif lie == "count" and "count" in frame:
        frame["count"] += 1
    elif lie == "jump":
        frame["revision"] += 5
    elif lie == "type":
        frame["revision"] = str(frame["revision"])
    elif rows and lie == "title" and "fields" in rows[0]:
        rows[0]["fields"]["title"] = "falsified"
    elif rows and lie == "twice":
        rows.append(rows[0])
    elif rows:
        rows.pop()
    return json.dumps(frame, ensure_ascii=False).encode()


def text_frame(payload):
    """A server's frame (RFC 6455 §5.2)."""
    length = len(payload)
    if length < 126:
        head = bytes([0x80 | TEXT, length])
    elif length < 1 << 16:
        head = struct.pack(">BBH", 0x80 | TEXT, 126, length)
    else:
        head = struct.pack(">BBQ", 0x80 | TEXT, 127, length)
    return head + payload
