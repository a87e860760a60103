#!/usr/bin/env python3
"""Histories of a cluster that must be accepted, and those that must be rejected, each by its rule.

    python Tests/Faults/cluster_checks_test.py
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "Integration"))

from cluster_checks import RULES, check  # noqa: E402
from cluster_history import (  # noqa: E402
    Attempt,
    Calm,
    Executed,
    Fault,
    History,
    Loading,
    Over,
    Patched,
    Pushed,
    Repeated,
    SeenWindow,
    Started,
    Together,
    WithoutDatabase,
)

TESTS = []


def history(*, rejected_by=None):
    """A test: what the function adds to an empty history is accepted, or rejected by this rule and no other."""

    def register(function):
        TESTS.append((function, rejected_by))
        return function

    return register


def see(told, revision, rows, *, epoch="e", name="board", who="client", at=None):
    told.saw(who, name, epoch, revision, tuple(rows.items()))
    if at is not None:
        told.events[-1].at = at


def push(told, at, effect, *answers, condition=None, name="board"):
    """`answers` are (status, epoch, revision), each a tenth of a second after its attempt; None: not answered."""
    attempts = [
        Attempt(f"node {number}", at + number, at + number + 0.1, *answer) if answer else Attempt(f"node {number}", at + number)
        for number, answer in enumerate(answers)
    ]
    return told.add(Pushed(at, "pusher", name, effect, condition, attempts))


def calm(told, at, *shown, name="board"):
    told.add(Calm(at, "harness", name, {f"node {n}": ("e", 9, 0, tuple(rows.items())) for n, rows in enumerate(shown)}))


def run(told, number, started, duration, *, epoch="e"):
    told.add(Loading(1, "client", "fruit", epoch, number, started, "pull"))
    told.add(Over(2, "client", "fruit", epoch, number, "success", duration))


def mark(*executions):
    """Rows of a handler's executions."""
    return {f"k{number}": f'{{"title":"Apfel #{one}"}}' for number, one in enumerate(executions)}


# MARK: Contents


@history()
def a_window_is_a_part_of_what_is_there(told):
    see(told, 1, {"a": "1", "b": "2", "c": "3"})
    told.add(SeenWindow(1, "another", "board", "e", 1, (1, 3), (("b", "2"), ("c", "3"))))
    told.add(SeenWindow(1, "another", "board", "e", 2, (1, 3), (("x", "2"),)))


@history(rejected_by="window")
def a_window_lies_elsewhere_than_it_says(told):
    see(told, 1, {"a": "1", "b": "2", "c": "3"})
    told.add(SeenWindow(1, "another", "board", "e", 1, (0, 3), (("b", "2"),)))


@history()
def a_revision_is_what_it_is_to_everybody(told):
    see(told, 1, {"a": "1"})
    see(told, 1, {"a": "1"}, who="another")
    see(told, 1, {"a": "2"}, epoch="f")
    see(told, 2, {"a": "2"})


@history(rejected_by="content")
def a_revision_has_two_contents(told):
    see(told, 1, {"a": "1"})
    see(told, 1, {"a": "2"}, who="another")


@history(rejected_by="content")
def a_revision_has_two_orders(told):
    see(told, 1, {"a": "1", "b": "1"})
    see(told, 1, {"b": "1", "a": "1"})


# MARK: Pushes


@history()
def what_is_acknowledged_stays_until_a_later_write(told):
    push(told, 1, {"a": "1"}, (200, "e", 3))
    push(told, 2, {"a": "2"}, (200, "e", 5))
    for revision, text in ((3, "1"), (4, "1"), (5, "2"), (6, "2")):
        see(told, revision, {"a": text}, at=9)


@history(rejected_by="kept")
def what_is_acknowledged_is_missing_in_its_own_revision(told):
    push(told, 1, {"a": "1"}, (200, "e", 3))
    see(told, 3, {}, at=9)


@history(rejected_by="kept")
def what_is_acknowledged_goes_in_a_later_revision(told):
    push(told, 1, {"a": "1"}, (200, "e", 3))
    see(told, 3, {"a": "1"}, at=9)
    see(told, 4, {"b": "2"}, at=9)


@history(rejected_by="kept")
def what_is_acknowledged_is_there_before_its_revision(told):
    push(told, 1, {"a": "1"}, (200, "e", 3))
    see(told, 2, {"a": "1"}, at=9)


@history(rejected_by="kept")
def a_row_comes_back_that_was_removed(told):
    push(told, 1, {"a": "1"}, (200, "e", 3))
    push(told, 2, {"a": None}, (200, "e", 4))
    see(told, 5, {"a": "1"}, at=9)


@history(rejected_by="kept")
def a_push_that_is_sent_again_is_done_again(told):
    push(told, 1, {"a": "1"}, None, (200, "e", 3))
    push(told, 2, {"a": "2"}, (200, "e", 4))
    see(told, 5, {"a": "1"}, at=9)


@history(rejected_by="kept")
def a_row_is_there_that_nobody_wrote(told):
    push(told, 1, {"a": "1"}, (200, "e", 3))
    see(told, 3, {"a": "7"}, at=9)


@history()
def what_is_not_answered_may_be_done_or_not(told):
    push(told, 1, {"a": "1"}, (200, "e", 3))
    push(told, 2, {"a": "2"}, None)
    push(told, 2, {"a": None}, (503, None, None))
    for revision, rows in ((4, {"a": "1"}), (5, {"a": "2"}), (6, {}), (7, {})):
        see(told, revision, rows, at=9)


@history(rejected_by="kept")
def what_is_not_answered_comes_back_after_a_later_write(told):
    push(told, 1, {"a": "1"}, None)
    push(told, 2, {"a": "2"}, (200, "e", 5))
    see(told, 4, {"a": "1"}, at=9)
    see(told, 6, {"a": "1"}, at=9)


@history(rejected_by="kept")
def what_was_refused_is_done(told):
    push(told, 1, {"a": "1"}, (200, "e", 3))
    push(told, 2, {"a": "2"}, (412, "e", 3), condition=("e", 1))
    see(told, 4, {"a": "2"}, at=9)


@history()
def another_epoch_owes_nothing_and_may_keep_all(told):
    push(told, 1, {"a": "1"}, (200, "e", 3))
    push(told, 1, {"b": "1"}, (200, "e", 4))
    see(told, 7, {"b": "1"}, epoch="f", at=9)
    push(told, 10, {"b": "2"}, (200, "f", 8))
    see(told, 8, {"b": "2"}, epoch="f", at=11)


@history(rejected_by="kept")
def another_epoch_takes_back_its_own(told):
    push(told, 1, {"a": "1"}, (200, "e", 3))
    push(told, 2, {"a": "2"}, (200, "f", 8))
    see(told, 9, {"a": "1"}, epoch="f", at=9)


@history(rejected_by="revision")
def two_pushes_have_one_revision(told):
    push(told, 1, {"a": "1"}, (200, "e", 3))
    push(told, 2, {"b": "1"}, (200, "e", 3))


@history(rejected_by="revision")
def two_pushes_follow_one_revision(told):
    push(told, 1, {"a": "1"}, (200, "e", 3), condition=("e", 2))
    push(told, 2, {"a": "2"}, (200, "e", 4), condition=("e", 2))


@history(rejected_by="revision")
def a_push_is_refused_though_its_condition_holds(told):
    push(told, 1, {"a": "1"}, (412, "e", 2), condition=("e", 2))


@history()
def a_removal_of_nothing_has_the_revision_that_is_there(told):
    push(told, 1, {"a": "1"}, (200, "e", 3), condition=("e", 2))
    push(told, 2, {"b": None}, (200, "e", 3), condition=("e", 3))


# MARK: Losses


@history(rejected_by="lost")
def a_new_epoch_without_a_loss_forgets(told):
    push(told, 1, {"a": "1"}, (200, "e", 3))
    calm(told, 9, {}, {})


@history()
def a_loss_takes_what_was_before_it(told):
    push(told, 1, {"a": "1"}, (200, "e", 3))
    told.add(Fault(2, "database", "", "promotion", until=3, loses=True))
    push(told, 4, {"b": "1"}, (200, "f", 3))
    calm(told, 9, {"b": "1"})


@history(rejected_by="lost")
def a_loss_does_not_take_what_comes_after_it(told):
    told.add(Fault(2, "database", "", "promotion", until=3, loses=True))
    push(told, 4, {"b": "1"}, (200, "f", 3))
    calm(told, 9, {})


@history(rejected_by="lost")
def a_fault_that_loses_nothing_lost_something(told):
    push(told, 1, {"b": "1"}, (200, "f", 3))
    told.add(Fault(2, "database", "", "promotion", until=3))
    calm(told, 9, {})


@history(rejected_by="lost")
def an_older_write_stands_in_a_calm(told):
    push(told, 1, {"a": "1"}, (200, "e", 3))
    push(told, 2, {"a": "2"}, (200, "f", 1))
    calm(told, 9, {"a": "1"})


@history()
def of_writes_at_one_time_any_may_be_the_last(told):
    push(told, 1, {"a": "1"}, None, (200, "e", 3))
    push(told, 2, {"a": "2"}, (200, "e", 2))
    push(told, 3, {"a": "3"}, None)
    for text in ("1", "2", "3"):
        calm(told, 9, {"a": text})


@history()
def runs_may_take_pushed_rows_away_where_a_list_has_both(told):
    push(told, 1, {"a": "1"}, (200, "e", 3), name="inbox")
    see(told, 4, {}, name="inbox", at=9)
    calm(told, 9, {}, name="inbox")


@history(rejected_by="calm")
def nodes_hold_two_contents_in_a_calm(told):
    calm(told, 9, {"a": "1"}, {"a": "2"}, name="fruit")


# MARK: Saying again


def again(told, first, second):
    told.add(Repeated(5, "client", "fruit", 3, "a release", first, second))


@history()
def what_is_said_again_is_answered_as_before(told):
    again(told, {"run": "r7"}, {"run": "r7"})


@history(rejected_by="again")
def another_node_begins_another_run(told):
    again(told, {"run": "r7"}, {"run": "r8"})


@history()
def a_loss_may_forget_what_was_answered(told):
    told.add(Fault(4, "database", "", "promotion", until=4.5, loses=True))
    again(told, {"run": "r7"}, {"run": "r8"})


@history(rejected_by="again")
def a_loss_after_all_was_said_explains_nothing(told):
    told.add(Fault(6, "database", "", "promotion", until=7, loses=True))
    again(told, {"run": "r7"}, {"run": "r8"})


# MARK: Runs


@history()
def runs_follow_each_other_and_each_epoch_counts_for_itself(told):
    run(told, 7, 1000, 500)
    run(told, 8, 1500, 100)
    run(told, 8, 3000, 100, epoch="f")
    told.add(Started(1, "one", "fruit", "e", 7, ("gesture", 1)))
    told.add(Started(1, "other", "fruit", "e", 7, ("gesture", 1)))


@history(rejected_by="run")
def a_run_has_two_outcomes(told):
    run(told, 7, 1000, 500)
    told.add(Over(2, "another", "fruit", "e", 7, "failure", 500))


@history(rejected_by="run")
def a_run_began_twice(told):
    told.add(Loading(1, "client", "fruit", "e", 7, 1000, "pull"))
    told.add(Loading(1, "another", "fruit", "e", 7, 1001, "pull"))


@history(rejected_by="overlap")
def a_run_begins_while_another_is_under_way(told):
    run(told, 7, 1000, 5000)
    run(told, 8, 5900, 100)


@history(rejected_by="starter")
def two_requests_started_one_run(told):
    told.add(Started(1, "one", "fruit", "e", 7, ("gesture", 1)))
    told.add(Started(1, "other", "fruit", "e", 7, ("gesture", 2)))


def patch(told, revision, number, *executions):
    told.add(Patched(1, "client", "fruit", "e", revision, number, frozenset(executions)))


@history()
def a_run_streams_rows_of_one_execution(told):
    patch(told, 3, 7, "n1.1-50")
    patch(told, 4, 7, "n1.1-50")
    patch(told, 5, 8, "n2.1-60")
    patch(told, 6, 9)


@history(rejected_by="effective")
def a_run_has_rows_of_two_executions(told):
    patch(told, 3, 7, "n1.1-50")
    patch(told, 4, 7, "n2.1-60")


@history(rejected_by="effective")
def an_execution_writes_for_two_runs(told):
    patch(told, 3, 7, "n1.1-50")
    patch(told, 4, 8, "n1.1-50")


@history(rejected_by="fenced")
def a_fenced_run_writes_a_patch(told):
    patch(told, 3, 8, "n2.1-60")
    patch(told, 4, 7, "n1.1-50")


def begun(told):
    told.add(Executed(1, "n1.1-50", "fruit", 1000))
    told.add(Executed(1, "n2.1-60", "fruit", 2000))


@history()
def a_later_execution_replaces_rows_one_by_one(told):
    begun(told)
    see(told, 3, mark("n1.1-50", "n1.1-50"), name="fruit")
    see(told, 4, mark("n2.1-60", "n1.1-50"), name="fruit")
    see(told, 5, mark("n2.1-60", "n2.1-60"), name="fruit")


@history(rejected_by="fenced")
def an_earlier_execution_writes_after_a_later_one(told):
    begun(told)
    see(told, 3, mark("n1.1-50"), name="fruit")
    see(told, 4, mark("n2.1-60"), name="fruit")
    see(told, 5, mark("n2.1-60", "n1.1-50"), name="fruit")


@history(rejected_by="fenced")
def an_execution_that_slept_writes_first_of_all_after_a_later_one(told):
    begun(told)
    see(told, 4, mark("n2.1-60"), name="fruit")
    see(told, 5, mark("n1.1-50"), name="fruit")


@history()
def requests_of_one_moment_have_one_run(told):
    told.add(Together(1, "all", "fruit", [{"run": "r7", "joined": False}, {"run": "r7", "joined": True}], 1))


@history(rejected_by="together")
def requests_of_one_moment_have_a_run_on_each_node(told):
    told.add(Together(1, "all", "fruit", [{"run": "r7", "joined": False}, {"run": "r8", "joined": False}], 2))


@history(rejected_by="together")
def one_run_begins_two_handlers(told):
    told.add(Together(1, "all", "fruit", [{"run": "r7", "joined": False}, {"run": "r7", "joined": True}], 2))


# MARK: Without the database


@history()
def a_node_serves_from_memory(told):
    told.add(WithoutDatabase(1, "node 1", "board", 200, 503, 200, 503, "2"))


@history(rejected_by="away")
def a_node_says_that_it_is_ready(told):
    told.add(WithoutDatabase(1, "node 1", "board", 200, 200, 200, 503, "2"))


@history(rejected_by="away")
def a_node_does_not_say_when_to_come_again(told):
    told.add(WithoutDatabase(1, "node 1", "board", 200, 503, 200, 503, None))


def main():
    passed = 0
    for function, rule in TESTS:
        told = History()
        function(told)
        broken = {violation.rule for violation in check(told).violations}
        holds = broken == ({rule} if rule else set())
        passed += holds
        name = function.__name__.replace("_", " ")
        print(f"{'✔' if holds else '✘'} {name}" + ("" if holds else f": broke {broken}, and is to break {rule}"))
    tried = {rule for _, rule in TESTS}
    untried = set(RULES) - tried
    print(f"✘ no history breaks {untried}" if untried else f"✔ each of {len(RULES)} rules was broken")
    passed += not untried
    print(f"{passed} passed, {len(TESTS) + 1 - passed} failed")
    return 0 if passed == len(TESTS) + 1 else 1


if __name__ == "__main__":
    sys.exit(main())
