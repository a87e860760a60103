"""However far behind and however many: one fold for each base, parts that stay together, four snapshots at most."""

import asyncio
import json

from client import Client
from harness import Folder, Server, exchange, file_list, test, tsv
from raw_reader import RawReader

LISTS = ["ticks", "tocks", "beats"]
# So large that a few of them fill what the system queues for a reader that has stopped.
FILLER = "x" * 3000
# Who is more patches behind than the ring reaches is served by one fold.
REACH = 32


def counting_list(folder, name):
    """A row of its own for every ten executions, and one that changes each time."""
    counter = folder / f"{name}.count"
    counter.write_text("0")
    return tsv(
        name,
        f"read n < '{counter}'; echo $((n + 1)) > '{counter}'; printf 'only\\t%s {FILLER}\\n' $n; "
        "i=0; while [ $i -le $((n / 10)) ]; do printf 'row %s\\tRow\\n' $i; i=$((i + 1)); done",
    )


async def refresh(server, name, count):
    """So many refreshes, each on the same connection: each is a commit."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    for _ in range(count):
        host = {"Host": f"localhost:{server.port}"}
        status, _, body = await exchange(reader, writer, "POST", f"/lists/{name}/refresh", host, b"")
        assert status == 200, body
    writer.close()


async def refresh_all(server, count):
    await asyncio.gather(*(refresh(server, name, count) for name in LISTS))


@test(limit=120)
async def readers_at_many_bases_of_many_lists_each_get_one_fold():
    folder = Folder()
    async with Server([counting_list(folder, name) for name in LISTS], folder=folder) as server, Client.open(
        server
    ) as client:
        for name in LISTS:
            await client.watch(name)
            await client.settled(name)
        stopped = []
        for _ in range(6):
            reader = RawReader(server)
            await reader.open()
            for name in LISTS:
                await reader.watch(name)
            stopped.append(reader)
            await refresh_all(server, 7)
        await refresh_all(server, 2 * REACH)
        for name in LISTS:
            await client.shows_what_the_server_has(name)
        newest = {name: client.model(name).revision for name in LISTS}

        bases = {name: set() for name in LISTS}
        for reader in stopped:
            for name, base in (await folds(reader, newest)).items():
                bases[name].add(base)
        for name in LISTS:
            assert len(bases[name]) >= 5, f"readers that stopped at different times are at {bases[name]}"


async def folds(reader, newest):
    """Reads again: for each list exactly one fold, to the newest revision. Gives the bases that they began at."""
    reached = {}

    def is_done(frame):
        if frame["type"] in ("patch", "snapshot"):
            reached[frame["list"]] = frame["revision"]
        return reached == newest

    await reader.read_until(is_done)
    found = {}
    for name, revision in newest.items():
        patches = [frame for frame in reader.frames if frame["type"] == "patch" and frame["list"] == name]
        far = [patch for patch in patches if patch["revision"] - patch["from"] > 1]
        assert len(far) == 1, f"{name}: {[(patch['from'], patch['revision']) for patch in far]}"
        assert far[0] is patches[-1] and far[0]["revision"] == revision and "run" not in far[0], far
        # Nothing was left out before it, and nothing is in it that did not change since.
        steps = [(patch["from"], patch["revision"]) for patch in patches]
        assert all(one[1] == next_[0] for one, next_ in zip(steps, steps[1:], strict=False)), steps
        assert len(far[0]["set"]) <= 1 + (revision - far[0]["from"]) // 10 + 1, far[0]["set"]
        found[name] = far[0]["from"]
    return found


@test(limit=60)
async def who_comes_to_a_base_after_its_fold_was_sent_gets_one_too():
    folder = Folder()
    folder.write("fruit.tsv", [(f"k{number}", "x" * 12_000) for number in range(250)])
    async with Server([file_list(folder, push=True)], "--loops", "1", folder=folder) as server:
        await server.refresh("fruit")
        base = (await server.json("/lists/fruit"))["revision"]
        readers = [RawReader(server), RawReader(server)]
        for reader in readers:
            await reader.open()
            await reader.watch("fruit")
        for number in range(REACH + 8):
            change = json.dumps({"set": [{"key": "k0", "fields": {"title": str(number)}}]}).encode()
            status, _, body = await server.http("PATCH", "/lists/fruit", body=change)
            assert status == 200, body
        newest = (await server.json("/lists/fruit"))["revision"]
        # Each has the rest of its snapshot to read first: the second comes to its end when the first has been served.
        for reader in readers:
            assert await folds(reader, {"fruit": newest}) == {"fruit": base}
            parts = [frame for frame in reader.frames if frame["type"] == "snapshot"]
            assert parts[-1]["last"] and parts[-1]["revision"] == base, "no fold takes the place of rows under way"


@test(limit=60)
async def large_patches_of_many_lists_come_in_parts_that_stay_together():
    folder = Folder()
    lists = [file_list(folder, name) for name in LISTS]
    for name in LISTS:
        folder.write(f"{name}.tsv", [(f"k{number}", "old " + "x" * 900) for number in range(400)])
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        for name in LISTS:
            await client.watch(name)
        for name in LISTS:
            await client.settled(name)
            folder.write(f"{name}.tsv", [(f"k{number}", "new " + "y" * 900) for number in reversed(range(400))])
        client.skip()
        before = client.cursor
        await refresh_all(server, 1)
        for name in LISTS:
            await client.shows_what_the_server_has(name)
            parts = [f for f in client.frames[before:] if f["type"] == "patch" and f["list"] == name]
            assert len(parts) >= 400 * 900 // 65536, f"{name}: {len(parts)} parts"
            assert len({(part["from"], part["revision"]) for part in parts}) == 1, "parts share from and revision"
            assert [part["last"] for part in parts] == [False] * (len(parts) - 1) + [True]
            mine = [f for f in client.frames[before:] if f.get("list") == name and "gesture" not in f]
            first = mine.index(parts[0])
            assert mine[first : first + len(parts)] == parts, f"{name}: parts are not next to each other"


@test(limit=90)
async def who_reads_the_fifth_snapshot_back_is_too_slow():
    folder = Folder()

    def write(version):
        folder.write("fruit.tsv", [(f"k{number}", f"{version} " + "x" * 12_000) for number in range(250)])

    write(0)
    async with Server([file_list(folder)], folder=folder) as server:
        await server.refresh("fruit")
        readers = []
        for version in range(1, 7):
            reader = RawReader(server)
            await reader.open()
            await reader.watch("fruit")
            readers.append(reader)
            write(version)
            status, outcome = await server.refresh("fruit")
            assert status == 200 and outcome["changes"]["changed"] == 250, outcome
        newest = await server.json("/lists/fruit")

        for reader in readers[:2]:
            assert await reader.read_to_the_end() == 4101
        for reader in readers[2:]:
            await reader.read_until(
                lambda frame: frame["type"] in ("snapshot", "patch")
                and (frame["revision"], frame["last"]) == (newest["revision"], True)
            )
