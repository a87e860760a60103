"""Every attack of Documentation/ThreatModel.md, tried over real sockets."""

import asyncio
import os
import resource
import time
import zlib

import harness
import timing
from access import COOK, KITCHEN, WRONG, bearer, entry, guarded, shown
from client import Client
from harness import Folder, Server, file_list, test

EVIL = "http://evil.example"
KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
TOKENS = [entry("kitchen", KITCHEN, {"fruit": ["read", "refresh"]})]


def open_server(*flags, rows=(("a", "Apple"),), ephemeral=True):
    folder = Folder()
    folder.write("fruit.tsv", rows)
    return Server([file_list(folder)], *flags, folder=folder, ephemeral=ephemeral)


async def raw(server, text, seconds=5):
    """Sends bytes as they are, and gives what comes until the server hangs up or says no more."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    answer = b""
    try:
        writer.write(text if isinstance(text, bytes) else text.encode())
        async with asyncio.timeout(seconds):
            while piece := await reader.read(65536):
                answer += piece
    except (TimeoutError, ConnectionError):
        pass
    finally:
        writer.close()
    return answer


def handshake(*headers, path="/ws"):
    more = "".join(f"{header}\r\n" for header in headers)
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n{KEY}{more}\r\n"


async def socket(server, *headers):
    """A WebSocket by hand, after its handshake: (reader, writer)."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    writer.write(handshake(*headers).encode())
    status, _ = await harness.read_head(reader)
    assert status == 101, status
    await frame(reader)  # the welcome
    return reader, writer


async def frame(reader):
    """(opcode, payload) of the next frame of the server; (None, b'') where it hung up."""
    try:
        async with asyncio.timeout(8):
            head = await reader.readexactly(2)
            size = head[1] & 127
            if size >= 126:
                size = int.from_bytes(await reader.readexactly(2 if size == 126 else 8))
            return head[0] & 15, await reader.readexactly(size)
    except (asyncio.IncompleteReadError, ConnectionError):
        return None, b""


async def closing(reader):
    """The code of the Close frame that comes; None where it hangs up without."""
    while True:
        opcode, payload = await frame(reader)
        if opcode is None:
            return None
        if opcode == 8:
            return int.from_bytes(payload[:2])


async def too_large(reader):
    """The answer to a message beyond the limits: an error, or far beyond them a Close frame."""
    opcode, payload = await frame(reader)
    assert b"tooLarge" in payload or opcode == 8 and int.from_bytes(payload[:2]) == 1009, (opcode, payload[:100])


def masked(payload, first=0x81):
    mask, size = os.urandom(4), len(payload)
    length = bytes([128 | size]) if size < 126 else (
        bytes([254]) + size.to_bytes(2) if size < 65536 else bytes([255]) + size.to_bytes(8))  # fmt: skip
    return bytes([first]) + length + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


async def is_well(server, **options):
    """Whoever else is there notices nothing."""
    async with Client.open(server, **options) as client:
        await client.watch("fruit")
        await client.settled("fruit")


async def signed_in(server):
    """The cookie of a browser in which somebody has signed in."""
    status, headers, body = await server.http(
        "POST", "/sign-in", {"Origin": server.url, "Content-Type": "application/x-www-form-urlencoded"},
        f"token={KITCHEN}".encode(),
    )  # fmt: skip
    assert status == 303, f"{status} {body}"
    return headers["set-cookie"].partition(";")[0]


@test()
async def a_page_of_another_site_opens_no_socket_with_the_cookie_of_its_visitor():
    async with guarded(TOKENS) as server:
        cookie = await signed_in(server)
        for origin in (EVIL, "null", "http://localhost:1", f"https://localhost:{server.port + 1}"):
            answer = await raw(server, handshake(f"Origin: {origin}", f"Cookie: {cookie}"))
            assert answer.startswith(b"HTTP/1.1 403"), answer[:80]
        async with Client.open(server, origin=server.url, additional_headers={"Cookie": cookie}) as client:
            await client.watch("fruit")
        # Nobody says which page it is of: the cookie is left unread.
        async with Client.open(server, additional_headers={"Cookie": cookie}) as client:
            assert (await client.ask({"type": "watch", "list": "fruit"}))["code"] == "unauthorised"


@test()
async def behind_a_proxy_with_tls_a_page_that_came_without_is_another_site():
    async with guarded(TOKENS, "--proxy", "127.0.0.1", "--allow-host", "lists.example") as server:
        through = {"Host": "lists.example", "X-Forwarded-For": "192.0.2.9", "X-Forwarded-Proto": "https"}
        cookie = {"Cookie": f"__Host-refreshable={KITCHEN}"}
        for scheme, opened, refreshed, read in (("https", b"101", 200, 200), ("http", b"403", 403, 401)):
            origin = {"Origin": f"{scheme}://lists.example"}
            headers = {**through, **cookie, **origin}
            more = [f"{name}: {value}" for name, value in headers.items() if name != "Host"]
            answer = await raw(server, handshake(*more).replace("Host: localhost", "Host: lists.example"), seconds=2)
            assert answer.startswith(b"HTTP/1.1 " + opened), answer[:80]
            status, _, _ = await server.http("POST", "/lists/fruit/refresh", {**headers, "Content-Length": "0"})
            assert status == refreshed, f"{scheme}: {status}"
            status, _, _ = await server.http("GET", "/lists/fruit", headers)
            assert status == read, f"{scheme}: {status}"


@test()
async def a_page_of_an_allowed_site_does_not_get_the_cookie_of_its_visitor():
    friend = "https://friend.example"
    async with guarded(TOKENS, "--allow-origin", friend) as server:
        cookie = {"Cookie": await signed_in(server)}
        async with Client.open(server, origin=friend, additional_headers=cookie) as client:
            assert (await client.ask({"type": "watch", "list": "fruit"}))["code"] == "unauthorised"
        for headers in ({"Origin": friend}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}):
            status, _, _ = await server.http("GET", "/lists/fruit", {**cookie, **headers})
            assert status == 401, f"{headers}: {status}"
        for headers in ({}, {"Sec-Fetch-Site": "same-origin"}, {"Origin": f"http://localhost:{server.port}"}):
            status, _, _ = await server.http("GET", "/lists/fruit", {**cookie, **headers})
            assert status == 200, f"{headers}: {status}"


@test()
async def a_page_of_another_site_changes_nothing_with_the_cookie_of_its_visitor():
    async with guarded(TOKENS) as server:
        cookie = {"Cookie": await signed_in(server)}
        for headers, expected in (({"Origin": EVIL}, 403), ({}, 401), ({"Origin": server.url}, 200)):
            status, _, _ = await server.http("POST", "/lists/fruit/refresh", {**cookie, **headers, "Content-Length": "0"})
            assert status == expected, f"{headers}: {status}"


@test()
async def nobody_is_signed_in_or_out_by_a_page_of_another_site():
    async with guarded(TOKENS) as server:
        for path, body in (("/sign-in", f"token={KITCHEN}".encode()), ("/sign-out", b"")):
            for headers in ({"Origin": EVIL}, {"Origin": "null"}, {}):
                status, answer, _ = await server.http("POST", path, headers, body)
                assert status == 403 and "set-cookie" not in answer, f"{path} {headers}: {status}"


@test()
async def no_path_leads_out_of_the_files_that_are_served():
    outside = Folder()
    (outside / "secret.txt").write_text("the secret")
    (outside / "public").mkdir()
    public = outside / "public"
    (public / "index.html").write_text("home")
    (public / ".hidden").write_text("the secret")
    (public / "link.txt").symlink_to(outside / "secret.txt")
    (public / "folder").symlink_to(outside.path)
    try:
        async with open_server("--public", str(public)) as server:
            for path in (
                "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/%2e%2e%2fsecret.txt", "/....//secret.txt",
                "/..\\secret.txt", "/%5c..%5csecret.txt", "/./../secret.txt", "//secret.txt", "/link.txt", "/.hidden",
                "/%D2%87", "/lists/%CC%81/rows/%CC%81", "/lists%CC%81", "//%CC%81/..%2f%CC%81", "/%CC%81../secret.txt",
                "/folder/secret.txt", "/index.html/../../secret.txt", "/%00/../secret.txt", "/secret.txt%00.html",
                f"/{'../' * 20}etc/passwd", f"{outside.path}/secret.txt", "/%c0%ae%c0%ae/secret.txt", "/lists/..%2fsecret.txt",
            ):  # fmt: skip
                answer = await raw(server, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 1)
                assert b"the secret" not in answer and b"root:" not in answer, f"{path}: {answer}"
                assert b" 200 " not in answer[:20] or answer.endswith(b"home"), f"{path}: {answer[:80]}"
            await is_well(server)
    finally:
        outside.remove()


@test(limit=60)
async def what_is_too_large_is_refused_and_harms_nobody_else():
    async with open_server() as server:
        for text in (
            f"GET /{'a' * 20_000} HTTP/1.1\r\nHost: localhost\r\n\r\n",
            f"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: {'a' * 20_000}\r\n\r\n",
            f"GET / HTTP/1.1\r\nHost: {'a' * 3000}\r\n\r\n",
            "POST /lists/fruit/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n",
            "POST /lists/fruit/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n",
        ):
            answer = await raw(server, text)
            assert not answer or answer.split(b" ")[1][:1] == b"4", f"{text[:40]}: {answer[:80]}"
        before = server.resident()
        for fields in (f"X-Long: {'a' * 2_000_000}\r\n", "".join(f"X-{i}: a\r\n" for i in range(50_000))):
            # What nobody reads is passed over, or hung up on, and kept nowhere.
            await raw(server, f"GET / HTTP/1.1\r\nHost: localhost\r\n{fields}Connection: close\r\n\r\n")
        assert server.resident() - before < 2 << 20, "headers of no use were kept"
        reader, writer = await socket(server)
        writer.write(masked(b'{"type":"ping","id":"' + b"a" * 20_000 + b'"}'))
        assert b"tooLarge" in (await frame(reader))[1]
        writer.write(masked(b"a" * 200_000))
        assert await closing(reader) == 1009
        writer.close()
        # A frame that says it will be the largest that there can be.
        reader, writer = await socket(server)
        writer.write(b"\x81\xff" + (2**63 - 1).to_bytes(8) + b"mask" + b"a" * 100_000)
        assert await closing(reader) in (1009, 1002, None)
        writer.close()
        await is_well(server)


@test(limit=60)
async def bodies_of_those_who_may_not_are_kept_nowhere():
    async with Server([{"name": "board", "push": True}], "--push-token", "a-token-of-sixteen-or-more") as server:
        await server.http("GET", "/lists")
        before = server.resident()
        body = b"b" * (1 << 20)
        writers = []
        for number in range(120):
            method, path = (
                ("PATCH", "/lists/board"), ("PUT", "/lists/board/rows/a"), ("PATCH", "/lists/none"), ("POST", "/x"),
                ("GET", "/lists"), ("DELETE", "/lists/board/rows/a"), ("POST", "/lists/board/refresh"), ("POST", "/sign-in"),
            )[number % 8]  # fmt: skip
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
            writer.write(head.encode() + body[:-1])
            writers.append(writer)
        assert (await server.http("GET", "/healthz"))[0] == 200
        grown = server.resident() - before
        assert grown < 8 << 20, f"{grown >> 10} KiB are kept of 120 MiB"
        for writer in writers:
            writer.transport.abort()


@test(limit=60)
async def bodies_of_pushes_fill_a_budget_and_no_more():
    async with Server([{"name": "board", "push": True}]) as server:
        await server.http("GET", "/lists/board")
        before = server.resident()
        head = b"PATCH /lists/board HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1048576\r\n\r\n"
        peers = []
        for _ in range(100):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(head + b" " * ((1 << 20) - 1))
            peers.append((reader, writer))
        refused = 0
        for reader, writer in peers:
            try:
                answer = await asyncio.wait_for(reader.read(200), 0.1)
            except (asyncio.TimeoutError, ConnectionError):
                continue
            assert answer.startswith(b"HTTP/1.1 503") and b"Retry-After" in answer, answer
            refused += 1
        assert refused == 100 - 64, f"{refused} of 100 were told to come later"
        assert server.resident() - before < 80 << 20, f"{(server.resident() - before) >> 20} MiB are kept"
        for _, writer in peers:
            writer.transport.abort()
        deadline = time.monotonic() + 5
        while True:
            status, _, _ = await server.http("PATCH", "/lists/board", {}, b'{"set":[{"key":"a","fields":{}}]}')
            if status == 200 or time.monotonic() > deadline:
                break
            await asyncio.sleep(0.1)
        assert status == 200, "there is room again"


@test(limit=60)
async def a_head_that_never_ends_is_hung_up_on():
    async with open_server() as server:
        started = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n")

        async def drip():
            while True:
                await asyncio.sleep(1)
                writer.write(b"X-Slow: a\r\n")

        dripping = asyncio.create_task(drip())
        try:
            async with asyncio.timeout(30):
                while await reader.read(1024):
                    pass
        except ConnectionError:
            pass
        finally:
            dripping.cancel()
        assert time.monotonic() - started < 25, "it was waited for too long"
        writer.close()
        await is_well(server)


@test(limit=60)
async def what_unpacks_to_far_more_is_not_unpacked():
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = packer.compress(bytes(64 << 20)) + packer.flush(zlib.Z_SYNC_FLUSH)
    async with open_server() as server:
        before = server.resident()
        for _ in range(5):
            reader, writer = await socket(server, "Sec-WebSocket-Extensions: permessage-deflate")
            writer.write(masked(bomb[:-4], 0xC1))
            await too_large(reader)
            writer.close()
        # What is within the limits packed and beyond them unpacked.
        small = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = small.compress(bytes(4 << 20)) + small.flush(zlib.Z_SYNC_FLUSH)
        reader, writer = await socket(server, "Sec-WebSocket-Extensions: permessage-deflate")
        writer.write(masked(packed[:-4], 0xC1))
        await too_large(reader)
        writer.close()
        assert server.resident() - before < 8 << 20, "it took more than 8 MiB"
        await is_well(server)


@test()
async def guessing_tokens_is_slowed_down_by_address():
    async with guarded(TOKENS + [entry("cook", COOK, {"fruit": ["read"]})]) as server:
        assert (await server.http("GET", "/lists", bearer(KITCHEN)))[0] == 200
        statuses = [(await server.http("GET", "/lists", bearer(f"guess-number-{i}-of-many")))[0] for i in range(12)]
        assert statuses == [401] * 10 + [429] * 2, statuses
        status, headers, _ = await server.http("GET", "/lists", bearer(COOK))
        assert status == 429 and int(headers["retry-after"]) > 0, "a right one is not told from a wrong one"
        client = await Client.connect(server)
        assert (await client.ask({"type": "hello", "token": COOK}))["code"] == "rateLimited"
        await client.close()
        status, _, body = await server.http("POST", "/sign-in", {"Origin": server.url}, f"token={COOK}".encode())
        assert status == 429 and b"Too many" in body, status
        assert (await server.http("GET", "/lists", bearer(KITCHEN)))[0] == 200, "who was in stays in"
        await asyncio.sleep(5.2)
        assert (await server.http("GET", "/lists", bearer(COOK)))[0] == 200


@test(limit=60)
async def the_time_of_a_refusal_does_not_tell_how_much_of_a_token_is_right():
    async with guarded(TOKENS) as server:
        near, far = KITCHEN[:-1] + "!", "!" * len(KITCHEN)
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)

        def asking(token):
            async def ask():
                headers = {"Host": "localhost", **bearer(token)}
                status, _, _ = await harness.exchange(reader, writer, "GET", "/lists", headers)
                assert status == 401

            return ask

        await timing.take_equally_long(asking(far), asking(near))
        writer.close()


@test()
async def names_of_lists_are_not_guessed_as_fast_as_one_likes():
    async with guarded(TOKENS) as server, Client.open(server, **shown(KITCHEN)) as client:
        for number in range(200):
            await client.send({"type": "watch", "id": str(number), "list": f"list-{number}"})
        await client.expect({"id": "199"})
        codes = [frame["code"] for frame in client.frames if "code" in frame]
        assert set(codes) == {"unknownList", "rateLimited"} and codes.count("unknownList") < 60, codes


@test()
async def nothing_that_is_asked_becomes_a_header_of_the_answer():
    async with guarded(TOKENS) as server:
        for text in (
            "GET /lists/a%0d%0aSet-Cookie:%20evil=1 HTTP/1.1\r\nHost: localhost\r\n",
            "GET /%0d%0aSet-Cookie:%20evil=1 HTTP/1.1\r\nHost: localhost\r\n",
            "GET /sign-in?back%0d%0aSet-Cookie:%20evil=1 HTTP/1.1\r\nHost: localhost\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://a\x0bSet-Cookie: evil=1\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://a\rSet-Cookie: evil=1\r\n",
            "GET / HTTP/1.1\r\nHost: localhost\nX-Forwarded-Host: evil\r\n",
            "OPTIONS /lists HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\n"
            "Access-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: a\x01Set-Cookie: evil=1\r\n",
        ):
            answer = await raw(server, f"{text}Connection: close\r\n\r\n", 1)
            head = answer.partition(b"\r\n\r\n")[0].lower()
            assert not any(line.startswith(b"set-cookie") for line in head.replace(b"\n", b"\r").split(b"\r")), answer
        token = "token=x%0d%0aSet-Cookie:%20evil=1".encode()
        _, headers, _ = await server.http("POST", "/sign-in", {"Origin": server.url}, token)
        assert "set-cookie" not in headers


@test()
async def no_request_is_hidden_in_another():
    async with open_server() as server:
        hidden = "GET /lists HTTP/1.1\r\nHost: localhost\r\n\r\n"
        for framing in (
            f"Content-Length: {len(hidden)}\r\nTransfer-Encoding: chunked", "Transfer-Encoding: chunked",
            "Transfer-Encoding: xchunked", f"Content-Length: 0\r\nContent-Length: {len(hidden)}",
            "Content-Length: +0", "Content-Length: 0x0", "Content-Length: -1",
        ):  # fmt: skip
            answer = await raw(server, f"POST /nothing HTTP/1.1\r\nHost: localhost\r\n{framing}\r\n\r\n{hidden}", 2)
            assert answer.count(b"HTTP/1.1 ") <= 1 and b" 200 " not in answer[:20], f"{framing}: {answer}"
        await is_well(server)


@test()
async def no_connection_becomes_one_of_http_2():
    async with open_server() as server:
        upgrade = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"
        for text in (
            f"GET / HTTP/1.1\r\nHost: localhost\r\n{upgrade}\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\0" * 9,
        ):
            answer = await raw(server, text, 3)
            assert b" 101 " not in answer[:20] and b"HTTP/2" not in answer, answer[:100]
        await is_well(server)


@test()
async def it_is_nobodys_way_to_other_servers():
    async with open_server() as server:
        for text in (
            "CONNECT evil.example:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
            f"CONNECT localhost:{server.port} HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        ):
            answer = await raw(server, text, 2)
            assert b" 200 " not in answer[:20], f"{text}: {answer[:100]}"
        await is_well(server)


@test()
async def frames_that_are_not_masked_end_the_connection():
    async with open_server() as server:
        for text in (b'{"type":"ping","id":"1"}', b"a"):
            for first in (0x81, 0x82, 0x01):
                reader, writer = await socket(server)
                writer.write(bytes([first, len(text)]) + text)
                assert await closing(reader) == 1002, hex(first)
                writer.close()
        await is_well(server)


@test()
async def reserved_bits_and_opcodes_end_the_connection():
    async with open_server() as server:
        for first in (0xC1, 0xA1, 0x91, 0x83, 0x8B, 0xB9, 0xD9, 0x80):
            reader, writer = await socket(server)
            writer.write(masked(b'{"type":"ping","id":"1"}', first))
            assert await closing(reader) in (1002, None), hex(first)
            writer.close()
        await is_well(server)


@test()
async def what_a_proxy_would_say_counts_only_from_a_proxy_that_is_trusted():
    spoofed = {
        "X-Forwarded-For": "127.0.0.1", "Forwarded": "for=127.0.0.1;host=localhost", "X-Forwarded-Host": "localhost",
        "X-Forwarded-Proto": "https", "Host": "evil.example",
    }  # fmt: skip
    for flags, expected in (((), 403), (("--proxy", "192.0.2.0/24"), 403), (("--proxy", "127.0.0.1"), 200)):
        async with guarded([*TOKENS, {"name": "all", "anonymous": True, "lists": {"fruit": ["read"]}}], *flags) as server:
            status, _, _ = await server.http("GET", "/lists", spoofed)
            assert status == expected, f"{flags}: {status}"
            headers = {"Origin": server.url.replace("http:", "https:"), "X-Forwarded-Proto": "https"}
            _, answer, _ = await server.http("POST", "/sign-in", headers, f"token={KITCHEN}".encode())
            is_believed = "--proxy" in flags and "127.0.0.1" in flags
            assert ("Secure" in answer["set-cookie"]) == is_believed, answer
            assert answer["set-cookie"].startswith("__Host-") == is_believed, answer


@test()
async def behind_a_proxy_guesses_are_those_of_its_clients():
    async with guarded(TOKENS, "--proxy", "127.0.0.0/8") as server:
        for number in range(12):
            await server.http("GET", "/lists", {**bearer(f"guess-{number}"), "X-Forwarded-For": "6.6.6.6, 203.0.113.9"})
        for address, expected in (("203.0.113.9", 429), ("203.0.113.10", 200), ("203.0.113.9, 203.0.113.11", 200)):
            status, _, _ = await server.http("GET", "/lists", {**bearer(KITCHEN), "X-Forwarded-For": address})
            assert status == expected, f"{address}: {status}"


@test(limit=60)
async def a_flood_of_connections_from_one_address_leaves_room_for_others():
    # Here are as many descriptors as there.
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4096)), hard))
    async with open_server() as server:
        crowd, refused = [], 0
        try:
            # This machine's usual address has no limit; its others are anybody's.
            for _ in range(1010):
                crowd.append(await asyncio.open_connection("127.0.0.1", server.port, local_addr=("127.0.0.2", 0)))
            for reader, _ in crowd[-20:]:
                try:
                    async with asyncio.timeout(0.3):
                        refused += (await reader.read(100)).startswith(b"HTTP/1.1 429")
                except (TimeoutError, ConnectionError):
                    pass
            assert refused >= 10, f"{refused} of the last twenty were turned away"
            await is_well(server)
        finally:
            for _, writer in crowd:
                writer.close()
