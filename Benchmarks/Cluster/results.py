"""The table: a line for each figure, with its bar and the verdict where it has one."""

from dataclasses import dataclass

from tables import columns


@dataclass
class Line:
    what: str
    measured: str
    value: float | None = None
    most: float | None = None
    least: float | None = None
    unit: str = ""

    @property
    def bar(self):
        if self.most is not None:
            return f"≤ {self.most:g} {self.unit}".strip()
        return "" if self.least is None else f"≥ {self.least:g} {self.unit}".strip()

    @property
    def is_missed(self):
        return self.most is not None and self.value > self.most or self.least is not None and self.value < self.least

    @property
    def verdict(self):
        return ("MISSED" if self.is_missed else "met") if self.bar else ""


class Results:
    def __init__(self):
        self.lines = []
        # Parts that could not be measured.
        self.faults = []

    def add(self, what, value, unit="", digits=2, **bar):
        """A figure; `most` or `least` is its bar, in the same unit."""
        self.lines.append(Line(what, f"{value:,.{digits}f} {unit}".strip(), value, unit=unit, **bar))

    def spread(self, what, spread, unit="", digits=2, **bar):
        """A figure that was measured several times: the median is what the bar is for."""
        self.lines.append(Line(what, f"{spread.text(digits=digits)} {unit}".strip(), spread.middle, unit=unit, **bar))

    def miss(self, part):
        """What could not be measured is a bar that was missed."""
        self.lines.append(Line(part, "not measured", 1, most=0))
        self.faults.append(part)

    def show(self):
        columns([("", "measured", "bar", ""), *((line.what, line.measured, line.bar, line.verdict) for line in self.lines)])

    @property
    def missed(self):
        return [line.what for line in self.lines if line.is_missed]
