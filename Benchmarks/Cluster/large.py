"""A push of one row to lists of many rows: what it costs a node, and how long it takes."""

import time
from contextlib import ExitStack, closing
from statistics import median

import joining
import process
from load_client import Crowd
from nodes import Node, database
from pushes import Pusher

MILLISECONDS = 1000


def measure(tools, given, results):
    pushes = 20 if given.quick else 100
    lists = [long_list(tools.folder, size) for size in given.rows]
    with ExitStack() as stack:
        postgres = stack.enter_context(database())
        committing = stack.enter_context(Node.over(postgres, tools, "committing", lists))
        for size in given.rows:
            joining.load(committing.port, f"long{size}")
        following = stack.enter_context(Node.over(postgres, tools, "following", lists))
        alone = stack.enter_context(Node.alone(tools, lists))
        for size in given.rows:
            joining.load(alone.port, f"long{size}")
            watch(stack, tools, following, f"long{size}")
        time.sleep(2)
        for size in given.rows:
            figures = push(committing, following, f"long{size}", pushes)
            only = push(alone, None, f"long{size}", pushes)
            results.add(f"a push of one row to {size:,}, over PostgreSQL", figures["time"], "ms")
            results.add("  CPU of the node that commits", figures["cpu"], "ms")
            results.add("  CPU of the node that follows", figures["other"], "ms")
            results.add("  one node over SQLite", only["time"], "ms")
            results.add("  its CPU", only["cpu"], "ms")


def long_list(folder, size):
    """Rows of some 100 bytes."""
    file = folder / f"long{size}.tsv"
    file.parent.mkdir(parents=True, exist_ok=True)
    rows = (f"row{number}\tRow {number} of a long list\tWhat is said of it, in a few words\n" for number in range(size))
    file.write_text("".join(rows))
    return {"name": f"long{size}", "command": f"cat '{file}'", "format": "tsv", "push": True,
            "fields": {"key": 1, "title": 2, "subtitle": 3}}  # fmt: skip


def watch(stack, tools, node, name):
    """One who watches, so that the node reads what others commit."""
    node.greeting = f'{{"type":"watch","list":"{name}"}}'
    stack.enter_context(closing(Crowd(tools.load, node, None))).open(1)


def push(node, other, name, count):
    """Milliseconds of a push, and of both nodes' processors."""
    nodes = [node.members(), other.members() if other else set()]
    times = []
    with closing(Pusher(node.port)) as pusher:
        for number in range(count + 5):
            # The first few make room for the others.
            if number == 5:
                before = [process.seconds(members) for members in nodes]
            start = time.monotonic()
            pusher.push(name, f"row{number * 7}")
            while not pusher.is_answered():
                pass
            times.append(time.monotonic() - start)
    # The other one has read the last of it by then.
    time.sleep(0.5)
    spent = [(process.seconds(members) - then) / count * MILLISECONDS for members, then in zip(nodes, before, strict=True)]
    return {"time": median(times[5:]) * MILLISECONDS, "cpu": spent[0], "other": spent[1]}
