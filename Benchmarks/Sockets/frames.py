"""The frames that are sent: ours makes them, and the others are given the very same bytes."""

import random
import re

# Where the number of a push stands, so that each is another change.
NUMBER = b"########"
# Bytes of payload. The longer one is above the size from which ours and node ws compress; it shrinks to about a third.
SIZES = {"plain": 300, "deflate": 1200}
WORDS = """platform train arrives departs late minutes towards harbour central north station carriage open closed today
    weather snow clear line between signal waiting passengers please change here for the next stop service update""".split()


def words(size):
    """A text as rows have it, the same in each run, that ends with the place of the number."""
    chosen = random.Random(6)
    text = ""
    while len(text) < size:
        text += chosen.choice(WORDS) + " "
    return text[: max(0, size - len(NUMBER))].encode() + NUMBER


class Frame:
    """One frame that ours sent: the text that it was pushed by, its payload, and its bytes on the wire."""

    def __init__(self, text, payload, wire):
        self.text, self.payload, self.wire = text, re.sub(rb"\d{8}(?=\")", NUMBER, payload, count=1), wire


def take(plain, deflate):
    """Has ours send both frames: each to watchers who took no compression, and the longer one to those who did."""
    frames = {}
    for kind, size in SIZES.items():
        text = fit(plain, size)
        payload, wire = capture(plain, text)
        if kind == "deflate":
            wire = capture(deflate, text)[1]
        frames[kind] = Frame(text, payload, wire)
    return frames


def fit(contender, size):
    """The text that makes a payload of so many bytes, by what a first one came to."""
    text = words(100)
    contender.push_by(contender.server.body(text))
    length = contender.crowd.run(1)["payload"]
    # Both revisions in it get longer by two digits, while they are counted.
    return words(len(text) + size - length - 4)


def capture(contender, text):
    """The payload and all the bytes of a frame that the first watcher was sent."""
    contender.push_by(contender.server.body(text))
    contender.crowd.run(1)
    stream = contender.crowd.capture(contender.server.folder / "captured")
    return next((payload, wire) for opcode, payload, wire in split(stream) if opcode in (1, 2))


def split(stream):
    """The frames of a stream: opcode, payload, and all its bytes."""
    while len(stream) > 2:
        length, size = stream[1] & 0x7F, 2
        if length > 125:
            size = 4 if length == 126 else 10
            length = int.from_bytes(stream[2:size])
        if len(stream) < size + length:
            return
        yield stream[0] & 0x0F, stream[size : size + length], stream[: size + length]
        stream = stream[size + length :]
