"""How each Swift program of the pages is used; `given` is where it was built."""

import asyncio
import json
import signal

import websockets
from client import Client
from registry import runs
from running import BY_SIGNAL, SERVER, URL, get, pulled, rows, running, shell, titles, typed

FRUIT = ["Apple", "Banana", "Orange"]
ECHO = "ws://localhost:8080/"


def served(given, **options):
    """A program in a folder of its own. Without a service group, it has no say in how SIGTERM ends it."""
    return running(given.program, **{"folder": given.folder, "ends": BY_SIGNAL, **options})


@runs("program", "README: A server in Swift")
async def the_rows_of_the_readme_are_pulled(given):
    async with served(given):
        assert [fields["subtitle"] for _, fields in await rows("mailbox")] == ["Ada", "Grace"]
        await pulled("mailbox", ["Hello", "Lunch?"])


@runs("program", "RefreshableLists: Overview")
async def a_mailbox_of_the_readers_own_is_pulled(given):
    async with served(given):
        assert await titles("mailbox") == ["Hello"]
        assert (await rows("mailbox"))[0][1]["subtitle"] == "Ada"
        await pulled("mailbox", ["Hello"])


@runs("program", "GettingStarted: Create a package, 2")
async def the_first_program_takes_two_seconds_and_shuffles(given):
    async with served(given):
        status, head, page = await get("/")
        assert status == 200 and 'src="refreshable-list.js"' in page, page
        await pulled("fruit", FRUIT)


@runs("program", "GettingStarted: Open it on your phone")
async def other_devices_reach_it(given):
    async with served(given):
        status, _, text = await get("/lists/fruit", {"Host": "127.0.0.2:8080"}, host="127.0.0.2")
        assert status == 200 and "Apple" in text
        await pulled("fruit", FRUIT)


@runs("program", "SwiftServer: Several lists")
async def both_lists_are_served(given):
    async with served(given):
        assert await titles("names") == ["Jarl", "Medeia"]
        assert await titles("mailbox") == ["Hello"]
        await pulled("names", ["Nephele", "Medeia"])


@runs("program", "SwiftServer: In a service group")
async def a_service_group_says_goodbye_after_the_signal(given):
    async with served(given, ends=0) as program:
        await pulled("fruit", FRUIT)
        status, _, text = await get("/metrics")
        assert status == 200 and "refreshable_runs_total" in text, text
        async with Client.open(SERVER) as client:
            program.process.send_signal(signal.SIGTERM)
            await client.expect({"type": "goodbye", "code": 4200, "reconnect": True}, 10)


@runs("program", "Metrics: In a Swift program")
async def its_own_metrics_are_served_too(given):
    async with served(given):
        await pulled("fruit", FRUIT)
        status, _, text = await get("/metrics")
        assert status == 200 and "orders_total 1" in text, text


@runs("program", "SwiftServer: Rows from other programs")
async def rows_are_put_by_the_command_of_the_page(given):
    async with served(given):
        await typed(given.beside("sh"), given.folder)
        assert await rows("board") == [("k", {"title": "Tea"})]


@runs("program", "SwiftServer: A list without a handler")
async def lines_of_the_program_are_rows(given):
    async with served(given) as program:
        await program.until(lambda: "Steady" in shell(f"curl -s {URL}/lists/log", given.folder), 5, "both lines are there")
        assert await titles("log") == ["Steady", "Ready"]


@runs("program", "AccessControl: In Swift")
async def rights_are_as_the_program_says(given):
    kitchen = {"Authorization": "Bearer correct-horse-battery-staple"}
    async with served(given):
        assert (await get("/lists/fruit"))[0] == 401
        await pulled("fruit", FRUIT, kitchen)


@runs("program", "ClientProgram: Overview")
async def a_client_prints_what_came(given):
    async with served(given.other("README: A server in Swift")), served(given, port=None) as client:
        await client.prints("2 letters, 2 of them new")


@runs("program", "README: WebSockets, without lists", "WebSockets: Overview", "ServingWebSockets: Create a package, 2")
async def messages_come_back(given):
    async with served(given), websockets.connect(ECHO) as socket:
        for message in ("hello", b"\x00\xff"):
            await socket.send(message)
            assert await socket.recv() == message


@runs("program", "ServingWebSockets: Serve")
async def it_asks_who_you_are(given):
    async with served(given):
        try:
            await websockets.connect(ECHO)
        except websockets.InvalidStatus as refusal:
            assert refusal.response.status_code == 401 and refusal.response.body == b"Who are you?"
        else:
            raise AssertionError("whoever shows no token was let in")
        bearer = {"Authorization": "Bearer secret"}
        async with websockets.connect(f"{ECHO}lobby", additional_headers=bearer, subprotocols=["chat.v1"]) as socket:
            assert socket.subprotocol == "chat.v1"
            assert await socket.recv() == "welcome to /lobby"
            await socket.send("hello")
            assert await socket.recv() == "HELLO"


@runs("program", "ServingWebSockets: Serve, 2")
async def a_group_of_sockets_says_goodbye_after_the_signal(given):
    async with served(given, ends=0) as program, websockets.connect(ECHO) as socket:
        await socket.send("hello")
        assert await socket.recv() == "hello"
        program.process.send_signal(signal.SIGTERM)
        await asyncio.wait_for(socket.wait_closed(), 10)
        assert socket.close_code == 1001, socket.close_code


@runs("program", "ServingWebSockets: Send and receive")
async def it_says_how_long_a_ping_takes_and_how_a_socket_was_lost(given):
    async with served(given) as program:
        async with websockets.connect(ECHO) as socket:
            await socket.send("time")
            assert "seconds" in await socket.recv()
        socket = await websockets.connect(ECHO)
        socket.transport.abort()
        await program.prints("lost with 1006")


@runs("program", "ServingWebSockets: Send to many")
async def a_room_hears_what_others_say(given):
    async with served(given), websockets.connect(ECHO) as ada, websockets.connect(ECHO) as ben:
        for one, other in ((ada, ben), (ben, ada)):
            heard = asyncio.create_task(other.recv())
            # The other may not be in the room so far.
            while not heard.done():
                await one.send("hello")
                await asyncio.wait([heard], timeout=0.1)
            assert heard.result() == "hello"


@runs("program", "ServingWebSockets: Connect to a server")
async def it_prints_what_the_server_says_until_that_ends(given):
    async with served(given.other("ServingWebSockets: Serve")), served(given, port=None) as client:
        await client.prints("welcome to /lobby")
        await client.prints("HELLO")


@runs("program", "ServingWebSockets: Connect to a server, 2")
async def it_prints_the_answer_and_ends(given):
    async with served(given.other("ServingWebSockets: Send and receive")), served(given, port=None, ends=0) as client:
        assert await client.end() == 0
        assert "seconds" in client.printed


@runs("program", "ServingWebSockets: Answer HTTP requests")
async def each_route_answers(given):
    (given.folder / "Public").mkdir()
    (given.folder / "Public/index.html").write_text("<title>Hello</title>")
    async with served(given):
        assert (await get("/users/7?view=long"))[2] == "user 7, long"
        note = {"text": "Tea"}
        status, _, text = await get("/notes", method="POST", body=json.dumps(note).encode())
        assert (status, json.loads(text)) == (201, note)
        assert (await get("/"))[2] == "<title>Hello</title>"
        assert await typed(f"curl -s {URL}/numbers | tail -n 1", given.folder) == "10000\n"
        assert "event: tick\ndata: " in await typed(f"curl -sN {URL}/clock | head -n 2 || true", given.folder)
        async with websockets.connect(ECHO) as socket:
            await socket.send("hello")
            assert await socket.recv() == "hello"
