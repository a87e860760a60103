"""What the store's lists may show: rows that were written, one content for each (epoch, revision), nothing acknowledged lost."""

import hashlib
from collections import deque

from list_content import canonical, crc32
from shared_history import Ledger
from rules import Broken, Rules

RULES = {
    "content": "(list, epoch, revision) never names two contents",
    "damage": "every row that is served was written so under its key",
    "shape": "every answer and every frame is one that the document describes",
    "pushed": "what a push was acknowledged for is in every later content of its epoch",
    "named": "the log names every refusal: of a list, of a push, of a start, of a clean end",
    "serves": "what is put right is served, pushed to, and shown to all who watch",
    "epoch": "after a kill or a stop alone, lists are in their epochs; after an older copy, in others",
    "readers": "who reads is answered while another program holds the file",
    "alive": "the server ends only when it is killed or asked to",
    "gap": "no patch leaves a gap, and states and parts come in their order",
}
# Rules of a replica that say the same as one of these.
SAME = {"count": "gap", "order": "gap", "parts": "gap", "run": "gap", "stale": "gap", "gestures": "gap"}


class StoreRules(Rules):
    """Counts what was checked, and keeps all that broke: each ends what one client does, not the run."""

    def __init__(self):
        super().__init__()
        self.faults = {rule: [] for rule in RULES}
        self.moment = "the beginning"

    def check(self, rule, holds, what, *, by=None):
        rule = SAME.get(rule, rule)
        self.checked[rule] += 1
        if holds:
            return
        what = what() if callable(what) else what
        self.faults[rule].append(f"{self.moment}: {what}"[:1500])
        raise Broken("content" if rule == "content" else "gap", what)

    def note(self, rule, holds, what):
        """The same, for who goes on."""
        try:
            self.check(rule, holds, what)
        except Broken:
            return False
        return True


class Seals:
    """Rows that describe themselves: a row that nobody wrote under that key is recognised at sight."""

    def __init__(self, seed):
        self.secret = f"{seed}".encode()
        self.count = 0

    def row(self, name, key, padding=0):
        """(number, fields) of a new row."""
        self.count += 1
        fields = {"title": f"{self.count}", "detail": f"{self.count:08}" * (padding // 8)}
        return self.count, fields | {"subtitle": self.seal(name, key, fields)}

    def seal(self, name, key, fields):
        text = f"{name}\t{key}\t{fields.get('title')}\t{fields.get('detail')}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(text, key=self.secret, digest_size=12).hexdigest()

    def fits(self, name, key, fields):
        return (
            isinstance(fields, dict) and set(fields) == {"title", "subtitle", "detail"}
            and fields["subtitle"] == self.seal(name, key, fields)
        )  # fmt: skip


class History(Ledger):
    """Contents by (list, epoch, revision), told by GET and by everybody's replica; and what was acknowledged."""

    def __init__(self, rules, seals):
        super().__init__(rules)
        self.seals = seals
        self.ordered = {}
        # By (list, key): the newest acknowledged changes, as (epoch, revision, number, whether it removed).
        self.acknowledged = {}
        # By (list, key): the number of the newest removal that was asked for.
        self.removals = {}

    # MARK: Writing

    def will_remove(self, name, key):
        self.seals.count += 1
        self.removals[name, key] = self.seals.count
        return self.seals.count

    def was_acknowledged(self, name, effect, epoch, revision):
        for key, (number, removes) in effect.items():
            changes = self.acknowledged.setdefault((name, key), deque(maxlen=6))
            changes.append((epoch, revision, number, removes))

    # MARK: Reading

    def written(self, name, rows):
        """Rows as somebody was served them."""
        for row in rows:
            if row.get("fields") is not None:
                self.rules.check(
                    "damage", self.seals.fits(name, row["key"], row["fields"]),
                    lambda row=row: f"{name}: nobody wrote {str(row)[:400]}",
                )  # fmt: skip

    def saw(self, name, epoch, revision, content, by=None):
        """A client that watches holds this content."""
        super().saw(name, epoch, revision, content, by)
        self.holds(name, epoch, revision, content.ordered(), by)

    def read(self, name, document):
        """The rows of a list, as a GET has them."""
        self.written(name, document["rows"])
        rows = [(row["key"], canonical(row["fields"])) for row in document["rows"]]
        self.rules.check("shape", len(rows) == document["count"] == len(dict(rows)), f"{name}: {len(rows)} rows, not {document['count']}")
        self.holds(name, document["epoch"], document["revision"], rows)
        self.reached(name, document["epoch"], document["revision"])

    def holds(self, name, epoch, revision, rows, by=None):
        found = (crc32(rows), hash(tuple(rows)))
        known = self.ordered.setdefault((name, epoch, revision), (found, self.rules.moment))
        self.rules.check(
            "content", known[0] == found, by=by,
            what=lambda: f"{name} at {epoch}:{revision} has {len(rows)} rows with the CRC-32 {found[0]:08x}, and had "
            f"{known[0][0]:08x} in {known[1]}",
        )  # fmt: skip
        self.keeps(name, epoch, revision, dict(rows))

    def keeps(self, name, epoch, revision, rows):
        for (list_, key), changes in self.acknowledged.items():
            if list_ != name:
                continue
            change = next((one for one in reversed(changes) if one[0] == epoch and one[1] <= revision), None)
            if change is None:
                continue
            _, at, number, removes = change
            there = key in rows
            newest = number_in(rows[key]) if there else self.removals.get((name, key), 0)
            is_kept = newest > number or (newest == number and there != removes)
            self.rules.check(
                "pushed", is_kept,
                lambda key=key, at=at, number=number, removes=removes, there=there, newest=newest: f"{name} at {epoch}:{revision}: "
                f"{'removal' if removes else 'row'} {number} of {key} was acknowledged at {at}; "
                f"{f'row {newest} is there' if there else 'no row is there'}",
            )  # fmt: skip


def number_in(text):
    """The number of a row, of its canonical fields."""
    start = text.index('"title":"') + 9
    return int(text[start : text.index('"', start)])
