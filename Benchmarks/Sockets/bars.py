"""The bars that the design sets, and which of them are met."""

from dataclasses import dataclass

OURS = "refreshable"
# A bar is missed by a wide margin if the figure is beyond it by half: less may be the day's weather.
MARGIN = 1.5


@dataclass
class Bar:
    """A figure that must not be above another. None: it was not measured."""

    what: str
    value: float | None
    most: float
    unit: str = "×"
    words: str = ""

    @property
    def is_met(self):
        return self.value is not None and self.value <= self.most

    @property
    def is_far_beyond(self):
        return self.value is not None and self.value > self.most * MARGIN

    @property
    def verdict(self):
        return "not measured" if self.value is None else "met" if self.is_met else "MISSED"

    def json(self):
        return {"what": self.what, "value": self.value, "bar": self.most, "unit": self.unit, "verdict": self.verdict}


def judge(report):
    found = []
    for size, most in ((1000, 1.20), (10_000, 1.15)):
        found.append(Bar(f"CPU a message, {size:,} watchers / bare send()", ratio(report, size, OURS, "plain"), most))
    for size in (1000, 10_000):
        found.append(Bar(f"the same, compressed, {size:,} watchers", ratio(report, size, OURS, "deflate"), 1.3))
    for kind, words in (("plain", ""), ("deflate", ", compressed")):
        found += [ahead(report, size, kind, words) for size in report.given.sizes]
    most = max(report.memory, default=None)
    memory = report.memory[most][OURS]["rss"] / 1024 if most else None
    found.append(Bar("memory of an idle watcher, own process", memory, 3, "KiB"))
    idle = report.idle.get(max(report.idle, default=0), {})
    found.append(Bar("pull → state, most watchers idle / bare answer", middle(idle.get(OURS), "ratio"), 1.2))
    found.append(Bar("compressions of a frame that 1,000 watchers join with at once", compressions(report.storm), 1, ""))
    return [bar for bar in found if bar.value is not None or is_asked(report, bar)]


def is_asked(report, bar):
    """Nobody misses what was not to be measured."""
    works = report.given.only
    if "join" in bar.what:
        return "storm" in works
    return ("pulls" if "pull" in bar.what else "fanout") in works


def ratio(report, size, key, kind):
    return middle(report.fanout.get(size, {}).get((key, kind)), "ratio")


def middle(row, name):
    return row[name].middle if row else None


def ahead(report, size, kind, words):
    """Ours as a part of the best peer's."""
    rows = report.fanout.get(size, {})
    peers = {key: row["cpu"].middle for (key, its), row in rows.items() if its == kind and key not in (OURS, "floor")}
    ours = middle(rows.get((OURS, kind)), "cpu")
    best = min(peers, key=peers.get, default=None)
    value = ours / peers[best] if best and ours else None
    name = report.names.get(best, "the best peer")
    return Bar(f"CPU a message{words}, {size:,} watchers / {name}", value, 1)


def compressions(storms):
    """How often each frame of the list was compressed, as zlib was called; more than one encoding would be more of them.

    Told only if all watchers were sent the same bytes."""
    if not all(storm["same"] for storm in storms.values()) or "deflate" not in storms:
        return None
    return storms["deflate"]["compressions"] / max(1, storms["deflate"]["compressed"])
