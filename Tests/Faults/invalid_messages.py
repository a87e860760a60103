"""What is wrong, and certain to be: messages that must be answered by an error, and frames that must end a connection.

Each is a function of dice, so that no two are alike.
"""

import json
import zlib

from raw_websocket import masked


LETTERS = "abcdefghijklmnopqrstuvwxyzäß🍇\\\"/ "


def word(dice):
    return "".join(dice.choices(LETTERS, k=dice.randrange(1, 30)))


def nested(dice):
    return dice.choice(["[", '{"a":', '[{"a":[']) * dice.randrange(1, 2000)


def cut(dice):
    """A good message that ends early."""
    text = json.dumps({"type": "watch", "id": word(dice), "list": word(dice)})
    return text[: dice.randrange(1, len(text) - 1)]


def packed(text, level=1):
    """A message compressed by itself (RFC 7692 §7.2.1)."""
    packer = zlib.compressobj(level, zlib.DEFLATED, -15)
    return (packer.compress(text) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]


def said(**members):
    return json.dumps(members)


def release(dice, **members):
    return said(**{"type": "release", "list": "quiet", "gesture": 1, "offset": 9, **members})


# Not one of these is a message: name, text, and the code of the error that must answer it.
MESSAGES = [
    ("cut short", cut, "badJSON"),
    ("nested", nested, "badJSON"),
    ("words", word, "badJSON"),
    ("empty", lambda dice: "", "badJSON"),
    ("an array", lambda dice: json.dumps([word(dice)]), "badJSON"),
    ("a number", lambda dice: json.dumps(dice.random()), "badJSON"),
    ("no type", lambda dice: "{}", "badType"),
    ("a type that is no text", lambda dice: said(type=dice.choice([None, 5, [], {}, True])), "badType"),
    ("an unknown type", lambda dice: said(type=word(dice) + "!"), "badType"),
    ("a watch of nothing", lambda dice: said(type="watch"), "badField"),
    ("a list that is no text", lambda dice: said(type="watch", list=dice.choice([1, None, [], {}])), "badField"),
    ("a list of a long name", lambda dice: said(type="watch", list="x" * dice.randrange(300, 9000)), "badField"),
    ("a long id", lambda dice: said(type="watch", id="x" * dice.randrange(65, 9000), list="board"), "badField"),
    ("an unknown list", lambda dice: said(type="watch", list=word(dice) + "!"), "unknownList"),
    ("a word that is none", lambda dice: said(type="refresh", list="board", fresh=word(dice) + "!"), "badField"),
    ("an offset in words", lambda dice: release(dice, offset=word(dice)), "badField"),
    ("a gesture below zero", lambda dice: release(dice, gesture=dice.randrange(-(2**70), 0)), "badField"),
    ("an offset beyond all", lambda dice: release(dice)[:-2] + "1e%d}" % dice.randrange(5, 999), "badField"),
    ("what is no number", lambda dice: release(dice)[:-2] + dice.choice(["NaN", "-", "1.", "+1", "0x1"]) + "}", "badJSON"),
    ("more behind it", lambda dice: said(type="watch", list="board") + dice.choice([",", "}", "{}", "x", "\0"]), "badJSON"),
    ("a control character", lambda dice: '{"type":"watch","list":"bo' + chr(dice.randrange(32)) + 'ard"}', "badJSON"),
    ("an escape that is none", lambda dice: '{"type":"watch","list":"\\u%s"}' % dice.choice(["", "12", "xyzw"]), "badJSON"),
    ("too long", lambda dice: '"' + "x" * dice.randrange(16_384, 20_000) + '"', "tooLarge"),
]  # fmt: skip


def whole(text, dice):
    return masked(0x81, text, dice.randbytes(4))


def fragmented(text, dice):
    """In three parts, with a ping among them (RFC 6455 §5.4)."""
    one, two = sorted(dice.randrange(len(text) + 1) for _ in range(2))
    return masked(0x01, text[:one]) + masked(0x00, text[one:two]) + masked(0x89, b"?") + masked(0x80, text[two:])


def binary(text, dice):
    return masked(0x82, text)


def compressed(text, dice):
    return masked(0xC1, packed(text), dice.randbytes(4))


def noise(dice, most=64):
    return dice.randbytes(dice.randrange(most))


def unmasked(first, payload):
    return bytes([first, len(payload)]) + payload


def bomb(dice):
    return masked(0xC1, packed(b"\0" * (1 << dice.randrange(18, 23)), 9))


# What breaks the rules of frames: name, bytes, and the codes it may be closed with; None: without a word.
FRAMES = [
    ("an unmasked text", lambda dice: unmasked(0x81, b"x" + noise(dice)), {1002}),
    ("a reserved bit", lambda dice: masked(0x81 | dice.choice([0x10, 0x20, 0x30, 0x70]), noise(dice)), {1002}),
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
    ("a compressed message that nobody agreed to", lambda dice: compressed(noise(dice), dice), {1002}),
]  # fmt: skip
# The same where compression was agreed.
COMPRESSED_FRAMES = [
    ("what is not compressed", lambda dice: masked(0xC1, b"\xff" + noise(dice)), {1007}),
    ("a compressed ping", lambda dice: masked(0xC9, packed(noise(dice, 32))), {1002}),
    ("a compressed continuation", lambda dice: masked(0x01, b"a") + masked(0xC0, packed(noise(dice))), {1002}),
    ("compressed text that is not UTF-8", lambda dice: masked(0xC1, packed(noise(dice) + b"\xff")), {1007}),
    ("a bomb", bomb, {1009}),
]  # fmt: skip
