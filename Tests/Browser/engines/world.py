"""The list that is pulled: its runs end when a test says so."""

import shutil
import tempfile
from pathlib import Path

import harness

ROWS = {"short": "printf 'a\\tAlpha\\nb\\tBeta\\n'", "long": "seq 100 | sed 's/.*/&\\tRow &/'", "none": "true"}


class House:
    """A server with a list for each gesture, and the pages they are on."""

    def __init__(self, gestures, rules):
        self.stage = harness.Stage(None)
        folder = self.stage.folder
        shutil.copytree(harness.PUBLIC, folder / "public")
        shutil.copytree(Path(__file__).parent / "stage", folder / "public", dirs_exist_ok=True)
        lists = [self._list(number, gesture, rules[gesture.rule]) for number, gesture in enumerate(gestures)]
        self.url = self.stage.serve(lists, public=folder / "public")

    def _list(self, number, gesture, rule):
        """The first load is free; each later run waits for its file."""
        name, folder = f"list-{number}", self.stage.folder
        wait = f"until test -e '{folder}/{name}.go'; do sleep 0.02; done; rm '{folder}/{name}.go'; echo run >> '{folder}/{name}.log'"
        command = f"if test -e '{folder}/{name}.loaded'; then {wait}; fi; touch '{folder}/{name}.loaded'; {ROWS[gesture.rows]}"
        return harness.tsv(name, command, pull={"preset": rule.preset})

    def address(self, number, gesture):
        return f"{self.url}stage.html?list=list-{number}&scene={gesture.scene}"

    def close(self):
        self.stage.__exit__()


class World:
    """What happens around a finger."""

    def __init__(self, house, number, latency=0):
        self.folder, self.name = house.stage.folder, f"list-{number}"
        self.latency = latency
        self.is_connected = True

    def at(self, number, step, player):
        """Before a step."""

    def end(self):
        (self.folder / f"{self.name}.go").touch()

    def runs(self):
        log = self.folder / f"{self.name}.log"
        return len(log.read_text().splitlines()) if log.exists() else 0
