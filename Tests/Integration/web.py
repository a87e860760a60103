"""Lists from the web: a real server on loopback, and all that can go wrong with one."""

import asyncio
import contextlib
import gzip
import json
import os
import socket
import ssl
import subprocess
import sys
import time
from pathlib import Path

from client import Client
from harness import Folder, Server, eventually, say, test
from web_server import WebServer

ROWS = [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Grace"}]
FIELDS = {"key": "id", "title": "name"}


def web_list(settings, name="people", **more):
    return {"name": name, "web": settings, "fields": FIELDS, **more}


async def error(server, name="people"):
    """What people are told of a refresh that fails."""
    status, body = await server.refresh(name)
    assert body["outcome"] == "failure", body
    return body["error"]


async def titles(server, name="people"):
    return [fields["title"] for _, fields in await server.rows(name)]


@test()
async def rows_come_from_where_the_pointer_leads_with_method_headers_and_body():
    async with WebServer() as web:
        web.rows("/people", {"data": {"items": ROWS}})
        settings = {"url": web.url("/people?a=b"), "method": "POST", "headers": {"X-Token": "${PATH}"}, "body": "{}"}
        async with Server([web_list(settings, rows="/data/items", filter="id >= 2")]) as server:
            assert (await server.refresh("people"))[1]["outcome"] == "success"
            assert await titles(server) == ["Grace"]
        asked = web.asked[0]
        assert (asked["method"], asked["query"], asked["body"]) == ("POST", "a=b", b"{}"), asked
        assert "/bin" in asked["headers"]["x-token"], "the variable stands in the header"


@test()
async def an_answer_that_did_not_change_is_neither_sent_nor_read_nor_shown_as_a_change():
    async with WebServer() as web:

        def answer(request):
            if request["headers"].get("if-none-match") == '"v1"':
                return 304, {"ETag": '"v1"'}, ""
            return 200, {"ETag": '"v1"'}, '[{"id":1,"name":"Ada"}]'

        web.on("/people", answer)
        async with Server([web_list(web.url("/people"))]) as server:
            await server.refresh("people")
            before = await server.json("/lists/people")
            _, body = await server.refresh("people")
            after = await server.json("/lists/people")
        assert body["outcome"] == "success" and not any(body["changes"].values()), body
        assert web.asked[1]["headers"]["if-none-match"] == '"v1"', web.asked[1]
        assert before["revision"] == after["revision"] and after["rows"], after


@test()
async def without_an_etag_the_date_is_asked_for():
    async with WebServer() as web:
        date = "Sun, 06 Nov 1994 08:49:37 GMT"
        web.on(
            "/people",
            lambda request: (304, {}, "")
            if request["headers"].get("if-modified-since") == date
            else (200, {"Last-Modified": date}, '[{"id":1,"name":"Ada"}]'),
        )
        async with Server([web_list(web.url("/people"))]) as server:
            await server.refresh("people")
            assert (await server.refresh("people"))[1]["outcome"] == "success"
            assert await titles(server) == ["Ada"]


@test()
async def retry_after_is_shown_and_heeded():
    async with WebServer() as web:
        web.on("/people", lambda _: (429, {"Retry-After": "7"}, "slow down"))
        async with Server([web_list(web.url("/people"))]) as server:
            first, second = await error(server), await error(server)
        assert first["message"] == "127.0.0.1 asks to be left alone for a while (status 429).", first
        assert first["retryAfter"] == 7000 and 0 < second["retryAfter"] <= 7000, (first, second)
        assert web.count("/people") == 1, "it is not asked before that"


@test()
async def a_fault_of_the_server_keeps_the_rows_and_says_so():
    async with WebServer() as web:
        web.rows("/people", ROWS)
        async with Server([web_list(web.url("/people"))]) as server:
            await server.refresh("people")
            for status, words in [(500, "has a fault"), (404, "has nothing there"), (401, "refuses the request")]:
                web.on("/people", lambda _, status=status: (status, {}, "oh dear"))
                assert (await error(server))["message"] == f"127.0.0.1 {words} (status {status})."
            assert await titles(server) == ["Ada", "Grace"]
            assert "It said: oh dear" in server.log, "the log has what it said"


@test()
async def an_answer_that_is_no_json_or_no_array_is_told_with_its_place():
    async with WebServer() as web:
        async with Server([web_list(web.url("/people"), rows="/items")]) as server:
            for body, message in [
                ("<html>", "Line 1, column 1 of the answer is not JSON: there should be a value."),
                ('{"items": {}}', "What is at /items of the answer is an object. An array of rows is expected."),
                ('{"item": []}', "There is nothing at /items of the answer. An array of rows is expected."),
            ]:
                web.on("/people", lambda _, body=body: (200, {}, body))
                assert (await error(server))["message"] == message


@test(limit=60)
async def half_an_answer_is_none():
    async def half(request):
        request["writer"].write(b'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n[{"id":1,"name":"Ada"}]')
        await request["writer"].drain()

    async def half_of_chunks(request):
        request["writer"].write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n")
        await request["writer"].drain()

    async with WebServer() as web:
        async with Server([web_list(web.url("/people"))]) as server:
            for answer in (half, half_of_chunks):
                web.on("/people", answer)
                assert "broke off" in (await error(server))["message"]


@test(limit=60)
async def a_slow_answer_is_given_up():
    async def slow(request):
        request["writer"].write(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n")
        for _ in range(100):
            request["writer"].write(b" ")
            await request["writer"].drain()
            await asyncio.sleep(0.1)

    async with WebServer() as web:
        web.on("/people", slow)
        async with Server([web_list({"url": web.url("/people"), "timeout": "1s"})]) as server:
            started = time.monotonic()
            assert (await error(server))["message"] == "127.0.0.1 did not answer within 1 s."
            assert time.monotonic() - started < 5


def peak(server):
    """The most memory that the server has had, in bytes."""
    status = Path(f"/proc/{server.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


class Hose:
    """A sender of 200 MB of blanks, in a process of its own and as fast as memory."""

    SCRIPT = """if True:
        import socket, sys
        head, piece = sys.argv[1].encode().decode("unicode_escape").encode(), b" " * (1 << 20)
        if "chunked" in sys.argv[1]:
            piece = b"100000\\r\\n" + piece + b"\\r\\n"
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        while True:
            connection, _ = listener.accept()
            connection.recv(65536)
            try:
                connection.sendall(b"HTTP/1.1 200 OK\\r\\n" + head + b"\\r\\n\\r\\n")
                for _ in range(200):
                    connection.sendall(piece)
            except OSError:
                pass
            connection.close()
            print("ended", flush=True)
        """

    def __init__(self, head):
        self.head = head

    async def __aenter__(self):
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", self.SCRIPT, self.head, stdout=asyncio.subprocess.PIPE
        )
        self.url = f"http://127.0.0.1:{(await self.process.stdout.readline()).decode().strip()}/"
        return self

    async def __aexit__(self, *_):
        self.process.kill()
        await self.process.wait()

    async def ended(self):
        """Waits until the next connection has ended."""
        await asyncio.wait_for(self.process.stdout.readline(), 20)


@test(limit=90)
async def an_answer_of_200_mb_is_given_up_at_its_limit_however_fast_it_comes():
    heads = {"told": "Content-Length: 209715200", "chunked": "Transfer-Encoding: chunked", "open": "X: y"}
    async with WebServer() as web, Hose(heads["told"]) as told, Hose(heads["chunked"]) as chunked, Hose(heads["open"]) as open_end:
        hoses = {"told": told, "chunked": chunked, "open": open_end}
        web.rows("/people", ROWS)
        lists = [web_list({"url": hose.url, "size": "1MiB"}, name) for name, hose in hoses.items()]
        async with Server([*lists, web_list(web.url("/people"))]) as server:
            await server.refresh("people")
            before = peak(server)
            for name, hose in list(hoses.items()) * 3:
                assert (await error(server, name))["message"] == "127.0.0.1 answered with more than 1 MiB."
                await hose.ended()
            grown = peak(server) - before
        assert grown < 32 << 20, f"{grown >> 20} MiB more"


@test(limit=90)
async def an_answer_without_end_is_given_up_at_its_limit():
    ended = asyncio.Event()

    async def write(request, head, piece):
        request["writer"].write(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n\r\n")
        try:
            while True:
                request["writer"].write(piece)
                await request["writer"].drain()
                # As fast as a fast network. One without end that is as fast as memory ends when it once is not.
                await asyncio.sleep(0.002)
        finally:
            ended.set()

    blanks = b" " * 65536
    async with WebServer() as web:
        web.on("/told", lambda request: write(request, b"Content-Length: 209715200", blanks))
        web.on("/untold", lambda request: write(request, b"Transfer-Encoding: chunked", b"10000\r\n" + blanks + b"\r\n"))
        lists = [web_list({"url": web.url(f"/{name}"), "size": "1MiB"}, name) for name in ("told", "untold")]
        async with Server(lists) as server:
            before = server.resident()
            for name in ("told", "untold"):
                ended.clear()
                assert (await error(server, name))["message"] == "127.0.0.1 answered with more than 1 MiB."
                await asyncio.wait_for(ended.wait(), 20)
            grown = server.resident() - before
        assert grown < 16 << 20, f"{grown >> 20} MiB more"


@test(limit=120)
async def exchanges_that_end_in_every_moment_leave_the_server_whole():
    async with WebServer() as web:
        web.on("/circle", lambda _: (302, {"Location": "/circle"}, ""))
        web.on("/large", lambda _: (200, {}, " " * (2 << 20)))
        web.on("/refused", lambda _: (401, {"WWW-Authenticate": 'Basic realm="x"'}, "no"))
        names = ["circle", "large", "refused"]
        lists = [web_list({"url": web.url(f"/{name}"), "size": "1MiB"}, name) for name in names]
        async with Server(lists) as server:
            for _ in range(20):
                await asyncio.gather(*(error(server, name) for name in names))


@test()
async def a_password_that_is_asked_for_is_not_waited_for():
    async with WebServer() as web:
        for challenge in ('Basic realm="x"', "Bearer", 'Digest realm="a", nonce="b"', "Negotiate"):
            web.on("/people", lambda _, challenge=challenge: (401, {"WWW-Authenticate": challenge}, "oh dear"))
            async with Server([web_list(web.url("/people"))]) as server:
                started = time.monotonic()
                assert (await error(server))["message"] == "127.0.0.1 refuses the request (status 401).", challenge
                assert time.monotonic() - started < 5, challenge
                assert "It said: oh dear" in server.log, server.log


@test()
async def redirects_are_followed_but_not_in_circles_and_secrets_stay_with_their_server():
    async with WebServer() as web, WebServer() as other:
        web.rows("/moved", ROWS)
        web.on("/people", lambda _: (302, {"Location": "/moved"}, ""))
        web.on("/circle", lambda _: (302, {"Location": "/circle"}, ""))
        web.on("/away", lambda _: (307, {"Location": other.url("/people")}, ""))
        other.rows("/people", ROWS)
        headers = {"Authorization": "Bearer s3cret", "X-Key": "s3cret"}
        lists = [web_list({"url": web.url(f"/{name}"), "headers": headers}, name) for name in ("people", "circle", "away")]
        async with Server(lists) as server:
            for name in ("people", "away"):
                assert (await server.refresh(name))[1]["outcome"] == "success"
                assert await titles(server, name) == ["Ada", "Grace"]
            assert "from URL to URL" in (await error(server, "circle"))["message"]
            assert "s3cret" not in server.log
        assert web.asked[1]["headers"]["x-key"] == "s3cret", "the same server is still shown it"
        assert "s3cret" not in str(other.asked[0]["headers"]), other.asked[0]["headers"]
        assert web.count("/circle") <= 12, web.count("/circle")


@test()
async def a_server_that_cannot_prove_who_it_is_is_not_believed():
    folder = Folder()
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-keyout", folder / "key.pem", "-out", folder / "cert.pem"], check=True, capture_output=True,
    )  # fmt: skip
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    async with WebServer(tls) as web:
        web.rows("/people", ROWS)
        async with Server([web_list(web.url("/people", "localhost"))], folder=folder) as server:
            assert (await error(server))["message"] == "localhost could not prove who it is."
        assert not web.asked


@test()
async def a_server_that_is_not_there_is_told():
    async with WebServer() as web:
        url = web.url("/people")
    async with Server([web_list(url)]) as server:
        assert (await error(server))["message"] == "127.0.0.1 can't be reached."


@test()
async def private_addresses_are_refused_where_settings_say_so():
    async with WebServer() as web:
        web.rows("/people", ROWS)
        lists = [
            web_list({"url": web.url("/people", host), "private": False}, f"list{number}")
            for number, host in enumerate(["127.0.0.1", "localhost", "[::1]"])
        ]
        async with Server(lists) as server:
            for one in lists:
                assert "private network" in (await error(server, one["name"]))["message"]
        assert not web.asked


@test()
async def a_connection_that_was_allowed_to_one_list_is_not_lent_to_another():
    async with WebServer() as web:
        web.keeps = True
        web.rows("/people", ROWS)
        lists = [web_list(web.url("/people")), web_list({"url": web.url("/people"), "private": False}, "strict")]
        async with Server(lists) as server:
            assert (await server.refresh("people"))[1]["outcome"] == "success"
            assert "private network" in (await error(server, "strict"))["message"]
        assert len(web.asked) == 1


@test()
async def a_connection_is_kept_for_the_next_request():
    async with WebServer() as web:
        web.keeps = True
        web.rows("/people", ROWS)
        async with Server([web_list(web.url("/people"))]) as server:
            for _ in range(5):
                assert (await server.refresh("people"))[1]["outcome"] == "success"
        assert (len(web.asked), web.connections) == (5, 1), web.connections


@test()
async def an_answer_may_be_packed_and_what_comes_of_it_is_what_counts():
    async with WebServer() as web:
        packed = {"Content-Encoding": "gzip"}
        web.on("/people", lambda _: (200, packed, gzip.compress(json.dumps(ROWS).encode())))
        web.on("/bomb", lambda _: (200, packed, gzip.compress(b" " * (64 << 20))))
        web.on("/broken", lambda _: (200, packed, b"no gzip at all"))
        lists = [web_list({"url": web.url(f"/{name}"), "size": "1MiB"}, name) for name in ("people", "bomb", "broken")]
        async with Server(lists) as server:
            assert (await server.refresh("people"))[1]["outcome"] == "success"
            assert await titles(server) == ["Ada", "Grace"]
            assert "gzip" in web.asked[0]["headers"]["accept-encoding"]
            before = server.resident()
            assert (await error(server, "bomb"))["message"] == "127.0.0.1 answered with more than 1 MiB."
            assert server.resident() - before < 4 << 20
            assert (await error(server, "broken"))["message"] == "127.0.0.1 answered with what can't be unpacked."


@test(limit=60)
async def headers_without_end_are_given_up_at_their_limit():
    async def flood(request):
        request["writer"].write(b"HTTP/1.1 200 OK\r\n")
        with contextlib.suppress(ConnectionError):
            for number in range(12_000):
                request["writer"].write(f"X-{number}: {'a' * 1000}\r\n".encode())
                await request["writer"].drain()

    async with WebServer() as web:
        web.on("/people", flood)
        async with Server([web_list(web.url("/people"))]) as server:
            before = processor_time(server)
            assert (await error(server))["message"] == "127.0.0.1 answered with more than 64 KiB of headers."
            assert processor_time(server) - before < 0.5


def processor_time(server):
    """Seconds of processors that the server has had."""
    fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@test(limit=60)
async def servers_that_think_cost_nothing_while_they_do():
    async def think(request):
        await asyncio.sleep(60)

    async with WebServer() as web:
        web.on("/think", think)
        web.rows("/people", ROWS)
        lists = [web_list({"url": web.url("/think"), "timeout": "30s"}, f"list{number}") for number in range(100)]
        async with Server([*lists, web_list(web.url("/people"))]) as server:
            waiting = [asyncio.create_task(server.refresh(one["name"])) for one in lists]
            await eventually(lambda: web.count("/think") == 100)
            before = processor_time(server)
            await asyncio.sleep(6)
            # A tenth of the half second that a minute may cost.
            spent = processor_time(server) - before
            assert spent < 0.3, f"{spent:.2f} s of processor in 6 s"
            # Those that a slow disk has made necessary at the beginning are gone: they rest for a second.
            threads = len(list(Path(f"/proc/{server.pid}/task").iterdir()))
            assert threads < 40, f"{threads} threads"
            assert (await server.refresh("people"))[1]["outcome"] == "success"
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)


class Deaf(Server):
    """A server whose names are asked of somebody who never answers."""

    def arguments(self):
        resolver = self.folder / "resolv.conf"
        resolver.write_text("nameserver 127.0.0.77\noptions timeout:30 attempts:5\n")
        mounted = f"mount --bind '{resolver}' /etc/resolv.conf && exec \"$@\""
        return ["unshare", "--mount", "sh", "-c", mounted, "sh", *super().arguments()]


@test(limit=60, alone=True)
async def names_that_nobody_answers_hold_nobody_up():
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode != 0:
        return say("  left out: no mounts of one's own can be made here")
    silent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        silent.bind(("127.0.0.77", 53))
    except OSError as problem:
        return say(f"  left out: no name server can be put at 127.0.0.77: {problem}")
    async with WebServer() as web:
        web.rows("/people", ROWS)
        lists = [web_list({"url": f"http://host{n}.example.org/", "timeout": "3s"}, f"list{n}") for n in range(20)]
        async with Deaf([*lists, web_list(web.url("/people"))]) as server:
            await server.refresh("people")
            waiting = [asyncio.create_task(error(server, one["name"])) for one in lists]
            longest, begun = 0, time.monotonic()
            while not all(task.done() for task in waiting):
                started = time.monotonic()
                assert (await server.refresh("people"))[1]["outcome"] == "success"
                longest = max(longest, time.monotonic() - started)
                await asyncio.sleep(0.02)
            elapsed = time.monotonic() - begun
            assert longest < elapsed / 3, f"another list waited {longest:.1f} s of the {elapsed:.1f} that names were waited for"
            for task in waiting:
                assert "did not answer within 3 s" in (await task)["message"]
    silent.close()


FEED = """<?xml version="1.0" encoding="iso-8859-1"?><rss version="2.0"><channel>
    <item><guid>1</guid><title>Caf\u00e9 &amp; co</title><link>/first</link><category>food</category>
    <pubDate>Thu, 19 Nov 2026 08:30:15 GMT</pubDate><description>&lt;p&gt;Some&amp;nbsp;text&lt;/p&gt;</description>
    <enclosure url="/1.png" type="image/png"/></item>
    <item><guid>2</guid><title>Other</title></item></channel></rss>""".encode("latin-1")


@test()
async def a_feed_is_shown_with_its_links_and_told_where_it_is_none():
    folder = Folder()
    (folder / "news.xml").write_bytes(FEED)
    async with WebServer() as web:
        web.on("/news", lambda request: answer(request))

        def answer(request):
            if request["headers"].get("if-none-match") == '"v1"':
                return 304, {}, ""
            return 200, {"ETag": '"v1"', "Content-Type": "text/xml"}, FEED

        web.on("/page", lambda _: (200, {"Content-Type": "text/html"}, "<html><link rel=alternate type=application/rss+xml href=/rss>"))
        web.on("/half", lambda _: (200, {}, FEED[:-20]))
        web.on("/busy", lambda _: (503, {"Retry-After": "9"}, "later"))
        lists = [
            {"name": "news", "feed": web.url("/news"), "filter": "categories contains food"},
            {"name": "file", "feed": "./news.xml"},
            *({"name": name, "feed": {"url": web.url(f"/{name}")}} for name in ("page", "half", "busy")),
        ]
        async with Server(lists, folder=folder) as server:
            for _ in range(2):
                assert (await server.refresh("news"))[1]["outcome"] == "success"
            row = {"title": "Caf\u00e9 & co", "subtitle": "Some text", "time": 1795077015000}
            row |= {"link": web.url("/first"), "image": web.url("/1.png")}
            assert await server.rows("news") == [("1", row)], await server.rows("news")
            assert web.count("/news") == 2 and web.asked[1]["headers"]["if-none-match"] == '"v1"'
            assert (await server.refresh("file"))[1]["outcome"] == "success"
            assert await titles(server, "file") == ["Caf\u00e9 & co", "Other"]
            assert (await error(server, "page"))["message"] == "The answer is a page of HTML."
            assert "It names these feeds: /rss" in server.log
            assert (await error(server, "half"))["message"].endswith("perhaps the feed is not whole.")
            assert (await error(server, "busy"))["retryAfter"] == 9000


@test()
async def text_is_read_in_the_encoding_that_its_server_says():
    table = "key;title\n1;K\u00e4se\n"
    async with WebServer() as web:
        web.on("/latin.csv", lambda _: (200, {"Content-Type": 'text/csv; charset="ISO-8859-1"'}, table.encode("latin-1")))
        web.on("/marked.csv", lambda _: (200, {}, table.encode("utf-16")))
        web.on("/said.csv", lambda _: (200, {}, table.encode("cp1252")))
        lists = [{"name": name, "web": web.url(f"/{name}.csv")} for name in ("latin", "marked", "said")]
        lists[2]["encoding"] = "windows-1252"
        async with Server(lists) as server:
            for name in ("latin", "marked", "said"):
                assert (await server.refresh(name))[1]["outcome"] == "success", name
                assert await titles(server, name) == ["K\u00e4se"], name


@test()
async def pages_follow_by_link_cursor_url_and_number():
    pages = {"1": ["Ada", "Grace"], "2": ["Hedy", "Alan"], "3": ["Edsger"]}

    def rows(number):
        return [{"id": name, "name": name} for name in pages.get(number, [])]

    def answer(request):
        query = dict(part.split("=") for part in request["query"].split("&") if part)
        number = query.get("page", "1")
        following = str(int(number) + 1) if int(number) < 3 else None
        link = {"Link": f'</people?page={following}>; rel="next"'} if following else {}
        body = {"items": rows(number), "next": following, "url": following and f"/people?page={following}"}
        return 200, link, json.dumps(body)

    ways = {"link": "link", "url": "/url", "cursor": {"cursor": "/next", "as": "page"}, "page": {"page": "page"}}
    async with WebServer() as web:
        web.on("/people", answer)
        lists = [web_list({"url": web.url("/people"), "next": way}, name, rows="/items") for name, way in ways.items()]
        async with Server(lists) as server, Client.open(server) as client:
            for name in ways:
                await client.watch(name)
                model = client.model(name)
                await client.until(lambda model=model: len(model.rows) == 2, what=f"{name}: the first page")
                for _ in range(4):
                    await client.settled(name)
                    if not model.state.get("more"):
                        break
                    last = model.ordered()[-1][0]
                    await client.ask({"type": "more", "list": name, "after": last})
                    await client.expect({"list": name, "type": "state", "phase": "closing", "last": {"cause": "more"}})
                await client.settled(name)
                assert [key for key, _ in model.ordered()] == ["Ada", "Grace", "Hedy", "Alan", "Edsger"], name
                assert not model.state.get("more"), model.state
