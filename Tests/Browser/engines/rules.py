"""Reads the rules of Tests/Traces that fingers play; the format is in the README there."""

from dataclasses import dataclass, field
from pathlib import Path
import re

TABLE = Path(__file__).resolve().parents[2] / "Traces" / "finger.trace"

# Threshold, minimum and hysteresis of the presets, as pull.js has them.
DISTANCES = {"standard": (64, 10, 8), "recipe": (50, 10, 8), "progress": (100, 10, 8)}

ANSWERS = ["run", "joins", "belowThreshold", "spent", "own", "repeated"]


@dataclass
class Step:
    """One line: what happens, and what is to be seen then."""

    event: str
    rest: str
    phase: str
    columns: list[str]

    @property
    def offset(self):
        return float(self.rest)

    @property
    def asks(self):
        return bool({"asks", "run", "joins"} & set(self.columns))

    @property
    def answer(self):
        return next((column for column in self.columns if column in ANSWERS), None)

    def __str__(self):
        return f"{self.event} {self.rest}".rstrip()


@dataclass
class Rule:
    title: str
    preset: str = "standard"
    steps: list[Step] = field(default_factory=list)

    def progress(self, offset):
        threshold, minimum, _ = DISTANCES[self.preset]
        return min(1, max(0, (offset - minimum) / (threshold - minimum)))

    def fed(self, offset, progress):
        """The offset that a sample stands for: where progress has stayed behind it the touch is young, and might be a flick
        that may not prime.
        """
        threshold, _, hysteresis = DISTANCES[self.preset]
        return min(offset, threshold - hysteresis) if progress < self.progress(offset) - 1e-9 else offset

    @property
    def runs(self):
        """How often the list refreshes."""
        return sum(step.answer == "run" or "asks" in step.columns for step in self.steps)


def read(table=TABLE):
    """The rules by their titles."""
    rules = {}
    for line in table.read_text().splitlines():
        line = line.split("#")[0].rstrip()
        if not line:
            continue
        if not line[0].isspace():
            rule = rules.setdefault(line, Rule(line))
        else:
            add(rule, *re.split(r" {2,}", line.strip()))
    return rules


def add(rule, event, *columns):
    name, _, rest = event.partition(" ")
    if name == "preset":
        rule.preset = rest
        return
    phase, *others = columns or [""]
    rule.steps.append(Step(name, rest, phase, others))
