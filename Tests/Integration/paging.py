"""A list that comes a page at a time: older mail in the demo mailbox."""

from client import Client
from harness import Server, test

LISTS = [{"name": "mailbox", "demo": "mailbox"}]
FIRST = ["4", "3", "2", "1"]
OLDER = [str(number) for number in range(0, -16, -1)]


def keys(client):
    return [key for key, _ in client.model("mailbox").ordered()]


async def loaded(client):
    """Watches, and waits until the first page is there and the list waits."""
    await client.watch("mailbox")
    await client.expect({"type": "state", "phase": "waiting", "last": {"outcome": "success"}}, within=10)


async def more(client, after):
    return await client.ask({"type": "more", "list": "mailbox", "after": after})


@test()
async def a_page_follows_the_last_row_and_is_a_run_of_the_cause_more():
    async with Server(LISTS) as server, Client.open(server) as client:
        await loaded(client)
        before = client.model("mailbox").state
        assert before["more"] is True, before
        ok = await more(client, "1")
        assert ok["joined"] is False, ok
        await client.expect({"type": "state", "phase": "loading", "run": ok["run"], "cause": "more"})
        await client.expect({"type": "patch", "run": ok["run"]})
        closing = await client.expect({"type": "state", "phase": "closing", "run": ok["run"]})
        assert closing["last"]["cause"] == "more" and closing["last"]["outcome"] == "success", closing
        assert closing["updatedAt"] == before["updatedAt"], "a page is no refresh"
        assert keys(client) == FIRST + OLDER[:4]
        await client.shows_what_the_server_has("mailbox")


@test()
async def a_page_is_loaded_once_for_all_who_ask_and_once_when_asked_twice():
    async with Server(LISTS) as server, Client.open(server) as one, Client.open(server) as two:
        await loaded(one)
        await two.watch("mailbox")
        first = await more(one, "1")
        second = await more(two, "1")
        again = await more(one, "1")
        assert first["run"] == second["run"] == again["run"], f"{first} {second} {again}"
        assert [first["joined"], second["joined"], again["joined"]] == [False, True, True]
        await two.expect({"type": "state", "phase": "closing", "run": first["run"]})
        late = await more(two, "1")
        assert (late["run"], late["reason"]) == (None, "spent"), late
        assert keys(two) == FIRST + OLDER[:4]


@test()
async def the_last_page_exhausts_the_list_and_a_refresh_resets_it():
    async with Server(LISTS) as server, Client.open(server) as client:
        await loaded(client)
        for last in ["1", "-3", "-7", "-11"]:
            ok = await more(client, last)
            await client.expect({"type": "state", "last": {"run": ok["run"], "outcome": "success"}})
        assert keys(client) == FIRST + OLDER
        assert "more" not in client.model("mailbox").state, client.model("mailbox").state
        ok = await more(client, "-15")
        assert (ok["run"], ok["reason"]) == (None, "exhausted"), ok
        await server.refresh("mailbox")
        await client.expect({"type": "state", "phase": "waiting", "more": True})
        assert keys(client) == ["8", "7", "6", "5", "4", "3", "2", "1"], "the first page alone"
        await client.shows_what_the_server_has("mailbox")


@test()
async def a_refresh_ends_a_page_that_loads_and_its_rows_are_dropped():
    async with Server(LISTS) as server, Client.open(server) as client:
        await loaded(client)
        page = await more(client, "1")
        await client.expect({"type": "state", "phase": "loading", "run": page["run"]})
        ok = await client.ask({"type": "refresh", "list": "mailbox"})
        assert ok["run"] != page["run"] and ok["joined"] is False, ok
        loading = await client.expect({"type": "state", "phase": "loading", "run": ok["run"]})
        assert loading["last"] == {**loading["last"], "run": page["run"], "cause": "more", "outcome": "cancelled"}
        refused = await more(client, "1")
        assert (refused["run"], refused["reason"]) == (None, "refused"), refused
        await client.expect({"type": "state", "phase": "waiting", "last": {"run": ok["run"]}}, within=10)
        assert not set(keys(client)) & set(OLDER), "a late page"


@test()
async def a_page_that_loads_neither_primes_nor_spends_a_pull():
    async with Server(LISTS) as server, Client.open(server) as client:
        await loaded(client)
        await client.send({"type": "pull", "list": "mailbox", "gesture": 1, "offset": 30})
        await client.expect({"type": "state", "phase": "waiting", "gesture": 1})
        page = await more(client, "1")
        await client.expect({"type": "state", "phase": "closing", "run": page["run"]})
        await client.send({"type": "pull", "list": "mailbox", "gesture": 1, "offset": 70})
        await client.expect({"type": "state", "phase": "primed", "gesture": 1})
        ok = await client.ask({"type": "release", "list": "mailbox", "gesture": 1, "offset": 70})
        assert ok["run"] and ok["run"] != page["run"], ok


@test()
async def a_list_in_one_piece_has_no_more():
    async with Server([{"name": "fruit", "demo": "hours"}]) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.expect({"type": "state", "phase": "waiting", "last": {"outcome": "success"}}, within=10)
        assert "more" not in client.model("fruit").state
        ok = await client.ask({"type": "more", "list": "fruit", "after": "x"})
        assert (ok["run"], ok["reason"]) == (None, "refused") and ok["message"], ok
        wrong = await client.ask({"type": "more", "list": "fruit"})
        assert (wrong["type"], wrong["code"]) == ("error", "badField"), wrong
