"""What a server writes into its log: one line an event, parseable, and nothing that a stranger could forge."""

import asyncio
import json
import os
import re

from client import Client
from harness import Folder, Server, eventually, file_list, test, tsv

FRUIT = [("a", "Apple"), ("b", "Banana")]
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"


def fruit():
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    return folder, [file_list(folder)]


def events(server):
    """The lines of a JSON log; the announcement goes to standard output, which is in the same file here."""
    lines = [line for line in server.log.split("\n") if line.startswith("{")]
    return [json.loads(line) for line in lines]


@test()
async def the_end_of_each_run_is_one_line():
    folder, lists = fruit()
    lists.append(tsv("broken", "echo oh no >&2; exit 7"))
    async with Server(lists, "--log-format", "json", "--log-level", "info", folder=folder) as server:
        await server.refresh("fruit")
        await server.refresh("broken")
        ended = [event for event in events(server) if "run" in event]
        assert [(event["list"], event["run"], event["outcome"], event["level"]) for event in ended] == [
            ("fruit", "r1", "success", "info"),
            ("broken", "r1", "failure", "error"),
        ], ended
        assert ended[0]["inserted"] == "2" and int(ended[0]["milliseconds"]) >= 0, ended[0]
        assert "oh no" in ended[1]["message"], ended[1]
        for event in events(server):
            assert re.fullmatch(TIME, event["time"]) and event["level"] and event["message"], event


@test()
async def text_has_the_same_on_one_line():
    async with Server([tsv("broken", "printf 'oh\\033[2J\\nno' >&2; exit 7")]) as server:
        await server.refresh("broken")
        line = next(line for line in server.log.split("\n") if "A refresh failed" in line)
        assert re.match(rf"{TIME} error A refresh failed: ", line), line
        assert "list=broken run=r1 cause=" in line and "\x1b" not in server.log, line


@test()
async def what_a_stranger_sends_forges_no_line():
    forged = "2026-11-21T15:35:22.007Z critical All is lost"
    for form in ("text", "json"):
        async with Server([tsv("broken", f"printf 'no\\n{forged}\\r\\n' >&2; exit 7")], "--log-format", form) as server:
            status, _, _ = await server.http("GET", "/x%C2%9B2J%E2%80%A8%E2%80%AEy", {"Host": "elsewhere.example"})
            assert status in (400, 403), status
            await server.refresh("broken")
            await eventually(lambda: "A refresh failed" in server.log)
            log = server.log
            assert forged in log, "it is told"
            assert not any(line.startswith(forged) for line in log.splitlines()), log
            assert "\x1b" not in log, log
            if form == "json":
                refused = next(event for event in events(server) if event.get("reason") in ("host", "malformed"))
                assert refused["address"] == "127.0.0.1" and "\n" not in refused["path"], refused
            else:
                assert "\x9b" not in log and "\u2028" not in log, log


@test()
async def refusals_do_not_fill_the_disk():
    folder, lists = fruit()
    # So many for each loop.
    async with Server(lists, "--log-format", "json", "--loops", "1", folder=folder) as server:
        for _ in range(60):
            await server.http("GET", "/", {"Host": "elsewhere.example"})
        refused = [event for event in events(server) if event.get("reason") == "host"]
        assert 10 <= len(refused) <= 12, f"{len(refused)} lines of 60 refusals"


@test()
async def a_page_of_another_site_that_stays_empty_is_told_with_the_flag_that_helps():
    script, site = "/refreshable-list.js", "http://localhost:9999"
    for flags, origin, told in (
        ([], site, [(site, script)]), ([], None, []), (["--allow-origin", site], site, []), (["--allow-origin", "*"], site, []),
    ):  # fmt: skip
        folder, lists = fruit()
        async with Server(lists, "--log-format", "json", *flags, folder=folder) as server:
            own = f"localhost:{server.port}"
            status, _, _ = await server.http("GET", script, {"Host": own, "Origin": origin or f"http://{own}"})
            hints = [event for event in events(server) if "--allow-origin" in event["message"]]
            assert status == 200 and [(event["origin"], event["path"]) for event in hints] == told, (status, hints)
            if told:
                status, _, _ = await server.http("POST", "/lists/fruit/refresh", {"Origin": site})
                hint = events(server)[-1]
                assert status == 403 and hint["reason"] == "origin" and "--allow-origin" in hint["message"], (status, hint)


@test()
async def a_connection_that_was_closed_for_what_it_did_has_its_number():
    folder, lists = fruit()
    async with Server(lists, "--log-format", "json", "--log-level", "info", folder=folder) as server:
        client = await Client.connect(server)
        await client.socket.send("x" * 200_000)
        await eventually(lambda: any(event.get("code") == "1009" for event in events(server)))
        closed = next(event for event in events(server) if event.get("code") == "1009")
        assert int(closed["connection"]) >= 1 and closed["level"] == "info" and closed["reason"], closed
        await client.close()


@test()
async def secrets_stand_in_no_line_of_either_form():
    os.environ["SEEN_SECRET"] = "hunter22-and-more"
    try:
        for form in ("text", "json"):
            lists = [tsv("broken", "echo told hunter22-and-more >&2; exit 7", title="${SEEN_SECRET}")]
            async with Server(lists, "--log-format", form, "--log-level", "trace") as server:
                await server.refresh("broken")
                await eventually(lambda: "A refresh failed" in server.log)
                assert "hunter22" not in server.log and "${SEEN_SECRET}" in server.log, server.log
    finally:
        del os.environ["SEEN_SECRET"]


@test()
async def a_level_that_is_not_one_is_said_to_be():
    folder, lists = fruit()
    for flag in ("--log-format", "--log-level"):
        server = Server(lists, flag, "loud", folder=Folder())
        process = await asyncio.create_subprocess_exec(
            *server.arguments(), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        output, _ = await asyncio.wait_for(process.communicate(), 10)
        assert process.returncode == 64 and flag in output.decode() and "loud" in output.decode(), output
