"""What strangers can have the server keep: each filled to the brim, and the process' memory read."""

import asyncio
import json
import socket

from client import Client
from harness import Server, exchange, test, tsv
from raw_reader import RawReader

MEBIBYTE = 1 << 20


def board(**settings):
    return {"name": "board", "push": True, **settings}


async def push(reader, writer, body, **headers):
    content = json.dumps(body).encode()
    return await exchange(reader, writer, "PATCH", "/lists/board", {"Host": "localhost", **headers}, content)


@test(limit=120)
async def an_idempotency_key_is_short_and_kept_in_few_bytes():
    async with Server([board(), tsv("fruit", "printf 'a\\tApple\\n'")], ephemeral=True) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        for length, expected in ((256, 200), (257, 400), (7900, 400)):
            status, _, body = await push(reader, writer, {"remove": ["a"]}, **{"Idempotency-Key": "k" * length})
            assert status == expected, f"{length}: {status} {body}"
            if status == 400:
                assert "256" in json.loads(body)["detail"], body
                # What is refused at the head ends the connection.
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            headers = {"Host": "localhost", "Idempotency-Key": "k" * length}
            status, _, body = await exchange(reader, writer, "POST", "/lists/fruit/refresh", headers, b"")
            assert status == expected, f"{length}: {status} {body}"
        before = server.resident()
        for number in range(6000):
            status, _, _ = await push(
                reader, writer, {"remove": ["a"]}, **{"Idempotency-Key": f"{number}-" + "k" * 240}
            )
            assert status == 200
        grown = server.resident() - before
        assert grown < 3 * MEBIBYTE, f"{grown / 6000:.0f} bytes are kept of each key"
        writer.close()


class Resumer(RawReader):
    """Comes back from a revision and reads nothing."""

    async def resume(self, epoch, revision):
        await self.open()
        await self.read_until(lambda frame: frame["type"] == "welcome")
        message = {"type": "watch", "id": "1", "list": "board", "epoch": epoch, "revision": revision}
        await self.send(message)


@test(limit=120)
async def readers_who_come_back_from_as_many_revisions_and_read_nothing_hold_little():
    async with Server([board()], ephemeral=True) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        rows = [{"key": f"row-{number}", "fields": {"title": "x" * 800}} for number in range(1000)]
        await push(reader, writer, {"set": rows})
        for number in range(58):
            some = range(number * 17, number * 17 + 17)
            changed = [{"key": f"row-{row}", "fields": {"title": f"{number}" + "y" * 800}} for row in some]
            status, headers, _ = await push(reader, writer, {"set": changed})
            assert status == 200
        epoch, newest = headers["etag"].strip('"').split(":")
        async with Client.open(server) as client:
            await client.watch("board")
        before = server.resident()
        stuck = [Resumer(server) for _ in range(58)]
        for number, one in enumerate(stuck):
            await one.resume(epoch, number + 1)
        async with Client.open(server) as client:
            await client.watch("board")
            assert (await client.ask({"type": "ping"}))["type"] == "ok"
        grown = server.resident() - before
        assert grown < 16 * MEBIBYTE, f"{grown / MEBIBYTE:.1f} MiB are held by 58 who read nothing"
        for one in stuck:
            one.socket.close()
        writer.close()


@test(limit=120)
async def programs_that_take_the_rows_slowly_hold_a_few_documents():
    async with Server([board()], ephemeral=True) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        rows = [{"key": f"row-{number}", "fields": {"title": "x" * 8000}} for number in range(120)]
        await push(reader, writer, {"set": rows})
        slow = []
        before = server.resident()
        for number in range(40):
            await push(reader, writer, {"set": [{"key": "row-0", "fields": {"title": f"{number}"}}]})
            slow.append(await begin_to_read(server, "/lists/board"))
        grown = server.resident() - before
        assert grown < 20 * MEBIBYTE, f"{grown / MEBIBYTE:.1f} MiB are held by 40 who take a megabyte slowly"
        status, _, _ = await server.http("GET", "/lists/board")
        assert status == 200
        for peer in slow:
            peer.close()
        writer.close()


async def begin_to_read(server, path):
    """Asks, and reads the first bytes of the answer; a small window leaves the rest to the server."""
    peer = socket.socket()
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    peer.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(peer, ("127.0.0.1", server.port))
    await loop.sock_sendall(peer, f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    assert (await asyncio.wait_for(loop.sock_recv(peer, 16), 10)).startswith(b"HTTP/1.1 200")
    return peer
