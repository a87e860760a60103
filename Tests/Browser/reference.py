"""The client of Documentation/Protocol.md, as it stands there, against a server that is cut off and falsified."""

import json
import re
import time
import urllib.request
from pathlib import Path

from embedding import elsewhere
from harness import test, tsv
from prediction import WIRE, alter
from proxy import Wire

PROTOCOL = Path(__file__).resolve().parents[2] / "Documentation/Protocol.md"
MODULE = re.search(r"^## A client in eighty lines$.*?^```js\n(.*?)^```$", PROTOCOL.read_text(), re.MULTILINE | re.DOTALL)[1]


class Followed:
    """A list that shows a file, and a page elsewhere that follows it by the client alone."""

    def __init__(self, stage, rows=(), demo=None, wish="false"):
        self.file = stage.folder / "rows"
        self.write(rows)
        site, origin = elsewhere("")
        list = {"name": "list", "demo": demo} if demo else tsv("list", f"cat '{self.file}'", ("title", "badge"))
        self.url = stage.serve([list], "--allow-origin", origin)
        self.wire = Wire(self.url)
        site.html = f"""<!doctype html><title>Elsewhere</title><script type="module">{MODULE}
            follow('{self.wire.url.replace("http", "ws")}ws', 'list', (revision, rows) => {{
                window.seen = rows.map(([key, {{ fields }}]) => [key, fields]);
                (window.revisions ??= []).push(revision);
            }}, {wish});</script>"""
        self.shown = stage.open(origin, script=WIRE)
        self.wait()

    def write(self, rows):
        self.file.write_text("".join("\t".join(row) + "\n" for row in rows))

    def refresh(self):
        """As another program does, past the wire."""
        urllib.request.urlopen(urllib.request.Request(f"{self.url}lists/list/refresh", method="POST", data=b"")).read()

    @property
    def rows(self):
        answer = json.load(urllib.request.urlopen(f"{self.url}lists/list"))
        return [[row["key"], row["fields"]] for row in answer["rows"]]

    def sent(self, kind):
        return [message for message in self.shown.page.evaluate("window.sent") if message["type"] == kind]

    def wait(self, key=None):
        """Until the client shows what the server has, and that begins with this key if one is given."""
        deadline = time.monotonic() + 15
        while (seen := self.shown.page.evaluate("window.seen")) != self.rows or (key and seen[0][0] != key) or not seen:
            assert time.monotonic() < deadline, f"the client shows {seen}, the server has {self.rows}"
            self.shown.rest(50)


@test
def the_reference_client_is_short(_):
    assert len(MODULE.splitlines()) <= 80, len(MODULE.splitlines())


@test
def the_reference_client_resumes_after_a_cut_and_sees_no_revision_twice(stage):
    list = Followed(stage, [("a", "Alpha", "1"), ("b", "Beta", "2")])
    list.wire.cut()
    list.write([("c", "Gamma", "3"), ("b", "Beta", "4")])
    list.refresh()
    list.wire.mend()
    list.wait("c")
    watch = list.sent("watch")[-1]
    assert watch["epoch"] and watch["revision"] >= 1, "it watched anew although it could resume"
    revisions = list.shown.page.evaluate("window.revisions")
    assert revisions == sorted(set(revisions)), revisions


@test
def the_reference_client_asks_for_the_digest_and_is_content_where_it_agrees(stage):
    # Names that JavaScript would order by number, letters beyond ASCII, and text that is escaped.
    list = Followed(stage, [("10", "Zehn \u00e4\u20ac\U0001f600", "\u2028"), ("9", 'a "quoted" \\ word', "2")])
    list.shown.page.wait_for_function("() => window.sent.some(message => message.type === 'digest')")
    list.shown.rest(1000)
    assert len(list.sent("watch")) == 1, "it watched anew although its rows were right"


@test
def the_reference_client_watches_anew_where_the_digest_differs(stage):
    list = Followed(stage, [("a", "Alpha", "1")])
    alter(list.shown, """frame => {
        if (frame.type === 'patch' && !window.falsified) {
            window.falsified = true;
            frame.set[0].fields.title = 'Falsified';
        }
        return frame;
    }""")
    list.write([("a", "Alpha, changed", "1")])
    list.refresh()
    list.shown.page.wait_for_function("() => window.falsified")
    list.wait()
    assert "epoch" not in list.sent("watch")[-1], "it resumed from rows that were wrong"


@test
def the_reference_client_loads_every_page(stage):
    list = Followed(stage, demo="mailbox", wish="true")
    list.shown.page.wait_for_function("() => window.seen.length === 20", timeout=30_000)
    list.wait()
    assert [key for key, _ in list.rows] == [str(number) for number in range(4, -16, -1)]
    assert len(list.sent("more")) >= 4


@test
def the_reference_client_follows_a_list_over_a_restart_of_its_server(stage):
    list = Followed(stage, [("a", "Alpha", "1")])
    port = list.wire.target[1]
    list.wire.cut()
    stage.stop()
    list.write([("b", "Beta", "1")])
    stage.serve([tsv("list", f"cat '{list.file}'", ("title", "badge"))], "--allow-origin", list.shown.page.url.rstrip("/"), port=port)
    list.wire.mend()
    list.wait("b")
