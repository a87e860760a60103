"""What a message costs the processor of a node while another node commits, beside one node alone with the same watchers."""

from contextlib import ExitStack, closing

import frames
from contender import Contender
from load_client import Crowd
from median import Spread
from nodes import Node, database

MICRO = 1e6
BENCH = [{"name": "bench", "push": True}]


def measure(tools, given, results):
    for size in given.sizes:
        compare(tools, given, results, size)


def compare(tools, given, results, size):
    """Both in turn, each with a core of its own; all else has the other core. A push follows when all have the last one."""
    with ExitStack() as stack:
        postgres = stack.enter_context(database())
        committing = stack.enter_context(Node.over(postgres, tools, "committing", BENCH, tools.client_core))
        # Somebody watches there first, so that it leads the list, and the other one follows.
        leading = stack.enter_context(closing(Crowd(tools.load, committing, tools.client_core)))
        leading.open(1)
        contenders = {}
        for key, start in (("two", lambda: Node.over(postgres, tools, "watched", BENCH, tools.server_core)),
                           ("one", lambda: Node.alone(tools, BENCH, tools.server_core))):  # fmt: skip
            node = start()
            contender = Contender(lambda _tools, _, node=node: node, tools)
            stack.callback(contender.close)
            contender.gather(size)
            contender.fill(size)
            contenders[key] = contender
        contenders["two"].server.push_port = committing.port
        runs = {key: [] for key in contenders}
        for repetition in range(given.repetitions * 2 + 1):
            for key, contender in contenders.items():
                cost = repeat(contender, given.milliseconds)
                if repetition:
                    runs[key].append(cost)
    ratio = Spread.ratios([run["cpu"] for run in runs["two"]], [run["cpu"] for run in runs["one"]])
    bar = {"most": 1.05} if size == max(given.sizes) and not given.quick else {}
    results.spread(f"CPU a message, {size:,} watchers, another node commits / one node alone", ratio, "×", **bar)
    for key, words in (("two", "of the node that follows"), ("one", "of one node over SQLite")):
        results.spread(f"  {words}", Spread(run["cpu"] * MICRO for run in runs[key]), "µs")
        results.spread("  commits a second", Spread(run["rounds"] / run["seconds"] for run in runs[key]), digits=0)


def repeat(contender, milliseconds):
    contender.push_by(contender.server.body(frames.words(300)))
    with contender.timed() as spent:
        run = contender.crowd.run(milliseconds)
    return run | {"cpu": spent.cpu / run["messages"]}
