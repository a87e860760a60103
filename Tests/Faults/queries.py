"""What somebody looks for in a list, by a model of its own: which rows there are to find, and in which order."""

import json
import unicodedata

NAMES = ("find", "filter", "sort")


def query_in(window):
    """What of a window says what is looked for, as JSON; None: all rows."""
    query = {name: window[name] for name in NAMES if name in window} if window else {}
    return json.dumps(query) if query else None


def random_query(dice):
    """Mostly nothing."""
    if dice.random() < 0.6:
        return {}
    words = {"find": dice.choice(["e", "BIRNE", "naive", "いち", "0 x", "чешня", "nobody", "e f"])}
    condition = {"filter": [f"title contains {dice.choice(['0', 'PFEL', 'irne'])}"]}
    return dice.choice([words, condition, words | {"sort": "-title"}, {"sort": ["title"]}, condition | {"sort": ["-title"]}])


def found(query, rows):
    """[(key, text of the fields)] of those that it wants, of all in order."""
    query = json.loads(query)
    for word in folded(query.get("find", "")).split():
        rows = [row for row in rows if word in folded(title(row))]
    for condition in query.get("filter", ()):
        value = condition.removeprefix("title contains ").lower()
        rows = [row for row in rows if value in title(row).lower()]
    orders = query.get("sort", [])
    for order in [orders] if isinstance(orders, str) else orders:
        rows = sorted(rows, key=lambda row: title(row).lower().encode(), reverse=order.startswith("-"))
    return rows


def title(row):
    return json.loads(row[1])["title"]


def folded(text):
    letters = (letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))
    return "".join(letters).lower()
