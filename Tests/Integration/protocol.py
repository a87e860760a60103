"""The document's messages, one after another, with every field of every frame checked (in frames.py)."""

import time

from client import Client
from harness import Folder, Server, file_list, slow_list, test

FRUIT = [("a", "Apple"), ("b", "Banana"), ("c", "Cherry")]


def fruit(**settings):
    """A folder with three rows, and the list that shows them."""
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    return folder, [file_list(folder, **settings)]


@test()
async def a_connection_is_welcomed_with_the_limits():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        welcome = client.welcome
        assert welcome["heartbeat"] == 25000, welcome
        assert abs(welcome["now"] - time.time() * 1000) < 5000, "its clock is milliseconds since 1970"
        limits = welcome["limits"]
        for value in (16384, 65536, 128, 256, 60, 20, 40):
            assert value in limits.values(), f"{value} is not among the limits {limits}"


@test()
async def a_subprotocol_is_v1_or_absent():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        async with Client.open(server, subprotocols=None) as client:
            assert client.socket.subprotocol is None
        async with Client.open(server, subprotocols=["other", "refreshable.v1"]) as client:
            assert client.socket.subprotocol == "refreshable.v1"


@test()
async def a_watch_is_answered_by_ok_then_rows_then_state():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        ok = await client.watch("fruit")
        assert (ok["begin"], ok["list"], ok["title"], ok["refreshable"]) == ("snapshot", "fruit", "Fruit", True), ok
        pull = ok["pull"]
        distances = [pull[member] for member in ("trigger", "threshold", "minimum", "hold", "hysteresis")]
        assert distances == ["release", 64, 10, 56, 8], pull
        snapshot = await client.next({"type": "snapshot", "list": "fruit", "revision": ok["revision"], "last": True})
        assert len(snapshot["rows"]) == ok["count"], "count is that of the rows which follow"
        await client.settled("fruit")
        assert client.model("fruit").ordered() == [(key, {"title": title}) for key, title in FRUIT]


@test()
async def the_first_watcher_starts_the_initial_load_and_a_second_does_not():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        async with Client.open(server) as client, Client.open(server) as other:
            await client.watch("fruit")
            await client.expect({"type": "state", "phase": "loading", "cause": "initial"})
            await client.settled("fruit")
            ok = await other.watch("fruit")
            assert (ok["begin"], ok["count"]) == ("snapshot", 3), ok
            await other.settled("fruit")
            assert folder.lines("fruit.log") == ["run"], folder.lines("fruit.log")
            assert other.model("fruit").ordered() == client.model("fruit").ordered()


@test()
async def a_watch_without_id_is_answered_by_an_ok_without_one():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.send({"type": "watch", "list": "fruit"})
        ok = await client.next({"type": "ok", "list": "fruit", "begin": "snapshot"})
        assert "id" not in ok, ok


@test()
async def a_watch_where_the_client_is_goes_on_live():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        ok = await client.watch("fruit", resume=True)
        assert ok["begin"] == "live" and ok["revision"] == client.model("fruit").revision, ok
        await client.expect({"type": "state", "list": "fruit", "phase": "waiting"})


@test()
async def a_watch_in_another_epoch_or_of_a_future_gets_a_snapshot():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        async with Client.open(server) as client:
            await client.watch("fruit")
            await client.settled("fruit")
            epoch, revision = client.model("fruit").epoch, client.model("fruit").revision
        for claim in ({"epoch": "zzzz", "revision": revision}, {"epoch": epoch, "revision": revision + 100}):
            async with Client.open(server) as client:
                ok = await client.ask({"type": "watch", "list": "fruit", **claim})
                assert ok["begin"] == "snapshot", f"{claim}: {ok}"
                await client.settled("fruit")
                await client.shows_what_the_server_has("fruit")


@test()
async def unwatching_ends_the_frames_of_a_list():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        ok = await client.ask({"type": "unwatch", "list": "fruit"})
        assert ok["type"] == "ok", ok
        folder.write("fruit.tsv", FRUIT[:1])
        await server.refresh("fruit")
        await client.none({"list": "fruit"}, 0.5)


@test()
async def a_pull_is_answered_by_its_private_state():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        for offset, phase, progress in (
            (61.5, "waiting", 51.5 / 54),
            (5, "waiting", 0),
            (64, "primed", 1),
            (90, "primed", 1),
        ):
            await client.send({"type": "pull", "list": "fruit", "gesture": 1, "offset": offset})
            state = await client.expect({"type": "state", "list": "fruit", "gesture": 1})
            assert state["phase"] == phase and abs(state["progress"] - progress) < 1e-6, f"at {offset}: {state}"


@test()
async def a_release_is_answered_before_the_frames_it_causes():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        folder.write("fruit.tsv", [("n", "Nectarine"), *FRUIT[:2]])
        start = len(client.frames)
        ok = await client.pull("fruit", 1)
        assert ok["joined"] is False and ok["list"] == "fruit", ok
        run = ok["run"]
        await client.expect({"type": "state", "phase": "closing", "run": run})
        await client.expect({"type": "state", "phase": "waiting", "last": {"run": run, "outcome": "success"}})
        order = [
            frame["type"] if frame["type"] != "state" else frame["phase"]
            for frame in client.frames[start:]
            if "gesture" not in frame
        ]
        assert order == ["ok", "loading", "patch", "closing", "waiting"], order
        last = client.model("fruit").state["last"]
        assert last["changes"] == {"inserted": 1, "changed": 0, "moved": 0, "removed": 1}, last
        patch = next(frame for frame in client.frames[start:] if frame["type"] == "patch")
        assert patch["run"] == run and [row["key"] for row in patch["set"]] == ["n"] and patch["remove"] == ["c"], patch
        await client.shows_what_the_server_has("fruit")


@test()
async def loading_tells_run_cause_and_start_and_waiting_tells_when_it_was_updated():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        before = client.model("fruit").state
        assert abs(before["updatedAt"] - time.time() * 1000) < 10_000, before
        ok = await client.pull("fruit", 1)
        loading = await client.expect({"type": "state", "phase": "loading", "run": ok["run"], "cause": "pull"})
        assert loading["updatedAt"] == before["updatedAt"] and loading["last"] == before["last"], loading
        await client.settled("fruit")
        after = client.model("fruit").state
        assert after["updatedAt"] >= loading["startedAt"] and after["last"]["run"] == ok["run"], after
        assert "staleSince" not in after, after


@test()
async def a_refresh_needs_no_gesture():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        ok = await client.ask({"type": "refresh", "list": "fruit"})
        assert ok["joined"] is False, ok
        await client.expect({"type": "state", "phase": "loading", "run": ok["run"], "cause": "refresh"})
        await client.expect({"type": "state", "phase": "waiting", "last": {"run": ok["run"]}})
        assert client.model("fruit").state["last"]["changes"] == {"inserted": 0, "changed": 0, "moved": 0, "removed": 0}


@test()
async def a_refresh_with_a_key_runs_once():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        first = await client.ask({"type": "refresh", "list": "fruit", "key": "k1"})
        await client.expect({"type": "state", "phase": "waiting", "last": {"run": first["run"]}})
        again = await client.ask({"type": "refresh", "list": "fruit", "key": "k1"})
        assert again["run"] == first["run"], f"{first} {again}"
        other = await client.ask({"type": "refresh", "list": "fruit", "key": "k2"})
        assert other["run"] != first["run"], f"{first} {other}"
        await client.expect({"type": "state", "phase": "waiting", "last": {"run": other["run"]}})
        assert len(folder.lines("fruit.log")) == 3, folder.lines("fruit.log")


@test()
async def fresh_after_starts_one_trailing_run_and_answers_at_once():
    folder = Folder()
    folder.write("slow.tsv", FRUIT)
    async with Server([slow_list(folder)], folder=folder) as server, Client.open(server) as client:
        await client.watch("slow")
        await client.settled("slow")
        first = await client.ask({"type": "refresh", "list": "slow"})
        joined = await client.ask({"type": "refresh", "list": "slow", "fresh": "join"})
        assert joined["run"] == first["run"] and joined["joined"] is True, joined
        trailing = await client.ask({"type": "refresh", "list": "slow", "fresh": "after"}, within=0.5)
        also = await client.ask({"type": "refresh", "list": "slow", "fresh": "after"}, within=0.5)
        assert trailing["run"] == also["run"] != first["run"], f"{first} {trailing} {also}"
        await client.expect({"type": "state", "phase": "waiting", "last": {"run": trailing["run"]}})
        assert sum(line.startswith("begin") for line in folder.lines("slow.log")) == 3


@test()
async def ping_is_answered():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        assert await client.ask({"type": "ping"}) == {"type": "ok", "id": "a1"}


@test()
async def unknown_fields_are_ignored_and_unknown_types_are_not():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        ok = await client.ask({"type": "ping", "future": {"deep": [1, 2, {"x": None}]}})
        assert ok["type"] == "ok", ok
        error = await client.ask({"type": "fly"})
        assert error["type"] == "error" and error["code"] in ("badType", "badField"), error
        assert (await client.ask({"type": "ping"}))["type"] == "ok", "the connection stays"


@test()
async def every_id_is_answered_exactly_once():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        messages = [
            {"type": "pull", "list": "fruit", "gesture": 1, "offset": 20},
            {"type": "cancel", "list": "fruit", "gesture": 1},
            {"type": "release", "list": "fruit", "gesture": 2, "offset": 1},
            {"type": "refresh", "list": "fruit"},
            {"type": "stop", "list": "fruit", "run": "r999999"},
            {"type": "watch", "list": "nowhere"},
            {"type": "hello", "session": "nobody"},
            {"type": "unwatch", "list": "fruit"},
        ]
        for number, message in enumerate(messages):
            await client.send({**message, "id": f"once{number}"})
        await client.ask({"type": "ping"})
        await client.none({"type": "goodbye"}, 0.3)
        for number, message in enumerate(messages):
            answers = [frame for frame in client.frames if frame.get("id") == f"once{number}"]
            assert len(answers) == 1, f"{message} was answered by {answers}"


@test()
async def no_message_of_a_client_changes_a_row():
    folder, lists = fruit()
    mine = {"rows": [{"key": "mine"}], "set": [{"key": "mine", "fields": {}}], "remove": ["a"]}
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        before = await server.json("/lists/fruit")
        for message in [
            {"type": "pull", "gesture": 1, "offset": 70},
            {"type": "release", "gesture": 1, "offset": 70},
            {"type": "cancel", "gesture": 1},
            {"type": "refresh"},
            {"type": "stop", "run": "r1"},
            {"type": "digest"},
            {"type": "more", "after": "c"},
            {"type": "hello", "session": "nobody"},
            {"type": "set"},
            {"type": "patch", "from": before["revision"], "revision": before["revision"] + 1},
            {"type": "snapshot", "revision": before["revision"], "last": True},
        ]:
            await client.ask({"list": "fruit", **message, **mine})
        await client.settled("fruit")
        after = await server.json("/lists/fruit")
        assert (after["revision"], after["rows"]) == (before["revision"], before["rows"])


@test()
async def large_lists_come_in_parts_below_the_limit():
    folder = Folder()
    rows = [(f"key-{number:05}", "x" * 200) for number in range(2000)]
    folder.write("fruit.tsv", rows)
    async with Server([file_list(folder)], folder=folder) as server:
        async with Client.open(server) as client, Client.open(server) as late:
            await client.watch("fruit")
            await client.settled("fruit")
            ok = await late.watch("fruit")
            await late.settled("fruit")
            parts = [frame for frame in late.frames if frame["type"] == "snapshot"]
            assert ok["count"] == 2000 and len(parts) > 1, f"{ok['count']} rows in {len(parts)} parts"
            assert [part["last"] for part in parts] == [False] * (len(parts) - 1) + [True]
            assert late.model("fruit").ordered() == [(key, {"title": title}) for key, title in rows]
            assert client.model("fruit").ordered() == late.model("fruit").ordered()


@test()
async def frames_are_never_larger_than_64_KiB():
    folder = Folder()
    folder.write("fruit.tsv", [(f"key-{number:05}", "ä" * 300) for number in range(1000)])
    async with Server([file_list(folder)], folder=folder) as server:
        async with Client.open(server, max_size=65536) as client:
            await client.watch("fruit")
            await client.settled("fruit")
            await client.shows_what_the_server_has("fruit")
