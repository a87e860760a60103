#!/usr/bin/env python3
"""Tests a built `refreshable` from outside, by the document alone.

python Tests/Integration/run.py --binary .build/debug/refreshable
python Tests/Integration/run.py --binary … resuming             only the tests whose name has this word
python Tests/Integration/run.py --binary … --cluster            those of lists, each against two nodes over one PostgreSQL
python Tests/Integration/run.py --binary … --several            those of several servers: what is before, behind and between them
"""

import argparse
import asyncio
import contextlib
import importlib
import random
import sys
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import harness

MODULES = [
    "protocol",
    "runs",
    "paging",
    "acting",
    "acting_people",
    "gestures",
    "resuming",
    "storage",
    "store_copy",
    "digests",
    "windows",
    "finding",
    "over_http",
    "disconnects",
    "memory_limits",
    "delivered_page",
    "refresh_command",
    "terminals",
    "watch_command",
    "push_command",
    "check_command",
    "schema",
    "settings_reference",
    "init_command",
    "reloading",
    "command_line",
    "pushing",
    "notifications",
    "commands",
    "files",
    "databases",
    "source_windows",
    "postgres",
    "postgres_faults",
    "web",
    "bad_input",
    "refusals",
    "tls",
    "proxies",
    "access",
    "attacks",
    "slow_reader",
    "conflation",
    "broadcasting",
    "compressing",
    "metrics",
    "shared_answers",
    "shared_metrics",
    "monitoring",
    "logs",
    "draining",
    "readme",
]

# What must hold on whichever node a client is: lists, runs, gestures, actions, pushes and resuming.
CLUSTER_MODULES = [
    "protocol",
    "runs",
    "paging",
    "acting",
    "acting_people",
    "gestures",
    "resuming",
    "digests",
    "windows",
    "finding",
    "over_http",
    "disconnects",
    "pushing",
    "refresh_command",
    "watch_command",
    "push_command",
]

# What runs around several servers: poolers, certificates and passwords of the database, and servers that take turns. They take
# longer. In a folder of their own.
SEVERAL_MODULES = [
    "poolers",
    "database_tls",
    "database_passwords",
    "database_refusals",
    "cluster_container",
    "handing_over",
    "unread_rows",
    "shared_notifications",
    "rolling_upgrade",
]

# All tests of these run alone, as those do that say so themselves: what they measure, or what port they use, is one.
# Of those of several servers, because what is done to a database blocks the tests beside it.
ALONE = {"slow_reader", "conflation", "broadcasting", "readme", *SEVERAL_MODULES}
# These work the machine hard, so that only a few run beside each other.
FEW = {"draining", "bad_input", "memory_limits", "storage", "store_copy", "shared_metrics", "monitoring"}
FEW_AT_ONCE = 5
# The others mostly wait.
AT_ONCE = 12


async def run(function, limit):
    """Runs one test and gives what went wrong, if anything did."""
    try:
        async with asyncio.timeout(limit):
            await function()
    except TimeoutError:
        return f"did not end within {limit} s\n{traceback.format_exc()}"
    except Exception:
        return traceback.format_exc()
    return None


async def tell(function, limit):
    """Runs one test, says how it went, and gives whether it passed."""
    started = time.monotonic()
    fault = await run(function, limit)
    lines = [f"{'✘' if fault else '✔'} {harness.sentence(function)} ({time.monotonic() - started:.1f} s)"]
    lines += [f"    {line}" for line in (fault or "").splitlines()]
    harness.say("\n".join(lines))
    return not fault


async def tell_all(tests):
    """Runs tests beside each other, first those that work the machine hard, which take longest."""
    places, few_places = asyncio.Semaphore(AT_ONCE), asyncio.Semaphore(FEW_AT_ONCE)

    async def in_turn(test):
        is_hard = test[0].__module__ in FEW
        async with few_places if is_hard else contextlib.nullcontext(), places:
            return await tell(*test)

    return await asyncio.gather(*map(in_turn, sorted(tests, key=lambda test: test[0].__module__ not in FEW)))


async def main(options):
    # As many threads as tests that may hold one or two: names are looked up by threads, too, and a test would wait for others.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(4 * AT_ONCE))
    for module in CLUSTER_MODULES if options.cluster else SEVERAL_MODULES if options.several else MODULES:
        importlib.import_module(module)
    words = options.words
    tests = [test for test in harness.TESTS if not words or any(word in harness.sentence(test[0]) for word in words)]
    # A module may bring others with it.
    if options.cluster:
        tests = [test for test in tests if test[0].__module__ in CLUSTER_MODULES and not test[0].is_of_one_node]
    if options.several:
        tests = [test for test in tests if test[0].__module__ in SEVERAL_MODULES]
    alone = [test for test in tests if test[0].is_alone or test[0].__module__ in ALONE]
    results = await tell_all([test for test in tests if test not in alone])
    results += [await tell(*test) for test in alone]
    harness.say(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if results and all(results) else 1


def run_on_a_cluster(options):
    """All tests of lists, each with two nodes over a database of one PostgreSQL."""
    import cluster_server
    from postgres_server import PostgresServer

    seed = random.SystemRandom().randrange(2**32) if options.seed is None else options.seed
    harness.say(f"seed {seed}")
    with contextlib.nullcontext() if options.single else PostgresServer() as postgres:
        cluster_server.begin(seed, postgres)
        return asyncio.run(main(options))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path(".build/debug/refreshable"))
    parser.add_argument("--cluster", action="store_true", help="two nodes over one PostgreSQL in the place of each server")
    parser.add_argument("--seed", type=int, help="with --cluster: who is given which node; by chance unless given")
    parser.add_argument("--single", action="store_true", help="with --cluster: one node behind the balancer, without PostgreSQL")
    parser.add_argument("--several", action="store_true", help="the tests of several servers over one database")
    parser.add_argument("--former", type=Path, help="with --several: the version before, from which servers are upgraded")
    parser.add_argument("words", nargs="*")
    arguments = parser.parse_args()
    harness.BINARY = arguments.binary.resolve()
    harness.FORMER_BINARY = arguments.former and arguments.former.resolve()
    sys.path.append(str(Path(__file__).with_name("SeveralServers")))
    sys.exit(run_on_a_cluster(arguments) if arguments.cluster else asyncio.run(main(arguments)))
