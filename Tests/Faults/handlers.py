"""The handlers' own log, held against what clients were told of their runs."""

from dataclasses import dataclass
from statistics import median

# Starts and durations are cut to whole milliseconds, each.
ROUNDING = 3
OUTCOMES = {"rows": "success", "slow": "success", "fail": "failure", "garbage": "failure", "half": "failure"}


@dataclass
class Execution:
    """One begin in a handler's log, and its end."""

    start: int
    process: str
    begun: float
    what: str
    ended: float | None = None


def executions(log):
    """All that the log of one list tells, in the order of their beginnings. Times are milliseconds since 1970."""
    found = {}
    for line in log.read_text().splitlines() if log.exists() else []:
        word, start, process, nanoseconds, what = line.split(" ")
        if not nanoseconds:
            continue  # The signal that ended the handler met it while it asked for the time.
        at = int(nanoseconds) / 1e6
        if word == "begin":
            found[start, process, what, len(found)] = Execution(int(start), process, at, what)
        else:
            for execution in reversed(found.values()):
                if (execution.start, execution.process) == (int(start), process) and execution.ended is None:
                    execution.ended = at
                    break
    return sorted(found.values(), key=lambda execution: execution.begun)


class Handlers:
    """Compares executions to runs: one begin each, within the run's loading, with the outcome that it earned."""

    def __init__(self, world):
        self.world, self.rules, self.ledger = world, world.rules, world.ledger
        self.begin_anew()

    def begin_anew(self):
        self.leads, self.lags = [], []
        self.loading_late, self.closing_late = [], []

    def check(self):
        self.begin_anew()
        for name in self.world.names:
            if self.world.refreshable(name):
                self.check_list(name, executions(self.world.folder / f"{name}.log"))
        if len(self.loading_late) > 30:
            late = median(self.loading_late), median(self.closing_late)
            self.rules.check(
                "prompt", late[0] < 50 and late[1] < 100,
                f"loading is heard {late[0]:.1f} ms after a handler's first instruction, closing {late[1]:.1f} ms after "
                "its last",
            )  # fmt: skip

    def check_list(self, name, all_):
        by_start = {}
        for run in self.ledger.runs_of(name):
            by_start.setdefault(run.start, []).append(run)
        for start, runs in by_start.items():
            runs.sort(key=lambda run: run.started)
            self.check_runs(name, runs)
            self.check_begins(name, runs, [execution for execution in all_ if execution.start == start])

    def check_runs(self, name, runs):
        """Runs of a list never overlap: each begins when the one before it is over."""
        for one, next_ in zip(runs, runs[1:], strict=False):
            self.rules.check(
                "single", one.number < next_.number and (one.ended or 0) <= next_.started + ROUNDING,
                lambda one=one, next_=next_: f"{name}: {one} and {next_} overlap",
            )  # fmt: skip

    def check_begins(self, name, runs, executions_):
        for index, run in enumerate(runs):
            following = runs[index + 1] if index + 1 < len(runs) else None
            until = following.started if following else float("inf")
            # Runs between the two that nobody was told of have their own beginnings.
            most = following.number - run.number if following else None
            mine = [one for one in executions_ if run.started <= one.begun < until]
            if most is not None:
                self.rules.check(
                    "begins", len(mine) <= most,
                    lambda run=run, mine=mine: f"{name}: {run} and those unseen after it began {mine}",
                )  # fmt: skip
            if run.ended is not None:
                self.check_run(name, run, [one for one in mine if one.begun <= run.ended + ROUNDING])
        if runs and runs[0].number == 1:
            early = [one for one in executions_ if one.begun < runs[0].started]
            self.rules.check("begins", not early, lambda: f"{name}: before the first run began {early}")

    def check_run(self, name, run, mine):
        describe = lambda: f"{name}: {run} in start {run.start} had {mine}"  # noqa: E731
        self.rules.check("begins", len(mine) <= 1, describe)
        if run.outcome == "success":
            self.rules.check("begins", len(mine) == 1, describe)
        if not mine:
            return
        (one,) = mine
        self.rules.check("indicator", run.started <= one.begun, describe)
        if run.outcome in ("success", "failure") and one.ended is not None:
            self.rules.check("indicator", one.ended <= run.ended + ROUNDING, describe)
            self.leads.append(one.begun - run.started)
            self.lags.append(run.ended - one.ended)
            self.check_heard(run, one, describe)
        if one.what in OUTCOMES:
            self.rules.check("outcome", run.outcome in (OUTCOMES[one.what], "cancelled", "timeout"), describe)
        else:
            self.rules.check("outcome", run.outcome in ("timeout", "cancelled"), describe)

    def check_heard(self, run, one, describe):
        """Nobody hears of the end of a run whose handler has not ended."""
        if run.loading_heard is None or run.closing_heard is None:
            return
        self.rules.check(
            "indicator", run.closing_heard >= one.ended, lambda: f"heard at {run.closing_heard}: {describe()}"
        )
        if run.start in self.world.server.slow_starts:
            return  # What a run brought is kept before it is over: how late that is heard is the slow disk's affair.
        self.loading_late.append(run.loading_heard - one.begun)
        self.closing_late.append(run.closing_heard - one.ended)

    def summary(self):
        if self.leads:
            yield (
                f"A command begins {median(self.leads):.1f} ms after its loading and ends {median(self.lags):.1f} ms "
                f"before its closing (medians of {len(self.leads)}; starting and ending a process is in them)."
            )
        if self.loading_late:
            yield (
                f"Loading is heard {median(self.loading_late):.1f} ms after a handler's first instruction, closing "
                f"{median(self.closing_late):.1f} ms after its last (medians of {len(self.loading_late)})."
            )
