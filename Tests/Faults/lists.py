"""The lists of the harness: what they are like, what their sources do, and what they hold."""

from pathlib import Path

HANDLER = Path(__file__).parent / "handler.sh"
DEADLINE = "1500ms"
FRUIT = ["Apfel", "Birne", "Чешня", "いちじく", "naïve", "e\u0301", "é", "🍇"]


def from_handler(folder, name, **settings):
    """A list whose source is one execution of handler.sh."""
    return {
        "name": name, "command": f"exec sh '{HANDLER}' '{folder}' {name}", "format": "tsv",
        "fields": {"key": 1, "title": 2}, "deadline": DEADLINE, **settings,
    }  # fmt: skip


def settings(folder, *, pushes):
    """Every mode, trigger and limit that a run can meet."""
    lists = [
        from_handler(folder, "fruit"),
        from_handler(folder, "reel", mode="stream"),
        from_handler(folder, "album"),
        from_handler(folder, "clock", every="1s"),
        from_handler(folder, "door", pull={"trigger": "crossing"}, minimumInterval="300ms"),
        from_handler(folder, "gate", pull={"trigger": "return"}, maximumAge="2s", mode="stream"),
        # Everybody looks at windows of this one.
        from_handler(folder, "shelf", resident=False, every="2s"),
    ]
    if pushes:
        lists += [from_handler(folder, "inbox", push=True), {"name": "board", "push": True}]
    return lists


class Sources:
    """Writes what handlers read: rows and plans, by seed."""

    def __init__(self, folder, names, dice):
        self.folder, self.names, self.dice = folder, names, dice
        self.versions = 0

    def begin(self):
        for name in self.names:
            self.write_rows(name)
            self.write_plan(name, "rows", 0.05)

    def calm(self):
        """Every run from now on is short and succeeds."""
        for name in self.names:
            self.write_plan(name, "rows", 0.02)

    def step(self):
        """One list changes its rows, another its mood."""
        dice = self.dice
        name, other = dice.choice(self.names), dice.choice(self.names)
        self.write_rows(name)
        what = dice.choices(["rows", "slow", "fail", "half", "garbage", "hang"], [60, 15, 8, 6, 5, 3])[0]
        self.write_plan(other, what, round(dice.expovariate(1 / (0.02 if what == "slow" else 0.2)), 3))

    def write_plan(self, name, what, seconds):
        self.replace(f"{name}.plan", f"{what} {seconds}\n")

    def write_rows(self, name):
        dice = self.dice
        self.versions += 1
        if name == "album":
            count, size = 330, 260
        else:
            count, size = dice.randrange(16), 12
        keys = [f"{name[0]}{number}" for number in dice.sample(range(count + 12), count)]
        share = dice.choice([0.02, 0.3, 1])
        rows = []
        for key in keys:
            version = self.versions if dice.random() < share else 0
            rows.append(f"{key}\t{dice.choice(FRUIT)} {version} {'x' * size}\n")
        if name == "album" and share < 0.1:
            rows.sort()
        self.replace(f"{name}.tsv", "".join(rows))

    def replace(self, name, text):
        scratch = self.folder / f".{name}"
        scratch.write_text(text)
        scratch.rename(self.folder / name)
