"""Somebody healthy, who must not notice what others do to the server: ten connections that watch, and pull ten times a
second each, in a process of their own.
"""

import re
import selectors
import time

from child_process import Child
from percentiles import percentile
from peer import Peer

# What there is to watch: rows that are pushed, and a list to pull at that never changes.
LISTS = [
    {"name": "board", "push": True},
    {"name": "quiet", "command": "echo still", "format": "lines"},
]
CONNECTIONS = 10
# Of each connection, a second.
PULLS = 10
SENT = re.compile(rb'"at":(\d+)')


class Neighbour:
    """The process, and what it measured."""

    def __init__(self, port, authority=None):
        """`authority` is a file with whom to trust: then it speaks TLS."""
        self.child = Child(live, port)
        self.child.begin(authority)
        self.child.result()

    def begin(self, seconds):
        self.child.begin(seconds)

    def result(self):
        """Milliseconds from push to patch, and from pull to state, of what was begun."""
        return self.child.result()

    def pulls(self, seconds):
        """Milliseconds from pull to state, for so long."""
        self.begin(seconds)
        return self.result()[1]

    def pulls_while(self, goes_on):
        """The same, for as long as something goes on: at least two seconds."""
        delays = self.pulls(2)
        while goes_on():
            delays += self.pulls(2)
        return delays

    def end(self):
        self.child.end()


def compared(before, during, most):
    """A line that compares delays in milliseconds, and whether the 99th percentile rose by less than `most`."""
    spans = [f"{percentile(delays, 0.5):.2f} / {percentile(delays, 0.99):.2f} ms" for delays in (before, during)]
    text = f"the neighbour's pull to state, p50 / p99: {spans[0]} before, {spans[1]} during; less than {most:.0f} ms more"
    return text, percentile(during, 0.99) < percentile(before, 0.99) + most


def live(port, orders):
    """The process: watches and pulls for as long as it is told."""
    authority = orders.recv()
    peers = [Peer(port, authority=authority) for _ in range(CONNECTIONS)]
    waiting = selectors.DefaultSelector()
    for peer in peers:
        peer.watch("board")
        peer.watch("quiet")
        waiting.register(peer.socket, selectors.EVENT_READ, peer)
    orders.send("ready")
    while True:
        if not orders.poll():
            drain(waiting)
        elif (seconds := orders.recv()) is not None:
            orders.send(listen(peers, waiting, seconds))
        else:
            return


def drain(waiting):
    """Reads what comes between two orders, so that the server does not take a silent one for gone."""
    for key, _ in waiting.select(0.02):
        key.data.fill()
        for _ in key.data.frames():
            pass


def listen(peers, waiting, seconds):
    patches, states, pulled = [], [], {}
    end = time.monotonic() + seconds
    next_pull = {peer: time.monotonic() + index / PULLS / len(peers) for index, peer in enumerate(peers)}
    while (now := time.monotonic()) < end:
        for peer, due in next_pull.items():
            if due <= now:
                next_pull[peer] = due + 1 / PULLS
                pulled.setdefault(peer, time.monotonic_ns())
                peer.say({"type": "pull", "list": "quiet", "gesture": 1, "offset": 12 + now % 1 * 40})
        for key, _ in waiting.select(max(0, min(next_pull.values()) - now)):
            key.data.fill()
            for frame in key.data.frames():
                if match := SENT.search(frame):
                    patches.append((time.time_ns() - int(match[1])) / 1e6)
                elif b'"gesture"' in frame and key.data in pulled:
                    states.append((time.monotonic_ns() - pulled.pop(key.data)) / 1e6)
    return patches, states
