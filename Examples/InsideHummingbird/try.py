#!/usr/bin/env python3
"""Runs the app and uses it as its staff do: signs in, and then pulls over a WebSocket and reads over HTTP.

    swift build --package-path Examples/InsideHummingbird --scratch-path .build-inside
    .build/venv/bin/python Examples/InsideHummingbird/try.py [FOLDER OF THE PROGRAM]

Prints "N passed, N failed"; the exit status is 0 only if all went well.
"""

import asyncio
import contextlib
import http.client
import json
import signal
import sys
from pathlib import Path
from urllib.parse import urlsplit

import websockets

sys.path.append(str(Path(__file__).resolve().parents[1]))

import rules  # noqa: E402 (it is found there)

PROGRAM = Path(sys.argv[1] if len(sys.argv) > 1 else ".build-inside/debug") / "App"


def running():
    """The program and the address that it prints, on a free port."""
    return rules.running(PROGRAM, stderr=asyncio.subprocess.DEVNULL)


@contextlib.asynccontextmanager
async def refused(status):
    """Fails unless a WebSocket that is opened meanwhile is refused with this status."""
    try:
        yield
    except websockets.InvalidStatus as refusal:
        assert refusal.response.status_code == status, refusal
    else:
        raise AssertionError("a socket was opened that should have been refused")


async def ask(url, path, cookie=None, method="GET", body=None, origin=None):
    """Status, headers and body of an answer."""

    def send():
        connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=20)
        fields = {"Cookie": cookie, "Origin": origin, "Content-Type": body and "application/x-www-form-urlencoded"}
        connection.request(method, path, body, {name: value for name, value in fields.items() if value})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()

    return await asyncio.to_thread(send)


async def sign_in(url, name="ada", password="engine"):
    """The cookie that the app gives."""
    status, headers, _ = await ask(url, "/login", method="POST", body=f"name={name}&password={password}")
    assert status == 303, status
    return headers["Set-Cookie"].partition(";")[0]


def connect(url, cookie=None, origin=None):
    """A WebSocket as a browser opens it."""
    fields = {"Cookie": cookie} if cookie else {}
    address = f"{url.replace('http', 'ws')}/live/ws"
    return websockets.connect(
        address, subprotocols=["refreshable.v1"], additional_headers=fields, origin=origin or url, max_size=None
    )


async def hear(socket, kind):
    """The next message of a type."""
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), 20))
        if message["type"] == kind:
            return message


async def say(socket, **message):
    await socket.send(json.dumps(message))


async def who_has_not_signed_in_is_refused():
    async with running() as (_, url):
        for path in ["/live/", "/live/lists/orders", "/live/ws"]:
            status, _, _ = await ask(url, path)
            assert status == 401, (path, status)
        async with refused(401):
            await connect(url)


async def a_pull_refreshes_over_the_socket():
    async with running() as (_, url):
        async with connect(url, await sign_in(url)) as socket:
            assert socket.subprotocol == "refreshable.v1"
            await say(socket, type="watch", id="1", list="orders")
            await hear(socket, "ok")
            await say(socket, type="pull", list="orders", gesture=1, offset=70)
            await say(socket, type="release", id="2", list="orders", gesture=1, offset=70, peak=80)
            while (answer := await hear(socket, "ok"))["id"] != "2":
                pass
            assert answer["run"], answer
            while (state := await hear(socket, "state"))["phase"] != "closing":
                pass
            assert state["last"]["outcome"] == "success", state


async def rows_are_read_over_http():
    async with running() as (_, url):
        cookie = await sign_in(url)
        status, _, body = await ask(url, "/live/lists/orders", cookie)
        assert status == 200 and "Two teas" in body, (status, body)
        status, headers, _ = await ask(url, "/live/lists/orders", cookie, "HEAD")
        assert status == 200 and int(headers["Content-Length"]) == len(body.encode()), headers


async def the_page_is_below_its_path():
    async with running() as (_, url):
        cookie = await sign_in(url)
        status, headers, _ = await ask(url, "/live", cookie)
        assert (status, headers["Location"]) == (308, "live/"), (status, headers)
        for path, kind in [("/live/", "text/html"), ("/live/refreshable-list.js", "text/javascript")]:
            status, headers, body = await ask(url, path, cookie)
            assert status == 200 and headers["Content-Type"].startswith(kind) and body, (path, status)


async def rights_are_those_that_the_login_gives():
    async with running() as (_, url):
        reader, other = await sign_in(url, "ben", "kite"), await sign_in(url)
        status, _, body = await ask(url, "/live/lists/orders/refresh", reader, "POST")
        assert status == 403 and "ben may not refresh" in body, (status, body)
        status, _, _ = await ask(url, "/live/lists/orders/refresh", other, "POST")
        assert status == 200, status


async def a_page_of_another_site_is_refused():
    async with running() as (_, url):
        cookie, evil = await sign_in(url), "https://evil.example"
        status, _, _ = await ask(url, "/live/lists/orders/refresh", cookie, "POST", origin=evil)
        assert status == 403, status
        async with refused(403):
            await connect(url, cookie, evil)


async def what_is_not_the_lists_is_the_apps():
    async with running() as (_, url):
        cookie = await sign_in(url)
        assert "You are ada" in (await ask(url, "/", cookie))[2]
        assert (await ask(url, "/live/nothing", cookie))[0] == 404


async def the_end_of_the_app_is_told():
    async with running() as (program, url):
        async with connect(url, await sign_in(url)) as socket:
            await hear(socket, "welcome")
            program.send_signal(signal.SIGTERM)
            assert (await hear(socket, "goodbye"))["reconnect"]
            await socket.wait_closed()
            assert socket.close_code == 4200, socket.close_code
        assert await asyncio.wait_for(program.wait(), 20) == 0


RULES = [
    who_has_not_signed_in_is_refused, a_pull_refreshes_over_the_socket, rows_are_read_over_http,
    the_page_is_below_its_path, rights_are_those_that_the_login_gives, a_page_of_another_site_is_refused,
    what_is_not_the_lists_is_the_apps, the_end_of_the_app_is_told,
]  # fmt: skip


if __name__ == "__main__":
    sys.exit(asyncio.run(rules.try_rules(RULES)))
