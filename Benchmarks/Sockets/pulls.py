"""A pull and its answer: while nothing else happens, and amid a broadcast."""

IDLE = 700
AMID = 2500
# Between two pulls amid a broadcast, in µs: no divisor of what a broadcast takes.
PERIOD = 7003


def ask_idle(contenders, repetitions):
    """One pull after the other, while all who watch are idle. Gives runs by contender, with the server's CPU an answer."""
    return _ask(contenders, repetitions, lambda contender: contender.crowd.run(IDLE, False, 0))


def ask_amid(contenders, repetitions):
    """A pull each 7 ms, whether the last one was answered or not, while message follows message to all."""
    return _ask(contenders, repetitions, lambda contender: contender.crowd.run(AMID, True, PERIOD))


def _ask(contenders, repetitions, work):
    runs = {contender.key: [] for contender in contenders}
    for _ in range(repetitions):
        for contender in contenders:
            with contender.timed() as spent:
                run = work(contender)
            runs[contender.key].append(run | {"cpu": spent.cpu / max(1, run["pulls"])})
    return runs
