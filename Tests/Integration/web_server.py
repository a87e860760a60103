"""A web server on loopback that does what it is told, and what it should not."""

import asyncio
import contextlib
import json
import ssl


class WebServer:
    """Answers each path by a function of its own; use it with `async with`. `asked` has the requests so far."""

    def __init__(self, tls=None):
        self.paths, self.asked, self.tls = {}, [], tls
        # Connections so far, and whether they are kept for the next request.
        self.connections, self.keeps = 0, False

    async def __aenter__(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0, ssl=self.tls)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self.server.close()

    def url(self, path, host="127.0.0.1"):
        return f"{'https' if self.tls else 'http'}://{host}:{self.port}{path}"

    def on(self, path, answer):
        """`answer` gets the request and gives (status, headers, body), or writes by itself and gives None."""
        self.paths[path] = answer

    def rows(self, path, rows, **headers):
        """This path has these rows."""
        self.on(path, lambda request: (200, headers, json.dumps(rows)))

    def count(self, path):
        return sum(1 for request in self.asked if request["path"] == path)

    async def serve(self, reader, writer):
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, TimeoutError, ssl.SSLError):
            self.connections += 1
            await self.exchange(reader, writer)
            while self.keeps:
                await self.exchange(reader, writer)
        with contextlib.suppress(Exception):
            writer.close()

    async def exchange(self, reader, writer):
        line = (await asyncio.wait_for(reader.readuntil(b"\r\n"), 10)).decode()
        method, target, _ = line.split(" ", 2)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        headers = {name.lower(): value.strip() for name, _, value in (one.partition(":") for one in head.split("\r\n"))}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        path, _, query = target.partition("?")
        request = {"method": method, "path": path, "query": query, "headers": headers, "body": body, "writer": writer}
        self.asked.append(request)
        answer = self.paths.get(path, lambda _: (404, {}, "not here"))(request)
        if asyncio.iscoroutine(answer):
            answer = await answer
        if answer is None:
            return
        status, more, text = answer
        content = text if isinstance(text, bytes) else text.encode()
        fields = {"Content-Length": str(len(content)), "Connection": "keep-alive" if self.keeps else "close", **more}
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in fields.items())
        writer.write(f"HTTP/1.1 {status} X\r\n{lines}\r\n".encode() + (b"" if status == 304 else content))
        await writer.drain()
