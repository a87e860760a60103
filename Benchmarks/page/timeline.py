"""What Chromium's main thread did while something happened, from its own trace."""

from collections import defaultdict

CATEGORIES = ["toplevel", "devtools.timeline", "devtools.timeline.frame", "disabled-by-default-devtools.timeline"]
# Of a page: its callbacks and what they call, as the Long Animation Frames API counts it. What finds the listeners is the browser's.
SCRIPT = {"FunctionCall", "EvaluateScript", "RunMicrotasks"}
CALLING = {"EventDispatch", "TimerFire", "FireAnimationFrame", "FireIdleCallback"}
DRAWING = {"UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit"}


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
        """The thread that ran most of the script is the page's, of those that heard a finger if there was one: the browser has
        pages of its own, which on a busy machine run more than one that does nothing."""
        if not hasattr(self, "_thread"):
            spent, touched = defaultdict(int), set()
            for event in events:
                if event["name"] == "FunctionCall":
                    spent[self._key(event)] += event.get("tdur", 0)
                if event["name"] == "EventDispatch" and event["args"]["data"]["type"] == "touchmove":
                    touched.add(self._key(event))
            self._thread = max(touched or spent, key=spent.get)
        return self._thread

    def per_frame(self, names):
        """What these events took, by the number of the frame that they led to, and whether a finger moved in it."""
        spent, moved, end, number = defaultdict(float), set(), 0, 0
        for event in self.main:
            while number < len(self.frames) and self.frames[number] <= event["ts"]:
                number += 1
            if event["name"] == "EventDispatch" and event["args"]["data"]["type"] == "touchmove":
                moved.add(number)
            if event["name"] not in names or event["ts"] < end:
                continue
            end = event["ts"] + event["dur"]
            spent[number] += event.get("tdur", 0) / 1000
        return [(time, number in moved) for number, time in spent.items()]

    @property
    def script_while_moving(self):
        """Of each frame in which a finger moved, with what timers and answers did in it."""
        return sorted(time for time, moved in self.per_frame(SCRIPT) if moved)

    @property
    def frames_of_work(self):
        """Of each frame: script, style, layout and paint."""
        return sorted(time for time, _ in self.per_frame(SCRIPT | CALLING | DRAWING))

    @property
    def tasks(self):
        """Every task, script and layout and paint together, the longest last."""
        return sorted(event.get("tdur", 0) / 1000 for event in self.main if event["name"].endswith("RunTask"))


def percentile(values, share):
    """The smallest value that so large a share of all does not exceed."""
    return values[max(0, -(-len(values) * share // 100) - 1)] if values else 0.0
