"""One server after the other is replaced while people watch and pull and programs push, through Caddy: nobody loses anything."""

import asyncio

import harness
import proxies
from harness import Folder, say, slow_list, test
from ports import free_port
from postgres_processes import PROGRAMS
from postgres_server import PostgresServer
from proxies import TOKEN, CaddyOfSeveral
from shared_server import SharedServer
from upgrade_visitors import Pusher, Reader, Visitor

FLAGS = ["--allow-host", "localhost", "--proxy", "127.0.0.1", "--push-token", TOKEN]
VISITORS = 8


def members(folder, postgres):
    """Three servers of the same lists, each with a port that it keeps."""
    folder.write("slow.tsv", [("a", "Apple"), ("b", "Banana")])
    lists = [slow_list(folder, seconds=0.8), {"name": "board", "push": True}]
    servers = []
    for number, port in enumerate([free_port() for _ in range(3)], 1):
        servers.append(SharedServer(postgres.url(), *FLAGS, "--port", str(port), lists=lists, folder=folder))
        servers[-1].name = f"server{number}"
        servers[-1].binary = harness.FORMER_BINARY
    return servers


async def replace(server):
    """As Operating.md has it: SIGTERM, another in its place, and on with the next once /readyz is 200."""
    assert await server.stop(25) == 0, server.log
    log, server.binary = server.log, None
    await server.start()
    await server.becomes(200)
    # Caddy asks once a second.
    await asyncio.sleep(1.5)
    return log


@test(limit=180)
async def servers_are_replaced_one_after_the_other_and_nobody_loses_anything():
    if proxies.skipped("caddy") or PROGRAMS is None:
        return say("    skipped: there is no PostgreSQL or no Caddy here")
    folder = Folder()
    with PostgresServer() as postgres:
        servers = members(folder, postgres)
        async with servers[0], servers[1], servers[2]:
            root = folder / "caddy/pki/authorities/local/root.crt"
            async with CaddyOfSeveral(servers, folder, "localhost", lambda: root) as proxy:
                await upgrade_under_load(servers, folder, proxy)


async def upgrade_under_load(servers, folder, proxy):
    visitors = [Visitor(proxy, number) for number in range(VISITORS)]
    pusher, reader, over = Pusher(proxy), Reader(proxy), asyncio.Event()
    async with asyncio.TaskGroup() as group:
        for visitor in visitors:
            group.create_task(visitor.stay(over))
        group.create_task(pusher.go_on(over))
        group.create_task(reader.go_on(over))
        await asyncio.sleep(2)
        logs = [await replace(server) for server in servers]
        # As long as the last may wait.
        await asyncio.sleep(9)
        over.set()
    say(
        f"    {len(folder.lines('slow.log')) // 2} runs for {sum(len(visitor.runs) for visitor in visitors)} pulls, "
        f"{pusher.count} pushes of which {len(pusher.sent_again)} were sent again, "
        f"{sum(len(visitor.goodbyes) for visitor in visitors)} goodbyes, "
        f"{sum(len(visitor.refused) for visitor in visitors)} handshakes refused"
    )
    nobody_saw_an_error(visitors, reader, logs)
    runs_went_to_their_end(folder, visitors)
    await pushes_were_done_once(servers, pusher, visitors)


def nobody_saw_an_error(visitors, reader, logs):
    for visitor in visitors:
        assert visitor.faults == [], visitor.faults
        assert {code for code, _ in visitor.goodbyes} == {4200}, "each was on a server that was replaced"
        # Within the second in which Caddy does not know yet that a server is about to stop.
        assert set(visitor.refused) <= {503} and len(visitor.refused) <= len(visitor.goodbyes), visitor.refused
        assert all(len(epochs) == 1 for epochs in visitor.epochs.values()), visitor.epochs
        assert "snapshot" not in visitor.begins[2:], visitor.begins
    assert set(reader.answers) == {200}, [answer for answer in reader.answers if answer != 200]
    # What the version before logged is its own affair.
    for log in logs if harness.FORMER_BINARY is None else []:
        assert " error " not in log and " warning The server stops" not in log, log


def runs_went_to_their_end(folder, visitors):
    lines = [line.split()[0] for line in folder.lines("slow.log")]
    assert lines == ["begin", "end"] * (len(lines) // 2), "one run at a time, each to its end"
    for visitor in visitors:
        numbers = [int(run[1:]) for run in visitor.runs]
        assert numbers == sorted(numbers) and len(numbers) > 5, numbers


async def pushes_were_done_once(servers, pusher, visitors):
    bodies = [await server.json("/lists/board") for server in servers]
    for body in bodies:
        # Each push is a revision; one that is done again after a later one would be another.
        assert body["revision"] == pusher.count, f"{pusher.count} pushes, revision {body['revision']}"
        assert {row["key"] for row in body["rows"]} == {"counter", *(f"p{number}" for number in range(1, pusher.count + 1))}
    assert len({body["epoch"] for body in bodies}) == 1
    for visitor in visitors:
        assert visitor.counts == sorted(visitor.counts) and visitor.counts[-1] > 0, "the counter went back"
