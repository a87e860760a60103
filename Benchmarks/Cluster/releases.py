"""10,000 people on two nodes release at once: how many runs that is, and what each node asks of the database."""

import json
import time
from collections import Counter
from contextlib import ExitStack

from crowds import two_nodes
from nodes import database

# It runs as long as the last ones may take to join it.
RUN_SECONDS = 10
LOGGING = {
    "logging_collector": "on", "log_destination": "jsonlog", "log_statement": "all", "log_parameter_max_length": 200,
}  # fmt: skip
RELEASE = '{"type":"release","id":"r","list":"bench","gesture":1,"offset":70,"peak":88}'
ANSWER = '{"type":"ok","id":"r"'
# How the statements of a node are told apart, by what they contain.
KINDS = {
    "INSERT INTO refreshable.requests (list, key, request)": "asks", "pg_postmaster_start_time": "of new connections",
    "set_config": "of new connections", "pg_backend_pid": "of new connections", "SET synchronous_commit": "of new connections",
    "UPDATE refreshable.lists SET revision": "commits", "pg_notify": "notices", "INSERT INTO refreshable.nodes": "looks",
    "WITH line AS MATERIALIZED": "reads",
}  # fmt: skip


def measure(tools, given, results):
    size = min(5000, max(given.sizes))
    lists = [{"name": "bench", "command": f"sleep {RUN_SECONDS}; echo row"}]
    with ExitStack() as stack:
        postgres = stack.enter_context(database(**LOGGING))
        nodes = two_nodes(stack, postgres, tools, lists, size)
        for node in nodes:
            node.crowd.open(size - node.crowd.count)
        # The first of both loads it, for the first watchers.
        runs = wait_for_rest(postgres)
        before = statements(postgres)
        for node in nodes:
            node.crowd.tell("say", RELEASE, ANSWER, size)
        seconds = max(node.crowd.hear()["seconds"] for node in nodes)
        time.sleep(0.2)
        asked = {name: count - before[name] for name, count in statements(postgres).items()}
        runs = wait_for_rest(postgres, runs + 1) - runs
    results.add(f"{2 * size:,} release at once on two nodes, runs", runs, digits=0, most=1, least=1)
    for node in ("first", "second"):
        kinds = Counter({kind: count for (name, kind), count in asked.items() if name == node and count})
        # Each node looks once a second whatever happens: how many that are is the machine's.
        besides = kinds.total() - min(kinds["looks"], int(seconds))
        results.add(f"  transactions of the {node} until all were answered, besides a look a second", besides, digits=0, most=20)
        for kind, count in kinds.most_common():
            results.add(f"    {kind}", count, digits=0)
    results.add("  until all were answered", seconds, "s")


def wait_for_rest(postgres, least=1):
    """Waits until so many runs have begun and no run is on; how many were begun in all."""
    end = time.monotonic() + 3 * RUN_SECONDS
    while time.monotonic() < end:
        runs, state = postgres.sql("SELECT runs, convert_from(state, 'UTF8') FROM refreshable.lists").split("|", 1)
        if int(runs) >= least and '"loading"' not in state:
            return int(runs)
        time.sleep(0.2)
    raise RuntimeError(f"The list does not come to rest: {runs} runs, {state}")


def statements(postgres):
    """How many statements each node has sent, by kind; each is a transaction."""
    found = Counter()
    for file in (postgres.data / "log").glob("*.json"):
        for line in file.read_text().splitlines():
            entry = json.loads(line)
            text = entry.get("message", "")
            if text.startswith(("execute", "statement:")):
                kind = next((kind for words, kind in KINDS.items() if words in text), " ".join(text.split())[:40])
                found[entry.get("application_name"), kind] += 1
    return found
