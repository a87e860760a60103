#!/usr/bin/env python3
"""Measures lists that several nodes share over PostgreSQL, beside one node alone and beside PostgreSQL itself.

    python Benchmarks/Cluster/run.py                     all there is: about 12 minutes
    python Benchmarks/Cluster/run.py --quick             fewer watchers, fewer and shorter repetitions: about two minutes
    python Benchmarks/Cluster/run.py latency commits     these parts alone

    latency    from a push on one node to the patch on another, at 500 pushes a second
    commits    pushes a second, beside pgbench with the statement that a node sends
    cpu        what a message costs a node while another commits, beside one node alone over SQLite
    watchers   20,000 on two nodes: from a push to the last patch, and the memory of one
    pulls      10,000 release at once on two nodes: runs, and transactions
    large      a push of one row to lists of up to 100,000 rows

PostgreSQL, nodes and clients share this machine; PostgreSQL keeps each commit on the disk (fsync). Ratios are of neighbours in
the same run: trust those. Times are of this machine and this day, whose disk and load are told beside them. Where others use
it, too, a higher priority (`nice -n -10`, or `chrt -r 5` for `latency` and `pulls`) keeps their work out of the times.
"""

import argparse
import os
import shutil
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# Crowds and tables are known to the one, PostgreSQL to the second, percentiles to the third.
sys.path += [str(ROOT / "Benchmarks/Sockets"), str(ROOT / "Tests/Integration"), str(ROOT / "Tests/Faults")]

import commits  # noqa: E402
import cpu  # noqa: E402
import crowds  # noqa: E402
import large  # noqa: E402
import latency  # noqa: E402
import releases  # noqa: E402
from results import Results  # noqa: E402
from tools import Tools  # noqa: E402

PARTS = {"latency": latency, "commits": commits, "cpu": cpu, "watchers": crowds, "pulls": releases, "large": large}
# Those in which what is measured has a core for itself.
PINNED = {"cpu"}


def main(given):
    started, results, cores = time.monotonic(), Results(), os.sched_getaffinity(0)
    for name in given.parts:
        print(f"  {time.monotonic() - started:4.0f} s  {name}, load {os.getloadavg()[0]:.1f} …", file=sys.stderr, flush=True)
        os.sched_setaffinity(0, cores)
        folder = given.programs.resolve() / "cluster"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        tools = Tools(given.binary.resolve(), given.programs.resolve(), folder, is_pinned=name in PINNED)
        try:
            PARTS[name].measure(tools, given, results)
        except (RuntimeError, OSError, AssertionError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            results.miss(name)
    results.show()
    print(f"\nMeasured in {time.monotonic() - started:.0f} s, at a load of {os.getloadavg()[1]:.1f}.")
    return 1 if results.faults or given.check and results.missed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; default: all")
    parser.add_argument("--binary", type=Path, default=ROOT / ".build/release/refreshable")
    parser.add_argument("--programs", type=Path, default=ROOT / ".build/sockets", help="where the load client is")
    parser.add_argument("--quick", action="store_true", help="fewer watchers, fewer and shorter repetitions")
    parser.add_argument("--smoke", action="store_true", help="a few watchers and rows: whether all this works")
    parser.add_argument("--check", action="store_true", help="fail if a bar is missed")
    arguments = parser.parse_args()
    if unknown := [part for part in arguments.parts if part not in PARTS]:
        parser.error(f"don't know {', '.join(unknown)}; known are {', '.join(PARTS)}")
    arguments.parts = arguments.parts or list(PARTS)
    arguments.quick = arguments.quick or arguments.smoke
    # How often each thing is repeated, and how long, in s.
    arguments.repetitions, arguments.seconds = (1, 3) if arguments.quick else (5, 8)
    arguments.milliseconds = 500 if arguments.quick else 2000
    # Watchers of a node, and rows of long lists.
    arguments.sizes = [200] if arguments.smoke else [1000] if arguments.quick else [1000, 10_000]
    arguments.rows = [1000] if arguments.smoke else [1000, 10_000, 100_000]
    sys.exit(main(arguments))
