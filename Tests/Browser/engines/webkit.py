"""WebKitGTK's MiniBrowser, asked by its WebDriver."""

import base64
import glob
import json
import shutil
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from .engine import Engine, free_port

BROWSERS = ["/usr/lib/*/webkit2gtk-4.1/MiniBrowser", "/usr/lib/*/webkit2gtk-4.0/MiniBrowser", "/usr/libexec/webkit2gtk-4.*/MiniBrowser"]

# Its usual window has a bar, and is wider than a phone for it.
BARE = "!!open('about:blank', 'bare', 'toolbar=no,menubar=no,location=no,left=0,top=0,width=390,height=844')"


class WebKit(Engine):
    name = "webkit"
    session = None

    @staticmethod
    def binary():
        return next((path for pattern in BROWSERS for path in glob.glob(pattern)), None)

    @classmethod
    def missing(cls):
        return None if cls.binary() and shutil.which("WebKitWebDriver") else "WebKitGTK (package webkit2gtk-driver)"

    def start(self):
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        theme = "Adwaita:dark" if self.is_dark else "Adwaita"
        self.launch(
            "WebKitWebDriver", f"--port={port}",
            GDK_BACKEND="x11", GTK_THEME=theme, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS="1",
        )
        self.until(lambda: self._request("GET", "/status"))
        options = {"binary": self.binary(), "args": ["--automation", "--javascript-can-open-windows-automatically=true"]}
        session = self._request("POST", "/session", {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}})
        self.session = f"/session/{session['sessionId']}"
        self._undress()
        self.resize(*self.size)

    def stop(self):
        if self.session:
            self._call("DELETE", "")
            self.session = None
        super().stop()

    def navigate(self, url):
        self._call("POST", "/url", {"url": url})

    def ask(self, expression):
        script = f"const told = arguments[0]; ({expression}).then(told, (error) => told({{ error: String(error) }}))"
        told = self._call("POST", "/execute/async", {"script": script, "args": []})
        if isinstance(told, dict):
            raise AssertionError(told["error"])
        return told

    def screenshot(self, path):
        Path(path).write_bytes(base64.b64decode(self._call("GET", "/screenshot")))

    def resize(self, width, height):
        self.size = (width, height)
        self._call("POST", "/window/rect", {"x": 0, "y": 0, "width": width, "height": height})
        self.wait_for(f"innerWidth === {width} && innerHeight === {height}")

    def dark(self, is_dark):
        """It asks its toolkit once, at the start."""
        if is_dark == self.is_dark:
            return
        self.is_dark = is_dark
        self.stop()
        self.start()
        if self.url:
            self.open(self.url)

    def _undress(self):
        """Goes on in a window without a bar."""
        first = self._call("GET", "/window")
        assert self.evaluate(BARE), "MiniBrowser opened no window"
        bare = self.until(lambda: [handle for handle in self._call("GET", "/window/handles") if handle != first])
        self._call("DELETE", "/window")
        self._call("POST", "/window", {"handle": bare[0]})

    def _call(self, method, path, body=None):
        return self._request(method, self.session + path, body)

    def _request(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        try:
            with urlopen(Request(self.address + path, data, {"content-type": "application/json"}, method=method), timeout=120) as answer:
                # Ready is an empty object: an answer all the same.
                return json.load(answer)["value"]
        except HTTPError as error:
            raise AssertionError(f"WebKitWebDriver, {method} {path}: {error.read().decode()}") from None
