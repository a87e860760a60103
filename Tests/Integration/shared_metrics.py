"""What servers over one PostgreSQL database tell of it in `/metrics`: its latency, how far they are behind, who leads, what failed."""

import asyncio
import contextlib
import os
import signal

from client import Client
from harness import Folder, Server, file_list, say, slow_list, test
from metrics import FRUIT, Figures, eventually_is
from postgres import NoPostgres, database
from pushing import BOARD, patch, row

OPERATIONS = {"read", "commit", "lead", "resign", "ask", "look", "renew", "notify", "subscriptions", "tidy"}
SIGNALS = ("notice", "look", "reconnect")


class Node(Server):
    """A server of several over one database, at a port of its own."""

    def __init__(self, postgres, name, lists, *flags, folder):
        super().__init__(lists, *flags, folder=folder)
        self.postgres, self.name = postgres, name

    @property
    def storage(self):
        return ["--store", self.postgres.url()]


@contextlib.asynccontextmanager
async def two_servers(lists, *flags, folder=None):
    """A database, and two servers of these lists over it, the first of which was first."""
    postgres, folder = database(), folder or Folder()
    # It blocks, and other tests go on.
    await asyncio.to_thread(postgres.__enter__)
    try:
        one, two = (Node(postgres, name, lists, *flags, folder=folder) for name in ("one", "two"))
        async with one, two:
            yield postgres, one, two
    finally:
        await asyncio.to_thread(postgres.__exit__)


def shared_test(limit=60):
    """A test of servers over PostgreSQL, if this machine has it."""

    def wrap(function):
        async def run():
            try:
                await function()
            except NoPostgres:
                say("    skipped: there is no PostgreSQL here")

        run.__name__, run.__module__ = function.__name__, function.__module__
        return test(limit=limit)(run)

    return wrap


async def until(server, holds, what, seconds=15):
    """Reads a server's metrics until a condition on them holds; gives them."""
    for _ in range(seconds * 10):
        figures = await Figures.of(server)
        if holds(figures):
            return figures
        await asyncio.sleep(0.1)
    raise AssertionError(f"{server.name}: {what}:\n{told(figures)}")


def told(figures):
    """What it told but for histograms."""
    return "\n".join(line for line in figures.text.splitlines() if "_bucket" not in line and not line.startswith("#"))


def lag_count(figures):
    return sum(figures["store_lag_seconds_count", {"signal": signal}] for signal in SIGNALS)


def change_of_lead(name, change):
    return ("lead_changes_total", {"list": name, "change": change})


@test()
async def a_server_that_has_its_store_to_itself_tells_nothing_of_a_shared_one():
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    async with Server([file_list(folder)], folder=folder) as server:
        await server.refresh("fruit")
        figures = await Figures.of(server)
        assert figures["rows", {"list": "fruit"}] == 2
        assert not [name for name in figures.families if name.startswith(("refreshable_store_", "refreshable_lead", "refreshable_renew"))]


@shared_test()
async def pushes_to_two_servers_are_timed_and_lag_behind_and_conflict():
    async with two_servers([BOARD]) as (_, one, two):
        servers = (one, two)
        for server in servers:
            await server.json("/lists/board")
        before = [await Figures.of(server) for server in servers]
        for figures in before:
            assert figures["store_available"] == 1 and 1 <= figures["store_connections"] <= 8
            assert figures["store_conflicts_total"] == 0 and lag_count(figures) == 0
            timed = {sample.labels["operation"] for sample in figures.families["refreshable_store_duration_seconds"].samples}
            failed = {sample.labels["operation"]: sample.value for sample in figures.families["refreshable_store_errors"].samples}
            assert timed == OPERATIONS and failed == dict.fromkeys(OPERATIONS, 0), (timed, failed)
            assert figures["leads", {"list": "board"}] == 0, "a list that is only pushed to is led by nobody"

        # From one server alone: the other hears of each, and is behind by all of them together.
        for number in range(5):
            assert (await patch(one, {"set": [row(f"a{number}")]}))[0] == 200
        figures = await until(two, lambda figures: figures["rows", {"list": "board"}] == 5, "the other server did not follow")
        figures = await until(two, lambda figures: figures["store_lag_revisions_sum"] >= 5, "nothing was behind")
        assert 1 <= lag_count(figures) == figures["store_lag_revisions_count"], told(figures)
        assert figures["store_conflicts_total"] == 0 and lag_count(await Figures.of(one)) == 0, "nobody else has pushed"
        assert (await Figures.of(one))["store_duration_seconds_count", {"operation": "commit"}] >= 5

        async def push(server, letter):
            for number in range(40):
                status, _, body = await patch(server, {"set": [row(f"{letter}{number}")]})
                assert status == 200, body

        await asyncio.gather(*(push(server, f"{server.name}-{each}-") for server in servers for each in range(3)))
        counted = [await Figures.of(server) for server in servers]
        assert sum(figures["store_conflicts_total"] for figures in counted) > 0, "240 pushes at two servers, and none was too late"
        for server in servers:
            await until(server, lambda figures: figures["rows", {"list": "board"}] == 245, "rows are missing")
            figures = await Figures.of(server)
            assert figures["store_errors_total", {"operation": "commit"}] == 0, told(figures)
            assert figures["store_duration_seconds_count", {"operation": "notify"}] > 0, told(figures)


@shared_test()
async def a_crowd_that_pulls_at_once_is_a_few_transactions():
    folder = Folder()
    folder.write("slow.tsv", FRUIT)
    async with two_servers([slow_list(folder, seconds=2)], folder=folder) as (_, one, two), contextlib.AsyncExitStack() as stack:
        crowds = [[await stack.enter_async_context(Client.open(server)) for _ in range(150)] for server in (one, two)]
        clients = sum(crowds, [])
        await asyncio.gather(*(client.watch("slow") for client in clients))
        await asyncio.gather(*(client.settled("slow") for client in clients))
        before = [await Figures.of(server) for server in (one, two)]
        answers = await asyncio.gather(*(client.pull("slow", 1) for client in clients))
        assert len({answer["run"] for answer in answers}) == 1, answers[:3]
        for server, earlier in zip((one, two), before, strict=True):
            figures = await Figures.of(server)
            counted = {
                operation: figures["store_duration_seconds_count", {"operation": operation}]
                - earlier["store_duration_seconds_count", {"operation": operation}]
                for operation in ("ask", "commit", "read", "notify")}  # fmt: skip
            # What comes while a transaction is under way is one more: a slow machine has more of them, and never one for each.
            assert sum(counted.values()) <= 40, f"{server.name}: {counted}"


@shared_test()
async def a_database_that_is_away_is_told_until_it_is_back():
    async with two_servers([BOARD]) as (postgres, one, two):
        await one.json("/lists/board")
        assert (await Figures.of(one))["store_available"] == 1
        await asyncio.to_thread(postgres.stop, "immediate")
        for server in (one, two):
            await eventually_is(server, ("store_available", {}), 0, 10)
            status, _, _ = await server.http("GET", "/readyz")
            assert status == 503, status
            await until(server, lambda figures: figures["store_errors_total", {"operation": "look"}] > 0, "no error was counted")
        status, _, _ = await patch(one, {"set": [row("a")]})
        assert status == 503, status
        await asyncio.to_thread(postgres.start)
        for server in (one, two):
            await eventually_is(server, ("store_available", {}), 1, 10)
            status, _, _ = await server.http("GET", "/readyz")
            assert status == 200, status


@shared_test(limit=90)
async def who_leads_is_told_and_every_change_of_it():
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    here = {"list": "fruit"}
    async with two_servers([file_list(folder), BOARD], folder=folder) as (_, one, two):
        await one.refresh("fruit")
        await two.json("/lists/fruit")
        await two.json("/lists/board")
        figures = await Figures.of(one)
        assert figures["leads", here] == 1 and figures[change_of_lead("fruit", "taken")] == 1, told(figures)
        assert (await Figures.of(two))["leads", here] == 0

        # A server that is asleep for longer than its lease loses the lead, and finds out when it wakes.
        os.kill(one.pid, signal.SIGSTOP)
        try:
            await refreshed(two)
            figures = await Figures.of(two)
            assert figures["leads", here] == 1 and figures[change_of_lead("fruit", "taken")] == 1, told(figures)
            for number in range(20):
                assert (await patch(two, {"set": [row(f"a{number}")]}))[0] == 200
            before = figures
        finally:
            os.kill(one.pid, signal.SIGCONT)
        figures = await until(one, lambda figures: figures[change_of_lead("fruit", "lost")] == 1, "it never found out")
        assert figures["leads", here] == 0 and figures[change_of_lead("fruit", "taken")] == 1, told(figures)
        assert before[change_of_lead("fruit", "lost")] == 0

        # One that was killed is replaced, too.
        await two.kill()
        await refreshed(one)
        figures = await Figures.of(one)
        assert figures["leads", here] == 1 and figures[change_of_lead("fruit", "taken")] == 2, told(figures)


async def refreshed(server):
    """Refreshes until the server leads: the former leader counts as there for five seconds."""
    for _ in range(60):
        with contextlib.suppress(TimeoutError):
            status, _ = await server.refresh("fruit", within=3)
            if status == 200 and (await Figures.of(server))["leads", {"list": "fruit"}] == 1:
                return
        await asyncio.sleep(0.2)
    raise AssertionError(f"{server.name} never took the lead")


@shared_test()
async def a_server_that_stops_resigns():
    folder = Folder()
    for name in ("fruit", "slow"):
        folder.write(f"{name}.tsv", FRUIT)
    lists = [file_list(folder), slow_list(folder, seconds=4)]
    async with two_servers(lists, "--drain", "10s", folder=folder) as (_, one, two):
        await one.refresh("fruit")
        async with Client.open(one) as client:
            await client.watch("slow")
            await until(one, lambda figures: figures["run_in_progress", {"list": "slow"}] == 1, "no run began")
            one.process.send_signal(signal.SIGTERM)
            # While the run of one list goes on, the other is handed over.
            figures = await until(one, lambda figures: figures[change_of_lead("fruit", "resigned")] == 1, "it did not resign", 3)
            assert figures["leads", {"list": "fruit"}] == 0 and figures["leads", {"list": "slow"}] == 1, told(figures)
            assert figures[change_of_lead("fruit", "lost")] == 0
        status, body = await two.refresh("fruit", within=4)
        assert status == 200, body
        assert (await Figures.of(two))[change_of_lead("fruit", "taken")] == 1, "without waiting for a lease"


@shared_test()
async def a_list_whose_history_is_not_trusted_is_counted_where_it_is_renewed():
    async with two_servers([BOARD]) as (postgres, one, two):
        assert (await patch(one, {"set": [row("a")]}))[0] == 200
        await two.kill()
        # As Operating.md has it after a restore.
        await asyncio.to_thread(postgres.sql, "UPDATE refreshable.lists SET identity = ''")
        await two.start()
        epoch = (await two.json("/lists/board"))["epoch"]
        # The other one may have been first: it looks twice a second.
        counted = [(await Figures.of(server))["renewed_epochs_total"] for server in (one, two)]
        assert sorted(counted) == [0, 1], counted
        status, _, body = await patch(one, {"set": [row("b")]})
        assert status == 200 and body["epoch"] == epoch, body
        assert counted == [(await Figures.of(server))["renewed_epochs_total"] for server in (one, two)], "once is enough"
