"""The end of a server: refreshes get their time, people are told when to come back, and nothing is lost."""

import asyncio
import json
import random
import signal
import time

from client import Client
from harness import Folder, Server, eventually, say, slow_list, test
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

FRUIT = [("a", "Apple"), ("b", "Banana")]


def slow(seconds, **settings):
    folder = Folder()
    folder.write("slow.tsv", FRUIT)
    return folder, [slow_list(folder, seconds=seconds, **settings)]


async def begun(server, folder, client):
    """A refresh that is under way."""
    await client.watch("slow")
    await client.settled("slow")
    before = len(folder.lines("slow.log"))
    folder.write("slow.tsv", [*FRUIT, ("c", "Cherry")])
    await client.send({"type": "refresh", "id": "r", "list": "slow"})
    await client.expect({"id": "r", "type": "ok"})
    await eventually(lambda: len(folder.lines("slow.log")) > before)


async def draining(server):
    async def is_not_ready():
        return (await server.http("GET", "/readyz"))[0] == 503

    deadline = time.monotonic() + 5
    while not await is_not_ready():
        assert time.monotonic() < deadline, "it never said that it is about to stop"


def slowly(folder, seconds):
    (folder / "slow.delay").write_text(str(seconds))


@test()
async def a_server_that_serves_is_ready_and_alive():
    folder, lists = slow(0)
    async with Server(lists, folder=folder) as server:
        for path in ("/healthz", "/readyz"):
            status, _, body = await server.http("GET", path)
            assert status == 200 and len(body) < 200, f"{path}: {status} {body}"
            status, _, body = await server.http("HEAD", path)
            assert (status, body) == (200, b""), f"HEAD {path}: {status}"
            status, headers, _ = await server.http("POST", path, {"Content-Length": "0"})
            assert status == 405 and "GET" in headers["allow"], headers


@test()
async def a_refresh_under_way_ends_while_those_who_watch_still_do():
    folder, lists = slow(0)
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("slow")
        await client.settled("slow")
        slowly(folder, 1.5)
        await begun(server, folder, client)
        stopping = asyncio.create_task(server.stop(20))
        await draining(server)

        status, _, _ = await server.http("GET", "/healthz")
        assert status == 200, "it is alive"
        status, headers, body = await server.http("POST", "/lists/slow/refresh", {"Content-Length": "0"})
        assert status == 503 and int(headers["retry-after"]) > 0, f"{status} {headers} {body}"
        status, headers, _ = await server.http(
            "GET", "/ws",
            {
                "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            },
        )  # fmt: skip
        assert status == 503 and int(headers["retry-after"]) > 0, f"nobody new is let in: {status} {headers}"

        closing = await client.expect({"type": "state", "phase": "closing"}, 10)
        assert closing["last"]["outcome"] == "success", closing
        goodbye = await client.expect({"type": "goodbye", "code": 4200, "reconnect": True}, 5)
        assert goodbye["after"] == [0, 8000], goodbye
        assert [key for key, _ in client.model("slow").ordered()] == ["a", "b", "c"], "rows came before it"
        assert await stopping == 0
        await server.start()
        assert [key for key, _ in await server.rows("slow")] == ["a", "b", "c"], "what the last refresh gave is kept"


@test()
async def while_it_stops_nobody_begins_a_refresh():
    folder, lists = slow(0)
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        slowly(folder, 1)
        await begun(server, folder, client)
        stopping = asyncio.create_task(server.stop(20))
        await draining(server)
        joined = await client.ask({"type": "refresh", "list": "slow"})
        assert joined["joined"] is True, "the one under way may be joined"
        refused = await client.ask({"type": "refresh", "list": "slow", "fresh": "after"})
        assert (refused["run"], refused["reason"]) == (None, "refused"), refused
        assert await stopping == 0
        runs = [line for line in folder.lines("slow.log") if line.startswith("begin")]
        assert len(runs) == 2, f"the first one, and the one that was under way: {runs}"


@test()
async def a_refresh_that_takes_longer_is_cancelled_and_said_to_be():
    folder, lists = slow(0)
    async with Server(lists, "--drain", "500ms", folder=folder) as server, Client.open(server) as client:
        await client.watch("slow")
        await client.settled("slow")
        slowly(folder, 30)
        await begun(server, folder, client)
        started = time.monotonic()
        stopping = asyncio.create_task(server.stop(15))
        closing = await client.expect({"type": "state", "phase": "closing"}, 10)
        assert closing["last"]["outcome"] == "cancelled", closing
        assert await stopping == 0
        assert 0.5 <= time.monotonic() - started < 8, "it got its time, and no more"
        assert not any("end" in line for line in folder.lines("slow.log")[2:]), "its command was ended"


@test(limit=60)
async def many_come_back_spread_over_the_seconds():
    folder, lists = slow(0)
    async with Server(lists, "--loops", "1", folder=folder, ephemeral=True) as server:
        told = []

        async def stay(socket):
            try:
                async for message in socket:
                    frame = json.loads(message)
                    if frame["type"] == "goodbye":
                        told.append((tuple(frame["after"]), None))
            except ConnectionClosed:
                pass
            return socket.close_code

        sockets = []
        for _ in range(12):
            some = await asyncio.gather(
                *(
                    connect(f"ws://localhost:{server.port}/ws", compression=None, ping_interval=None)
                    for _ in range(50)
                )
            )
            sockets += some
        staying = [asyncio.create_task(stay(socket)) for socket in sockets]
        started = time.monotonic()
        status = await server.stop(20)
        codes = await asyncio.gather(*staying)
        assert status == 0 and time.monotonic() - started < 10
        assert set(codes) == {4200}, f"{ {code: codes.count(code) for code in set(codes)} }"
        windows = sorted(after for after, _ in told)
        assert len(windows) == 600, f"each is told once: {len(windows)}"
        assert sorted(set(windows)) == [(0, 2666), (2666, 5333), (5333, 8000)], set(windows)
        assert max(windows.count(window) for window in set(windows)) <= 256, "in batches"


@test()
async def a_second_signal_ends_it_at_once():
    for first, second, status in (
        (signal.SIGTERM, signal.SIGTERM, 143), (signal.SIGINT, signal.SIGINT, 130),
    ):  # fmt: skip
        folder, lists = slow(0)
        async with Server(lists, folder=folder) as server, Client.open(server) as client:
            await client.watch("slow")
            await client.settled("slow")
            slowly(folder, 30)
            await begun(server, folder, client)
            server.process.send_signal(first)
            await draining(server)
            started = time.monotonic()
            server.process.send_signal(second)
            ended = await asyncio.wait_for(server.process.wait(), 5)
            assert ended == status and time.monotonic() - started < 1, f"{ended}, and not {status}"


@test()
async def an_interrupt_is_heeded_alike():
    folder, lists = slow(0)
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("slow")
        await client.settled("slow")
        server.process.send_signal(signal.SIGINT)
        await client.expect({"type": "goodbye", "code": 4200}, 5)
        assert await asyncio.wait_for(server.process.wait(), 10) == 0


@test(limit=120)
async def killed_at_any_moment_of_its_end_it_has_what_people_saw():
    seed = random.randrange(1 << 30)
    say(f"  seed {seed}")
    dice = random.Random(seed)
    folder, lists = slow(0)
    async with Server(lists, folder=folder) as server:
        for round in range(8):
            slowly(folder, 0)
            models = {}
            client = await Client.connect(server, models=models)
            await client.watch("slow", resume=False)
            await client.settled("slow")
            slowly(folder, 0.4)
            folder.write("slow.tsv", [*FRUIT, (f"r{round}", f"round {round}")])
            await client.send({"type": "refresh", "id": "r", "list": "slow"})
            await client.expect({"id": "r", "type": "ok"})
            server.process.send_signal(signal.SIGTERM)
            await asyncio.sleep(dice.uniform(0, 0.8))
            if server.process.returncode is None:
                server.process.kill()
            await server.process.wait()
            client.raise_fault()
            await client.close()
            model = client.model("slow")
            epoch, revision = model.epoch, model.revision
            slowly(folder, 0)
            await server.start()
            after = await server.json("/lists/slow")
            assert after["epoch"] != epoch or after["revision"] >= revision, f"saw {revision}, kept {after['revision']}"
            async with Client.open(server, models=models) as back:
                await back.watch("slow", resume=True)
                await back.settled("slow")
                await back.shows_what_the_server_has("slow")
