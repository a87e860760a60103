"""Everybody at once: a server that is killed, people, programs, sources; and the moments in which all is compared."""

import asyncio
import shutil
import tempfile
import time
from pathlib import Path

from queries import found
from list_content import canonical, crc32
from seeded_random import stream
from handlers import Handlers
from shared_history import Ledger
from library_person import LibraryPerson
from lists import Sources, settings
from simulated_user import Person
from pushing_program import Program
from proxy import Proxy
from rules import Broken, Rules
from server import NotServing, Server


class World:
    """One run of the harness."""

    def __init__(self, options):
        self.options, self.seed = options, options.seed
        self.folder = Path(tempfile.mkdtemp(prefix="refreshable-faults-"))
        self.rules = Rules()
        self.ledger = Ledger(self.rules)
        self.dice = stream(self.seed, "world")
        self.server = Server(options.binary, self.folder, [])
        self.handlers = Handlers(self)
        self.is_calm = self.is_over = False
        self.trap = 0
        self.trapped = asyncio.Event()
        self.copy = None
        self.epochs = {}
        self.kills = self.stops = self.calms = self.restored = 0

    # MARK: What the actors ask

    def trigger(self, name):
        return self.settings[name].get("pull", {}).get("trigger", "release")

    def refreshable(self, name):
        return "command" in self.settings[name]

    def proxy(self):
        return Proxy(self.server.port)

    def heard(self, frame):
        """Somebody heard a frame. It may be the one at which the server is to die."""
        if self.trap and frame["type"] in ("patch", "state", "ok") and frame.get("list"):
            self.trap -= 1
            if self.trap == 0:
                self.server.strike()
                self.trapped.set()

    # MARK: Beginning

    async def begin(self):
        await self.find_out_what_there_is()
        self.settings = {entry["name"]: entry for entry in self.server.lists}
        self.names = list(self.settings)
        self.push_names = [name for name in self.names if self.settings[name].get("push")]
        self.board_names = [name for name in self.push_names if not self.refreshable(name)]
        self.sources = Sources(
            self.folder, [name for name in self.names if self.refreshable(name)], stream(self.seed, "sources")
        )
        self.sources.begin()
        self.server.build_slow_disk()
        await self.start()
        self.has_digest = True
        kind = LibraryPerson if self.options.client == "swift" else Person
        self.people = [kind(number, self) for number in range(self.options.clients)]
        self.programs = [Program(number, self) for number in range(max(1, self.options.clients // 6))]

    async def find_out_what_there_is(self):
        """Pushes are tested where the server knows them."""
        self.server.lists = settings(self.folder, pushes=True)
        try:
            await self.server.start()
            await self.server.kill()
        except NotServing:
            self.server.lists = settings(self.folder, pushes=False)
        shutil.rmtree(self.folder / "data", ignore_errors=True)

    async def start(self):
        delay = self.dice.choice([0, 0, 2000, 8000])
        self.ledger.remember()
        await self.server.start(disk_delay=delay, loops=self.dice.choice([1, 1, 3]))
        self.ledger.start = self.server.starts
        await self.look()

    async def look(self):
        """What the server has after a start, compared to what was seen before it."""
        for entry in (await self.server.json("/lists"))["lists"]:
            name, epoch = entry["name"], entry["epoch"]
            self.found(name, epoch, entry["revision"])
            if name in self.board_names and self.is_restored:
                _, _, rows = await self.server.rows(name)
                for program in self.programs:
                    program.learn(name, rows)

    def found(self, name, epoch, revision):
        epochs = self.epochs.setdefault(name, set())
        if self.is_restored:
            self.rules.check("history", epoch not in epochs, f"{name} is in {epoch} again, from an older copy")
        epochs.add(epoch)
        self.ledger.found(name, epoch, revision)

    # MARK: Living

    async def live(self):
        actors = [*self.people, *self.programs]
        tasks = [asyncio.create_task(self.guard(actor.live(), actor)) for actor in actors]
        tasks.append(asyncio.create_task(self.guard(self.change_sources())))
        tasks.append(asyncio.create_task(self.guard(self.direct())))
        breaking = asyncio.create_task(self.rules.breaking.wait())
        await asyncio.wait([tasks[-1], breaking], return_when=asyncio.FIRST_COMPLETED)
        self.is_over = True
        breaking.cancel()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def guard(self, life, actor=None):
        try:
            await life
        except Broken as fault:
            self.rules.keep(fault, actor)
        except Exception as fault:
            self.rules.keep(fault, actor)
            raise

    async def change_sources(self):
        dice = stream(self.seed, "moods")
        while not self.is_over:
            await asyncio.sleep(dice.expovariate(1 / 0.15))
            if not self.is_calm:
                self.sources.step()

    # MARK: Directing

    async def direct(self):
        """Rounds of turmoil, each ended by a kill; every third one by a calm first."""
        round_seconds = self.options.minutes * 60 / self.options.kills
        number = 0
        while self.kills < self.options.kills:
            number += 1
            lasts = min(self.dice.uniform(0.15, 1.5) * round_seconds, 20)
            is_calm, trap, is_clean = self.dice.random() < 0.3, self.dice.randrange(1, 60), self.dice.random() < 0.1
            waits_for_frame = self.dice.random() < 0.5
            await self.rage(lasts)
            if is_calm:
                await self.rest()
            if is_clean:
                await self.stop()
            else:
                await self.kill(trap if waits_for_frame else 0)
            self.tamper(self.dice.random())
            await self.start()
            self.tell(number)
        await self.rage(1)
        await self.rest()
        self.handlers.check()

    async def rage(self, seconds):
        process = self.server.process
        try:
            async with asyncio.timeout(seconds):
                status = await process.wait()
        except TimeoutError:
            return
        self.rules.check("alive", False, f"it ended by itself, with status {status}:\n{self.server.tail()}")

    async def kill(self, trap):
        """Kills the server now, or in the instant in which somebody hears the n-th frame from now."""
        self.rules.check("alive", self.server.is_running, lambda: f"it ended by itself:\n{self.server.tail()}")
        if trap:
            self.trapped.clear()
            self.trap = trap
            try:
                async with asyncio.timeout(1):
                    await self.trapped.wait()
            except TimeoutError:
                self.trap = 0
        await self.server.kill()
        self.kills += 1

    async def stop(self):
        status = await self.server.stop()
        self.rules.check("alive", status == 0, f"asked to stop, it ended with {status}:\n{self.server.tail()}")
        self.stops += 1

    def tamper(self, luck):
        """Between two starts: takes a copy of the data, or puts an older one in its place."""
        self.is_restored = False
        if self.copy and luck < 0.1:
            self.put_back(keeps_inodes=luck < 0.05, keeps_lock=luck % 0.05 < 0.025)
        elif luck < 0.25:
            self.copy = self.folder / "copy"
            shutil.rmtree(self.copy, ignore_errors=True)
            shutil.copytree(self.folder / "data", self.copy)

    def put_back(self, keeps_inodes, keeps_lock):
        """An older copy takes the place of the data: as a new file, or under the numbers that are free again."""
        data, aside = self.folder / "data", self.folder / "aside"
        shutil.rmtree(aside, ignore_errors=True)
        data.rename(aside)
        lock = (aside / "lock").read_bytes()
        if keeps_inodes:
            shutil.rmtree(aside)
        shutil.copytree(self.copy, data)
        if keeps_lock:
            (data / "lock").write_bytes(lock)
        self.is_restored = True
        self.restored += 1

    is_restored = False
    programs = ()

    def tell(self, number):
        if self.options.verbose or number % 20 == 0:
            print(
                f"{number} rounds, {self.kills} kills, {self.stops} stops, {self.calms} calms, "
                f"{sum(self.rules.checked.values())} checks, {len(self.ledger.contents)} revisions, "
                f"{len(self.ledger.runs)} runs", flush=True,
            )  # fmt: skip

    # MARK: Resting

    async def rest(self, seconds=20):
        """Nobody does anything any more, and all who are there must come to show the same."""
        self.is_calm = True
        for person in self.people:
            person.proxy.is_calm = True
        self.sources.calm()
        deadline = time.monotonic() + seconds
        await asyncio.sleep(0.3)
        for name in self.names:
            await self.converge(name, deadline)
        for person in self.people:
            await self.answered(person, deadline)
        for person in self.people:
            person.converged()
        await self.sing(self.dice.choice(["fruit", "reel", "album"]), deadline)
        self.handlers.check()
        self.calms += 1
        self.is_calm = False
        for person in self.people:
            person.proxy.is_calm = False

    async def converge(self, name, deadline):
        """Every client that watches reaches what the server has."""
        waiting = list(self.people)
        while True:
            epoch, revision, rows = await self.server.rows(name)
            waiting = [person for person in waiting if not self.shows(person, name, epoch, revision, rows)]
            if not waiting:
                break
            person = waiting[0]
            if time.monotonic() > deadline:
                replica = person.replicas[name]
                self.rules.check(
                    "converged", False,
                    f"{person.name} is at {replica.epoch}:{replica.revision} of {name}, the server at "
                    f"{epoch}:{revision}; connected {person.wire is not None}, state {replica.state}, "
                    f"watched {replica.is_watched}, awaited {replica.awaited}, pending {replica.rows_pending}",
                    by=person,
                )  # fmt: skip
            await asyncio.sleep(0.03)
        for program in self.programs if name in self.board_names else ():
            program.compare(name, rows)

    def shows(self, person, name, epoch, revision, rows):
        if person.wire is None or not person.greeted.is_set() or not person.is_ready:
            return False
        if name not in person.wanted:
            return True
        replica = person.replicas[name]
        if not replica.is_settled or replica.epoch != epoch:
            return False
        served = [(key, canonical(fields)) for key, fields in rows]
        if replica.place is not None:
            # Of commits that change nothing of it, a window is not told.
            first, total = replica.place
            rows = served = found(replica.query, served) if replica.query else served
            served = served[first : first + len(replica.content.rows)]
            if replica.revision < revision and (total, replica.content.ordered()) != (len(rows), served):
                return False
        elif replica.revision != revision:
            return False
        self.rules.check(
            "converged", replica.content.ordered() == served,
            lambda: f"{name} at {epoch}:{revision}: {person.name} shows\n{replica.content.ordered()}\nserver\n{served}",
            by=person,
        )  # fmt: skip
        self.rules.check("digest", replica.content.crc32() == crc32(served), f"{name} at {revision}", by=person)
        return True

    async def sing(self, name, deadline):
        """All who watch a list let go of it at one moment: one run, one handler, one who started it."""
        self.sources.write_plan(name, "rows", 0.3)
        singers = [person for person in self.people if person.wire and name in person.wanted]
        before = self.begins(name)
        said = [person.let_go(name, is_pull=number % 3 > 0) for number, person in enumerate(singers)]
        while any(one.answer is None for one in said):
            if time.monotonic() > deadline + 5:
                return  # What is never answered is found by `answered`.
            await asyncio.sleep(0.01)
        answers = [one.answer for one in said]
        if len(singers) < 2 or any(answer["type"] == "error" for answer in answers):
            return
        await asyncio.sleep(0.5)
        runs = {answer["run"] for answer in answers}
        # The library tells how a run ended, and not who has started it.
        is_told = all(answer.get("joined") is not None for answer in answers)
        starters = sum(answer.get("joined") is False for answer in answers) if is_told else 1
        begun = self.begins(name) - before
        self.rules.check(
            "choir", len(runs) == 1 and None not in runs and starters == 1 and begun == 1,
            f"{name}: {begun} handlers began, {starters} started one, of {answers}", by=singers[0],
        )  # fmt: skip

    def begins(self, name):
        log = self.folder / f"{name}.log"
        return sum(line.startswith(f"begin {self.server.starts} ") for line in log.read_text().splitlines())

    async def answered(self, person, deadline):
        while person.wire is None or person.unanswered:
            if time.monotonic() > deadline:
                self.rules.check("answered", False, lambda: f"never answered: {person.unanswered}", by=person)
            await asyncio.sleep(0.03)
        self.rules.checked["answered"] += len(person.said)

    # MARK: Ending

    async def end(self):
        if self.server.is_running:
            await self.server.kill()
        if not self.rules.broken:
            shutil.rmtree(self.folder, ignore_errors=True)
