"""What was asked, what came of it, and what the handlers' log has to say to that."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from replica import short
from rules import Broken, Rules
from shared_history import Ledger

RULES = {
    "once": "no run begins or ends its handler twice, over all starts of the server",
    "key": "a key that was answered has one run, whoever sends it, however often, after however many starts",
    "one": "a run has one outcome, whoever is told of it",
    "done": "a run that is told as a success has done its work before that: its end is in the log",
    "kept": "what was told as done stays done, in all rows from that revision on, unless somebody undoes it",
    "undone": "in the end a row is there unless it was archived once more often than that was undone; and so in the source",
    "outcome": "a failure is one of the handler's, a cancelled run one that somebody stopped",
    "interrupted": "interrupted are only runs that the server's end came between, and they change no row",
    "told": "every key that was sent gets its outcome once all are calm and it is sent again",
    "private": "nobody is told of a run whose key they have not sent on that connection, nor before its ok",
    "content": "(list, epoch, revision) never names two contents",
    "equal": "all who watch come to show the server's rows",
    "gap": "no patch leaves a gap, and states and parts come in their order",
    "shape": "every answer and every frame is one that the document describes",
    "alive": "the server ends only when it is killed or asked to",
}
# Rules of a replica that say the same as one of these.
SAME = {"count": "gap", "order": "gap", "parts": "gap", "run": "gap", "stale": "gap", "gestures": "gap"}


class ActionRules(Rules):
    """Counts what was checked, and keeps all that broke."""

    def __init__(self):
        super().__init__()
        self.faults = {rule: [] for rule in RULES}

    def check(self, rule, holds, what, *, by=None):
        rule = SAME.get(rule, rule)
        self.checked[rule] += 1
        if holds:
            return
        what = what() if callable(what) else what
        self.faults[rule].append(f"{by.name + ': ' if by else ''}{what}"[:1500])
        raise Broken("gap", what)

    @property
    def is_any_broken(self):
        return any(self.faults.values())

    def note(self, rule, holds, what):
        """The same, for who goes on."""
        try:
            self.check(rule, holds, what)
        except Broken:
            return False
        return True


@dataclass
class Wish:
    """One `act` under a key of its own, and what has become of it."""

    message: dict
    start: int
    """The start of the server in which it was first sent."""
    run: str | None = None
    is_void: bool = False
    """Whether it was answered that there is nothing to do."""
    outcome: str | None = None

    @property
    def list(self):
        return self.message["list"]

    @property
    def is_open(self):
        return self.outcome is None and not self.is_void


@dataclass
class Run:
    """One run of an action, as everybody was told of it."""

    list: str
    start: int
    """The first start in which it was asked for."""
    action: str | None = None
    row: str | None = None
    undoes: str | None = None
    outcome: str | None = None
    code: str | None = None
    is_stopped: bool = False
    """Whether somebody has asked to stop it."""
    lines: Counter = field(default_factory=Counter)
    """What its handler has written down, and how often."""


class ActionHistory(Ledger):
    """Wishes by key, runs by name, and contents by (list, epoch, revision)."""

    def __init__(self, rules, server, log):
        super().__init__(rules)
        self.server, self.log = server, log
        self.wishes = {}
        self.runs_of_actions = {}
        # The keys by which each was asked for.
        self.keys = defaultdict(set)
        self.read = 0
        # By (list, row): from which (epoch, revision) on it is not there any more, as nobody has undone that.
        self.gone = defaultdict(dict)
        # Runs that somebody has asked to undo.
        self.undoing = set()

    # MARK: Wishes

    def will_send(self, wish):
        """A wish is about to be sent. What may be undone from now on is not held to stay done."""
        self.wishes[wish.message["key"]] = wish
        run = wish.message.get("undo")
        if run is None:
            return
        self.undoing.add(run)
        known = self.runs_of_actions.get(run)
        if known:
            self.gone[known.list].pop(known.row, None)

    def answered(self, wish, ok, known, by):
        """A key is answered by one run, or by none as long as it has none. `known` is the run that it had when it was sent: what
        was answered before another connection's answer may come after it."""
        self.rules.check("shape", "run" in ok, f"{wish.message} is answered {short(ok)}", by=by)
        run = ok["run"]
        had = known if run is None else wish.run
        self.rules.check("key", had in (None, run), f"{wish.message} had the run {had}, and now {short(ok)}", by=by)
        if run is None:
            wish.is_void = wish.run is None
            return
        wish.run, wish.is_void = run, False
        self.keys[run].add(wish.message["key"])
        known = self.runs_of_actions.setdefault(run, Run(wish.list, wish.start))
        known.start = min(known.start, wish.start)

    def told(self, frame, by):
        """Somebody who asked is told of a run."""
        run = self.runs_of_actions[frame["run"]]
        for member in ("list", "action", "row", "undoes"):
            known = getattr(run, member)
            self.rules.check("one", known in (None, frame.get(member)), f"{short(frame)} is of another {member} than {known}", by=by)
            setattr(run, member, frame.get(member))
        if frame["phase"] == "loading":
            self.rules.check("one", run.outcome is None or by.may_be_late(frame), f"{short(frame)} after its end", by=by)
            return
        self.read_log()
        outcome, code = frame["outcome"], frame.get("error", {}).get("code")
        self.rules.check(
            "one", run.outcome in (None, outcome) and run.code in (None, code),
            f"{short(frame)}, which was {run.outcome} ({run.code})", by=by,
        )  # fmt: skip
        run.outcome, run.code = outcome, code
        for key in self.keys[frame["run"]]:
            self.wishes[key].outcome = outcome
        self.check_outcome(frame, run, by)

    def check_outcome(self, frame, run, by):
        lines = dict(run.lines)
        if run.outcome == "success":
            due = {} if run.action == "flag" else {"begin": 1, "end": 1}
            self.rules.check("done", lines == due, f"{short(frame)}; its handler wrote {lines}", by=by)
            if run.action == "archive" and run.undoes is None and frame["run"] not in self.undoing:
                self.gone[run.list].setdefault(run.row, (by.replicas[run.list].epoch, frame["revision"]))
        elif run.outcome == "cancelled":
            # A server that is asked to stop withdraws what has not begun.
            is_due = run.is_stopped or self.server.stopped >= run.start and not lines
            self.rules.check("outcome", is_due, f"{short(frame)}, and nobody stopped it; its handler wrote {lines}", by=by)
        elif run.code == "interrupted":
            self.rules.check(
                "interrupted", run.start < by.start or self.server.stopped == by.start,
                f"{short(frame)} in start {by.start}, in which it was asked for", by=by,
            )  # fmt: skip
        else:
            is_due = lines.get("failed") or "asked" in lines or run.code == "gone"
            self.rules.check("outcome", run.outcome == "failure" and is_due, f"{short(frame)}; its handler wrote {lines}", by=by)

    # MARK: The log

    def read_log(self):
        """Takes the lines that handlers have written since the last look."""
        if not self.log.exists():
            return
        with open(self.log, "rb") as file:
            file.seek(self.read)
            text = file.read()
        text = text[: text.rfind(b"\n") + 1]
        self.read += len(text)
        for line in text.decode().splitlines():
            word, name, start, list_, what, key = line.split(" ")
            run = self.runs_of_actions.setdefault(name, Run(list_, int(start)))
            run.lines[word] += 1
            if word in ("begin", "end"):
                self.rules.note("once", run.lines[word] == 1, f"{line}: for the {run.lines[word]}. time")
            if word == "begin":
                self.rules.note("once", run.outcome is None, f"{line}: after it was told as {run.outcome}")

    # MARK: Rows

    def saw(self, name, epoch, revision, content, by=None):
        super().saw(name, epoch, revision, content, by)
        for row, (since, from_) in self.gone[name].items():
            if since == epoch and revision >= from_:
                self.rules.check(
                    "kept", row not in content.rows, by=by,
                    what=lambda row=row, from_=from_: f"{name} at {revision} has {row}, which was archived at {from_}",
                )  # fmt: skip

    def check_rows(self, name, rows, source):
        """In the end: which rows are there. `source`: those that the list would get from a refresh; None: it has no source."""
        archived, doubtful = Counter(), set()
        for run in self.runs_of_actions.values():
            if run.list != name or run.row is None:
                continue
            if run.action == "archive" and run.outcome == "success":
                archived[run.row] += -1 if run.undoes else 1
            # How far the work on the source came, nobody knows.
            if run.outcome != "success" and source is not None:
                doubtful.add(run.row)
        for row in self.rows_of(name):
            if row in doubtful:
                continue
            rule = "interrupted" if self.was_interrupted(name, row) else "undone"
            self.rules.note(
                rule, archived[row] == (0 if row in rows else 1),
                f"{name}: {row} is {'' if row in rows else 'not '}there: {self.runs_on(name, row)}",
            )  # fmt: skip
        if source is not None:
            self.rules.note("undone", set(rows) == source, f"{name} differs from its source by {set(rows) ^ source}")

    def runs_on(self, name, row):
        return {key: run for key, run in self.runs_of_actions.items() if (run.list, run.row) == (name, row)}

    def was_interrupted(self, name, row):
        return any(run.code == "interrupted" for run in self.runs_on(name, row).values())

    def rows_of(self, name):
        return {run.row for run in self.runs_of_actions.values() if run.list == name and run.row is not None}
