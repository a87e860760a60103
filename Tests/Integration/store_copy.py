"""`refreshable store copy` and `check --store`: lists go between data folders and databases, with real servers before and after."""

import asyncio
import contextlib
import itertools
import random
import sqlite3
from pathlib import Path

import harness
from client import Client
from harness import Folder, Server, file_list, say, test
from postgres import NoPostgres, database
from postgres_server import PASSWORD
from storage import board, push


class Place:
    """A data folder, or a database of the test's PostgreSQL."""

    def __init__(self, name, postgres=None, folder=None):
        self.postgres, self.database = postgres, name
        self.path = None if postgres else str(folder / name)
        if postgres:
            postgres.sql(f"CREATE DATABASE {name} OWNER app", "postgres", "postgres")

    @property
    def word(self):
        """As `store copy` takes it."""
        return self.postgres.url(database=self.database) if self.postgres else self.path

    @property
    def shown(self):
        """As messages have it."""
        return self.word.replace(f":{PASSWORD.replace(' ', '%20')}", "")

    def server(self, *lists):
        return Served(self, list(lists))

    def sql(self, text):
        """Done in the database by another program."""
        return self.postgres.sql(text, self.database)

    def damage(self, key):
        """Another program changes a row."""
        if self.postgres:
            return self.sql(f"UPDATE refreshable.rows SET fields = '{{}}' WHERE key = '{key}'")
        editor = sqlite3.connect(Path(self.path) / "lists.sqlite", isolation_level=None)
        editor.execute("UPDATE rows SET fields = CAST('{}' AS BLOB) WHERE key = ?", [key.encode()])
        return editor.close()


class Served(Server):
    """A server that stores in a place."""

    def __init__(self, place, lists):
        super().__init__(lists)
        self.place = place

    @property
    def storage(self):
        return ["--store" if self.place.postgres else "--data", self.place.word]


class Shared:
    """One PostgreSQL for the tests that run at the same time; each place is a database of its own."""

    postgres, users, numbers = None, 0, itertools.count()

    @classmethod
    @contextlib.asynccontextmanager
    async def use(cls):
        """None: there is none here."""
        if not cls.users:
            try:
                postgres = database()
                # Else each command warns that it does not wait for its disk.
                postgres.durable = True
                cls.postgres = postgres.__enter__()
            except NoPostgres:
                say("    without databases: there is no PostgreSQL here")
        cls.users += 1
        try:
            yield cls.postgres
        finally:
            cls.users -= 1
            if not cls.users and cls.postgres:
                cls.postgres.__exit__()
                cls.postgres = None


def copy_test(limit=120):
    """A test of places: folders, and databases where this machine has PostgreSQL."""

    def wrap(function):
        async def run():
            folder = Folder()

            def place(is_database=False):
                return Place(f"s{next(Shared.numbers)}", postgres if is_database else None, folder)

            async with Shared.use() as postgres:
                await function(place, [False, True] if postgres else [False])
            folder.remove()

        run.__name__, run.__module__ = function.__name__, function.__module__
        return test(limit=limit)(run)

    return wrap


async def tool(*words):
    """What the command does: (exit status, lines of standard output, standard error). It never says the password."""
    process = await asyncio.create_subprocess_exec(
        str(harness.BINARY), *map(str, words), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    out, err = (text.decode() for text in await process.communicate())
    assert "sesame" not in out + err, out + err
    return process.returncode, out.splitlines(), err


async def copy(source, target, *flags):
    return await tool("store", "copy", source.word, target.word, *flags)


async def check(place):
    return await tool("check", "--store", place.word)


async def put(server, *names):
    """Pushes rows, changes one and removes one: NAME1 and NAME0 are left."""
    for name in names:
        for number in (0, 1, 2, 0):
            assert await push(server, f"{name}{number}", f"{name} {number}", name) in (200, 201)
        assert (await server.http("DELETE", f"/lists/{name}/rows/{name}2"))[0] == 200


async def fill(place, *names):
    """Puts rows there, and stops the server."""
    async with place.server(*map(board, names)) as server:
        await put(server, *names)
        assert await server.stop(30) == 0


@copy_test()
async def a_list_goes_on_in_another_store_and_whoever_saw_it_loads_its_rows_once(place, kinds):
    for is_database in kinds:
        source, target = place(is_database), place(not is_database and True in kinds)
        async with source.server(board(), board("other")) as server, Client.open(server) as client:
            await put(server, "board", "other")
            await client.watch("board")
            await client.settled("board")
            digest = await client.ask({"type": "digest", "list": "board"})
            models = client.models
            assert await server.stop(30) == 0
        assert await copy(source, target) == (
            0, ["board: 2 rows", "other: 2 rows", f"Copied 2 lists to {target.shown}."], ""
        )  # fmt: skip
        async with target.server(board(), board("other")) as server:
            client = await Client.connect(server, models)
            epoch, revision = models["board"].epoch, models["board"].revision
            assert (await client.watch("board", resume=True))["begin"] == "snapshot"
            await client.settled("board")
            found = await client.ask({"type": "digest", "list": "board"})
            assert (found["crc32"], found["count"]) == (digest["crc32"], 2), (found, digest)
            assert found["epoch"] != epoch and found["revision"] > revision, (found, epoch, revision)
            assert await push(server, "new", "Pushed after it") == 201
            await client.until(lambda client=client: len(client.model("board").ordered()) == 3)
            await client.shows_what_the_server_has("board")
            client.raise_fault()
            await client.close()
            assert [key for key, _ in await server.rows("other")] == ["other1", "other0"]
            assert await server.stop(30) == 0
        assert (await check(target))[0] == 0
        # The source is as it was. A database that no server lived with is another history by itself.
        async with source.server(board()) as server:
            body = await server.json("/lists/board")
            assert is_database or (body["epoch"], body["revision"]) == (epoch, revision), body


@copy_test()
async def what_is_there_already_is_left_and_other_rows_are_replaced_on_request(place, kinds):
    source = place()
    await fill(source, "board", "other")
    for to_database in kinds:
        target = place(to_database)
        assert (await copy(source, target, "--list", "board"))[:2] == (
            0, ["board: 2 rows", f"Copied 1 list to {target.shown}."]
        )  # fmt: skip
        status, out, err = await copy(source, target)
        assert (status, out, err) == (0, [
            "board: 2 rows, there already, the same", "other: 2 rows",
            f"Copied 1 list to {target.shown}, 1 there already.",
        ], ""), (status, out, err)  # fmt: skip
        async with target.server(board()) as server:
            assert await push(server, "mine", "Mine") == 201
            assert await server.stop(30) == 0
        status, out, err = await copy(source, target)
        assert status == 1 and out[0].startswith("other: 2 rows, there already"), (status, out, err)
        assert out[1] == f"Copied 0 lists to {target.shown}, 1 there already, 1 not copied.", out
        assert err.startswith(f'Cannot copy the list "board" to {target.shown}: it exists there with 3 other rows.'), err
        assert "--replace" in err, err
        status, out, err = await copy(source, target, "--replace")
        assert (status, out[0], err) == (0, "board: 2 rows", ""), (status, out, err)
        assert (await check(target))[1][0] == "board: 2 rows"


@copy_test()
async def a_damaged_list_is_named_with_its_key_and_the_others_are_copied(place, kinds):
    for is_database in kinds:
        source, target = place(is_database), place()
        await fill(source, "board", "other")
        source.damage("board0")
        status, out, err = await copy(source, target)
        assert status == 1 and out == ["other: 2 rows", f"Copied 1 list to {target.shown}, 1 not copied."], (status, out, err)
        assert '"board"' in err and 'the row "board0" does not fit its checksum' in err and len(err.splitlines()) == 1, err
        found = sqlite3.connect(f"{target.path}/lists.sqlite")
        assert found.execute("SELECT CAST(name AS TEXT) FROM lists").fetchall() == [("other",)]
        found.close()


@copy_test(limit=120)
async def a_copy_that_was_killed_leaves_no_half_of_a_list_and_is_finished_by_the_next(place, kinds):
    dice = random.Random(seed := random.randrange(1 << 32))
    say(f"    seed {seed}")
    names, rows = [f"l{number}" for number in range(4)], 4000
    source = place()
    server = source.server()
    server.lists = [file_list(server.folder, name) for name in names]
    for name in names:
        server.folder.write(f"{name}.tsv", [(f"k{n}", f"{name} {n}") for n in range(rows)])
    async with server:
        for name in names:
            assert (await server.refresh(name))[1]["outcome"] == "success", server.log
        assert await server.stop(30) == 0
    for to_database in kinds:
        target, seen = place(to_database), set()
        for count in range(len(names)):
            process = await asyncio.create_subprocess_exec(
                str(harness.BINARY), "store", "copy", source.word, target.word, stdout=asyncio.subprocess.PIPE
            )
            told = [await process.stdout.readline() for _ in range(count)]
            await asyncio.sleep(dice.uniform(0, 0.1 if count else 0.6))
            if process.returncode is None:
                process.kill()
            told += (await process.communicate())[0].splitlines()
            seen |= await lists_of(target, rows)
            assert len(seen) >= min(len(told), len(names)), (told, seen)
            if to_database:
                # The next one would wait until this one counts as gone.
                target.sql("DO $$ BEGIN DELETE FROM refreshable.nodes; EXCEPTION WHEN OTHERS THEN END $$")
        status, out, err = await copy(source, target)
        assert (status, err) == (0, "") and len(out) == len(names) + 1, (status, out, err)
        assert await lists_of(target, rows) == set(names)
        say(f"    {sorted(seen)} were there before the last copy: {out[-1]}")


async def lists_of(target, rows):
    """The names of the lists in a store, each of which has so many rows."""
    status, lines, err = await check(target)
    # Before its first write there is no store.
    assert status in (0, 66), (status, lines, err)
    found = [line.partition(": ") for line in lines[:-1]]
    assert all(text == f"{rows} rows" for _, _, text in found), lines
    return {name for name, _, _ in found}


@copy_test()
async def a_folder_that_a_server_uses_is_refused_and_a_database_is_read_beside_it(place, kinds):
    used, free = place(), place()
    await fill(free, "board")
    async with used.server(board()) as server:
        await put(server, "board")
        sentence = f"Cannot open the data folder {used.path}: process {server.pid} is using it."
        for source, target in ((used, place()), (free, used)):
            status, out, err = await copy(source, target)
            assert (status, out) == (1, []) and err.startswith(sentence), (status, out, err)
        assert len(await server.rows("board")) == 2, "the server is not disturbed"
    if True not in kinds:
        return
    live = place(True)
    async with live.server(board()) as server:
        await put(server, "board")
        assert (await copy(live, place()))[0] == 0
        node = live.sql("SELECT node FROM refreshable.nodes")
        status, out, err = await copy(free, live, "--replace")
        assert (status, out) == (1, []) and f"a server uses it ({node}). Stop it first." in err, (status, out, err)
        assert await push(server, "new", "Pushed") == 201, "the server is not disturbed"
        # One that ended without saying so is waited for.
        await server.kill()
    status, out, err = await copy(free, live, "--replace")
    assert (status, out[0], err) == (0, "board: 2 rows", ""), (status, out, err)


@copy_test()
async def a_database_is_verified_while_servers_use_it(place, kinds):
    if True not in kinds:
        return
    live = place(True)
    async with live.server(board(), board("other")) as server, live.server(board()):
        await put(server, "board", "other")
        sound = ["board: 2 rows", "other: 2 rows", f"All is as it was written: 2 lists in {live.shown}."]
        assert await check(live) == (0, sound, "")
        live.damage("board1")
        status, out, err = await check(live)
        assert status == 1 and err == "" and len(out) == 3, (status, out, err)
        assert '"board"' in out[0] and 'the row "board1" does not fit its checksum' in out[0] and live.shown in out[0], out
        assert out[1:] == ["other: 2 rows", f"1 fault in {live.shown}."], out
        live.sql("INSERT INTO refreshable.rows SELECT 99, key, position, 1, 1, fields, 0 FROM refreshable.rows LIMIT 2")
        status, out, err = await check(live)
        assert status == 1 and "2 rows belong to none" in out[2] and out[3].startswith("2 faults in "), out


@copy_test()
async def what_can_not_be_copied_is_said_with_what_to_do(place, kinds):
    source, target = place(), place()
    await fill(source, "board")
    for words, status, said in (
        ((source.path,), 64, "Missing expected argument"),
        ((source.path, source.path), 64, "FROM and TO are the same."),
        ((source.path, "postgress://app:open%20sesame@h/lists"), 64, "Expected a data folder, or a URL such as postgres://"),
        ((source.path, "postgres://app:open%20sesame@h/lists?no=1"), 64, "Expected a data folder, or a URL such as postgres://"),
        ((f"{source.path}-none", target.path), 66, "there is no such file"),
        ((source.path, target.path, "--list", "baord"), 66, 'There is no list "baord" in'),
        ((source.path, f"{source.path}/lists.sqlite"), 1, "there is a file of that name, not a folder"),
        (("postgres://app:open%20sesame@127.0.0.1:1/lists", target.path), 66, "Cannot reach postgres://app@127.0.0.1:1/lists"),
        ((source.path, "postgres://app:open%20sesame@127.0.0.1:1/lists"), 1, "Cannot reach postgres://app@127.0.0.1:1/lists"),
    ):
        found = await tool("store", "copy", *words)
        assert found[0] == status and found[1] == [] and said in found[2], (words, found)
        assert status == 64 or len(found[2].splitlines()) == 1, found
    assert 'did you mean "board"?' in (await tool("store", "copy", source.path, target.path, "--list", "baord"))[2]
    assert not Path(target.path).exists(), "nothing was made"
    if True in kinds:
        empty = place(True)
        for found in (await check(empty), await copy(empty, target)):
            assert found[0] == 66 and "no server has kept lists there" in found[2], found
        assert empty.sql("SELECT count(*) FROM pg_namespace WHERE nspname = 'refreshable'") == "0"
