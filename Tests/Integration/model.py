"""A page's memory of one list, kept by the rules of the document and by nothing else."""

import json
import zlib


class Gap(AssertionError):
    """A frame that does not follow from what came before."""


class ListModel:
    """The rows of one list as a client knows them, and the order in which frames about it may come."""

    def __init__(self, name):
        self.name = name
        self.epoch = None
        self.revision = None
        # Where the window lies that is looked at: (first, total); None: all is watched.
        self.place = None
        self.rows = {}
        self.state = None
        self.private = None
        self.parts = []
        self.is_awaiting_ok = False
        self.rows_pending = False
        self.needs_state = False
        self.begun = set()
        self.patched = set()
        self.ended = set()
        self.digests = []

    def ordered(self):
        """[(key, fields)] in order of position."""
        positions = [row[0] for row in self.rows.values()]
        if len(set(positions)) != len(positions):
            raise Gap(f"two rows of {self.name} have one position")
        return [(key, row[1]) for key, row in sorted(self.rows.items(), key=lambda pair: pair[1][0])]

    def digest(self):
        """The CRC-32 of what this client holds. Python writes texts and whole numbers as RFC 8785 does."""
        lines = "".join(
            f"{key}\t{json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(',', ':'))}\n"
            for key, fields in self.ordered()
        )
        return zlib.crc32(lines.encode())

    def is_right(self):
        """Compares with the digests that were answered, each at its revision: true, false, or None where none is of now.

        A digest of a revision that this client was taken past, by a fold, is of no use: it asks again.
        """
        here = (self.epoch, self.revision)
        now = [digest for digest in self.digests if (digest["epoch"], digest["revision"]) == here]
        if not now:
            return None
        return all((digest["count"], digest["crc32"]) == (len(self.rows), self.digest()) for digest in now)

    def will_watch(self):
        """A watch was sent: until its ok, frames of this list are ignored."""
        self.is_awaiting_ok = True

    def receive(self, frame):
        """Takes one frame about this list; fails where the document forbids it."""
        kind = frame["type"]
        if kind == "ok" and "total" in frame and "begin" not in frame and "crc32" not in frame:
            self.look(frame)
        elif kind == "ok" and "begin" in frame:
            self.is_awaiting_ok = False
            self.parts = []
            self.begin(frame)
        elif kind == "ok" and "crc32" in frame:
            self.digests.append(frame)
        elif self.is_awaiting_ok:
            return
        elif kind in ("snapshot", "patch"):
            self.hold(frame)
        elif kind == "state":
            self.hear(frame)

    def begin(self, ok):
        self.needs_state = True
        self.patched = set()
        self.rows_pending = ok["begin"] != "live"
        if ok["begin"] != "snapshot" and ok["epoch"] != self.epoch:
            raise Gap(f"'{ok['begin']}' in epoch {ok['epoch']}, but this client is in {self.epoch}")
        if ok["begin"] == "live" and ok["revision"] != self.revision:
            raise Gap(f"'live' at {ok['revision']}, but this client is at {self.revision}")
        if ok["epoch"] != self.epoch:
            self.begun, self.ended = set(), set()  # run numbers are those of an epoch

    def look(self, ok):
        """What was held is of the window before, and so are digests of this revision."""
        self.parts, self.digests = [], []
        self.rows_pending = True

    def hold(self, frame):
        """Parts are held, and applied all at the last."""
        if self.parts and (self.parts[0]["type"], self.parts[0]["revision"]) != (frame["type"], frame["revision"]):
            raise Gap(f"parts of {self.name} are not contiguous: {self.parts[0]} then {frame}")
        if not self.rows_pending and frame.get("run") in self.ended:
            raise Gap(f"a patch of {frame['run']} came after its end")
        # A loading that never comes was left out for a newer state, as any state may be.
        if not self.needs_state and "run" in frame:
            self.patched.add(frame["run"])
        self.parts.append(frame)
        if frame["last"]:
            parts, self.parts = self.parts, []
            self.apply(parts)
            self.rows_pending = False

    def apply(self, parts):
        kind, epoch, revision = parts[0]["type"], parts[0]["epoch"], parts[0]["revision"]
        if kind == "snapshot":
            former, self.rows = self.rows if epoch == self.epoch else {}, {}
            for row in (row for part in parts for row in part["rows"]):
                if "fields" not in row and row["key"] not in former:
                    raise Gap(f"the fields of '{row['key']}' are left out, which this client does not have")
                self.rows[row["key"]] = (row["position"], row["fields"] if "fields" in row else former[row["key"]][1])
            self.epoch, self.revision = epoch, revision
        elif epoch != self.epoch:
            raise Gap(f"a patch in epoch {epoch}, but this client is in {self.epoch}")
        elif revision <= self.revision:
            return
        elif parts[0]["from"] > self.revision:
            raise Gap(f"a patch from {parts[0]['from']}, but this client is at {self.revision}")
        else:
            self.change(parts)
            self.revision = revision
            if len(self.rows) != parts[-1]["count"]:
                raise Gap(f"{len(self.rows)} rows after a patch that leads to {parts[-1]['count']}")
        self.place = (parts[-1]["first"], parts[-1]["total"]) if "total" in parts[-1] else None

    def change(self, parts):
        for part in parts:
            for key in part.get("remove", []):
                self.rows.pop(key, None)
            for row in part.get("set", []):
                if "fields" not in row and row["key"] not in self.rows:
                    raise Gap(f"a move of '{row['key']}', which this client does not have")
                fields = row["fields"] if "fields" in row else self.rows[row["key"]][1]
                self.rows[row["key"]] = (row["position"], fields)

    def hear(self, state):
        if "gesture" in state:
            self.private = state
            return
        if self.rows_pending:
            raise Gap(f"a state of {self.name} came before the rows that answer the watch: {state}")
        self.state, self.needs_state = state, False
        if state["phase"] == "loading":
            self.begun.add(state["run"])
            if state["run"] in self.patched:
                raise Gap(f"loading {state['run']} came after a patch of it")
        if state.get("last"):
            self.ended.add(state["last"]["run"])
