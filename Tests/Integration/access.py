"""Who may: tokens from a file, what each allows, and what nobody finds out."""

import asyncio
import hashlib
import json
import re
import signal
import time

import harness
import timing
from client import Client
from harness import Folder, Server, eventually, file_list, slow_list, test

KITCHEN, COOK, WRONG = "the-kitchen-has-this-one", "the-cook-has-another-one", "and-nobody-has-this-one"


def digest(secret):
    return hashlib.sha256(secret.encode()).hexdigest()


def entry(name, secret, lists, **more):
    return {"name": name, "sha256": digest(secret), "lists": lists, **more}


def write(server, tokens):
    """As most editors save: another file takes the place of the old one."""
    scratch = server.folder / ".tokens.swp"
    scratch.write_text(tokens if isinstance(tokens, str) else json.dumps(tokens))
    scratch.rename(server.folder / "tokens.yaml")


def guarded(tokens, *flags, names=("fruit", "salaries"), ephemeral=True):
    """A server of these lists that asks for tokens."""
    folder = Folder()
    for name in names:
        folder.write(f"{name}.tsv", [("a", "Apple")])
    lists = [file_list(folder, name) for name in names] + [{"name": "board", "push": True}]
    server = Server(lists, "--tokens", str(folder / "tokens.yaml"), *flags, folder=folder, ephemeral=ephemeral)
    write(server, tokens)
    return server


def bearer(secret):
    return {"Authorization": f"Bearer {secret}"}


def shown(secret):
    return {"additional_headers": bearer(secret)}


async def tool(server, *arguments, input=None, **environment):
    """Runs a command of the tool: (status, output, errors)."""
    process = await asyncio.create_subprocess_exec(
        str(harness.BINARY), *arguments, cwd=server.folder.path, env={"PATH": "/usr/bin:/bin", **environment},
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    output, errors = await asyncio.wait_for(process.communicate(input), 20)
    return process.returncode, output.decode(), errors.decode()


async def ended(client, code):
    """The connection ends with this code."""
    await asyncio.wait_for(client.reading, 5)
    assert client.socket.close_code == code, f"{client.socket.close_code} {client.socket.close_reason}"


@test()
async def a_token_allows_what_its_entry_says_and_no_more():
    tokens = [entry("kitchen", KITCHEN, {"fruit": ["read", "refresh"], "board": ["push"]})]
    async with guarded(tokens) as server:
        async with Client.open(server, **shown(KITCHEN)) as client:
            await client.watch("fruit")
            await client.settled("fruit")
            assert (await client.ask({"type": "refresh", "list": "fruit"}))["type"] == "ok"
            assert (await client.ask({"type": "watch", "list": "board"}))["code"] == "forbidden"
        status, _, body = await server.http("PATCH", "/lists/board", bearer(KITCHEN), b'{"set":[{"key":"k","fields":{}}]}')
        assert status == 200, f"{status} {body}"
        status, headers, body = await server.http("GET", "/lists/board", bearer(KITCHEN))
        assert status == 403 and "insufficient_scope" in headers["www-authenticate"], f"{status} {headers} {body}"
        status, _, body = await server.http("GET", "/lists", bearer(KITCHEN))
        assert [row["name"] for row in json.loads(body)["lists"]] == ["fruit"], body


@test()
async def a_list_that_one_may_not_see_is_in_no_way_unlike_one_that_is_not_there():
    tokens = [entry("kitchen", KITCHEN, {"fruit": ["read"]})]
    async with guarded(tokens) as server, Client.open(server, **shown(KITCHEN)) as client:
        told = []
        for name in ("salaries", "nowhere1"):
            answers = []
            for message in (
                {"type": "watch"}, {"type": "watch", "epoch": "k3f", "revision": 1}, {"type": "unwatch"},
                {"type": "refresh", "key": "k"}, {"type": "stop", "run": "r1"}, {"type": "more", "after": "a"},
                {"type": "digest"}, {"type": "release", "gesture": 1, "offset": 70, "peak": 70},
            ):  # fmt: skip
                answer = await client.ask({**message, "list": name})
                answers.append({**answer, "id": None})
            for method, path in (
                ("GET", ""), ("HEAD", ""), ("PATCH", ""), ("POST", "/refresh"), ("GET", "/refresh"),
                ("PUT", "/rows/a"), ("DELETE", "/rows/a"), ("GET", "/rows/a"), ("OPTIONS", ""),
            ):  # fmt: skip
                body = b"{}" if method in ("PATCH", "PUT", "POST") else None
                answers.append(await server.http(method, f"/lists/{name}{path}", bearer(KITCHEN), body))
            told.append(repr(answers).replace(name, "NAME"))
        assert told[0] == told[1], f"{told[0]}\n{told[1]}"
        assert "unknownList" in told[0] and "404" in told[0]


@test(limit=60)
async def a_list_that_one_may_not_see_is_refused_as_fast_as_one_that_is_not_there():
    tokens = [entry("kitchen", KITCHEN, {"fruit": ["read"]})]
    async with guarded(tokens) as server:
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)

        def asking(name):
            async def ask():
                headers = {"Host": "localhost", **bearer(KITCHEN)}
                status, _, _ = await harness.exchange(reader, writer, "GET", f"/lists/{name}", headers)
                assert status == 404

            return ask

        # A list that is looked at is asked on its own thread, which takes as long again.
        await timing.take_equally_long(asking("nowhere1"), asking("salaries"))
        writer.close()


@test()
async def without_a_token_nothing_is_shown_but_what_everybody_may_see():
    tokens = [entry("kitchen", KITCHEN, {"*": ["read"]}), {"name": "all", "anonymous": True, "lists": {"fruit": ["read"]}}]
    async with guarded(tokens) as server:
        body = await server.json("/lists")
        assert [(row["name"], row["refreshable"]) for row in body["lists"]] == [("fruit", False)], body
        assert (await server.http("GET", "/lists/salaries"))[0] == 401
        assert (await server.http("GET", "/lists/nowhere"))[0] == 401
        for path in ("/healthz", "/readyz", "/refreshable-list.js"):
            assert (await server.http("GET", path))[0] == 200, path
        async with Client.open(server) as client:
            assert (await client.watch("fruit"))["refreshable"] is False
            assert (await client.ask({"type": "watch", "list": "salaries"}))["code"] == "unauthorised"
            assert (await client.ask({"type": "refresh", "list": "fruit"}))["code"] == "unauthorised"


@test()
async def a_hello_shows_a_token_and_a_wrong_one_ends_the_connection():
    tokens = [entry("kitchen", KITCHEN, {"fruit": ["read"]}), entry("cook", COOK, {"salaries": ["read"]})]
    async with guarded(tokens) as server:
        client = await Client.connect(server)
        assert (await client.ask({"type": "hello", "token": KITCHEN}))["type"] == "ok"
        await client.watch("fruit")
        assert (await client.ask({"type": "hello", "token": COOK}))["type"] == "ok"
        await client.watch("salaries")
        assert (await client.ask({"type": "watch", "list": "fruit"}))["code"] == "unknownList"
        answer = await client.ask({"type": "hello", "token": WRONG})
        assert answer["code"] == "unauthorised", answer
        await ended(client, 4001)


@test()
async def who_has_nothing_to_look_for_here_is_not_kept_waiting_for():
    async with guarded([entry("kitchen", KITCHEN, {"fruit": ["read"]})]) as server:
        idle, kept = await Client.connect(server), await Client.connect(server)
        await kept.ask({"type": "hello", "token": KITCHEN})
        await asyncio.wait_for(idle.reading, 15)
        assert idle.socket.close_code == 4001, idle.socket.close_code
        assert (await kept.ask({"type": "ping"}))["type"] == "ok"
        await kept.close()


@test()
async def the_file_is_read_again_and_counts_at_once():
    kitchen, cook = entry("kitchen", KITCHEN, {"*": ["read"]}), entry("cook", COOK, {"fruit": ["read"]})
    async with guarded([kitchen, cook]) as server:
        gone, stays = await Client.connect(server, **shown(KITCHEN)), await Client.connect(server, **shown(COOK))
        await gone.watch("fruit")
        await stays.watch("fruit")
        write(server, [{**cook, "lists": {"salaries": ["read"]}}])
        await ended(gone, 4001)
        await stays.expect({"type": "unwatched", "list": "fruit", "code": "unknownList"})
        await stays.watch("salaries")
        assert (await server.http("GET", "/lists/fruit", bearer(KITCHEN)))[0] == 401

        write(server, "- {name: cook, sha256: nonsense, lists: {}}")
        await eventually(lambda: "The tokens stay as they were." in server.log, 8)
        assert (await stays.ask({"type": "ping"}))["type"] == "ok", "a file with a fault changes nothing"
        assert re.search(r"tokens.yaml:1:\d+: token.sha256: expected 64", server.log), server.log

        write(server, [cook])
        await eventually(lambda: "Read" in server.log and "tokens.yaml again: 1 token." in server.log, 8)
        server.process.send_signal(signal.SIGHUP)
        await stays.close()


@test()
async def a_token_that_expires_ends_its_connections():
    async with guarded([]) as server:
        soon = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 5))
        write(server, [entry("brief", KITCHEN, {"*": ["read"]}, expires=soon)])
        await eventually(lambda: "again: 1 token." in server.log, 4, server.log)
        client = await Client.connect(server, **shown(KITCHEN))
        await client.watch("fruit")
        await client.expect({"type": "goodbye", "code": 4201, "reconnect": True}, within=8)
        await ended(client, 4201)
        status, headers, body = await server.http("GET", "/lists", bearer(KITCHEN))
        assert status == 401 and b"expired" in body and "invalid_token" in headers["www-authenticate"], body


@test()
async def a_server_with_a_faulty_file_of_tokens_does_not_start():
    server = guarded("- {name: a, lists: {}}")
    try:
        for arguments in (["serve", "lists.yaml"], ["check", "--no-run", "lists.yaml"]):
            lists = {"server": {"tokens": "tokens.yaml"}, "lists": server.lists}
            (server.folder / "lists.yaml").write_text(json.dumps(lists))
            status, output, errors = await tool(server, *arguments)
            assert status == 78 and "expected one of sha256, token and anonymous" in output + errors, output + errors
        (server.folder / "tokens.yaml").unlink()
        status, _, errors = await tool(server, "serve", "lists.yaml")
        assert status == 66 and "tokens.yaml" in errors, errors
    finally:
        server.folder.remove()


@test()
async def the_token_command_makes_a_token_that_is_let_in():
    async with guarded("") as server:
        made = await tool(server, "token", "kitchen", "--read", "fruit", "--refresh", "fruit", "--push", "board")
        status, output, errors = made
        secret = errors.strip().split(" ")[-1]
        assert status == 0 and len(secret) > 40 and secret not in output and digest(secret) in output, made
        write(server, (server.folder / "tokens.yaml").read_text() + output)
        await eventually(lambda: "again: 1 token." in server.log, 8, server.log)
        # Every command shows it.
        status, output, errors = await tool(server, "refresh", server.url, "fruit", "--json", "--token", secret)
        assert status == 0 and '"key":"a"' in output, output + errors
        status, output, errors = await tool(server, "refresh", server.url, "fruit", "--json", REFRESHABLE_TOKEN=secret)
        assert status == 0, errors
        row = b'{"key":"k","fields":{}}\n'
        status, _, errors = await tool(server, "push", server.url, "board", input=row, REFRESHABLE_TOKEN=secret)
        assert status == 0 and "Pushed 1 row" in errors, errors
        status, _, errors = await tool(server, "push", server.url, "fruit", input=row, REFRESHABLE_TOKEN=secret)
        assert status == 1 and "takes no pushes" in errors, errors
        (server.folder / "a.script").write_text('> {"type":"watch","id":"1","list":"fruit"}\n<< {"type":"ok","id":"1"}\n')
        for arguments in (["script", "a.script", "--url", server.url], ["health", server.url]):
            status, output, errors = await tool(server, *arguments, REFRESHABLE_TOKEN=secret)
            assert status == 0, output + errors
        for arguments in (["refresh", server.url, "fruit"], ["watch", server.url], ["watch", server.url, "fruit"]):
            status, _, errors = await tool(server, *arguments)
            assert status != 0 and "token" in errors, f"{arguments}: {status} {errors}"
            status, _, errors = await tool(server, *arguments, REFRESHABLE_TOKEN=WRONG)
            assert status != 0 and "not one of this server's" in errors, f"{arguments}: {status} {errors}"


@test()
async def people_sign_in_in_their_own_language():
    async with guarded([entry("kitchen", KITCHEN, {"fruit": ["read"]})]) as server:
        for accepted, language, word in (("de-AT,de;q=0.9,en;q=0.8", "de", "Anmelden"), ("ar", "ar", "تسجيل الدخول"), ("sv", "en", "Sign in")):
            status, headers, body = await server.http("GET", "/sign-in", {"Accept-Language": accepted})
            assert status == 200 and headers["vary"] == "Accept-Language", headers
            assert f'<html lang="{language}"' in body.decode() and f"<button>{word}</button>" in body.decode(), body
        headers = {"Origin": server.url, "Accept-Language": "de"}
        status, _, body = await server.http("POST", "/sign-in", headers, f"token={WRONG}".encode())
        assert status == 401 and "Dieser Server kennt dieses Token nicht." in body.decode(), body


async def signed_in(server, secret=KITCHEN):
    """The cookie of a browser in which somebody has signed in."""
    status, headers, body = await server.http("POST", "/sign-in", {"Origin": server.url}, f"token={secret}".encode())
    assert status == 303, f"{status} {body}"
    return headers["set-cookie"].partition(";")[0]


async def sign_out(server, cookie):
    status, headers, _ = await server.http("POST", "/sign-out", {"Origin": server.url, "Cookie": cookie}, b"")
    assert status == 303 and "Max-Age=0" in headers["set-cookie"], f"{status} {headers}"


def browser(server, cookie):
    return {"origin": server.url, "additional_headers": {"Cookie": cookie}}


@test()
async def signing_out_ends_the_sockets_of_that_browser_on_all_loops_and_no_others():
    async with guarded([entry("kitchen", KITCHEN, {"fruit": ["read"]})], "--loops", "3") as server:
        one, other = await signed_in(server), await signed_in(server)
        assert one != other, "each signing in is one of its own"
        tabs = [await Client.connect(server, **browser(server, one)) for _ in range(9)]
        kept = [await Client.connect(server, **browser(server, other)), await Client.connect(server, **shown(KITCHEN))]
        for client in [*tabs, *kept]:
            await client.watch("fruit")
        await sign_out(server, one)
        for tab in tabs:
            await ended(tab, 4001)
        for client in kept:
            assert (await client.ask({"type": "ping"}))["type"] == "ok"
            await client.close()
        # What was on its way when the browser signed out.
        late = await Client.connect(server, welcomed=False, **browser(server, one))
        await ended(late, 4001)
        status, _, _ = await server.http("GET", "/lists/fruit", {"Cookie": one})
        assert status == 401, status
        status, _, _ = await server.http("GET", "/lists/fruit", {"Cookie": other})
        assert status == 200, status


@test()
async def who_signs_in_as_another_ends_the_sockets_of_who_was_signed_in():
    tokens = [entry("kitchen", KITCHEN, {"fruit": ["read"]}), entry("cook", COOK, {"salaries": ["read"]})]
    async with guarded(tokens) as server:
        cookie = await signed_in(server)
        tab = await Client.connect(server, **browser(server, cookie))
        headers = {"Origin": server.url, "Cookie": cookie}
        assert (await server.http("POST", "/sign-in", headers, f"token={COOK}".encode()))[0] == 303
        await ended(tab, 4001)


@test()
async def what_waits_over_http_ends_when_its_browser_signs_out_or_its_token_is_taken_away():
    folder = Folder()
    folder.write("slow.tsv", [("a", "Apple")])
    lists = [slow_list(folder, seconds=6)]
    rights = {"slow": ["read", "refresh"]}
    server = Server(lists, "--tokens", str(folder / "tokens.yaml"), folder=folder, ephemeral=True)
    write(server, [entry("kitchen", KITCHEN, rights), entry("cook", COOK, rights)])
    async with server:
        cookie = {"Cookie": await signed_in(server), "Origin": server.url}
        waiting = [asyncio.create_task(server.http("GET", "/lists/slow", cookie))]
        await asyncio.sleep(0.3)
        headers = {**cookie, "Content-Length": "0"}
        waiting.append(asyncio.create_task(server.http("POST", "/lists/slow/refresh", headers)))
        cooks = asyncio.create_task(server.http("POST", "/lists/slow/refresh", {**bearer(COOK), "Content-Length": "0"}))
        await asyncio.sleep(0.5)
        started = time.monotonic()
        await sign_out(server, cookie["Cookie"])
        for answer in waiting:
            status, _, body = await answer
            assert status == 401 and b"Apple" not in body, f"{status} {body}"
        assert time.monotonic() - started < 2, "they waited on"
        assert not cooks.done()
        write(server, [])
        status, _, body = await asyncio.wait_for(cooks, 4)
        assert status == 401, f"{status} {body}"


@test()
async def refresh_keys_of_two_visitors_are_two():
    tokens = [entry("kitchen", KITCHEN, {"fruit": ["read", "refresh"]}), entry("cook", COOK, {"fruit": ["read", "refresh"]})]
    async with guarded(tokens) as server:
        first, second = await Client.connect(server, **shown(KITCHEN)), await Client.connect(server, **shown(COOK))
        runs = []
        for client in (first, second, first, second):
            if not client.models:
                await client.watch("fruit")
                await client.settled("fruit")
            runs.append((await client.ask({"type": "refresh", "list": "fruit", "key": "1"}))["run"])
            await client.settled("fruit")
        assert runs[0] != runs[1] and runs[2:] == runs[:2], runs
        # The same person after a lost connection finds the same answer.
        session = first.session
        await first.cut()
        back = await Client.connect(server, **shown(KITCHEN))
        assert (await back.ask({"type": "hello", "session": session}))["resumed"] is True
        await back.watch("fruit")
        assert (await back.ask({"type": "refresh", "list": "fruit", "key": "1"}))["run"] == runs[0]
        await back.close()
        await second.close()
        answers = []
        for secret in (KITCHEN, COOK, KITCHEN):
            headers = {**bearer(secret), "Idempotency-Key": "1", "Content-Length": "0"}
            status, _, body = await server.http("POST", "/lists/fruit/refresh", headers)
            assert status == 200, f"{status} {body}"
            answers.append(json.loads(body)["run"])
        assert answers[0] not in runs and answers[1] != answers[0] and answers[2] == answers[0], f"{runs} {answers}"
