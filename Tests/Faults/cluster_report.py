"""What is told of a run of cluster.py: each rule, what was done, and of what broke the history around it."""

import traceback
from collections import Counter

from cluster_checks import RULES
from cluster_history import now
from rules import Broken


def report(cluster, seconds):
    violations = cluster.verdict.violations if cluster.verdict else []
    looked = cluster.verdict.looked if cluster.verdict else Counter()
    passed = failed = 0
    lines = [line for line in cluster.rules.table() if not line.startswith("–")]
    for rule, text in RULES.items():
        broken = any(violation.rule == rule for violation in violations)
        lines.append(f"{'✘' if broken else '✔' if looked[rule] else '–'} {rule:<10} {looked[rule]:>9}  {text}")
    for line in lines:
        print(line)
        passed, failed = passed + line.startswith("✔"), failed + line.startswith("✘")
    print(
        f"{cluster.harm() or 'No harm'}; {cluster.counts['calms']} calms, {len(cluster.history.contents)} contents, "
        f"{len(cluster.history.epochs)} epochs, {len(cluster.executions)} executions, "
        f"{sum(person.connections for person in cluster.people)} connections, {seconds:.0f} s, seed {cluster.seed}"
    )
    tell_faults(cluster, violations)
    # What ended the run without being a rule counts, too.
    failed = max(failed, int(cluster.is_broken))
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


def tell_faults(cluster, violations):
    if not cluster.is_broken:
        return
    options = cluster.options
    print(f"\nBROKEN, with --seed {cluster.seed} --minutes {options.minutes} --nodes {options.nodes} --clients {options.clients}")
    for violation in violations[:5]:
        print(str(violation)[:3000])
        print("\n".join(cluster.history.around(violation.at, violation.list)))
    if cluster.rules.broken:
        fault, actor = cluster.rules.broken
        print(str(fault)[:4000] if isinstance(fault, Broken) else "".join(traceback.format_exception(fault)))
        if actor is not None and hasattr(actor, "last_frames"):
            print(f"The last of {actor.name}:", *actor.last_frames(), sep="\n")
        print("What happened then:", *cluster.history.around(now() if not violations else violations[0].at, seconds=15), sep="\n")
    print(f"What the nodes left is in {cluster.folder}")
