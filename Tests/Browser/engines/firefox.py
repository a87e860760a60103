"""Firefox, asked by WebDriver BiDi."""

import base64
import json
import shutil
from pathlib import Path

from .engine import Engine
from .wire import Wire

NAMES = ["firefox-esr", "firefox"]

# A screen that can be touched is not looked for where there was none at the start.
PREFERENCES = {
    "dom.w3c_touch_events.enabled": 1,
    "remote.active-protocols": 1,
    "app.update.enabled": False,
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "browser.tabs.unloadOnLowMemory": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}


class Firefox(Engine):
    name = "firefox"

    @staticmethod
    def binary():
        return next(filter(None, map(shutil.which, NAMES)), None)

    @classmethod
    def missing(cls):
        return None if cls.binary() else "Firefox (package firefox-esr)"

    def start(self):
        profile = self.folder / "profile"
        profile.mkdir()
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items())
        (profile / "user.js").write_text("".join(lines))
        self.launch(
            self.binary(), "--profile", profile, "--no-remote", "--remote-debugging-port=0", "--remote-allow-system-access",
            "--kiosk", "about:blank", MOZ_USE_XINPUT2="1",
        )
        told = self.until(lambda: json.loads((profile / "WebDriverBiDiServer.json").read_text()))
        self.wire = self.until(lambda: Wire(f"ws://{told['ws_host']}:{told['ws_port']}/session"))
        self.call = self.wire.call
        self.call("session.new", capabilities={})
        self.page = self.until(lambda: self.call("browsingContext.getTree")["contexts"])[0]["context"]
        self.resize(*self.size)

    def navigate(self, url):
        self.call("browsingContext.navigate", context=self.page, url=url, wait="complete")

    def ask(self, expression):
        told = self.call("script.evaluate", expression=expression, target={"context": self.page}, awaitPromise=True)
        if told["type"] != "success":
            raise AssertionError(told["exceptionDetails"]["text"])
        return told["result"]["value"]

    def screenshot(self, path):
        # Firefox paints it anew, without what filters do to a backdrop: what shines through the bar here is blurred on a screen.
        Path(path).write_bytes(base64.b64decode(self.call("browsingContext.captureScreenshot", context=self.page)["data"]))

    def resize(self, width, height):
        self.size = (width, height)
        self.call("browsingContext.setViewport", context=self.page, viewport={"width": width, "height": height})
        self.wait_for(f"innerWidth === {width} && innerHeight === {height}")

    def dark(self, is_dark):
        window = self.call("browsingContext.getTree", **{"moz:scope": "chrome"})["contexts"][0]["context"]
        choice = 0 if is_dark else 1
        self.call(
            "script.evaluate", target={"context": window}, awaitPromise=False,
            expression=f"Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', {choice})",
        )
        self.wait_for(f"matchMedia('(prefers-color-scheme: dark)').matches === {json.dumps(is_dark)}")
