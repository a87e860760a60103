"""Does to nodes and databases, by a seed, what happens to them in years. Each fault is over when its function returns."""

import asyncio
import contextlib
import shutil
import signal
from collections import Counter

from cluster_history import Fault, WithoutDatabase, now
from server import NotServing

# How often each, and between how many seconds it lasts, if it lasts. A lease is 5 s long.
NODE_FAULTS = {
    "kill": (30, 0, 3),
    "pause": (12, 6, 9),
    "nap": (10, 0.2, 3),
    "stop": (8, 0, 1),
    "cut": (14, 0.1, 6),
    "silence": (10, 0.5, 7),
    "lose_answers": (16, 0.1, 1),
    "pause_past_lease": (12, 6, 7.5),
}
DATABASE_FAULTS = {
    "promote": (45, 0, 5),
    "kill": (14, 0, 3),
    "pause": (10, 1, 7),
    "restart": (10, 0, 0),
    "terminate_backends": (10, 0, 0),
    "terminate_a_writer": (18, 0.5, 0.5),
    "take_copy": (10, 0, 0),
    "put_back": (10, 0, 0),
    "put_back_unseen": (10, 1, 4),
    "hang_listener": (6, 0, 0),
}
# Of one node that stores in a folder.
FAULTS_OF_ONE = {
    **{kind: NODE_FAULTS[kind] for kind in ("kill", "pause", "nap", "stop")},
    "copy_folder": (6, 0, 1),
    "put_folder_back": (10, 0, 1),
}
# A node knows by then that its database is away.
NOTICED = 3


class Nemesis:
    """Loops beside each other: two for nodes, so that two may be away at once, and one for databases."""

    def __init__(self, world, dice):
        self.world, self.history, self.nodes, self.databases = world, world.history, world.nodes, world.databases
        self.dice = {name: dice(name) for name in ("nodes", "other nodes", "databases")}
        self.counts = Counter()
        self.harmed = set()

    async def rage(self, seconds):
        """Ends when all faults are over: every node runs and reaches both databases, one of which is a primary."""
        end = now() + seconds
        loops = [self.harm(end, self.dice["nodes"], self.node_faults, self.harm_node)]
        if self.databases:
            loops.append(self.harm(end, self.dice["other nodes"], self.node_faults, self.harm_node))
        # Now and then databases are left alone: most of what is done to them forgets who leads, so that nobody has to be waited for.
        if self.databases and self.dice["databases"].random() < 0.7:
            loops.append(self.harm(end, self.dice["databases"], DATABASE_FAULTS, self.harm_databases))
        await asyncio.gather(*loops)

    async def harm(self, end, dice, faults, inflict):
        while True:
            await asyncio.sleep(dice.expovariate(1 / 0.7))
            if now() > end:
                return
            kind = dice.choices(list(faults), [often for often, _, _ in faults.values()])[0]
            _, least, most = faults[kind]
            await inflict(kind, dice.uniform(least, most), dice)

    @property
    def node_faults(self):
        return NODE_FAULTS if self.databases else FAULTS_OF_ONE

    # MARK: Nodes

    async def harm_node(self, kind, seconds, dice):
        if kind == "pause_past_lease":
            return await self.pause_past_lease(seconds, dice)
        node = dice.choice(self.nodes)
        if node not in self.harmed:
            await self.harm_this(node, kind, seconds)
        return None

    async def pause_past_lease(self, seconds, dice):
        """Pauses a node amid a run until another one runs the list, and has not written yet."""
        async with self.amid_a_run(dice) as (_, node):
            if node and node not in self.harmed:
                await self.harm_this(node, "pause", seconds)
                self.counts["pause_past_lease of a node"] += 1

    async def kill_a_leader(self, dice):
        """Kills a node amid a run, in a calm: the list, and the nodes that are left; None where no run began soon."""
        async with self.amid_a_run(dice) as (name, node):
            if not node:
                return None
            self.history.add(Fault(now(), node.name, "", "kill amid a run", loses=False, until=now()))
            await node.kill()
            self.counts["kill_a_leader of a node"] += 1
        return name, [other for other in self.nodes if other != node]

    @contextlib.asynccontextmanager
    async def amid_a_run(self, dice):
        """A list, and the node that runs it for some seconds; None where it does not begin soon."""
        handlers, name = self.world.handlers, dice.choice(["fruit", "inbox"])
        handlers.held.add(name)
        handlers.write_plan(name, "rows", 3)
        try:
            yield name, await self.running(name, dice.choice(self.nodes))
        finally:
            handlers.held.discard(name)

    async def running(self, name, asked):
        """The node on which a run begins that somebody asks for here; None where none does soon."""
        known = {execution.who for execution in self.world.read_log(name)}
        asking = asyncio.create_task(asked.status(f"/lists/{name}/refresh", "POST"))
        for _ in range(40):
            await asyncio.sleep(0.05)
            begun = [one for one in self.world.read_log(name) if one.who not in known and one.ended is None]
            if begun:
                asking.cancel()
                return next(node for node in self.nodes if begun[0].who.startswith(f"{node.name.replace(' ', '')}."))
        asking.cancel()
        return None

    async def harm_this(self, node, kind, seconds):
        self.world.rules.check("alive", node.is_running, lambda: f"{node.name} ended by itself:\n{node.tail()}")
        loses = kind == "put_folder_back"
        fault = self.history.add(Fault(now(), node.name, "", f"{kind} for {seconds:.1f} s", loses=loses))
        self.harmed.add(node)
        try:
            await getattr(self, kind)(node, seconds)
        finally:
            await node.revive()
            self.harmed.discard(node)
            fault.until = now()
        self.counts[f"{kind} of a node"] += 1

    async def kill(self, node, seconds):
        await node.kill()
        await asyncio.sleep(seconds)

    async def pause(self, node, seconds):
        """Longer than a lease, or shorter: a nap."""
        node.pause()
        await asyncio.sleep(seconds)

    nap = pause

    async def stop(self, node, seconds):
        try:
            status = await node.stop(40)
        except TimeoutError:
            status = "nothing within 40 s"
        # One that has hardly begun hears of no signal yet, and is ended by it.
        is_right = status == 0 or (status == -signal.SIGTERM and not node.has_served)
        self.world.rules.check("alive", is_right, lambda: f"asked to stop, {node.name} ended with {status}:\n{node.tail()}")
        await asyncio.sleep(seconds)

    async def copy_folder(self, node, seconds):
        await node.kill()
        shutil.rmtree(node.folder / "copy", ignore_errors=True)
        if node.data.exists():
            shutil.copytree(node.data, node.folder / "copy")
        await asyncio.sleep(seconds)

    async def put_folder_back(self, node, seconds):
        """The last copy, or that of nothing."""
        await node.kill()
        shutil.rmtree(node.data, ignore_errors=True)
        if (node.folder / "copy").exists():
            shutil.copytree(node.folder / "copy", node.data)
        await asyncio.sleep(seconds)

    async def cut(self, node, seconds):
        served = await self.served([node])
        for link in node.links.values():
            link.cut("node")
        await self.while_away(served, seconds)

    async def silence(self, node, seconds):
        served = await self.served([node])
        for link in node.links.values():
            link.fall_silent()
        await self.while_away(served, seconds)

    async def lose_answers(self, node, seconds):
        for link in node.links.values():
            link.lose_answers()
        await asyncio.sleep(seconds)
        for link in node.links.values():
            link.cut("node")
        await asyncio.sleep(0.1)

    # MARK: Databases

    async def harm_databases(self, kind, seconds, dice):
        databases = self.databases
        self.counts[f"{kind} of a database"] += 1
        if kind == "promote":
            leave = [node for node in self.nodes if dice.random() < 0.5]
            lives_on = seconds if dice.random() < 0.7 else 0
            lag = dice.uniform(0.1, 1.5) if dice.random() < 0.4 else 0
            return await databases.promote([node.links[databases.primary] for node in leave], lag, lives_on)
        if kind == "pause" and seconds > NOTICED:
            served = await self.served(self.nodes)
            return await asyncio.gather(databases.pause(seconds), self.while_away(served, seconds - 0.5))
        if kind == "put_back_unseen":
            return await self.put_back_unseen(seconds)
        if await getattr(databases, kind)(seconds):
            await self.start_nodes_anew()

    async def put_back_unseen(self, seconds):
        """A copy of some seconds ago is put back while no server runs, so that none knows what it lacks; people do."""
        await self.databases.take_copy(0)
        await asyncio.sleep(seconds)
        for node in self.nodes:
            while node in self.harmed:
                await asyncio.sleep(0.1)
            self.harmed.add(node)
            await node.kill()
        try:
            await self.databases.put_newest_back()
        finally:
            for node in self.nodes:
                await node.revive()
                self.harmed.discard(node)

    async def start_nodes_anew(self):
        for node in self.nodes:
            while node in self.harmed:
                await asyncio.sleep(0.1)
            await self.harm_this(node, "kill", 0)

    async def while_away(self, served, seconds):
        """For as long as a fault lasts. If that is long enough, nodes that served before it must say how things stand."""
        end = now() + seconds
        if seconds > NOTICED + 1:
            await asyncio.sleep(NOTICED)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(end - now()):
                    await asyncio.gather(*(self.look(node, starts) for node, starts in served))
        await asyncio.sleep(max(0, end - now()))

    async def served(self, nodes):
        """Those that serve just now, each with the number of its start."""
        return [(node, node.starts) for node in nodes if node.is_running and not node.is_paused and await self.serves(node)]

    async def serves(self, node):
        with contextlib.suppress(NotServing, OSError, TimeoutError, EOFError):
            async with asyncio.timeout(1):
                await node.document("board")
                return await node.is_ready()
        return False

    async def look(self, node, starts):
        """What one node answers without its database; nothing if it was paused, started, or told to stop meanwhile."""
        if now() - node.disturbed < NOTICED:
            return
        health, _ = await node.status("/healthz")
        ready, _ = await node.status("/readyz")
        get, _ = await node.status("/lists/board")
        push, headers = await node.status("/lists/board/rows/away", "PUT", b'{"fields":{"title":"away"}}')
        if node.starts != starts or node.stopped == starts or node.is_paused or not node.is_running:
            return
        if now() - node.disturbed < NOTICED:
            return
        self.history.add(WithoutDatabase(now(), node.name, "board", health, ready, get, push, headers.get("retry-after")))
