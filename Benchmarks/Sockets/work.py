"""What a broadcast does for each watcher besides sending: memory asked for, keys looked up, streams of zlib.

The same messages go to a hundred watchers, and to many more. What grows with them is done for each of them.
"""

import time

import frames
from contender import FIRST, Contender
from counts import Counts
from servers import Refreshable

WATCHERS = 1000
# Bytes of text in the row that changes: the first is sent plain to all, the second compressed to those who agreed.
TEXTS = {"plain": 200, "deflate": 1100}


def measure(tools, milliseconds):
    """Plain and compressed: by watcher and message, what is asked of the allocator and of tables; streams in all."""
    return {kind: _measure(tools, kind, milliseconds) for kind in TEXTS}


def _measure(tools, kind, milliseconds):
    counts = Counts(tools, f"work-{kind}")
    with counts.standing_before(tools):
        ours = Contender(Refreshable, tools, kind == "deflate")
    try:
        ours.gather(FIRST)
        _settle(counts)
        ours.push_by(ours.server.body(frames.words(TEXTS[kind])))
        few = _for_a_message(ours, counts, milliseconds)
        ours.fill(WATCHERS)
        many = _for_a_message(ours, counts, milliseconds)
    finally:
        ours.close()
    seen = counts.read()
    return {name: (many[name] - few[name]) / (WATCHERS - FIRST) for name in ("allocations", "hashes")} | {
        "watchers": WATCHERS, "streams": seen["raw_streams"], "seesHashes": seen["hashes"] > 0}


def _settle(counts):
    """The server makes its page ready beside serving: that is over when nothing is asked for any more."""
    before, end = -1, time.monotonic() + 20
    while (now := counts.read()["allocations"]) - before > 50 and time.monotonic() < end:
        before = now
        time.sleep(0.2)


def _for_a_message(ours, counts, milliseconds):
    """Of all that is done for one, from the request to the last watcher; the first few messages make room for others."""
    ours.crowd.run(milliseconds)
    before = counts.read()
    rounds = ours.crowd.run(milliseconds)["rounds"]
    return {name: (value - before[name]) / rounds for name, value in counts.read().items()}
