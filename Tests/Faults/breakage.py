"""What is wrong, and certain to be: messages that must be answered by an error, and frames that must end a connection.

Each is a function of dice, so that no two are alike.
"""

import json
import zlib


def masked(first, payload):
    """A frame as a client must send it; the key is one that hides nothing."""
    length = len(payload)
    if length < 126:
        head = bytes([first, 0x80 | length])
    elif length < 1 << 16:
        head = bytes([first, 0x80 | 126]) + length.to_bytes(2, "big")
    else:
        head = bytes([first, 0x80 | 127]) + length.to_bytes(8, "big")
    return head + b"\0\0\0\0" + payload


def word(dice):
    return "".join(dice.choice("abcdefghijklmnopqrstuvwxyzäß🍇\\\"/ ") for _ in range(dice.randrange(1, 30)))


def nested(dice):
    return dice.choice(["[", '{"a":', '[{"a":[']) * dice.randrange(1, 3000)


def cut(dice):
    """A good message that ends early."""
    text = json.dumps({"type": "watch", "id": word(dice), "list": word(dice)})
    return text[: dice.randrange(1, len(text) - 1)]


def text(make):
    return lambda dice: make(dice).encode()


# Not one of these is a message.
MESSAGES = [
    text(cut),
    text(nested),
    text(word),
    text(lambda dice: "{}"),
    text(lambda dice: ""),
    text(lambda dice: json.dumps([word(dice)])),
    text(lambda dice: json.dumps(dice.random())),
    text(lambda dice: json.dumps({"type": dice.choice([None, 5, [], {}, True])})),
    text(lambda dice: json.dumps({"type": word(dice)})),
    text(lambda dice: json.dumps({"type": "watch"})),
    text(lambda dice: json.dumps({"type": "watch", "list": dice.choice([1, None, [], {}])})),
    text(lambda dice: json.dumps({"type": "watch", "list": "x" * dice.randrange(300, 9000)})),
    text(lambda dice: json.dumps({"type": "watch", "id": "x" * dice.randrange(65, 9000), "list": "board"})),
    text(lambda dice: json.dumps({"type": "watch", "list": word(dice) + "!"})),
    text(lambda dice: json.dumps({"type": "refresh", "list": "board", "fresh": word(dice)})),
    text(lambda dice: json.dumps({"type": "release", "list": "quiet", "gesture": 1, "offset": word(dice)})),
    text(lambda dice: json.dumps({"type": "release", "list": "quiet", "gesture": dice.randrange(-(2**70), 0), "offset": 9})),
    text(lambda dice: '{"type":"release","list":"quiet","gesture":1,"offset":1e%d}' % dice.randrange(5, 999)),
    text(lambda dice: '{"type":"release","list":"quiet","gesture":1,"offset":%s}' % dice.choice(["NaN", "-", "1.", "+1", "0x1"])),
    text(lambda dice: '{"type":"watch","list":"board"}' + dice.choice([",", "}", "{}", "x", "\0"])),
    text(lambda dice: '{"type":"watch","list":"bo' + chr(dice.randrange(32)) + 'ard"}'),
    text(lambda dice: '{"type":"watch","list":"\\u%s"}' % dice.choice(["", "12", "xyzw"])),
]  # fmt: skip


def noise(dice, most=64):
    return dice.randbytes(dice.randrange(most))


def unmasked(first, payload):
    return bytes([first, len(payload)]) + payload


def bomb(dice):
    """Without an agreement about compression, RSV1 alone is wrong already."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return masked(0xC1, packer.compress(b"\0" * (1 << dice.randrange(10, 22))) + packer.flush(zlib.Z_SYNC_FLUSH))


# (what, frame, codes it may be closed with; None: without a word).
FRAMES = [
    ("an unmasked text", lambda dice: unmasked(0x81, b"x" + noise(dice)), {1002}),
    ("a reserved bit", lambda dice: masked(0x81 | dice.choice([0x10, 0x20, 0x40, 0x70]), noise(dice)), {1002}),
    ("an unknown opcode", lambda dice: masked(0x80 | dice.choice([3, 4, 5, 6, 7]), noise(dice)), {1002}),
    ("an unknown control opcode", lambda dice: masked(0x80 | dice.choice([11, 12, 13, 14, 15]), noise(dice)), {1002}),
    ("a continuation of nothing", lambda dice: masked(0x80, noise(dice)), {1002}),
    ("a message in a message", lambda dice: masked(0x01, b"a") + masked(0x81, b"b"), {1002}),
    ("a control frame in parts", lambda dice: masked(0x09, noise(dice)), {1002}),
    ("a long control frame", lambda dice: masked(0x89, b"x" * dice.randrange(126, 999)), {1002, None}),
    ("text that is not UTF-8", lambda dice: masked(0x81, noise(dice) + b"\xff"), {1007}),
    ("a close code of nobody", lambda dice: masked(0x88, dice.choice([0, 999, 1004, 1005, 1006, 1015, 2999, 5000]).to_bytes(2, "big")), {1002}),
    ("a close of one byte", lambda dice: masked(0x88, b"x"), {1002}),
    ("a close reason that is not UTF-8", lambda dice: masked(0x88, b"\x03\xe8\xc3\x28"), {1007}),
    ("far too long a message", lambda dice: masked(0x82, b"x" * dice.randrange(66_000, 90_000)), {1009}),
    ("a length beyond all", lambda dice: b"\x82\xff\xff" + noise(dice).ljust(40, b"x"), {1002, None}),
    ("a bomb that nobody agreed to", bomb, {1002}),
]  # fmt: skip
