"""From a push on one node to the patch on another, at a fixed rate: as people see it who watch the other node."""

import gc
import time
from contextlib import ExitStack, closing

from loops import closed_loop, open_loop
from median import Spread
from nodes import Node, database, disk_times, names, pushed_lists
from percentiles import percentile
from pushes import Watcher
from statement import LOGGING, BenchLists, CommitStatement

RATE = 500
MILLISECONDS = 1000
SHARES = {"p50": 0.5, "p99": 0.99, "p99.9": 0.999}


def measure(tools, given, results):
    for count in (100, 1):
        compare(tools, given, results, count)


def compare(tools, given, results, count):
    """Two nodes, and one alone, in turn."""
    lists = names(count)
    runs = {"two": [], "one": []}
    with ExitStack() as stack:
        postgres = stack.enter_context(database(**LOGGING))
        first, second = (
            stack.enter_context(Node.over(postgres, tools, name, pushed_lists(count))) for name in ("first", "second"))
        alone = stack.enter_context(Node.alone(tools, pushed_lists(count)))
        # The first is watched first, and so leads the lists.
        here, there, only = (stack.enter_context(closing(Watcher(node.port, lists))) for node in (first, second, alone))
        time.sleep(2)
        disk = disk_times(tools.folder)
        gc.disable()
        stack.callback(gc.enable)
        # The first of each is not counted.
        for repetition in range(given.repetitions + 1):
            seconds = given.seconds if repetition else 2
            two = open_loop(first.port, [there, here], [only], lists, RATE, seconds)
            one = open_loop(alone.port, [only], [here, there], lists, RATE, seconds)
            if repetition:
                hops = [there - here for there, here in zip(*two[:2], strict=True)]
                runs["two"].append(dict(zip(("there", "here", "answer", "hop"), (*two, hops), strict=True)))
                runs["one"].append(dict(zip(("here", "answer"), one, strict=True)))
        # What PostgreSQL itself takes for as many commits, with as many connections as a node has.
        statement = CommitStatement.logged(postgres, lambda: closed_loop(first.port, lists[:1], 1, 0.5))
        floor = BenchLists(postgres, lists[0], 8, statement).times(8, given.seconds, RATE)
    report(results, count, runs, disk, floor)


def report(results, count, runs, disk, floor):
    where = f"{RATE} pushes/s on {'one list' if count == 1 else f'{count} lists'}"
    there, here, alone = ({word: spread(runs[nodes], series, share) for word, share in SHARES.items()}
                          for nodes, series in (("two", "there"), ("two", "here"), ("one", "here")))  # fmt: skip
    for word in SHARES:
        results.spread(f"push → patch at the other node, {where}, {word}", there[word], "ms")
    beside = percentile(floor, 0.99) * MILLISECONDS
    results.add("  its p99 / that of pgbench", there["p99"].middle / beside, "×", most=2)
    results.spread("  push → patch at the same node, p50", here["p50"], "ms")
    results.spread("  push → patch at the same node, p99", here["p99"], "ms")
    results.spread("  from there to the other node, p99", spread(runs["two"], "hop", SHARES["p99"]), "ms")
    results.spread("  one node over SQLite, p50", alone["p50"], "ms")
    results.spread("  one node over SQLite, p99", alone["p99"], "ms")
    results.spread("  other node / one over SQLite, p50", Spread.ratios(there["p50"].values, alone["p50"].values), "×")
    results.add("  pgbench, as many commits/s to lists of its own, p99", beside, "ms")
    results.add("  this disk keeps 8 KiB, p50", percentile(disk, 0.5) * MILLISECONDS, "ms")
    results.add("  this disk keeps 8 KiB, p99", percentile(disk, 0.99) * MILLISECONDS, "ms")


def spread(runs, series, share):
    return Spread(percentile(run[series], share) * MILLISECONDS for run in runs)
