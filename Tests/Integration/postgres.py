"""Lists from PostgreSQL: by a connection of ours, and by its own client; with real servers."""

import asyncio
import time
from pathlib import Path

from client import Client
from harness import Server, eventually, say, test
from postgres_processes import PROGRAMS
from postgres_server import PASSWORD, PostgresServer

FRUIT = """CREATE TABLE fruit (id int PRIMARY KEY, title text, ok bool, at timestamptz, price numeric, hash bytea, more jsonb);
    INSERT INTO fruit VALUES (1, 'Apple', true, '2026-01-02 03:04:05.678+02', 1.50, '\\x0102', '{"a": 1}'),
        (2, 'Birne', false, NULL, NULL, NULL, NULL)"""
QUERY = "SELECT id AS key, title FROM fruit ORDER BY id"


class NoPostgres(Exception):
    """There is none here: the test is skipped."""


def database():
    """A server that is about to start."""
    if PROGRAMS is None:
        assert not Path("/etc/debian_version").exists(), "Scripts/setup integration installs PostgreSQL"
        raise NoPostgres
    return PostgresServer()


def fruit(postgres, query=QUERY, **more):
    return {"name": "fruit", "postgres": {"url": postgres.url(), "query": query, **more}}


def postgres_test(limit=60):
    """A test that has a server with the table fruit, if this machine has any."""

    def wrap(function):
        async def run():
            try:
                started = database()
            except NoPostgres:
                return say("    skipped: there is no PostgreSQL here")
            with started as postgres:
                postgres.sql(FRUIT)
                await function(postgres)

        run.__name__, run.__module__ = function.__name__, function.__module__
        return test(limit=limit)(run)

    return wrap


async def failure(server, name="fruit"):
    """Refreshes a list that fails; gives what people and the log are told."""
    before = len(server.log)
    _, body = await server.refresh(name)
    assert body["outcome"] == "failure", body
    return body["error"]["message"], server.log[before:]


@postgres_test()
async def a_query_is_a_list_with_values_as_people_read_them(postgres):
    query = "SELECT id AS key, title, ok AS badge, at AS time, price AS subtitle, hash AS detail FROM fruit ORDER BY id"
    async with Server([fruit(postgres, query)]) as server:
        _, body = await server.refresh("fruit")
        assert body["outcome"] == "success", (body, server.log)
        assert await server.rows("fruit") == [
            ("1", {"title": "Apple", "badge": "true", "time": 1767315845678, "subtitle": "1.50", "detail": "0102"}),
            ("2", {"title": "Birne", "badge": "false"}),
        ], await server.rows("fruit")
        assert postgres.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'refreshable'") == "0"


@postgres_test()
async def parameters_are_never_read_as_sql(postgres):
    evil, where = "Apple'; DROP TABLE fruit; --", "SELECT title FROM fruit WHERE title = $1"
    async with Server(
        [
            fruit(postgres, where, parameters=["Apple"]),
            {**fruit(postgres, where, parameters=[evil]), "name": "evil"},
            {**fruit(postgres, "SELECT $1::int + 1 AS title, $2::text IS NULL AS subtitle", parameters=[41, None]), "name": "sum"},
        ]
    ) as server:
        assert [fields["title"] for _, fields in await refreshed(server, "fruit")] == ["Apple"]
        assert await refreshed(server, "evil") == []
        assert [fields for _, fields in await refreshed(server, "sum")] == [{"title": "42", "subtitle": "true"}]
        assert postgres.sql("SELECT count(*) FROM fruit") == "2"


async def refreshed(server, name):
    _, body = await server.refresh(name)
    assert body["outcome"] == "success", (body, server.log)
    return await server.rows(name)


@postgres_test()
async def a_zero_byte_is_refused_and_nothing_is_cut_off(postgres):
    where = "SELECT title FROM fruit WHERE title = $1"
    async with Server(
        [
            fruit(postgres, where, parameters=["Apple\0 and more"]),
            {**fruit(postgres, "SELECT title FROM fruit\0 WHERE id = 99"), "name": "query"},
        ]
    ) as server:
        for name in ("fruit", "query"):
            told, _ = await failure(server, name)
            assert told == "The query failed: a text has a zero byte, which PostgreSQL does not take.", told


@postgres_test()
async def what_is_wrong_with_a_query_is_told_with_its_place(postgres):
    wrong = {
        "SELECT title FROM frut": 'The query failed: relation "frut" does not exist.',
        "SELECT id AS key,\n  titel FROM fruit": 'The query failed in line 2: column "titel" does not exist.',
        "SELECT 1 AS title; SELECT 2": "The query is more than one statement: one SELECT is expected.",
        "DELETE FROM fruit RETURNING title": "The query would change the database: a SELECT is expected.",
        "SET TimeZone = 'UTC'": "The query has no result: a SELECT is expected.",
        "SELECT title FROM fruit WHERE id = $1": "The query has not as many places as it is given values.",
        "SELECT repeat('x', 100)::bytea AS title": "Row 1 of the result has in column title a bytea of 100 bytes. 64 are shown at most.",
    }  # fmt: skip
    lists = [{**fruit(postgres, query), "name": f"l{number}"} for number, query in enumerate(wrong)]
    async with Server(lists) as server:
        for number, message in enumerate(wrong.values()):
            told, log = await failure(server, f"l{number}")
            assert told == message, told
            assert PASSWORD not in log and "sesame" not in log, log
        assert postgres.sql("SELECT count(*) FROM fruit") == "2"


@postgres_test()
async def who_is_not_let_in_is_told_why_and_no_password_is(postgres):
    urls = {
        postgres.url(password="wrong-password"): "The database does not let the server in.",
        postgres.url(password=""): "The database wants a password, and has been given none.",
        "postgres://app:wrong-password@127.0.0.1:1/lists": "The database can't be reached.",
    }
    lists = [
        {"name": f"l{number}", "postgres": {"url": url, "query": "SELECT 1 AS title"}} for number, url in enumerate(urls)
    ]
    async with Server(lists) as server:
        for number, message in enumerate(urls.values()):
            told, log = await failure(server, f"l{number}")
            assert told == message, told
            assert "wrong-password" not in log and "Cannot read postgres://app@127.0.0.1:" in log, log


@postgres_test()
async def the_second_host_is_asked_where_the_first_is_away(postgres):
    url = postgres.url().replace("127.0.0.1:", "127.0.0.1:1,127.0.0.1:")
    async with Server([{"name": "fruit", "postgres": url, "query": QUERY}]) as server:
        assert len(await refreshed(server, "fruit")) == 2


@postgres_test()
async def a_notify_refreshes_without_a_pull_also_after_the_server_was_away(postgres):
    async with Server([fruit(postgres, listen="Fruit's")]) as server, Client.open(server) as client:
        await client.watch("fruit")
        titles = lambda: [fields["title"] for _, fields in client.model("fruit").ordered()]  # noqa: E731
        await client.until(lambda: titles() == ["Apple", "Birne"])
        listening = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
        await eventually(lambda: postgres.sql(listening) == "1", 8)
        postgres.sql("""UPDATE fruit SET title = 'Apfel' WHERE id = 1; NOTIFY "Fruit's" """)
        await client.until(lambda: titles() == ["Apfel", "Birne"], 8)
        postgres.stop("immediate")
        postgres.start()
        # Told by nobody: it is read again because it may have been missed.
        postgres.sql("UPDATE fruit SET title = 'Poire' WHERE id = 2")
        await client.until(lambda: titles() == ["Apfel", "Poire"], 15)


@postgres_test()
async def a_run_that_ends_ends_its_query(postgres):
    async with Server([{**fruit(postgres, "SELECT pg_sleep(60)::text AS title"), "deadline": "500ms"}]) as server:
        start = time.monotonic()
        _, body = await server.refresh("fruit")
        assert body["outcome"] == "timeout" and time.monotonic() - start < 5, body
        running = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep(60)%'"
        await eventually(lambda: postgres.sql(running) == "0", 5)


@postgres_test()
async def a_server_that_dies_amid_a_result_fails_the_run_and_the_rows_stay(postgres):
    async with Server([fruit(postgres)]) as server:
        await refreshed(server, "fruit")
        postgres.sql("CREATE VIEW slow AS SELECT n AS key, pg_sleep(0.01)::text AS title FROM generate_series(1, 999) n")
        postgres.sql("ALTER TABLE fruit RENAME TO former")
        postgres.sql("ALTER VIEW slow RENAME COLUMN key TO id; ALTER VIEW slow RENAME TO fruit")
        refreshing = asyncio.create_task(failure(server))
        await asyncio.sleep(1)
        postgres.stop("immediate")
        told, log = await refreshing
        assert told == "The database ended the connection.", (told, log)
        assert [fields["title"] for _, fields in await server.rows("fruit")] == ["Apple", "Birne"]


@postgres_test()
async def a_large_result_streams_in_order(postgres):
    query = "SELECT n AS key, 'Row ' || n AS title FROM generate_series(1, 20000) n"
    async with Server([{**fruit(postgres, query), "mode": "stream"}]) as server:
        rows = await refreshed(server, "fruit")
        assert [key for key, _ in rows] == [str(number) for number in range(1, 20001)], len(rows)


@postgres_test(limit=120)
async def postgresql_is_a_list_by_its_own_client(postgres):
    postgres.sql(
        """CREATE TABLE orders (id int PRIMARY KEY, item text, customer text, placed timestamptz);
        INSERT INTO orders VALUES (1, 'Tea, "green"', 'Ada', '2026-11-21 10:00+00'),
            (2, E'Two\\nlines', 'Grace', '2026-11-21 11:00:00.5+01'), (3, 'Éclair', NULL, NULL)""",
    )
    # As the documentation has it.
    query = "SELECT id AS key, item AS title, customer AS subtitle, placed AS time FROM orders ORDER BY id"
    command = {"run": ["psql", "--csv", "--no-psqlrc", "-c", query], "environment": postgres.environment}
    async with Server([{"name": "orders", "command": command, "format": "csv"}]) as server:
        _, body = await server.refresh("orders")
        assert body["outcome"] == "success", (body, server.log)
        assert await server.rows("orders") == [
            ("1", {"title": 'Tea, "green"', "subtitle": "Ada", "time": 1795255200000}),
            ("2", {"title": "Two\nlines", "subtitle": "Grace", "time": 1795255200500}),
            ("3", {"title": "Éclair", "subtitle": ""}),
        ], await server.rows("orders")
        postgres.sql("UPDATE orders SET item = 'Coffee' WHERE id = 1")
        _, body = await server.refresh("orders")
        assert body["changes"] == {"inserted": 0, "changed": 1, "moved": 0, "removed": 0}, body
        postgres.sql("DROP TABLE orders")
        _, body = await server.refresh("orders")
        assert body["outcome"] == "failure", body
        assert 'relation "orders" does not exist' in server.log, server.log
        assert (await server.rows("orders"))[0][1]["title"] == "Coffee"
