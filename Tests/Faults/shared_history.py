"""What all clients saw over all starts of the server: what must never be contradicted."""

import time
from dataclasses import dataclass, replace

from queries import found


@dataclass
class Run:
    """One run as states told it."""

    number: int
    start: int
    """The start of the server that it was seen in."""
    cause: str | None = None
    started: int | None = None
    """By the server's clock, in milliseconds."""
    duration: int | None = None
    outcome: str | None = None
    starter: object = None
    """The request that was answered as the one that started it."""
    loading_heard: float | None = None
    """When somebody first heard that it loads, by the machine's clock, in milliseconds."""
    closing_heard: float | None = None

    def and_(self, other, rules, name):
        """What both records say of the one run."""
        both = replace(self)
        for member in ("cause", "duration", "outcome"):
            mine, its = getattr(self, member), getattr(other, member)
            rules.check("run", None in (mine, its) or mine == its, lambda: f"{name}: {self} and {other} are one run")
            setattr(both, member, mine if its is None else its)
        for member in ("loading_heard", "closing_heard"):
            heard = [time_ for time_ in (getattr(self, member), getattr(other, member)) if time_ is not None]
            setattr(both, member, min(heard, default=None))
        return both

    @property
    def ended(self):
        return None if self.started is None or self.duration is None else self.started + self.duration


class Ledger:
    """Contents by (list, epoch, revision), runs by (list, epoch, number), and how far each history went."""

    def __init__(self, rules):
        self.rules = rules
        self.contents = {}
        # The newest, to compare windows with, and windows of which nobody has seen the whole yet.
        self.wholes = {}
        self.parts = {}
        self.newest = {}
        self.runs = {}
        self.start = 0

    def saw(self, name, epoch, revision, content, by=None):
        """A client holds this content."""
        where = (name, epoch, revision)
        print_ = (content.fingerprint, len(content.rows))
        known = self.contents.setdefault(where, (print_, self.start))
        self.rules.check(
            "content", known[0] == print_, by=by,
            what=lambda: f"{name} at {epoch}:{revision} has {print_}, and had {known[0]} in start {known[1]}",
        )  # fmt: skip
        self.reached(name, epoch, revision)
        if where not in self.wholes:
            keep_newest(self.wholes, where, dict(content.rows))
            for part in self.parts.pop(where, ()):
                self.check_part(where, part)

    def saw_window(self, name, epoch, revision, content, place, query, by=None):
        """A client holds this part of a content, or of what a query finds in it; it lies at (first, total)."""
        self.reached(name, epoch, revision)
        where = name, epoch, revision
        part = place, tuple((key, *row) for key, row in content.rows.items()), query, by
        if where in self.wholes:
            self.check_part(where, part)
        elif where not in self.contents:
            keep_newest(self.parts, where, [*self.parts.get(where, ()), part])

    def check_part(self, where, part):
        """A window shows what the whole list has there."""
        (first, total), rows, query, by = part
        whole = self.wholes[where]
        shown = sorted(rows, key=lambda row: row[1])
        there = sorted(((key, *row) for key, row in whole.items()), key=lambda row: row[1])
        if query:
            # What is found has positions of its own.
            shown, there = ([(key, text) for key, _, text in rows] for rows in (shown, there))
            there = found(query, there)
        self.rules.check(
            "window", (total, shown) == (len(there), there[first : first + len(shown)]), by=by,
            what=lambda: f"{where} {query}: of {total} rows those from {first} on are\n{shown}\nand there are\n{there}",
        )  # fmt: skip

    def reached(self, name, epoch, revision):
        """Somebody was told that this history goes as far."""
        self.newest[name, epoch] = max(revision, self.newest.get((name, epoch), 0))

    def remember(self):
        """Before a start: how far each history was seen to go. After it, people are there before the first look."""
        self.before = dict(self.newest)

    def found(self, name, epoch, revision):
        """The first look at a list after a start of the server."""
        seen = self.before.get((name, epoch), 0)
        self.rules.check(
            "kept", revision >= seen,
            what=lambda: f"{name} is at {epoch}:{revision} after start {self.start}, and {epoch}:{seen} was seen",
        )  # fmt: skip

    # MARK: Runs

    def run(self, name, epoch, number, by=None):
        # Of the start that this person is connected to: clients may be back before the harness has seen the server up.
        run = self.runs.get((name, epoch, number))
        if run is None:
            run = self.runs[name, epoch, number] = Run(number, by.start if by else self.start)
        return run

    def runs_of(self, name):
        """The runs of a list that were heard to begin. One that goes on while its list gets another epoch is in both."""
        runs = {}
        for (list_, _, number), run in self.runs.items():
            if list_ == name and run.started is not None:
                where = run.start, number, run.started
                runs[where] = runs[where].and_(run, self.rules, name) if where in runs else run
        return list(runs.values())

    def loading(self, name, epoch, state, by=None):
        run = self.run(name, epoch, number_of(state["run"]), by)
        for member, key in (("started", "startedAt"), ("cause", "cause")):
            known = getattr(run, member)
            self.rules.check(
                "run", known in (None, state[key]), by=by,
                what=lambda known=known, key=key: f"{name} {epoch} {state['run']} in start {self.start}: {key} is "
                f"{state[key]}, and was {known} in start {run.start}",
            )  # fmt: skip
            setattr(run, member, state[key])
        run.loading_heard = run.loading_heard or now()

    def over(self, name, epoch, last, by=None):
        run = self.run(name, epoch, number_of(last["run"]), by)
        for member in ("duration", "outcome"):
            known = getattr(run, member)
            self.rules.check(
                "run", known in (None, last[member]), by=by,
                what=lambda known=known, member=member: f"{name} {epoch} {last['run']}: {member} is {last[member]}, "
                f"and was {known}",
            )  # fmt: skip
            setattr(run, member, last[member])
        run.closing_heard = run.closing_heard or now()

    def answered(self, name, epoch, number, request, is_joined, by=None):
        """A request was told its run. Only one request starts it; the others join."""
        if is_joined:
            return
        run = self.run(name, epoch, number, by)
        self.rules.check(
            "single", run.starter in (None, request), by=by,
            what=lambda: f"{name} {epoch} r{number} was started by {run.starter} and by {request}",
        )  # fmt: skip
        run.starter = request


def now():
    """Milliseconds since 1970, by the clock of this machine, which the handlers' log has as well."""
    return time.time() * 1000


def keep_newest(known, where, what, most=300):
    """Adds something to what is known, and forgets the oldest."""
    known[where] = what
    while len(known) > most:
        del known[next(iter(known))]


def number_of(run):
    """r7 is the seventh."""
    return int(run[1:])
