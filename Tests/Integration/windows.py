"""Who looks at a part of a long list: what they are sent of it, and what of all that happens elsewhere."""

import asyncio
import random

from client import Client
from harness import Folder, Server, file_list, slow_list, test
from pushing import BOARD, patch, row


def log(count=1000):
    folder = Folder()
    folder.write("log.tsv", [(f"k{number}", f"Row {number}") for number in range(count)])
    return folder, [file_list(folder, "log", push=True)]


def keys(client, name="log"):
    return [key for key, _ in client.model(name).ordered()]


async def begin(client, **window):
    """Looks at a window of the log, once that is loaded."""
    ok = await client.watch("log", window=window)
    # Another server may load it, and begin a moment later. A busy machine takes seconds for thousands of rows.
    await client.until(lambda: client.model("log").rows, within=30, what="nothing was loaded")
    await client.settled("log")
    return ok


@test()
async def a_window_is_sent_alone_and_says_where_it_lies():
    folder, lists = log()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await begin(client, first=0, count=3)
        for window, first, ends in [
            ({"first": 0, "count": 3}, 0, ("k0", "k2")), ({"first": 500, "count": 20}, 500, ("k500", "k519")),
            ({"last": 5}, 995, ("k995", "k999")), ({"around": "k500", "before": 1, "after": 2}, 499, ("k499", "k502")),
            ({"first": 998, "count": 10}, 998, ("k998", "k999")), ({"first": 5000, "count": 10}, 1000, None),
            ({"around": "nobody", "before": 1, "after": 1, "index": 7}, 6, ("k6", "k8")),
        ]:  # fmt: skip
            ok = await client.watch("log", window=window)
            await client.settled("log")
            shown = keys(client)
            assert (ok["begin"], ok["first"], ok["total"], ok["count"]) == ("snapshot", first, 1000, len(shown)), ok
            assert ends == ((shown[0], shown[-1]) if shown else None), (window, shown)
            await client.shows_what_is_in_its_window("log")


@test(limit=90, one_node=True)
async def the_first_rows_of_a_long_list_are_shown_before_the_others_are_read():
    folder, lists = log(20_000)
    async with Server(lists, folder=folder) as server:
        async with Client.open(server) as client:
            await begin(client, first=0, count=60)
        for clean in True, False:
            await server.restart(clean=clean)
            async with Client.open(server) as client:
                ok = await client.watch("log", window={"first": 0, "count": 60})
                assert (ok["total"], ok["count"], ok.get("searching")) == (20_000, 60, True), ok
                await client.look("log", first=100, count=60)
                await client.settled("log")
                assert (await client.ask({"type": "digest", "list": "log"}, within=30))["crc32"] == client.model("log").digest()
                await client.shows_what_is_in_its_window("log")
                assert keys(client)[0] == "k100"
                snapshots = [frame.get("searching", False) for frame in client.frames if frame["type"] == "snapshot"]
                # The look may have come when all were read.
                assert snapshots in ([True, True, False], [True, False, False], [True, False]), snapshots


@test(limit=60, one_node=True)
async def what_was_changed_at_the_top_of_a_long_list_is_there_at_once_after_a_kill():
    dice = random.Random(seed := random.randrange(2**32))
    print(f"    seed {seed}")
    async with Server([BOARD]) as server:
        for part in range(3):
            await patch(server, {"set": [row(f"k{number}") for number in range(part * 5000, part * 5000 + 5000)]}, name="board")
        shown = [one["key"] for one in (await server.json("/lists/board?first=0&count=200"))["rows"]]
        for turn in range(8):
            for _ in range(dice.randrange(1, 8)):
                change = dice.choice(["new", "remove", "away", "up"])
                key = f"n{turn}-{dice.randrange(10**9)}" if change == "new" else dice.choice(shown[:60])
                if change in ("new", "up"):
                    await patch(server, {"set": [{**row(key), "at": "top"}]}, name="board")
                else:
                    await patch(server, {"remove": [key]} if change == "remove" else {"set": [{"key": key, "at": "end"}]}, name="board")
                shown = [one for one in shown if one != key]
                shown = [key, *shown] if change in ("new", "up") else shown
            await server.restart(clean=False)
            async with Client.open(server) as client:
                ok = await client.watch("board", window={"first": 0, "count": 60})
                await client.until(lambda client=client: client.model("board").rows, what="nothing was shown")
                assert ok.get("searching") and keys(client, "board") == shown[:60], (ok, keys(client, "board"), shown)
                await client.ask({"type": "digest", "list": "board"})
                await client.shows_what_is_in_its_window("board")
                shown = [one["key"] for one in (await server.json("/lists/board?first=0&count=200"))["rows"]]


@test()
async def a_look_is_answered_with_the_rows_that_are_missing():
    folder, lists = log()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await begin(client, first=0, count=60)
        ok = await client.look("log", first=40, count=60)
        assert set(ok) == {"type", "id", "list", "epoch", "revision", "count", "first", "total"}, ok
        rows = [frame for frame in client.frames if frame["type"] == "snapshot"][-1]["rows"]
        assert ["fields" in one for one in rows] == [False] * 20 + [True] * 40
        await client.shows_what_is_in_its_window("log")
        # Who watched all of it has all of it.
        await client.watch("log")
        await client.settled("log")
        await client.look("log", last=60)
        assert not any("fields" in one for one in client.frames[-1]["rows"]), client.frames[-1]
        await client.shows_what_is_in_its_window("log")


@test()
async def what_happens_elsewhere_moves_nothing_that_is_looked_at():
    folder, lists = log()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await begin(client, first=500, count=10)
        shown = keys(client)
        client.skip()
        await patch(server, {"set": [row("above")], "remove": ["k3", "k700"]}, name="log")
        frame = await client.expect({"type": "patch"})
        assert (frame["set"], frame["remove"], frame["count"], frame["first"], frame["total"]) == ([], [], 10, 500, 999), frame
        await patch(server, {"set": [row("k800")]}, name="log")
        await patch(server, {"set": [row("within", after="k504"), row("k505"), {"key": "k506", "at": "end"}]}, name="log")
        frame = await client.expect({"type": "patch"})
        assert frame["remove"] == ["k506"] and [one["key"] for one in frame["set"]] == ["within", "k505"], frame
        assert keys(client) == [*shown[:5], "within", *shown[5:6], *shown[7:]]
        await client.shows_what_is_in_its_window("log")


@test()
async def a_window_at_an_end_stays_there():
    folder, lists = log()
    async with Server(lists, folder=folder) as server, Client.open(server) as top, Client.open(server) as end:
        await begin(top, first=0, count=3)
        await begin(end, last=3)
        await patch(server, {"set": [row("x", at="top"), row("y", at="end")]}, name="log")
        for client, shown in ((top, ["x", "k0", "k1"]), (end, ["k998", "k999", "y"])):
            await client.until(lambda client=client, shown=shown: keys(client) == shown)
            await client.shows_what_is_in_its_window("log")


@test()
async def a_row_that_is_not_there_is_an_error_and_changes_nothing():
    folder, lists = log()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        error = await client.ask({"type": "look", "list": "log", "window": {"last": 3}})
        assert error["code"] == "notWatching", error
        window = {"around": "nobody", "before": 1, "after": 1}
        error = await client.ask({"type": "watch", "list": "log", "window": window})
        assert (error["code"], error["retry"]) == ("unknownRow", "now") and "index" in error["message"], error
        await begin(client, first=10, count=10)
        shown = keys(client)
        assert (await client.ask({"type": "look", "list": "log", "window": window}))["code"] == "unknownRow"
        assert keys(client) == shown
        await patch(server, {"set": [row("k12")]}, name="log")
        await client.until(lambda: dict(client.model("log").ordered())["k12"]["title"] == "K12")
        await client.shows_what_is_in_its_window("log")


@test()
async def who_comes_back_is_sent_the_fields_that_are_newer():
    folder, lists = log()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await begin(client, first=0, count=60)
        models = client.models
        await client.cut()
        await patch(server, {"set": [row("k7"), row("x", at="top")], "remove": ["k9"]}, name="log")
        await server.kill()
        await server.start()
        again = await Client.connect(server, models)
        await again.watch("log", resume=True, window={"first": 0, "count": 60})
        await again.settled("log")
        rows = next(frame for frame in again.frames if frame["type"] == "snapshot")["rows"]
        assert [one["key"] for one in rows if "fields" in one] == ["x", "k7"], rows
        await again.shows_what_is_in_its_window("log")
        await again.close()


@test()
async def a_list_that_is_not_long_is_sent_whole_to_who_wants_that():
    folder, lists = log(100)
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        ok = await begin(client, first=0, count=60, allUpTo=2000)
        assert ok["first"] == 0, f"nobody knows how long it will be: {ok}"
        ok = await begin(client, first=0, count=60, allUpTo=99)
        assert (ok["first"], ok["total"], ok["count"]) == (0, 100, 60), ok
        ok = await begin(client, first=0, count=60, allUpTo=100)
        assert "first" not in ok and "total" not in ok and ok["count"] == 100, ok
        await client.shows_what_the_server_has("log")
        # It goes on where they were, as for who asks for no window.
        await client.cut()
        await patch(server, {"set": [row("k7")]}, name="log")
        async with Client.open(server) as other:
            other.models.update(client.models)
            ok = await other.watch("log", resume=True, window={"first": 0, "count": 60, "allUpTo": 2000})
            assert ok["begin"] == "resume", ok
            await other.settled("log")
            await other.shows_what_the_server_has("log")
            ok = await begin(other, find="row 9", first=0, count=60, allUpTo=2000)
            assert (ok["count"], ok["total"]) == (19, 19), ok


@test()
async def a_digest_is_of_the_window():
    folder, lists = log()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await begin(client, first=100, count=30)
        model = client.model("log")
        for number in range(5):
            await patch(server, {"set": [row(f"k{105 + number}"), row(f"above {number}")]}, name="log")
            await client.look("log", first=100 + 7 * number, count=30)
            ok = await client.ask({"type": "digest", "list": "log"})
            while model.is_right() is None:
                # What another server has committed meanwhile.
                ok = await client.ask({"type": "digest", "list": "log"})
            assert (ok["first"], ok["total"]) == model.place and model.is_right(), (ok, model.place, model.digest())


@test()
async def those_who_look_at_the_same_are_told_the_same():
    folder, lists = log()
    async with Server(lists, "--loops", "2", folder=folder) as server:
        clients = [await Client.connect(server) for _ in range(6)]
        for client in clients:
            await begin(client, first=200, count=20)
        for number in range(20):
            await patch(server, {"set": [row(f"k{200 + number}"), row(f"new {number}", at=["top", "end"][number % 2])]}, name="log")
        for client in clients:
            await client.until(lambda client=client: client.model("log").place == (210, 1020))
            await client.shows_what_is_in_its_window("log")
            await client.close()
            client.raise_fault()


@test()
async def a_run_is_told_and_streams_into_a_window():
    folder = Folder()
    folder.write("reel.tsv", [(f"k{number}", f"Row {number}") for number in range(5)])
    async with Server([slow_list(folder, "reel", mode="stream")], folder=folder) as server, Client.open(server) as client:
        ok = await client.watch("reel", window={"first": 0, "count": 2})
        assert ok["refreshable"] is True and ok["title"] == "Reel", ok
        await client.settled("reel")
        assert (await client.pull("reel", 1))["joined"] is False
        # Amid a gesture and a run, too, one looks elsewhere.
        await client.expect({"type": "state", "phase": "loading"})
        await client.look("reel", last=1)
        await client.look("reel", first=1, count=2)
        await client.settled("reel")
        assert client.model("reel").state["last"]["outcome"] == "success", client.model("reel").state
        await client.shows_what_is_in_its_window("reel")


@test()
async def many_looks_at_once_end_at_the_last_of_them():
    folder, lists = log()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await begin(client, first=0, count=20)
        for number in range(12):
            key = "nobody" if number % 4 == 3 else f"k{50 * number}"
            await client.send({"type": "look", "id": f"l{number}", "list": "log", "window": {"around": key, "before": 0, "after": 9}})
        for number in range(12):
            frame = await client.expect({"id": f"l{number}"})
            assert frame["type"] == ("error" if number % 4 == 3 else "ok"), frame
        await client.ask({"type": "ping"})
        await client.until(lambda: keys(client)[:1] == ["k500"])
        await patch(server, {"set": [row("k503")]}, name="log")
        await client.until(lambda: dict(client.model("log").ordered())["k503"]["title"] == "K503")
        await client.shows_what_is_in_its_window("log")


@test()
async def a_digest_is_of_what_the_last_answer_leads_to_amid_changes():
    folder, lists = log()
    places = [{"first": 0, "count": 20}, {"first": 500, "count": 20}]
    async with Server(lists, "--loops", "1", folder=folder) as server:
        # Who is told of each change there, by the loop that answers.
        others = [await Client.connect(server) for _ in places * 5]
        for number, other in enumerate(others):
            await begin(other, **places[number % 2])
        async with Client.open(server) as client:
            await begin(client, **places[0])

            async def change():
                number = 0
                while not is_over.is_set():
                    number += 1
                    await patch(server, {"set": [row(f"k{5 + number % 10}"), row(f"k{505 + number % 10}")]}, name="log")

            is_over, asked = asyncio.Event(), []
            changing = asyncio.create_task(change())
            for _ in range(12):
                # As many as a connection may send at once, and as often.
                for number in range(6):
                    look, digest = f"look {len(asked)}", f"digest {len(asked)}"
                    asked += [look, digest]
                    await client.send({"type": "look", "id": look, "list": "log", "window": places[number % 2]})
                    await client.send({"type": "digest", "id": digest, "list": "log"})
                await client.expect({"id": asked[-1]})
                await asyncio.sleep(0.6)
            is_over.set()
            await changing
            looked = 0
            for frame in client.frames:
                if frame.get("id") in asked:
                    looked = frame["first"] if frame["id"].startswith("look") else looked
                    assert frame["first"] == looked, f"looking at {looked}, this came: {frame}"
        for other in others:
            await other.close()


@test()
async def random_windows_show_what_the_list_has_there():
    dice = random.Random(seed := random.randrange(1 << 32))
    print(f"    seed {seed}")
    async with Server([BOARD]) as server, Client.open(server) as client:
        await client.watch("board", window={"first": 0, "count": 5})
        await client.settled("board")
        for _ in range(40):
            there = keys(client, "board")
            deed = dice.random()
            if deed < 0.6:
                places = [{"at": "top"}, {"at": "end"}, {}] + ([{"after": dice.choice(there)}] if there else [])
                sets = {f"r{dice.randrange(40)}": dice.choice(places) for _ in range(3)}
                gone = {f"r{dice.randrange(40)}" for _ in range(2)} - set(sets)
                await patch(server, {"set": [row(key, **place) for key, place in sets.items()], "remove": sorted(gone)})
            elif deed < 0.7 or not there:
                await client.look("board", last=dice.randrange(1, 8))
            elif deed < 0.8:
                await client.look("board", first=dice.randrange(30), count=dice.randrange(1, 8))
            else:
                await client.look("board", around=dice.choice(there), before=dice.randrange(5), after=dice.randrange(5), index=3)
            await client.shows_what_is_in_its_window("board")
        await asyncio.sleep(0)
