"""P6: who does not read costs nobody, and is brought to now by one fold when they read again."""

import asyncio

from client import Client
from harness import Folder, Server, exchange, file_list, test, tsv
from raw_reader import RawReader

PATCHES = 2000
# Several lists at once, so that all patches pass before the reader's silence itself is noticed (25 s and 8 s).
LISTS = ["ticks", "tocks", "beats", "bells"]
# Several who do not read, so that what one costs stands out from how an allocator breathes.
READERS = 16


class StoppingReader(RawReader):
    """Watches all lists, stops, and is brought to now."""

    async def watch_all(self):
        """Watches all lists until they wait, and reads no further."""
        await self.open()
        for number, name in enumerate(LISTS):
            await self.send({"type": "watch", "id": str(number), "list": name})
            await self.read_until(lambda frame: frame["type"] == "state")
        self.frames = []

    async def is_brought_to(self, newest):
        """Reads again: for each list, one fold over what was missed, to the newest revision."""
        reached = {}

        def is_done(frame):
            if frame["type"] == "patch":
                reached[frame["list"]] = frame["revision"]
            return reached == newest

        await self.read_until(is_done)
        for name, revision in newest.items():
            patches = [frame for frame in self.frames if frame["type"] == "patch" and frame["list"] == name]
            folds = [patch for patch in patches if patch["revision"] - patch["from"] > 1]
            assert len(folds) == 1, f"{name}: {len(folds)} folds among {len(patches)} patches"
            fold = folds[0]
            assert fold["revision"] == revision, f"{name}: a fold to {fold['revision']}, not {revision}"
            assert fold["revision"] - fold["from"] > PATCHES // len(LISTS) // 2, f"{name}: from {fold['from']}"
            assert "run" not in fold and len(fold["set"]) == 1, fold


async def refresh_many(server, count):
    """Refreshes all lists again and again, each on one connection: each refresh is a commit of one row."""

    async def refresh(name):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        for _ in range(count // len(LISTS)):
            host = {"Host": f"localhost:{server.port}"}
            status, _, body = await exchange(reader, writer, "POST", f"/lists/{name}/refresh", host, b"")
            assert status == 200, body
        writer.close()

    await asyncio.gather(*map(refresh, LISTS))


def counting_list(folder, name):
    """One row of 300 bytes that differs each time: a ring of recent frames could hold them all, and yet one fold is due."""
    counter = folder / f"{name}.count"
    counter.write_text("0")
    command = f"read n < '{counter}'; echo $((n + 1)) > '{counter}'; printf 'only\\t%s {'x' * 300}\\n' $n"
    return tsv(name, command)


@test(limit=240)
async def a_reader_that_stops_costs_under_256_KiB_and_gets_one_fold():
    folder = Folder()
    lists = [counting_list(folder, name) for name in LISTS]
    async with Server(lists, folder=folder) as server, Client.open(server) as reader:
        for name in LISTS:
            await reader.watch(name)
            await reader.settled(name)
        # Everything that grows once has grown: the ring of recent frames, caches, the allocator's arenas.
        await refresh_many(server, PATCHES)
        before = server.resident()
        await refresh_many(server, PATCHES)
        without = max(0, server.resident() - before)

        stalled = [StoppingReader(server) for _ in range(READERS)]
        for one in stalled:
            await one.watch_all()
        before = server.resident()
        await refresh_many(server, PATCHES)
        each = (server.resident() - before - without) / READERS
        assert each < 256 * 1024, f"{each / 1024:.0f} KiB for each who does not read ({without >> 10} KiB without any)"

        for name in LISTS:
            await reader.shows_what_the_server_has(name)
        newest = {name: reader.model(name).revision for name in LISTS}
        for one in stalled:
            await one.is_brought_to(newest)


@test(limit=60)
async def who_asks_and_does_not_read_is_answered_in_order_once_they_read():
    folder = Folder()
    folder.write("fruit.tsv", [(f"k{number}", "x" * 12_000) for number in range(250)])
    async with Server([file_list(folder), file_list(folder, "nuts")], folder=folder) as server:
        await server.refresh("fruit")
        reader = RawReader(server)
        await reader.open()
        # Its rows fill what the system queues, and then it is read no further.
        await reader.watch("fruit")
        asked = [str(number) for number in range(2000)]
        for number in asked:
            await reader.send({"type": "unwatch", "id": number, "list": "nuts"})
        await reader.read_until(lambda frame: frame.get("id") == asked[-1], within=30)
        answered = [frame["id"] for frame in reader.frames if frame["type"] in ("ok", "error")]
        assert answered == ["fruit", *asked], f"{len(answered)} answers"
