"""What commands print on a terminal is text, whoever wrote it."""

import asyncio
import contextlib
import json
import os
import pty

import harness
from harness import Folder, Server, test, tsv

# What retitles a window, clears it, moves the cursor up, and turns the direction of writing.
HOSTILE = "\x1b]0;owned\x07 \x1b[2J \x9b1A a\u202eb \u2066c\r \x7f"
STEERING = {chr(code) for code in (*range(0x20), *range(0x7F, 0xA0), 0x202E, 0x2066)} - {"\n", "\r", "\t"}


async def on_a_terminal(*arguments, cwd=None, lines=1, within=10):
    """Runs the command with a terminal as its output, until it ends or has printed so many lines; all that it printed."""
    ours, theirs = pty.openpty()
    process = await asyncio.create_subprocess_exec(
        str(harness.BINARY), *arguments, cwd=cwd, stdin=asyncio.subprocess.DEVNULL, stdout=theirs, stderr=theirs,
        env={**os.environ, "TERM": "dumb"},
    )  # fmt: skip
    os.close(theirs)
    printed = b""

    def read():
        with contextlib.suppress(OSError):
            return os.read(ours, 65536)
        return b""

    async def gather():
        nonlocal printed
        while piece := await asyncio.to_thread(read):
            printed += piece
            if lines and printed.count(b"\n") >= lines and process.returncode is None and arguments[0] == "watch":
                process.terminate()

    await asyncio.wait_for(gather(), within)
    await process.wait()
    os.close(ours)
    return printed.decode()


def is_text(printed, *marks):
    """Nothing in it steers, and what a stranger wrote can be seen."""
    # A terminal ends lines with both; a lone carriage return would write over what stands there.
    found = STEERING & set(printed) | ({"\r"} if "\r" in printed.replace("\r\n", "") else set())
    assert not found, f"{sorted(map(hex, map(ord, found)))} in {printed!r}"
    for mark in marks:
        assert mark in printed, printed


@test()
async def what_a_source_says_is_text_on_the_terminal_of_check():
    folder = Folder()
    (folder / "hostile").write_text(HOSTILE)
    (folder / "rows").write_text(f"a\t{HOSTILE}\n".replace("\r", ""))
    lists = [
        tsv("failing", f"cat '{folder / 'hostile'}' >&2; exit 3"),
        tsv("rows", f"cat '{folder / 'rows'}'"),
        tsv("field", f"cat '{folder / 'rows'}' '{folder / 'hostile'}'; exit 1"),
    ]
    (folder / "lists.yaml").write_text(json.dumps({"lists": lists}))
    is_text(await on_a_terminal("check", cwd=folder.path), "owned", "failing")
    folder.remove()


@test()
async def rows_of_strangers_are_text_on_the_terminals_of_refresh_and_watch():
    async with Server([{"name": "board", "push": True, "title": HOSTILE}, tsv("other", "exit 0")]) as server:
        body = json.dumps({"set": [{"key": HOSTILE, "fields": {"title": HOSTILE, "detail": HOSTILE}}]}).encode()
        status, _, answer = await server.http("PATCH", "/lists/board", {}, body)
        assert status == 200, answer
        (server.folder / "quoting.script").write_text(
            'connect\n> {"type":"watch","list":"board"}\n< {"type":"never"}\n'.replace("connect\n", "")
        )
        commands = [("watch", server.url, "board", "--json"), ("script", "quoting.script", "--url", server.url)]
        for command in commands:
            is_text(await on_a_terminal(*command, cwd=server.folder.path))
    async with Server([{"name": "rows", "command": f"printf '%b' '{spelled(HOSTILE)}'", "format": "jsonl"}]) as server:
        for flags in ((), ("--csv",), ("--json",)):
            is_text(await on_a_terminal("refresh", server.url, "rows", *flags), "owned")
        is_text(await on_a_terminal("watch", server.url, "rows", lines=2), "owned")
        process = await asyncio.create_subprocess_exec(
            str(harness.BINARY), "refresh", server.url, "rows", "--csv", stdout=asyncio.subprocess.PIPE
        )
        out, _ = await process.communicate()
        assert HOSTILE in out.decode(), "a program gets the very bytes"


def spelled(text):
    """A line of JSON with it, as printf '%b' writes it."""
    line = json.dumps({"key": "a", "title": text, "detail": text})
    return line.replace("\\", "\\\\") + "\\n"
