"""A pull and its answer: while nothing else happens, and amid a broadcast."""

# Between two pulls amid a broadcast, in µs: no divisor of what a broadcast takes.
PERIOD = 7003


def ask_idle(contenders, repetitions, milliseconds, miss):
    """One pull after the other, while all who watch are idle. Gives runs by contender, with the server's CPU an answer."""
    return _ask(contenders, repetitions, miss, lambda crowd: crowd.run(milliseconds, False, 0))


def ask_amid(contenders, repetitions, milliseconds, miss):
    """A pull each 7 ms, whether the last one was answered or not, while message follows message to all."""
    return _ask(contenders, repetitions, miss, lambda crowd: crowd.run(milliseconds, True, PERIOD))


def _ask(contenders, repetitions, miss, work):
    runs = {contender: [] for contender in contenders}
    for _ in range(repetitions):
        for contender in list(runs):
            try:
                with contender.timed() as spent:
                    run = work(contender.crowd)
            except (RuntimeError, ProcessLookupError, OSError) as error:
                del runs[contender]
                miss(f"{contender.server.name}, pulls", str(error).splitlines()[0])
                continue
            runs[contender].append(run | {"cpu": spent.cpu / max(1, run["pulls"])})
    return {contender.key: series for contender, series in runs.items()}
