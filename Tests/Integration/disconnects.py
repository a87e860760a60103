"""Who leaves while an answer is waited for gives up the place, and what was wanted for them alone ends."""

import asyncio
import contextlib
import json
import socket
import struct

from client import Client
from harness import Folder, Server, exchange, test, tsv

WAYS = ("end", "half", "reset")


def endless(folder):
    """A list whose command never ends by itself; FOLDER/begun tells how often it began."""
    return tsv("endless", f"echo begun >> '{folder / 'begun'}'; exec sleep 1000", deadline="1h")


async def asking(server, method, path):
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n".encode())
    await writer.drain()
    return reader, writer


def leave(writer, way):
    peer = writer.get_extra_info("socket")
    if way == "half":
        # Who was let in last may have been turned away.
        with contextlib.suppress(OSError):
            return peer.shutdown(socket.SHUT_WR)
    if way == "reset":
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort() if way == "reset" else writer.close()


async def is_let_in(server):
    try:
        return (await server.http("GET", "/healthz"))[0] == 200
    except (ConnectionError, asyncio.IncompleteReadError):
        return False


async def fill(server, method, path):
    """Asks until nobody else gets in."""
    waiting = []
    while await is_let_in(server):
        with contextlib.suppress(ConnectionError):
            waiting.append(await asking(server, method, path))
    return waiting


@test(limit=60)
async def who_leaves_while_waiting_gives_up_the_place_however_they_leave():
    folder = Folder()
    lists = [endless(folder), {**endless(folder), "name": "first"}]
    async with Server(lists, "--max-connections", "40", folder=folder) as server:
        for way in WAYS:
            for method, path in (("POST", "/lists/endless/refresh"), ("GET", "/lists/first")):
                waiting = await fill(server, method, path)
                assert len(waiting) >= 20, f"{len(waiting)} wait"
                for _, writer in waiting:
                    leave(writer, way)
                for _ in range(100):
                    answers = await asyncio.gather(*(is_let_in(server) for _ in range(30)))
                    if all(answers):
                        break
                    await asyncio.sleep(0.1)
                assert all(answers), f"{way} of {method} {path}: {answers.count(False)} of 30 stay outside"
                for _, writer in waiting:
                    writer.close()


@test()
async def a_refresh_that_nobody_waits_for_any_more_ends():
    folder = Folder()
    async with Server([endless(folder)], folder=folder) as server, Client.open(server) as watcher:
        await watcher.watch("endless")
        await watcher.expect({"type": "state", "phase": "loading", "cause": "initial"})
        await watcher.send({"type": "stop", "list": "endless", "run": "r1"})
        await watcher.expect({"type": "state", "phase": "waiting"}, within=10)
        waiting = [await asking(server, "POST", "/lists/endless/refresh") for _ in range(2)]
        run = await watcher.expect({"type": "state", "phase": "loading", "cause": "refresh"})
        leave(waiting[0][1], "end")
        await asyncio.sleep(1.5)
        assert (await watcher.ask({"type": "ping"}))["type"] == "ok"
        assert watcher.model("endless").state["phase"] == "loading", "one of the two still waits"
        leave(waiting[1][1], "reset")
        state = await watcher.expect({"type": "state", "phase": "closing", "run": run["run"]}, within=5)
        assert state["last"]["outcome"] == "cancelled", state


@test()
async def a_posted_refresh_within_the_minimum_interval_is_told_when_to_come_back():
    folder = Folder()
    lists = [tsv("fruit", f"echo run >> '{folder / 'runs'}'; printf 'a\\tApple\\n'", minimumInterval="1h")]
    async with Server(lists, folder=folder) as server:
        status, first = await server.refresh("fruit")
        assert (status, first["outcome"]) == (200, "success"), first
        for _ in range(3):
            status, headers, body = await server.http("POST", "/lists/fruit/refresh", {"Content-Length": "0"})
            assert status == 429 and 3500 < int(headers["retry-after"]) <= 3600, headers
            assert f"{headers['retry-after']} s" in json.loads(body)["detail"], body
        assert len(folder.lines("runs")) == 1


@test()
async def everybody_who_gets_a_list_that_loads_for_the_first_time_waits_for_its_rows():
    async with Server([tsv("slow", "sleep 0.5; printf 'a\\tApple\\n'")]) as server:
        answers = await asyncio.gather(*(server.rows("slow") for _ in range(3)))
        assert answers == [[("a", {"title": "Apple"})]] * 3, answers


@test()
async def a_client_that_offers_http_2_is_served_http_1():
    async with Server([tsv("fruit", "printf 'a\\tApple\\n'")]) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        offer = {
            "Host": "localhost", "Connection": "Upgrade, HTTP2-Settings", "Upgrade": "h2c",
            "HTTP2-Settings": "AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA",
        }  # fmt: skip
        for method, path in (("GET", "/lists/fruit"), ("POST", "/lists/fruit/refresh"), ("HEAD", "/")):
            status, _, _ = await exchange(reader, writer, method, path, offer, b"" if method == "POST" else None)
            assert status == 200, f"{method} {path}: {status}"
        writer.close()
