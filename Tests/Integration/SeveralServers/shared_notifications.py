"""Who asked at any server is told of new rows once, whichever server leads the list, and whatever becomes of that one."""

import asyncio
import contextlib
import json

from harness import Folder, eventually, file_list
from metrics import Figures
from notifications import ask, counted, nothing_more, push, subscribe, told
from push_service import Browser, PushService
from shared_server import SharedServer, database_test

BOARD = [{"name": "board", "push": True, "notify": "rows"}]


def member(postgres, service, name, lists=None, folder=None):
    server = SharedServer(postgres.url(), "--push-service", service.origin, lists=lists or BOARD, folder=folder)
    server.name = name
    return server


@contextlib.asynccontextmanager
async def two(postgres, lists=None, folder=None):
    """(the push service, two servers of a list that notifies)."""
    async with (
        PushService() as service,
        member(postgres, service, "one", lists, folder) as one,
        member(postgres, service, "two", lists, folder) as other,
    ):
        yield service, one, other


async def leads(server, name="board"):
    return (await Figures.of(server))["leads", {"list": name}] == 1


async def led(*servers, name="board", seconds=15):
    """(the server that leads, another one), once one does."""
    deadline = asyncio.get_running_loop().time() + seconds
    while asyncio.get_running_loop().time() < deadline:
        for server in servers:
            if await leads(server, name):
                return server, next((other for other in servers if other is not server), None)
        await asyncio.sleep(0.05)
    raise AssertionError(f"nobody leads {name}")


async def see(server, browser, is_visible):
    assert await ask(server, "PUT", f"/lists/board/notifications/{browser.id}/seen", {"visible": is_visible}) == 204


async def leave(server, browser, name="board"):
    assert await ask(server, "DELETE", f"/lists/{name}/notifications/{browser.id}") == 204


async def lists_of(server, browser):
    return (await server.json(f"/notifications/{browser.id}"))["lists"]


@database_test()
async def who_asked_at_one_server_is_told_once_of_rows_pushed_at_the_other(postgres):
    async with two(postgres) as (service, one, other):
        service.key = (await one.json("/notifications"))["key"]
        assert (await other.json("/notifications"))["key"] == service.key, "one key for all servers"
        await push(one, "old")
        first, second, stranger = Browser(service), Browser(service), Browser(service)
        await subscribe(one, first)
        # As soon as it is answered it counts, everywhere.
        await push(other, "a")
        await subscribe(other, second)
        await push(one, "b", "c")
        await told(first, 1)
        await told(second, 1)
        assert [message["count"] for message in first.messages] == [3], first.messages
        assert second.messages[0]["count"] in (2, 3), second.messages
        assert first.messages[0]["row"]["title"].startswith("Title of "), first.messages
        for server in (one, other):
            assert (await lists_of(server, first), await lists_of(server, stranger)) == (["board"], [])
        await push(other, "a")  # it is there already
        await nothing_more(first, 1)
        assert len(second.messages) == 1 and not stranger.messages
        assert await counted(one, "sent") + await counted(other, "sent") == 2
        for server in (one, other):
            assert first.endpoint not in server.log and "PRIVATE" not in server.log, "they are secrets"


@database_test()
async def the_key_and_who_asked_outlive_all_servers(postgres):
    async with two(postgres) as (service, one, other):
        service.key = (await one.json("/notifications"))["key"]
        browser = Browser(service)
        await subscribe(other, browser)
        await push(one, "a")
        await told(browser, 1)
        for server in (one, other):
            await server.kill()
        for server in (other, one):
            await server.start()
        assert {(await server.json("/notifications"))["key"] for server in (one, other)} == {service.key}
        await nothing_more(browser, 1)
        await push(other, "b")
        await told(browser, 2, 20)
        assert browser.messages[1]["count"] == 2 and browser.messages[1]["row"]["key"] == "b", browser.messages
        await nothing_more(browser, 2)


@database_test()
async def who_looks_at_any_server_is_not_told_and_has_seen_what_is_there(postgres):
    async with two(postgres) as (service, one, other):
        browsers = [Browser(service) for _ in range(3)]
        for browser, server in zip(browsers, (one, other, one), strict=True):
            await subscribe(server, browser)
        here, there, away = browsers
        await see(one, here, True)
        await see(other, there, True)
        await push(other, "a")
        await told(away, 1)
        await asyncio.sleep(3)
        assert not here.messages and not there.messages, "they look"
        # Each leaves at the other server.
        await see(other, here, False)
        await see(one, there, False)
        await push(one, "b")
        for browser in (here, there):
            await told(browser, 1, 15)
            assert browser.messages[0]["count"] == 1, f"a was seen: {browser.messages}"
        await told(away, 2, 15)
        assert away.messages[1]["count"] == 2, "nothing was seen yet"
        path = f"/lists/board/notifications/{Browser(service).id}/seen"
        assert await ask(other, "PUT", path, {"visible": True}) == 404


@database_test()
async def who_asks_no_more_at_any_server_is_told_no_more(postgres):
    async with two(postgres) as (service, one, other):
        first, second, stays = (Browser(service) for _ in range(3))
        for browser, server in ((first, one), (second, other), (stays, one)):
            await subscribe(server, browser)
        # At once, before anybody has looked.
        await leave(other, first)
        await leave(one, second)
        await push(one, "a")
        await told(stays, 1)
        await asyncio.sleep(1)
        assert not first.messages and not second.messages
        assert [await lists_of(server, first) for server in (one, other)] == [[], []]
        await subscribe(one, first)
        await push(other, "b")
        await told(first, 1, 15)
        assert first.messages[0]["count"] == 1, f"a came while nobody asked: {first.messages}"


async def with_two_rows(service, one, other):
    """(a browser that waits to be told of two rows, one pushed at each server; the server that leads, the other)."""
    browser = Browser(service)
    await subscribe(one, browser)
    leader, follower = await led(one, other)
    await push(follower, "a")
    await push(leader, "b")
    return browser, leader, follower


@database_test()
async def what_a_killed_leader_has_not_told_the_next_one_tells_once(postgres):
    async with two(postgres) as (service, one, other):
        browser, leader, follower = await with_two_rows(service, one, other)
        await leader.kill()  # before the three seconds are over
        assert not browser.messages
        await told(browser, 1, 20)
        assert browser.messages[0]["count"] == 2, browser.messages
        await nothing_more(browser, 1)
        # It comes back, and the next one is killed once it has told.
        await leader.start()
        await push(leader, "c")
        await told(browser, 2, 15)
        assert browser.messages[1]["count"] == 3, browser.messages
        assert (await led(leader, follower))[0] is follower
        await follower.kill()
        await led(leader)
        await nothing_more(browser, 2)
        await push(leader, "d")
        await told(browser, 3, 15)
        assert browser.messages[2]["count"] == 4, browser.messages


@database_test()
async def what_a_leader_that_stops_has_not_told_the_next_one_tells_once(postgres):
    async with two(postgres) as (service, one, other):
        browser, leader, follower = await with_two_rows(service, one, other)
        assert await leader.stop(20) == 0, leader.log
        await push(follower, "c")
        await told(browser, 1, 15)
        assert browser.messages[0]["count"] == 3, browser.messages
        await nothing_more(browser, 1)
        assert " error " not in leader.log + follower.log


@database_test()
async def a_list_that_nobody_watches_is_refreshed_for_whoever_asked_at_any_server(postgres):
    folder = Folder()
    folder.write("fruit.tsv", [("a", "Apple"), ("b", "Banana")])
    lists = [file_list(folder, "fruit", notify="rows", every="1s")]
    async with two(postgres, lists, folder) as (service, one, other):
        first, second = Browser(service), Browser(service)
        await subscribe(one, first, "fruit")
        leader, follower = await led(one, other, name="fruit")
        await leave(one, first, "fruit")
        # Now somebody asks where nobody leads.
        await subscribe(follower, second, "fruit")
        runs = len(folder.lines("fruit.log"))
        await eventually(lambda: len(folder.lines("fruit.log")) >= runs + 3, 15)
        assert await leads(leader, "fruit") and not second.messages, second.messages
        folder.write("fruit.tsv", [("c", "Cherry"), ("b", "Blueberry"), ("a", "Apple")])
        await told(second, 1, 15)
        assert second.messages[0]["count"] == 1, second.messages
        await leave(follower, second, "fruit")
        await asyncio.sleep(1.5)
        runs = len(folder.lines("fruit.log"))
        await asyncio.sleep(3)
        assert len(folder.lines("fruit.log")) == runs, "nobody waits any more"
        assert not first.messages


@database_test()
async def while_the_database_is_away_nobody_subscribes_and_what_is_due_waits(postgres):
    async with two(postgres) as (service, one, other):
        browser, late = Browser(service), Browser(service)
        await subscribe(one, browser)
        await led(one, other)
        await push(other, "a")
        # From here on it is due. What nobody has counted yet may be lost with the list's epoch.
        await eventually(lambda: postgres.sql("SELECT total FROM refreshable.arrivals").strip() == "1")
        postgres.stop("immediate")
        for server in (one, other):
            await server.becomes(503)
            body = json.dumps(late.subscription).encode()
            status, headers, _ = await server.http("PUT", f"/lists/board/notifications/{late.id}", {}, body)
            assert status == 503 and int(headers["retry-after"]) > 0, (status, headers)
        await asyncio.sleep(3)
        assert not browser.messages, "it can't be written"
        async with member(postgres, service, "late") as third:
            status, headers, _ = await third.http("GET", "/notifications")
            assert status == 503 and int(headers["retry-after"]) > 0, (status, headers)
            postgres.start()
            for server in (one, other, third):
                await server.becomes(200)
            await told(browser, 1, 30)
            assert browser.messages[0]["count"] == 1, browser.messages
            await eventually_has_key(third, (await one.json("/notifications"))["key"])
            await subscribe(third, late)
            await push(other, "b")
            await told(late, 1, 15)
            assert late.messages[0]["count"] == 1, late.messages
            await told(browser, 2, 15)
            await nothing_more(browser, 2)


async def eventually_has_key(server, key, seconds=10):
    deadline = asyncio.get_running_loop().time() + seconds
    while (answer := await server.http("GET", "/notifications"))[0] != 200:
        assert asyncio.get_running_loop().time() < deadline, answer
        await asyncio.sleep(0.1)
    assert json.loads(answer[2])["key"] == key


@database_test()
async def a_service_that_has_dropped_a_browser_ends_its_subscription_everywhere(postgres):
    async with two(postgres) as (service, one, other):
        browser = Browser(service)
        await subscribe(one, browser)
        service.answers = [(410, {})]
        await push(other, "a")
        await eventually(lambda: len(service.requests) == 1, 15)
        await asyncio.sleep(0.5)
        for server in (one, other):
            assert await lists_of(server, browser) == [], server.name
