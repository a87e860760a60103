#!/usr/bin/env python3
"""Draws what Scripts/bench sockets measured: four panels of bars, for light and dark.

    python Benchmarks/Sockets/picture.py figures.json picture.svg
"""

import json
import sys
from html import escape
from pathlib import Path

WIDTH, PANEL, GAP, TOP, LINE = 980, 460, 20, 68, 30
# Within a panel: where names end, and how long the longest bar may be.
NAMES, LONGEST = 150, 180
OURS, FLOOR = "refreshable", "floor"
STYLE = """
    .paper { fill: #ffffff }
    .panel { fill: #f4f6f8; stroke: #d5dbe1 }
    .heading { font: 600 17px system-ui, sans-serif; fill: #17202a }
    .title { font: 600 14px system-ui, sans-serif; fill: #17202a }
    .note { font: 12px system-ui, sans-serif; fill: #4a5763 }
    .name { font: 13px system-ui, sans-serif; fill: #17202a; text-anchor: end }
    .value { font: 12.5px system-ui, sans-serif; fill: #17202a; font-variant-numeric: tabular-nums }
    .bar { fill: #9aa7b4 }
    .bar.floor { fill: #d0d7de }
    .bar.ours { fill: #1a7f5a }
    .ours { font-weight: 600 }
    .range { stroke: #17202a; stroke-width: 1.25 }
    .limit { stroke: #8a6d1d; stroke-width: 1.5; stroke-dasharray: 4 3 }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #0f1419 }
      .panel { fill: #161c23; stroke: #2b343d }
      .heading, .title, .name, .value { fill: #e6ebf0 }
      .note { fill: #a9b4bf }
      .bar { fill: #66727f }
      .bar.floor { fill: #3a444e }
      .bar.ours { fill: #43b581 }
      .range { stroke: #e6ebf0 }
      .limit { stroke: #e8c15a }
    }"""


class Row:
    """A bar: whose, how long, in words, and from where to where its repetitions went."""

    def __init__(self, key, value, words, least=None, most=None):
        self.key, self.value, self.words, self.least, self.most = key, value, words, least, most


class Panel:
    def __init__(self, title, note, rows, limit=None):
        self.title, self.note, self.rows, self.limit = title, note, rows, limit

    @property
    def height(self):
        return TOP + LINE * len(self.rows) + 12

    def draw(self, names, x, y, height):
        unit = LONGEST / max(row.most or row.value for row in self.rows)
        yield f'<rect class="panel" x="{x}" y="{y}" width="{PANEL}" height="{height}" rx="10"/>'
        yield text("title", x + 18, y + 28, self.title)
        yield text("note", x + 18, y + 47, self.note + (f"; bar, dashed: {self.limit:g}" if self.limit else ""))
        for number, row in enumerate(self.rows):
            yield from self._bar(row, names.get(row.key, row.key), x + NAMES, y + TOP + LINE * number, unit)

    def _bar(self, row, name, x, y, unit):
        kind = "ours" if row.key == OURS else "floor" if row.key == FLOOR else ""
        end, middle = x + row.value * unit, y + 9
        yield text(f"name {kind}", x - 9, y + 14, name)
        yield f'<rect class="bar {kind}" x="{x}" y="{y}" width="{max(1.5, row.value * unit):.1f}" height="18" rx="3"/>'
        if row.least is not None and (row.most - row.least) * unit > 2:
            yield f'<path class="range" d="M{x + row.least * unit:.1f} {middle}H{x + row.most * unit:.1f}"/>'
        if row.key == OURS and self.limit:
            yield f'<path class="limit" d="M{x + self.limit * unit:.1f} {y - 5}V{y + 23}"/>'
            end = max(end, x + self.limit * unit)
        yield text(f"value {kind}", max(end, x + (row.most or 0) * unit) + 8, y + 14, row.words)


def text(kind, x, y, words):
    return f'<text class="{kind.strip()}" x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>'


def panels(figures):
    size = max(figures["fanout"], key=int)
    frames, watchers = figures["frames"], f"{int(size):,} watchers"
    found = [
        Panel("Processor time of one message to all",
              f"{frames['plain']['payload']} bytes, {watchers}; × a bare send()", fanout(figures, size, "plain"), 1.15),
        Panel("The same, compressed",
              f"{frames['deflate']['payload']} bytes; × a bare send() of our frame", fanout(figures, size, "deflate"), 1.3),
        Panel("Memory of an idle watcher", f"KiB of the server's process, {watchers}", memory(figures, size), 3),
    ]  # fmt: skip
    if amid := figures["pullsAmidBroadcast"].get(size):
        found.append(Panel("A pull and its answer, amid a broadcast", f"99 of 100 are sooner; ms, {watchers}", pulls(amid)))
    return found


def fanout(figures, size, kind):
    rows = []
    for key, row in figures["fanout"][size].items():
        name, its = key.split(" ")
        if its == kind:
            ratio, micro = row["ratio"], row["cpu"]["median"] * 1e6
            rows.append(Row(name, ratio["median"], f"{ratio['median']:.2f} × · {micro:.1f} µs", ratio["least"], ratio["most"]))
    return rows


def memory(figures, size):
    return [
        Row(key, row["rss"] / 1024, f"{row['rss'] / 1024:.1f}")
        for key, row in figures["memory"][size].items() if "-" not in key and key != FLOOR
    ]  # fmt: skip


def pulls(amid):
    return [
        Row(key, row["p99"]["median"] * 1000, f"{row['p99']['median'] * 1000:.0f} (half: {row['p50']['median'] * 1000:.1f})")
        for key, row in amid.items() if "-" not in key
    ]  # fmt: skip


def draw(figures):
    shown, lines, y = panels(figures), [], 64
    for start in range(0, len(shown), 2):
        pair = shown[start : start + 2]
        height = max(panel.height for panel in pair)
        for number, panel in enumerate(pair):
            lines += panel.draw(figures["names"], 20 + number * (PANEL + GAP), y, height)
        y += height + GAP
    heading = "One server, one core, thousands of watchers: side by side in one run"
    told = "; ".join(f"{panel.title}: " + ", ".join(f"{figures['names'].get(row.key)} {row.words}" for row in panel.rows) for panel in shown)
    note = "Medians of repetitions in turn; a line is from the least to the most. Shorter is better. Scripts/bench sockets draws this anew."
    lines += [text("heading", 20, 40, heading), text("note", 20, y + 6, note)]
    body = "\n  ".join(lines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y + 24}" width="{WIDTH}" height="{y + 24}" role="img" '
        f'aria-labelledby="title description">\n  <title id="title">{heading}</title>\n'
        f'  <desc id="description">{escape(told)}</desc>\n  <style>{STYLE}\n  </style>\n'
        f'  <rect class="paper" width="{WIDTH}" height="{y + 24}"/>\n  {body}\n</svg>\n'
    )


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(draw(json.loads(Path(sys.argv[1]).read_text())))
