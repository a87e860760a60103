"""Where lists are kept: one server a folder, and rows that outlive it."""

import asyncio
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
import uuid
from contextlib import contextmanager
from pathlib import Path

import harness
from client import Client
from harness import Folder, Server, eventually, file_list, say, test

FRUIT = [("a", "Apple"), ("b", "Banana")]


def fruit():
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    return folder, [file_list(folder)]


@test()
async def a_second_server_on_the_same_data_is_refused_with_the_firsts_process_id():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        second = await asyncio.create_subprocess_exec(
            *server.arguments(), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        output, _ = await asyncio.wait_for(second.communicate(), 10)
        assert second.returncode not in (0, None), output
        assert str(server.pid) in output.decode(), output.decode()
        assert (await client.ask({"type": "ping"}))["type"] == "ok", "the first one is not disturbed"
        ok = await client.pull("fruit", 1)
        await client.expect({"type": "state", "phase": "waiting", "last": {"run": ok["run"], "outcome": "success"}})


@test()
async def rows_are_there_before_the_source_is_asked_again():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        await server.refresh("fruit")
        before = await server.json("/lists/fruit")
        (folder / "fruit.tsv").unlink()
        await server.restart()
        after = await server.json("/lists/fruit")
        assert (after["epoch"], after["revision"], after["rows"]) == (
            before["epoch"],
            before["revision"],
            before["rows"],
        )


@test()
async def an_ephemeral_server_starts_in_a_new_epoch():
    folder, lists = fruit()
    async with Server(lists, folder=folder, ephemeral=True) as server:
        client = await Client.connect(server)
        await client.watch("fruit")
        await client.settled("fruit")
        await client.close()
        await server.restart()
        async with Client.open(server, models=client.models) as back:
            model = back.model("fruit")
            ok = await back.watch("fruit", resume=True)
            assert ok["begin"] == "snapshot" and ok["epoch"] != client.frames[1]["epoch"], ok
            await back.settled("fruit")
            await back.shows_what_the_server_has("fruit")
            assert model.epoch == ok["epoch"]


@test()
async def a_copied_data_folder_is_another_history():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        models = {}
        client = await Client.connect(server, models=models)
        await client.watch("fruit")
        await client.settled("fruit")
        await client.close()
        assert await server.stop() == 0
        copy = await asyncio.create_subprocess_exec("cp", "-r", str(folder / "data"), str(folder / "copy"))
        assert await copy.wait() == 0
        (await (await asyncio.create_subprocess_exec("rm", "-r", str(folder / "data"))).wait())
        (folder / "copy").rename(folder / "data")
        await server.start()
        async with Client.open(server, models=models) as back:
            ok = await back.watch("fruit", resume=True)
            assert ok["begin"] == "snapshot", f"history can't be vouched for: {ok}"
            await back.settled("fruit")
            await back.shows_what_the_server_has("fruit")


def cannot_run(*command):
    """Runs a command of the system; why it failed, or nothing."""
    try:
        result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    except FileNotFoundError as error:
        return str(error)
    return result.stderr.strip() or f"status {result.returncode}" if result.returncode else None


def run(*command):
    """A command of the system that must succeed."""
    problem = cannot_run(*command)
    assert not problem, f"{command}: {problem}"


@contextmanager
def mounted(folder, *options):
    """A file system of its own as the data folder, where this user may mount one; false where not."""
    data = folder / "data"
    data.mkdir(exist_ok=True)
    problem = cannot_run("mount", *options, data)
    if problem:
        say(f"  skipped: no file system can be mounted here ({problem})")
        yield False
        return
    try:
        yield True
    finally:
        run("umount", "--lazy", data)


def ext4(folder):
    """A file with an empty file system; nothing where no such can be made."""
    disk = folder / "disk"
    disk.write_bytes(bytes(16 << 20))
    problem = cannot_run("mkfs.ext4", "-q", "-F", disk)
    if problem:
        say(f"  skipped: no file system can be made here ({problem})")
    return None if problem else disk


@contextmanager
def small_disk(folder, size, *options):
    with mounted(folder, "-t", "tmpfs", "-o", ",".join([f"size={size}", *options]), "tmpfs") as can_mount:
        yield can_mount


def many(length):
    """Rows whose texts have that many characters."""
    return [(f"k{number}", random.Random(number + length).randbytes(length // 2).hex()) for number in range(100)]


@test(60)
async def on_a_full_disk_lists_are_served_and_go_on_without_a_restart():
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    with small_disk(folder, "4m") as can_mount:
        if not can_mount:
            return
        async with Server([file_list(folder, push=True)], folder=folder) as server:
            async with Client.open(server) as client:
                await client.watch("fruit")
                await client.settled("fruit")
                before = await server.json("/lists/fruit")
                # Leaves less than such a commit takes.
                filler = folder / "data" / "filler"
                free = shutil.disk_usage(folder / "data").free
                filler.write_bytes(bytes(free - 100_000))
                folder.write("fruit.tsv", many(8000))

                _, run_ = await server.refresh("fruit")
                assert run_["outcome"] == "failure", run_
                text = "The rows could not be kept: the server's disk is full."
                assert run_["error"]["message"] == text, run_

                after = await server.json("/lists/fruit")
                assert (after["revision"], after["rows"]) == (before["revision"], before["rows"])
                assert after["staleSince"], "what could not be refreshed is marked"
                status, _, body = await server.http("GET", "/")
                assert status == 200 and body, "the page goes on"
                async with Client.open(server) as other:
                    ok = await other.watch("fruit")
                    assert ok["count"] == len(FRUIT), ok
                    await other.shows_what_the_server_has("fruit")
                big = json.dumps({"set": [{"key": k, "fields": {"t": t}} for k, t in many(8000)[:40]]}).encode()
                status, _, body = await server.http(
                    "PATCH", "/lists/fruit", {"Content-Type": "application/json"}, big
                )
                assert status == 503 and str(folder.path).encode() not in body, (status, body)

                filler.unlink()
                _, run_ = await server.refresh("fruit")
                assert run_["outcome"] == "success", run_
                await client.shows_what_the_server_has("fruit")
                assert len(await server.rows("fruit")) == 100
                assert "staleSince" not in await server.json("/lists/fruit")
            assert await server.stop() == 0
            epoch, rows = before["epoch"], len(many(8000))
            await server.start()
            again = await server.json("/lists/fruit")
            assert (again["epoch"], len(again["rows"])) == (epoch, rows)
            await server.stop()


@test(60)
async def on_a_disk_that_the_system_made_read_only_lists_are_served():
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    disk = ext4(folder)
    if not disk:
        return
    with mounted(folder, "-o", "loop,errors=remount-ro", disk) as can_mount:
        if not can_mount:
            return
        async with Server([file_list(folder)], folder=folder) as server:
            await server.refresh("fruit")
            before = await server.json("/lists/fruit")
            with open("/proc/mounts") as mounts:
                device = next(line.split()[0] for line in mounts if str(folder / "data") in line)
            fault = Path("/sys/fs/ext4") / Path(device).name / "trigger_fs_error"
            fault.write_text("a test")
            folder.write("fruit.tsv", [*FRUIT, ("c", "Cherry")])
            _, run_ = await server.refresh("fruit")
            text = "The rows could not be kept: the server may not write to its disk."
            assert (run_["outcome"], run_["error"]["message"]) == ("failure", text), run_
            async with Client.open(server) as client:
                ok = await client.watch("fruit")
                assert (ok["epoch"], ok["revision"]) == (before["epoch"], before["revision"]), ok
                await client.settled("fruit")
                assert client.model("fruit").state["staleSince"]
                await client.shows_what_the_server_has("fruit")


@test()
async def a_server_whose_data_cannot_be_written_is_refused_with_the_reason():
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    with small_disk(folder, "1m", "ro") as can_mount:
        if can_mount:
            server = Server([file_list(folder)], folder=folder)
            process = await asyncio.create_subprocess_exec(
                *server.arguments(), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
            )
            output, _ = await asyncio.wait_for(process.communicate(), 10)
            text = output.decode()
            assert process.returncode not in (0, None), text
            assert "it is read-only" in text and str(folder / "data") in text, text
    folder.remove()


@test()
async def a_live_copy_put_back_after_a_kill_is_another_history():
    for way in ["beside", "in place"]:
        folder, lists = fruit()
        async with Server(lists, folder=folder) as server:
            models = {}
            client = await Client.connect(server, models=models)
            await client.watch("fruit")
            await client.settled("fruit")
            run("cp", "-a", folder / "data", folder / "copy")
            folder.write("fruit.tsv", [*FRUIT, ("c", "Cherry")])
            await server.refresh("fruit")
            await client.shows_what_the_server_has("fruit")
            await client.cut()
            await server.kill()
            # The mark is of the moment; a copy is put back later than that.
            await asyncio.sleep(1.2)
            if way == "beside":
                run("rm", "-r", folder / "data")
                run("cp", "-a", folder / "copy", folder / "data")
            else:
                run("cp", "-r", f"{folder / 'copy'}/.", folder / "data")
            await server.start()
            async with Client.open(server, models=models) as back:
                ok = await back.watch("fruit", resume=True)
                assert ok["begin"] == "snapshot", f"{way}: rows were lost, so this is another history: {ok}"
                await back.settled("fruit")
                await back.shows_what_the_server_has("fruit")


class Machine(Server):
    """A server that sees a boot of its own, on a disk whose power can be cut."""

    def arguments(self):
        boot = self.folder / "boot"
        boot.write_text(f"{uuid.uuid4()}\n")
        bind = 'mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@"'
        return ["unshare", "--mount", "sh", "-c", bind, str(boot), *super().arguments()]

    async def lose_power(self, disk):
        """What is on the disk now is all that is left: not what the system has not written yet."""
        left = self.folder / f"disk-{uuid.uuid4()}"
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGSTOP)
        shutil.copyfile(disk, left)
        if self.process.returncode is None:
            await self.kill()
        return left


@contextmanager
def held(folder, kind):
    """Another program holds the store's file."""
    other = sqlite3.connect(folder / "data" / "lists.sqlite", isolation_level=None)
    other.execute(f"BEGIN {kind}")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def put(server, name, key, title, within=10):
    """A push of one row."""
    body = json.dumps({"fields": {"title": title}}).encode()
    return server.http("PUT", f"/lists/{name}/rows/{key}", {"Content-Type": "application/json"}, body, within=within)


@test(60, alone=True)
async def while_another_program_holds_the_file_rows_are_read_and_pushes_wait():
    folder, lists = fruit()
    lists.append({"name": "board", "push": True})
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await server.refresh("fruit")
        await put(server, "board", "a", "first")
        await client.watch("board")
        for kind in ("IMMEDIATE", "EXCLUSIVE"):
            with held(folder, kind):
                pushes = [asyncio.create_task(put(server, "board", f"k{n}", kind)) for n in range(3)]
                refresh = asyncio.create_task(server.refresh("fruit"))
                slowest = 0
                end = time.monotonic() + 2
                while time.monotonic() < end:
                    start = time.monotonic()
                    await server.json("/lists/board")
                    await server.json("/lists/fruit")
                    directory = await server.json("/lists")
                    assert all("count" in entry for entry in directory["lists"]), directory
                    assert (await server.http("GET", "/readyz"))[0] == 200
                    async with Client.open(server) as newcomer:
                        assert (await newcomer.watch("board"))["begin"] == "snapshot"
                    slowest = max(slowest, time.monotonic() - start)
                assert slowest < 1, f"somebody who only reads waited for {slowest:.1f} s"
                assert not any(task.done() for task in [*pushes, refresh]), "what is to be kept waits"
            statuses = [(await push)[0] for push in pushes]
            assert set(statuses) <= {200, 201}, statuses
            assert (await refresh)[1]["outcome"] == "success"
            await client.shows_what_the_server_has("board")


@test(60)
async def a_push_that_cannot_be_kept_for_five_seconds_is_refused():
    folder = Folder()
    async with Server([{"name": "board", "push": True}], folder=folder) as server:
        await put(server, "board", "a", "first")
        with held(folder, "IMMEDIATE"):
            start = time.monotonic()
            status, _, body = await put(server, "board", "b", "second", within=20)
            assert status == 503 and 4 < time.monotonic() - start < 10, (status, body, time.monotonic() - start)
        assert [key for key, _ in await server.rows("board")] == ["a"]
        assert (await put(server, "board", "b", "second"))[0] == 201


@test(120, alone=True)
async def a_list_of_many_rows_holds_up_no_other():
    """The first refresh of 60,000 rows, and a second one that changes a part of them."""
    folder = Folder()
    folder.write("many.tsv", [(f"k{number}", f"Row {number}") for number in range(60_000)])
    lists = [file_list(folder, "many"), {"name": "board", "push": True}, {"name": "other", "push": True}]
    async with Server(lists, folder=folder) as server:
        await put(server, "board", "a", "first")
        await put(server, "other", "a", "first")
        await server.json("/lists")
        for step in ("first", "second"):
            refresh = asyncio.create_task(server.refresh("many", within=90))
            times = []
            while not refresh.done():
                start = time.monotonic()
                assert (await put(server, "board", f"k{len(times) % 9}", step))[0] in (200, 201)
                await server.json("/lists")
                await server.json("/lists/other")
                times.append(time.monotonic() - start)
                await asyncio.sleep(0.02)
            status, run_ = await refresh
            assert status == 200 and run_["outcome"] == "success", run_
            slowest = max(times)
            say(f"  {step}: {run_['duration']} ms; of {len(times)} neighbours the slowest waited {slowest * 1000:.0f} ms")
            assert slowest < 1, f"a neighbour waited for {slowest:.1f} s"
            folder.write("many.tsv", [(f"k{number}", f"Row {number % 7}") for number in range(30_000, 90_000)])
        expected = [(f"k{number}", {"title": f"Row {number % 7}"}) for number in range(30_000, 90_000)]
        assert await server.rows("many") == expected
        # What was large when it was kept is the same after the end, wherever that comes.
        await server.restart(clean=False)
        assert await server.rows("many") == expected


@test(120)
async def after_a_loss_of_power_nothing_acknowledged_is_missing_from_its_epoch():
    """A real file system on a file: what was synced is in the file, and the rest is lost with the machine."""
    seed = int(os.environ.get("STORING_SEED", time.time_ns() % 1_000_000))
    chance = random.Random(seed)
    say(f"  STORING_SEED={seed}")
    folder = Folder()
    disk = ext4(folder)
    if not disk:
        return
    server = Machine([{"name": "board", "push": True}], folder=folder)
    known, kept, lost = None, 0, 0
    for life in range(8):
        with mounted(folder, "-o", "loop", disk) as can_mount:
            if not can_mount:
                return
            await server.start()
            try:
                found = await server.json("/lists/board")
                rows = {row["key"]: row["fields"] for row in found["rows"]}
                if known and found["epoch"] == known[0]:
                    kept += 1
                    assert (found["revision"], rows) == known[1:], f"seed {seed}, life {life}"
                elif known:
                    lost += 1
                    assert not clean, f"seed {seed}, life {life}: closed, synced, and yet another epoch"
                revision = found["revision"]
                for number in range(chance.randrange(1, 60)):
                    key, fields = f"k{chance.randrange(9)}", {"title": f"{life} {number}"}
                    status, _, body = await server.http(
                        "PUT", f"/lists/board/rows/{key}", {"Content-Type": "application/json"},
                        json.dumps({"fields": fields}).encode(),
                    )  # fmt: skip
                    assert status in (200, 201), body
                    rows[key], revision = fields, json.loads(body)["revision"]
                clean = chance.random() < 0.5
                if clean:
                    assert await server.stop() == 0
                known = (found["epoch"], revision, rows)
                disk = await server.lose_power(disk)
            finally:
                if server.process.returncode is None:
                    await server.kill()
    say(f"  power was lost 8 times: {kept} epochs kept, {lost} begun anew")
    folder.remove()


def board(name="board"):
    return {"name": name, "push": True}


async def push(server, key, title, name="board"):
    """Puts a row, and gives the status."""
    body = json.dumps({"fields": {"title": title}}).encode()
    status, _, _ = await server.http("PUT", f"/lists/{name}/rows/{key}", {"Content-Type": "application/json"}, body)
    return status


def opened(folder):
    """The store's file, as another program opens it. It waits for the server's commits."""
    return sqlite3.connect(folder / "data" / "lists.sqlite", timeout=10, isolation_level=None)


def copied(source, target):
    """What `.backup` and `.restore` of sqlite3 do."""
    source.backup(target)
    target.close()
    source.close()


async def readiness(server):
    status, _, body = await server.http("GET", "/readyz")
    return status, body.decode()


async def comes_true(holds, seconds=3, what="it never came true"):
    """Waits until an async condition holds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if await holds():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"not within {seconds} s: {what}")


@test()
async def what_is_restored_under_a_running_server_is_a_new_epoch_for_everybody_at_once():
    folder = Folder()
    async with Server([board(), board("other")], folder=folder) as server:
        for number in range(3):
            await push(server, "a", f"{number}")
            await push(server, "x", f"{number}", "other")
        copied(opened(folder), sqlite3.connect(folder / "backup.sqlite"))
        for number in range(5):
            await push(server, f"b{number}", "later")
        async with Client.open(server) as client:
            await client.watch("board")
            await client.watch("other")
            await client.settled("board")
            await client.settled("other")
            before = {name: (client.model(name).epoch, client.model(name).revision) for name in ("board", "other")}
            await asyncio.sleep(1.5)
            assert {name: client.model(name).epoch for name in before} == {n: e for n, (e, _) in before.items()}, (
                "a backup changes nothing"
            )

            copied(sqlite3.connect(folder / "backup.sqlite"), opened(folder))
            # Nobody pushes: it is noticed all the same.
            await client.until(lambda: client.model("board").epoch != before["board"][0], 3, "no new epoch for board")
            await client.until(lambda: client.model("other").epoch != before["other"][0], 3, "no new epoch for other")
            assert [key for key, _ in client.model("board").ordered()] == ["a"], client.model("board").ordered()
            assert client.model("board").revision > before["board"][1], "in its own epoch it goes on"
            await client.shows_what_the_server_has("board")
            await client.shows_what_the_server_has("other")
            assert await push(server, "c", "after") == 201
            await client.shows_what_the_server_has("board")
        epoch, revision = before["board"]
        async with Client.open(server) as back:
            ok = await back.ask({"type": "watch", "list": "board", "epoch": epoch, "revision": revision})
            assert ok["begin"] == "snapshot", ok
        lines = [line for line in server.log.splitlines() if "another program" in line]
        assert len(lines) == 1 and str(folder / "data") in lines[0], server.log
        kept = await server.json("/lists/board")
        assert await server.stop() == 0
        await server.start()
        assert await server.json("/lists/board") == kept, "what was adopted is kept and vouched for"


@test()
async def what_is_restored_is_noticed_by_the_next_push_too():
    folder = Folder()
    async with Server([board()], folder=folder) as server:
        await push(server, "a", "first")
        copied(opened(folder), sqlite3.connect(folder / "backup.sqlite"))
        await push(server, "b", "second")
        before = await server.json("/lists/board")
        copied(sqlite3.connect(folder / "backup.sqlite"), opened(folder))
        statuses = [await push(server, "c", "third") for _ in range(2)]
        after = await server.json("/lists/board")
        assert after["epoch"] != before["epoch"], (before, after)
        assert statuses in ([503, 201], [201, 200]), statuses
        assert [row["key"] for row in after["rows"]] == ["c", "a"], after


@test()
async def what_others_only_read_changes_nothing():
    folder = Folder()
    async with Server([board()], folder=folder) as server:
        await push(server, "a", "first")
        before = await server.json("/lists/board")
        for _ in range(3):
            reader = opened(folder)
            reader.execute("SELECT count(*) FROM rows").fetchall()
            reader.close()
            copied(opened(folder), sqlite3.connect(":memory:"))
            await asyncio.sleep(0.5)
        assert await push(server, "b", "second") == 201
        after = await server.json("/lists/board")
        assert (after["epoch"], after["revision"]) == (before["epoch"], before["revision"] + 1)


@test()
async def another_file_in_its_place_is_noticed_named_and_not_sealed():
    folder = Folder()
    async with Server([board()], folder=folder) as server:
        data = folder / "data"
        await push(server, "a", "first")
        copied(opened(folder), sqlite3.connect(folder / "other.sqlite"))
        await push(server, "b", "second")
        (folder / "other.sqlite").rename(data / "lists.sqlite")
        assert await push(server, "c", "third") == 503, "what is pushed now would be lost"
        await comes_true(lambda: is_unready(server), 3, "/readyz does not say so")
        rows = await server.rows("board")
        assert [key for key, _ in rows] == ["b", "a"], f"what is in memory is served: {rows}"
        lines = [line for line in server.log.splitlines() if " error Cannot keep anything" in line]
        assert len(lines) == 1 and str(data / "lists.sqlite") in lines[0] and "another file" in lines[0], server.log
        assert await push(server, "c", "third") == 503 and server.log.count("Cannot store a push") == 1, "said once"
        assert await server.stop() != 0, "what was kept is gone, and somebody should know"
        assert not (data / "lists.sqlite-closed").exists(), "that file is none of ours to vouch for"
        await server.start()
        assert [key for key, _ in await server.rows("board")] == ["a"], "the next start serves what is there"


async def is_unready(server):
    status, text = await readiness(server)
    return status == 503 and "lists.sqlite" in text


async def is_ready(server):
    return (await readiness(server))[0] == 200


@test()
async def a_store_that_is_removed_is_noticed_and_one_that_is_put_back_heals():
    for what in ("lists.sqlite", "data"):
        folder = Folder()
        async with Server([board()], folder=folder) as server, Client.open(server) as client:
            await push(server, "a", "first")
            await client.watch("board")
            await client.settled("board")
            place = folder / "data" if what == "data" else folder / "data" / what
            away = folder / "away"
            place.rename(away)
            await comes_true(lambda: is_unready(server), 2, f"{what}: /readyz does not say so")
            assert await push(server, "b", "second") == 503, what
            assert [key for key, _ in await server.rows("board")] == ["a"], what
            lines = [line for line in server.log.splitlines() if " error Cannot keep anything" in line]
            assert len(lines) == 1 and "removed" in lines[0], server.log
            away.rename(place)
            await comes_true(lambda: is_ready(server), 3, f"{what}: it does not heal")
            assert await push(server, "b", "second") == 201, what
            await client.shows_what_the_server_has("board")
            kept = await server.json("/lists/board")
            assert await server.stop() == 0
            await server.start()
            assert await server.json("/lists/board") == kept, what


@test()
async def a_changed_byte_takes_out_one_list_which_is_named_and_no_other():
    folder = Folder()
    async with Server([board(), board("other")], folder=folder) as server:
        await push(server, "key-1", "a title of that row")
        await push(server, "key-2", "another")
        await push(server, "x", "sound", "other")
        other = await server.json("/lists/other")
        assert await server.stop() == 0
        file = folder / "data" / "lists.sqlite"
        for old, new in ((b"a title of", b"a tItle of"), (b'"title":"a t', b'"title":}a t')):
            whole = file.read_bytes()
            assert whole.count(old) == 1, old
            file.write_bytes(whole.replace(old, new))
            await server.start()
            status, _, body = await server.http("GET", "/lists/board")
            assert status == 503 and str(folder.path).encode() not in body, (status, body)
            async with Client.open(server) as client:
                answer = await client.ask({"type": "watch", "list": "board"})
                assert (answer["type"], answer["code"]) == ("error", "unavailable"), answer
            assert await push(server, "key-3", "new") == 503
            assert (await server.json("/lists/other"))["rows"] == other["rows"]
            assert await push(server, "y", "goes on", "other") in (200, 201)
            other = await server.json("/lists/other")
            for _ in range(3):
                await server.http("GET", "/lists/board")
            named = [line for line in server.log.splitlines() if "key-1" in line]
            assert len(named) == 1 and "board" in named[0] and str(file) in named[0], server.log
            assert "from a backup" in named[0], named
            status, text = await readiness(server)
            assert status == 503 and "board" in text and "other" not in text, text
            assert await server.stop() == 0
            file.write_bytes(file.read_bytes().replace(new, old))
        await server.start()
        assert {key for key, _ in await server.rows("board")} == {"key-1", "key-2"}


@test()
async def what_is_changed_by_hand_while_the_server_is_down_is_named():
    for change, named in (
        ("UPDATE rows SET fields = CAST('{\"title\":\"forged\"}' AS BLOB) WHERE key = CAST('a' AS BLOB)", '"a"'),
        ("DELETE FROM rows WHERE key = CAST('a' AS BLOB)", "missing"),
        ("UPDATE lists SET revision = 1", "line"),
    ):
        for clean in (True, False):
            folder = Folder()
            async with Server([board()], folder=folder) as server:
                await push(server, "a", "first")
                await push(server, "b", "second")
                await (server.stop() if clean else server.kill())
                editor = opened(folder)
                editor.execute(change)
                editor.close()
                await server.start()
                status, _, body = await server.http("GET", "/lists/board")
                assert status == 503, (change, clean, body)
                lines = [line for line in server.log.splitlines() if named in line and "board" in line]
                assert len(lines) == 1, (change, clean, server.log)


async def look_through(folder):
    """What `refreshable check --store` says: (exit status, lines, standard error)."""
    process = await asyncio.create_subprocess_exec(
        str(harness.BINARY), "check", "--store", str(folder / "data"),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate()
    return process.returncode, out.decode().splitlines(), err.decode()


@test()
async def a_store_is_looked_through_while_it_is_used_and_after():
    folder = Folder()
    status, out, err = await look_through(folder)
    assert (status, out) == (66, []) and "there is no such file" in err, (status, out, err)
    file = folder / "data" / "lists.sqlite"
    sound = (0, ["board: 3 rows", "other: 1 row", f"All is as it was written: 2 lists in {file}."], "")
    async with Server([board(), board("other")], folder=folder) as server:
        for number in range(3):
            await push(server, f"k{number}", f"title {number}")
        await push(server, "k", "title", "other")
        place = (await server.http("GET", "/lists/board"))[1]["etag"]
        assert await look_through(folder) == sound, await look_through(folder)
        await server.stop()
        files = sorted(path.name for path in (folder / "data").iterdir())
        assert await look_through(folder) == sound, await look_through(folder)
        assert sorted(path.name for path in (folder / "data").iterdir()) == files
        # Looking has changed nothing that a server vouches by.
        await server.start()
        assert (await server.http("GET", "/lists/board"))[1]["etag"] == place
        await server.stop()

        editor = opened(folder)
        editor.execute("UPDATE rows SET fields = CAST('{}' AS BLOB) WHERE key = CAST('k1' AS BLOB)")
        editor.close()
        status, out, err = await look_through(folder)
        assert status == 1 and len(out) == 3, (status, out, err)
        assert '"board"' in out[0] and 'the row "k1" does not fit its checksum' in out[0], out
        assert "from a backup" in out[0] and out[1:] == ["other: 1 row", f"1 fault in {file}."], out


@test()
async def a_log_that_a_long_reader_let_grow_is_cut_again():
    folder = Folder()
    async with Server([board()], folder=folder) as server:
        await push(server, "a", "first")
        reader = opened(folder)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM rows").fetchall()
        big = "x" * 15_000
        body = json.dumps({"set": [{"key": f"k{n}", "fields": {"title": big}} for n in range(60)]})
        for number in range(12):
            text = body.replace("xxx", f"{number:03}").encode()
            status, _, answer = await server.http("PATCH", "/lists/board", {"Content-Type": "application/json"}, text)
            assert status == 200, answer
        log = folder / "data" / "lists.sqlite-wal"
        grown = log.stat().st_size
        assert grown > 8 << 20, grown
        reader.execute("COMMIT")
        reader.close()
        await eventually(lambda: log.stat().st_size < grown / 4, 4, "nobody pushes, and the log stays")
        say(f"  the log was {grown >> 10} KiB, and is {log.stat().st_size >> 10} KiB")
