#!/usr/bin/env python3
"""How much script the page is, as a server sends it: the bundles that Scripts/bundle writes, each by gzip at its best. An
integration test compares it with what is sent."""

import sys
import zlib
from pathlib import Path

RESOURCES = Path(__file__).resolve().parents[2] / "Sources/CPage/Resources"
ELEMENT = "refreshable-list.js"
# What is fetched only where a list, or the page around it, asks for it. Each is held by itself.
OPTIONAL = {
    "actions/row-actions.js": 11_000,
    "rows/sections.js": 3_000,
    "scrolling/scroll-position.js": 2_500,
    "scrolling/virtualizer.js": 4_500,
    "rows/unread-rows.js": 2_000,
    "connection/local-watch.js": 2_500,
}


def delivered():
    """Every script by its path."""
    return {str(file.relative_to(RESOURCES)): file.read_bytes() for file in RESOURCES.rglob("*.js")}


def size(script):
    """Bytes on the wire, without the answer's head."""
    deflate = zlib.compressobj(9, wbits=31)
    return len(deflate.compress(script) + deflate.flush())


def table():
    """Name, bytes, bar in bytes or None."""
    sizes = {path: size(script) for path, script in delivered().items()}
    optional = [(f"only for some lists: {path}", sizes.pop(path), bar) for path, bar in OPTIONAL.items() if path in sizes]
    around = sum(sizes.pop(path) for path in list(sizes) if path.startswith("page/") or path == "sw.js")
    return [
        ("static imports of refreshable-list.js", sizes[ELEMENT], 15_000),
        ("all script that any list needs", sum(sizes.values()), 45_000),
        *optional,
        ("the page around the lists, and its worker", around, None),
    ]


if __name__ == "__main__":
    files = delivered()
    for name in sorted(files, key=lambda name: -size(files[name])):
        print(f"{name:<32} {size(files[name]):>6}")
    for name, bytes, bar in table():
        print(f"{name:<42} {bytes:>6}" + (f" of {bar}" if bar else ""))
    sys.exit(any(bar and bytes > bar for _, bytes, bar in table()))
