"""What clients, nodes and handlers saw of a cluster: a list of events, which cluster_checks.py judges.

Times are seconds of the harness's own clock (time.monotonic); those that a node or a handler told are milliseconds since 1970.
`who` is a client or "GET node 2". Nothing here decides anything.
"""

import re
import time
from dataclasses import dataclass, field

from list_content import canonical
from shared_history import number_of

# A handler marks each of its rows with the execution that wrote it: "Apfel 7 #node2.3-4711".
TAG = re.compile(r"#([\w.]+-\d+)\"")


@dataclass
class Event:
    at: float
    who: str
    list: str


@dataclass
class Seen(Event):
    """Somebody was shown this content: (key, canonical fields) in order."""

    epoch: str
    revision: int
    rows: tuple


@dataclass
class SeenWindow(Event):
    """Somebody was shown a part of a list, which lies at (first, total)."""

    epoch: str
    revision: int
    place: tuple
    rows: tuple
    query: str | None = None


@dataclass
class Patched(Event):
    """Somebody was sent a patch of a run; `executions` are the marks of its rows."""

    epoch: str
    revision: int
    run: int
    executions: frozenset


@dataclass
class Loading(Event):
    epoch: str
    run: int
    started: int
    cause: str


@dataclass
class Over(Event):
    epoch: str
    run: int
    outcome: str
    duration: int


@dataclass
class Started(Event):
    """A request was answered that it started a run, which nobody had before it."""

    epoch: str
    run: int
    request: tuple


@dataclass
class Repeated(Event):
    """The same message was sent again, mostly to another node. `since` is when the first was sent."""

    since: float
    message: str
    first: object
    second: object


@dataclass
class Attempt:
    """A push as it was sent to one node. Without a status it was not answered."""

    node: str
    asked: float
    answered: float | None = None
    status: int | None = None
    epoch: str | None = None
    revision: int | None = None

    @property
    def is_done(self):
        return self.status in (200, 201)

    @property
    def is_refused(self):
        """Certainly not done by this attempt."""
        return self.status is not None and 400 <= self.status < 500


@dataclass
class Pushed(Event):
    """One change of a list under one Idempotency-Key. `effect` has canonical fields by key; None removes."""

    effect: dict
    condition: tuple | None = None
    """(epoch, revision) of If-Match."""
    attempts: list = field(default_factory=list)

    def acknowledged(self, epoch):
        """The revision of that epoch in which it is, as its first answer says; None if no answer does."""
        return next((one.revision for one in self.attempts if one.is_done and one.epoch == epoch), None)

    @property
    def is_done(self):
        return any(one.is_done for one in self.attempts)

    @property
    def is_in_doubt(self):
        return any(not one.is_done and not one.is_refused for one in self.attempts)

    @property
    def finished(self):
        """After this time it is done no more: one that was acknowledged is not done again by an attempt that comes late."""
        if self.is_in_doubt and not self.is_done:
            return float("inf")
        return max((one.answered for one in self.attempts if one.answered is not None), default=self.at)


@dataclass
class Executed(Event):
    """A handler began, and perhaps ended, in milliseconds since 1970. `who` is its mark."""

    begun: float
    ended: float | None = None


@dataclass
class Fault(Event):
    """What was done to `who`. One that `loses` may take back what was acknowledged before `until`."""

    what: str = ""
    until: float = float("inf")
    loses: bool = False


@dataclass
class WithoutDatabase(Event):
    """What a node answered while its database was away. `who` is the node; `get` and `push` are of one list."""

    health: int
    ready: int
    get: int
    push: int
    retry_after: str | None


@dataclass
class Together(Event):
    """As many requests at one moment, on all nodes: the answers, and how many handlers began."""

    answers: list
    begun: int


@dataclass
class Calm(Event):
    """All were at rest: (epoch, revision, CRC-32, rows) by who shows it."""

    shown: dict = field(default_factory=dict)


class History:
    """Events in the order in which they were noted. What many are told alike is noted once, and again where it differs."""

    def __init__(self):
        self.events = []
        self.contents = {}
        self.epochs = {}
        self.told = set()

    def add(self, event):
        self.events.append(event)
        return event

    def add_once(self, event):
        """Unless somebody was told the same before."""
        facts = type(event), *(value for name, value in vars(event).items() if name not in ("at", "who"))
        if facts not in self.told:
            self.told.add(facts)
            self.add(event)

    def of(self, kind):
        return [event for event in self.events if isinstance(event, kind)]

    def saw(self, who, name, epoch, revision, rows):
        """`rows` is a tuple of (key, canonical fields) in order."""
        self.epochs.setdefault((name, epoch), now())
        known = self.contents.setdefault((name, epoch, revision), set())
        if rows not in known:
            known.add(rows)
            self.add(Seen(now(), who, name, epoch, revision, rows))

    def read(self, who, name, document):
        """The answer to a GET."""
        rows = tuple((row["key"], canonical(row["fields"])) for row in document["rows"])
        self.saw(who, name, document["epoch"], document["revision"], rows)
        return document["epoch"], document["revision"], rows

    def around(self, at, name=None, seconds=3, most=40):
        """The events of a list about a moment, and all faults then, a line each."""
        near = [
            event for event in self.events
            if abs(event.at - at) < seconds and (name in (None, event.list) or isinstance(event, Fault))
        ]  # fmt: skip
        near = sorted(sorted(near, key=lambda event: abs(event.at - at))[:most], key=lambda event: event.at)
        return [f"    {event.at - at:+7.3f} s  {brief(event)}" for event in near]


def brief(event):
    text = str(event)
    return text if len(text) < 300 else text[:300] + "…"


def execution_in(text):
    """Which execution of a handler wrote a row, by its canonical fields; None for a row that was pushed."""
    found = TAG.search(text)
    return found and found[1]


class Recorder:
    """Notes what people are told, with the members of shared_history.Ledger that a Replica and a Person call.

    States have no epoch. What is told of runs counts once rows of the same epoch follow on the same connection: between two
    epochs nobody can know to which a run belongs.
    """

    def __init__(self, history):
        self.history = history
        self.waiting = {}

    def forget(self, person):
        """A connection has ended."""
        for where in [where for where in self.waiting if where[0] == person.name]:
            del self.waiting[where]

    def saw(self, name, epoch, revision, content, by=None):
        self.history.saw(by.name, name, epoch, revision, tuple(content.ordered()))
        self.settle(name, epoch, by)

    def saw_window(self, name, epoch, revision, content, place, query, by=None):
        self.history.add_once(SeenWindow(now(), by.name, name, epoch, revision, place, tuple(content.ordered()), query))
        self.settle(name, epoch, by)

    def settle(self, name, epoch, by):
        for event in self.waiting.pop((by.name, name), ()):
            if event.epoch == epoch:
                self.history.add_once(event)

    def reached(self, name, epoch, revision):
        """The ok of a watch names what follows, which is noted when it is there."""

    def wait(self, event):
        self.waiting.setdefault((event.who, event.list), []).append(event)

    def loading(self, name, epoch, state, by=None):
        self.wait(Loading(now(), by.name, name, epoch, number_of(state["run"]), state["startedAt"], state["cause"]))

    def over(self, name, epoch, last, by=None):
        self.wait(Over(now(), by.name, name, epoch, number_of(last["run"]), last["outcome"], last["duration"]))

    def answered(self, name, epoch, number, request, is_joined, by=None):
        if not is_joined:
            self.wait(Started(now(), by.name, name, epoch, number, request))

    def patched(self, frames, by):
        """All parts of a patch of one run. In a window, rows of any run may come into sight."""
        first = frames[0]
        if "total" in first:
            return
        rows = [row for part in frames for row in part.get("set", []) if "fields" in row]
        marks = frozenset(filter(None, (execution_in(canonical(row["fields"])) for row in rows)))
        run = number_of(first["run"])
        self.history.add_once(Patched(now(), by.name, first["list"], first["epoch"], first["revision"], run, marks))


def now():
    return time.monotonic()
