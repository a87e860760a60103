"""Bad input hurts its sender alone: the error the document names, and a healthy neighbour beside it."""

import asyncio
import contextlib
import json
import time
from pathlib import Path

from client import Client
from harness import Folder, Server, eventually, file_list, test, tsv

FRUIT = [("a", "Apple"), ("b", "Banana")]


@contextlib.asynccontextmanager
async def two_clients(*more, flags=()):
    """A server with a list `fruit`, one who will misbehave, and a neighbour who must not notice."""
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    async with Server([file_list(folder), *more], *flags, folder=folder) as server:
        async with Client.open(server) as neighbour, Client.open(server) as sender:
            await neighbour.watch("fruit")
            await neighbour.settled("fruit")
            yield server, sender, neighbour
            await is_healthy(server, neighbour)


async def is_healthy(server, neighbour):
    """The neighbour is answered at once, and a pull of theirs still runs."""
    started = time.monotonic()
    assert (await neighbour.ask({"type": "ping"}))["type"] == "ok"
    assert time.monotonic() - started < 0.5, f"a ping took {time.monotonic() - started:.2f} s"
    ok = await neighbour.pull("fruit", 1000)
    await neighbour.expect({"type": "state", "phase": "waiting", "last": {"run": ok["run"], "outcome": "success"}})
    await neighbour.shows_what_the_server_has("fruit")


def pull(**members):
    return {"type": "pull", "id": "x", "list": "fruit", "gesture": 1, "offset": 20, **members}


MESSAGES = [
    # what is sent, the code of the error, whether its id can be read
    ("{", "badJSON", False),
    ("", "badJSON", False),
    ("nonsense", "badJSON", False),
    ('{"type":"ping","id":"x"} trailing', "badJSON", None),
    ("[1,2,3]", "badJSON", False),
    ('"text"', "badJSON", False),
    ("null", "badJSON", False),
    ("7", "badJSON", False),
    ('{"type":"pull","id":"x","list":"fruit","gesture":1,"offset":NaN}', "badJSON", None),
    ('{"type":"pull","id":"x","list":"fruit","gesture":1,"offset":Infinity}', "badJSON", None),
    ("[" * 5000, "badJSON", False),
    ('{"type":"ping","id":"x","deep":' + "[" * 3000 + "]" * 3000 + "}", "badJSON", None),
    ('{"type":"ping","id":"\\ud800"}', "badJSON", None),
    ({"id": "x"}, ("badType", "badField"), True),
    ({"type": 7, "id": "x"}, ("badType", "badField"), True),
    ({"type": "fly", "id": "x"}, ("badType", "badField"), True),
    ({"type": "ping", "id": 7}, "badField", False),
    ({"type": "ping", "id": "i" * 65}, "badField", False),
    ({"type": "watch", "id": "x"}, "badField", True),
    ({"type": "watch", "id": "x", "list": 7}, "badField", True),
    ({"type": "watch", "id": "x", "list": "fruit", "epoch": "abc", "revision": -1}, "badField", True),
    ({"type": "watch", "id": "x", "list": "fruit", "epoch": "abc", "revision": 1.5}, "badField", True),
    ({"type": "watch", "id": "x", "list": "fruit", "epoch": 5, "revision": 1}, "badField", True),
    ({"type": "watch", "id": "x", "list": "nowhere"}, "unknownList", True),
    (pull(offset="70"), "badField", True),
    (pull(offset=None), "badField", True),
    ('{"type":"pull","id":"x","list":"fruit","gesture":1,"offset":1e999}', "badField", True),
    (pull(offset=10001), "badField", True),
    (pull(offset=-10001), "badField", True),
    (pull(gesture="1"), "badField", True),
    (pull(gesture=-1), "badField", True),
    (pull(gesture=1.5), "badField", True),
    ('{"type":"pull","id":"x","list":"fruit","gesture":99999999999999999999,"offset":1}', "badField", True),
    (pull(list="nowhere"), ("unknownList", "notWatching"), True),
    ({"type": "release", "id": "x", "list": "fruit", "gesture": 1, "offset": 70, "peak": 20000}, "badField", True),
    ({"type": "release", "id": "x", "list": "fruit", "gesture": 1}, "badField", True),
    ({"type": "refresh", "id": "x", "list": "fruit", "fresh": "never"}, "badField", True),
    ({"type": "refresh", "id": "x", "list": "fruit", "key": 7}, "badField", True),
    ({"type": "refresh", "id": "x", "list": "fruit", "key": "k" * 257}, "badField", True),
    ({"type": "refresh", "id": "x", "list": "nowhere"}, "unknownList", True),
    ({"type": "stop", "id": "x", "list": "fruit"}, "badField", True),
]


@test(limit=60)
async def each_bad_message_has_its_error_and_the_connection_stays():
    async with two_clients() as (server, sender, _):
        await sender.watch("fruit")
        await sender.settled("fruit")
        wrong = []
        for message, codes, has_id in MESSAGES:
            text = json.dumps(message) if isinstance(message, dict) else message
            await sender.socket.send(text)
            error = await sender.expect({"type": "error"})
            codes = (codes,) if isinstance(codes, str) else codes
            if error["code"] not in codes or has_id is not None and ("id" in error) != has_id:
                wrong.append(f"{text[:100]} → {json.dumps(error)}, expected {codes}, with id: {has_id}")
            if len(error["message"]) < 8:
                wrong.append(f"{text[:100]} → a message that tells nothing: {error}")
            await asyncio.sleep(0.06)
        assert not wrong, "\n".join(wrong)
        assert (await sender.ask({"type": "ping"}))["type"] == "ok"


@test()
async def a_field_that_is_wrong_is_named():
    async with two_clients() as (_, sender, _):
        error = await sender.ask({"type": "pull", "list": "fruit", "gesture": 1, "offset": "far"})
        assert "offset" in error["message"], error
        error = await sender.ask({"type": "watch", "list": "nowhere"})
        assert "nowhere" in error["message"] and error["retry"] == "never", error


@test()
async def a_gesture_needs_a_watch():
    async with two_clients() as (_, sender, _):
        for message in (
            {"type": "pull", "list": "fruit", "gesture": 1, "offset": 20},
            {"type": "release", "list": "fruit", "gesture": 1, "offset": 80, "peak": 80},
        ):
            error = await sender.ask(message)
            assert error["type"] == "error" and error["code"] == "notWatching", error


@test()
async def binary_frames_are_bad_type():
    async with two_clients() as (_, sender, _):
        await sender.socket.send(b'{"type":"ping","id":"b"}')
        error = await sender.expect({"type": "error"})
        assert error["code"] == "badType", error
        assert (await sender.ask({"type": "ping"}))["type"] == "ok", "the connection stays"


@test()
async def an_oversized_message_is_too_large_or_closes_with_1009():
    async with two_clients() as (server, _, _):
        for size in (16 * 1024 + 1, 200_000, 3_000_000):
            async with Client.open(server) as sender:
                with contextlib.suppress(ConnectionError):
                    await sender.socket.send(json.dumps({"type": "ping", "pad": "x" * size}))
                await eventually(
                    lambda: sender.reading.done()
                    or any(f.get("code") == "tooLarge" for f in sender.frames),  # noqa: B023
                    what=f"{size} bytes were taken without a word",
                )
                if sender.reading.done():
                    assert sender.socket.close_code == 1009, sender.socket.close_code


@test()
async def a_message_of_16_KiB_is_taken():
    async with two_clients() as (_, sender, _):
        text = json.dumps({"type": "ping", "id": "big", "pad": ""})
        await sender.socket.send(text.replace('""', '"' + "x" * (16 * 1024 - len(text)) + '"'))
        await sender.expect({"type": "ok", "id": "big"})


@test()
async def text_that_is_not_utf_8_ends_the_connection_alone():
    async with two_clients() as (server, _, _):
        async with Client.open(server) as sender:
            await sender.socket.send(b'{"type":"ping","id":"\xff"}', text=True)
            await eventually(lambda: sender.reading.done() or len(sender.frames) > 1)
            if sender.reading.done():
                assert sender.socket.close_code == 1007, sender.socket.close_code
            else:
                assert sender.frames[-1]["code"] == "badJSON", sender.frames[-1]


@test(alone=True)
async def ten_thousand_pulls_a_second_are_limited_and_the_neighbour_is_served():
    async with two_clients() as (server, sender, neighbour):
        await sender.watch("fruit")
        await sender.settled("fruit")
        start = len(sender.frames)
        message = json.dumps({"type": "pull", "list": "fruit", "gesture": 1, "offset": 20})
        slowest = 0.0
        with contextlib.suppress(Exception):
            for _ in range(20):
                for _ in range(500):
                    await sender.socket.send(message)
                asked = time.monotonic()
                await neighbour.ask({"type": "ping"})
                slowest = max(slowest, time.monotonic() - asked)
                await asyncio.sleep(0.03)
        assert slowest < 0.5, f"the neighbour waited {slowest:.2f} s"
        await sender.until(
            lambda: any(f.get("code") == "rateLimited" for f in sender.frames), what="it was not limited"
        )
        answers = sender.frames[start:]
        states = [frame for frame in answers if "gesture" in frame]
        assert len(states) <= 60 * 6, f"{len(states)} states for 10,000 pulls"
        assert len(answers) < 2000, f"{len(answers)} answers for 10,000 pulls"


@test(limit=45, alone=True)
async def a_flood_that_goes_on_is_closed_with_4103():
    async with two_clients() as (server, _, _):
        sender = await Client.connect(server)
        deadline = time.monotonic() + 25
        with contextlib.suppress(Exception):
            while time.monotonic() < deadline and not sender.reading.done():
                for _ in range(60):
                    await sender.socket.send('{"type":"ping"}')
                await asyncio.sleep(0.2)
        await eventually(sender.reading.done, 5, "it was not closed")
        assert sender.socket.close_code == 4103, sender.socket.close_code


@test()
async def more_lists_than_the_limit_are_too_many():
    lists = [tsv(f"l{number}", "true") for number in range(129)]
    folder = Folder()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        for number in range(128):
            await client.send({"type": "watch", "id": f"w{number}", "list": f"l{number}"})
        await client.expect({"type": "ok", "id": "w127"}, within=15)
        error = await client.ask({"type": "watch", "list": "l128"})
        assert error["type"] == "error" and error["code"] == "tooManyLists", error
        again = await client.ask({"type": "watch", "list": "l5"})
        assert again["type"] == "ok", "a list that is watched already does not count again"


async def outcome_of(command, expected="failure", **settings):
    """Pulls a list with this command and gives the error of the run."""
    async with two_clients(tsv("bad", command, **settings)) as (server, sender, _):
        await sender.watch("bad")
        await sender.settled("bad", within=20)
        last = sender.model("bad").state["last"]
        assert last["outcome"] == expected, last
        ok = await sender.pull("bad", 1)
        assert ok["run"], f"the list is stuck: {ok}"
        state = await sender.expect({"type": "state", "phase": "waiting", "last": {"run": ok["run"]}}, within=20)
        return state["last"].get("error")


@test()
async def a_command_that_fails_is_a_failure():
    error = await outcome_of("echo oops >&2; exit 3")
    assert error["message"], error


@test()
async def a_command_that_does_not_exist_is_a_failure():
    error = await outcome_of("/no/such/program")
    assert error["message"], error


@test()
async def a_command_that_kills_itself_is_a_failure():
    await outcome_of("kill -9 $$")


@test()
async def a_key_that_comes_twice_is_named():
    error = await outcome_of("printf 'a\\tone\\nsame-key\\ttwo\\nsame-key\\tthree\\n'")
    assert "same-key" in error["message"], error


@test()
async def json_lines_that_are_none_are_a_failure():
    await outcome_of("echo 'this is no JSON'", format="jsonl", fields={"key": "k", "title": "t"})


@test(alone=True)
async def a_garbage_flood_is_a_failure_and_not_a_full_memory():
    await outcome_of("head -c 200000000 /dev/zero", deadline="10s")


@test()
async def bytes_that_are_not_utf_8_do_not_break_a_list():
    async with two_clients(tsv("odd", "printf 'k\\t\\377\\376\\n'")) as (server, sender, _):
        await sender.watch("odd")
        await sender.settled("odd")
        assert sender.model("odd").state["last"]["outcome"] in ("success", "failure")


@test()
async def a_command_that_hangs_is_timed_out_with_its_children():
    folder = Folder()
    command = f"(while :; do echo $$ > '{folder / 'alive'}'; sleep 0.2; done) & wait"
    async with two_clients(tsv("hang", command, deadline="1s")) as (_, sender, _):
        await sender.watch("hang")
        await sender.expect({"type": "state", "phase": "closing", "last": {"outcome": "timeout"}}, within=10)
        await asyncio.sleep(3)
        (folder / "alive").unlink(missing_ok=True)
        await asyncio.sleep(0.6)
        still = (folder / "alive").exists()
        folder.remove()
        assert not still, "its children go on"


@test()
async def a_command_that_ignores_the_request_to_stop_is_ended():
    folder = Folder()
    command = f"trap '' TERM INT HUP; echo $$ > '{folder / 'process'}'; while :; do sleep 0.1; done"
    async with two_clients(tsv("deaf", command, deadline="1s")) as (_, sender, _):
        await sender.watch("deaf")
        await sender.expect({"type": "state", "phase": "closing", "last": {"outcome": "timeout"}}, within=10)
        await sender.settled("deaf")
        process = Path("/proc", (folder / "process").read_text().strip())
        await eventually(lambda: not process.exists(), what="the command goes on")
    folder.remove()


@test(alone=True)
async def a_busy_list_does_not_delay_another():
    folder = Folder()
    folder.write("slow.tsv", FRUIT)
    busy = tsv("busy", "end=$(($(date +%s) + 4)); while [ $(date +%s) -lt $end ]; do :; done")
    async with two_clients(busy) as (server, sender, _):
        await sender.watch("busy")
        await sender.expect({"type": "state", "phase": "loading"})
        started = time.monotonic()
        await sender.watch("fruit")
        await sender.expect({"type": "state", "list": "fruit"})
        assert time.monotonic() - started < 0.25, f"{time.monotonic() - started:.3f} s"
        assert sender.model("busy").state["phase"] == "loading", "it was served after the other"


@test()
async def settings_that_are_wrong_are_refused_before_anything_is_served():
    for lists, words in (
        ([{"name": "x", "comand": "true"}], ["comand", "command"]),
        ([{"name": "x", "command": "true", "deadline": "soon"}], ["deadline", "soon"]),
        ([{"name": "x", "command": "true", "mode": "strem"}], ["mode", "stream"]),
        ([{"name": "x", "command": "true"}, {"name": "x", "command": "true"}], ["x"]),
        ([{"name": "x"}], ["x"]),
    ):
        folder = Folder()
        server = Server(lists, folder=folder)
        process = await asyncio.create_subprocess_exec(
            *server.arguments(), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        try:
            output, _ = await asyncio.wait_for(process.communicate(), 10)
        except TimeoutError:
            process.kill()
            raise AssertionError(f"it serves {lists}") from None
        text = output.decode()
        assert process.returncode not in (0, None) and "Serving" not in text, text
        for word in ["lists.yaml", *words]:
            assert word in text, f"'{word}' is not in the message: {text}"
        folder.remove()


@test()
async def a_half_open_handshake_and_raw_nonsense_disturb_nobody():
    async with two_clients() as (server, _, _):
        for data in (
            b"\x16\x03\x01\x02\x00",
            b"GET",
            b"GET / HTTP/1.1\r\nHost: ",
            b"\x00" * 4096,
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        ):
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(data)
            await asyncio.sleep(0.05)
            writer.close()


@test()
async def requests_with_doubtful_bodies_are_refused():
    async with two_clients() as (server, _, _):
        path = "/lists/fruit/refresh"
        for headers in (
            {"Transfer-Encoding": "chunked"},
            {"Content-Length": "-5"},
            {"Content-Length": "many"},
        ):
            status, _, _ = await server.http("POST", path, headers)
            assert status in (400, 411, 413, 501), f"{headers}: {status}"


@test(alone=True)
async def pipelined_posts_do_not_spin_the_loop():
    async with two_clients() as (server, _, neighbour):
        request = f"POST /lists/fruit/refresh HTTP/1.1\r\nHost: localhost:{server.port}\r\nContent-Length: 2\r\n\r\nhi"
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write((request * 3).encode())
        assert (await neighbour.ask({"type": "ping"}, within=1))["type"] == "ok"
        answers = b""
        while answers.count(b"HTTP/1.1 200") < 3:
            piece = await asyncio.wait_for(reader.read(4096), 10)
            assert piece, answers
            answers += piece
        writer.close()
