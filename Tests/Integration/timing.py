"""Whether two things take equally long: so many pairs, taken in turn, and in how many of them one was the slower."""

import random
import time

PAIRS = 400
# Of two that take equally long, each is slower in half of the pairs; in 400 of them, chance alone leaves 0.4…0.6 once in
# 15,000 times, and 0.35…0.65 once in 10^9 (the binomial distribution). How long the machine is held up by others does not
# matter, nor does an outlier of any size: a pair counts once.
SHARE = 0.65


async def slower_share(first, second, pairs=PAIRS, seed=7):
    """In what share of the pairs `second` took longer than `first`. Which of a pair comes first is drawn by lot."""
    lots = random.Random(seed)
    slower = 0.0
    for _ in range(pairs):
        taken = {}
        for ask in lots.sample((first, second), 2):
            began = time.perf_counter()
            await ask()
            taken[ask] = time.perf_counter() - began
        slower += 0.5 if taken[first] == taken[second] else taken[second] > taken[first]
    return slower / pairs


async def take_equally_long(first, second):
    """Fails where one of two takes longer; each is a coroutine function, asked some hundred times."""
    for ask in (first, second) * 20:
        await ask()
    share = await slower_share(first, second)
    assert 1 - SHARE < share < SHARE, f"the second took longer in {share:.0%} of {PAIRS} pairs"
