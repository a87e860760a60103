"""A mailbox on whose rows people act, the commands that do it, and a person who is told what becomes of it."""

import secrets

from client import Client
from harness import Folder, eventually, tsv

MAIL = [("a", "From Ada"), ("b", "From Bob"), ("c", "From Cyd")]
# Waits while FOLDER/hold is there, fails if FOLDER/fail is, and writes down what it did: begin|end|asked RUN WHAT ROW.
WORK = """folder=$1 what=$2 row=$3
note() { echo "$1 $ACTION_RUN $what $row" >>"$folder/work.log"; }
note begin
trap 'note asked; exit 1' TERM
echo '#progress 1/2 Half of it'
while [ -e "$folder/hold" ]; do sleep 0.02; done
[ ! -e "$folder/fail" ] || { echo 'no such box: /secret/path' >&2; exit 3; }
note end
"""
# Reads its rows first and gives them later, so that what happens in between is not in them.
REFRESH = (
    "echo run >>'{0}/mail.log'; rows=$(cat '{0}/mail.tsv'); while [ -e '{0}/hold-rows' ]; do sleep 0.02; done; "
    "printf '%s\\n' \"$rows\""
)


def mailbox(**settings):
    """A folder, and its list with an action of each kind."""
    folder = Folder()
    folder.write("mail.tsv", MAIL)
    (folder / "work.sh").write_text(WORK)

    def work(what):
        return ["sh", "work.sh", str(folder.path), what, "{key}"]

    actions = [
        {"title": "Archive", "effect": "remove", "command": work("archive"), "undo": work("unarchive")},
        {"title": "Flag", "effect": {"badge": "!", "title": None}},
        {"title": "Check", "command": work("check")},
        {"title": "Delete for ever", "name": "delete", "effect": "remove", "command": work("delete"), "destructive": True},
    ]
    return folder, [tsv("mail", REFRESH.format(folder.path), **{"actions": actions, **settings})]


class Person:
    """A client that watches the list and acts."""

    def __init__(self, client):
        self.client = client

    @classmethod
    async def of(cls, server, **options):
        client = await Client.connect(server, **options)
        ok = await client.watch("mail")
        await client.settled("mail")
        person = cls(client)
        person.offered = ok.get("actions")
        return person

    async def back(self, server, *, hello=True):
        """The same page on a new connection."""
        client = await Client.connect(server, models=self.client.models)
        if hello:
            await client.ask({"type": "hello", "session": self.client.session})
        await client.watch("mail", resume=True)
        return Person(client)

    async def act(self, action, row, key=None, **more):
        return await self.ask({"action": action, "row": row}, key, **more)

    async def undo(self, run, key=None):
        return await self.ask({"undo": run}, key)

    async def ask(self, members, key=None, **more):
        return await self.client.ask({"type": "act", "list": "mail", "key": key or secrets.token_hex(8), **members, **more})

    async def outcome(self, run, within=8):
        """What it was told in the end, which may have come already."""
        assert run, f"nothing was begun: {[frame for frame in self.client.frames if frame['type'] == 'ok'][-1]}"
        told = lambda: [frame for frame in self.of_run(run) if frame["phase"] == "closing"]  # noqa: E731
        await self.client.until(told, within, f"nobody told what became of {run}")
        return told()[-1]

    async def done(self, run):
        """The revision from which on the effect of a success is in the rows."""
        closing = await self.outcome(run)
        assert closing["outcome"] == "success", closing
        await self.client.until(lambda: self.client.model("mail").revision >= closing["revision"])
        return closing

    def of_run(self, run):
        return [frame for frame in self.client.frames if frame["type"] == "act" and frame["run"] == run]

    @property
    def rows(self):
        return self.client.model("mail").ordered()

    @property
    def keys(self):
        return [key for key, _ in self.rows]

    async def leave(self):
        self.client.raise_fault()
        await self.client.close()


def begun(folder, what=None):
    """The runs whose handlers began."""
    lines = [line.split() for line in folder.lines("work.log")]
    return [run for word, run, kind, *_ in lines if word == "begin" and what in (None, kind)]


async def at_work(folder, count=1):
    await eventually(lambda: len(begun(folder)) == count, 8, f"{count} handlers at work: {folder.lines('work.log')}")


def hold(folder, name="hold"):
    (folder / name).touch()


def let_go(folder, name="hold"):
    (folder / name).unlink()
