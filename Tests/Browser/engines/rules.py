"""Reads the rules of Tests/Traces that fingers play; the format is in the README there."""

from dataclasses import dataclass, field
from pathlib import Path
import re

TABLE = Path(__file__).resolve().parents[2] / "Traces" / "finger.trace"

ANSWERS = ["run", "joins", "belowThreshold", "spent", "own", "repeated"]


@dataclass
class Step:
    """One line: what happens, and what is to be seen then."""

    event: str
    offset: float | None
    phase: str
    columns: list[str]

    @property
    def asks(self):
        return bool({"asks", "run", "joins"} & set(self.columns))

    @property
    def answer(self):
        return next((column for column in self.columns if column in ANSWERS), None)

    def __str__(self):
        return self.event if self.offset is None else f"{self.event} {self.offset:g}"


@dataclass
class Rule:
    title: str
    preset: str = "standard"
    steps: list[Step] = field(default_factory=list)

    @property
    def runs(self):
        """How often the list refreshes."""
        return sum(step.event == "end" for step in self.steps)


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
    rule.steps.append(Step(name, float(rest) if rest else None, phase, others))
