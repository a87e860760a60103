#!/usr/bin/env python3
"""How much script the page is, as the server delivers it: each module without whole-line comments and indentation, then
by gzip at its best. A module is looked for among what can be imported from the element, by itself or once it is wanted."""

import re
import sys
import zlib
from pathlib import Path

PUBLIC = Path(__file__).resolve().parents[2] / "Public"
STATIC = re.compile(r"^(?:import|export) [^;]*?'\./([\w-]+\.js)';$", re.MULTILINE)
WANTED = re.compile(r"import\('\./([\w-]+\.js)'\)")
ELEMENT = "refreshable-list.js"


def lean(script):
    """What LeanScript.swift makes of a script, which an integration test compares."""
    without = re.sub(r"^ *(?:/\*.*?\*/ *)+", "", script, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"^ *(?://.*)?\n", "", re.sub(r"^ +", "", without, flags=re.MULTILINE), flags=re.MULTILINE)


def delivered(name):
    return lean((PUBLIC / name).read_text()).encode()


def size(name):
    """Bytes of one module on the wire, without its head."""
    deflate = zlib.compressobj(9, wbits=31)
    return len(deflate.compress(delivered(name)) + deflate.flush())


def imports(name, patterns, seen=None):
    """A module and all that it leads to."""
    seen = seen if seen is not None else set()
    if name not in seen:
        seen.add(name)
        for pattern in patterns:
            for other in pattern.findall((PUBLIC / name).read_text()):
                imports(other, patterns, seen)
    return seen


def total(names):
    return sum(map(size, names))


def table():
    """Name, bytes, bar in bytes or None."""
    everything = {file.name for file in PUBLIC.glob("*.js")}
    element = imports(ELEMENT, [STATIC, WANTED])
    return [
        ("static imports of refreshable-list.js", total(imports(ELEMENT, [STATIC])), 15_000),
        ("all script of the element", total(element), 35_000),
        ("the page around the lists, and its worker", total(everything - element), None),
    ]


if __name__ == "__main__":
    for file in sorted(PUBLIC.glob("*.js"), key=lambda file: -size(file.name)):
        print(f"{file.name:<24} {size(file.name):>6}")
    for name, bytes, bar in table():
        print(f"{name:<42} {bytes:>6}" + (f" of {bar}" if bar else ""))
    sys.exit(any(bar and bytes > bar for _, bytes, bar in table()))
