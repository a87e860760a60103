"""`refreshable refresh`: a list refreshed and printed by a command."""

import asyncio
import json

import harness
from harness import Folder, Server, file_list, slow_list, test


async def refresh(url, name, *flags):
    """Its status, and what it wrote to standard output and to standard error."""
    process = await asyncio.create_subprocess_exec(
        harness.BINARY, "refresh", url, name, *flags,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await asyncio.wait_for(process.communicate(), 30)
    return process.returncode, out.decode(), err.decode()


@test()
async def refresh_prints_the_rows_that_its_run_brought():
    folder = Folder()
    folder.write("fruit.tsv", [("a", "Alpha"), ("b", 'Beta, "2"')])
    async with Server([file_list(folder)], folder=folder) as server:
        assert await refresh(server.url, "fruit") == (0, 'Alpha\nBeta, "2"\n', "")
        folder.write("fruit.tsv", [("c", "Gamma")])
        _, out, _ = await refresh(server.url, "fruit", "--json")
        assert json.loads(out) == {"key": "c", "fields": {"title": "Gamma"}}
        assert await refresh(server.url + "/", "fruit", "--csv") == (0, "key,title\nc,Gamma\n", "")


@test()
async def refresh_fails_as_its_run_does_and_prints_the_rows_there_are():
    folder = Folder()
    folder.write("fruit.tsv", [("a", "Alpha")])
    async with Server([file_list(folder)], folder=folder) as server:
        await refresh(server.url, "fruit")
        (folder / "fruit.tsv").unlink()
        status, out, err = await refresh(server.url, "fruit")
        assert (status, out) == (1, "Alpha\n") and err.startswith("fruit: failure. "), (status, out, err)


@test(one_node=True)
async def refresh_goes_on_over_a_kill_9():
    folder = Folder()
    async with Server([slow_list(folder)], folder=folder) as server:
        folder.write("slow.tsv", [("a", "Alpha")])
        refreshing = asyncio.create_task(refresh(server.url, "slow"))
        while not folder.lines("slow.log"):
            await asyncio.sleep(0.05)
        server.flags = ("--port", str(server.port))
        await server.restart(clean=False)
        status, out, err = await refreshing
        assert (status, out) == (0, "Alpha\n") and err.startswith("Lost the server"), (status, out, err)


@test()
async def refresh_says_what_is_wrong():
    folder = Folder()
    folder.write("fruit.tsv", [])
    async with Server([file_list(folder)], folder=folder) as server:
        status, _, err = await refresh(server.url, "fruits")
        assert status == 1 and 'There is no list "fruits". Did you mean "fruit"?' in err, err
        url = server.url
    status, _, err = await refresh(url, "fruit")
    assert status == 1 and err.startswith("Cannot connect to ws://"), err
    status, _, err = await refresh(url, "fruit", "--json", "--csv")
    assert status == 64 and "Choose one" in err, err
