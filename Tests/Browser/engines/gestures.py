"""How fingers play the rules of Tests/Traces/finger.trace: where they come down, and what they do besides."""

import time
from dataclasses import dataclass
from typing import Callable

from .player import Mismatch


def nothing(*_):
    """For gestures that do no more than the table says."""


@dataclass
class Gesture:
    rule: str
    rows: str = "short"
    scene: str = "page"
    pointer: str = "finger"
    start: tuple = (195, 220)
    slope: float = 0
    """Of x to y."""
    before: Callable = nothing
    cancel: Callable = nothing
    after: Callable = nothing


def second_finger(player):
    player.engine.finger.second_finger()
    player.finger.up()


def lose_touch(player):
    player.engine.evaluate("lose()")
    player.finger.up()


def lose_pointer(player):
    player.engine.evaluate("losePointer()")
    player.finger.up()


def swipe(player, ways):
    """Draws by each of the ways, none of which is a pull."""
    x, y = player.gesture.start
    for dx, dy in ways:
        player.engine.finger.down(x, y)
        player.engine.finger.move(x + dx, y + dy)
        player.engine.finger.up()
    # While a page is still flung, Chromium lets no touch be prevented.
    time.sleep(0.5)
    expect_nothing(player)


def expect_nothing(player):
    player.page.look()
    if player.page.sent("pull") or player.page.turns():
        raise Mismatch(f"before the rule the page sends {player.page.sent('pull')[:1]} and shows {player.page.turns()}")


def swipe_aside(player):
    # To both sides, to the diagonal, and nearly: a pull is 1.2 times as steep.
    swipe(player, [(150, 0), (-150, 0), (150, 150), (-150, 150), (140, 155), (0, -60)])


def scroll_inner(player):
    """The inner scroller is brought to its top by two fingers' work, and none of it pulls."""
    player.engine.evaluate("(document.querySelector('.inner-scroller .inner-scroller').scrollTop = 90, 1)")
    swipe(player, [(0, 60)])
    if not player.engine.wait_for("document.querySelector('.inner-scroller .inner-scroller').scrollTop < 60"):
        raise Mismatch("what scrolls inside the list does not scroll")
    player.engine.evaluate("(document.querySelector('.inner-scroller .inner-scroller').scrollTop = 0, 1)")


def scroll_away(player, step):
    """While the list loads, a finger scrolls down and back up, and the page keeps what it shows."""
    if step.event != "begin":
        return
    finger = player.engine.finger
    finger.down(195, 600)
    finger.move(195, 300)
    finger.up()
    player.engine.wait_for("stage.scroller.scrollTop > 40")
    settle(player)
    player.engine.evaluate("(stage.scroller.scrollTop = 0, 1)")


def settle(player):
    """Waits for the end of the momentum."""
    player.engine.evaluate("""new Promise((resolve) => {
        let before = -1;
        const look = () => {
            const now = stage.scroller.scrollTop;
            if (now === before) return resolve();
            before = now;
            setTimeout(look, 60);
        };
        look();
    })""")


def pull_again(player, step):
    """A second pull at once, before the list has had time for the first."""
    if step.event != "release" or player.page.sent("release")[1:]:
        return
    x, y = player.gesture.start
    player.engine.finger.down(x, y)
    player.engine.finger.move(x, y + 180)
    player.engine.finger.up()


GESTURES = [
    Gesture("A finger pulls and lets go."),
    Gesture("A finger that falls short asks for nothing."),
    Gesture("A finger drags back and lets go."),
    Gesture("A finger drags back, pulls again and lets go."),
    Gesture("A second finger abandons the pull.", cancel=second_finger),
    Gesture("A touch that is taken away abandons the pull.", cancel=lose_touch),
    Gesture("A pointer that is taken away abandons the pull.", pointer="mouse", start=(195, 30), cancel=lose_pointer),
    Gesture("A mouse pulls as a finger does.", pointer="mouse", start=(195, 30)),
    Gesture("A finger that swipes to the side first pulls with its next touch.", before=swipe_aside),
    Gesture("A finger that draws to the side pulls all the same if it is steep.", slope=0.6),
    Gesture("A list in a scroller is pulled at that scroller's top.", rows="long", scene="inner"),
    Gesture("What scrolls inside a list scrolls first, and is pulled at its top.", scene="inner-scroller", start=(195, 160), before=scroll_inner),
    Gesture("A list without rows can be pulled.", rows="none", start=(195, 400)),
    Gesture("A finger scrolls while the list loads.", rows="long", after=scroll_away),
    Gesture("A new finger interrupts the closing."),
    Gesture("Two quick pulls are one refresh, and a third is the next.", after=pull_again),
    Gesture("A finger comes back to refresh."),
    Gesture("A finger crosses to refresh."),
]

AGAIN = Gesture("A run that ends while nobody hears of it is over when the list is heard again.")

# In which phase the wire is cut: the gesture, before which of its steps it is cut and before which it is mended (None:
# once the gesture is over), and whether the run ends meanwhile.
CUTS = [
    ("waiting", GESTURES[0], 1, 2, False),
    ("pulling", GESTURES[0], 2, 3, False),
    ("primed", GESTURES[0], 3, 4, False),
    ("loading", GESTURES[0], 5, 5, False),
    ("closing", GESTURES[0], 6, 6, False),
    ("loading", AGAIN, 4, 4, True),
    ("waiting", GESTURES[1], 1, 2, False),
    ("primed", GESTURES[2], 2, 3, False),
    ("primed", GESTURES[4], 2, None, False),
    ("loading", GESTURES[13], 4, 4, False),
    ("closing", GESTURES[14], 5, 8, False),
]
