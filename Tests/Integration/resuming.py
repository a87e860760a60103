"""Coming back: by epoch and revision, by session, over cuts and restarts; and saying everything twice."""

import os
import random

from client import Client
from harness import Folder, Server, eventually, file_list, slow_list, test

FRUIT = [("a", "Apple"), ("b", "Banana"), ("c", "Cherry")]


def fruit():
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    return folder, [file_list(folder)]


def begins(folder):
    return sum(line.startswith("begin") for line in folder.lines("slow.log"))


async def leave(server, name="fruit"):
    """Watches a list until it is complete, and loses the connection: gives the models a page would still have."""
    client = await Client.connect(server)
    await client.watch(name)
    await client.settled(name)
    await client.cut()
    return client.models


async def come_back_over_a_restart(clean):
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        models = await leave(server)
        await server.restart(clean=clean)
        async with Client.open(server, models=models) as client:
            ok = await client.watch("fruit", resume=True)
            assert ok["begin"] == "live", f"nothing changed: {ok}"
            await client.settled("fruit")
        await server.restart(clean=clean)
        folder.write("fruit.tsv", [("n", "Nectarine"), ("c", "Cherry"), ("a", "Apricot")])
        await server.refresh("fruit")
        async with Client.open(server, models=models) as client:
            base = client.model("fruit").revision
            ok = await client.watch("fruit", resume=True)
            assert ok["begin"] == "resume" and ok["revision"] > base, ok
            patch = await client.expect({"type": "patch", "list": "fruit"})
            assert patch["from"] <= base and patch["revision"] == ok["revision"], patch
            assert {row["key"] for row in patch["set"]} <= {"n", "c", "a"} and patch["remove"] == ["b"], patch
            await client.settled("fruit")
            await client.shows_what_the_server_has("fruit")


@test()
async def a_client_resumes_over_a_clean_restart():
    await come_back_over_a_restart(clean=True)


@test()
async def a_client_resumes_over_kill_9():
    await come_back_over_a_restart(clean=False)


@test()
async def a_fold_tells_only_what_changed_since():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        models = await leave(server)
        for number in range(5):
            folder.write("fruit.tsv", [*FRUIT[:2], ("c", f"Cherry {number}"), (f"x{number}", "New")])
            await server.refresh("fruit")
        async with Client.open(server, models=models) as client:
            ok = await client.watch("fruit", resume=True)
            patch = await client.expect({"type": "patch"})
            assert ok["begin"] == "resume" and "run" not in patch, f"a fold has no run: {patch}"
            assert {row["key"] for row in patch["set"]} == {"c", "x4"}, patch
            await client.settled("fruit")
            await client.shows_what_the_server_has("fruit")
            assert len([frame for frame in client.frames if frame["type"] == "patch"]) == 1


@test()
async def a_row_that_moved_alone_comes_without_its_fields():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        client.skip()
        folder.write("fruit.tsv", [FRUIT[2], *FRUIT[:2]])
        await server.refresh("fruit")
        patch = await client.expect({"type": "patch"})
        assert [row["key"] for row in patch["set"]] == ["c"] and "fields" not in patch["set"][0], patch
        await client.settled("fruit")
        await client.shows_what_the_server_has("fruit")
        assert client.model("fruit").state["last"]["changes"]["moved"] == 1


@test()
async def a_connection_cut_in_a_run_resumes_without_a_gap_and_its_indicator_ends():
    folder = Folder()
    folder.write("slow.tsv", FRUIT)
    async with Server([slow_list(folder)], folder=folder) as server:
        client = await Client.connect(server)
        await client.watch("slow")
        await client.settled("slow")
        folder.write("slow.tsv", [("n", "Nectarine"), *FRUIT])
        ok = await client.pull("slow", 1)
        await client.expect({"type": "state", "phase": "loading", "run": ok["run"]})
        await client.cut()
        async with Client.open(server, models=client.models) as back:
            await back.watch("slow", resume=True)
            await back.expect({"type": "state", "phase": "waiting", "last": {"run": ok["run"], "outcome": "success"}})
            await back.shows_what_the_server_has("slow")


@test()
async def a_session_is_taken_up_again_and_its_release_has_the_same_answer():
    folder = Folder()
    folder.write("slow.tsv", FRUIT)
    async with Server([slow_list(folder, seconds=1)], folder=folder) as server:
        client = await Client.connect(server)
        await client.watch("slow")
        await client.settled("slow")
        release = {"type": "release", "list": "slow", "gesture": 1, "offset": 80, "peak": 80}
        first = await client.ask(release)
        await client.cut()
        async with Client.open(server, models=client.models) as back:
            hello = await back.ask({"type": "hello", "session": client.session})
            assert hello["type"] == "ok" and hello["session"] == client.session and hello["resumed"] is True, hello
            await back.watch("slow", resume=True)
            again = await back.ask(release)
            assert (again["run"], again["joined"]) == (first["run"], first["joined"]), f"{first} {again}"
            await back.settled("slow")
            assert back.model("slow").state["last"]["run"] == first["run"], back.model("slow").state
            after = await back.ask(release)
            assert (after["run"], after["joined"]) == (first["run"], first["joined"]), f"{first} {after}"
        assert begins(folder) == 2


@test()
async def a_session_that_nobody_knows_is_not_resumed():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        hello = await client.ask({"type": "hello", "session": "never-seen"})
        assert hello["type"] == "ok" and hello["resumed"] is False and hello["session"], hello


@test()
async def a_hello_said_twice_is_answered_alike():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        first = await Client.connect(server)
        await first.watch("fruit")
        await first.pull("fruit", 1)
        await first.cut()
        async with Client.open(server) as client:
            for _ in range(2):
                hello = await client.ask({"type": "hello", "session": first.session})
                assert (hello["session"], hello["resumed"]) == (first.session, True), hello


@test()
async def a_watch_that_another_overtakes_is_answered_too():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        for id_ in ("one", "two"):
            await client.send({"type": "watch", "list": "fruit", "id": id_})
        await client.send({"type": "unwatch", "list": "fruit", "id": "three"})
        await client.until(
            lambda: {frame.get("id") for frame in client.frames} >= {"one", "two", "three"},
            what="each message has its answer",
        )
        answers = [frame.get("id") for frame in client.frames if frame["type"] in ("ok", "error")]
        assert sorted(answers) == ["one", "three", "two"], answers


@test()
async def every_message_twice_has_the_effect_of_once():
    folder = Folder()
    folder.write("slow.tsv", FRUIT)
    async with Server([slow_list(folder, seconds=0.4)], folder=folder) as server:
        first = await Client.connect(server)
        await first.cut()
        async with Client.open(server) as client:

            async def twice(message):
                return [await client.ask(message), await client.ask(message)]

            one, two = await twice({"type": "hello", "session": first.session})
            assert one["session"] == two["session"], f"{one} {two}"
            one, two = await twice({"type": "watch", "list": "slow"})
            assert one["type"] == two["type"] == "ok", f"{one} {two}"
            await client.settled("slow")
            for _ in range(2):
                await client.send({"type": "pull", "list": "slow", "gesture": 1, "offset": 80})
                await client.expect({"type": "state", "gesture": 1, "phase": "primed"})
            one, two = await twice({"type": "cancel", "list": "slow", "gesture": 1})
            assert one["type"] == two["type"] == "ok", f"{one} {two}"
            folder.write("slow.tsv", FRUIT[1:])
            one, two = await twice({"type": "release", "list": "slow", "gesture": 2, "offset": 80, "peak": 80})
            assert (one["run"], one["joined"]) == (two["run"], two["joined"]), f"{one} {two}"
            await client.until(lambda: client.model("slow").state.get("last", {}).get("run") == one["run"])
            await client.settled("slow")
            one, two = await twice({"type": "refresh", "list": "slow", "key": "only"})
            assert one["run"] == two["run"], f"{one} {two}"
            await eventually(lambda: begins(folder) == 3, what="the refresh began")
            one, two = await twice({"type": "stop", "list": "slow", "run": one["run"]})
            assert one["type"] == two["type"] == "ok", f"{one} {two}"
            await client.settled("slow")
            await client.shows_what_the_server_has("slow")
            one, two = await twice({"type": "unwatch", "list": "slow"})
            assert one["type"] == two["type"] == "ok", f"{one} {two}"
            await twice({"type": "ping"})
            assert begins(folder) == 3, "initial, pull and refresh"


@test()
async def a_patch_applied_twice_or_from_an_older_base_is_harmless():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        for rows in ([FRUIT[2], ("n", "Nectarine")], [("n", "New"), *FRUIT]):
            folder.write("fruit.tsv", rows)
            await server.refresh("fruit")
        await client.shows_what_the_server_has("fruit")
        model = client.model("fruit")
        before = model.ordered()
        for patch in [frame for frame in client.frames if frame["type"] == "patch"]:
            model.apply([patch])
            assert model.ordered() == before, f"a patch had a second effect: {patch}"
        newest = [frame for frame in client.frames if frame["type"] == "patch"][-1]
        model.change([newest])
        assert model.ordered() == before, "values are absolute"


async def change(server, dice):
    """Up to two refreshes, each to rows by chance."""
    for _ in range(dice.randrange(3)):
        keys = dice.sample("abcdefghijklmnop", dice.randrange(10))
        server.folder.write("fruit.tsv", [(key, f"{key} {dice.randrange(3)}") for key in keys])
        await server.refresh("fruit")


@test(limit=120)
async def a_wandering_client_ends_with_the_servers_rows():
    seed = int(os.environ.get("SEED", random.SystemRandom().randrange(2**32)))
    dice = random.Random(seed)
    folder, lists = fruit()
    try:
        async with Server(lists, folder=folder) as server:
            models = await leave(server)
            for _ in range(25):
                if dice.random() < 0.12:
                    await server.restart(clean=dice.random() < 0.5)
                await change(server, dice)
                async with Client.open(server, models=models) as client:
                    await client.watch("fruit", resume=True)
                    await change(server, dice)
                    if dice.random() < 0.5:
                        await client.shows_what_the_server_has("fruit")
                    elif dice.random() < 0.5:
                        await client.cut()
            async with Client.open(server, models=models) as client:
                await client.watch("fruit", resume=True)
                await client.settled("fruit")
                await client.shows_what_the_server_has("fruit")
    except BaseException as fault:
        fault.add_note(f"SEED={seed} replays this")
        raise


@test()
async def stopping_says_goodbye_then_closes():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        status = await server.stop()
        goodbye = await client.expect({"type": "goodbye", "code": 4200, "reconnect": True})
        low, high = goodbye["after"]
        assert 0 <= low < high, f"clients come back spread over time: {goodbye}"
        await eventually(client.reading.done)
        assert client.socket.close_code == 4200, client.socket.close_code
        assert status == 0, f"{status}\n{server.log}"


@test()
async def who_is_ahead_after_a_restart_has_those_who_watch_sent_a_snapshot_of_the_new_epoch():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        models = await leave(server)
        await server.restart(clean=True)
        async with Client.open(server, models=models) as first, Client.open(server) as ahead:
            await first.watch("fruit", resume=True)
            await first.settled("fruit")
            epoch, revision = first.model("fruit").epoch, first.model("fruit").revision
            ok = await ahead.ask({"type": "watch", "list": "fruit", "epoch": epoch, "revision": revision + 5})
            assert ok["begin"] == "snapshot" and ok["epoch"] != epoch, ok
            snapshot = await first.expect({"type": "snapshot", "list": "fruit"})
            assert (snapshot["epoch"], snapshot["revision"]) == (ok["epoch"], ok["revision"]), snapshot
            await first.shows_what_the_server_has("fruit")
