"""The same facts over HTTP: lists, rows with ETag, a refresh that is waited for, the page."""

import asyncio
import json
import time

from client import Client
from harness import Folder, Server, exchange, file_list, slow_list, test, tsv

FRUIT = [("a", "Apple"), ("b", "Banana")]


def fruit(**settings):
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    return folder, [file_list(folder, **settings)]


@test()
async def a_section_is_a_field_and_the_rows_keep_their_order():
    rows = "printf 'a\\tAda\\tRed\\nb\\tBob\\tBlue\\nc\\tCleo\\tRed\\n'"
    lists = [tsv("people", rows, section=3), {"name": "board", "push": True, "section": {"day": "due"}}]
    async with Server(lists) as server, Client.open(server) as client:
        assert (await client.watch("people"))["section"] == {"field": "section"}
        assert (await client.watch("board"))["section"] == {"day": "due"}
        await client.settled("people")
        told = await server.rows("people")
        assert told == [
            ("a", {"section": "Red", "title": "Ada"}), ("b", {"section": "Blue", "title": "Bob"}), ("c", {"section": "Red", "title": "Cleo"})
        ], told  # fmt: skip
        await client.shows_what_the_server_has("people")


@test()
async def lists_tells_each_list_as_the_document_has_it():
    folder, lists = fruit(title="Fresh Fruit")
    lists.append(tsv("empty-one", "true"))
    async with Server(lists, folder=folder) as server:
        await server.refresh("fruit")
        status, headers, body = await server.http("GET", "/lists")
        assert status == 200 and headers["content-type"].startswith("application/json"), headers
        answer = json.loads(body)
        assert list(answer) == ["lists"] and [one["name"] for one in answer["lists"]] == ["fruit", "empty-one"], answer
        first = answer["lists"][0]
        wanted = {"name", "title", "count", "revision", "epoch", "updatedAt", "refreshable"}
        assert set(first) == wanted, f"{set(first) ^ wanted}"
        assert (first["title"], first["count"], first["refreshable"]) == ("Fresh Fruit", 2, True), first
        assert isinstance(first["revision"], int) and isinstance(first["epoch"], str), first
        assert abs(first["updatedAt"] - time.time() * 1000) < 10_000, first


@test()
async def a_window_of_a_list_is_read_and_leads_to_the_next():
    rows = [{"key": f"k{number}", "fields": {"title": f"Row {number}"}} for number in range(250)]
    async with Server([{"name": "log", "push": True}]) as server:
        status, _, body = await server.http("PATCH", "/lists/log", body=json.dumps({"set": rows}).encode())
        assert status == 200, body
        keys = [row["key"] for row in (await server.json("/lists/log"))["rows"]]
        # Whoever follows the links sees every row once.
        seen, query = [], "?count=100"
        while query:
            status, headers, body = await server.http("GET", f"/lists/log{query}")
            answer = json.loads(body)
            assert status == 200 and answer["total"] == 250 and answer["count"] == len(answer["rows"]) and answer["first"] == len(seen), answer
            seen += [row["key"] for row in answer["rows"]]
            query = dict(reversed(link.split("; ")) for link in headers.get("link", "").split(", ") if link).get('rel="next"', "")[1:-1]
        assert seen == keys

        answer = await server.json(f"/lists/log?around={keys[100]}&before=1&after=2")
        assert (answer["first"], [row["key"] for row in answer["rows"]]) == (99, keys[99:103]), answer
        answer = await server.json("/lists/log?last=2")
        assert (answer["first"], [row["key"] for row in answer["rows"]]) == (248, keys[248:]), answer
        for query, wanted, words in (("?around=nobody", 404, "does not have that row"), ("?count=many", 400, "1 to 1000")):
            status, headers, body = await server.http("GET", f"/lists/log{query}")
            assert status == wanted and words in json.loads(body)["detail"], body
            assert headers["content-type"] == "application/problem+json", headers


@test()
async def a_window_has_about_a_mebibyte_at_most():
    big = "x" * 15_000
    async with Server([{"name": "log", "push": True}]) as server:
        for start in range(0, 120, 60):
            rows = [{"key": f"k{number}", "fields": {"title": big}} for number in range(start, start + 60)]
            assert (await server.http("PATCH", "/lists/log", body=json.dumps({"set": rows}).encode()))[0] == 200
        _, headers, body = await server.http("GET", "/lists/log?count=1000")
        given = len(json.loads(body)["rows"])
        assert 69 <= given <= 71 and headers["link"] == f'<?first={given}&count=1000>; rel="next"', (given, headers)


@test()
async def a_list_has_an_etag_of_epoch_and_revision_and_answers_304():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        await server.refresh("fruit")
        status, headers, body = await server.http("GET", "/lists/fruit")
        answer = json.loads(body)
        assert status == 200 and headers["etag"] == f'"{answer["epoch"]}:{answer["revision"]}"', headers
        assert [(row["key"], row["fields"]) for row in answer["rows"]] == [
            (key, {"title": title}) for key, title in FRUIT
        ]
        status, again, body = await server.http("GET", "/lists/fruit", {"If-None-Match": headers["etag"]})
        assert (status, body) == (304, b"") and again["etag"] == headers["etag"], f"{status} {again}"
        await server.refresh("fruit")
        status, _, _ = await server.http("GET", "/lists/fruit", {"If-None-Match": headers["etag"]})
        assert status == 304, "a refresh without a change is no revision"
        folder.write("fruit.tsv", FRUIT[:1])
        await server.refresh("fruit")
        status, later, _ = await server.http("GET", "/lists/fruit", {"If-None-Match": headers["etag"]})
        assert status == 200 and later["etag"] != headers["etag"]


@test()
async def head_has_the_headers_alone():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        await server.refresh("fruit")
        for path in ("/", "/lists", "/lists/fruit", "/healthz"):
            status, headers, body = await server.http("HEAD", path)
            assert (status, body) == (200, b""), f"HEAD {path}: {status}"


@test()
async def an_unknown_list_is_404_in_json():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        for method, path in (
            ("GET", "/lists/nowhere"),
            ("POST", "/lists/nowhere/refresh"),
            ("GET", "/lists/fruit/none"),
        ):
            status, headers, body = await server.http(method, path, {"Content-Length": "0"} if method == "POST" else {})
            assert status == 404, f"{method} {path}: {status} {body}"


@test()
async def a_method_that_is_not_there_is_405():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        status, headers, _ = await server.http("GET", "/lists/fruit/refresh")
        assert status == 405 and "POST" in headers["allow"], f"{status} {headers}"


@test()
async def a_posted_refresh_waits_for_its_outcome():
    folder = Folder()
    folder.write("slow.tsv", FRUIT)
    async with Server([slow_list(folder, seconds=0.5)], folder=folder) as server, Client.open(server) as client:
        started = time.monotonic()
        status, answer = await server.refresh("slow")
        assert status == 200 and answer["outcome"] == "success" and time.monotonic() - started >= 0.5, answer
        assert answer["changes"]["inserted"] == 2 and answer["run"], answer
        await client.watch("slow")
        await client.settled("slow")
        one, two = await asyncio.gather(server.refresh("slow"), server.refresh("slow"))
        assert one[1]["run"] == two[1]["run"], f"{one} {two}"
        assert client.model("slow").begun, "watchers see it"


@test()
async def a_posted_refresh_that_fails_says_so():
    async with Server([tsv("broken", "exit 7")]) as server:
        status, answer = await server.refresh("broken")
        assert status >= 400 and answer["outcome"] == "failure" and answer["error"]["message"], f"{status} {answer}"


@test()
async def health_is_a_short_answer():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        status, _, body = await server.http("GET", "/healthz")
        assert status == 200 and len(body) < 200, body


@test()
async def the_command_health_asks_a_server():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        command = [server.arguments()[0], "health", server.url]
        process = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        output, _ = await asyncio.wait_for(process.communicate(), 10)
        assert process.returncode == 0, output
        await server.kill()
        process = await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        output, _ = await asyncio.wait_for(process.communicate(), 10)
        assert process.returncode not in (0, None) and output, "no server, no health, and a word about it"


@test()
async def the_page_has_a_strong_etag_a_policy_and_304():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        types = {"/": "text/html", "/refreshable-list.js": "text/javascript", "/page/page.css": "text/css"}
        for path, kind in types.items():
            status, headers, body = await server.http("GET", path)
            assert status == 200 and body and headers["content-type"].startswith(kind), f"{path}: {status} {headers}"
            assert headers["etag"].startswith('"') and "cache-control" in headers, headers
            status, _, body = await server.http("GET", path, {"If-None-Match": headers["etag"]})
            assert (status, body) == (304, b""), f"{path}: {status}"
        _, headers, _ = await server.http("GET", "/")
        policy = headers["content-security-policy"]
        assert "default-src" in policy and "unsafe-eval" not in policy, policy


@test()
async def the_page_is_compressed_for_those_who_can_read_it():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        _, plain, body = await server.http("GET", "/refreshable-list.js")
        _, packed, small = await server.http("GET", "/refreshable-list.js", {"Accept-Encoding": "gzip"})
        assert "content-encoding" not in plain and packed["content-encoding"] == "gzip", packed
        assert len(small) < len(body) and "accept-encoding" in packed["vary"].lower(), packed
        assert packed["etag"] != plain["etag"], "a strong ETag names the bytes"


@test()
async def nothing_outside_the_page_is_ever_served():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        for path in (
            "/../Package.swift", "/%2e%2e/Package.swift", "/..%2f..%2fetc/passwd", "//etc/passwd", "/etc/passwd",
            "/./../../etc/passwd", "/index.html/../../lists.yaml", "/lists.yaml", "/\\..\\..\\etc\\passwd",
        ):  # fmt: skip
            status, _, body = await server.http("GET", path)
            assert status in (400, 403, 404), f"GET {path}: {status} {body[:80]}"


@test()
async def a_path_with_a_zero_byte_is_not_cut_short():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        for path in ("/%00x", "/lists%00/x", "/lists/fruit%00.txt"):
            try:
                status, _, body = await server.http("GET", path)
            except asyncio.IncompleteReadError:
                continue  # Hung up on without an answer: a refusal, too.
            assert status in (400, 404), f"GET {path}: {status} {body[:80]}"


@test()
async def one_connection_serves_many_requests():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        host = {"Host": f"localhost:{server.port}"}
        for _ in range(20):
            status, _, _ = await exchange(reader, writer, "GET", "/lists", host)
            assert status == 200
            status, _, _ = await exchange(reader, writer, "POST", "/lists/fruit/refresh", host, b"")
            assert status == 200
        writer.close()


@test()
async def public_serves_a_folder_over_the_built_in_page():
    folder, lists = fruit()
    page = folder / "page"
    page.mkdir()
    (page / "index.html").write_text("<title>mine</title>")
    (page / "secret").symlink_to(folder / "lists.yaml")
    async with Server(lists, "--public", str(page), folder=folder) as server:
        _, _, body = await server.http("GET", "/")
        assert body == b"<title>mine</title>", body
        status, headers, _ = await server.http("GET", "/refreshable-list.js")
        assert status == 200, "a page of one's own finds the element"
        status, _, _ = await server.http("GET", "/secret")
        assert status == 404, "a link out of the folder is not followed"
