"""What a refresh is: one run for all, an indicator as long as the work, rows that stream, outcomes, and its end."""

import asyncio
import re
import time

from client import Client
from harness import Folder, Server, eventually, slow_list, test, tsv

ROWS = [("a", "Apple"), ("b", "Banana")]


def slow(seconds=0.7, rows=ROWS, **settings):
    folder = Folder()
    folder.write("slow.tsv", rows)
    return folder, [slow_list(folder, seconds=seconds, **settings)]


def begins(folder):
    return [line for line in folder.lines("slow.log") if line.startswith("begin")]


def ends(folder):
    return [line for line in folder.lines("slow.log") if line.startswith("end")]


@test()
async def two_clients_who_pull_at_once_start_one_run():
    folder, lists = slow()
    async with Server(lists, folder=folder) as server:
        async with Client.open(server) as one, Client.open(server) as two:
            await one.watch("slow")
            await two.watch("slow")
            await one.settled("slow")
            await two.settled("slow")
            first, second = await asyncio.gather(one.pull("slow", 1), two.pull("slow", 1))
            assert first["run"] == second["run"], f"{first} {second}"
            assert sorted([first["joined"], second["joined"]]) == [False, True], f"{first} {second}"
            for client in (one, two):
                await client.expect(
                    {"type": "state", "phase": "closing", "last": {"run": first["run"], "outcome": "success"}}
                )
            assert len(begins(folder)) == 2, "the initial load, and one run"


@test()
async def loading_is_said_before_the_work_begins_and_closing_after_it_ended():
    folder, lists = slow(0.7)
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("slow")
        await client.settled("slow")
        ok = await client.pull("slow", 1)
        loading = await client.expect({"type": "state", "phase": "loading", "run": ok["run"]})
        assert not ends(folder)[1:], "loading came when the work was already over"
        closing = await client.expect({"type": "state", "phase": "closing", "run": ok["run"]})
        now = time.time() * 1000
        began, ended = (int(line.split()[1]) for line in (begins(folder)[-1], ends(folder)[-1]))
        assert loading["startedAt"] <= began, f"loading says {loading['startedAt']}, the command began at {began}"
        assert ended <= now and now - ended < 500, f"closing came {now - ended} ms after the end of the work"
        duration = closing["last"]["duration"]
        assert ended - began <= duration <= ended - began + 300, f"{duration} for {ended - began} ms of work"
        waiting = await client.expect({"type": "state", "phase": "waiting"})
        assert waiting["last"] == closing["last"], waiting


@test()
async def rows_of_a_streaming_list_appear_while_it_loads():
    folder = Folder()
    command = "for k in a b c d; do printf '%s\\tRow %s\\n' $k $k; sleep 0.4; done"
    async with Server([tsv("stream", command, mode="stream")], folder=folder) as server:
        async with Client.open(server) as client:
            await client.watch("stream")
            loading = await client.expect({"type": "state", "phase": "loading"})
            patches = []
            for _ in range(3):
                patches.append(await client.expect({"type": "patch", "run": loading["run"]}))
                assert client.model("stream").state["phase"] == "loading", "rows come while it loads"
            await client.settled("stream")
            assert [key for key, _ in client.model("stream").ordered()] == ["a", "b", "c", "d"]
            await client.shows_what_the_server_has("stream")


@test()
async def a_streaming_list_sweeps_what_was_not_seen_only_on_success():
    folder = Folder()
    folder.write("rows.tsv", [("a", "A"), ("b", "B"), ("c", "C")])
    (folder / "status").write_text("0")
    command = f"cat '{folder / 'rows.tsv'}'; exit $(cat '{folder / 'status'}')"
    async with Server([tsv("stream", command, mode="stream")], folder=folder) as server, Client.open(server) as client:
        await client.watch("stream")
        await client.settled("stream")
        folder.write("rows.tsv", [("d", "D"), ("a", "A")])
        (folder / "status").write_text("3")
        await server.refresh("stream")
        await client.expect({"type": "state", "phase": "waiting", "last": {"outcome": "failure"}})
        assert {"a", "b", "c"} <= {key for key, _ in client.model("stream").ordered()}, "old rows stay after a failure"
        (folder / "status").write_text("0")
        await server.refresh("stream")
        await client.expect({"type": "state", "phase": "waiting", "last": {"outcome": "success"}})
        await client.shows_what_the_server_has("stream")
        assert [key for key, _ in client.model("stream").ordered()] == ["d", "a"], "after success, the order of yields"


@test()
async def a_failure_keeps_the_rows_and_marks_them_stale():
    folder = Folder()
    folder.write("rows.tsv", ROWS)
    (folder / "status").write_text("0")
    command = f"cat '{folder / 'rows.tsv'}'; echo 'disk 7 is on fire' >&2; exit $(cat '{folder / 'status'}')"
    async with Server([tsv("risky", command)], folder=folder) as server, Client.open(server) as client:
        await client.watch("risky")
        await client.settled("risky")
        before = client.model("risky").state
        (folder / "status").write_text("3")
        ok = await client.pull("risky", 1)
        closing = await client.expect(
            {"type": "state", "phase": "closing", "last": {"run": ok["run"], "outcome": "failure"}}
        )
        assert closing["updatedAt"] == before["updatedAt"], "only success moves 'updated'"
        assert closing["staleSince"] >= before["updatedAt"], closing
        message = closing["last"]["error"]["message"]
        assert "disk 7" not in message, f"what a person sees is meant for them: {message}"
        assert len(client.model("risky").ordered()) == 2, "the last good rows stay"
        await eventually(lambda: "disk 7 is on fire" in server.log, what="the end of the error output is in the log")
        (folder / "status").write_text("0")
        await client.settled("risky")
        ok = await client.pull("risky", 2)
        await client.expect({"type": "state", "phase": "waiting", "last": {"run": ok["run"], "outcome": "success"}})
        assert "staleSince" not in client.model("risky").state, client.model("risky").state


@test()
async def a_run_past_its_deadline_is_timed_out_and_says_how_to_allow_more():
    folder, lists = slow(60, deadline="1s")
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("slow")
        started = time.monotonic()
        closing = await client.expect({"type": "state", "phase": "closing", "last": {"outcome": "timeout"}}, within=8)
        assert 0.8 < time.monotonic() - started < 4, f"{time.monotonic() - started:.1f} s"
        assert "deadline" in closing["last"]["error"]["message"], closing["last"]
        await client.settled("slow")
        folder.write("slow.tsv", [("late", "Too late")])
        assert client.model("slow").ordered() == []
        ok = await client.pull("slow", 1)
        assert ok["run"], "the list is not stuck"


@test()
async def stop_ends_the_run_of_its_only_requester():
    folder, lists = slow(0.3)
    async with Server(lists, folder=folder) as server:
        async with Client.open(server) as client, Client.open(server) as watcher:
            await client.watch("slow")
            await client.settled("slow")
            await watcher.watch("slow")
            (folder / "slow.delay").write_text("20")
            ok = await client.pull("slow", 1)
            await watcher.expect({"type": "state", "phase": "loading", "run": ok["run"]})
            answer = await client.ask({"type": "stop", "list": "slow", "run": ok["run"]})
            assert answer["type"] == "ok", answer
            for one in (client, watcher):
                await one.expect(
                    {"type": "state", "phase": "closing", "last": {"run": ok["run"], "outcome": "cancelled"}}
                )
            assert len(client.model("slow").ordered()) == 2, "cancelled keeps the rows"
            again = await client.ask({"type": "stop", "list": "slow", "run": ok["run"]})
            assert again["type"] == "ok", "stopping what has ended changes nothing"


@test()
async def a_run_goes_on_while_another_requester_remains():
    folder, lists = slow(2)
    async with Server(lists, folder=folder) as server:
        async with Client.open(server) as one, Client.open(server) as two:
            await one.watch("slow")
            await two.watch("slow")
            await one.settled("slow")
            await two.settled("slow")
            first = await one.pull("slow", 1)
            second = await two.pull("slow", 1)
            assert first["run"] == second["run"]
            await one.ask({"type": "stop", "list": "slow", "run": first["run"]})
            await two.expect({"type": "state", "phase": "closing", "last": {"run": first["run"], "outcome": "success"}})


@test()
async def a_close_frame_withdraws_its_requester():
    folder, lists = slow(0)
    async with Server(lists, folder=folder) as server:
        async with Client.open(server) as watcher:
            await watcher.watch("slow")
            await watcher.settled("slow")
            (folder / "slow.delay").write_text("20")
            requester = await Client.connect(server)
            await requester.watch("slow")
            await requester.settled("slow")
            ok = await requester.pull("slow", 1)
            await watcher.expect({"type": "state", "phase": "loading", "run": ok["run"]})
            await requester.close()
            await watcher.expect(
                {"type": "state", "phase": "closing", "last": {"run": ok["run"], "outcome": "cancelled"}}
            )


@test()
async def a_lost_connection_does_not_withdraw_its_requester():
    folder, lists = slow(2)
    async with Server(lists, folder=folder) as server:
        async with Client.open(server) as watcher:
            await watcher.watch("slow")
            await watcher.settled("slow")
            requester = await Client.connect(server)
            await requester.watch("slow")
            await requester.settled("slow")
            ok = await requester.pull("slow", 1)
            await watcher.expect({"type": "state", "phase": "loading", "run": ok["run"]})
            await requester.cut()
            await watcher.expect(
                {"type": "state", "phase": "closing", "last": {"run": ok["run"], "outcome": "success"}}
            )


@test(limit=45)
async def an_initial_load_that_nobody_watches_is_cancelled_after_10_s():
    folder, lists = slow(25)
    async with Server(lists, folder=folder) as server:
        client = await Client.connect(server)
        await client.watch("slow")
        loading = await client.expect({"type": "state", "phase": "loading", "cause": "initial"})
        await client.close()
        left = time.monotonic()
        await asyncio.sleep(4)
        async with Client.open(server) as back:
            await back.watch("slow")
            state = await back.expect({"type": "state", "phase": "loading"})
            assert state["run"] == loading["run"], "whoever comes back in time finds the run going on"
        left = time.monotonic()
        await eventually(lambda: time.monotonic() - left > 8.5, seconds=10)
        assert (await summary(server))["name"] == "slow"
        await asyncio.sleep(3.5)
        async with Client.open(server) as late:
            await late.watch("slow")
            last = await late.expect({"type": "state", "last": {"run": loading["run"]}})
            assert last["last"]["outcome"] == "cancelled", last
            assert not ends(folder), "the command was ended, too"


async def summary(server):
    return (await server.json("/lists"))["lists"][0]


@test()
async def a_list_with_every_is_refreshed_while_somebody_watches_and_rests_otherwise():
    folder, lists = slow(0, every="1s")
    async with Server(lists, folder=folder) as server:
        async with Client.open(server) as client:
            await client.watch("slow")
            await client.expect({"type": "state", "phase": "loading", "cause": "timer"}, within=6)
            await client.expect({"type": "state", "phase": "loading", "cause": "timer"}, within=6)
        await asyncio.sleep(1.5)
        count = len(begins(folder))
        await asyncio.sleep(2.5)
        assert len(begins(folder)) == count, "it does not rest"


@test()
async def run_numbers_never_repeat():
    folder, lists = slow(0)
    async with Server(lists, folder=folder) as server:
        seen = []
        for restart in range(3):
            for _ in range(3):
                _, answer = await server.refresh("slow")
                seen.append(answer["run"])
            if restart < 2:
                await server.restart(clean=restart == 0)
        assert len(set(seen)) == len(seen), seen
        assert all(re.fullmatch(r"\S+", run) for run in seen), seen
