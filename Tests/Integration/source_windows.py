"""Lists whose source is asked for what people look at: tables of which no copy is kept."""

import json
import sqlite3
from contextlib import asynccontextmanager

from client import Client
from harness import Folder, Server, test
from pushing import is_problem, patch, row

COUNT = 5000


def log(**more):
    """A table of 5,000 rows, the newest of which come first."""
    folder = Folder()
    writer = sqlite3.connect(folder / "log.db", isolation_level=None)
    writer.execute("CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT)")
    writer.execute("BEGIN")
    writer.executemany("INSERT INTO log VALUES (?, ?)", [(number, f"Row {number}") for number in range(1, COUNT + 1)])
    writer.execute("COMMIT")
    sqlite = {"file": "log.db", "query": "SELECT id AS key, text AS title FROM log", "window": "-key"}
    return folder, writer, [{"name": "log", "sqlite": sqlite, **more}]


def on_disk(count=COUNT):
    """A file of 5,000 rows of which none stays in memory."""
    folder = Folder()
    folder.write("log.tsv", [(str(number), f"Row {number}") for number in range(count)])
    return folder, [{"name": "log", "file": "log.tsv", "format": "tsv", "fields": {"key": 1, "title": 2}, "resident": False}]


@asynccontextmanager
async def looking_at_disk():
    """(folder, server, client): somebody looks at the first twenty of these rows."""
    folder, lists = on_disk()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("log", window={"first": 0, "count": 20})
        await client.until(lambda: client.model("log").place == (0, COUNT))
        yield folder, server, client


def there(writer):
    return [(str(key), {"title": text}) for key, text in writer.execute("SELECT id, text FROM log ORDER BY id DESC")]


async def shows_what_is_there(client, writer):
    """This client has what the table has where it looks, and knows where that is, and so does its digest."""
    rows, model = there(writer), client.model("log")

    def is_there():
        first, total = model.place
        shown = model.ordered()
        return total == len(rows) and shown and shown == rows[first : first + len(shown)]

    await client.until(is_there, what="the window is not what the table has")
    digest = await client.ask({"type": "digest", "list": "log"})
    assert (digest["revision"], digest["count"]) == (model.revision, len(model.rows)), digest
    assert digest["crc32"] == model.digest(), digest


@test()
async def any_part_of_a_table_is_looked_at_and_no_other_is_read():
    folder, writer, lists = log()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        ok = await client.watch("log", window={"first": 0, "count": 60})
        assert (ok["first"], ok["total"], ok["count"]) == (0, COUNT, 60), ok
        await client.settled("log")
        await shows_what_is_there(client, writer)
        for window in [{"first": 2500, "count": 60}, {"last": 60}, {"around": "777", "before": 30, "after": 29}]:
            await client.look("log", **window)
            await shows_what_is_there(client, writer)
        error = await client.ask({"type": "look", "list": "log", "window": {"around": "x", "before": 1, "after": 1}})
        assert error["code"] == "unknownRow", error
        await shows_what_is_there(client, writer)


@test()
async def what_the_client_has_already_is_not_sent_again():
    folder, writer, lists = log()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("log", window={"first": 0, "count": 60})
        await client.settled("log")
        await client.look("log", first=40, count=60)
        rows = [frame for frame in client.frames if frame["type"] == "snapshot"][-1]["rows"]
        assert ["fields" in one for one in rows] == [False] * 20 + [True] * 40
        await shows_what_is_there(client, writer)


@test()
async def what_comes_above_moves_nothing_that_is_looked_at():
    folder, writer, lists = log()
    async with Server(lists, folder=folder) as server, Client.open(server) as top, Client.open(server) as deep:
        await top.watch("log", window={"first": 0, "count": 20})
        await deep.watch("log", window={"first": 1000, "count": 20})
        await deep.settled("log")
        shown = [key for key, _ in deep.model("log").ordered()]
        # The change is noticed by itself.
        writer.execute("INSERT INTO log VALUES (9999, 'New')")
        await deep.until(lambda: deep.model("log").place == (1001, COUNT + 1), what="it moved down")
        assert [key for key, _ in deep.model("log").ordered()] == shown
        await shows_what_is_there(top, writer)
        await shows_what_is_there(deep, writer)
        assert top.model("log").ordered()[0][0] == "9999"
        # And so is one by a pull.
        writer.execute("DELETE FROM log WHERE id = 9999")
        await deep.pull("log", 1)
        await deep.settled("log")
        await shows_what_is_there(top, writer)
        await shows_what_is_there(deep, writer)


@test()
async def a_pull_that_finds_nothing_new_is_a_run_without_a_revision():
    folder, writer, lists = log()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("log", window={"first": 100, "count": 20})
        await client.settled("log")
        revision = client.model("log").revision
        ok = await client.pull("log", 1)
        await client.expect({"type": "state", "phase": "waiting", "last": {"run": ok["run"], "outcome": "success"}})
        assert client.model("log").revision == revision
        await shows_what_is_there(client, writer)


@test()
async def words_are_found_in_the_whole_table_as_it_goes_on():
    folder, writer, lists = log()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        found = sum("77" in str(number) for number in range(1, COUNT + 1))
        await client.watch("log", window={"first": 0, "count": 1})
        await client.settled("log")
        ok = await client.look("log", first=0, count=60, find="row 77")
        # What is found first is shown first: a screen of it, or less after a while.
        assert ok["searching"] and 0 < ok["total"] <= 60, ok
        await client.until(lambda: client.model("log").place == (0, found))
        writer.execute("INSERT INTO log VALUES (9999, 'Another row 77')")
        await client.until(lambda: client.model("log").place == (0, found + 1), what="it is found")
        error = await client.ask({"type": "look", "list": "log", "window": {"first": 0, "count": 9, "sort": ["title"]}})
        assert error["code"] == "unavailable" and "neither filtered nor sorted" in error["message"], error
        assert client.model("log").place == (0, found + 1), "what was looked at stays"


@test()
async def who_asks_for_no_window_gets_the_first_rows():
    folder, writer, lists = log()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        ok = await client.watch("log")
        assert (ok["first"], ok["total"], ok["count"]) == (0, COUNT, 200), ok
        await client.settled("log")
        await shows_what_is_there(client, writer)
        body = await server.json("/lists/log")
        assert (body["first"], body["total"], len(body["rows"])) == (0, COUNT, 200), body
        body = await server.json("/lists/log?first=4990&count=60")
        assert [one["key"] for one in body["rows"]] == [str(key) for key in range(10, 0, -1)], body
        body = await server.json("/lists/log?find=row%204777&count=60&first=0")
        assert [one["key"] for one in body["rows"]] == ["4777"] and body["total"] == 1, body
        # What is not kept is asked for anew by whoever asks.
        writer.execute("UPDATE log SET text = 'Other' WHERE id = 3")
        body = await server.json("/lists/log?around=3&before=0&after=0")
        assert body["rows"][0]["fields"] == {"title": "Other"}, body


@test()
async def who_comes_back_after_a_kill_has_what_is_there():
    folder, writer, lists = log()
    async with Server(lists, folder=folder) as server:
        client = await Client.connect(server)
        await client.watch("log", window={"first": 500, "count": 60})
        await client.settled("log")
        writer.execute("UPDATE log SET text = 'Other' WHERE id = 4480")
        await client.until(lambda: dict(client.model("log").ordered())["4480"] == {"title": "Other"})
        await client.cut()
        writer.execute("INSERT INTO log VALUES (9999, 'New')")
        await server.kill()
        await server.start()
        again = await Client.connect(server, client.models)
        first = again.model("log").ordered()[0][0]
        await again.watch("log", resume=True, window={"around": first, "before": 0, "after": 59})
        await again.settled("log")
        await shows_what_is_there(again, writer)
        assert again.model("log").place == (501, COUNT + 1), again.model("log").place
        await again.close()


@test()
async def what_its_source_has_is_not_pushed_to():
    folder, writer, lists = log()
    async with Server(lists, folder=folder) as server:
        is_problem(*await patch(server, {"set": [row("x")]}, name="log"), "log")


@test()
async def a_table_that_goes_is_a_failure_and_what_is_shown_stays():
    folder, writer, lists = log()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("log", window={"first": 0, "count": 20})
        await client.settled("log")
        shown = client.model("log").ordered()
        writer.execute("ALTER TABLE log RENAME TO logs")
        await client.pull("log", 1)
        # Of the pull's run, or of the one that the table's going asked for.
        await client.until(lambda: (client.model("log").state["last"] or {}).get("outcome") == "failure")
        last = client.model("log").state["last"]
        assert "no such table" in last["error"]["message"], last
        assert client.model("log").ordered() == shown
        error = await client.ask({"type": "look", "list": "log", "window": {"first": 100, "count": 20}})
        assert error["code"] == "unavailable" and "no such table" in error["message"], error
        writer.execute("ALTER TABLE logs RENAME TO log")
        await client.pull("log", 2)
        await client.settled("log")
        await client.look("log", first=100, count=20)
        await shows_what_is_there(client, writer)


@test()
async def rows_on_disk_are_looked_at_and_come_anew_with_each_refresh():
    async with looking_at_disk() as (folder, server, client):
        await client.look("log", around="4000", before=5, after=10)
        assert client.model("log").place == (3995, COUNT)
        assert client.model("log").ordered()[5] == ("4000", {"title": "Row 4000"})
        found = await client.look("log", find="row 4999", sort=["-title"], first=0, count=2)
        assert found["total"] == 1 and [key for key, _ in client.model("log").ordered()] == ["4999"], found
        folder.write("log.tsv", [("new", "Row 4999b"), *((str(number), f"Row {number}") for number in range(COUNT))])
        await client.pull("log", 1)
        await client.until(lambda: [key for key, _ in client.model("log").ordered()] == ["new", "4999"])
        assert client.model("log").place == (0, 2)
        status, _, body = await server.http("GET", "/lists/log?first=0&count=1")
        assert status == 200 and json.loads(body)["rows"][0]["key"] == "new", body


@test()
async def what_is_found_first_on_disk_is_shown_first():
    async with looking_at_disk() as (_, server, client):
        await client.settled("log")
        begun = len(client.frames)
        ok = await client.look("log", find="row 4", first=0, count=20)
        assert ok["searching"] and ok["total"] == 20, ok
        found = [str(number) for number in range(COUNT) if "4" in str(number)]
        await client.until(lambda: client.model("log").place == (0, len(found)))
        assert [key for key, _ in client.model("log").ordered()] == found[:20]
        shown = [frame.get("searching", False) for frame in client.frames[begun:] if frame["type"] == "snapshot"]
        assert shown == [True, False], shown
        # Who does not watch waits for all.
        assert (await server.json("/lists/log?find=row+3&first=0&count=5"))["total"] == len(found)


@test()
async def rows_on_disk_are_there_after_a_kill_and_a_source_that_fails_takes_none():
    async with looking_at_disk() as (folder, server, client):
        (folder / "log.tsv").unlink()
        await client.cut()
        await server.kill()
        await server.start()
        again = await Client.connect(server)
        await again.watch("log", window={"last": 3})
        await again.until(lambda: [key for key, _ in again.model("log").ordered()] == ["4997", "4998", "4999"])
        await again.pull("log", 1)
        await again.until(lambda: (again.model("log").state["last"] or {}).get("outcome") == "failure")
        await again.look("log", first=100, count=1)
        assert again.model("log").place == (100, COUNT)
        await again.close()


@test()
async def rows_that_were_in_memory_are_not_kept_beside_those_on_disk():
    folder, lists = on_disk(300)
    resident = [{**lists[0], "resident": True}]
    async with Server(resident, folder=folder) as server:
        async with Client.open(server) as client:
            await client.watch("log")
            await client.until(lambda: len(client.model("log").rows) == 300)
        await server.kill()
        server.lists = lists
        await server.start()
        async with Client.open(server) as client:
            await client.watch("log", window={"first": 0, "count": 20})
            await client.pull("log", 1)
            await client.until(lambda: client.model("log").place == (0, 300))
            await client.settled("log")
        with sqlite3.connect(folder / "data/lists.sqlite") as kept:
            assert kept.execute("SELECT count(*) FROM rows").fetchone() == (0,)
