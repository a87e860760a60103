"""Python websockets: what is posted to the second port is broadcast; any message is answered with one text."""

import asyncio
import re
import sys

from websockets.asyncio.server import broadcast, serve

PORT, PUSH_PORT, DEFLATE, ANSWER = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "1", sys.argv[4]
clients = set()


async def watch(client):
    clients.add(client)
    try:
        async for _ in client:
            await client.send(ANSWER)
    finally:
        clients.discard(client)


async def push(reader, writer):
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            body = await reader.readexactly(int(re.search(rb"(?i)content-length: *(\d+)", head)[1]))
            broadcast(clients, body.decode())
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    except asyncio.IncompleteReadError:
        writer.close()


async def main():
    compression = "deflate" if DEFLATE else None
    async with serve(watch, "127.0.0.1", PORT, compression=compression, ping_interval=None, open_timeout=None, backlog=4096):
        async with await asyncio.start_server(push, "127.0.0.1", PUSH_PORT) as pushes:
            await pushes.serve_forever()


asyncio.run(main())
