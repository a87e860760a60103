"""A finger on a phone: trusted touch events, as the browser's own protocol sends them."""

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
