"""All that was measured, as plain figures: the tables, the bars, the picture and the file are made from them."""

import os
import platform
import re
from pathlib import Path

import bars
import tables
from median import Spread


class Report:
    """Figures by size and contender. Times in seconds, memory in bytes."""

    def __init__(self, given):
        self.given = given
        self.missing, self.frames, self.seconds = {}, {}, 0
        self.fanout, self.memory, self.idle, self.amid, self.storm = {}, {}, {}, {}, {}
        self.returns, self.work = {}, {}
        self.names = {}

    @property
    def bars(self):
        return bars.judge(self)

    @property
    def failed(self):
        return [bar for bar in self.bars if bar.is_far_beyond]

    def miss(self, name, reason):
        self.missing[name] = reason

    def framed(self, sent):
        self.frames = {kind: {"payload": len(frame.payload), "wire": len(frame.wire)} for kind, frame in sent.items()}

    def watched(self, size, contenders):
        self.names |= {contender.server.key: contender.server.name for contender in contenders}
        self.memory[size] = {contender.key: contender.memory | {"opened": contender.opened} for contender in contenders}

    def sent(self, size, cells):
        floors = {cell.kind: [run["cpu"] for run in cell.runs] for cell in cells if cell.contender.server.key == "floor"}
        self.fanout[size] = {}
        for cell in cells:
            if cell.fault:
                self.missing[f"{cell.contender.server.name}, {cell.kind}, {size:,} watchers"] = cell.fault
            if cell.runs:
                self.fanout[size][cell.contender.server.key, cell.kind] = figures(cell.runs, floors[cell.kind])

    def asked_idle(self, size, runs):
        base = runs.get("echo") or runs["floor"]
        self.idle[size] = {
            key: {
                "p50": Spread(run["p50"] / 1e6 for run in series), "p99": Spread(run["p99"] / 1e6 for run in series),
                "cpu": Spread(run["cpu"] for run in series),
                "ratio": Spread.ratios([run["p50"] for run in series], [run["p50"] for run in base]),
                "cpuRatio": Spread.ratios([run["cpu"] for run in series], [run["cpu"] for run in base]),
            }
            for key, series in runs.items()
        }  # fmt: skip

    def asked_amid(self, size, runs):
        self.amid[size] = {
            key: {"p50": Spread(run["p50"] / 1e6 for run in series), "p99": Spread(run["p99"] / 1e6 for run in series),
                  "pulls": sum(run["pulls"] for run in series)}
            for key, series in runs.items()
        }  # fmt: skip

    def came_back(self, contender, figures):
        self.returns[contender.key] = figures

    def joined(self, is_compressed, measured):
        self.storm["deflate" if is_compressed else "plain"] = {
            "alone": measured["alone"]["cpu"],
            "each": measured["storms"][0]["each"],
            "compressions": max(run["compressions"] for run in measured["storms"]),
            "compressed": measured["storms"][0]["compressed"],
            "same": all(run["same"] for run in measured["storms"]),
            "cpu": Spread(run["cpu"] for run in measured["storms"]),
            "floor": Spread(run["cpu"] for run in measured["floors"]),
            "seconds": Spread(run["seconds"] for run in measured["storms"]),
            "ratio": Spread.ratios([run["cpu"] for run in measured["storms"]], [run["cpu"] for run in measured["floors"]]),
        }

    def looked_at(self, work):
        self.work = work

    def finish(self, seconds):
        self.seconds = seconds
        tables.show(self)

    def json(self):
        return {
            "machine": {"processor": processor(), "cores": os.cpu_count(), "system": f"{platform.system()} {platform.release()}"},
            "seconds": round(self.seconds), "frames": self.frames, "names": self.names, "missing": self.missing,
            "fanout": {size: {f"{key} {kind}": plain(row) for (key, kind), row in rows.items()} for size, rows in self.fanout.items()},
            "memory": self.memory, "idlePulls": plain(self.idle), "pullsAmidBroadcast": plain(self.amid), "joinStorm": plain(self.storm),
            "return": self.returns, "work": self.work,
            "bars": [bar.json() for bar in self.bars],
        }  # fmt: skip


def figures(runs, floors):
    cpu = [run["cpu"] for run in runs]
    return {
        "cpu": Spread(cpu), "ratio": Spread.ratios(cpu, floors),
        "kernel": share(sum(run["kernel"] for run in runs), sum(run["total"] for run in runs)),
        "rate": Spread(run["messages"] / run["seconds"] for run in runs),
        "bytes": sum(run["bytes"] for run in runs) / sum(run["messages"] for run in runs),
        "slack": min(run["idle"] for run in runs),
    }  # fmt: skip


def share(part, whole):
    """Told only of what took long enough for the clock's ticks of 10 ms to sample it."""
    return min(1, part / whole) if whole > 0.2 else None


def plain(value):
    """As JSON has it."""
    if isinstance(value, Spread):
        return value.json()
    return {key: plain(each) for key, each in value.items()} if isinstance(value, dict) else value


def processor():
    found = re.search(r"^model name\s*: (.*)", Path("/proc/cpuinfo").read_text(), re.M)
    return found[1] if found else platform.processor()
