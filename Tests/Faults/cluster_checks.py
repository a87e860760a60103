"""What must hold of a cluster's history: events in, violations out. It asks nobody, waits for nothing and knows no server."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from cluster_history import (
    Calm,
    Fault,
    History,
    Loading,
    Over,
    Repeated,
    Seen,
    SeenWindow,
    Started,
    Together,
    WithoutDatabase,
)
from cluster_pushes import acknowledged_pushes_are_kept, nothing_is_lost, revisions_are_their_own
from cluster_runs import executions_write_in_order, patches_follow_their_runs
from queries import found

RULES = {
    "content": "(epoch, revision) never names two contents, over all nodes and all databases",
    "window": "a window shows what the whole list has there at that revision, and says where it lies",
    "kept": "what a push was acknowledged for is in each later content of its epoch, or a later write is",
    "lost": "what was acknowledged is there in each calm, unless a promotion, an older copy or a restore came after it",
    "revision": "each acknowledged push has a revision of its own, and one with If-Match the next one",
    "again": "what is sent again, to any node, is answered as before",
    "run": "a run is one run: no other has its name in its epoch, and each state of it says the same",
    "starter": "one request starts each run",
    "overlap": "runs of a list do not overlap",
    "effective": "the rows of a run are those of one execution of its handler",
    "fenced": "no row of an earlier run is written after a row of a later one",
    "together": "requests of one moment on all nodes have one run, and its handler begins once",
    "calm": "when all are calm, all nodes and clients hold the same rows and digest",
    "away": "without its database a node serves its lists, refuses pushes with 503 and Retry-After, is healthy and not ready",
}
# Milliseconds by which starts and durations may be cut.
ROUNDING = 20


@dataclass
class Violation:
    """A rule that does not hold, and the moment and the list about which to look."""

    rule: str
    what: str
    at: float
    list: str | None = None

    def __str__(self):
        return f"{self.rule}: {RULES[self.rule]}\n  {self.what}"


@dataclass
class Verdict:
    violations: list
    looked: Counter
    """How often each rule was looked at."""


def check(history: History) -> Verdict:
    """Judges a history, whole or as far as it has come."""
    verdict = Verdict([], Counter())
    for part in (
        one_content, windows_are_parts, acknowledged_pushes_are_kept, nothing_is_lost, revisions_are_their_own, same_answer, runs_are_one,
        one_starter, no_overlap, patches_follow_their_runs, executions_write_in_order, one_run_together, same_in_calm,
        served_without_database,
    ):  # fmt: skip
        for rule, holds, *about in part(history):
            verdict.looked[rule] += 1
            if not holds:
                what, event = about
                verdict.violations.append(Violation(rule, what() if callable(what) else what, event.at, event.list))
    return verdict


# MARK: Contents


def one_content(history):
    first = {}
    for seen in history.of(Seen):
        known = first.setdefault((seen.list, seen.epoch, seen.revision), seen)
        yield "content", known.rows == seen.rows, lambda known=known, seen=seen: (
            f"{seen.list} at {seen.epoch}:{seen.revision}: {known.who} was shown {known.rows}, and {seen.who} {seen.rows}"
        ), seen


def windows_are_parts(history):
    """Of windows at revisions of which nobody saw the whole, nothing is known."""
    wholes = {(seen.list, seen.epoch, seen.revision): seen.rows for seen in history.of(Seen)}
    for seen in history.of(SeenWindow):
        whole = wholes.get((seen.list, seen.epoch, seen.revision))
        if whole is None:
            continue
        first, total = seen.place
        whole = tuple(found(seen.query, whole)) if seen.query else whole
        there = whole[first : first + len(seen.rows)]
        yield "window", (total, seen.rows) == (len(whole), there), lambda seen=seen, there=there, whole=whole: (
            f"{seen.list} at {seen.epoch}:{seen.revision}: {seen.who} was shown {seen.rows} at {seen.place}; "
            f"of {len(whole)} rows there are {there}"
        ), seen


def same_in_calm(history):
    for calm in history.of(Calm):
        (first, expected), *others = calm.shown.items()
        for who, shown in others:
            yield "calm", shown == expected, f"{calm.list}: {first} has {expected}, and {who} {shown}", calm


# MARK: Saying again


def same_answer(history):
    """Unless what was remembered may be lost, or the list began another epoch meanwhile, whose runs are others."""
    losses = [fault for fault in history.of(Fault) if fault.loses]
    for repeated in history.of(Repeated):
        if any(loss.at <= repeated.at and loss.until >= repeated.since for loss in losses):
            continue
        begun = (at for (name, _), at in history.epochs.items() if name == repeated.list)
        if any(repeated.since <= at <= repeated.at + 2 for at in begun) and isinstance(repeated.first, dict):
            continue
        yield "again", same_decision(repeated.first, repeated.second), (
            f"{repeated.message} was answered {repeated.first}, and again {repeated.second}"
        ), repeated


def same_decision(first, second):
    """A finger that was let go too early is judged anew by each node, which may also know that it was spent."""
    too_early = [{"run": None, "joined": None, "reason": reason} for reason in ("belowThreshold", "spent")]
    return first == second or (first in too_early and second in too_early)


# MARK: Runs


def runs_are_one(history):
    known = {}
    for event in history.of((Loading, Over)):
        facts = {"started": event.started, "cause": event.cause} if isinstance(event, Loading) else {
            "outcome": event.outcome, "duration": event.duration
        }  # fmt: skip
        for name, value in facts.items():
            first, value_then = known.setdefault((event.list, event.epoch, event.run, name), (event, value))
            yield "run", value == value_then, (
                f"{event.list} {event.epoch} r{event.run}: its {name} is {value} to {event.who}, and {value_then} to {first.who}"
            ), event


def one_starter(history):
    known = {}
    for event in history.of(Started):
        first = known.setdefault((event.list, event.epoch, event.run), event)
        yield "starter", event.request == first.request, (
            f"{event.list} {event.epoch} r{event.run} was started by {first.request} and by {event.request}"
        ), event


def no_overlap(history):
    """A run begins when the one before it is over, by the times that were told of them."""
    runs = defaultdict(dict)
    for event in history.of((Loading, Over)):
        run = runs[event.list, event.epoch].setdefault(event.run, {})
        run["started" if isinstance(event, Loading) else "duration"] = event
    for of_epoch in runs.values():
        told = sorted((number, run) for number, run in of_epoch.items() if "started" in run)
        for (one, before), (other, after) in zip(told, told[1:], strict=False):
            start, next_ = before["started"].started, after["started"]
            end = start + (before["duration"].duration if "duration" in before else 0)
            yield "overlap", end <= next_.started + ROUNDING, (
                f"{next_.list} {next_.epoch}: r{one} lasts from {start} to {end}, and r{other} begins at {next_.started}"
            ), next_


def one_run_together(history):
    for event in history.of(Together):
        runs = {answer.get("run") for answer in event.answers}
        starters = sum(answer.get("joined") is False for answer in event.answers)
        yield "together", len(runs) == 1 and None not in runs and starters == 1 and event.begun == 1, (
            f"{event.list}: {event.begun} handlers began, {starters} started one, of {event.answers}"
        ), event


# MARK: Without the database


def served_without_database(history):
    for event in history.of(WithoutDatabase):
        is_right = (event.health, event.ready, event.get, event.push) == (200, 503, 200, 503) and event.retry_after
        yield "away", is_right, str(event), event
