"""Changes from other programs: what they may send, what they are told, and what those who watch see."""

import asyncio
import json
import socket
import time

from client import Client
from harness import Folder, Server, eventually, exchange, file_list, slow_list, test

BOARD = {"name": "board", "push": True}
TOKEN = "a-token-of-sixteen-or-more"


async def send(server, method, path, body=None, headers=None, at=None):
    """One request, to another address of this machine than loopback if one is given: (status, headers, what its JSON says)."""
    content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    if at is None:
        status, answer, text = await server.http(method, path, headers, content)
        return status, answer, json.loads(text)
    reader, writer = await asyncio.open_connection(at, server.port)
    try:
        host = {"Host": f"localhost:{server.port}", **(headers or {})}
        status, answer, text = await exchange(reader, writer, method, path, host, content)
        return status, answer, json.loads(text)
    finally:
        writer.close()


def patch(server, body, headers=None, name="board"):
    return send(server, "PATCH", f"/lists/{name}", body, headers)


async def keys(server, name="board"):
    return [key for key, _ in await server.rows(name)]


def row(key, **more):
    return {"key": key, "fields": {"title": key.upper()}, **more}


def is_problem(status, headers, body, *words):
    """An RFC 9457 problem of that status whose detail has these words."""
    assert headers["content-type"] == "application/problem+json", headers
    assert set(body) >= {"type", "title", "status", "detail"} and body["status"] == status, body
    for word in words:
        assert word in body["detail"], f"'{word}' is not in: {body['detail']}"


@test()
async def a_push_is_answered_with_epoch_and_revision_once_it_is_kept():
    async with Server([BOARD]) as server, Client.open(server) as client:
        await client.watch("board")
        status, headers, body = await patch(server, {"set": [row("a"), row("b", at="end")]})
        assert status == 200 and set(body) == {"epoch", "revision"} and body["revision"] == 1, body
        assert headers["etag"] == f'"{body["epoch"]}:1"' and headers["content-type"] == "application/json", headers
        assert (await server.json("/lists/board"))["revision"] == 1
        await client.shows_what_the_server_has("board")
        await server.kill()
        await server.start()
        assert await keys(server) == ["a", "b"], "what was answered survives kill -9"
        assert (await server.json("/lists/board"))["epoch"] == body["epoch"]


@test()
async def a_list_that_is_only_pushed_is_not_refreshable():
    async with Server([BOARD]) as server, Client.open(server) as client:
        ok = await client.watch("board")
        assert ok["refreshable"] is False, ok
        status, body = await server.refresh("board")
        assert status == 409 and "nothing to refresh" in body["detail"], body
        error = await client.ask({"type": "refresh", "list": "board"})
        assert error["code"] == "notRefreshable", error
        assert (await server.json("/lists"))["lists"][0]["refreshable"] is False


@test()
async def rows_are_placed_by_a_neighbour_or_an_end():
    async with Server([BOARD]) as server, Client.open(server) as client:
        await client.watch("board")
        await patch(server, {"set": [row("a"), row("b"), row("c", at="end")]})
        assert await keys(server) == ["b", "a", "c"], "a new row without a place goes on top"
        await patch(server, {"set": [row("d", before="a"), row("e", after="c"), row("b"), row("f", before="nobody")]})
        assert await keys(server) == ["f", "b", "d", "a", "c", "e"], "a known row without a place stays"
        await patch(server, {"set": [{"key": "b", "at": "end"}, {"key": "e", "at": "top"}], "remove": ["d", "zz"]})
        assert await keys(server) == ["e", "f", "a", "c", "b"], "a row without fields is only moved"
        assert dict(await server.rows("board"))["b"] == {"title": "B"}
        await client.shows_what_the_server_has("board")


@test()
async def one_row_is_put_and_deleted_by_its_key():
    async with Server([BOARD]) as server:
        path = "/lists/board/rows/a%2Fb%20%3F%2B%26%3B%C3%A9"
        status, headers, body = await send(server, "PUT", path, {"fields": {"n": 1}})
        assert status == 201 and headers["etag"] == f'"{body["epoch"]}:{body["revision"]}"', f"{status} {headers}"
        assert await server.rows("board") == [("a/b ?+&;é", {"n": 1})], await server.rows("board")
        status, _, _ = await send(server, "PUT", path, {"key": "a/b ?+&;é", "fields": {"n": 2}, "at": "end"})
        assert status == 200
        status, _, first = await send(server, "DELETE", path)
        again, _, second = await send(server, "DELETE", path)
        assert (status, again) == (200, 200) and first == second and await keys(server) == [], f"{first} {second}"


@test()
async def no_request_touches_another_row_than_the_one_it_names():
    names = {
        "a%2F%2Fb": "a//b", "a%2Fb": "a/b", "https%3A%2F%2Fexample.org%2Fx": "https://example.org/x", "a%2F..%2Fb": "a/../b",
        "%2F": "/", "a%2F": "a/", "%2E%2E%2E": "...", "%252F": "%2F", "refresh": "refresh", "a%5Cb": "a\\b",
        "%2e%2e%2Fb": "../b", "caf%C3%A9": "caf\u00e9", "cafe%CC%81": "cafe\u0301", "a//b/": "a//b/",
    }  # fmt: skip
    async with Server([BOARD]) as server:
        for path, key in names.items():
            status, _, _ = await send(server, "PUT", f"/lists/board/rows/{path}", {"fields": {"of": path}, "at": "end"})
            assert status == 201, f"{path}: {status}"
        assert await server.rows("board") == [(key, {"of": path}) for path, key in names.items()]
        left = list(names.items())
        for path in ("a%2F%2Fb", "%2e%2e%2Fb", "a//b/", "%2F", "a%2F", "cafe%CC%81"):
            status, _, _ = await send(server, "DELETE", f"/lists/board/rows/{path}")
            left = [(other, key) for other, key in left if other != path]
            assert status == 200 and await keys(server) == [key for _, key in left], path
        for path in (".", "..", "%2e", "%2E%2e", "a/../b", "a/./b", "../refresh", "a/.."):
            status, headers, body = await send(server, "DELETE", f"/lists/board/rows/{path}")
            is_problem(status, headers, body)
            assert status == 400 and "PATCH" in body["detail"], f"{path}: {body}"
        assert await keys(server) == [key for _, key in left], "what is refused changes nothing"


BAD = [
    ("PATCH", "/lists/board", b"{", 400, ["JSON", "at byte 1"]),
    ("PATCH", "/lists/board", b"", 400, ["JSON"]),
    ("PATCH", "/lists/board", b"\xff", 400, ["JSON"]),
    ("PATCH", "/lists/board", [], 400, ["an object"]),
    ("PATCH", "/lists/board", {}, 400, ['"set"', '"remove"']),
    ("PATCH", "/lists/board", {"set": [row("a"), {"fields": {}}]}, 400, ["set[1].key", "missing"]),
    ("PATCH", "/lists/board", {"set": [row("a", before=7)]}, 400, ["set[0].before", "7"]),
    ("PATCH", "/lists/board", {"set": [row("a", at="bottom")]}, 400, ["set[0].at", '"bottom"']),
    ("PATCH", "/lists/board", {"set": [row("a", at="end", after="b")]}, 400, ["set[0]", "only one"]),
    ("PATCH", "/lists/board", {"set": [{"key": "a", "fields": []}]}, 400, ["set[0].fields"]),
    ("PATCH", "/lists/board", {"set": [row("a")], "remove": ["a"]}, 400, ["remove[0]", '"a"']),
    ("PATCH", "/lists/board", {"remove": ["k" * 257]}, 400, ["remove[0]", "256 bytes"]),
    ("PATCH", "/lists/board", {"set": [{"key": "z", "at": "end"}]}, 422, ["set[0].fields", "no such row"]),
    ("PATCH", "/lists/board", {"set": [row("a", fields={"t": "x" * 16_384})]}, 413, ["set[0].fields", "16384"]),
    ("PATCH", "/lists/board", {"remove": [f"k{n}" for n in range(10_001)]}, 413, ["remove[10000]", "10000 rows"]),
    ("PATCH", "/lists/board", b" " * (1024 * 1024 + 1), 413, ["1048577", "1048576"]),
    ("PATCH", "/lists/nowhere", {"set": []}, 404, ["nowhere"]),
    ("PUT", "/lists/board/rows/a", {"key": "b"}, 400, ["key", "path"]),
    ("PUT", "/lists/board/rows/a", {"at": "end"}, 422, ["fields", "missing"]),
    ("PUT", "/lists/board/rows/" + "k" * 257, {"fields": {}}, 400, ["256 bytes"]),
    ("PUT", "/lists/board/rows/%FF", {"fields": {}}, 400, ["UTF-8"]),
    ("DELETE", "/lists/board/rows/", None, 400, ["1 to 256"]),
    ("DELETE", "/lists/nowhere/rows/a", None, 404, ["nowhere"]),
]


@test()
async def each_bad_push_is_a_problem_that_names_what_is_wrong_and_changes_nothing():
    async with Server([BOARD]) as server:
        await patch(server, {"set": [row("here")]})
        wrong = []
        for method, path, body, expected, words in BAD:
            try:
                status, headers, answer = await send(server, method, path, body)
                assert status == expected, f"{status} {answer}"
                is_problem(expected, headers, answer, *words)
            except (AssertionError, EOFError) as fault:
                wrong.append(f"{method} {path[:40]} {str(body)[:60]}: {fault}")
        assert not wrong, "\n".join(wrong)
        listing = await server.json("/lists/board")
        assert listing["revision"] == 1 and listing["count"] == 1, listing


ONE_OF_EACH = [
    ("PATCH", "/lists/board"),
    ("PUT", "/lists/board/rows/a"),
    ("DELETE", "/lists/board/rows/a"),
]


@test()
async def methods_that_are_not_there_are_named_in_allow():
    async with Server([BOARD, {"name": "fruit", "demo": "fruit"}]) as server:
        for method, path, allowed in (
            ("DELETE", "/lists/fruit", "GET, HEAD"),
            ("DELETE", "/lists/board", "GET, HEAD, PATCH"),
            ("PUT", "/lists/board", "GET, HEAD, PATCH"),
            ("GET", "/lists/board/rows/a", "PUT, DELETE"),
            ("PATCH", "/lists/board/rows/a", "PUT, DELETE"),
        ):
            status, headers, body = await send(server, method, path)
            assert status == 405 and headers["allow"] == allowed, f"{method} {path}: {status} {headers}"
            is_problem(405, headers, body, method)


@test()
async def a_list_that_takes_no_pushes_says_how_to_allow_them():
    folder = Folder()
    folder.write("fruit.tsv", [("a", "Apple")])
    async with Server([file_list(folder)], folder=folder) as server:
        for method, path in ONE_OF_EACH:
            status, headers, body = await send(server, method, path.replace("board", "fruit"), {})
            assert status == 403, f"{method}: {status}"
            is_problem(403, headers, body, "push: true", ".acceptsPushes()")


@test()
async def if_match_holds_only_where_the_list_is_just_there():
    async with Server([BOARD]) as server:
        _, first, _ = await patch(server, {"set": [row("a")]})
        _, second, _ = await patch(server, {"set": [row("b")]}, {"If-Match": first["etag"]})
        status, headers, body = await patch(server, {"remove": ["a"]}, {"If-Match": first["etag"]})
        assert status == 412 and headers["etag"] == second["etag"], f"{status} {headers}"
        is_problem(412, headers, body, "gone on")
        assert f'"{body["epoch"]}:{body["revision"]}"' == second["etag"], body
        tag = second["etag"]
        for tags, expected in (("*", 200), (f'"x:1", {tag}', 200), ("nonsense", 412), (f"W/{tag}", 412)):
            status, _, _ = await patch(server, {"remove": ["zz"]}, {"If-Match": tags})
            assert status == expected, f"If-Match: {tags} is {status}"
        status, _, _ = await send(server, "DELETE", "/lists/board/rows/a", headers={"If-Match": second["etag"]})
        assert status == 200


@test()
async def a_push_sent_again_with_its_key_is_done_once():
    async with Server([BOARD]) as server:
        await patch(server, {"set": [row("a"), row("b")]})
        top = {"set": [{"key": "a", "at": "top"}]}
        first = await patch(server, top, {"Idempotency-Key": "one"})
        await patch(server, {"set": [{"key": "b", "at": "top"}]})
        second = await patch(server, top, {"Idempotency-Key": "one"})
        shown = await keys(server)
        assert first == second and shown == ["b", "a"], f"{first} {second} {shown}"
        status, headers, body = await patch(server, {"remove": ["a"]}, {"Idempotency-Key": "one"})
        assert status == 422
        is_problem(422, headers, body, "Idempotency-Key")
        status, _, _ = await send(server, "DELETE", "/lists/board/rows/a", headers={"Idempotency-Key": "one"})
        assert status == 422 and await keys(server) == ["b", "a"], status


@test()
async def a_push_that_comes_several_times_at_once_is_made_once():
    async with Server([BOARD]) as server:
        _, _, before = await patch(server, {"set": [row("a")]})
        for number in range(20):
            change = {"set": [row("b", at="top"), {"key": "c", "fields": {"title": f"{number}"}}]}
            same = (patch(server, change, {"Idempotency-Key": f"key {number}"}) for _ in range(6))
            answers = await asyncio.gather(*same, patch(server, {"set": [{"key": "d", "fields": {"title": f"{number}"}}]}))
            assert len({(status, body["revision"]) for status, _, body in answers[:6]}) == 1, answers
            await patch(server, {"remove": ["b"]})
        body = await server.json("/lists/board")
        assert body["revision"] == before["revision"] + 60, body["revision"] - before["revision"]


@test()
async def a_key_is_remembered_when_a_client_that_is_ahead_brings_another_epoch():
    async with Server([BOARD]) as server:
        await patch(server, {"set": [row("a")]})
        await server.restart()
        change = {"set": [row("b")]}, {"Idempotency-Key": "one"}
        first = await patch(server, *change)
        epoch, revision = first[2]["epoch"], first[2]["revision"]
        async with Client.open(server) as ahead:
            ok = await ahead.ask({"type": "watch", "list": "board", "epoch": epoch, "revision": revision + 5})
            assert ok["epoch"] != epoch, ok
            assert (await patch(server, *change))[2] == first[2]


@test()
async def what_is_pushed_during_a_run_is_kept_through_it():
    for mode in ("replace", "stream"):
        folder = Folder()
        folder.write("slow.tsv", [("a", "source"), ("b", "source"), ("c", "source")])
        lists = [slow_list(folder, seconds=0.5, push=True, mode=mode)]
        async with Server(lists, folder=folder) as server, Client.open(server) as client:
            await server.refresh("slow")
            await client.watch("slow")
            await client.settled("slow")
            running = asyncio.create_task(server.refresh("slow"))
            await client.expect({"type": "state", "phase": "loading"})
            changed = {"key": "a", "fields": {"title": "pushed"}}
            await patch(server, {"set": [changed, row("n")], "remove": ["b"]}, name="slow")
            await running
            assert await server.rows("slow") == [
                ("n", {"title": "N"}), ("a", {"title": "pushed"}), ("c", {"title": "source"}),
            ]  # fmt: skip
            await client.shows_what_the_server_has("slow")
            await server.refresh("slow")
            assert [key for key, _ in await server.rows("slow")] == ["a", "b", "c"], "the next run decides anew"


@test()
async def what_is_pushed_beside_a_source_stays_until_its_next_run():
    folder = Folder()
    folder.write("fruit.tsv", [("a", "Apple"), ("b", "Banana")])
    async with Server([file_list(folder, push=True)], folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.until(lambda: len(client.model("fruit").rows) == 2, what="the source's rows")
        status, _, _ = await patch(server, {"set": [row("p"), {"key": "a", "fields": {"title": "Apricot"}}]}, name="fruit")
        assert status == 200
        await client.until(lambda: len(client.model("fruit").rows) == 3, what="what was pushed")
        await server.restart()
        assert dict(await server.rows("fruit"))["a"] == {"title": "Apricot"}, "it is kept like any row"
        _, body = await server.refresh("fruit")
        assert body["changes"] == {"inserted": 0, "changed": 1, "moved": 0, "removed": 1}, body
        assert await server.rows("fruit") == [("a", {"title": "Apple"}), ("b", {"title": "Banana"})]


@test()
async def a_foreign_page_pushes_nothing_and_a_foreign_host_is_refused():
    async with Server([BOARD], "--allow-origin", "https://friend.example") as server:
        foreign = (({"Origin": "http://evil.example"}, "--allow-origin"), ({"Host": "evil.example"}, "--allow-host"))
        for method, path in ONE_OF_EACH:
            for headers, flag in foreign:
                status, answer, body = await send(server, method, path, {"fields": {}}, headers)
                assert status == 403, f"{method} {headers}: {status}"
                is_problem(403, answer, body, flag)
        assert await keys(server) == []
        ask = {"Origin": "https://friend.example", "Access-Control-Request-Method": "PATCH"}
        status, headers, _ = await server.http("OPTIONS", "/lists/board", ask)
        assert status == 204 and "PATCH" in headers["access-control-allow-methods"], f"{status} {headers}"
        status, _, _ = await patch(server, {"set": [row("b")]}, {"Origin": server.url})
        assert status == 200, "the page's own origin"


@test()
async def a_token_is_asked_of_everybody_where_there_is_one():
    async with Server([BOARD], "--push-token", TOKEN) as server:
        for shown, challenge in (
            (None, 'Bearer realm="refreshable"'),
            ("Basic abc", 'Bearer realm="refreshable"'),
            ("Bearer nonsense", 'Bearer realm="refreshable", error="invalid_token"'),
            (f"Bearer {TOKEN}x", 'Bearer realm="refreshable", error="invalid_token"'),
        ):
            status, headers, body = await patch(server, {"set": [row("a")]}, {"Authorization": shown})
            assert status == 401 and headers["www-authenticate"] == challenge, f"{shown}: {status} {headers}"
            is_problem(401, headers, body, "token")
        assert await keys(server) == [], "reading needs none"
        status, _, _ = await patch(server, {"set": [row("a")]}, {"Authorization": f"Bearer {TOKEN}"})
        assert status == 200 and TOKEN not in server.log, server.log


@test(one_node=True)
async def who_guesses_the_token_for_pushes_has_to_wait():
    async with Server([BOARD], "--push-token", TOKEN) as server:
        mine = {"Authorization": f"Bearer {TOKEN}"}
        guesses = [{"Authorization": f"Bearer a-guess-at-the-token-{number}"} for number in range(12)]
        statuses = [(await patch(server, {"set": [row("a")]}, guess))[0] for guess in guesses]
        assert statuses == [401] * 10 + [429] * 2, statuses
        status, headers, body = await patch(server, {"set": [row("a")]}, mine)
        assert status == 429 and headers["retry-after"] == "5" and "Too many" in body["detail"], body
        assert await keys(server) == [], "reading goes on, and nothing was pushed"
        await asyncio.sleep(5.1)
        assert (await patch(server, {"set": [row("a")]}, mine))[0] == 200
        # Who was right before stays in, whatever others try.
        for guess in guesses:
            await patch(server, {"set": [row("a")]}, guess)
        assert (await patch(server, {"set": [row("b")]}, mine))[0] == 200
        assert sorted(await keys(server)) == ["a", "b"]


@test(one_node=True)
async def from_other_machines_and_through_a_proxy_a_token_is_needed():
    async with Server([BOARD], "--host", "0.0.0.0") as server:
        assert "from this machine only" in server.log and "--push-token" in server.log, server.log
        status, _, _ = await patch(server, {"set": [row("a")]})
        assert status == 200, "on loopback it is open"
        for headers in ({"X-Forwarded-For": "192.0.2.7"}, {"Forwarded": "for=192.0.2.7"}):
            status, answer, body = await patch(server, {"set": [row("a")]}, headers)
            assert status == 403, f"{headers}: {status}"
            is_problem(403, answer, body, "--push-token", "REFRESHABLE_PUSH_TOKEN")
        if address := own_address():
            status, answer, body = await send(server, "PATCH", "/lists/board", {"set": [row("a")]}, at=address)
            assert status == 403, f"from {address}: {status}"
    async with Server([BOARD], "--host", "0.0.0.0", "--push-token", TOKEN) as server:
        shown = {"Authorization": f"Bearer {TOKEN}", "X-Forwarded-For": "192.0.2.7"}
        status, _, _ = await patch(server, {"set": [row("a")]}, shown)
        assert status == 200 and "from this machine only" not in server.log, server.log


def own_address():
    """An address of this machine that is not loopback, if it has one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = probe.getsockname()[0]
    return None if address.startswith("127.") else address


@test(limit=60, alone=True)
async def one_connection_keeps_its_pushes_in_order():
    async with Server([BOARD]) as server, Client.open(server) as client:
        await client.watch("board")
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        host = {"Host": f"localhost:{server.port}"}
        started = time.monotonic()
        for number in range(1000):
            body = json.dumps({"set": [{"key": f"k{number % 50}", "fields": {"n": number}, "at": "top"}]}).encode()
            status, _, text = await exchange(reader, writer, "PATCH", "/lists/board", host, body)
            assert status == 200 and json.loads(text)["revision"] == number + 1, text
        writer.close()
        seconds = time.monotonic() - started
        assert seconds < 10, f"1000 pushes took {seconds:.1f} s"
        assert await keys(server) == [f"k{number % 50}" for number in range(999, 949, -1)]
        await client.shows_what_the_server_has("board")


EVIL_NAMES = ("evil.local", "evil.localhost")


@test()
async def a_page_under_a_name_that_anybody_can_claim_pushes_nothing_without_a_token():
    async with Server([BOARD]) as server:
        port = server.port
        own = f"http://localhost:{port}"
        for headers in (
            *({"Host": f"{name}:{port}", "Origin": f"http://{name}:{port}"} for name in EVIL_NAMES),
            *({"Host": f"{name}:{port}"} for name in EVIL_NAMES),
            {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
            {"Sec-Fetch-Site": "cross-site", "Origin": own},
        ):  # fmt: skip
            for method, path in ONE_OF_EACH:
                status, answer, body = await send(server, method, path, {"fields": {}, "set": [row("a")]}, headers)
                is_problem(403, answer, body, "localhost")
        assert await keys(server) == []
        for headers in (
            {}, {"Host": f"127.0.0.1:{port}"}, {"Host": f"[::1]:{port}"}, {"Host": "localhost"}, {"Origin": own},
            {"Sec-Fetch-Site": "same-origin", "Origin": own}, {"Sec-Fetch-Site": "none"},
            {"Host": f"127.0.0.1:{port}", "Origin": f"http://127.0.0.1:{port}"},
        ):  # fmt: skip
            status, _, body = await patch(server, {"set": [row("a")]}, headers)
            assert status == 200, f"{headers}: {status} {body}"


@test()
async def a_page_of_an_allowed_site_pushes_nothing_without_a_token():
    async with Server([BOARD], "--allow-origin", "https://friend.example", "--allow-host", "lists.example") as server:
        status, headers, body = await patch(server, {"set": [row("a")]}, {"Origin": "https://friend.example"})
        is_problem(403, headers, body)
        own = {"Host": "lists.example", "Origin": "http://lists.example"}
        status, _, body = await patch(server, {"set": [row("a")]}, own)
        assert status == 200, f"an allowed name is ours: {body}"
    async with Server([BOARD], "--allow-origin", "https://friend.example", "--push-token", TOKEN) as server:
        headers = {"Origin": "https://friend.example", "Authorization": f"Bearer {TOKEN}"}
        status, headers, body = await patch(server, {"set": [row("a")]}, headers)
        assert status == 200 and headers["access-control-allow-origin"] == "https://friend.example", f"{headers} {body}"


@test()
async def under_a_name_in_local_one_reads_and_pushes_with_a_token():
    async with Server([BOARD], "--push-token", TOKEN) as server:
        for name in ("raspberrypi.local", "board.localhost"):
            host = {"Host": f"{name}:{server.port}", "Origin": f"http://{name}:{server.port}"}
            status, _, body = await patch(server, {"set": [row("a")]}, {**host, "Authorization": f"Bearer {TOKEN}"})
            assert status == 200, f"{name}: {status} {body}"
            status, _, body = await send(server, "GET", "/lists/board", None, host)
            assert status == 200 and body["count"] == 1, f"{name}: {status} {body}"


@test()
async def a_page_under_a_name_that_anybody_can_claim_reads_and_has_nothing_done():
    folder = Folder()
    folder.write("fruit.tsv", [("a", "Apple")])
    async with Server([file_list(folder)], folder=folder) as server:
        name = f"evil.local:{server.port}"
        async with Client.open(server) as client:
            await client.watch("fruit")
            await client.settled("fruit")
        runs = len(folder.lines("fruit.log"))
        headers = {"Host": name, "Origin": f"http://{name}", "Content-Length": "0"}
        status, _, body = await server.http("POST", "/lists/fruit/refresh", headers)
        assert status == 403 and b"localhost" in body, f"{status} {body}"
        async with Client.open(server, origin=f"http://{name}", under="evil.local") as client:
            ok = await client.watch("fruit")
            assert ok["refreshable"] is False, ok
            for message in (
                {"type": "refresh"}, {"type": "more", "after": "a"}, {"type": "stop", "run": "r1"},
                {"type": "release", "gesture": 1, "offset": 70, "peak": 70},
            ):  # fmt: skip
                answer = await client.ask({**message, "list": "fruit"})
                assert answer["code"] == "forbidden" and "localhost" in answer["message"], answer
        assert len(folder.lines("fruit.log")) == runs


@test(one_node=True)
async def the_log_says_at_the_start_who_may_push_without_a_token():
    for flags, said in (((), True), (("--push-token", TOKEN), False)):
        async with Server([BOARD, {"name": "other", "push": True}], *flags) as server:
            await (eventually(lambda server=server: "may push" in server.log, 5) if said else asyncio.sleep(0.5))
            lines = [line for line in server.log.splitlines() if "may push" in line]
            assert len(lines) == (1 if said else 0), server.log
            assert not said or "this machine" in lines[0] and "board, other" in lines[0], lines


@test(one_node=True)
async def keys_of_pushes_are_those_of_who_pushes():
    async with Server([BOARD]) as server:
        answers = []
        for at in ("127.0.0.1", "127.0.0.2", "127.0.0.1"):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port, local_addr=(at, 0))
            body = json.dumps({"set": [row("a", fields={"from": at})]}).encode()
            headers = {"Host": f"localhost:{server.port}", "Idempotency-Key": "1"}
            status, _, text = await exchange(reader, writer, "PATCH", "/lists/board", headers, body)
            writer.close()
            assert status == 200, f"{at}: {status} {text}"
            answers.append(json.loads(text)["revision"])
        assert answers == [1, 2, 1], answers


@test()
async def what_a_push_finds_is_what_pushes_before_it_have_left():
    async with Server([BOARD]) as server:
        _, _, first = await patch(server, {"set": [row("a"), row("b")]})
        for number in range(60):
            # A server that had not heard of the last one would find this row on top, as it was before that.
            _, headers, body = await patch(server, {"set": [{"key": "ab"[number % 2], "at": "top"}]})
            assert body["revision"] == first["revision"] + 1 + number, f"{number}: {body}"
            status, _, body = await patch(server, {"set": [row("a")]}, {"If-Match": headers["etag"]})
            assert status == 200, f"{number}: {status} {body}"
