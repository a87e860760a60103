"""The fenced blocks of the README and the articles, each with a name that stays when lines move."""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted(ROOT.glob("Sources/*/*.docc/*.md")),
    *sorted(ROOT.glob("Documentation/*.md")),
    *sorted(ROOT.glob("Examples/*/README.md")),
]
# A heading, the bold words that a paragraph begins with, or a whole block.
PART = re.compile(
    r"^#+ (?P<heading>[^\n]*)\n"
    r"|^\*\*(?P<lead>[^*]+)\*\*"
    r"|^(?P<indent> *)(?P<fence>```+|~~~+)(?P<language>\S*)[^\n]*\n(?P<text>.*?)^ *(?P=fence)\n",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """What stands between two fences. `name` is its page and its section, such as `SwiftServer: Sections`."""

    page: Path
    line: int
    name: str
    language: str
    text: str

    @property
    def place(self):
        """Where people find it: PATH:LINE."""
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks_of(page):
    """The blocks of one page, from top to bottom."""
    text = page.read_text() + "\n"
    # The README of a folder is known by that folder; that of the project is the README.
    title = page.parent.name if page.stem == "README" and page.parent != ROOT else page.stem
    section, seen = "", Counter()
    for part in PART.finditer(text):
        if part["fence"] is None:
            section = re.sub(r"[`*]|\.$", "", part["heading"] or part["lead"])
            continue
        seen[section, part["language"]] += 1
        number = seen[section, part["language"]]
        name = f"{title}: {section}" + (f", {number}" if number > 1 else "")
        indent = len(part["indent"])
        lines = [line[min(indent, len(line) - len(line.lstrip(" "))) :] for line in part["text"].splitlines(keepends=True)]
        yield Block(page, text.count("\n", 0, part.start()) + 1, name, part["language"], "".join(lines))


def blocks():
    """All blocks of all pages."""
    return [block for page in PAGES for block in blocks_of(page)]
