"""Chromium, asked by the DevTools protocol."""

import base64
import json
import shutil
import time
from pathlib import Path
from urllib.request import urlopen

from .engine import Engine
from .wire import Wire

NAMES = ["chromium", "chromium-browser", "google-chrome", "chrome"]


class Chromium(Engine):
    name = "chromium"

    @staticmethod
    def binary():
        return next(filter(None, map(shutil.which, NAMES)), None)

    @classmethod
    def missing(cls):
        return None if cls.binary() else "Chromium (package chromium)"

    def start(self):
        profile = self.folder / "profile"
        self.launch(
            self.binary(), "--no-sandbox", "--no-first-run", "--touch-events=enabled", "--remote-debugging-port=0",
            f"--user-data-dir={profile}", "--window-position=0,0", "--force-color-profile=srgb", "--app=data:text/html,",
        )
        port = self.until(lambda: (profile / "DevToolsActivePort").read_text().split("\n")[0])
        page = self.until(lambda: self._page(port))
        self.wire = Wire(page["webSocketDebuggerUrl"])
        self.call = self.wire.call
        self.resize(*self.size)

    def navigate(self, url):
        self.call("Page.enable")
        self.call("Page.navigate", url=url)
        self.wait_for("document.readyState === 'complete' && location.protocol !== 'data:'")

    def ask(self, expression):
        told = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in told:
            raise AssertionError(told["exceptionDetails"]["exception"].get("description", told["exceptionDetails"]["text"]))
        return told["result"]["value"]

    def screenshot(self, path):
        Path(path).write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def resize(self, width, height):
        self.size = (width, height)
        window = self.call("Browser.getWindowForTarget")["windowId"]
        # Its own furniture comes on top; a window that has only just opened may choose another size yet.
        deadline = time.monotonic() + 15
        while self.evaluate("[innerWidth, innerHeight]") != [width, height]:
            if time.monotonic() > deadline:
                raise AssertionError(f"the window is not {width} × {height} after 15 s")
            bounds = {"left": 0, "top": 0, "width": width, "height": height + self.evaluate("outerHeight - innerHeight")}
            self.call("Browser.setWindowBounds", windowId=window, bounds=bounds)
            time.sleep(0.1)

    def dark(self, is_dark):
        scheme = "dark" if is_dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    @staticmethod
    def _page(port):
        with urlopen(f"http://127.0.0.1:{port}/json/list", timeout=5) as answer:
            return next((target for target in json.load(answer) if target["type"] == "page"), None)
