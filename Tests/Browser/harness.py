"""A stage for each test: a server, pages that watch their own console, and a folder for what commands log."""

import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from touch import Finger

# Set by run.py.
BINARY = Path("refreshable")

PUBLIC = Path(__file__).resolve().parents[2] / "Public"
# Whether to hold everything to axe-core's rules, on a phone and a desk, light and dark, each with each.
IS_THOROUGH = False
# The folder whose page is tested; None: the one in the binary.
PAGE = PUBLIC
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
TESTS = []

# Notes the phases that people see, each with the time in ms.
TRACE = """list => {
    list.trace = [];
    list.addEventListener('phasechange', ({ detail }) => list.trace.push([detail.to, performance.now()]));
}"""


def test(function):
    """Marks a function as a test; its name is the rule."""
    TESTS.append(function)
    return function


def thoroughly(function):
    """Marks a function as a test that is left out where not everything is to be looked at."""
    return test(function) if IS_THOROUGH else function


def tsv(name, command, columns=("title",), **settings):
    """A list whose rows are a shell line's output: key TAB and the columns."""
    fields = {"key": 1, **{column: number for number, column in enumerate(columns, 2)}}
    return {"name": name, "command": command, "format": "tsv", "fields": fields, **settings}


class Stage:
    """What one test may use; everything is stopped and removed with it."""

    def __init__(self, browser):
        self.browser = browser
        self.folder = Path(tempfile.mkdtemp(prefix="refreshable-"))
        self.servers, self.contexts, self.noise = [], [], []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for context in self.contexts:
            context.close()
        for server in self.servers:
            server.terminate()
            server.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)

    def serve(self, lists, *flags, port=0):
        """Starts a server and gives the address of its page."""
        # Each has a file of its own: a server reads it again when it changes.
        file = self.folder / f"lists-{len(self.servers)}.yaml"
        # JSON is YAML.
        file.write_text(json.dumps({"lists": lists}))
        kept = [] if "--data" in flags else ["--ephemeral"]
        command = [BINARY, "serve", file, "--port", port, *kept, *flags]
        command += ["--public", PAGE] if PAGE and "--public" not in flags else []
        log = (self.folder / "server.log").open("a")
        server = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=log, text=True)
        self.servers.append(server)
        for line in server.stdout:
            if found := re.search(r"Serving \d+ lists? at (http://\S+?/?)(?=\s|$)", line):
                return found[1].rstrip("/") + "/"
        raise AssertionError(f"the server ended without serving: {(self.folder / 'server.log').read_text()}")

    def change(self, lists):
        """Has the newest server serve other lists, as an editor does that saves the settings."""
        scratch = self.folder / ".lists.yaml"
        scratch.write_text(json.dumps({"lists": lists}))
        scratch.rename(self.folder / f"lists-{len(self.servers) - 1}.yaml")

    def one(self, command, **settings):
        """Serves a single list, opens it on a phone and waits for its first load."""
        url = self.serve([tsv("list", command, **settings)])
        return self.open(f"{url}#list")

    def open(self, url, device=PHONE, script=None, at_rest=True, **options):
        """Opens a page, after a script of ours if one is given; one that shows a list is ready once that is at rest, as a rule."""
        context = self.browser.new_context(**device, **options)
        context.set_default_timeout(15_000)
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.noise.append(f"uncaught: {error}"))
        if script:
            page.add_init_script(script)
        page.goto(url)
        return Shown(page, self.folder).ready() if "#" in url and at_rest else Shown(page, self.folder)

    def stop(self):
        """Stops the newest server as an operator would."""
        server = self.servers.pop()
        server.terminate()
        server.wait(10)

    def count(self, name="log"):
        """How many lines a command has logged, that is how often it ran."""
        file = self.folder / name
        return len(file.read_text().splitlines()) if file.exists() else 0

    def check_silence(self):
        """Nothing is to be heard from a console: no error, no refused script or style."""
        assert not self.noise, self.noise

    def _hear(self, message):
        # A socket that was cut is reported by the browser itself; the tests that cut one mean to.
        if message.type in ("error", "warning") and "WebSocket connection" not in message.text:
            self.noise.append(f"{message.type}: {message.text}")


class Shown:
    """A page and the list on it."""

    def __init__(self, page, folder):
        self.page, self.folder = page, folder
        self.finger = Finger(page)
        self.list = page.locator("refreshable-list").first

    def ready(self):
        self.list.wait_for()
        self.page.wait_for_function(
            "list => list.shadowRoot.querySelector('[part=skeleton]').hidden && list.phase === 'waiting'", arg=self.handle
        )
        self.list.evaluate(TRACE)
        return self

    @property
    def handle(self):
        return self.list.element_handle()

    @property
    def phase(self):
        return self.list.get_attribute("phase")

    @property
    def trace(self):
        """The phases shown since it was ready, as [phase, ms]."""
        return self.list.evaluate("list => list.trace")

    @property
    def phases(self):
        return [phase for phase, _ in self.trace]

    @property
    def titles(self):
        return self.list.evaluate("list => [...list.shadowRoot.querySelectorAll('[part=row] > [part=title]')].map(e => e.textContent)")

    def part(self, name):
        return self.list.locator(f"[part~={name}]")

    def top(self, name="rows"):
        return self.part(name).evaluate("part => part.getBoundingClientRect().top")

    def wait_for_top(self, top, name="rows"):
        """Waits until a part is there, and sees it stay."""
        self.page.wait_for_function(
            "([part, top]) => Math.abs(part.getBoundingClientRect().top - top) < 1", arg=[self.part(name).element_handle(), top]
        )
        self.rest(100)
        assert abs(self.top(name) - top) < 1, (self.top(name), top)

    def wait_for_phase(self, phase):
        self.page.wait_for_function("([list, phase]) => list.getAttribute('phase') === phase", arg=[self.handle, phase])

    def wait_for_trace(self, phase, times=1):
        """Waits until a phase, however short, was shown so often since the list was ready."""
        self.page.wait_for_function(
            "([list, phase, times]) => list.trace.filter(([shown]) => shown === phase).length >= times",
            arg=[self.handle, phase, times],
        )

    def wait_for_titles(self, *titles):
        self.page.wait_for_function(
            "([list, wanted]) => [...list.shadowRoot.querySelectorAll('[part=row] > [part=title]')].map(e => e.textContent).join() === wanted",
            arg=[self.handle, ",".join(titles)],
        )

    def rest(self, milliseconds=300):
        """Lets time pass in which nothing should happen."""
        self.page.wait_for_timeout(milliseconds)
