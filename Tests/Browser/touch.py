"""A finger on a phone: trusted touch events, as the browser's own protocol sends them."""

# Touches quicker than any test can make them from outside, by a clock of their own.
QUICK = """([list, moves, after]) => {
    const target = list.shadowRoot.querySelector('[part=row]');
    const start = performance.now();
    const touch = (type, y, at) => {
        const touches = y === null ? [] : [new Touch({ identifier: 1, target, clientX: 195, clientY: 220 + y })];
        const event = new TouchEvent(type, { bubbles: true, composed: true, cancelable: true, touches });
        Object.defineProperty(event, 'timeStamp', { value: start + at });
        target.dispatchEvent(event);
    };
    touch('touchstart', 0, 0);
    for (const [y, at] of moves) touch('touchmove', y, at);
    if (after !== null) touch('touchend', null, moves.at(-1)[1] + after);
}"""


def quick(shown, moves, up=5):
    """A touch whose moves are (travel in px, ms since it came down); it goes up so many ms after the last. None: it stays."""
    shown.page.evaluate(QUICK, [shown.handle, moves, up])


class Finger:
    """Comes down, moves and goes up; distances are finger travel in px, of which the page shows less."""

    def __init__(self, page):
        self.page = page
        self.session = page.context.new_cdp_session(page)
        self.x, self.y = 0, 0
        self.others = []

    def down(self, x=195, y=220):
        self.x, self.y = x, y
        self.others = []
        self._send("touchStart", [(x, y)])

    def move(self, dy, dx=0, steps=10, pause=16):
        """Moves on by so much, with so many ms between two steps."""
        x, y = self.x, self.y
        for step in range(1, steps + 1):
            self.x, self.y = x + dx * step / steps, y + dy * step / steps
            self._send("touchMove", [(self.x, self.y), *self.others])
            if pause:
                self.page.wait_for_timeout(pause)

    def up(self):
        self._send("touchEnd", [])

    def second(self, x=275, y=220):
        """Another finger comes down."""
        self.others = [(x, y)]
        self._send("touchStart", [(self.x, self.y), *self.others])

    def lose(self):
        """The system takes the touch away."""
        self._send("touchCancel", [])

    def pull(self, dy):
        """Down, so far, and up."""
        self.down()
        self.move(dy)
        self.up()

    def _send(self, kind, points):
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
