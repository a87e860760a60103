"""Prints what Scripts/bench measured: one table of ratios, with the bars that the design sets."""

import argparse
import re
import sys
from pathlib import Path

ROWS = (1000, 10_000, 100_000)
CHANGES = {
    "0.1": "0.1 %", "1": "1 %", "10": "10 %", "100": "100 %", "shuffled": "shuffled", "prepended": "1 % prepended",
}  # fmt: skip
# A bar is missed by a wide margin if the figure is beyond it by half: less may be the day's weather.
MARGIN = 1.5


class Table:
    """Lines of the table, and the bars that were missed."""

    def __init__(self, folder):
        self.medians = dict(self.read(path) for path in Path(folder).glob("*.percentiles.tsv"))
        self.lines, self.missed, self.failed = [], [], []

    @staticmethod
    def read(path):
        """The median of one metric of one benchmark, which is kept in thousandths."""
        name, metric = re.fullmatch(r".*?\.Lists\.(.*)\.(\w+)\.histogram\.percentiles\.tsv", path.name).groups()
        median = next(line.split("\t")[1] for line in path.read_text().splitlines() if line.startswith("50\t"))
        return (name, metric), int(median) / 1000

    def get(self, name, metric):
        return self.medians.get((name, metric))

    def say(self, what, value, bar=None, other="", words=None):
        """Adds a line: a figure, and the bar that it must not be above, in words where they say more."""
        words = words or (f"≤ {bar:g}" if bar else "")
        self.lines.append((what, number(value), other, words, self.judge(what, value, bar)))

    def judge(self, what, value, bar):
        if bar is None:
            return ""
        if value is not None and value <= bar:
            return "met"
        self.missed.append(what)
        if value is None or value > bar * MARGIN:
            self.failed.append(what)
        return "MISSED"

    def print(self):
        widths = [max(len(line[column]) for line in self.lines) for column in range(5)]
        for what, value, other, bar, verdict in self.lines:
            columns = f"{value:>{widths[1]}}  {other:>{widths[2]}}  {bar:>{widths[3]}}  {verdict}"
            print(f"{what:<{widths[0]}}  {columns}".rstrip())


def number(value):
    if value is None:
        return "missing"
    return f"{value:.0f}" if value >= 100 else f"{value:.2f}"


def growth(table, change, metric):
    large, small = (table.get(f"replace-{rows}-{change}", metric) for rows in (100_000, 10_000))
    return large / small if large and small else None


def fill(table):
    table.lines.append(("difference and patch / a Set of the keys", "ours", "CollectionDifference", "bar", ""))
    for change, words in CHANGES.items():
        for rows in ROWS:
            name = f"replace-{rows}-{change}"
            other = table.get(name, "collectiondifference")
            bar = 3 if (rows, change) == (100_000, "1") else None
            table.say(f"  {rows:>7,} rows, {words}", table.get(name, "set"), bar, number(other) if other else "–")
    for rows in ROWS:
        table.say(f"  {rows:>7,} rows, the first ones", table.get(f"first-{rows}", "set"), other="–")
    table.lines.append(("", "", "", "", ""))
    table.lines.append(("a row's time at 100,000 rows / at 10,000", "ours", "Set", "bar", ""))
    for change, words in CHANGES.items():
        # A longer list leaves the processor's caches, and so does the Set: what grows as it does is linear.
        ours, set_growth = growth(table, change, "row"), growth(table, change, "key")
        table.say(f"  {words}", ours, 2 * set_growth if set_growth else 2, number(set_growth), "≤ 2 × Set")
    table.lines.append(("", "", "", "", ""))
    large, small = table.get("memory-100000", "number"), table.get("memory-10000", "number")
    table.say("a row's memory at 100,000 rows / at 10,000", large / small if large and small else None, bar=1.25)
    table.say("a row's memory in a list / in an array of rows", table.get("memory-100000", "other"))
    table.say("bytes of a row in a list, its key and fields included", large)
    table.say("an edit in 100,000 rows / in 1,000", table.get("edit-of-100000-to-of-1000", "other"), bar=4)
    patches = table.get("patch-100-of-100000-to-100-of-1000", "other")
    table.say("patch of 100 changes in 100,000 rows / in 1,000", patches, bar=2)
    patches = table.get("patch-10000-of-100000-to-1000-of-100000", "other")
    table.say("patch of 10,000 changes / of 1,000, in 100,000 rows", patches, bar=20)
    table.say("one snapshot of 10,000 rows for all who join / a Set", table.get("snapshot-10000", "set"))
    table.say("digest of 10,000 rows / a Set", table.get("digest-10000", "set"))
    commit = "commit-100-of-100000-to-100-of-1000"
    written = table.get(commit, "number")
    table.say("rows written to keep 100 changes in 100,000 rows, and its own line", written, bar=101)
    table.say("keeping 100 changes in 100,000 rows / in 1,000", table.get(commit, "other"), bar=3)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--check", action="store_true", help="fail if a bar is missed by a wide margin")
    arguments = parser.parse_args()
    table = Table(arguments.folder)
    fill(table)
    print("Times as multiples of another work in the same run: a Set is putting every key into one. Medians.\n")
    table.print()
    print("\nBars missed:" if table.missed else "\nAll bars are met.", *map(str.strip, table.missed), sep="\n  ")
    sys.exit(1 if arguments.check and table.failed else 0)
