"""The bars that the design sets, and which of them are met."""

from dataclasses import dataclass

OURS = "refreshable"
# A bar is missed by a wide margin if the figure is beyond it by half: less may be the day's weather.
MARGIN = 1.5
# By watchers: what a message may cost, as a multiple of a bare send().
PLAIN = {1000: 1.20, 10_000: 1.15}


@dataclass
class Bar:
    """A figure that must not be above another. None: it was not measured."""

    what: str
    value: float | None
    most: float
    unit: str = "×"
    # Counted, not measured: the same at any load.
    is_counted: bool = False

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
    """The bars of what was to be measured: nobody misses the others."""
    sizes, works, found = report.given.sizes, report.given.only, []
    if "fanout" in works:
        for size, most in ((size, most) for size, most in PLAIN.items() if size in sizes):
            found.append(Bar(f"CPU a message, {size:,} watchers / bare send()", ratio(report, size, OURS, "plain"), most))
            found.append(Bar(f"the same, compressed, {size:,} watchers", ratio(report, size, OURS, "deflate"), 1.3))
    if "fanout" in works and report.given.peers:
        found += [ahead(report, size, kind) for kind in ("plain", "deflate") for size in sizes]
    if max(report.memory, default=0) >= 1000:
        plain, deflate = (report.memory[max(report.memory)][key]["rss"] / 1024 for key in (OURS, f"{OURS}-deflate"))
        found.append(Bar("memory of an idle watcher, own process", plain, 3, "KiB"))
        found.append(Bar("memory of one who agreed to compression: more by", max(0, deflate - plain), 0.25, "KiB"))
    if (idle := report.idle.get(max(sizes))) and not report.given.smoke:
        found.append(Bar(f"pull → state, {max(sizes):,} idle watchers / a bare {'echo' if 'echo' in idle else 'answer'}", middle(idle.get(OURS), "ratio"), 1.2))
    if report.work:
        found += done_for_each(report.work)
    if "storm" in works:
        found.append(Bar("compressions of a frame that 1,000 watchers join with at once", compressions(report.storm), 1, ""))
    return found


def done_for_each(work):
    """What is done for each is done at least once: less is what slices and helpings do, which serve many."""
    for kind, row in work.items():
        words = "a compressed message" if kind == "deflate" else "a message"
        yield Bar(f"memory asked for by {words}, each watcher", row["allocations"], 0.5, "times", True)
        if row["seesHashes"]:
            yield Bar(f"keys looked up by {words}, each watcher", row["hashes"], 0.5, "times", True)
    # One loop has one to compress and one to inflate.
    yield Bar(f"streams of zlib, {work['deflate']['watchers']:,} compressed watchers", work["deflate"]["streams"], 2, "", True)


def ratio(report, size, key, kind):
    return middle(report.fanout.get(size, {}).get((key, kind)), "ratio")


def middle(row, name):
    return row[name].middle if row else None


def ahead(report, size, kind):
    """Ours as a part of the best peer's."""
    rows = report.fanout.get(size, {})
    peers = {key: row["cpu"].middle for (key, its), row in rows.items() if its == kind and key not in (OURS, "floor")}
    ours = middle(rows.get((OURS, kind)), "cpu")
    best = min(peers, key=peers.get, default=None)
    value = ours / peers[best] if best and ours else None
    name = report.names.get(best, "the best peer")
    words = ", compressed" if kind == "deflate" else ""
    return Bar(f"CPU a message{words}, {size:,} watchers / {name}", value, 1)


def compressions(storms):
    """How often each frame of the list was compressed, as zlib was called; more than one encoding would be more of them.

    Told only if all watchers were sent the same bytes."""
    if not all(storm["same"] for storm in storms.values()) or "deflate" not in storms:
        return None
    return storms["deflate"]["compressions"] / max(1, storms["deflate"]["compressed"])
