"""Programs that push: each again as soon as it was answered (closed loop), or all at a fixed rate (open loop)."""

import select
import time
from contextlib import ExitStack, closing

from pushes import PATIENCE, Pusher

# Rows of a list that are pushed to in turn: so many that hardly one changes twice while one change is under way.
ROWS = 500
# The part of a closed loop that is not counted.
WARMING = 0.2


def closed_loop(port, lists, clients, seconds):
    """Each client pushes to one list, and again once it was answered. Gives pushes a second."""
    with ExitStack() as stack:
        poller, crowd, count = stack.enter_context(select.epoll()), {}, 0
        begin = time.monotonic() + WARMING * seconds
        end = begin + (1 - WARMING) * seconds
        for place in range(clients):
            pusher = stack.enter_context(closing(Pusher(port)))
            poller.register(pusher, select.EPOLLIN)
            crowd[pusher.fileno()] = pusher, lists[place % len(lists)], f"row{place}"
            pusher.push(*crowd[pusher.fileno()][1:])
        while crowd:
            for file, _ in poller.poll(PATIENCE) or fail("No push was answered"):
                pusher, *row = crowd[file]
                if not pusher.is_answered():
                    continue
                moment = time.monotonic()
                count += begin <= moment < end
                if moment < end:
                    pusher.push(*row)
                else:
                    del crowd[file]
    return count / (end - begin)


def open_loop(port, watchers, resting, lists, rate, seconds):
    """Pushes at a fixed rate, whether the last ones were answered or not, to lists in turn.

    Gives the seconds from when each was due: a series for each watcher, until it was shown it, and one until it was answered.
    Those who rest are only kept alive."""
    with OpenLoop(port, watchers, resting, lists, rate, int(rate * seconds)) as loop:
        while not loop.is_over:
            loop.push_what_is_due()
            loop.listen()
        return loop.series


class OpenLoop(ExitStack):
    """What was pushed, who was shown it, and what was answered."""

    def __init__(self, port, watchers, resting, lists, rate, count):
        super().__init__()
        self.port, self.lists, self.rate, self.count = port, lists, rate, count
        self.listening = {watcher.fileno(): watcher for watcher in (*watchers, *resting)}
        self.shown, self.answered = {watcher.fileno(): {} for watcher in watchers}, {}
        # Pushers that wait for work, and those that wait for an answer, each with its push.
        self.idle, self.busy = [], {}
        self.poller = self.enter_context(select.epoll())
        for file in self.listening:
            self.poller.register(file, select.EPOLLIN)
        # The number in the first row, by which the others are counted.
        self.pushed, self.first = 0, None
        self.start = time.monotonic() + 0.1

    @property
    def is_over(self):
        least = min(map(len, self.shown.values()))
        if time.monotonic() > self.start + self.count / self.rate + PATIENCE:
            fail(f"Of {self.count} pushes to {len(self.lists)} lists {len(self.answered)} were answered and {least} shown")
        return min(least, len(self.answered)) == self.count

    @property
    def due(self):
        """When the next push is due; None: there is none."""
        return self.start + self.pushed / self.rate if self.pushed < self.count else None

    def push_what_is_due(self):
        while self.due and time.monotonic() >= self.due:
            if not self.idle:
                self.idle.append(self.enter_context(closing(Pusher(self.port))))
                self.poller.register(self.idle[-1], select.EPOLLIN)
            pusher = self.idle.pop()
            self.busy[pusher.fileno()] = pusher, self.pushed
            row, which = divmod(self.pushed, len(self.lists))
            number = pusher.push(self.lists[which], f"row{row % ROWS}")
            self.first = number if self.first is None else self.first
            self.pushed += 1

    def listen(self):
        """Until the next push is due, or something has come."""
        for file, _ in self.poller.poll(max(0, self.due - time.monotonic()) if self.due else 0.1):
            moment = time.monotonic()
            if file in self.listening:
                for number in self.listening[file].numbers():
                    self._show(self.shown.get(file, {}), number - self.first, moment)
            elif self.busy[file][0].is_answered():
                pusher, which = self.busy.pop(file)
                self.answered[which] = moment
                self.idle.append(pusher)

    def _show(self, shown, which, moment):
        # What the row had before, it shows no more.
        while which >= 0 and which not in shown:
            shown[which] = moment
            which -= ROWS * len(self.lists)

    @property
    def series(self):
        return [[times[which] - self.start - which / self.rate for which in range(self.count)]
                for times in (*self.shown.values(), self.answered)]  # fmt: skip


def fail(what):
    raise RuntimeError(f"{what} within {PATIENCE} s.")
