"""Compression: permessage-deflate (RFC 7692) changes the bytes on the wire and nothing else."""

import json
import struct
import zlib

from websockets.asyncio.client import ClientConnection

from client import Client
from harness import Folder, Server, file_list, test

ROWS = [(f"row-{number}", f"Row {number} of a list that many watch, updated a moment ago") for number in range(1000)]


class CountingConnection(ClientConnection):
    """Counts the bytes that come over the wire."""

    received = 0

    def data_received(self, data):
        self.received += len(data)
        super().data_received(data)


def deflated(payload):
    """A payload as RFC 7692 §7.2.1 has it."""
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = deflater.compress(payload) + deflater.flush(zlib.Z_SYNC_FLUSH)
    assert data.endswith(b"\x00\x00\xff\xff")
    return data[:-4]


def compressed_frame(payload):
    """A masked text frame with RSV1, for less than 64 KiB; the mask is zero."""
    size = bytes([0x80 | len(payload)]) if len(payload) < 126 else struct.pack("!BH", 0x80 | 126, len(payload))
    return b"\xc1" + size + b"\0\0\0\0" + payload


def rows_folder():
    folder = Folder()
    folder.write("fruit.tsv", ROWS)
    return folder


def is_compressed(client):
    return bool(client.socket.protocol.extensions)


async def ended(client):
    """The code with which the server closed."""
    await client.reading
    return client.socket.close_code


@test()
async def a_compressed_watcher_gets_the_rows_of_a_plain_one_in_a_fifth_of_the_bytes():
    folder = rows_folder()
    options = {"create_connection": CountingConnection}
    async with (
        Server([file_list(folder)], folder=folder) as server,
        Client.open(server, **options) as compressed,
        Client.open(server, compression=None, **options) as plain,
    ):
        assert is_compressed(compressed) and not is_compressed(plain)
        await server.refresh("fruit")
        for client in (plain, compressed):
            await client.watch("fruit")
            await client.settled("fruit")
        snapshots = [
            [frame for frame in client.frames if frame["type"] == "snapshot"] for client in (plain, compressed)
        ]
        assert len(snapshots[0]) > 1, "the snapshot came in one part"
        assert snapshots[0] == snapshots[1]
        sizes = plain.socket.received, compressed.socket.received
        assert sizes[1] * 5 < sizes[0], f"{sizes[0]} bytes plain, {sizes[1]} compressed"

        folder.write("fruit.tsv", [(key, title.upper()) for key, title in reversed(ROWS[10:])] + [("new", "New")])
        status, _ = await server.refresh("fruit")
        assert status == 200, status
        for client in (plain, compressed):
            await client.shows_what_the_server_has("fruit")
        assert plain.model("fruit").ordered() == compressed.model("fruit").ordered()


@test()
async def all_who_join_later_are_sent_the_same_compressed_bytes():
    folder = rows_folder()
    async with Server([file_list(folder)], folder=folder) as server:
        sizes = set()
        for _ in range(5):
            async with Client.open(server, create_connection=CountingConnection) as client:
                before = client.socket.received
                await client.watch("fruit")
                await client.settled("fruit")
                await client.shows_what_the_server_has("fruit")
                states = sum(len(json.dumps(frame)) for frame in client.frames if frame["type"] == "state")
                sizes.add((client.socket.received - before - states) // 1000)
        # The states tell times, and are not always of one length.
        assert max(sizes) - min(sizes) <= 1, sizes


@test()
async def compressed_fragments_with_pings_between_are_one_message():
    folder = rows_folder()
    async with Server([file_list(folder)], folder=folder) as server, Client.open(server) as client:
        assert is_compressed(client)
        message = json.dumps({"type": "ping", "id": "fragments", "padding": "x" * 4000})

        async def parts():
            for start in range(0, len(message), 700):
                yield message[start : start + 700]
                await (await client.socket.ping())

        await client.socket.send(parts())
        await client.expect({"type": "ok", "id": "fragments"})


@test()
async def limits_hold_for_what_a_message_is_decompressed_to():
    folder = rows_folder()
    async with Server([file_list(folder)], folder=folder) as server, Client.open(server) as client:
        await client.send(json.dumps({"type": "ping", "id": "large", "padding": "x" * 15_000}))
        await client.expect({"type": "ok", "id": "large"})
        await client.send(json.dumps({"type": "ping", "id": "larger", "padding": "x" * 20_000}))
        await client.expect({"type": "error", "code": "tooLarge"})
        await client.send({"type": "ping", "id": "after"})
        await client.expect({"type": "ok", "id": "after"})


@test()
async def a_bomb_is_refused_before_it_goes_off():
    folder = rows_folder()
    async with Server([file_list(folder)], folder=folder) as server, Client.open(server) as healthy:
        await healthy.watch("fruit")
        await healthy.settled("fruit")
        await Client.connect(server)
        bomb = compressed_frame(deflated(bytes(10_000_000)))
        assert len(bomb) < 12_000, len(bomb)
        before = server.resident()
        for _ in range(20):
            client = await Client.connect(server)
            client.socket.transport.write(bomb)
            assert await ended(client) == 1009, client.socket.close_code
        grown = server.resident() - before
        assert grown < 1 << 20, f"{grown} bytes more for bombs of 200 MB"
        await healthy.shows_what_the_server_has("fruit")


@test()
async def what_can_not_be_decompressed_ends_its_sender_alone():
    folder = rows_folder()
    async with Server([file_list(folder)], folder=folder) as server, Client.open(server) as healthy:
        whole = deflated(json.dumps({"type": "ping", "id": "1", "padding": [n * n for n in range(300)]}).encode())
        for payload in (b"\xff" * 20, whole[: len(whole) // 2], deflated(b'{"type":"\xc3\x28"}')):
            client = await Client.connect(server)
            client.socket.transport.write(compressed_frame(payload))
            assert await ended(client) == 1007, client.socket.close_code
        await healthy.send({"type": "ping", "id": "after"})
        await healthy.expect({"type": "ok", "id": "after"})
