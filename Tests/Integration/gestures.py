"""The gesture as the server judges it: what runs, what does not, and what a finger is told."""

from client import Client
from harness import Folder, Server, slow_list, test

ROWS = [("a", "Apple"), ("b", "Banana")]


def lists(folder, seconds=0.3, **settings):
    folder.write("slow.tsv", ROWS)
    return [slow_list(folder, seconds=seconds, **settings)]


async def sample(client, gesture, *offsets, name="slow"):
    """Sends samples of one finger and gives the private state that answers the last."""
    for offset in offsets:
        await client.send({"type": "pull", "list": name, "gesture": gesture, "offset": offset})
        state = await client.expect({"type": "state", "list": name, "gesture": gesture})
    return state


async def release(client, gesture, offset, name="slow", **more):
    return await client.ask({"type": "release", "list": name, "gesture": gesture, "offset": offset, **more})


def begins(folder):
    return sum(line.startswith("begin") for line in folder.lines("slow.log"))


@test()
async def releasing_short_of_the_threshold_runs_nothing():
    folder = Folder()
    async with Server(lists(folder), folder=folder) as server, Client.open(server) as client:
        await client.watch("slow")
        await client.settled("slow")
        await sample(client, 1, 30, 63)
        ok = await release(client, 1, 63)
        assert (ok["run"], ok["reason"]) == (None, "belowThreshold"), ok
        await client.none({"type": "state", "phase": "loading"}, 0.5)
        assert begins(folder) == 1


@test()
async def dragging_back_unprimes():
    folder = Folder()
    async with Server(lists(folder), folder=folder) as server, Client.open(server) as client:
        await client.watch("slow")
        await client.settled("slow")
        assert (await sample(client, 1, 64))["phase"] == "primed"
        assert (await sample(client, 1, 57))["phase"] == "primed", "hysteresis is 8"
        assert (await sample(client, 1, 56))["phase"] == "waiting"
        ok = await release(client, 1, 50)
        assert (ok["run"], ok["reason"]) == (None, "belowThreshold"), ok


@test()
async def a_release_tells_a_peak_that_no_sample_did():
    folder = Folder()
    async with Server(lists(folder), folder=folder) as server, Client.open(server) as client:
        await client.watch("slow")
        await client.settled("slow")
        ok = await release(client, 1, 60, peak=88)
        assert ok["run"] and ok["joined"] is False, ok


@test()
async def a_cancelled_gesture_runs_nothing_and_is_told_that_it_waits():
    folder = Folder()
    async with Server(lists(folder), folder=folder) as server, Client.open(server) as client:
        await client.watch("slow")
        await client.settled("slow")
        assert (await sample(client, 1, 80))["phase"] == "primed"
        await client.send({"type": "cancel", "list": "slow", "gesture": 1})
        await client.expect({"type": "state", "gesture": 1, "phase": "waiting"})
        await client.none({"type": "state", "phase": "loading"}, 0.5)
        assert begins(folder) == 1


@test()
async def a_pull_while_loading_joins():
    folder = Folder()
    async with Server(lists(folder, 1), folder=folder) as server:
        async with Client.open(server) as one, Client.open(server) as two:
            for client in (one, two):
                await client.watch("slow")
                await client.settled("slow")
            first = await one.pull("slow", 1)
            await two.expect({"type": "state", "phase": "loading", "run": first["run"]})
            short = await release(two, 1, 20)
            assert short["reason"] == "belowThreshold", short
            joined = await release(two, 2, 80, peak=90)
            assert (joined["run"], joined["joined"]) == (first["run"], True), joined


@test()
async def a_finger_down_while_it_loads_is_spent_afterwards():
    folder = Folder()
    async with Server(lists(folder, 0.5), folder=folder) as server, Client.open(server) as client:
        await client.watch("slow")
        await client.settled("slow")
        ok = await client.ask({"type": "refresh", "list": "slow"})
        await client.expect({"type": "state", "phase": "loading", "run": ok["run"]})
        await sample(client, 1, 20)
        await client.expect({"type": "state", "phase": "waiting", "last": {"run": ok["run"]}})
        state = await sample(client, 1, 70)
        assert (state["phase"], state["progress"]) == ("waiting", 0), state
        spent = await release(client, 1, 70, peak=70)
        assert (spent["run"], spent["reason"]) == (None, "spent"), spent
        again = await client.pull("slow", 2)
        assert again["run"], "a new finger pulls again"


@test()
async def crossing_fires_while_the_finger_is_down_and_the_release_gets_that_run():
    folder = Folder()
    settings = lists(folder, pull={"preset": "progress"})
    async with Server(settings, folder=folder) as server, Client.open(server) as client:
        ok = await client.watch("slow")
        assert [ok["pull"][name] for name in ("trigger", "threshold", "minimum", "hold")] == [
            "crossing",
            100,
            10,
            36,
        ], ok
        await client.settled("slow")
        await client.send({"type": "pull", "list": "slow", "gesture": 1, "offset": 100})
        loading = await client.expect({"type": "state", "phase": "loading", "cause": "pull"})
        ok = await release(client, 1, 110, peak=110)
        assert ok["run"] == loading["run"], ok


@test()
async def return_fires_on_the_way_back():
    folder = Folder()
    settings = lists(folder, pull={"preset": "recipe"})
    async with Server(settings, folder=folder) as server, Client.open(server) as client:
        ok = await client.watch("slow")
        assert [ok["pull"][name] for name in ("trigger", "threshold", "hold")] == ["return", 50, 50], ok
        await client.settled("slow")
        assert (await sample(client, 1, 60))["phase"] == "primed"
        await client.send({"type": "pull", "list": "slow", "gesture": 1, "offset": 49})
        await client.expect({"type": "state", "phase": "loading", "cause": "pull"})


@test()
async def distances_and_trigger_can_be_set_for_a_list():
    folder = Folder()
    settings = lists(folder, pull={"preset": "classic", "threshold": 90})
    async with Server(settings, folder=folder) as server, Client.open(server) as client:
        ok = await client.watch("slow")
        assert [ok["pull"][name] for name in ("trigger", "threshold", "hold")] == ["release", 90, 70], ok


@test()
async def private_states_are_private():
    folder = Folder()
    async with Server(lists(folder), folder=folder) as server:
        async with Client.open(server) as one, Client.open(server) as two:
            for client in (one, two):
                await client.watch("slow")
                await client.settled("slow")
            await sample(one, 1, 30, 80, 20)
            await two.none({"type": "state", "gesture": "*"}, 0.3)


@test()
async def a_gesture_may_begin_while_it_closes():
    folder = Folder()
    async with Server(lists(folder), folder=folder) as server, Client.open(server) as client:
        await client.watch("slow")
        await client.settled("slow")
        first = await client.pull("slow", 1)
        await client.expect({"type": "state", "phase": "closing", "run": first["run"]})
        second = await client.pull("slow", 2)
        assert second["run"] not in (None, first["run"]), second
        await client.expect({"type": "state", "phase": "waiting", "last": {"run": second["run"], "outcome": "success"}})
