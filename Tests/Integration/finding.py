"""Who looks for rows: which they are sent, in which order, and what they are told as the list goes on."""

import asyncio
import json
import random
import time
import unicodedata
from urllib.parse import urlencode

from client import Client
from harness import Folder, Server, file_list, test
from pushing import BOARD, is_problem, patch, row

WORDS = ["tea", "TEA house", "thé vert", "tee", "Tëa", "cocoa", "い ちご", "mate", "steam", ""]


def folded(text):
    letters = (letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter))
    return "".join(letters).lower()


def fields(title, badge="", stars=0):
    return {"title": title, "badge": badge, "stars": stars, "link": "https://tea.example/"}


async def wanted(server, window, name="board"):
    """What there is to find, by a look at all rows."""
    found = await server.rows(name)
    texts = [" ".join(folded(value) for name, value in row.items() if isinstance(value, str) and name != "link") for _, row in found]
    words = folded(window.get("find", "")).split()
    found = [one for one, text in zip(found, texts, strict=True) if all(word in text for word in words)]
    for condition in window.get("filter", []):
        name, value = condition.split(" = ")
        found = [one for one in found if str(one[1].get(name)) == value]
    for order in reversed(window.get("sort", [])):
        found.sort(key=lambda one, name=order.removeprefix("-"): one[1][name], reverse=order.startswith("-"))
    return found


async def shows_what_it_looks_for(client, window, name="board", within=5):
    deadline = time.monotonic() + within
    while True:
        found = await wanted(client.server, window, name)
        first, total = client.model(name).place
        shown = client.model(name).ordered()
        if (total, shown) == (len(found), found[first : first + len(shown)]):
            return
        assert time.monotonic() < deadline, f"{first} of {total}: {shown}\nthere is {found}"
        await asyncio.sleep(0.02)


@test()
async def rows_that_are_found_come_and_go_with_what_they_show():
    async with Server([BOARD]) as server, Client.open(server) as client:
        rows = [{"key": f"r{number}", "fields": fields(WORDS[number % 10], stars=number)} for number in range(40)]
        await patch(server, {"set": rows})
        window = {"find": "TEA", "first": 0, "count": 9}
        ok = await client.watch("board", window=window)
        assert (ok["first"], ok["total"], ok["count"]) == (0, 16, 9), ok
        await client.settled("board")
        await shows_what_it_looks_for(client, window)
        for change in [
            {"set": [{"key": "r0", "fields": fields("coffee")}]}, {"set": [{"key": "r5", "fields": fields("green tea")}]},
            {"remove": ["r1"]}, {"set": [{"key": "new", "fields": fields("teapot"), "at": "top"}]},
            {"set": [{"key": "r4", "at": "end"}]}, {"set": [{"key": "r9", "fields": fields("coffee, too")}]},
        ]:  # fmt: skip
            await patch(server, change)
            await shows_what_it_looks_for(client, window)
        frames = len(client.frames)
        await patch(server, {"set": [{"key": "r9", "fields": fields("still coffee")}]})
        await client.ask({"type": "digest", "list": "board"})
        assert [frame["type"] for frame in client.frames[frames:]] == ["ok"], "nobody is told what they don't look for"


@test()
async def rows_are_sorted_and_filtered_by_what_they_show():
    async with Server([BOARD]) as server, Client.open(server) as client:
        rows = [{"key": f"r{n}", "fields": fields(f"Row {n}", badge="fix" if n % 3 else "feat", stars=n * 7 % 12)} for n in range(30)]
        await patch(server, {"set": rows})
        window = {"filter": ["badge = fix"], "sort": ["-stars", "title"], "first": 2, "count": 6}
        await client.watch("board", window=window)
        await client.settled("board")
        assert client.model("board").place == (2, 20)
        await shows_what_it_looks_for(client, window)
        for number in (3, 4, 5, 25):
            await patch(server, {"set": [{"key": f"r{number}", "fields": fields(f"Row {number}", badge="fix", stars=99 - number)}]})
            await shows_what_it_looks_for(client, window)
        # And back to all rows.
        await client.look("board", first=0, count=30)
        await client.shows_what_is_in_its_window("board")
        await client.look("board", sort="title", last=3)
        await shows_what_it_looks_for(client, {"sort": ["title"]})


@test()
async def what_is_looked_for_over_http_has_links_to_the_rest():
    async with Server([BOARD]) as server:
        rows = [{"key": f"r{number}", "fields": fields(WORDS[number % 10])} for number in range(40)]
        await patch(server, {"set": rows})
        address = "/lists/board?" + urlencode({"find": "thé", "sort": "-title", "count": 3})
        status, headers, _ = await server.http("GET", address)
        body = await server.json(address)
        assert (status, body["count"], body["first"], body["total"]) == (200, 3, 0, 4), body
        assert headers["link"] == '<?find=th%C3%A9&sort=-title&first=3&count=3>; rel="next"', headers
        assert (await server.json("/lists/board" + headers["link"][1:].split(">")[0]))["count"] == 1
        assert (await server.json("/lists/board?find=nothing+like+it"))["rows"] == []
        two = "/lists/board?" + urlencode([("filter", "title contains tea"), ("filter", "stars >= 0"), ("sort", "title")])
        assert (await server.json(two))["total"] == 12


@test()
async def what_is_no_query_is_said_and_changes_nothing():
    async with Server([BOARD]) as server, Client.open(server) as client:
        await patch(server, {"set": [row("a")]})
        await client.watch("board", window={"last": 5})
        for window, words in [
            ({"find": 7}, 'The field "window.find" should be a text of up to 256 bytes, not 7.'),
            ({"sort": [{}]}, 'The field "window.sort" should be a text of up to 256 bytes, or a list of such, not an object.'),
            ({"sort": ["title"] * 9}, 'The field "window.sort" has more than 8 fields.'),
            ({"filter": "stars"}, 'The field "window.filter" has "stars", which is no condition.'),
            ({"find": "x" * 300}, 'The field "window.find" should be a text of up to 256 bytes'),
        ]:  # fmt: skip
            error = await client.ask({"type": "look", "list": "board", "window": window})
            assert error["code"] == "badField" and words in error["message"], error
        assert [key for key, _ in client.model("board").ordered()] == ["a"]
        status, headers, body = await server.http("GET", "/lists/board?sort=2")
        assert status == 400 and b'The parameter \\"sort\\" has \\"2\\", which is no field.' in body, body
        is_problem(status, headers, json.loads(body), "which is no field")


@test(limit=60)
async def a_long_list_is_looked_through_while_it_goes_on():
    folder = Folder()
    folder.write("log.tsv", [(f"k{number}", f"Row {number} {WORDS[number % 10]}") for number in range(20_000)])
    lists = [file_list(folder, "log", push=True)]
    async with Server(lists, folder=folder) as server, Client.open(server) as client, Client.open(server) as other:
        for one in (client, other):
            await one.watch("log", window={"first": 0, "count": 1}, within=30)
            await one.settled("log", within=30)
        await asyncio.gather(
            other.look("log", within=30, find="cocoa row 9", first=0, count=50),
            client.look("log", within=30, find="steam", last=50),
            *(patch(server, {"set": [{"key": f"k{number}", "fields": fields("cocoa steam")}]}, name="log") for number in range(30)),
        )
        await shows_what_it_looks_for(other, {"find": "cocoa row 9"}, name="log", within=20)
        await shows_what_it_looks_for(client, {"find": "steam"}, name="log", within=20)


@test(limit=60)
async def what_many_rows_have_is_shown_before_all_were_looked_at():
    folder = Folder()
    folder.write("log.tsv", [(f"k{number}", f"Row {number} {WORDS[number % 10]}") for number in range(12_000)])
    async with Server([file_list(folder, "log", push=True)], folder=folder) as server, Client.open(server) as client:
        await client.watch("log", window={"first": 0, "count": 1}, within=30)
        await client.settled("log", within=30)
        for window in ({"find": "row", "first": 0, "count": 40}, {"find": "tea", "first": 1000, "count": 40}):
            begun = len(client.frames)
            ok = await client.look("log", within=30, **window)
            assert ok["searching"] and 0 < ok["total"] < 12_000 and ok["count"] == 40, ok
            await patch(server, {"remove": [f"k{window['first'] + 1}"]}, name="log")
            await shows_what_it_looks_for(client, window, name="log", within=20)
            rows = [frame for frame in client.frames[begun:] if frame["type"] in ("snapshot", "patch")]
            assert [frame.get("searching", False) for frame in rows][:2] == [True, False] and rows[1]["type"] == "snapshot", rows
            digest = await client.ask({"type": "digest", "list": "log"})
            assert "searching" not in digest and client.model("log").digest() == digest["crc32"], digest
        # Nobody can tell yet what comes last, or first in another order.
        for window in ({"find": "row", "last": 5}, {"find": "row", "sort": ["-title"], "first": 0, "count": 5}):
            assert "searching" not in await client.look("log", within=30, **window)
            await shows_what_it_looks_for(client, window, name="log", within=20)


@test()
async def random_searches_show_what_there_is_to_find():
    dice = random.Random(seed := random.randrange(1 << 32))
    print(f"    seed {seed}")
    async with Server([BOARD]) as server, Client.open(server) as client:
        window = {"find": "tea", "first": 0, "count": 5}
        await client.watch("board", window=window)
        await client.settled("board")
        for _ in range(40):
            if dice.random() < 0.7:
                places = [{"at": "top"}, {"at": "end"}, {}]
                keys = {f"r{dice.randrange(40)}" for _ in range(4)}
                sets = [
                    {"key": key, "fields": fields(dice.choice(WORDS), dice.choice("ab"), dice.randrange(4)), **dice.choice(places)}
                    for key in sorted(keys)
                ]
                await patch(server, {"set": sets, "remove": sorted({f"r{dice.randrange(40)}" for _ in range(2)} - keys)})
            else:
                window = dice.choice([{"find": dice.choice(["tea", "te a", "ち"])}, {"filter": [f"badge = {dice.choice('ab')}"]}, {}])
                window = window | dice.choice([{}, {"sort": ["-stars"]}, {"sort": ["badge", "stars"]}])
                window |= dice.choice([{"last": 4}, {"first": dice.randrange(9), "count": 5}])
                await client.look("board", **window)
            await shows_what_it_looks_for(client, window)
