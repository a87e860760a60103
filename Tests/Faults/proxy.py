"""A way between a client and the server that can be cut at any byte, or hardly moves."""

import asyncio
import contextlib
import socket


class Proxy:
    """Carries one connection at a time, as its `line` says."""

    def __init__(self, target):
        self.target = target
        self.line = None
        self.is_calm = False
        self.server = None
        self.carrying = set()

    async def open(self):
        self.server = await asyncio.start_server(self.carry, "127.0.0.1", 0)

    @property
    def port(self):
        return self.server.sockets[0].getsockname()[1]

    async def carry(self, reader, writer):
        task = asyncio.current_task()
        self.carrying.add(task)
        line = self.line
        far_writer = None
        try:
            far_reader, far_writer = await self.connect(line)
            pumps = [
                asyncio.create_task(self.pump(reader, far_writer, line.cut_up, None)),
                asyncio.create_task(self.pump(far_reader, writer, line.cut_down, line.stall if line.is_slow else None)),
            ]
            try:
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for pump in pumps:
                    pump.cancel()
                await asyncio.gather(*pumps, return_exceptions=True)
        except OSError:
            pass  # The server is not there just now: the client sees a connection that ends.
        except asyncio.CancelledError:
            pass  # The proxy closes; asyncio would report a task that it began and that was cancelled.
        finally:
            for one in (writer, far_writer):
                if one:
                    await end(one)
            self.carrying.discard(task)

    async def connect(self, line):
        near = socket.socket()
        if line.is_slow:
            near.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        near.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(near, ("127.0.0.1", self.target))
        except OSError:
            near.close()
            raise
        return await asyncio.open_connection(sock=near, limit=4096 if line.is_slow else 1 << 18)

    async def pump(self, reader, writer, cut, stall):
        """Moves bytes until an end, or until `cut` of them went by."""
        left = cut
        while True:
            try:
                piece = await reader.read(1024 if stall else 1 << 16)
            except ConnectionError:
                return
            if not piece:
                return
            if left is not None and len(piece) >= left and not self.is_calm:
                writer.write(piece[:left])
                with contextlib.suppress(ConnectionError):
                    await writer.drain()
                return
            if left is not None:
                left -= len(piece)
            writer.write(piece)
            try:
                await writer.drain()
            except ConnectionError:
                return
            if stall and not self.is_calm:
                await asyncio.sleep(stall)

    async def close(self):
        self.server.close()
        for task in list(self.carrying):
            task.cancel()
        await asyncio.gather(*self.carrying, return_exceptions=True)


async def end(writer):
    """Lets go of a connection, with what was written to it, if the other side still takes it."""
    writer.close()
    with contextlib.suppress(ConnectionError, TimeoutError):
        async with asyncio.timeout(1):
            await writer.wait_closed()
