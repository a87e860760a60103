"""What Chromium's main thread did while something happened, from its own trace."""

from collections import defaultdict

CATEGORIES = ["toplevel", "devtools.timeline", "devtools.timeline.frame", "disabled-by-default-devtools.timeline"]
SCRIPT = {"EventDispatch", "FunctionCall", "EvaluateScript", "TimerFire", "FireAnimationFrame", "FireIdleCallback", "RunMicrotasks"}


class Timeline:
    """Times in ms, of the thread's own processor time: what other programs take of a busy machine is not counted,
    what a throttled processor makes of ours is."""

    def __init__(self, events):
        self.main = [event for event in events if event["ph"] == "X" and self._key(event) == self._page(events)]
        self.main.sort(key=lambda event: (event["ts"], -event["dur"]))
        self.frames = sorted(e["ts"] for e in events if e["name"] == "BeginCommitCompositorFrame" and self._key(e) == self._page(events))

    @staticmethod
    def _key(event):
        return event["pid"], event["tid"]

    def _page(self, events):
        """The thread that ran most of the script is the page's."""
        if not hasattr(self, "_thread"):
            spent = defaultdict(int)
            for event in events:
                if event["name"] == "FunctionCall":
                    spent[self._key(event)] += event.get("tdur", 0)
            self._thread = max(spent, key=spent.get)
        return self._thread

    @property
    def script_per_frame(self):
        """Of every frame in which there was any, from the one before it to its own."""
        spent, end, number = defaultdict(float), 0, 0
        for event in self.main:
            if event["name"] not in SCRIPT or event["ts"] < end:
                continue
            end = event["ts"] + event["dur"]
            while number < len(self.frames) and self.frames[number] <= event["ts"]:
                number += 1
            spent[number] += event.get("tdur", 0) / 1000
        return sorted(spent.values())

    @property
    def tasks(self):
        """Every task, script and layout and paint together, the longest last."""
        return sorted(event.get("tdur", 0) / 1000 for event in self.main if event["name"].endswith("RunTask"))


def percentile(values, share):
    """The smallest value that so large a share of all does not exceed."""
    return values[max(0, -(-len(values) * share // 100) - 1)] if values else 0.0
