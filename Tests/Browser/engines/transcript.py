"""Turns the notes of a page into a rule of Tests/Traces, which the reducer replays: what the page predicted and showed, what
the server told and answered, each at the event it belongs to.
"""

import subprocess
from pathlib import Path

from .rules import DISTANCES

REPLAY = Path(__file__).resolve().parents[2] / "Traces" / "replay.mjs"
ORDER = {"loading": 0, "closing": 1, "waiting": 2}
FACTS = ["end", "settle"]


class Transcript:
    """The lines are read off the notes one after the other, since what is told belongs to what was sent before it."""

    def __init__(self, notes, rule):
        self.rule = rule
        self.lines = []
        self.stage = "waiting"
        self.known = (None, None)
        self.fired = set()
        self.unsent = []
        self.claimed = 0
        self.awaited = None
        self.releases = {}
        for note in notes:
            getattr(self, note["kind"], lambda _: None)(note)

    @property
    def text(self):
        lines = [f"    {'  '.join([line['event'], line['phase'], *line['columns']])}" for line in self.lines]
        return "\n".join([self.rule.title, f"    preset {self.rule.preset}", *lines, ""])

    def pull(self, note):
        """A sample, as the page took it in before it sent it."""
        offset, gesture = note["offset"], note["gesture"]
        if self.stage not in ("loading", "asked"):
            offset = self.rule.fed(offset, note["progress"])
        line = self._add(f"pull {offset} gesture {gesture}", self.stage, gesture=gesture, offset=offset, told=None)
        self.unsent = [sent for sent in self.unsent if not self._claim(line, sent)]
        if self._fires(gesture, offset):
            self.fired.add(gesture)
            line["columns"].append("asks")
            self.stage = "asked"
        elif self.stage not in ("loading", "asked"):
            self.stage = note["phase"]
        line["phase"] = "loading" if self.stage == "asked" else self.stage
        line["columns"].insert(0, f"progress {note['progress']}")

    def sent(self, note):
        frame = note["frame"]
        if frame["type"] == "watch":
            self.awaited = frame["id"]
        elif frame["type"] == "pull":
            # A sample goes out once its frame is drawn, when others may have followed.
            if not any(self._claim(line, frame) for line in self.lines[self.claimed:]):
                self.unsent.append(frame)
        elif frame["type"] == "cancel":
            self._rest()
            self._add(f"cancel gesture {frame['gesture']}", self._phase(), gesture=frame["gesture"], told=None)
        elif frame["type"] == "release" and frame["id"] not in self.releases:
            event = f"release {frame['offset']} gesture {frame['gesture']} peak {frame['peak']}"
            line = self._add(event, "", gesture=frame["gesture"], told=None)
            self.releases[frame["id"]] = line
            self._let_go(line, frame)

    def heard(self, note):
        frame = note["frame"]
        if frame["type"] in ("ok", "error"):
            if frame.get("id") == self.awaited:
                self.awaited = None
            if frame.get("id") in self.releases:
                self._answered(self.releases[frame["id"]], frame)
        elif frame["type"] == "state" and self.awaited is None:
            if "gesture" in frame:
                self._told(frame)
            else:
                self._list(frame)

    def lost(self, _):
        self.awaited = None

    def _add(self, event, phase, **more):
        self.lines.append({"event": event, "phase": phase, "columns": [], **more})
        return self.lines[-1]

    def _claim(self, line, frame):
        """Whether a sample that was sent is the one of this line."""
        if (line.get("offset"), line.get("gesture")) != (frame["offset"], frame["gesture"]):
            return False
        line["isSent"] = True
        self.claimed = self.lines.index(line) + 1
        return True

    def _fires(self, gesture, offset):
        """In the triggers `return` and `crossing` a sample asks by itself, once."""
        if gesture in self.fired or self.stage in ("loading", "asked"):
            return False
        threshold, _, _ = DISTANCES[self.rule.preset]
        if self.rule.preset == "progress":
            return offset >= threshold
        return self.rule.preset == "recipe" and self.stage == "primed" and offset < threshold

    def _let_go(self, line, frame):
        """What the page made of it; the server's answer comes later."""
        threshold, _, hysteresis = DISTANCES[self.rule.preset]
        runs = self.rule.preset == "standard" and frame["peak"] >= threshold and frame["offset"] > threshold - hysteresis
        if frame["gesture"] in self.fired:
            line["phase"] = self._phase()
        elif runs:
            self.stage = "asked" if self.stage != "loading" else "loading"
            line["phase"] = "loading"
        else:
            self._rest()
            line["phase"] = self._phase()

    def _answered(self, line, frame):
        """The answer of the server is the one the table must name."""
        if frame["type"] == "error":
            line["columns"].append(frame["code"])
        elif not frame.get("run"):
            line["columns"].append(frame.get("reason", "nothing"))
        elif line["gesture"] in self.fired:
            line["columns"].append("own")
        else:
            line["columns"].append("joins" if frame.get("joined") else "run")

    def _told(self, frame):
        """A private state belongs to the oldest sample that it answers, or ends what was told before."""
        told = f"tells {frame['phase']} {frame['progress']}"
        samples = [line for line in self.lines if line.get("isSent") and line["gesture"] == frame["gesture"] and line["told"] is None]
        for line in samples:
            if line["phase"] == frame["phase"] and f"progress {frame['progress']}" in line["columns"]:
                # Those before it were left out for a newer one.
                for older in samples[:samples.index(line)]:
                    older["told"] = ""
                line["told"] = told
                line["columns"].append(told)
                return
        if (frame["phase"], frame["progress"]) != ("waiting", 0):
            newest = samples[-1] if samples else self.lines[-1]
            newest["columns"].append(told)

    def _list(self, frame):
        run = frame.get("run") or frame.get("last", {}).get("run")
        facts = self._hear(frame["phase"], run)
        ignored = False
        for fact in facts:
            fits = {"begin": self.stage != "loading", "end": self.stage in ("loading", "asked"), "settle": self.stage == "closing"}[fact]
            ignored = ignored or not fits
            if fits:
                self.stage = {"begin": "loading", "end": "closing", "settle": "waiting"}[fact]
        line = self._add(f"list {frame['phase']} {run or ''}".strip(), self._phase())
        if ignored:
            line["columns"].append("ignored")

    def _hear(self, phase, run):
        """KnownRun: the events that a state stands for."""
        before, heard = self.known
        known = before or "waiting"
        is_history = phase == "waiting" and (before is None or run is None)
        is_new = not is_history and (run != heard or ORDER[phase] < ORDER[known])
        self.known = (phase, run)
        if not is_new:
            return FACTS[ORDER[known]:ORDER[phase]]
        return (["end"] if known == "loading" else []) + ["begin"] + FACTS[:ORDER[phase]]

    def _rest(self):
        if self.stage == "primed":
            self.stage = "waiting"

    def _phase(self):
        return "loading" if self.stage == "asked" else self.stage


def replay(text):
    """What the reducer has to say against a rule; '' if nothing."""
    told = subprocess.run(["node", REPLAY, "-"], input=text, capture_output=True, text=True, timeout=60)
    return "" if told.returncode == 0 else told.stdout + told.stderr
