"""Lists from SQLite databases."""

import asyncio
import json
import os
import sqlite3
import sys
import time
from pathlib import Path

import harness
from client import Client
from harness import Folder, Server, say, test

PEOPLE = "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, team TEXT)"
QUERY = "SELECT id AS key, name AS title, team AS subtitle FROM people ORDER BY name"


def database(folder, *names):
    """FOLDER/people.db, with people of these names, open for writing."""
    writer = sqlite3.connect(folder / "people.db", isolation_level=None)
    writer.execute(PEOPLE)
    writer.executemany("INSERT INTO people (name, team) VALUES (?, 'red')", [[name] for name in names])
    return writer


def titles(client, name="people"):
    return [fields["title"] for _, fields in client.model(name).ordered()]


async def shown(server, name="people"):
    return [fields["title"] for _, fields in await server.rows(name)]


@test()
async def a_transaction_is_shown_without_a_pull_and_never_half_of_it():
    for mode in ["DELETE", "WAL"]:
        folder = Folder()
        writer = database(folder, "Ada")
        writer.execute(f"PRAGMA journal_mode = {mode}")
        async with Server([{"name": "people", "sqlite": "people.db", "query": QUERY}], folder=folder) as server:
            async with Client.open(server) as client:
                await client.watch("people")
                await client.until(lambda: titles(client) == ["Ada"], what="the database is shown")
                writer.execute("BEGIN IMMEDIATE")
                writer.execute("INSERT INTO people (name) VALUES ('Grace')")
                client.skip()
                await client.send({"type": "refresh", "list": "people"})
                await client.none({"type": "patch"}, 0.3)
                writer.execute("INSERT INTO people (name) VALUES ('Hedy')")
                writer.execute("COMMIT")
                await client.until(lambda: len(client.model("people").rows) > 1, what="the transaction is shown")
                assert titles(client) == ["Ada", "Grace", "Hedy"], titles(client)
                await client.shows_what_the_server_has("people")
        writer.close()


@test()
async def a_transaction_that_is_written_before_it_is_there_is_shown_once_it_is():
    folder = Folder()
    database(folder, "Ada").execute("PRAGMA journal_mode = WAL")
    async with Server([{"name": "people", "sqlite": "people.db", "query": QUERY}], folder=folder) as server:
        async with Client.open(server) as client:
            await client.watch("people")
            await client.until(lambda: titles(client) == ["Ada"], what="the database is shown")
            await client.settled("people")
            client.skip()
            writer = await asyncio.create_subprocess_exec(
                sys.executable, Path(__file__).with_name("slow_writer.py"), folder / "people.db", "0.4",
                "INSERT INTO people (name) VALUES ('Grace')", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
            )  # fmt: skip
            there = float(await writer.stdout.readline())
            await client.until(lambda: titles(client) == ["Ada", "Grace"], what="the transaction is shown")
            assert time.time() - there < 2.5, "it was shown by the look every five seconds"
            await client.settled("people")
            assert client.model("people").state["last"]["run"] == "r2", "one run shows it"
            writer.stdin.close()
            await writer.wait()


@test()
async def a_database_in_a_folder_that_is_read_only_is_read():
    folder = Folder()
    writer = database(folder, "Ada")
    writer.execute("PRAGMA journal_mode = WAL")
    writer.close()
    place = folder / "read only, 100%? #1"
    place.mkdir()
    (folder / "people.db").rename(place / "people.db")
    (folder / "lists.yaml").write_text(json.dumps({"lists": [{"name": "a", "sqlite": f"{place}/people.db", "query": QUERY}]}))
    place.chmod(0o555)
    try:
        # Root may write anywhere.
        switch = ["setpriv", "--reuid=65534", "--clear-groups"] if os.geteuid() == 0 else []
        folder.path.chmod(0o755)
        process = await asyncio.create_subprocess_exec(
            *switch, harness.BINARY, "check", folder / "lists.yaml", stdout=asyncio.subprocess.PIPE
        )
        printed = (await process.communicate())[0].decode()
    finally:
        place.chmod(0o755)
    assert process.returncode == 0 and "Ada" in printed, printed
    assert [file.name for file in place.iterdir()] == ["people.db"]


@test()
async def values_stand_in_the_places_of_a_query():
    folder = Folder()
    database(folder, "Ada", "Grace").close()
    query = "SELECT name AS title FROM people WHERE name = :name AND id >= :least"
    lists = [
        {"name": "one", "sqlite": "people.db", "query": query, "parameters": {"name": "Grace", "least": 1}},
        {"name": "two", "sqlite": {"file": str(folder / "people.db"), "query": "SELECT ?", "parameters": ["${HOME}"]}},
    ]
    async with Server(lists, folder=folder) as server:
        for one in lists:
            await server.refresh(one["name"])
        assert await shown(server, "one") == ["Grace"]
        assert await shown(server, "two") == [os.environ["HOME"]]


@test()
async def a_query_that_fails_keeps_the_rows_and_says_why():
    folder = Folder()
    writer = database(folder, "Ada")
    async with Server([{"name": "people", "sqlite": "people.db", "query": QUERY}], folder=folder) as server:
        await server.refresh("people")
        writer.execute("ALTER TABLE people RENAME COLUMN name TO called")
        _, body = await server.refresh("people")
        assert body["error"]["message"] == "The query has a fault: no such column: name (Line 1, column 19).", body
        assert await shown(server) == ["Ada"]
        (folder / "people.db").unlink()
        _, body = await server.refresh("people")
        assert body["error"]["message"] == "The database is not there.", body
        assert str(folder.path) not in str(body) and str(folder / "people.db") in server.log, server.log
    writer.close()


@test()
async def a_query_that_never_ends_is_ended_by_the_deadline():
    folder = Folder()
    database(folder, "Ada").close()
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    people = {"name": "people", "sqlite": "people.db", "query": endless, "deadline": "300ms"}
    async with Server([people], folder=folder) as server:
        _, body = await server.refresh("people")
        assert body["outcome"] == "timeout", body
        busy = processor_time(server.pid)
        await asyncio.sleep(0.5)
        assert processor_time(server.pid) - busy < 0.2, "the query goes on"


def processor_time(pid):
    """In seconds: proc(5)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@test(limit=120)
async def fifty_thousand_rows_of_a_query_are_served():
    folder = Folder()
    writer = database(folder)
    filler = "x" * 1000
    writer.execute("BEGIN")
    writer.executemany(
        "INSERT INTO people (name, team) VALUES (?, ?)", ((f"Person {number}", filler) for number in range(50_000))
    )
    writer.execute("COMMIT")
    writer.close()
    size = (folder / "people.db").stat().st_size
    query = "SELECT id AS key, name AS title FROM people WHERE length(team) = 1000"
    people = {"name": "people", "sqlite": "people.db", "query": query, "mode": "stream"}
    async with Server([people], folder=folder, ephemeral=True) as server:
        before = server.resident()
        status, body = await server.refresh("people", within=100)
        assert status == 200 and body["changes"]["inserted"] == 50_000, body
        grown = (server.resident() - before) >> 20
        say(f"    a database of {size >> 20} MiB, 50,000 rows of it: the server grew by {grown} MiB")
        # The list itself keeps its rows: some hundred bytes each.
        assert grown < 60, grown
