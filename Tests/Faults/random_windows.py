"""Which lists a person looks at in part, and at what of them: by seed, and mostly where there is something."""

from queries import random_query
from seeded_random import stream


class RandomWindows:
    """Every third person looks at parts, now of this list and now of that."""

    def __init__(self, seed, name, number):
        self.dice = stream(seed, name, "windows")
        self.is_used = number % 3 == 1
        self.lists = set()

    def window(self, replica):
        """A window of a list, of which this is known, or of what there is to find."""
        return random_query(self.dice) | self.part(replica)

    def part(self, replica):
        dice, rows = self.dice, replica.content.rows
        most = replica.place[1] if replica.place else len(rows)
        kind, size = dice.random(), dice.randrange(1, 9)
        if kind < 0.3:
            return {"first": 0, "count": size}
        if kind < 0.5:
            return {"last": size}
        if kind < 0.75 or not rows:
            return {"first": dice.randrange(most + 3), "count": size}
        key = dice.choice(sorted(rows)) if dice.random() < 0.9 else "nobody"
        window = {"around": key, "before": dice.randrange(5), "after": dice.randrange(5)}
        return window | ({"index": dice.randrange(most + 3)} if dice.random() < 0.8 else {})
