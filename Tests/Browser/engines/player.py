"""A finger that plays a rule of Tests/Traces on a page, and looks at each step what page and server say."""

import time

CLAIMED = 40
"""Finger travel after which a pull has begun, in px: our slop is 8, and Chromium keeps the first 15 to itself."""
FLICK = 0.1
"""Seconds."""
NEAR = 1
"""How exactly an offset is met, in px: a screen knows whole ones only."""


class Mismatch(AssertionError):
    """Page, server and table do not agree."""


class TouchLost(Exception):
    """The browser took the finger away, as Chromium does where a page has no time to answer within 200 ms."""


class Finger:
    """Brings the content to an offset, wherever it is displaced to already, as a person does: by looking at it."""

    def __init__(self, pointer, page, start, slope):
        self.pointer, self.page, self.start, self.slope = pointer, page, start, slope
        self.is_down = False

    def pull(self, offset):
        if not self.is_down:
            self.down()
        for _ in range(8):
            shown = self.page.offset()
            if abs(shown - offset) <= NEAR:
                return
            self._go(self.dy + travel(offset, self.page.height) - travel(shown, self.page.height))
        raise Mismatch(f"the content is displaced by {self.page.offset()} instead of {offset} px")

    def down(self):
        self.page.forget()
        self.pointer.down(*self.start)
        # What is over at once is a flick, which primes nothing.
        time.sleep(FLICK)
        self.is_down = True
        self.dy = 0
        self._go(CLAIMED)

    def up(self):
        self.pointer.up()
        self.is_down = False

    def _go(self, dy):
        x, y = self.start
        steps = max(3, min(10, round(abs(dy - self.dy) / 8)))
        self.dy = round(dy)
        self.pointer.move(x + self.dy * self.slope, y + self.dy, steps)


class Page:
    """What a page has noted. Nothing that was shown, however shortly, is missed."""

    def __init__(self, engine):
        self.engine = engine
        self.notes = []
        self.since = 0
        self.height = min(900, max(480, engine.evaluate("stage.height")))

    def look(self):
        self.notes += self.engine.evaluate(f"notes.slice({len(self.notes)})")
        if faults := [note["message"] for note in self.notes if note["kind"] == "fault"]:
            raise Mismatch(f"the page has a fault: {faults[0]}")
        return self.notes

    def until(self, seen, seconds, complaint):
        """Waits until the notes show something, and gives it."""
        deadline = time.monotonic() + seconds
        while True:
            self.look()
            if (value := seen()) is not None:
                return value
            if time.monotonic() > deadline:
                raise Mismatch(complaint())
            time.sleep(0.01)

    def forget(self):
        """A finger comes down: what was pulled before is not its."""
        self.since = len(self.look())

    def is_touch_lost(self):
        """Whether the browser itself has ended a touch, lets nobody prevent it, or let the page hear none of its way."""
        notes = [note for note in self.notes[self.since:] if note["kind"] == "touch"]
        touches = [note["type"] for note in notes]
        is_free = any(note["type"] == "touchstart" and not note["cancelable"] for note in notes)
        return is_free or "touchcancel" in touches or "touchmove" not in touches

    def offset(self):
        """How far the content is displaced once the finger's moves have arrived."""
        samples = -1
        while samples != (samples := len(self.samples())):
            time.sleep(0.05)
            self.look()
        return self.until(lambda: self.samples()[-1]["offset"] if self.samples() else None, 2, lambda: "the finger pulls nothing")

    def samples(self):
        return [note for note in self.notes[self.since:] if note["kind"] == "pull"]

    def turns(self):
        """The phases that were shown, one after the other."""
        return [note["to"] for note in self.notes if note["kind"] == "turn"]

    def sent(self, kind):
        return [note["frame"] for note in self.notes if note["kind"] == "sent" and note["frame"]["type"] == kind]

    def heard(self, kind):
        return [note["frame"] for note in self.notes if note["kind"] == "heard" and note["frame"]["type"] == kind]


class Player:
    """Plays one rule, step by step. `world` moves what fingers don't: it begins and ends runs, and cuts wires."""

    def __init__(self, engine, rule, gesture, world):
        self.rule, self.gesture, self.world = rule, gesture, world
        self.page = Page(engine)
        self.finger = Finger(getattr(engine, gesture.pointer), self.page, gesture.start, gesture.slope)
        self.engine = engine
        self.patience = 8 + 6 * world.latency
        self.shown = self.said = 0
        self.phase = "waiting"

    def play(self):
        self.gesture.before(self)
        for number, step in enumerate(self.rule.steps, 1):
            try:
                self.world.at(number, step, self)
                self._perform(step)
                self._compare(step)
                self.gesture.after(self, step)
            except Mismatch as error:
                if self.page.is_touch_lost():
                    raise TouchLost from error
                raise Mismatch(f"step {number}, {step}  {'  '.join([step.phase, *step.columns])}: {error}") from None
        self._rest()

    def _perform(self, step):
        if step.event == "pull":
            self.finger.pull(step.offset)
        elif step.event == "release":
            self.finger.up()
        elif step.event == "cancel":
            self.gesture.cancel(self)
        elif step.event == "end":
            self.world.end()

    def _compare(self, step):
        if step.event == "touch":
            return
        self._compare_page(step)
        if self.world.is_connected:
            getattr(self, f"_compare_{step.event}", self._compare_list)(step)

    def _compare_page(self, step):
        """A phase that differs from the last is the next that was shown. On the way, a refresh that is asked for may show
        primed, a finger that interrupts a closing waiting, and a list that is heard again closing, if it came in time.
        """
        if step.phase == self.phase or (step.asks and not self.world.is_connected):
            return
        between = ["primed"] if step.asks and self.phase != "primed" else ["waiting"] if self.phase == "closing" and step.event == "pull" else []
        if step.event == "list":
            between = ["closing"]
        self.phase = self.page.until(lambda: self._next(between), self.patience, lambda: f"the page goes on showing {self.phase}")
        if self.phase != step.phase:
            raise Mismatch(f"the page shows {self.phase}")

    def _next(self, between):
        turns = self.page.turns()[self.shown:]
        while turns and turns[0] in between:
            turns.pop(0)
            self.shown += 1
        if not turns:
            return None
        self.shown += 1
        return turns[0]

    def _compare_pull(self, step):
        """The answer to the newest sample that was sent."""
        def answered():
            sample = self.page.samples()[-1]
            sent = self.page.sent("pull")
            told = [state for state in self.page.heard("state") if state.get("gesture") == sample["gesture"]]
            if not sent or not told or sent[-1]["offset"] != sample["offset"]:
                return None
            return True if (told[-1]["phase"], told[-1]["progress"]) == (step.phase, sample["progress"]) else None

        def complaint():
            told = [state for state in self.page.heard("state") if "gesture" in state]
            return f"of {self.page.samples()[-1]} the server was told {self.page.sent('pull')[-1:]} and says {told[-1:]}"

        self.page.until(answered, self.patience, complaint)

    def _compare_release(self, step):
        def answer():
            releases = self.page.sent("release")
            told = [frame for kind in ("ok", "error") for frame in self.page.heard(kind) if releases and frame.get("id") == releases[-1]["id"]]
            return told[0] if told else None

        told = self.page.until(answer, self.patience, lambda: "the server does not answer the release")
        said = told.get("reason") if not told.get("run") else step.answer if step.answer == "own" else "joins" if told.get("joined") else "run"
        if step.answer and said != step.answer:
            raise Mismatch(f"the server answers {told}")

    def _compare_cancel(self, step):
        def let_go():
            gesture = self.page.samples()[-1]["gesture"]
            if not any(frame["gesture"] == gesture for frame in self.page.sent("cancel")):
                return None
            told = [state for state in self.page.heard("state") if state.get("gesture") == gesture]
            return True if told and (told[-1]["phase"], told[-1]["progress"]) == (step.phase, 0) else None

        self.page.until(let_go, self.patience, lambda: f"the server says {self.page.heard('state')[-1:]} of {self.page.sent('cancel')}")
        if self.page.sent("release"):
            raise Mismatch("what was cancelled was released, too")

    def _compare_list(self, step):
        """What the list itself says after what it said at the last such step."""
        def said():
            phases = [state["phase"] for state in self.page.heard("state") if "gesture" not in state]
            if step.phase not in phases[self.said:]:
                return None
            self.said = phases.index(step.phase, self.said) + 1
            return True

        self.page.until(said, self.patience, lambda: f"the list says {self.page.heard('state')[-1:]}")

    def _rest(self):
        """Nothing follows that the table does not know."""
        time.sleep(0.15)
        self.page.look()
        if more := self.page.turns()[self.shown:]:
            raise Mismatch(f"after the last step the page shows {', '.join(more)}")
        if (runs := self.world.runs()) != self.rule.runs:
            raise Mismatch(f"the list refreshed {runs} times, and should have {self.rule.runs} times")


def travel(offset, height):
    """The finger's way to an offset, less the slop: the rubber band backwards."""
    return ((1 / (1 - offset / height) - 1) * height) / 0.55 if offset > 0 else 0
