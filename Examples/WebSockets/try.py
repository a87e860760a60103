#!/usr/bin/env python3
"""Runs each example and talks with it, by a client that is not ours.

    .build/venv/bin/python Examples/WebSockets/try.py [FOLDER OF THE PROGRAMS]

Prints "N passed, N failed"; the exit status is 0 only if all went well.
"""

import asyncio
import contextlib
import json
import sys
from pathlib import Path

import websockets

sys.path.append(str(Path(__file__).resolve().parents[1]))

import rules  # noqa: E402 (it is found there)

PROGRAMS = Path(sys.argv[1] if len(sys.argv) > 1 else ".build/debug")


@contextlib.asynccontextmanager
async def running(name):
    """The address that an example prints, while it runs on a free port."""
    async with rules.running(PROGRAMS / name) as (_, url):
        yield url


async def the_echo_sends_back_what_it_gets():
    async with running("Echo") as url, websockets.connect(url, max_size=None) as socket:
        for message in ["", "hello", b"\x00\xff", "large " * 100_000]:
            await socket.send(message)
            assert await socket.recv() == message


async def a_room_hears_what_is_said_in_it_and_nothing_else():
    async with running("Chat") as url:
        other = url.replace("lobby", "garden")
        async with websockets.connect(url) as ada, websockets.connect(url) as ben, websockets.connect(other) as eve:
            for socket in (ada, ben, eve):
                # It is a member once it hears itself.
                await socket.send("here")
                while await socket.recv() != "here":
                    pass
            await ada.send("to the lobby")
            for socket in (ada, ben):
                while await socket.recv() != "to the lobby":
                    pass
            await eve.send("to the garden")
            assert await eve.recv() == "to the garden"


async def a_room_has_a_name():
    async with running("Chat") as url:
        try:
            await websockets.connect(url.replace("/rooms/lobby", "/"))
        except websockets.InvalidStatus as refusal:
            assert refusal.response.status_code == 404
        else:
            raise AssertionError("a socket without a room was opened")


async def everybody_gets_each_tick():
    async with running("Ticker") as url, websockets.connect(url) as one, websockets.connect(url) as other:
        first = [json.loads(await one.recv())["tick"] for _ in range(3)]
        second = [json.loads(await other.recv())["tick"] for _ in range(3)]
        for ticks in (first, second):
            assert ticks == list(range(ticks[0], ticks[0] + 3)), ticks


async def the_client_prints_what_comes_back():
    async with running("Echo") as url:
        client = await asyncio.create_subprocess_exec(
            PROGRAMS / "Client", url, "hello", "world", stdout=asyncio.subprocess.PIPE
        )
        output, _ = await asyncio.wait_for(client.communicate(), 20)
        assert output.decode().splitlines() == ["hello", "world", "closed with 1000"], output
        assert client.returncode == 0


RULES = [
    the_echo_sends_back_what_it_gets, a_room_hears_what_is_said_in_it_and_nothing_else, a_room_has_a_name,
    everybody_gets_each_tick, the_client_prints_what_comes_back,
]  # fmt: skip


if __name__ == "__main__":
    sys.exit(asyncio.run(rules.try_rules(RULES)))
