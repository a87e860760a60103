"""A database that should not keep lists as it is: what the log and /readyz say of it, and that nothing is kept there."""

import asyncio
import signal

from client import Client
from postgres_server import PASSWORD, PostgresServer
from shared_server import BOARD, SharedServer, database_test

FSYNC = "may be lost: the database does not wait for its disk (fsync = off)"
READ_ONLY = (
    "session is read-only. A standby takes no commits, nor does a database with default_transaction_read_only. "
    "Name the primary too, or promote one. Lists are served as they were last read"
)


@database_test()
async def fsync_that_is_off_is_told_once(postgres):
    async with SharedServer(postgres.url()) as server:
        await server.becomes(200)
        assert await server.push("a") == 200
        assert server.log.count(f"postgres://app@127.0.0.1:{postgres.port}/lists {FSYNC}") == 1, server.log
        postgres.stop()
        await server.becomes(503)
        postgres.start()
        await server.becomes(200)
        assert await server.push("b") == 200 and server.log.count(FSYNC) == 1, server.log


@database_test(durable=True)
async def a_database_that_keeps_what_it_acknowledges_is_not_warned_of(postgres):
    async with SharedServer(postgres.url()) as server:
        await server.becomes(200)
        assert await server.push("a") == 200 and " warning " not in server.log, server.log


@database_test()
async def a_standby_alone_is_refused_until_it_is_promoted(postgres):
    # The tables are there already.
    async with SharedServer(postgres.url()) as server:
        assert await server.push("a") == 200
    with PostgresServer(follows=postgres) as standby:
        async with SharedServer(postgres.url()) as server:
            assert server.log.count("may be lost: commits do not wait for the standby") == 1, server.log
        for more in ("any", "prefer-standby"):
            await SharedServer(f"{standby.url()}?target_session_attrs={more}").refuses(
                f"Cannot use postgres://app@127.0.0.1:{standby.port}/lists: it is a standby, which takes no commits. Name the "
                "primary, or all hosts with target_session_attrs=read-write."
            )
        async with SharedServer(standby.url()) as server:
            assert READ_ONLY in await server.becomes(503) and READ_ONLY in server.log, server.log
            assert await server.push("lost") == 503
            standby.promote()
            await server.becomes(200)
            assert await server.push("b") == 200
            assert sorted(key for key, _ in await server.rows("board")) == ["a", "b"]


@database_test()
async def a_loss_is_one_error_whatever_lists_there_are_and_whoever_asks(postgres):
    lists = [{"name": f"l{number}", "push": True} for number in range(5)]
    async with SharedServer(postgres.url(), lists=[*BOARD, *lists]) as server, Client.open(server) as client:
        for one in lists:
            await client.watch(one["name"])
        assert await server.push("a") == 200
        for count in (1, 2):
            postgres.stop()
            await server.becomes(503)
            assert await server.push("lost") == 503 and len(await server.rows("board")) == 1
            await asyncio.sleep(1.5)
            postgres.start()
            await server.becomes(200)
            assert server.log.count(" error ") == count and server.log.count("can be used again") == count, server.log
        assert await server.push("b") == 200


class SilentProxy:
    """A way to a database on which nothing goes any more once the first question was asked, while it is mute.

    `asked` is set where it holds back such a question, and `lost` counts ways that ended after one."""

    def __init__(self, postgres):
        self.postgres, self.is_mute, self.carrying = postgres, False, set()
        self.asked, self.speaking, self.lost = asyncio.Event(), asyncio.Event(), 0

    def speak(self):
        """Lets through what was held back, and is mute no more."""
        self.is_mute = False
        self.speaking.set()

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.carry, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *fault):
        self.server.close()
        self.cut()
        await asyncio.gather(*self.carrying, return_exceptions=True)

    @property
    def url(self):
        port = self.server.sockets[0].getsockname()[1]
        return self.postgres.url().replace(f":{self.postgres.port}/", f":{port}/")

    def cut(self):
        for task in self.carrying:
            task.cancel()

    async def carry(self, reader, writer):
        self.carrying.add(asyncio.current_task())
        there = await asyncio.open_connection("127.0.0.1", self.postgres.port)
        holding = []

        async def pump(source, sink):
            while piece := await source.read(1 << 16):
                if self.is_mute and b"pg_backend_pid" in piece:
                    self.asked.set()
                    await self.speaking.wait()
                    holding.append(piece)
                sink.write(piece)
                await sink.drain()

        answers = asyncio.create_task(pump(there[0], writer))
        try:
            await pump(reader, there[1])
            self.lost += len(holding)
        except (asyncio.CancelledError, ConnectionError):
            pass  # asyncio would report it.
        finally:
            answers.cancel()
            writer.close()
            there[1].close()


@database_test()
async def a_database_that_falls_silent_as_it_is_met_is_away_and_comes_back(postgres):
    async with SilentProxy(postgres) as proxy, SharedServer(proxy.url) as server:
        await server.becomes(200)
        assert await server.push("a") == 200
        proxy.is_mute = True
        proxy.cut()
        await server.becomes(503)
        assert await server.push("lost") == 503
        # Longer than any question is waited for.
        await asyncio.sleep(4)
        assert len(await server.rows("board")) == 1
        proxy.speak()
        await server.becomes(200)
        assert await server.push("b") == 200


@database_test()
async def a_server_that_had_no_processor_has_not_waited_for_its_database(postgres):
    async with SilentProxy(postgres) as proxy, SharedServer(proxy.url) as server:
        await server.becomes(200)
        proxy.is_mute = True
        proxy.cut()
        await asyncio.wait_for(proxy.asked.wait(), 10)
        server.process.send_signal(signal.SIGSTOP)
        # Longer than any question is waited for.
        await asyncio.sleep(4)
        proxy.speak()
        await asyncio.sleep(0.2)
        server.process.send_signal(signal.SIGCONT)
        await server.becomes(200)
        assert not proxy.lost, server.log


@database_test()
async def a_database_that_may_only_be_read_is_refused(postgres):
    postgres.sql("ALTER DATABASE lists SET default_transaction_read_only = on", "postgres", "postgres")
    async with SharedServer(postgres.url()) as server:
        assert READ_ONLY in await server.becomes(503)


@database_test()
async def a_url_that_leads_nowhere_ends_the_start(postgres):
    for wrong, words in {
        f"{postgres.url()}?sslmode=always": 'invalid sslmode value: "always". Correct the URL.',
        f"{postgres.url()}?target_session_attrs=fast": 'invalid target_session_attrs value: "fast". Correct the URL.',
        postgres.url().replace(f":{postgres.port}/", ":port/"): 'invalid integer value "port" for connection option "port"',
        postgres.url().replace(f":{postgres.port}/", ":99999/"): 'invalid port number: "99999". Correct the URL.',
    }.items():
        assert PASSWORD not in await SharedServer(wrong).refuses("Cannot use postgres://app@127.0.0.1:", words)


@database_test()
async def a_user_without_rights_is_told_which(postgres):
    postgres.sql(f"CREATE ROLE web LOGIN PASSWORD '{PASSWORD}'", "postgres", "postgres")
    advice = "Grant the user CREATE in the database, or make it the owner of the schema."
    await SharedServer(postgres.url(user="web")).refuses("permission denied for database lists (SQLSTATE 42501)", advice)
    async with SharedServer(postgres.url()) as server:
        await server.becomes(200)
    await SharedServer(postgres.url(user="web")).refuses("permission denied for schema refreshable (SQLSTATE 42501)", advice)
    # As Operating.md has it.
    postgres.sql("GRANT USAGE ON SCHEMA refreshable TO web")
    postgres.sql("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA refreshable TO web")
    async with SharedServer(postgres.url(user="web")) as server:
        await server.becomes(200)
        assert await server.push("a") == 200


@database_test()
async def servers_go_on_over_tables_of_the_next_version_and_do_not_start_on_them(postgres):
    async with SharedServer(postgres.url()) as one, SharedServer(postgres.url()) as other:
        # The other one has not been asked for the list yet.
        assert await one.push("a") == 200
        known = int(postgres.sql("SELECT version FROM refreshable.store"))
        # As a server of the next version would, whose step adds columns.
        columns = [f"ALTER TABLE refreshable.{table} ADD COLUMN later text" for table in ("lists", "rows", "tombstones", "requests")]
        postgres.sql("; ".join([*columns, "UPDATE refreshable.store SET version = version + 1"]))
        await asyncio.sleep(2)
        assert [(await server.readiness())[0] for server in (one, other)] == [200, 200], (one.log, other.log)
        # Prepared statements, and those of connections that are opened from now on.
        postgres.terminate_backends("application_name = 'refreshable store' AND pid % 2 = 0")
        for number, server in enumerate((one, other) * 3):
            while await server.push(f"k{number}") == 503:
                await server.becomes(200)
        keys = ["a", *(f"k{number}" for number in range(6))]
        for server in (one, other):
            async with Client.open(server) as client:
                await client.watch("board")
                await client.until(lambda client=client: sorted(client.model("board").rows) == keys)
        await one.stop()
        await SharedServer(postgres.url()).refuses(
            f"it is of version {known + 1}, and this program knows versions up to {known}. Use the newer program"
        )
        assert await other.push("still") == 200
