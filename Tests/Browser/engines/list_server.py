"""The list that is pulled: its runs end when a test says so."""

import shutil
import time
from pathlib import Path

import harness
from proxy import Wire

from .player import Mismatch

ROWS = {"short": "printf 'a\\tAlpha\\nb\\tBeta\\n'", "long": "seq 100 | sed 's/.*/&\\tRow &/'", "none": "true"}


class ListServers:
    """A server with a list for each gesture, and the pages they are on."""

    def __init__(self, gestures, rules):
        self.stage = harness.Stage(None)
        folder = self.stage.folder
        shutil.copytree(harness.PUBLIC, folder / "public")
        shutil.copytree(Path(__file__).parent / "stage", folder / "public", dirs_exist_ok=True)
        lists = [self._list(number, gesture, rules[gesture.rule]) for number, gesture in enumerate(gestures)]
        self.wire = Wire(self.stage.serve(lists, "--public", folder / "public"))

    def _list(self, number, gesture, rule):
        """The first load is free; each later run waits for its file."""
        name, folder = f"list-{number}", self.stage.folder
        wait = f"until test -e '{folder}/{name}.go'; do sleep 0.02; done; rm '{folder}/{name}.go'; echo run >> '{folder}/{name}.log'"
        command = f"if test -e '{folder}/{name}.loaded'; then {wait}; fi; touch '{folder}/{name}.loaded'; {ROWS[gesture.rows]}"
        return harness.tsv(name, command, pull={"preset": rule.preset})

    def address(self, number, gesture):
        return f"{self.wire.url}stage.html?list=list-{number}&scene={gesture.scene}"

    def close(self):
        self.stage.__exit__()


class World:
    """What happens around a finger: the list's runs, and the wire between page and server."""

    def __init__(self, servers, number):
        self.folder, self.name = servers.stage.folder, f"list-{number}"
        self.wire = servers.wire
        self.latency = 0
        self.is_connected = True
        self.before = self._logged()

    def begin(self):
        """The page is ready, the finger not yet down."""

    def at(self, number, step, player):
        """Before a step."""

    def over(self):
        """The gesture is over, whatever became of it."""
        self.wire.delay = 0
        self.wire.mend()

    def forget(self):
        """Ends a run that a gesture has left behind."""
        self.end()
        time.sleep(0.3)
        (self.folder / f"{self.name}.go").unlink(missing_ok=True)

    def end(self):
        (self.folder / f"{self.name}.go").touch()

    def runs(self):
        return self._logged() - self.before

    def _logged(self):
        log = self.folder / f"{self.name}.log"
        return len(log.read_text().splitlines()) if log.exists() else 0


class Far(World):
    """The server is far away: so many seconds there and back."""

    def __init__(self, servers, number, latency):
        super().__init__(servers, number)
        self.latency = latency

    def begin(self):
        self.wire.delay = self.latency / 2


class Stalling(World):
    """Whenever something happens, the wire stalls, and takes it up again after so many seconds."""

    def __init__(self, servers, number, seconds):
        super().__init__(servers, number)
        self.latency = self.seconds = seconds

    def at(self, number, step, player):
        self.wire.stall(self.seconds)


class Cut(World):
    """The wire is cut before one step, and mended before that or a later one; a run may end meanwhile."""

    def __init__(self, servers, number, cut, mended, ends):
        super().__init__(servers, number)
        self.cut, self.mended, self.ends = cut, mended, ends
        # The first way back is up to 2 s away.
        self.latency = 1

    def at(self, number, step, player):
        if number == self.cut:
            self._cut(player)
        if number == self.mended:
            self._mend(player)

    def _cut(self, player):
        self.wire.cut()
        self.is_connected = False
        player.page.until(lambda: self._is(player, "lost"), 5, lambda: "the page does not hear that its socket is lost")
        if self.ends:
            self.end()
        # Longer than a closing lasts.
        time.sleep(0.8)
        shown = player.page.turns()
        player.page.look()
        if player.page.turns() != shown:
            raise Mismatch(f"without a wire the page shows {player.page.turns()} after {shown}")

    def _mend(self, player):
        self.wire.mend()
        self.is_connected = True
        player.engine.evaluate("(dispatchEvent(new Event('online')), 1)")
        player.page.until(lambda: self._is(player, "heard"), 20, lambda: "the page does not come back")

    @staticmethod
    def _is(player, kind):
        """Whether the page's newest word of its socket is that it was lost, or that somebody is heard again."""
        newest = next((note["kind"] for note in reversed(player.page.notes) if note["kind"] in ("lost", "heard")), None)
        return True if newest == kind else None
