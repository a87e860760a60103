"""The median of some values, with the least and the most."""

from statistics import median


class Spread:
    def __init__(self, values):
        self.values = [value for value in values if value is not None]

    @property
    def middle(self):
        return median(self.values) if self.values else None

    def __bool__(self):
        return bool(self.values)

    def text(self, unit=1, digits=2):
        if not self.values:
            return "–"
        low, high = min(self.values) / unit, max(self.values) / unit
        return f"{self.middle / unit:.{digits}f} ({low:.{digits}f}–{high:.{digits}f})"

    def json(self):
        return {"median": self.middle, "least": min(self.values), "most": max(self.values)} if self.values else None

    @classmethod
    def ratios(cls, ours, others):
        """Of two series, repetition by repetition."""
        return cls([one / other for one, other in zip(ours, others, strict=False) if other])
