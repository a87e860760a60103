"""A wire between page and server that can be slow, stall, and be cut."""

import queue
import re
import socket
import threading
import time
from urllib.parse import urlsplit


class Wire:
    """Forwards every connection to a server; `cut` drops them all, and none comes through until `mend`.

    `delay` is the way from one end to the other, in seconds; while it stalls, all that is on its way waits.
    """

    def __init__(self, url):
        self.target = (urlsplit(url).hostname, urlsplit(url).port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/"
        self.is_cut = False
        self.delay = 0
        self.flows = threading.Event()
        self.flows.set()
        self.pairs = []
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self):
        self.is_cut = True
        pairs, self.pairs = self.pairs, []
        for end in (end for pair in pairs for end in pair):
            shut(end)

    def mend(self):
        self.is_cut = False

    def stall(self, seconds):
        self.flows.clear()
        threading.Timer(seconds, self.flows.set).start()

    def _accept(self):
        while True:
            near, _ = self.listener.accept()
            if self.is_cut:
                near.close()
                continue
            try:
                far = socket.create_connection(self.target)
            except ConnectionRefusedError:
                # The server has ended; a page may ask for it for longer.
                near.close()
                continue
            self.pairs.append((near, far))
            for source, sink in ((near, far), (far, near)):
                self._forward(source, sink)

    def _forward(self, source, sink):
        way = queue.Queue()
        threading.Thread(target=self._take, args=(source, way), daemon=True).start()
        threading.Thread(target=self._give, args=(way, source, sink), daemon=True).start()

    def passed_on(self, data):
        return data

    def _take(self, source, way):
        """What comes is due once it has gone the way; nothing at all is the end."""
        data = True
        while data:
            try:
                data = self.passed_on(source.recv(65536))
            except OSError:
                # Cut: both ends go.
                data = None
            way.put((time.monotonic() + self.delay, data))

    def _give(self, way, source, sink):
        while True:
            due, data = way.get()
            time.sleep(max(0, due - time.monotonic()))
            self.flows.wait()
            try:
                if not data:
                    break
                sink.sendall(data)
            except OSError:
                # Cut, as above.
                break
        shut(source)
        shut(sink)


class Mount(Wire):
    """Shows a server below `/live/`, as a proxy does that leaves its path out of what it passes on, and nothing elsewhere."""

    REQUEST = re.compile(rb"^(GET|HEAD|POST|PUT|PATCH|DELETE) (/live)?/")

    def __init__(self, url):
        super().__init__(url)
        self.url += "live/"

    def passed_on(self, data):
        return self.REQUEST.sub(lambda line: line[1] + (b" /" if line[2] else b" /elsewhere/"), data)


def shut(end):
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        # It was shut already.
        pass
