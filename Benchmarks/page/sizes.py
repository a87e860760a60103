#!/usr/bin/env python3
"""How much script the page is, compressed as the server compresses it: each module by gzip, at its best."""

import re
import sys
import zlib
from pathlib import Path

PUBLIC = Path(__file__).resolve().parents[2] / "Public"
IMPORT = re.compile(r"^(?:import|export) .*?'\./([\w-]+\.js)';$", re.MULTILINE)


def size(name):
    """Bytes of one module on the wire, without its head."""
    deflate = zlib.compressobj(9, wbits=31)
    return len(deflate.compress((PUBLIC / name).read_bytes()) + deflate.flush())


def static_imports(name, seen=None):
    """A module and what it imports before anything runs."""
    seen = seen if seen is not None else {}
    if name not in seen:
        seen[name] = size(name)
        for other in IMPORT.findall((PUBLIC / name).read_text()):
            static_imports(other, seen)
    return seen


def table():
    """Name, bytes, bar in bytes."""
    return [
        ("static imports of refreshable-list.js", sum(static_imports("refreshable-list.js").values()), 15_000),
        ("all script", sum(size(file.name) for file in PUBLIC.glob("*.js")), 35_000),
    ]


if __name__ == "__main__":
    for file in sorted(PUBLIC.glob("*.js"), key=lambda file: -size(file.name)):
        print(f"{file.name:<24} {size(file.name):>6}")
    for name, bytes, bar in table():
        print(f"{name:<38} {bytes:>6} of {bar}")
    sys.exit(any(bytes > bar for _, bytes, bar in table()))
