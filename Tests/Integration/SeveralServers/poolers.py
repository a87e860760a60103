"""PgBouncer in front of the database: it is refused by name, at the start and later, whatever its mode."""

import asyncio

import pgbouncer
from harness import Server, eventually, say
from pgbouncer import PgBouncer
from ports import free_port
from shared_server import SharedServer, database_test

SENTENCE = "a pooler such as PgBouncer answers there, which shares connections between clients. Name the database itself"
MODES = ("transaction", "session")


def pooler_test(**options):
    """A database test, if PgBouncer can be had."""

    def wrap(function):
        async def run(postgres):
            if pgbouncer.program() is None:
                return say("    skipped: PgBouncer can not be had here")
            await function(postgres)

        run.__name__, run.__module__ = function.__name__, function.__module__
        return database_test(**options)(run)

    return wrap


@pooler_test()
async def a_pooler_is_refused_by_name_at_each_start(postgres):
    for mode in MODES:
        with PgBouncer(postgres, mode) as pooler:
            # What the first has prepared is there for the second.
            for _ in range(2):
                await SharedServer(pooler.url()).refuses(f"Cannot use postgres://app@127.0.0.1:{pooler.port}/lists: {SENTENCE}")


@pooler_test()
async def a_pooler_that_is_refused_is_left_as_it_was(postgres):
    with PgBouncer(postgres, "transaction") as pooler:
        asked = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
        before = [pooler.sql(f"SHOW {name}") for name in asked]
        await SharedServer(pooler.url()).refuses(SENTENCE)
        # By the same connection to the database, which another client is given now.
        assert [pooler.sql(f"SHOW {name}") for name in asked] == before


@pooler_test()
async def a_pooler_that_takes_the_databases_place_is_named_until_it_is_gone(postgres):
    async with SharedServer(postgres.url()) as server:
        assert await server.push("a") == 200
        place = postgres.port
        for count, mode in enumerate(MODES, 1):
            postgres.stop()
            postgres.port = free_port()
            postgres.start()
            with PgBouncer(postgres, mode, port=place):
                await eventually(lambda count=count: server.log.count(SENTENCE) == count, 15, "no pooler is named")
                assert SENTENCE in await server.becomes(503)
                assert await server.push("lost") == 503 and (await server.http("GET", "/healthz"))[0] == 200
                assert "a" in [key for key, _ in await server.rows("board")], "what it has it serves"
            postgres.stop()
            postgres.port = place
            postgres.start()
            await server.becomes(200)
            assert await server.push(mode) == 200
        assert server.log.count(SENTENCE) == 2, server.log
        assert sorted(key for key, _ in await server.rows("board")) == ["a", "session", "transaction"]


@pooler_test()
async def a_query_is_read_through_a_pooler_and_one_that_would_be_listened_for_is_refused(postgres):
    for mode in MODES:
        with PgBouncer(postgres, mode) as pooler:
            source = {"url": pooler.url(), "query": "SELECT 'a' AS key, current_setting('TimeZone') AS title"}
            lists = [{"name": "read", "postgres": source}, {"name": "heard", "postgres": {**source, "listen": "changes"}}]
            async with Server(lists) as server:
                answers = await asyncio.gather(*(server.refresh("read") for _ in range(10)))
                assert all(body["outcome"] == "success" for _, body in answers), answers
                assert await server.rows("read") == [("a", {"title": "UTC"})]
                _, body = await server.refresh("heard")
                assert body["error"]["message"] == "The database can't say when it changes.", body
                assert "Name the database itself, or take `every` in place of `listen`." in server.log, server.log
