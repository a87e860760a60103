"""What all engines have in common: a screen, a window on it, fingers, and a page that is asked."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from .touches import Finger, Keyboard, Mouse
from .xorg import Xorg

PHONE, DESKTOP = (390, 844), (1280, 800)
"""Sizes of the page in CSS px, which are px of the screen."""

# Firefox alone says where its page is; the others have nothing below it.
ORIGIN = "[window.mozInnerScreenX ?? screenX, window.mozInnerScreenY ?? screenY + outerHeight - innerHeight]"


class Engine:
    """A browser with one page. Subclasses say how it is started and asked."""

    name = ""

    def __init__(self, size=PHONE):
        self.size = size
        self.is_dark = False
        self.url = None
        self.folder = Path(tempfile.mkdtemp(prefix="refreshable-engine-"))
        self.processes = []
        self.screen = Xorg()
        self.finger = Finger(self)
        self.mouse = Mouse(self)
        self.keyboard = Keyboard(self)
        try:
            self.start()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.stop()
        self.screen.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def open(self, url):
        """Shows a page and waits until it is loaded."""
        self.url = url
        self.navigate(url)
        self.origin = self.evaluate(ORIGIN)

    def evaluate(self, expression):
        """The JSON value of an expression of the page; what is promised is awaited."""
        told = self.ask(f"(async () => JSON.stringify((await ({expression})) ?? null))()")
        return json.loads(told)

    def wait_for(self, expression, seconds=15):
        """Waits until an expression of the page is true, and gives its value."""
        deadline = time.monotonic() + seconds
        while not (value := self.evaluate(expression)):
            if time.monotonic() > deadline:
                raise AssertionError(f"not true after {seconds} s: {expression}")
            time.sleep(0.02)
        return value

    def launch(self, *command, **environment):
        """Starts a process of the browser on our screen, ended with it."""
        own = {"DISPLAY": self.screen.display, "HOME": str(self.folder), "LIBGL_ALWAYS_SOFTWARE": "1", "NO_AT_BRIDGE": "1"}
        with (self.folder / "log").open("a") as log:
            process = subprocess.Popen(list(map(str, command)), env={**os.environ, **own, **environment}, stdout=log, stderr=log)
        self.processes.append(process)

    def stop(self):
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait(20)
        self.processes = []

    def until(self, attempt, seconds=90):
        """The first answer of a browser that has yet to start; it says nothing or fails until then."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                if answer := attempt():
                    return answer
            except OSError:
                # Not yet there.
                pass
            if time.monotonic() > deadline:
                raise AssertionError(f"{self.name} did not start in {seconds} s:\n{(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.05)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]
