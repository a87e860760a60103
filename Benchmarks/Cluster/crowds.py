"""20,000 watchers on two nodes: from a push to the last patch, and what a watcher takes of a node's memory."""

import time
from contextlib import ExitStack, closing

from contender import Contender
from median import Spread
from nodes import Node, database
from pushes import Pusher

BENCH = [{"name": "bench", "push": True}]
KIB, NANO, MILLISECONDS = 1024, 1e-9, 1000


def two_nodes(stack, postgres, tools, lists, size):
    """Nodes with the first watchers of each."""
    found = []
    for name in ("first", "second"):
        node = Node.over(postgres, tools, name, lists)
        found.append(Contender(lambda _tools, _, node=node: node, tools))
        stack.callback(found[-1].close)
        found[-1].gather(size)
    return found


def measure(tools, given, results):
    size = max(given.sizes)
    times = {name: [] for name in ("first", "last")}
    with ExitStack() as stack:
        postgres = stack.enter_context(database())
        nodes = two_nodes(stack, postgres, tools, BENCH, size)
        for node in nodes:
            node.fill(size)
        pusher = stack.enter_context(closing(Pusher(nodes[0].server.port)))
        time.sleep(1)
        for _ in range(given.repetitions * 5):
            arrivals = push(nodes, pusher, size)
            times["first"].append(min(arrivals))
            times["last"].append(max(arrivals))
    results.add(f"{2 * size:,} watchers on two nodes, patches that came", given.repetitions * 5 * 2 * size, digits=0,
                least=given.repetitions * 5 * 2 * size)  # fmt: skip
    results.spread("  push → last patch of all", Spread(times["last"]), "ms", 0)
    results.spread("  push → last patch of the node that was sooner", Spread(times["first"]), "ms", 0)
    memory = max(node.memory["rss"] for node in nodes) / KIB
    results.add("  memory of a watcher, own process", memory, "KiB", most=3)


def push(nodes, pusher, size):
    """Milliseconds until all watchers of each node have the patch."""
    for node in nodes:
        node.crowd.expect(size)
    start = time.monotonic_ns()
    pusher.push("bench", "row")
    arrivals = [node.crowd.hear() for node in nodes]
    while not pusher.is_answered():
        pass
    return [(arrival["at"] - start) * NANO * MILLISECONDS for arrival in arrivals]
