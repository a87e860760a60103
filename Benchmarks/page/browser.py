"""A Chromium that nothing watches but what we ask it: a tester's own hooks would be measured too."""

import json
import subprocess
import tempfile
import time
from pathlib import Path

from websockets.sync.client import connect

from timeline import CATEGORIES, Timeline

PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}


class Browser:
    """One phone-sized page, spoken to by the DevTools protocol."""

    def __init__(self, chromium):
        self.folder = tempfile.TemporaryDirectory(prefix="refreshable-", ignore_cleanup_errors=True)
        flags = ["--headless=new", "--no-sandbox", "--no-first-run", "--remote-debugging-port=0", f"--user-data-dir={self.folder.name}"]
        self.process = subprocess.Popen([chromium, *flags, "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket = connect(self._address(), max_size=None, compression=None)
        self.number, self.heard = 0, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Emulation.setDeviceMetricsOverride", **PHONE)
        self.ask("Emulation.setTouchEmulationEnabled", enabled=True)

    def _address(self):
        file = Path(self.folder.name) / "DevToolsActivePort"
        for _ in range(300):
            if file.exists() and len(lines := file.read_text().split()) == 2:
                return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
            time.sleep(0.1)
        raise RuntimeError("Chromium did not open its debugging port within 30 s.")

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait(10)
        self.folder.cleanup()

    def call(self, method, session=None, **parameters):
        """Calls a method of the browser, or of the page by its session, and waits for its result."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        self.socket.send(json.dumps(message | ({"sessionId": session} if session else {})))
        while True:
            answer = json.loads(self.socket.recv(timeout=60))
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.heard.append(answer)

    def ask(self, method, **parameters):
        return self.call(method, self.session, **parameters)

    def open(self, url):
        self.ask("Page.navigate", url=url)

    def evaluate(self, expression):
        """The value of an expression, or of what it promises."""
        result = self.ask("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait_for(self, expression):
        for _ in range(600):
            if self.evaluate(expression):
                return
            time.sleep(0.1)
        raise RuntimeError(f"waited for a minute in vain: {expression}")

    def touch(self, kind, *point):
        points = [{"x": point[0], "y": point[1]}] if point else []
        self.ask("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def wheel(self, x, y, distance):
        self._hint("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=distance)

    def _hint(self, method, **parameters):
        """Input that nobody waits for, as fingers don't."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters, "sessionId": self.session}
        self.socket.send(json.dumps(message))

    def slow_down(self, rate):
        self.ask("Emulation.setCPUThrottlingRate", rate=rate)

    def watch(self, action):
        """Performs an action and gives the timeline of what the page did meanwhile."""
        self.call("Tracing.start", traceConfig={"includedCategories": CATEGORIES}, transferMode="ReportEvents")
        action()
        self.heard.clear()
        self.call("Tracing.end")
        while not any(event.get("method") == "Tracing.tracingComplete" for event in self.heard):
            self.heard.append(json.loads(self.socket.recv(timeout=60)))
        chunks = [event["params"]["value"] for event in self.heard if event.get("method") == "Tracing.dataCollected"]
        return Timeline([event for chunk in chunks for event in chunk])
