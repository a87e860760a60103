"""Who leads a list: a server that stops hands over what it leads, with its run and what others ask; and some servers may be chosen."""

import asyncio
import contextlib

from client import Client
from harness import Folder, eventually, slow_list, tsv
from shared_server import SharedServer, database_test


@contextlib.asynccontextmanager
async def two(postgres, *flags):
    """(folder, the server that leads the list `slow`, a client there, the other server, a client there)."""
    folder = Folder()
    folder.write("slow.tsv", [("a", "Apple"), ("b", "Banana")])
    lists = [slow_list(folder, seconds=0)]
    servers = [SharedServer(postgres.url(), *flags, lists=lists, folder=folder) for _ in range(2)]
    for number, server in enumerate(servers):
        server.name = f"server{number}"
    async with servers[0] as leader, Client.open(leader) as there:
        await there.watch("slow")
        await there.settled("slow")
        async with servers[1] as other, Client.open(other) as here:
            await here.watch("slow")
            await here.settled("slow")
            yield folder, leader, there, other, here


async def begun(folder, client, seconds):
    """A run that takes long is under way, where it was asked for."""
    (folder / "slow.delay").write_text(str(seconds))
    folder.write("slow.tsv", [("a", "Apple"), ("c", "Cherry")])
    before = len(folder.lines("slow.log"))
    ok = await client.ask({"type": "refresh", "list": "slow"})
    await eventually(lambda: len(folder.lines("slow.log")) > before)
    return ok["run"]


def is_over(client, run):
    state = client.model("slow").state
    return state["phase"] == "waiting" and int(state["last"]["run"][1:]) >= int(run[1:])


def outcomes(client, run):
    """How a run ended, as this client was told."""
    lasts = [frame.get("last") or {} for frame in client.frames if frame["type"] == "state"]
    return {last["outcome"] for last in lasts if last.get("run") == run}


@database_test()
async def a_run_of_the_server_that_stops_goes_to_its_end_on_all(postgres):
    async with two(postgres) as (folder, leader, there, other, here):
        run = await begun(folder, here, 2)
        stopping = asyncio.create_task(leader.stop(20))
        for client in (there, here):
            await client.until(lambda client=client: is_over(client, run), 10, "the run never ended")
            assert client.model("slow").state["last"]["outcome"] == "success", client.model("slow").state
        assert await stopping == 0
        assert [key for key, _ in await other.rows("slow")] == ["a", "c"]


@database_test()
async def what_is_asked_elsewhere_while_the_leader_stops_the_next_one_does(postgres):
    async with two(postgres) as (folder, leader, _, other, here):
        run = await begun(folder, here, 2)
        stopping = asyncio.create_task(leader.stop(20))
        await leader.becomes(503)
        (folder / "slow.delay").write_text("0.1")
        answer = await here.ask({"type": "refresh", "list": "slow", "fresh": "after"}, within=15)
        # The next leader loads the list before that, as somebody watches.
        assert answer["type"] == "ok" and int(answer["run"][1:]) == int(run[1:]) + 2, answer
        await here.until(lambda: is_over(here, answer["run"]), 10, "the next run never ended")
        assert here.model("slow").state["last"]["outcome"] == "success", here.model("slow").state
        assert await stopping == 0
        assert [line.split()[0] for line in folder.lines("slow.log")] == ["begin", "end"] * 4, folder.lines("slow.log")


@database_test()
async def a_run_longer_than_the_drain_ends_as_cancelled_on_all(postgres):
    async with two(postgres, "--drain", "1s") as (folder, leader, there, other, here):
        run = await begun(folder, here, 30)
        began = asyncio.get_running_loop().time()
        # The next one's, so that it does not hide how this one ended.
        (folder / "slow.delay").write_text("1")
        stopping = asyncio.create_task(leader.stop(20))
        for client in (there, here):
            await client.until(lambda client=client: outcomes(client, run), 10, "the run never ended")
            assert outcomes(client, run) == {"cancelled"}, outcomes(client, run)
        assert asyncio.get_running_loop().time() - began < 5, "nobody waited for a lease to be over"
        assert await stopping == 0
        _, body = await other.refresh("slow")
        assert body["outcome"] == "success", body


# MARK: Chosen


def chosen_and_other(postgres):
    """Two servers of a list that web-1 alone may run; its rows say who ran it."""
    folder = Folder()
    lists = [tsv("who", "echo \"$SERVER\t$SERVER $(date +%N)\"", servers="web-1")]
    servers = [SharedServer(postgres.url(), "--name", name, lists=lists, folder=folder) for name in ("web-1", "web-2")]
    for server, name in zip(servers, ("web-1", "web-2"), strict=True):
        server.name, server.environment = name, {"SERVER": name}
    return servers


def keys(client):
    return [key for key, _ in client.model("who").ordered()]


@database_test()
async def a_chosen_server_runs_the_list_for_all(postgres):
    chosen, other = chosen_and_other(postgres)
    async with chosen, other, Client.open(other) as client:
        # Nobody watches at the chosen one.
        await client.watch("who")
        await client.until(lambda: keys(client) == ["web-1"], 10, "the list was not loaded")
        for _ in range(3):
            answer = await client.ask({"type": "refresh", "list": "who"})
            assert answer["type"] == "ok" and answer["run"], answer
            await client.settled("who")
        assert keys(client) == ["web-1"]
        assert (await other.http("POST", "/lists/who/refresh", {"Content-Length": "0"}))[0] == 200


@database_test()
async def without_a_chosen_server_pulls_are_refused_and_rows_are_shown(postgres):
    chosen, other = chosen_and_other(postgres)
    async with other, Client.open(other) as client:
        async with chosen:
            await client.watch("who")
            await client.until(lambda: keys(client) == ["web-1"], 10, "the list was not loaded")
            assert await chosen.stop() == 0
            chosen.folder.remove = lambda: None
        answer = await client.ask({"type": "refresh", "list": "who"}, within=15)
        assert answer["code"] == "unavailable", answer
        async with Client.open(other) as another:
            await another.watch("who")
            assert keys(another) == ["web-1"]
        # It is back, and does what is asked.
        await chosen.start()
        answer = await client.ask({"type": "refresh", "list": "who"}, within=15)
        assert answer["type"] == "ok" and answer["run"], answer
        await eventually(lambda: client.model("who").state["phase"] == "waiting")
        assert await chosen.stop() == 0
