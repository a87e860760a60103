"""Where lists are kept: one server a folder, and rows that outlive it."""

import asyncio

from client import Client
from harness import Folder, Server, file_list, test

FRUIT = [("a", "Apple"), ("b", "Banana")]


def fruit():
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    return folder, [file_list(folder)]


@test()
async def a_second_server_on_the_same_data_is_refused_with_the_firsts_process_id():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        second = await asyncio.create_subprocess_exec(
            *server.arguments(), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        output, _ = await asyncio.wait_for(second.communicate(), 10)
        assert second.returncode not in (0, None), output
        assert str(server.pid) in output.decode(), output.decode()
        assert (await client.ask({"type": "ping"}))["type"] == "ok", "the first one is not disturbed"
        ok = await client.pull("fruit", 1)
        await client.expect({"type": "state", "phase": "waiting", "last": {"run": ok["run"], "outcome": "success"}})


@test()
async def rows_are_there_before_the_source_is_asked_again():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        await server.refresh("fruit")
        before = await server.json("/lists/fruit")
        (folder / "fruit.tsv").unlink()
        await server.restart()
        after = await server.json("/lists/fruit")
        assert (after["epoch"], after["revision"], after["rows"]) == (
            before["epoch"],
            before["revision"],
            before["rows"],
        )


@test()
async def an_ephemeral_server_starts_in_a_new_epoch():
    folder, lists = fruit()
    async with Server(lists, folder=folder, ephemeral=True) as server:
        client = await Client.connect(server)
        await client.watch("fruit")
        await client.settled("fruit")
        await client.close()
        await server.restart()
        async with Client.open(server, models=client.models) as back:
            model = back.model("fruit")
            ok = await back.watch("fruit", resume=True)
            assert ok["begin"] == "snapshot" and ok["epoch"] != client.frames[1]["epoch"], ok
            await back.settled("fruit")
            await back.shows_what_the_server_has("fruit")
            assert model.epoch == ok["epoch"]


@test()
async def a_copied_data_folder_is_another_history():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        models = {}
        client = await Client.connect(server, models=models)
        await client.watch("fruit")
        await client.settled("fruit")
        await client.close()
        assert await server.stop() == 0
        copy = await asyncio.create_subprocess_exec("cp", "-r", str(folder / "data"), str(folder / "copy"))
        assert await copy.wait() == 0
        (await (await asyncio.create_subprocess_exec("rm", "-r", str(folder / "data"))).wait())
        (folder / "copy").rename(folder / "data")
        await server.start()
        async with Client.open(server, models=models) as back:
            ok = await back.watch("fruit", resume=True)
            assert ok["begin"] == "snapshot", f"history can't be vouched for: {ok}"
            await back.settled("fruit")
            await back.shows_what_the_server_has("fruit")
