"""Processes that do one thing when they are told, and which of them the system prefers."""

import multiprocessing
import os


class Child:
    """A process that runs `work(port, orders)`: for each order that it receives, it sends a result; None ends it."""

    def __init__(self, work, port):
        self.orders, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=work, args=(port, theirs), daemon=True)
        self.process.start()
        # Now the end of that process is the end of the pipe.
        theirs.close()

    def begin(self, order):
        self.orders.send(order)

    @property
    def is_done(self):
        return self.orders.poll()

    def result(self):
        return self.orders.recv()

    def end(self):
        self.orders.send(None)
        self.process.join(5)


def go_before_others():
    """Has all that is measured scheduled before what else this machine does, where that is allowed: a sentence."""
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
        return "Scheduled before everything else on this machine (SCHED_RR)."
    except (PermissionError, AttributeError):
        pass
    try:
        os.nice(-20)
        return "Scheduled before most else on this machine (nice -20)."
    except PermissionError:
        return "Scheduled like everything else on this machine: run it as root where the machine has other things to do."


def go_behind_others():
    """Is scheduled like everything else on this machine again, behind what is measured."""
    if hasattr(os, "SCHED_OTHER"):
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
