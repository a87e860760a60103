"""Commits a second of one node, on one list and on a hundred, beside pgbench with the same statement on lists like them."""

import time
from contextlib import ExitStack

from loops import closed_loop
from median import Spread
from nodes import Node, database, names, pushed_lists
from statement import LOGGING, BenchLists, CommitStatement

# Lists, programs that push, and clients of pgbench. A list has one transaction at a time, whoever sends it.
WORKS = ((1, 1, 1), (1, 32, 1), (100, 100, 100))
# So many connections a node has (`ConnectionPool.most`).
CONNECTIONS = 8


def measure(tools, given, results):
    with ExitStack() as stack:
        postgres = stack.enter_context(database(**LOGGING))
        node = stack.enter_context(Node.over(postgres, tools, "node", pushed_lists(101)))
        *lists, model = names(101)
        statement = CommitStatement.logged(postgres, lambda: closed_loop(node.port, [model], 1, 0.5))
        for count in (1, 100):
            benched = BenchLists(postgres, model, count, statement)
            # All connections of both are made, and statements prepared.
            closed_loop(node.port, lists[:count], 32, 2)
            for work in (work for work in WORKS if work[0] == count):
                compare(node, benched, lists[:count], work, given, results)


def compare(node, benched, lists, work, given, results):
    """In turn, again and again: what the disk does meanwhile, it does to both.

    One program waits for each answer, and so do all who have a list for themselves. Where several share a list, what they push
    while a transaction is under way is one after it."""
    _, programs, clients = work
    ours, theirs, fewer, transactions = [], [], [], []
    for _ in range(given.repetitions):
        before = benched.transactions()
        ours.append(closed_loop(node.port, lists, programs, given.seconds))
        transactions.append((benched.transactions() - before) / given.seconds)
        theirs.append(benched.run(clients, given.seconds))
        if clients > CONNECTIONS:
            fewer.append(benched.run(CONNECTIONS * len(lists) // 100, given.seconds))
        time.sleep(0.5)
    what = "one list" if len(lists) == 1 else f"{len(lists)} lists"
    by = "one program" if programs == 1 else f"{programs} programs"
    # How fast one program is told, no more, is not how many commits a list takes.
    bar = {"least": 0.5} if programs > 1 else {}
    results.spread(f"pushes/s on {what} by {by} / pgbench -c {clients}", Spread.ratios(ours, theirs), "×", **bar)
    results.spread("  pushes/s", Spread(ours), digits=0)
    results.spread("  transactions/s", Spread(transactions), digits=0)
    results.spread(f"  pgbench -c {clients}, commits/s", Spread(theirs), digits=0)
    if fewer:
        results.spread(f"  pushes/s / pgbench -c {CONNECTIONS}", Spread.ratios(ours, fewer), "×")
