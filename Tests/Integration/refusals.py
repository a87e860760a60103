"""Who may ask, and from where: Host, Origin, and what a refusal tells."""

from websockets.exceptions import InvalidStatus

from client import Client
from harness import Folder, Server, file_list, test

EVIL = "http://evil.example"


def fruit():
    folder = Folder()
    folder.write("fruit.tsv", [("a", "Apple")])
    return folder, [file_list(folder)]


async def refused(server, **options):
    """The (status, body) with which a WebSocket is refused."""
    try:
        client = await Client.connect(server, **options)
    except InvalidStatus as refusal:
        return refusal.response.status_code, (refusal.response.body or b"").decode()
    await client.close()
    raise AssertionError(f"it was let in: {options}")


@test()
async def a_foreign_host_is_refused_and_told_the_flag():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        for path in ("/", "/lists", "/lists/fruit", "/refreshable-list.js"):
            status, _, body = await server.http("GET", path, {"Host": "evil.example"})
            assert status in (403, 421) and b"--allow-host" in body, f"{path}: {status} {body}"
        for host in ("localhost", "127.0.0.1", f"127.0.0.1:{server.port}", "[::1]", "192.168.1.20:80", "mymac.local"):
            status, _, body = await server.http("GET", "/lists", {"Host": host})
            assert status == 200, f"Host {host}: {status} {body}"


@test()
async def a_request_without_host_is_refused():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        status, _, _ = await server.http("GET", "/lists", {"Host": None})
        assert status in (400, 403, 421), status


@test()
async def an_allowed_host_is_served():
    folder, lists = fruit()
    async with Server(lists, "--allow-host", "lists.example", folder=folder) as server:
        status, _, body = await server.http("GET", "/lists", {"Host": "lists.example"})
        assert status == 200, f"{status} {body}"
        status, _, body = await server.http("GET", "/lists", {"Host": "other.example"})
        assert status in (403, 421), status


@test()
async def a_foreign_origin_opens_no_socket_and_refreshes_nothing():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        status, body = await refused(server, origin=EVIL)
        assert status == 403 and "--allow-origin" in body, f"{status} {body}"
        headers = {"Origin": EVIL, "Content-Length": "0"}
        status, _, body = await server.http("POST", "/lists/fruit/refresh", headers)
        assert status == 403 and b"--allow-origin" in body, f"{status} {body}"
        assert folder.lines("fruit.log") == []
        async with Client.open(server, origin=server.url) as client:
            assert (await client.ask({"type": "ping"}))["type"] == "ok", "the page's own origin is let in"


@test()
async def an_origin_of_null_is_foreign():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        status, _ = await refused(server, origin="null")
        assert status == 403, status


@test()
async def an_allowed_origin_has_modules_lists_and_socket():
    folder, lists = fruit()
    friend = "https://friend.example"
    async with Server(lists, "--allow-origin", friend, folder=folder) as server:
        async with Client.open(server, origin=friend) as client:
            await client.watch("fruit")
            await client.settled("fruit")
        for path in ("/refreshable-list.js", "/lists", "/lists/fruit"):
            _, headers, _ = await server.http("GET", path, {"Origin": friend})
            assert headers.get("access-control-allow-origin") in (friend, "*"), f"{path}: {headers}"
            _, headers, _ = await server.http("GET", path, {"Origin": EVIL})
            assert headers.get("access-control-allow-origin") not in (EVIL,), f"{path}: {headers}"
        status, _ = await refused(server, origin=EVIL)
        assert status == 403, status


@test()
async def only_unknown_subprotocols_are_refused():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        status, _ = await refused(server, subprotocols=["refreshable.v9", "chat"])
        assert status == 400, status


@test()
async def a_handshake_of_another_version_is_refused():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}
        status, _, _ = await server.http("GET", "/ws", {**upgrade, "Sec-WebSocket-Version": "12"})
        assert status in (400, 426), status


@test()
async def upgrades_to_http_2_are_not_taken():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        headers = {"Upgrade": "h2c", "Connection": "Upgrade, HTTP2-Settings", "HTTP2-Settings": "AAMAAABkAAQAAP__"}
        try:
            status, _, _ = await server.http("GET", "/lists", headers)
        except (ConnectionError, EOFError):
            return
        assert status != 101, status
