"""The rules that are checked, how often each was, and what broke."""

import asyncio
from collections import Counter

RULES = {
    "shape": "every frame is one that the document describes, and no larger than a frame may be",
    "gap": "no patch leaves a gap (P2)",
    "count": "after a patch a client has as many rows as it says",
    "content": "(epoch, revision) never names two contents (P5)",
    "kept": "what was seen or acknowledged is there after kill -9, or the epoch is another (P5)",
    "history": "another history, such as an older copy of the data, is another epoch (P5)",
    "window": "a window shows what the whole list has there at that revision, and says where it lies (P1)",
    "converged": "every client that stays connected reaches the server's newest revision and rows (P1)",
    "digest": "the digest of a client's rows is the server's (P1)",
    "pushed": "what a push was acknowledged for is in the list (P5)",
    "answered": "every id is answered exactly once on a connection that lives",
    "first": "an answer comes before the frames that it causes",
    "order": "loading(run) comes before every patch of the run, and those before closing(run)",
    "parts": "the parts of a list's rows are contiguous",
    "run": "a run is one run: no other has its name in its epoch, and each state of it says the same",
    "single": "runs of a list never overlap, and one request starts each (P3)",
    "choir": "all who release at one moment are told one run, and its handler begins once (P3)",
    "begins": "a run begins its handler once, and no handler begins without a run (P3)",
    "indicator": "a handler begins and ends within the loading of its run (P4)",
    "prompt": "loading is heard within 50 ms of its handler's first instruction, closing within 100 of its last (medians)",
    "outlived": "where a node is killed amid a run, the list runs on another once the lease is over",
    "outcome": "a run's outcome is what its handler did",
    "stale": "what could not be refreshed is marked as stale, and only then (P8)",
    "again": "what is said again is answered as before (P7)",
    "alive": "the server ends only when it is killed or asked to",
    "changes": "what the library tells of each row leads from the rows of before to those of now",
    "library": "a program that uses the library goes on, and is refused nothing",
    "gestures": "a private state answers a gesture that was begun, with a progress from 0 to 1",
}


class Broken(Exception):
    """A rule was broken."""

    def __init__(self, rule, what):
        super().__init__(f"{rule}: {RULES[rule]}\n{what}")
        self.rule, self.what = rule, what


class Rules:
    """Counts what was checked, and keeps the first thing that broke."""

    def __init__(self):
        self.checked = Counter()
        self.broken = None
        self.breaking = asyncio.Event()

    def check(self, rule, holds, what, *, by=None):
        """Fails the whole run where a rule does not hold. `what` is made into a text only then."""
        self.checked[rule] += 1
        if holds:
            return
        fault = Broken(rule, what() if callable(what) else what)
        self.keep(fault, by)
        raise fault

    def keep(self, fault, by=None):
        """The first that broke is the one that is told; what follows may follow from it."""
        if self.broken is None:
            self.broken = (fault, by)
            self.breaking.set()

    def table(self):
        for rule, text in RULES.items():
            mark = "✘" if self.is_broken(rule) else "✔" if self.checked[rule] else "–"
            yield f"{mark} {rule:<10} {self.checked[rule]:>9}  {text}"

    def is_broken(self, rule):
        return self.broken is not None and isinstance(self.broken[0], Broken) and self.broken[0].rule == rule

    @property
    def counts(self):
        """(passed, failed): rules that were checked and held, and those that did not."""
        failed = 1 if self.broken else 0
        passed = sum(1 for rule in RULES if self.checked[rule] and not self.is_broken(rule))
        return passed, failed
