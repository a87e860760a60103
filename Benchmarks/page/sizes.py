#!/usr/bin/env python3
"""How much script the page is, as the server delivers it: lean, in packs (Sources/RefreshableLists/Serving/LeanScript.swift
and ScriptPacks.swift, which an integration test compares with what stands here), each by gzip at its best."""

import re
import sys
import zlib
from pathlib import Path

PUBLIC = Path(__file__).resolve().parents[2] / "Public"
IMPORT = re.compile(r"^import (?:{ (.*?) } from )?'\./([\w-]+\.js)';\n", re.MULTILINE)
WANTED = re.compile(r"import\('\./([\w-]+\.js)'\)")
TOP = re.compile(r"^(?:export )?(?:async )?(?:class|function\*?|const|let) (\w+)", re.MULTILINE)
SIGNS = re.compile(r" (=|=>|===|!==|&&|\|\||\?\??) ")
STYLES = re.compile(r"(?<=sheet\(`).*?(?=`\))", re.DOTALL)
ELEMENT, FURNITURE, APART = "refreshable-list.js", "furniture.js", "languages.js"


def lean(script):
    """Without the comments that fill lines, and without indentation."""
    without = re.sub(r"^ *(?:/\*.*?\*/ *)+", "", script, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"^ *(?://.*)?\n", "", re.sub(r"^ +", "", without, flags=re.MULTILINE), flags=re.MULTILINE)


def joined_lines(script):
    """Without the line breaks behind what opens, goes on, or is at its end, and without the spaces that styles and signs
    don't need."""
    return re.sub(r"(?<=[{}(\[;,])\n", "", SIGNS.sub(r"\1", STYLES.sub(tight, script)))


def tight(styles):
    text = styles[0]
    for spaced in (" {", "{ ", "; ", ": ", ", "):
        text = text.replace(spaced, spaced.strip())
    return text


def packs(scripts):
    """The modules of each pack, each behind what it imports."""
    homes, order = {}, {ELEMENT: [], FURNITURE: []}

    def claim(name, pack):
        if name in homes or name == APART:
            return
        homes[name] = pack
        for _, other in IMPORT.findall(scripts[name]):
            claim(other, pack)
        order[pack].append(name)
        if pack == FURNITURE:
            want(name)

    def want(name):
        for other in WANTED.findall(scripts[name]):
            claim(other, FURNITURE)

    claim(ELEMENT, ELEMENT)
    for name in list(order[ELEMENT]):
        want(name)
    return homes, order


def joined(modules, scripts, homes):
    """Modules as one, with the imports that are left on top."""
    names = {}

    def take(found):
        if found[2] not in modules:
            names.setdefault(homes.get(found[2], found[2]), set()).update(filter(None, (found[1] or "").split(", ")))
        return ""

    code = "".join(IMPORT.sub(take, scripts[module]) for module in modules)
    code = WANTED.sub(lambda found: f"import('./{homes.get(found[1], found[1])}')", code)
    head = (
        f"import {'{ ' + ', '.join(sorted(names[home])) + ' } from ' if names[home] else ''}'./{home}';\n"
        for home in sorted(names)
    )
    return "".join(head) + code


def delivered():
    """Every script by name, as browsers are sent it."""
    scripts = {file.name: lean(file.read_text()) for file in PUBLIC.glob("*.js")}
    homes, order = packs(scripts)
    files = {name: script if name in homes else joined([name], scripts, homes) for name, script in scripts.items()}
    files |= {name: joined(modules, scripts, homes) for name, modules in order.items()}
    return {name: joined_lines(script).encode() for name, script in files.items()}


def size(script):
    """Bytes on the wire, without the answer's head."""
    deflate = zlib.compressobj(9, wbits=31)
    return len(deflate.compress(script) + deflate.flush())


def table():
    """Name, bytes, bar in bytes or None."""
    files = delivered()
    element, furniture, languages = (size(files[name]) for name in (ELEMENT, FURNITURE, APART))
    around = [name for name in files if name.startswith("page") or name == "sw.js"]
    return [
        ("static imports of refreshable-list.js", element, 15_000),
        ("all script of the element", element + furniture + languages, 45_000),
        ("the page around the lists, and its worker", sum(size(files[name]) for name in around), None),
    ]


if __name__ == "__main__":
    files = delivered()
    for name in sorted(files, key=lambda name: -size(files[name])):
        print(f"{name:<24} {size(files[name]):>6}")
    for name, bytes, bar in table():
        print(f"{name:<42} {bytes:>6}" + (f" of {bar}" if bar else ""))
    sys.exit(any(bar and bytes > bar for _, bytes, bar in table()))
