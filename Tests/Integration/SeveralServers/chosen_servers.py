"""Lists that only some servers may run: the others show them, and pass on what people want."""

from client import Client
from harness import Folder, eventually, tsv
from shared_server import SharedServer, database_test


def the_two(postgres):
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
    chosen, other = the_two(postgres)
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
    chosen, other = the_two(postgres)
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
