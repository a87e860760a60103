#!/usr/bin/env python3
"""Several nodes over one PostgreSQL while nodes and databases are killed, paused, cut off, promoted and put back: is it one list?

    python Tests/Faults/cluster.py --binary .build/debug/refreshable --seed 7 --minutes 10
    python Tests/Faults/cluster.py --minutes 1 --nodes 2 --verbose

People (cluster_clients.py) move from node to node with their sessions; programs push to any node, and send again to another
one what was not answered. Meanwhile nodes and databases suffer (cluster_nemesis.py, cluster_databases.py). After each round all
is mended and everybody rests: then all must show the same. What was seen is a history (cluster_history.py), which is judged as
a whole (cluster_checks.py); what one connection may be told is judged at once, as by run.py (rules.py, replica.py).
"""

import asyncio
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

# What every frame looks like, and how a PostgreSQL server is started, is known there already.
sys.path.append(str(Path(__file__).parent.parent / "Integration"))

from cluster_checks import check  # noqa: E402
from cluster_clients import AWAY, ClusterPerson, Pusher, Reader  # noqa: E402
from cluster_databases import Databases  # noqa: E402
from cluster_history import Calm, Executed, History, Recorder, Together, now  # noqa: E402
from cluster_nemesis import Nemesis  # noqa: E402
from cluster_nodes import Node, NodeProxy, has_store  # noqa: E402
from cluster_report import report  # noqa: E402
from list_content import crc32  # noqa: E402
from lists import Sources, from_handler  # noqa: E402
from rules import Rules  # noqa: E402
from seeded_random import stream  # noqa: E402
from server import NotServing  # noqa: E402
from trial import arguments, run  # noqa: E402

# Seconds within which all is as it should be once nothing happens any more.
PATIENCE = 40
# Seconds within which a list runs again whose node was killed: a lease of 5 s, and what a slow machine takes.
OUTLIVED = 15


def lists(folder):
    """Every mode that a run can meet, and two lists that programs push to. Some runs last as long as a lease."""
    return [
        from_handler(folder, "fruit", deadline="9s"),
        from_handler(folder, "reel", mode="stream", deadline="9s"),
        from_handler(folder, "clock", every="2s", deadline="9s"),
        from_handler(folder, "inbox", push=True, deadline="9s"),
        {"name": "board", "push": True},
    ]


class Handlers(Sources):
    """What handlers do: mostly they work, some so long that their node may lose its lease meanwhile."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        # Lists whose handlers do what somebody else says.
        self.held = set()

    def step(self):
        name, other = self.dice.choice(self.names), self.dice.choice(self.names)
        self.write_rows(name)
        what = self.dice.choices(["rows", "slow", "fail", "half"], [60, 25, 8, 7])[0]
        seconds = round(self.dice.expovariate(1 / (0.15 if what == "slow" else 0.6)), 3)
        if other not in self.held:
            self.write_plan(other, what, seconds)


class Cluster:
    """One run: nodes, databases, those who use them, and what they saw."""

    def __init__(self, options):
        self.options, self.seed = options, options.seed
        self.folder = Path(tempfile.mkdtemp(prefix="refreshable-cluster-"))
        self.history, self.rules = History(), Rules()
        self.ledger = Recorder(self.history)
        self.settings = {entry["name"]: entry for entry in lists(self.folder)}
        self.names = list(self.settings)
        self.databases = None if options.single else Databases(self.history, stream(self.seed, "databases"))
        servers = self.databases.servers if self.databases else ()
        count = 1 if options.single else options.nodes
        entries = list(self.settings.values())
        self.nodes = [Node(number, options.binary, self.folder, entries, servers) for number in range(1, count + 1)]
        # A node may always turn people away: it has no database, or was asked to stop.
        self.server = SimpleNamespace(starts=0, stopped=1)
        refreshed = [name for name in self.names if self.refreshable(name)]
        self.handlers = Handlers(self.folder, refreshed, stream(self.seed, "handlers"))
        self.nemesis = Nemesis(self, lambda name: stream(self.seed, "nemesis", name))
        self.counts = Counter()
        self.people = [ClusterPerson(number, self) for number in range(options.clients)]
        self.pushers = [Pusher(number, self) for number in range(3)]
        self.executions = {}
        self.is_calm, self.is_over, self.has_digest = True, False, True
        self.verdict = None
        # Why nodes showed nothing when they were last asked.
        self.faults = {}

    # MARK: What people ask

    def trigger(self, name):
        return "release"

    def refreshable(self, name):
        return "command" in self.settings[name]

    def proxy(self):
        self.counts["proxies"] += 1
        return NodeProxy(self.nodes, stream(self.seed, "way", self.counts["proxies"]))

    def heard(self, frame):
        """Nobody waits for a frame."""

    # MARK: Living

    async def begin(self):
        self.handlers.begin()
        if self.databases:
            await self.databases.begin()
        for node in self.nodes:
            await node.open_links()
            await node.start()

    async def live(self):
        """Rounds of harm, each followed by a calm, until the time is over."""
        actors = [*self.people, *self.pushers, Reader(self)]
        tasks = [asyncio.create_task(self.guard(actor.live(), actor)) for actor in actors]
        tasks.append(asyncio.create_task(self.guard(self.change_sources())))
        rounds = asyncio.create_task(self.guard(self.spend_rounds()))
        breaking = asyncio.create_task(self.rules.breaking.wait())
        await asyncio.wait([rounds, breaking], return_when=asyncio.FIRST_COMPLETED)
        self.is_over = True
        for task in (*tasks, rounds, breaking):
            task.cancel()
        await asyncio.gather(*tasks, rounds, breaking, return_exceptions=True)

    async def guard(self, life, actor=None):
        try:
            await life
        except Exception as fault:
            self.rules.keep(fault, actor)

    async def change_sources(self):
        while not self.is_over:
            await asyncio.sleep(self.handlers.dice.expovariate(1 / 0.2))
            if not self.is_calm:
                self.handlers.step()

    async def spend_rounds(self):
        dice = stream(self.seed, "rounds")
        end = now() + self.options.minutes * 60
        await self.rest()
        while now() < end:
            await self.nemesis.rage(min(dice.uniform(6, 18), max(1, end - now())))
            await self.rest()

    # MARK: Calm

    async def rest(self):
        """All is mended and nobody wants anything new: all must come to show the same. Then all want the same at once."""
        self.is_calm = True
        for person in self.people:
            person.proxy.is_calm = True
        self.handlers.calm()
        if self.databases:
            self.databases.forget_listener()
        deadline = now() + PATIENCE
        await self.until(deadline, "alive", self.are_ready,
                         lambda: f"though all is mended, after {PATIENCE} s this is what /readyz says: {self.ready}")  # fmt: skip
        await asyncio.sleep(0.3)
        for name in self.names:
            await self.converge(name, deadline)
        for person in self.people:
            await self.until(deadline, "answered", lambda person=person: person.wire and not person.unanswered,
                             lambda person=person: f"{person.name} was never answered {person.unanswered}", by=person)  # fmt: skip
        await self.request_together(stream(self.seed, "together", self.counts["calms"]).choice(["fruit", "reel"]))
        if self.databases:
            await self.outlive_a_leader(stream(self.seed, "leader", self.counts["calms"]))
        await self.judge()
        self.counts["calms"] += 1
        self.is_calm = False
        for person in self.people:
            person.proxy.is_calm = False
        if self.options.verbose:
            print(f"{self.counts['calms']} calms, {len(self.history.contents)} contents; {self.harm()}", flush=True)

    async def until(self, deadline, rule, holds, what, by=None):
        while not (result := holds()) or (asyncio.iscoroutine(result) and not await result):
            if now() > deadline:
                self.rules.check(rule, False, what, by=by)
            await asyncio.sleep(0.05)
        self.rules.checked[rule] += 1

    async def are_ready(self):
        for node in self.nodes:
            self.rules.check("alive", node.is_running, lambda node=node: f"{node.name} ended by itself:\n{node.tail()}")
        self.ready = {node.name: await node.readiness() for node in self.nodes}
        return all(status == 200 for status, _ in self.ready.values())

    async def converge(self, name, deadline):
        """Everybody shows a list in one revision, with the same rows."""
        while True:
            shown = await self.look(name)
            # The history judges what they show, once they are where they are to be.
            if None not in shown.values() and len({one[:2] for one in shown.values()}) == 1:
                self.history.add(Calm(now(), "harness", name, shown))
                return
            if now() > deadline:
                missing = {person.name: person.missing(name) for person in self.people} | self.faults
                told = "\n".join(f"    {who}: {one[:3] if one else missing[who]}" for who, one in shown.items())
                self.rules.check("converged", False, f"{name}: not all are in one revision after {PATIENCE} s:\n{told}")
            await asyncio.sleep(0.05)

    async def look(self, name):
        """(epoch, revision, CRC-32, rows) by node and person; None for one that has no rest yet."""
        shown = {}
        for node in self.nodes:
            try:
                epoch, revision, rows = self.history.read(f"GET {node.name}", name, await node.document(name))
                shown[node.name] = epoch, revision, crc32(rows), rows
            except (*AWAY, NotServing) as fault:
                shown[node.name], self.faults[node.name] = None, repr(fault)
        for person in self.people:
            person.watch_all()
            shown[person.name] = person.shows(name)
        return shown

    async def request_together(self, name):
        """All people, on whichever nodes they are, let go of a list or refresh it at one moment."""
        self.handlers.write_plan(name, "rows", 1)
        asking = [person for person in self.people if person.wire and person.begun]
        # What somebody asked again on a new connection may have begun another run meanwhile.
        await self.until(now() + PATIENCE, "answered", lambda: all(one.replicas[name].is_settled for one in asking),
                         lambda: f"{name}: a run does not end")  # fmt: skip
        before = len(self.read_log(name))
        said = [person.let_go(name, is_pull=number % 3 > 0) for number, person in enumerate(asking)]
        start = now()
        await self.until(start + 10, "answered", lambda: all(one.answer for one in said),
                         lambda: f"not answered within 10 s: {[one.message for one in said if not one.answer]}")  # fmt: skip
        await asyncio.sleep(max(0, start + 2 - now()))
        self.history.add(Together(start, "all", name, [one.answer for one in said], len(self.read_log(name)) - before))
        self.handlers.calm()

    async def outlive_a_leader(self, dice):
        """A node dies amid a run: the list runs on the others within the length of a lease, and little more."""
        if not (outlived := await self.nemesis.kill_a_leader(dice)):
            return
        name, nodes = outlived
        self.handlers.write_plan(name, "rows", 0)

        async def is_refreshed():
            self.refreshed = await dice.choice(nodes).status(f"/lists/{name}/refresh", "POST", within=OUTLIVED)
            return self.refreshed[0] == 200

        await self.until(now() + OUTLIVED, "outlived", is_refreshed,
                         lambda: f"{name}: {OUTLIVED} s after the node that ran it was killed, others answer {self.refreshed}")  # fmt: skip
        for node in self.nodes:
            await node.revive()

    # MARK: Judging

    def read_log(self, name):
        """Notes what handlers wrote down: the executions of one list."""
        log = self.folder / f"{name}.log"
        for line in log.read_text().splitlines() if log.exists() else ():
            word, start, process, nanoseconds, _ = line.split(" ")
            mark, at = f"{start}-{process}", int(nanoseconds or 0) / 1e6
            if word == "begin" and (name, mark) not in self.executions:
                self.executions[name, mark] = self.history.add(Executed(now(), mark, name, at))
            elif word == "end":
                self.executions[name, mark].ended = at
        return [execution for execution in self.executions.values() if execution.list == name]

    async def judge(self):
        for name in self.handlers.names:
            self.read_log(name)
        self.verdict = await asyncio.to_thread(check, self.history)
        if self.verdict.violations:
            self.rules.breaking.set()

    def harm(self):
        return ", ".join(f"{count} × {what}" for what, count in sorted(self.nemesis.counts.items()))

    async def end(self):
        for node in self.nodes:
            if self.is_broken:
                await asyncio.to_thread(node.note_stacks)
            await node.end()
        if self.databases:
            await self.databases.end()
        if not self.is_broken:
            shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def is_broken(self):
        return self.rules.broken is not None or (self.verdict is not None and bool(self.verdict.violations))


async def main(options):
    if not options.single and not has_store(options.binary):
        print("This server has no --store. --single tries one node without it.")
        return 2
    signalled, task = asyncio.get_running_loop(), asyncio.current_task()
    signalled.add_signal_handler(signal.SIGTERM, task.cancel)
    cluster, began = Cluster(options), time.monotonic()
    try:
        await cluster.begin()
        await cluster.live()
    except Exception as fault:
        cluster.rules.keep(fault)
    finally:
        await cluster.end()
    return report(cluster, time.monotonic() - began)


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--clients", type=int, default=6)
    parser.add_argument("--single", action="store_true", help="one node that stores in a folder, and kills of it alone")
    parser.add_argument("--verbose", action="store_true", help="a line for each calm")
    run(main, parser)
