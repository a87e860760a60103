"""What people have not seen is the same at all servers."""

import contextlib

from access import COOK, KITCHEN, entry, shown, write
from client import Client
from harness import Folder
from shared_server import SharedServer, database_test

TOKENS = [entry("ann", KITCHEN, {"board": ["read", "push"]}), entry("bob", COOK, {"board": ["read", "push"]})]


@contextlib.asynccontextmanager
async def two(postgres):
    """Two servers of one list, and whoever comes to them."""
    folder = Folder()
    write_to = type("At", (), {"folder": folder})
    write(write_to, TOKENS)
    lists = [{"name": "board", "push": True, "unread": True}]
    servers = [
        SharedServer(postgres.url(), "--tokens", str(folder / "tokens.yaml"), lists=lists, folder=folder) for _ in range(2)
    ]
    for number, server in enumerate(servers):
        server.name = f"server{number}"
    async with contextlib.AsyncExitStack() as stack:
        for server in servers:
            await stack.enter_async_context(server)
        yield servers


def unread(client):
    frames = [frame["keys"] for frame in client.frames if frame["type"] == "unread"]
    return frames[-1] if frames else None


async def push(server, *keys):
    body = '{"set":[%s]}' % ",".join(f'{{"key":"{key}","fields":{{"title":"{key}"}}}}' for key in keys)
    headers = {"Authorization": f"Bearer {KITCHEN}", "Content-Length": str(len(body))}
    status, _, answer = await server.http("PATCH", "/lists/board", headers, body.encode())
    assert status in (200, 201), answer


async def becomes(client, keys):
    try:
        await client.until(lambda: unread(client) == keys, 8)
    except AssertionError as fault:
        fault.add_note(f"Expected {keys}, was told {[frame['keys'] for frame in client.frames if frame['type'] == 'unread']}")
        raise


@database_test()
async def rows_are_unread_and_seen_at_every_server(postgres):
    async with two(postgres) as (first, second):
        async with Client.open(first, **shown(KITCHEN)) as here, Client.open(second, **shown(KITCHEN)) as there:
            async with Client.open(second, **shown(COOK)) as bob:
                for client in (here, there, bob):
                    await client.watch("board")
                    await becomes(client, [])
                for server, key in ((first, "a"), (second, "b")):
                    await push(server, key)
                for client in (here, there, bob):
                    await becomes(client, ["a", "b"])
                for client, row, left in ((there, "a", ["b"]), (here, "b", [])):
                    answer = await client.ask({"type": "act", "list": "board", "action": "seen", "row": row, "key": f"k{row}"})
                    assert answer["type"] == "ok", answer
                    await becomes(here, left)
                    await becomes(there, left)
                assert unread(bob) == ["a", "b"]


@database_test()
async def the_next_leader_goes_on_where_the_one_before_has_ended(postgres):
    async with two(postgres) as (first, second):
        async with Client.open(second, **shown(KITCHEN)) as ann:
            async with Client.open(first, **shown(COOK)) as bob:
                # The first to be watched leads.
                await bob.watch("board")
                await ann.watch("board")
                await becomes(ann, [])
                await push(second, "a")
                await becomes(ann, ["a"])
                await first.kill()
            # Nobody leads the list for some seconds.
            await push(second, "b")
            await becomes(ann, ["a", "b"])
            answer = await ann.ask({"type": "act", "list": "board", "action": "seen", "key": "all"})
            assert answer["type"] == "ok", answer
            await becomes(ann, [])
