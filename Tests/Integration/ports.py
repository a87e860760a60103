"""Ports for programs that tests start."""

import random
import socket

# Below those from which Linux takes the port of a connection that goes out (`ip_local_port_range`): so none takes the port of a
# program before it is started, or while it is started again.
PORTS = range(15_000, 32_000)
given = set()


def free_port():
    """A port at which nothing listens, which was not given before."""
    while True:
        port = random.choice(PORTS)
        if port in given:
            continue
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        given.add(port)
        return port
