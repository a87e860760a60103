"""Who asked is told of new rows, once, and nobody else."""

import asyncio
import hashlib
import json
import os
import stat

from access import bearer, entry, write
from harness import Folder, Server, eventually, file_list, test
from push_service import Browser, PushService


def board(service, *flags, lists=(), **more):
    """A server whose board notifies, of rows that are pushed."""
    noun = {"one": "letter", "other": "letters", "de": {"one": "Brief", "other": "Briefe"}}
    lists = [{"name": "board", "push": True, "notify": "rows", "noun": noun}, *lists]
    return Server(lists, "--push-service", service.origin, *flags, **more)


async def ask(server, method, path, body=None, **headers):
    body = None if body is None else json.dumps(body).encode()
    return (await server.http(method, path, headers, body))[0]


async def subscribe(server, browser, name="board", **headers):
    status, _, body = await server.http(
        "PUT", f"/lists/{name}/notifications/{browser.id}", headers, json.dumps(browser.subscription).encode()
    )
    assert status == 204, f"{status} {body}"


async def push(server, *keys, name="board"):
    rows = [{"key": key, "fields": {"title": f"Title of {key}"}} for key in keys]
    status, _, body = await server.http("PATCH", f"/lists/{name}", {}, json.dumps({"set": rows}).encode())
    assert status == 200, f"{status} {body}"


async def told(browser, count, seconds=12):
    await eventually(lambda: len(browser.messages) >= count, seconds, f"{browser.messages} of {count}")


async def nothing_more(browser, count, seconds=5):
    await asyncio.sleep(seconds)
    assert len(browser.messages) == count, browser.messages


async def counted(server, outcome):
    for line in (await server.http("GET", "/metrics"))[2].decode().splitlines():
        if line.startswith(f'refreshable_notifications_total{{outcome="{outcome}"}}'):
            return float(line.split()[-1])
    return 0


@test(limit=60)
async def rows_that_come_together_are_one_message_that_only_the_browser_reads():
    async with PushService() as service, board(service) as server:
        service.key = (await server.json("/notifications"))["key"]
        browser, stranger = Browser(service), Browser(service)
        await push(server, "old")
        await subscribe(server, browser)
        assert (await server.json(f"/notifications/{browser.id}"))["lists"] == ["board"]
        assert (await server.json(f"/notifications/{stranger.id}"))["lists"] == []
        await push(server, "a")
        await push(server, "b", "c")
        await told(browser, 1)
        message = browser.messages[0]
        assert (message["list"], message["title"], message["count"]) == ("board", "Board", 3), message
        assert message["noun"]["other"] == "letters" and message["row"]["title"].startswith("Title of "), message
        await push(server, "a")  # it is there already
        await nothing_more(browser, 1)
        assert not stranger.messages and await counted(server, "sent") == 1
        assert browser.endpoint not in server.log, "an endpoint is a secret"


@test(limit=60)
async def a_row_is_told_once_over_restarts_and_kill_9():
    async with PushService() as service, board(service) as server:
        browser = Browser(service)
        await subscribe(server, browser)
        service.key = (await server.json("/notifications"))["key"]
        await push(server, "a")
        await told(browser, 1)
        await server.restart()
        await server.restart(clean=False)
        await nothing_more(browser, 1)
        await push(server, "b")
        await server.restart(clean=False)  # before the three seconds are over
        await told(browser, 2)
        assert browser.messages[1]["count"] == 2 and browser.messages[1]["row"]["key"] == "b", browser.messages
        await nothing_more(browser, 2)


@test(limit=60)
async def who_looks_is_not_told_and_has_seen_what_is_there():
    async with PushService() as service, board(service) as server:
        looking, other = Browser(service), Browser(service)
        for browser in (looking, other):
            await subscribe(server, browser)
        seen = f"/lists/board/notifications/{looking.id}/seen"
        assert await ask(server, "PUT", seen, {"visible": True}) == 204
        await push(server, "a")
        await told(other, 1)
        await nothing_more(looking, 0, 3)
        assert await ask(server, "PUT", seen, {"visible": False}) == 204
        await push(server, "b")
        await told(looking, 1)
        assert looking.messages[0]["count"] == 1, "a was seen"
        await told(other, 2, 15)
        assert other.messages[1]["count"] == 2, "nothing was seen yet"
        await asyncio.sleep(0.5)
        assert await ask(server, "PUT", f"/lists/board/notifications/{Browser(service).id}/seen", {"visible": True}) == 404


@test(limit=60)
async def who_asks_no_more_is_told_no_more():
    async with PushService() as service, board(service) as server:
        browser, stays = Browser(service), Browser(service)
        for each in (browser, stays):
            await subscribe(server, each)
        assert await ask(server, "DELETE", f"/lists/board/notifications/{browser.id}") == 204
        await push(server, "a")
        await told(stays, 1)
        assert not browser.messages


@test(limit=90)
async def a_service_that_fails_is_asked_again_and_one_that_is_gone_is_not():
    async with PushService() as service, board(service) as server:
        browser = Browser(service)
        await subscribe(server, browser)
        service.answers = [(500, {}), "reset", (429, {"Retry-After": "4"})]
        await push(server, "a")
        await told(browser, 1, 45)
        moments = [moment for moment, *_ in service.requests]
        assert len(moments) == 4 and moments[3] - moments[2] >= 4, moments
        service.answers = [(413, {})]
        await push(server, "b")
        await eventually(lambda: len(service.requests) == 5, 15)
        await asyncio.sleep(4)
        assert len(service.requests) == 5 and await counted(server, "refused") == 1, "413 is not sent again"
        service.answers = [(410, {})]
        await push(server, "c")
        await eventually(lambda: len(service.requests) == 6, 15)
        await asyncio.sleep(0.5)
        assert (await server.json(f"/notifications/{browser.id}"))["lists"] == [], "who is gone is forgotten"
        assert await counted(server, "gone") == 1


@test(limit=60)
async def a_service_that_hangs_holds_up_nobody_and_redirects_lead_nowhere():
    async with PushService() as service, PushService() as elsewhere, board(service) as server:
        first, second = Browser(service), Browser(service)
        await subscribe(server, first)
        await subscribe(server, second)
        service.answers = ["hang"]
        await push(server, "a")
        await eventually(lambda: first.messages or second.messages, 10)
        target = Browser(elsewhere)
        service.answers = [(307, {"Location": target.endpoint})]
        await push(server, "b")
        await eventually(lambda: len(service.requests) >= 3, 15)
        await asyncio.sleep(1)
        assert not elsewhere.requests


@test(limit=60)
async def a_token_that_is_taken_away_ends_what_was_asked_for_with_it():
    kitchens, cooks = "the-kitchen-has-this-one", "the-cook-has-another-one"
    tokens = [entry("kitchen", kitchens, {"*": ["read", "push"]}), entry("cook", cooks, {"board": ["read"]})]
    async with PushService() as service:
        folder = Folder()
        lists = [{"name": "salaries", "push": True, "notify": "rows"}]
        server = board(service, "--tokens", str(folder / "tokens.yaml"), folder=folder, lists=lists)
        write(server, tokens)
        async with server:
            kitchen, cook = Browser(service), Browser(service)
            await subscribe(server, kitchen, **bearer(kitchens))
            await subscribe(server, cook, **bearer(cooks))
            body = json.dumps(cook.subscription).encode()
            for headers, status in (({}, 401), (bearer(cooks), 404)):
                answer = await server.http("PUT", f"/lists/salaries/notifications/{cook.id}", headers, body)
                assert answer[0] == status, answer
            assert (await server.http("GET", "/notifications"))[0] == 401
            write(server, tokens[:1])
            await eventually(lambda: "tokens" in server.log.lower(), 10)
            await asyncio.sleep(1)
            row = b'{"set":[{"key":"a","fields":{"title":"A"}}]}'
            status, *_ = await server.http("PATCH", "/lists/board", bearer(kitchens), row)
            assert status == 200
            await told(kitchen, 1)
            assert not cook.messages
            path = f"/notifications/{kitchen.id}"
            assert json.loads((await server.http("GET", path, bearer(kitchens)))[2])["lists"] == ["board"]


@test()
async def strangers_endpoints_and_what_is_no_subscription_are_refused():
    async with PushService() as service, board(service, lists=[{"name": "quiet", "push": True}]) as server:
        good = Browser(service)

        async def answer(id=None, name="board", headers=None, **change):
            body = json.dumps({**good.subscription, **change}).encode()
            return (await server.http("PUT", f"/lists/{name}/notifications/{id or good.id}", headers or {}, body))[::2]

        def named(endpoint):
            return {"id": hashlib.sha256(endpoint.encode()).hexdigest(), "endpoint": endpoint}

        for endpoint, status in (
            ("https://example.org/push", 422), ("http://169.254.169.254/latest", 422), ("http://127.0.0.1:1/", 422),
            ("https://fcm.googleapis.com@127.0.0.1/", 400), ("file:///etc/passwd", 400), ("https://x.test\r\nA: b/", 400),
            (f"{service.origin}/{'a' * 2048}", 400),
        ):  # fmt: skip
            got, body = await answer(**named(endpoint))
            assert got == status, f"{endpoint}: {got} {body}"
        assert (await answer(id="0" * 64))[0] == 400
        assert (await answer(keys={"p256dh": "AAAA", "auth": "AAAA"}))[0] == 400
        assert (await answer(keys=None))[0] == 400
        assert (await answer(padding="a" * 4096))[0] == 413
        assert (await answer(name="quiet"))[0] == 403
        assert (await answer(name="nowhere"))[0] == 404
        assert (await answer(headers={"Origin": "https://example.org"}))[0] == 403
        for method, path in (("POST", f"/lists/board/notifications/{good.id}"), ("POST", "/notifications")):
            assert (await server.http(method, path, {}, b"{}"))[0] == 405
        assert (await server.json(f"/notifications/{good.id}"))["lists"] == []


@test(limit=60)
async def the_first_load_and_pages_are_not_told_but_what_a_source_has_later_is():
    folder = Folder()
    folder.write("fruit.tsv", [("a", "Apple"), ("b", "Banana")])
    lists = [file_list(folder, "fruit", notify="rows", every="1s")]
    async with PushService() as service, Server(lists, "--push-service", service.origin, folder=folder) as server:
        browser = Browser(service)
        await subscribe(server, browser, "fruit")
        # Nobody watches, and it is refreshed all the same, for whoever waits.
        await eventually(lambda: len(folder.lines("fruit.log")) >= 3, 15)
        assert not browser.messages
        folder.write("fruit.tsv", [("c", "Cherry"), ("b", "Blueberry"), ("a", "Apple")])
        await told(browser, 1)
        assert (browser.messages[0]["count"], browser.messages[0].get("row")) in (
            (1, {"key": "c", "title": "Cherry"}), (1, None),
        ), browser.messages  # fmt: skip
        await ask(server, "DELETE", f"/lists/fruit/notifications/{browser.id}")
        await asyncio.sleep(1.5)
        runs = len(folder.lines("fruit.log"))
        await asyncio.sleep(3)
        assert len(folder.lines("fruit.log")) == runs, "nobody waits any more"


@test()
async def the_key_is_made_once_for_its_user_alone_and_nothing_is_kept_in_memory_only():
    async with PushService() as service, board(service) as server:
        key = (await server.json("/notifications"))["key"]
        for name in ("notifications.pem", "notifications.sqlite"):
            mode = stat.S_IMODE(os.stat(server.folder / "data" / name).st_mode)
            assert mode == 0o600, f"{name} has {mode:o}"
        await server.restart(clean=False)
        assert (await server.json("/notifications"))["key"] == key
        assert "PRIVATE" not in server.log
    async with PushService() as service, board(service, ephemeral=True) as server:
        assert (await server.http("GET", "/notifications"))[0] == 404
        assert "notify" not in (await server.json("/lists"))["lists"][0]
        assert "data folder" in server.log, server.log
    async with Server([{"name": "quiet", "push": True}]) as server:
        assert not (server.folder / "data" / "notifications.pem").exists(), "no list notifies"
