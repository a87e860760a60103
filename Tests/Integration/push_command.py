"""`refreshable push`: rows from lines of JSON, for programs that speak no HTTP."""

import asyncio
import json

import harness
from harness import Folder, Server, file_list, test


def board(**settings):
    folder = Folder()
    folder.write("fruit.tsv", [("a", "Apple")])
    return folder, [file_list(folder, push=True, **settings)]


async def begin(url, *arguments):
    return await asyncio.create_subprocess_exec(
        harness.BINARY, "push", url, "fruit", *arguments,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip


async def push(url, text, *arguments):
    """Its status and what it said."""
    process = await begin(url, *arguments)
    _, err = await asyncio.wait_for(process.communicate(text.encode()), 30)
    return process.returncode, err.decode()


async def keys(server):
    return [row["key"] for row in (await server.json("/lists/fruit"))["rows"]]


def line(key, **fields):
    return json.dumps({"key": key, "fields": fields}) + "\n"


@test()
async def lines_become_rows():
    folder, lists = board()
    async with Server(lists, folder=folder) as server:
        assert await push(server.url, line("b", title="B") + line("c", title="C")) == (0, "Pushed 2 rows.\n")
        assert await keys(server) == ["c", "b"]
        text = json.dumps({"key": "d", "fields": {}, "at": "end"}) + "\n" + json.dumps({"key": "c", "fields": None})
        (folder / "rows.jsonl").write_text(text)
        assert (await push(server.url, "", str(folder / "rows.jsonl")))[0] == 0
        assert await keys(server) == ["b", "d"]


@test()
async def what_refresh_prints_can_be_pushed():
    folder, lists = board()
    async with Server(lists, folder=folder) as server:
        process = await asyncio.create_subprocess_exec(
            harness.BINARY, "refresh", server.url, "fruit", "--json", stdout=asyncio.subprocess.PIPE
        )
        rows, _ = await process.communicate()
        await server.http("DELETE", "/lists/fruit/rows/a")
        assert await keys(server) == []
        assert (await push(server.url, rows.decode()))[0] == 0
        assert await keys(server) == ["a"]


@test()
async def thousands_of_lines_are_a_few_pushes():
    folder, lists = board()
    async with Server(lists, folder=folder) as server:
        status, said = await push(server.url, "".join(line(str(number), title="x" * 50) for number in range(5_000)))
        assert (status, said) == (0, "Pushed 5000 rows.\n"), (status, said)
        answer = await server.json("/lists/fruit")
        assert len(answer["rows"]) == 5_000 and answer["revision"] < 100, answer["revision"]


@test()
async def a_line_that_comes_alone_is_pushed_at_once():
    folder, lists = board()
    async with Server(lists, folder=folder) as server:
        # The first load, which takes away what was pushed before it, is over.
        await keys(server)
        process = await begin(server.url)
        for key in "xy":
            process.stdin.write(line(key).encode())
            while key not in await keys(server):
                await asyncio.sleep(0.02)
        process.stdin.close()
        assert await asyncio.wait_for(process.wait(), 10) == 0


@test()
async def a_server_that_is_killed_meanwhile_is_waited_for():
    folder, lists = board()
    async with Server(lists, folder=folder) as server:
        server.flags = ("--port", str(server.port))
        await server.restart()
        await server.kill()
        pushing = asyncio.create_task(push(server.url, line("b")))
        await asyncio.sleep(0.5)
        await server.start()
        assert await pushing == (0, "Pushed 1 row.\n")
        assert "b" in await keys(server)


@test()
async def what_is_wrong_is_said_with_its_line():
    folder, lists = board()
    async with Server(lists, folder=folder) as server:
        status, said = await push(server.url, line("b") + '{"key":"c","fields":[]}\n')
        assert status == 65 and said.startswith("Line 2: fields"), (status, said)
        assert await keys(server) == ["b"], "what stood before it is pushed"
        status, said = await push(server.url, "", "/no/such/file")
        assert (status, said) == (66, "Cannot read /no/such/file: no such file or directory.\n")
        url = server.url
    status, said = await push(url, line("b"), "--patience", "0")
    assert status == 1 and said.startswith("Cannot push to http://localhost:"), said
    folder, lists = board()
    async with Server([{**lists[0], "push": False}], folder=folder) as server:
        status, said = await push(server.url, line("b"))
        assert status == 1 and "push" in said, said
