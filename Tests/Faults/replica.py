"""One list as one connection's client shows it, by the rules of Documentation/Protocol.md and nothing else."""

from collections import deque

from list_content import Content, canonical
from shared_history import number_of


class Replica:
    """Rows, epoch and revision, and the order in which frames about a list may come."""

    def __init__(self, name, rules, ledger, person):
        self.name, self.rules, self.ledger, self.person = name, rules, ledger, person
        self.content = Content()
        self.epoch = None
        self.revision = None
        # Where the window lies that is looked at: (first, total); None: all is watched.
        self.place = None
        self.begin_connection()

    def begin_connection(self):
        """What one connection said about states is nothing to the next."""
        self.outstanding = deque()
        self.is_watched = False
        self.state = None
        self.private = None
        self.parts = []
        # What it looks for.
        self.query = None
        self.begin_watch()

    @property
    def here(self):
        """The epoch of what this connection says of the list."""
        return self.promised[0] if self.rows_pending and self.promised else self.epoch

    def begin_watch(self):
        self.rows_pending = False
        self.patched = set()
        self.begun = set()
        self.over = 0
        self.promised = None

    def check(self, rule, holds, what):
        self.rules.check(rule, holds, lambda: f"{self.name}: {what}", by=self.person)

    # MARK: Watching

    @property
    def position(self):
        """Where a watch resumes. Who looked at a window can go on with that, or with another."""
        return {} if self.revision is None else {"epoch": self.epoch, "revision": self.revision}

    @property
    def awaited(self):
        """Watches that were sent and are not answered yet."""
        return len(self.outstanding)

    def will_watch(self):
        self.outstanding.append("watch")

    def will_unwatch(self):
        """What is still answered to earlier watches begins nothing."""
        self.is_watched = False
        self.outstanding = deque("void" for _ in self.outstanding)

    def refused(self):
        """A watch was answered by an error. What was ignored meanwhile is missing, so nothing more is applied."""
        self.outstanding.popleft()
        self.is_watched = False

    def watched(self, ok, resumed=True, query=None):
        """The ok to a watch, which gave a revision or did not. Until the last that was sent is answered, frames are ignored."""
        if self.outstanding.popleft() == "void" or self.outstanding:
            return
        self.is_watched = True
        self.resumed, self.query = resumed, query
        self.parts = []
        self.begin_watch()
        self.rows_pending = ok["begin"] != "live"
        self.promise(ok)
        if ok["begin"] != "snapshot":
            self.check("gap", ok["epoch"] == self.epoch, f"'{ok['begin']}' in another epoch than {self.epoch}: {ok}")
        if ok["begin"] == "live":
            self.check("gap", ok["revision"] == self.revision, f"'live', but this client is at {self.revision}: {ok}")
            self.check("count", ok["count"] == len(self.content.rows), f"{len(self.content.rows)} rows: {ok}")

    def looked(self, ok, query=None):
        """The ok to a look. What was held is of the window before; a snapshot follows."""
        if not self.is_watched or self.awaited:
            return
        self.resumed, self.query = False, query
        self.parts = []
        self.rows_pending = True
        self.promise(ok)

    def promise(self, ok):
        self.promised = (ok["epoch"], ok["revision"], ok["count"])
        self.ledger.reached(self.name, ok["epoch"], ok["revision"])

    @property
    def is_settled(self):
        """Whether this client has all it was promised and the list is at rest."""
        return (
            self.is_watched and self.awaited == 0 and not self.rows_pending and not self.parts
            and self.state is not None and self.state["phase"] == "waiting"
        )  # fmt: skip

    # MARK: Frames

    def receive(self, frame):
        """Takes a frame about this list."""
        if self.awaited > 0 or not self.is_watched:
            return None
        kind = frame["type"]
        if self.parts and (kind != "state" or "gesture" not in frame):
            first = self.parts[0]
            same = kind == first["type"] and all(frame.get(k) == first.get(k) for k in ("epoch", "from", "revision"))
            self.check("parts", same, f"between parts of {first['type']} {first['revision']} came {short(frame)}")
        if kind in ("snapshot", "patch"):
            return self.rows(frame)
        if kind == "state":
            self.hear(frame)
        return None

    def rows(self, frame):
        """Parts are held and applied all at the last. What to do if that can't be: a word for the person."""
        if "run" in frame:
            self.check_order(frame)
        self.parts.append(frame)
        if not frame["last"]:
            return None
        parts, self.parts = self.parts, []
        again = self.apply(parts)
        if again is None:
            self.finish_watch(parts[-1])
        return again

    def check_order(self, patch):
        run = number_of(patch["run"])
        if not self.rows_pending:
            self.check("order", run > self.over, f"a patch of r{run} after the end of r{self.over}: {short(patch)}")
            self.patched.add(run)

    def finish_watch(self, frame):
        """The rows that answer a watch lead to what its ok said, unless newer ones followed at once."""
        if not self.rows_pending:
            return
        epoch, revision, count = self.promised
        if self.epoch == epoch and self.revision < revision:
            return
        self.rows_pending = False
        if (self.epoch, self.revision) == (epoch, revision):
            self.check("count", len(self.content.rows) == count, f"{len(self.content.rows)} rows, not {count}")

    def apply(self, parts):
        kind, epoch, revision = parts[0]["type"], parts[0]["epoch"], parts[0]["revision"]
        if kind == "snapshot":
            if not self.replace(parts):
                return "fresh"
        elif epoch != self.epoch:
            return "fresh"
        elif revision <= self.revision:
            return None
        else:
            self.check("gap", parts[0]["from"] <= self.revision, f"at {self.revision} came {short(parts[0])}")
            self.change(parts)
        self.epoch, self.revision = epoch, revision
        self.place = (parts[-1]["first"], parts[-1]["total"]) if "total" in parts[-1] else None
        if self.place is None:
            self.ledger.saw(self.name, epoch, revision, self.content, by=self.person)
        else:
            self.ledger.saw_window(self.name, epoch, revision, self.content, self.place, self.query, by=self.person)
        return None

    def replace(self, parts):
        """False where it builds on rows that are not there: those that came into the window since it was left."""
        former, self.content = self.content.rows, Content()
        is_same = parts[0]["epoch"] == self.epoch
        for part in parts:
            for row in part["rows"]:
                self.check("gap", row["key"] not in self.content.rows, f"'{row['key']}' is twice in a snapshot")
                self.check("gap", is_same or "fields" in row, f"a row of another epoch without fields: {short(part)}")
                if "fields" not in row and row["key"] not in former:
                    self.check("gap", self.resumed, f"'{row['key']}' comes without fields, and was never in this window")
                    self.revision = None
                    return False
                text = former[row["key"]][1] if "fields" not in row else canonical(row["fields"])
                self.content.put(row["key"], row["position"], text)
        return True

    def change(self, parts):
        keys = [row["key"] for part in parts for row in part.get("set", [])]
        keys += [key for part in parts for key in part.get("remove", [])]
        self.check("gap", len(set(keys)) == len(keys), f"a key is twice in {short(parts[0])}")
        for part in parts:
            for key in part.get("remove", []):
                self.content.remove(key)
            for row in part.get("set", []):
                known = self.content.set(row["key"], row["position"], row.get("fields"))
                self.check("gap", known, f"a move of '{row['key']}', which this client does not have")
        rows, count = len(self.content.rows), parts[-1]["count"]
        self.check("count", rows == count, f"{rows} rows, not {count}, after {short(parts[-1])}")

    # MARK: States

    def hear(self, state):
        if "gesture" in state:
            self.private = state
            self.check("gestures", 0 <= state["progress"] <= 1, short(state))
            return
        self.check("order", not self.rows_pending, f"a state before the rows that answer the watch: {short(state)}")
        if state["phase"] == "loading":
            run = number_of(state["run"])
            self.check("order", run not in self.patched, f"loading after a patch of its run: {short(state)}")
            self.check("order", run > self.over, f"loading after the end of r{self.over}: {short(state)}")
            self.begun.add(run)
            self.ledger.loading(self.name, self.epoch, state, by=self.person)
        last = state.get("last")
        if last:
            if state["phase"] != "loading":
                self.over = max(self.over, number_of(last["run"]))
                self.check_staleness(state, last)
            self.ledger.over(self.name, self.epoch, last, by=self.person)
        self.state = state

    def check_staleness(self, state, last):
        if last["outcome"] == "success":
            self.check("stale", "staleSince" not in state, f"stale after a success: {short(state)}")
        elif last["outcome"] in ("failure", "timeout"):
            self.check("stale", "staleSince" in state, f"not stale after a {last['outcome']}: {short(state)}")


def short(frame):
    """A frame as a line that is not too long."""
    text = str({name: value for name, value in frame.items() if name not in ("rows", "set")})
    return text if len(text) < 400 else text[:400] + "…"
