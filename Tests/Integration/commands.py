"""Lists from commands: real processes, with all that they do and should not."""

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path

from client import Client
from harness import Folder, Server, eventually, say, test, tsv

# Waits for a file of the list's folder.
UNTIL = "until [ -e '{}' ]; do sleep 0.02; done; "


def is_alive(pid):
    """Whether a process runs; one that has ended and waits for its parent to ask does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def processes(mark):
    """Processes that have this among their arguments."""
    found = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit():
            try:
                arguments = (process / "cmdline").read_bytes()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if mark.encode() in arguments and is_alive(process.name):
                found.append(int(process.name))
    return found


async def none_left(mark, seconds=10):
    await eventually(lambda: not processes(mark), seconds, f"processes with {mark} are left")


def peak(server):
    """The most memory that the server has had, in bytes."""
    status = Path(f"/proc/{server.pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def keys(client, name):
    return [key for key, _ in client.model(name).ordered()]


@test()
async def rows_appear_as_they_are_printed_and_those_not_seen_leave_at_the_end():
    folder = Folder()
    until = [UNTIL.format(folder / name) for name in ("one", "two")]
    script = f"[ -e '{folder / 'new'}' ] || {{ printf 'a\\tA\\nz\\tZ\\n'; exit; }}; echo 'a\tA'; {until[0]}echo 'b\tB'; {until[1]}"
    async with Server([tsv("rows", script, mode="stream")], folder=folder) as server, Client.open(server) as client:
        await client.watch("rows")
        await client.until(lambda: keys(client, "rows") == ["a", "z"], what="the first rows")
        await client.settled("rows")
        (folder / "new").touch()
        await client.ask({"type": "refresh", "list": "rows"})
        (folder / "one").touch()
        await client.until(lambda: keys(client, "rows") == ["a", "b", "z"], what="a row that has come, while the run goes on")
        assert client.model("rows").state["phase"] == "loading", client.model("rows").state
        (folder / "two").touch()
        await client.settled("rows")
        assert keys(client, "rows") == ["a", "b"], "what was not printed has left"


@test()
async def rows_that_came_before_a_failure_stay_and_nothing_leaves():
    folder = Folder()
    script = f"[ -e '{folder / 'new'}' ] || {{ echo 'a\tA'; exit; }}; echo 'b\tB'; sleep 0.2; echo 'no such host: db' >&2; exit 7"
    async with Server([tsv("rows", script, mode="stream")], folder=folder) as server:
        await server.refresh("rows")
        (folder / "new").touch()
        _, body = await server.refresh("rows")
        assert body["error"]["message"] == "The command ended with status 7.", body
        assert sorted(key for key, _ in await server.rows("rows")) == ["a", "b"]
        assert "no such host: db" in server.log and "no such host" not in str(body), "for the log, not for people"


@test()
async def people_see_how_far_a_command_is():
    folder = Folder()
    until = UNTIL.format(folder / "go")
    told = f"echo '#progress 3/10 Reading mail'; {until}echo 'a\tA'; echo '#progress 10/10' >&2"
    counted = f"printf 'a\\tA\\nb\\tB\\n'; {until}printf 'c\\tC\\n'"
    lists = [tsv("told", told), tsv("counted", {"run": counted, "progress": {"total": 4}})]
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        for name, report in (
            ("told", {"completed": 3, "total": 10, "note": "Reading mail"}),
            ("counted", {"completed": 2, "total": 4}),
        ):
            await client.watch(name)
            await client.expect({"type": "progress", "list": name, **report}, within=10)
        (folder / "go").touch()
        for name, rows in (("told", ["a"]), ("counted", ["a", "b", "c"])):
            await client.settled(name)
            assert keys(client, name) == rows, "a mark is no row"


# What ignores SIGTERM, has children, and those have children too.
STUBBORN = "trap '' TERM; (trap '' TERM; sleep {0} & sleep {0}) & sleep {0} & {1}sleep {0}"


@test()
async def who_is_stopped_is_asked_and_then_made_to_end():
    folder = Folder()
    mark = f"314{os.getpid()}"
    command = {"run": STUBBORN.format(mark, ""), "patience": "500ms"}
    async with Server([tsv("rows", command)], folder=folder) as server, Client.open(server) as client:
        await client.watch("rows")
        await eventually(lambda: len(processes(f"sleep\0{mark}")) == 4, 10, "four that sleep")
        run = (await client.expect({"type": "state", "phase": "loading"}))["run"]
        await client.ask({"type": "stop", "list": "rows", "run": run})
        await client.expect({"type": "state", "phase": "closing", "last": {"run": run, "outcome": "cancelled"}})
        await none_left(mark)


@test()
async def after_kill_9_of_the_server_no_command_is_left():
    for number, before in enumerate(["", "exec 0</dev/null; ", "exec >/dev/null 2>&1; "]):
        mark = f"271{os.getpid()}{number}"
        command = {"run": STUBBORN.format(mark, before), "patience": "1s"}
        async with Server([tsv("rows", command)]) as server, Client.open(server) as client:
            await client.watch("rows")
            await eventually(lambda mark=mark: len(processes(f"sleep\0{mark}")) == 4, 10, "four that sleep")
            os.kill(server.pid, signal.SIGKILL)
            await none_left(mark)


@test()
async def the_end_of_the_server_ends_commands_before_it():
    mark = f"161{os.getpid()}"
    command = {"run": STUBBORN.format(mark, ""), "patience": "500ms"}
    async with Server([tsv("rows", command)]) as server:
        async with Client.open(server) as client:
            await client.watch("rows")
            await eventually(lambda: len(processes(f"sleep\0{mark}")) == 4, 10, "four that sleep")
        assert await server.stop(30) == 0, "it gives its run ten seconds"
        assert not processes(mark), "those that were not waited for"


@test(limit=300)
async def two_hundred_thousand_lines_cost_no_memory_where_few_are_shown():
    lists = [
        tsv("first", {"run": "seq 200000", "size": "16MiB"}, fields={"key": 1}, limit=10, deadline="none"),
        tsv("last", {"run": "seq 200000", "size": "16MiB"}, fields={"key": 1}, sort="-1", limit=10, deadline="none"),
    ]
    async with Server(lists) as server:
        for name, first in (("first", "1"), ("last", "200000")):
            before = peak(server)
            async with Client.open(server) as client:
                await client.watch(name)
                await client.settled(name, within=120)
                assert client.model(name).state["last"]["outcome"] == "success", client.model(name).state
            assert [key for key, _ in await server.rows(name)][0] == first
            grown = peak(server) - before
            # Kept, so many rows would take 100 MiB.
            assert grown < 32 << 20, f"{name}: {grown >> 20} MiB more"


@test(limit=300)
async def a_list_that_is_read_again_takes_no_more_memory():
    lines = {"run": "seq 100000 | sed 's/.*/&\\tThe row of number &, which is as it was/'", "size": "16MiB"}
    async with Server([tsv("rows", lines, deadline="none")]) as server, Client.open(server) as client:
        await client.watch("rows", window={"count": 1})
        await client.settled("rows", within=120)
        once = server.resident()
        for _ in range(4):
            await server.refresh("rows", within=120)
        grown = server.resident() / once
        assert grown < 1.2, f"{grown:.2f} times as much, of {once >> 20} MiB"


@test()
async def a_command_has_no_terminal_and_an_environment_of_its_own():
    script = "if (: < /dev/tty) 2>/dev/null; then echo a terminal; else echo none; fi; echo \"$TOKEN $LANG\""
    command = {"run": script, "environment": {"TOKEN": "is ${PATH}", "LANG": "C"}}
    async with Server([{"name": "rows", "command": command}]) as server:
        await server.refresh("rows")
        titles = [fields["title"] for _, fields in await server.rows("rows")]
        assert titles == ["none", f"is {os.environ['PATH']} C"], titles


@test()
async def a_command_that_prints_nothing_and_one_cut_short_are_told_apart():
    folder = Folder()
    lists = [
        tsv("nothing", "exit 0"),
        tsv("killed", "echo 'a\tA'; kill -9 $$"),
        tsv("half", "printf 'a\\tA\\nb\\tB'"),
        tsv("bytes", "printf 'a\\tA\\n\\377\\tB\\n'"),
    ]
    async with Server(lists, folder=folder) as server:
        outcomes = {one["name"]: (await server.refresh(one["name"]))[1] for one in lists}
        assert outcomes["nothing"]["outcome"] == "success" and await server.rows("nothing") == []
        assert outcomes["killed"]["error"]["message"] == "The command was ended by signal 9.", outcomes
        assert outcomes["bytes"]["error"]["message"] == "Line 2 of the output is not UTF-8 text.", outcomes
        assert await server.rows("killed") == []
        assert len(await server.rows("half")) == 2, "the last line needs no end"


class FirstServer(Server):
    """A server that is process 1, as in a container. `process` is who made the container."""

    def arguments(self):
        return [*CONTAINER, *super().arguments()]

    def within(self):
        """The processes of the container: the first, and those whose ancestor it is; with their states."""
        found, states = {self.process.pid}, {}
        stats = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            # Any of them may end meanwhile.
            with suppress(FileNotFoundError, ProcessLookupError):
                stats.append(stat.read_text().rpartition(")")[2].split() + [stat.parent.name])
        for _ in stats:
            found |= {int(stat[-1]) for stat in stats if int(stat[1]) in found}
        for stat in stats:
            if int(stat[-1]) in found - {self.process.pid}:
                states[int(stat[-1])] = stat[0]
        return states


CONTAINER = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--user", "--map-root-user"]


async def can_be_first():
    process = await asyncio.create_subprocess_exec(*CONTAINER, "true", stderr=asyncio.subprocess.DEVNULL)
    return await process.wait() == 0


@test()
async def the_first_process_of_a_container_leaves_no_orphans_and_hands_on_signals():
    if not await can_be_first():
        say("  not tried, as no container can be made here")
        return
    orphans = "for i in 1 2 3 4 5; do (setsid sh -c 'sleep 0.1 & sleep 0.2' >/dev/null 2>&1 &); done; printf 'a\\tA\\n'"
    async with FirstServer([tsv("rows", orphans)]) as server:
        for _ in range(3):
            assert (await server.refresh("rows"))[1]["outcome"] == "success"
        await eventually(lambda: len(server.within()) == 2, 10, f"more than two processes: {server.within()}")
        first = min(server.within())
        os.kill(first, signal.SIGTERM)
        assert await asyncio.wait_for(server.process.wait(), 10) == 0, server.log
