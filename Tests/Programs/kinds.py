"""What each fenced block is. A block that fits no rule, or two, is a fault."""

import re

SWIFT_PROGRAM = r"\A(?:import \w+\n)+\n"
DECLARATION = r"(?:nonisolated )?(?:func|struct|extension|actor|enum|final class) .*?^\}\n"

# (kind, language, what its text looks like)
RULES = [
    ("settings", "yaml", r"\A(?:server|lists):$"),
    ("source", "yaml", r"\A(?:command|web|sqlite|postgres|feed|format|sort|section|pull|noun|actions):|\A- name: (?=.*^ +(?:push|command):)"),
    ("trigger", "sql", r"\ACREATE FUNCTION .*^CREATE TRIGGER "),
    ("tokens", "yaml", r"\A# yaml-language-server: \$schema=\./tokens\.schema\.json$"),
    ("monitoring", "yaml", r"\Ascrape_configs:$"),
    ("shell", "sh", r"\A."),
    ("transcript", "console", r"\A\$ "),
    ("page", "html", r"\A<"),
    ("page", "js", r"\Aconst .*\blist\b"),
    ("client", "js", r"^export function follow\("),
    ("messages", "json", r'\A[→←] |\A"actions":'),
    ("message", "json", r'\A\{"(?:type":"welcome|list)"'),
    ("output", "json", r'\A\{"change":'),
    ("unit", "ini", r"\A\[Service\]$"),
    ("script", "", r"\A# .*\n\w?[<>]"),
    ("typed", "", r'\A\{"type":'),
    ("report", "", r"\Alists\.yaml:\d+:\d+: "),
    ("log", "", r"\A\d{4}-\d\d-\d\dT[\d:.]+Z (?:error|notice) "),
    ("drawing", "", r"[├┼┤▶]"),
    ("dependency", "", r"\A\.package\("),
    ("trace", "", r"\A[A-Z][^\n]*\.\n    \w+ "),
]


def swift_kind(text):
    """A program has imports and statements; a test is for `swift test`; most others are fragments."""
    if "import PackageDescription\n" in text:
        return "manifest"
    if "import SwiftUI\n" in text:
        return "apple"
    if "@Test " in text:
        return "test"
    statements = re.sub(DECLARATION, "", text, flags=re.MULTILINE | re.DOTALL)
    if re.match(SWIFT_PROGRAM, text) and re.search(r"^(?!import )\S", statements, re.MULTILINE):
        return "program"
    return "fragment"


def kind_of(block):
    """The kind of a block; None if no rule says it."""
    if block.language == "swift":
        return swift_kind(block.text)
    rules = [(kind, text) for kind, language, text in RULES if language == block.language]
    kinds = [kind for kind, text in rules if re.search(text, block.text, re.MULTILINE | re.DOTALL)]
    return kinds[0] if len(kinds) == 1 else None


def faults_of(block):
    """Why a block is not what it looks like."""
    kind = kind_of(block)
    if kind is None:
        yield f"{block.place}: nobody knows what kind of block this is:\n{block.text}"
    # Whoever copies what runs a server copies all of it.
    if kind == "fragment" and re.search(r"^try await \w+\.run\b", block.text, re.MULTILINE):
        yield f"{block.place}: this runs a server, but is no whole program: begin with its imports"
