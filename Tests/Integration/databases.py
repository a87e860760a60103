"""Lists from databases: SQLite by its file, PostgreSQL by its own client, both real."""

import asyncio
import contextlib
import getpass
import json
import os
import pwd
import shutil
import socket
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


# PostgreSQL


def postgres_programs():
    """Where initdb and pg_ctl are; Debian keeps them off the path."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    if folders:
        return folders[-1]
    found = shutil.which("initdb")
    return found and Path(found).parent


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.asynccontextmanager
async def postgres(programs):
    """A server of its own, on a port of its own: gives the environment in which psql finds it."""
    folder = Folder()
    data, port = folder / "data", free_port()
    # It refuses to be root's.
    user, switch = getpass.getuser(), []
    if os.geteuid() == 0:
        user, switch = "postgres", ["runuser", "-u", "postgres", "--"]
        owner = pwd.getpwnam(user)
        os.chown(folder.path, owner.pw_uid, owner.pw_gid)

    async def run(program, *arguments):
        process = await asyncio.create_subprocess_exec(
            *switch, str(programs / program), *map(str, arguments), cwd=folder.path, stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        text, _ = await process.communicate()
        assert process.returncode == 0, text.decode()

    await run("initdb", "--pgdata", data, "--auth", "trust", "--encoding", "UTF8", "--no-sync")
    settings = f"-h 127.0.0.1 -p {port} -k {folder.path} -F"
    # With its log in a file, as it would hold our pipe open.
    await run("pg_ctl", "--pgdata", data, "--log", folder / "log", "--options", settings, "--wait", "start")
    try:
        yield {"PGHOST": "127.0.0.1", "PGPORT": str(port), "PGUSER": user, "PGDATABASE": "postgres"}
    finally:
        await run("pg_ctl", "--pgdata", data, "--mode", "immediate", "--wait", "stop")
        folder.remove()


async def psql(environment, script):
    process = await asyncio.create_subprocess_exec(
        "psql", "--no-psqlrc", "--quiet", "-v", "ON_ERROR_STOP=1", "-c", script, env={**os.environ, **environment}
    )
    assert await process.wait() == 0, script


@test(limit=120)
async def postgresql_is_a_list_by_its_own_client():
    programs = postgres_programs()
    if not programs:
        assert not Path("/etc/debian_version").exists(), "Scripts/setup integration installs PostgreSQL"
        say("    skipped: there is no PostgreSQL here")
        return
    async with postgres(programs) as environment:
        await psql(
            environment,
            """CREATE TABLE orders (id int PRIMARY KEY, item text, customer text, placed timestamptz);
            INSERT INTO orders VALUES (1, 'Tea, "green"', 'Ada', '2026-11-21 10:00+00'),
                (2, E'Two\\nlines', 'Grace', '2026-11-21 11:00:00.5+01'), (3, 'Éclair', NULL, NULL)""",
        )
        # As the documentation has it.
        query = "SELECT id AS key, item AS title, customer AS subtitle, placed AS time FROM orders ORDER BY id"
        command = {"run": ["psql", "--csv", "--no-psqlrc", "-c", query], "environment": environment}
        async with Server([{"name": "orders", "command": command, "format": "csv"}]) as server:
            _, body = await server.refresh("orders")
            assert body["outcome"] == "success", (body, server.log)
            assert await server.rows("orders") == [
                ("1", {"title": 'Tea, "green"', "subtitle": "Ada", "time": 1795255200000}),
                ("2", {"title": "Two\nlines", "subtitle": "Grace", "time": 1795255200500}),
                ("3", {"title": "Éclair", "subtitle": ""}),
            ], await server.rows("orders")
            await psql(environment, "UPDATE orders SET item = 'Coffee' WHERE id = 1")
            _, body = await server.refresh("orders")
            assert body["changes"] == {"inserted": 0, "changed": 1, "moved": 0, "removed": 0}, body
            await psql(environment, "DROP TABLE orders")
            _, body = await server.refresh("orders")
            assert body["outcome"] == "failure", body
            assert 'relation "orders" does not exist' in server.log, server.log
            assert (await shown(server, "orders"))[0] == "Coffee"
