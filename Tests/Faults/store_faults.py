"""What befalls the file of a store: each fault decides by its dice, and says whether the store is sound after it."""

import asyncio
import contextlib
import os
import random
import shutil
import sqlite3
import time

from store_load import comes_true

# Drawn so often, of their sum.
KINDS = {"flip": 26, "cut": 14, "swap": 15, "restore": 12, "delete": 10, "lock": 10, "fill": 7, "end": 6}
FILES = ["lists.sqlite", "lists.sqlite-wal"]
# Seconds in which a store that was put right is used again. It is looked at once a second.
HEALS_WITHIN = 6
# Seconds in which a GET is answered while another program holds the file.
READ_WITHIN = 1


class StoreFaults:
    """One fault after another on the store of a run."""

    def __init__(self, run):
        self.run, self.server, self.rules, self.load = run, run.server, run.rules, run.load
        self.data = run.server.data
        self.file = self.data / "lists.sqlite"
        # Seconds that a GET took while the file was held, and while a push of its list waited as well.
        self.slowest = 0.0

    async def befall(self, kind, dice):
        """Does it. True where the store must be sound now and the server serving; else the operator restores it."""
        return await getattr(self, kind)(dice)

    # MARK: Bytes

    async def flip(self, dice):
        return await self.damage(dice, self.flipped)

    async def cut(self, dice):
        return await self.damage(dice, self.shortened)

    async def damage(self, dice, change):
        """While it runs or while it does not; then what the next start says of it."""
        runs, ends, waits = dice.random() < 0.5, dice.random() < 0.75, dice.uniform(0.05, 0.6)
        name = dice.choices(FILES, [3, 2])[0]
        if not runs:
            await self.run.end_server(dice)
        self.run.tell(f"{'running' if runs else 'stopped'}, {change(dice, name)}")
        if runs:
            await asyncio.sleep(waits)
            await self.run.look()
            if ends:
                await self.run.end_server(dice)
        if not runs or ends:
            await self.run.start_server()
        await self.run.look()
        return False

    def flipped(self, dice, name):
        path, luck, bit, aims = self.there(name), dice.random(), dice.randrange(9), dice.random() < 0.5
        content = path.read_bytes()
        if not content:
            return f"nothing in {path.name}"
        offset = int(luck * len(content))
        # Half of them where rows are: most of a file is what nobody reads.
        if aims and (found := content.find(b'"subtitle"', offset)) >= 0:
            offset = min(len(content) - 1, found + dice.randint(-60, 60))
        byte = content[offset] ^ (1 << bit) if bit < 8 else dice.choice([0, 255, content[offset] ^ 0x55])
        with open(path, "r+b") as file:
            file.seek(offset)
            file.write(bytes([byte]))
        return f"byte {offset} of {path.name} is {byte:#04x}, was {content[offset]:#04x}"

    def shortened(self, dice, name):
        path, luck, most = self.there(name), dice.random(), dice.choice([10, 4096, 100_000, 1 << 30])
        length = path.stat().st_size
        left = max(0, length - 1 - int(luck * min(most, length)))
        os.truncate(path, left)
        return f"{path.name} has {left} bytes, had {length}"

    def there(self, name):
        """The file, or the database where there is no log."""
        path = self.data / name
        return path if path.exists() and path.stat().st_size else self.file

    # MARK: Files

    async def swap(self, dice):
        """Another file in its place; with `written`, other bytes in the same file."""
        runs, what = dice.random() < 0.6, dice.choice(["older", "first", "garbage", "empty", "other"])
        written, back, keeps_log = dice.random() < 0.25, dice.random() < 0.5, dice.random() < 0.5
        if not runs:
            await self.run.end_server(dice)
        new, away = self.run.folder / "new.sqlite", self.data / "away"
        self.make(what, new, dice)
        self.run.tell(f"{'running' if runs else 'stopped'}, {what} {'written into' if written else 'moved over'} the file")
        if written:
            self.file.write_bytes(new.read_bytes())
        else:
            os.link(self.file, away)
            shutil.copyfile(new, self.data / "new")
            os.replace(self.data / "new", self.file)
        if not runs and not keeps_log:
            for name in FILES[1], "lists.sqlite-shm":
                (self.data / name).unlink(missing_ok=True)
        if runs:
            await asyncio.sleep(dice.uniform(0.2, 1.4))
            await self.run.look()
            if back and not written:
                self.run.tell("put back")
                os.replace(away, self.file)
                return True
            await self.run.end_server(dice)
        away.unlink(missing_ok=True)
        await self.run.start_server()
        await self.run.look()
        return False

    def make(self, what, path, dice):
        if what in ("older", "first"):
            shutil.copyfile(self.run.copies[0] if what == "first" else dice.choice(self.run.copies), path)
        elif what == "other":
            path.unlink(missing_ok=True)
            with contextlib.closing(sqlite3.connect(path)) as other:
                other.execute("CREATE TABLE rows (list INTEGER, key BLOB, fields BLOB)")
                other.execute("INSERT INTO rows VALUES (1, 'w0-0', '{\"title\":\"forged\"}')")
                other.commit()
        else:
            path.write_bytes(random.Random(dice.random()).randbytes(0 if what == "empty" else dice.randint(1, 200_000)))

    async def delete(self, dice):
        """The file or its folder is away; it is put back, or the server starts without it."""
        whole, back, gone = dice.random() < 0.4, dice.random() < 0.6, dice.random() < 0.4
        place = self.data if whole else self.file
        away = self.data.parent / "away"
        place.rename(away)
        self.run.tell(f"{place.name} is away")
        await asyncio.sleep(dice.uniform(0.05, 1.4))
        await self.run.look()
        if back:
            self.run.tell("put back")
            # Nobody may have begun another there meanwhile.
            self.rules.note("alive", not place.exists(), f"{place} was made anew under a running server")
            away.rename(place)
            return True
        if gone:
            shutil.rmtree(away) if whole else away.unlink()
        await self.run.end_server(dice)
        await self.run.start_server()
        await self.run.look()
        if away.exists():
            shutil.rmtree(away) if whole else away.unlink()
        return False

    # MARK: Other programs

    async def restore(self, dice):
        """What another program writes: an older copy, or an edit."""
        way = dice.choice(["backup", "backup", "update", "nothing new", "stopped"])
        if way == "stopped":
            await self.run.end_server(dice)
        self.run.tell(f"{way} by another program")
        known = set(self.run.history.newest)
        source = dice.choice(self.run.copies)
        name = dice.choice(["small", "large", "notes"])
        change = dice.choice([
            "UPDATE rows SET fields = CAST('{\"title\":\"forged\"}' AS BLOB)", "UPDATE rows SET position = position + 1",
            "DELETE FROM rows", "UPDATE rows SET checksum = 7", "UPDATE rows SET fieldsRevision = 1",
        ]) + f" WHERE list = (SELECT id FROM lists WHERE name = CAST('{name}' AS BLOB))"  # fmt: skip
        if way == "nothing new":
            change = "CREATE TABLE another (number); DROP TABLE another"
        written = await asyncio.to_thread(self.backed if way == "backup" else self.edited, source if way == "backup" else change)
        if not written:
            self.run.tell("nothing was written")
            return True
        if way == "stopped":
            await self.run.start_server()
            await self.run.look()
            return False
        if way == "update":
            await asyncio.sleep(1.3)
            await self.run.look()
            await self.run.end_server(dice)
            await self.run.start_server()
            await self.run.look()
            return False
        deadline = time.monotonic() + HEALS_WITHIN
        while time.monotonic() < deadline and not await self.run.has_new_epochs(known):
            await asyncio.sleep(0.1)
        self.rules.note("epoch", await self.run.has_new_epochs(known), f"no new epochs after {way}")
        return True

    def backed(self, source):
        with contextlib.closing(sqlite3.connect(source)) as copy, contextlib.closing(sqlite3.connect(self.file, timeout=10)) as live:
            copy.backup(live)
        return True

    def edited(self, change):
        with contextlib.closing(sqlite3.connect(self.file, timeout=10)) as live:
            before = live.total_changes
            live.executescript(f"BEGIN IMMEDIATE; {change}; COMMIT")
            return "another" in change or live.total_changes > before

    async def lock(self, dice):
        """Another program holds the file; who reads is answered all the same."""
        way, seconds = dice.choice(["EXCLUSIVE", "IMMEDIATE"]), dice.choice([0.05, 0.05, 0.2, 0.5, 1.2, 2])
        ends = dice.random() < 0.15
        self.run.tell(f"BEGIN {way} for {seconds} s{', with an end' if ends else ''}")
        with contextlib.closing(sqlite3.connect(self.file, timeout=5, isolation_level=None)) as holder:
            holder.execute(f"BEGIN {way}")
            released = asyncio.get_running_loop().call_later(seconds, holder.rollback)
            try:
                if ends:
                    await self.run.end_server(dice)
                    await self.run.start_server()
                else:
                    await self.read_while_held(time.monotonic() + seconds)
            finally:
                released.cancel()
                holder.rollback()
        return True

    async def read_while_held(self, until):
        while time.monotonic() < until:
            for name in ("small", "large", "notes", "feed"):
                began = time.monotonic()
                await self.load.get(name)
                took = time.monotonic() - began
                self.slowest = max(self.slowest, took)
                self.rules.note("readers", took < READ_WITHIN, f"GET {name} took {took:.2f} s while the file was held")
            await asyncio.sleep(0.02)

    # MARK: Room

    async def fill(self, dice):
        """The disk is full; with luck the server starts on it."""
        left, ends = dice.choice([0, 0, 5000, 40_000, 200_000]), dice.random() < 0.35
        filler = self.run.disk / "filler"
        with open(filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while (room := shutil.disk_usage(self.run.disk).free - left) >= 4096:
                file.write(bytes(min(1 << 20, room // 4096 * 4096)))
        self.run.tell(f"{left} bytes are left{', with an end' if ends else ''}")
        try:
            await asyncio.sleep(dice.uniform(0.2, 1.0))
            await self.run.look()
            if ends:
                await self.run.end_server(dice)
                await self.run.start_server()
                await self.run.look()
        finally:
            filler.unlink()
        if not self.server.is_running:
            await self.run.start_server()
        return True

    # MARK: Nothing

    async def end(self, dice):
        """A kill or a stop alone: every list is in its epoch afterwards."""
        before = await self.run.epochs()
        await self.run.end_server(dice)
        await self.run.start_server()
        after = await self.run.epochs()
        self.rules.note("epoch", before is not None and before == after, f"{before} is {after} after an end alone")
        return True
