"""A page of Playwright's, driven as the scenes want it."""

import json


class Still:
    """What the scenes need of a page, and no more than a browser of any kind has."""

    def __init__(self, shown):
        self.page, self.finger = shown.page, Touch(shown.finger)

    def open(self, url):
        # The same address again, with another place on the page, would be no new page.
        self.page.goto("about:blank")
        self.page.goto(url)

    def evaluate(self, expression):
        return json.loads(self.page.evaluate(f"(async () => JSON.stringify((await ({expression})) ?? null))()"))

    def screenshot(self, path):
        self.page.screenshot(path=path)

    def dark(self, is_dark):
        self.page.emulate_media(color_scheme="dark" if is_dark else "light")


class Touch:
    """A finger that is told where to go, not how far."""

    def __init__(self, finger):
        self.finger = finger

    def down(self, x, y):
        self.finger.down(x, y)

    def move(self, x, y):
        self.finger.move(y - self.finger.y, x - self.finger.x)

    def up(self):
        self.finger.up()
