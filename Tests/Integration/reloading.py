"""Settings that change while they are served: nobody's connection is lost, and a fault changes nothing."""

import asyncio
import json
import os
import pty
import random
import re
import signal
from pathlib import Path

import harness
from client import Client
from harness import Folder, Server, eventually, file_list, slow_list, test


def write(server, lists):
    """As most editors save: another file takes the place of the old one."""
    text = lists if isinstance(lists, str) else json.dumps({"lists": lists}, indent=2)
    scratch = server.folder / ".lists.yaml.swp"
    scratch.write_text(text)
    scratch.rename(server.folder / "lists.yaml")


async def logged(server, pattern, seconds=8):
    await eventually(lambda: re.search(pattern, server.log), seconds, f"the log has no {pattern!r}:\n{server.log}")


def folder_with(**files):
    folder = Folder()
    for name, rows in files.items():
        folder.write(f"{name}.tsv", rows)
    return folder


FRUIT = [("a", "Apple"), ("b", "Banana")]
TREES = [("o", "Oak")]


@test()
async def a_list_that_is_added_is_served_on_the_same_connection():
    folder = folder_with(fruit=FRUIT, trees=TREES)
    async with Server([file_list(folder)], folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        assert (await client.ask({"type": "watch", "list": "trees"}))["code"] == "unknownList"
        write(server, [file_list(folder, "trees"), file_list(folder)])
        await logged(server, r"Read \S*lists.yaml again: added trees\.")
        await client.watch("trees")
        await client.settled("trees")
        await client.shows_what_the_server_has("trees")
        assert [row["name"] for row in (await server.json("/lists"))["lists"]] == ["trees", "fruit"]
        await client.ask({"type": "refresh", "list": "fruit"})
        await client.settled("fruit")
        await client.shows_what_the_server_has("fruit")


@test()
async def who_watches_a_list_that_goes_is_told_and_keeps_the_others():
    folder = folder_with(fruit=FRUIT, trees=TREES)
    lists = [file_list(folder), file_list(folder, "trees")]
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        for name in ("fruit", "trees"):
            await client.watch(name)
            await client.settled(name)
        epoch, revision = client.model("trees").epoch, client.model("trees").revision
        write(server, lists[:1])
        told = await client.expect({"type": "unwatched"})
        assert told == {
            "type": "unwatched", "list": "trees", "code": "unknownList",
            "message": 'The list "trees" is not there any more.', "retry": "later", "after": 5000,
        }, told  # fmt: skip
        assert (await client.ask({"type": "refresh", "list": "trees"}))["code"] == "unknownList"
        assert (await server.http("GET", "/lists/trees"))[0] == 404
        await client.ask({"type": "refresh", "list": "fruit"})
        await client.settled("fruit")
        # It comes back where it was: its rows were kept.
        write(server, lists)
        await logged(server, r"again: added trees\.")
        client.skip()
        ok = await client.watch("trees", resume=True)
        assert ok["begin"] in ("live", "resume") and ok["epoch"] == epoch and ok["revision"] >= revision, ok
        await client.settled("trees")
        await client.shows_what_the_server_has("trees")


@test()
async def a_changed_list_keeps_its_rows_its_history_and_those_who_watch():
    folder = folder_with(fruit=FRUIT, other=[("a", "Apple"), ("c", "Cherry")])
    async with Server([file_list(folder)], folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        epoch, revision = client.model("fruit").epoch, client.model("fruit").revision
        runs = len(folder.lines("fruit.log"))
        write(server, [file_list(folder, title="Fresh fruit", pull={"threshold": 90, "trigger": "crossing"})])
        told = await client.expect({"type": "settings", "list": "fruit"})
        assert told["title"] == "Fresh fruit" and told["pull"]["threshold"] == 90 and told["refreshable"], told
        model = client.model("fruit")
        assert (model.epoch, model.revision) == (epoch, revision) and len(folder.lines("fruit.log")) == runs
        assert "section" not in told, told
        write(server, [file_list(folder, section={"field": "title"})])
        assert (await client.expect({"type": "settings", "section": {"field": "title"}}))["title"] == "Fruit"
        assert (await client.watch("fruit", resume=True))["section"] == {"field": "title"}
        write(server, [file_list(folder, title="Fresh fruit", pull={"threshold": 90, "trigger": "crossing"})])
        assert "section" not in await client.expect({"type": "settings", "title": "Fresh fruit"})
        # A pull is judged by the new distances.
        await client.send({"type": "pull", "list": "fruit", "gesture": 1, "offset": 80})
        assert (await client.expect({"type": "state", "gesture": 1}))["phase"] == "waiting"
        await client.send({"type": "cancel", "list": "fruit", "gesture": 1})
        # Rows from elsewhere come by a patch.
        write(server, [{**file_list(folder, "other"), "name": "fruit"}])
        await client.until(lambda: "c" in model.rows, what="rows of the new command never came")
        assert model.epoch == epoch and model.revision > revision and set(model.rows) == {"a", "c"}
        await client.settled("fruit")
        await client.shows_what_the_server_has("fruit")


@test()
async def a_run_under_way_ends_as_it_began():
    folder = folder_with(slow=FRUIT, trees=TREES)
    async with Server([slow_list(folder, seconds=1)], folder=folder) as server, Client.open(server) as client:
        await client.watch("slow")
        run = (await client.expect({"type": "state", "phase": "loading"}))["run"]
        write(server, [{**file_list(folder, "trees"), "name": "slow", "deadline": "100ms"}])
        await logged(server, "again: changed slow")
        ended = await client.expect({"type": "state", "last": {"run": run}}, within=8)
        assert ended["last"]["outcome"] == "success", ended
        await client.until(lambda: set(client.model("slow").rows) == {"o"}, what="the new rows never came")
        assert [line.split()[0] for line in folder.lines("slow.log")] == ["begin", "end"]


@test()
async def a_run_of_a_list_that_goes_is_stopped_and_who_waits_hears_of_it():
    folder = folder_with(slow=FRUIT, fruit=FRUIT)
    lists = [file_list(folder), slow_list(folder, seconds=20)]
    async with Server(lists, folder=folder) as server:
        waiting = asyncio.create_task(server.refresh("slow"))
        await eventually(lambda: folder.lines("slow.log"))
        write(server, lists[:1])
        status, answer = await asyncio.wait_for(waiting, 10)
        assert status == 409 and answer["outcome"] == "cancelled", (status, answer)


@test()
async def a_fault_changes_nothing_and_the_log_has_the_words_of_check():
    folder = folder_with(fruit=FRUIT)
    async with Server([file_list(folder)], folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        write(server, "lists:\n  - name: fruit\n    demo: fruits\n")
        await logged(server, r'lists.yaml:3:11: demo: expected .*; did you mean "fruit"\?')
        await logged(server, r"1 fault in \S*lists.yaml\. The running settings stay in effect\.")
        status, answer = await server.refresh("fruit")
        assert status == 200 and answer["outcome"] == "success", answer
        (folder / "lists.yaml").unlink()
        await logged(server, r"Cannot read \S*lists.yaml: no such file or directory\. The running settings stay in effect\.")
        assert (await server.refresh("fruit"))[0] == 200
        write(server, [file_list(folder, title="Back")])
        assert (await client.expect({"type": "settings"}))["title"] == "Back"


@test()
async def a_file_that_is_being_written_waits_until_it_is_closed():
    folder = folder_with(fruit=FRUIT, trees=TREES)
    lists = [file_list(folder), file_list(folder, "trees")]
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("trees")
        await client.settled("trees")
        with open(folder / "lists.yaml", "w") as file:
            # Whole YAML of its own, which would take a list away.
            file.write("lists:\n  - name: fruit\n    demo: fruit\n")
            file.flush()
            await asyncio.sleep(0.3)
            server.process.send_signal(signal.SIGHUP)
            await asyncio.sleep(0.5)
            file.write("  - name: trees\n    demo: fruit\n    title: Woods\n")
        assert (await client.expect({"type": "settings", "list": "trees"}))["title"] == "Woods"
        assert not any(frame["type"] == "unwatched" for frame in client.frames)
        assert "fault" not in server.log, server.log


@test()
async def sighup_reads_the_settings_again():
    folder = folder_with(fruit=FRUIT)
    async with Server([file_list(folder)], folder=folder) as server:
        server.process.send_signal(signal.SIGHUP)
        await logged(server, r"Read \S*lists.yaml again: nothing has changed\.")
        assert await server.stop() == 0


@test()
async def a_server_whose_terminal_is_gone_stops():
    folder = folder_with(fruit=FRUIT)
    (folder / "lists.yaml").write_text(json.dumps({"lists": [file_list(folder)]}))
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(harness.BINARY, ["refreshable", "serve", str(folder / "lists.yaml"), "--port", "0", "--ephemeral"])
    seen = b""
    while b"Kept in memory" not in seen:
        seen += await asyncio.to_thread(os.read, terminal, 4096)
    os.close(terminal)
    status = await asyncio.wait_for(asyncio.to_thread(os.waitpid, pid, 0), 10)
    assert os.waitstatus_to_exitcode(status[1]) == 0, status
    folder.remove()


@test(limit=90, one_node=True)
async def many_reloads_under_load_lose_neither_a_connection_nor_a_row():
    folder = folder_with(fruit=FRUIT, trees=TREES, a=FRUIT, b=TREES)
    dice = random.Random(17)
    always = file_list(folder, every="100ms")
    others = [file_list(folder, name) for name in ("trees", "a", "b")]
    async with Server([always, *others], folder=folder) as server:
        clients = [await Client.connect(server) for _ in range(8)]
        for client in clients:
            await client.watch("fruit")
        before = server.resident()
        stop = asyncio.Event()

        async def person(client, number):
            gesture = 0
            while not stop.is_set():
                gesture += 1
                await client.pull("fruit", gesture)
                await client.ask({"type": "watch", "list": others[number % 3]["name"]})
                folder.write("fruit.tsv", [(str(number), f"{gesture}"), *FRUIT])
                await asyncio.sleep(0.15)

        people = [asyncio.create_task(person(client, number)) for number, client in enumerate(clients[:6])]
        for turn in range(60):
            kept = [other for other in others if dice.random() < 0.6]
            write(server, [{**always, "title": f"Turn {turn}"}, *kept])
            await asyncio.sleep(dice.uniform(0.02, 0.2))
        write(server, [{**always, "title": "The end"}, *others])
        for client in clients:
            await client.until(
                lambda client=client: any(frame.get("title") == "The end" for frame in client.frames),
                within=10, what="the last title never came",
            )  # fmt: skip
        stop.set()
        await asyncio.gather(*people)
        for client in clients:
            client.raise_fault()
            await client.shows_what_the_server_has("fruit", within=10)
        assert "error" not in server.log and "fault" not in server.log, server.log[-2000:]
        assert server.resident() - before < 24 << 20, f"{server.resident() - before} bytes more"
        for client in clients:
            await client.close()


@test()
async def what_came_from_the_environment_reaches_neither_the_log_nor_a_client():
    folder = folder_with(fruit=FRUIT)
    secret = "correct-horse-battery"
    lists = [
        {"name": "a", "command": {"run": "echo bad $KEY >&2; exit 1", "environment": {"KEY": "${A_SECRET}"}}},
        {"name": "b", "web": {"url": "http://127.0.0.1:1/${A_SECRET}?token=${A_SECRET}"}},
        {"name": "c", "command": ["/no/${A_SECRET}"]},
        {"name": "d", "web": {"url": "http://${A_SECRET}.invalid/"}},
    ]
    os.environ["A_SECRET"] = secret
    try:
        async with Server(lists, "--log-level", "trace", folder=folder) as server, Client.open(server) as client:
            for one in lists:
                await client.watch(one["name"])
                await client.until(
                    lambda one=one: (client.model(one["name"]).state or {}).get("last"), what="it never failed"
                )
            write(server, [*lists, {"name": "${A_SECRET}!", "demo": "fruit"}])
            await logged(server, "1 fault in")
            assert secret not in server.log, server.log
            assert "${A_SECRET}" in server.log
            assert secret not in json.dumps(client.frames)
    finally:
        del os.environ["A_SECRET"]
