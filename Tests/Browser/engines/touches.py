"""What touches a screen. Positions are px of the page; a page hears of them what its browser makes of them."""

import time

from .xorg import TOUCH_BEGIN, TOUCH_END, TOUCH_UPDATE

# As they are numbered where the X server has no other rules (xkeyboard-config, keycodes/xfree86).
KEYS = {"Home": 97, "PageUp": 99, "End": 103, "PageDown": 105}
FRAME = 0.016
"""Seconds between two moves."""


class Finger:
    """One finger, and a second one when it is needed."""

    def __init__(self, engine):
        self.engine = engine
        self.down_at = {}

    def down(self, x=195, y=220):
        self._touch(0, TOUCH_BEGIN, x, y)

    def move(self, x, y, steps=10, pause=FRAME):
        """Moves on to there, with so many seconds after each step."""
        from_x, from_y = self.down_at[0]
        for step in range(1, steps + 1):
            self._touch(0, TOUCH_UPDATE, from_x + (x - from_x) * step / steps, from_y + (y - from_y) * step / steps)
            time.sleep(pause)

    def second_finger(self, x=275, y=300):
        self._touch(1, TOUCH_BEGIN, x, y)

    def up(self):
        """Everything that is down goes up."""
        for number, (x, y) in list(self.down_at.items()):
            self._touch(number, TOUCH_END, x, y)
        self.down_at = {}

    def _touch(self, number, kind, x, y):
        self.down_at[number] = (x, y)
        left, top = self.engine.origin
        self.engine.screen.touch.touch(number, kind, left + x, top + y)


class Mouse:
    """Its primary button, which draws as a finger does."""

    def __init__(self, engine):
        self.engine = engine
        self.at = (0, 0)
        self.is_down = False

    def down(self, x=195, y=220):
        self._go(x, y)
        self._press(True)

    def move(self, x, y, steps=10, pause=FRAME):
        from_x, from_y = self.at
        for step in range(1, steps + 1):
            self._go(from_x + (x - from_x) * step / steps, from_y + (y - from_y) * step / steps)
            time.sleep(pause)

    def up(self):
        if self.is_down:
            self._press(False)

    def _go(self, x, y):
        self.at = (x, y)
        left, top = self.engine.origin
        self.engine.screen.mouse.move(left + x, top + y)

    def _press(self, is_down):
        self.is_down = is_down
        self.engine.screen.mouse.button(1, is_down)


class Keyboard:
    """Its keys go to the window below the mouse, once that has heard of the mouse: till then they are pressed in vain."""

    def __init__(self, engine):
        self.engine = engine

    def press(self, key):
        """Presses a key till the page hears it."""
        self.engine.evaluate("void addEventListener('keydown', () => { window.isHeard = true }, { once: true })")
        for _ in range(10):
            for is_down in (True, False):
                self.engine.screen.keyboard.key(KEYS[key], is_down)
            time.sleep(0.5)
            if self.engine.evaluate("window.isHeard ?? false"):
                self.engine.evaluate("void (window.isHeard = false)")
                return
        raise AssertionError(f"nobody hears {key}")
