#!/usr/bin/env python3
"""What the lists of lists.yaml ask for: prints rows, a JSON object a line.

    rows.py departures      the next trains of a small station; each call finds other delays
    rows.py board           the same trains, for a page that draws its rows itself
    rows.py letters         a hundred lines, to scroll through
    rows.py stations        all stations by their letters
    rows.py tasks           what is to do today, but for what is done

    rows.py mark done KEY   marks a task, as done or with a flag; unmark takes that back. Tomorrow all is forgotten
    rows.py print           takes three seconds, and tells how far it is
"""

import json
import random
import sys
import tempfile
import time
from pathlib import Path

PLACES = ["Harbour", "Old Town", "Airport", "Botanical Garden", "Observatory", "North Beach", "University", "Mill Bridge"]


def departures():
    """A train every four minutes, by the time it leaves; those that have left are gone."""
    first = int(time.time()) // 240 + 1
    return sorted(map(train, range(first, first + 8)), key=lambda row: row["time"])


def train(number):
    line, platform = 1 + number % 4, 1 + number % 6
    late = random.choice([0, 0, 0, 2, 5])
    return {
        "key": str(number),
        "title": PLACES[number % len(PLACES)],
        "subtitle": f"Line {line} · platform {platform}",
        "time": (number * 240 + late * 60) * 1000,
        **({"badge": f"{late} min late"} if late else {}),
    }


def board():
    """Line and platform by themselves, for a template to place."""
    for row in departures():
        line, platform = row.pop("subtitle").split(" · ")
        yield {**row, "detail": line.removeprefix("Line "), "subtitle": platform.capitalize()}


def letters():
    """The newest on top: one more for each ten seconds that have passed."""
    newest = int(time.time()) // 10
    for number in range(newest, newest - 100, -1):
        place = PLACES[number % len(PLACES)]
        yield {"key": str(number), "title": f"A letter from {place}", "subtitle": f"Number {number % 1000}", "time": number * 10_000}


TASKS = ["Water the plants", "Call the harbour office", "Return the library books", "Order new lamps", "Write to the university"]
MARKED = Path(tempfile.gettempdir()) / time.strftime("refreshable-tasks-%Y-%m-%d")


def marks():
    return MARKED.read_text().split() if MARKED.exists() else []


def tasks():
    for number, title in enumerate(TASKS):
        if f"done-{number}" not in marks():
            yield {"key": str(number), "title": title, **({"badge": "!"} if f"flag-{number}" in marks() else {})}


def mark(*marked):
    MARKED.write_text(" ".join({*marks(), "-".join(marked)}))


def unmark(*marked):
    MARKED.write_text(" ".join({*marks()} - {"-".join(marked)}))


def slowly():
    for page in range(1, 7):
        print(f"#progress {page}/6", flush=True)
        time.sleep(0.5)


def stations():
    """Each place has a few, by their names."""
    kinds = ["East", "Market", "North", "Square", "Street", "West"]
    for name in sorted(f"{place} {kind}" for place in PLACES for kind in kinds):
        yield {"key": name, "title": name, "initial": name[0]}


LISTS = {"departures": departures, "board": board, "letters": letters, "stations": stations, "tasks": tasks}
ACTIONS = {"mark": mark, "unmark": unmark, "print": slowly}

name, *rest = sys.argv[1:]
if name in ACTIONS:
    ACTIONS[name](*rest)
else:
    for row in LISTS[name]():
        print(json.dumps(row))
