"""A wire between page and server that can be cut."""

import socket
import threading
from urllib.parse import urlsplit


class Wire:
    """Forwards every connection to a server; `cut` drops them all, and none comes through until `mend`."""

    def __init__(self, url):
        self.target = (urlsplit(url).hostname, urlsplit(url).port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}/"
        self.is_cut = False
        self.pairs = []
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self):
        self.is_cut = True
        pairs, self.pairs = self.pairs, []
        for end in (end for pair in pairs for end in pair):
            shut(end)

    def mend(self):
        self.is_cut = False

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
                threading.Thread(target=forward, args=(source, sink), daemon=True).start()


def forward(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        # Cut: both ends go.
        pass
    shut(source)
    shut(sink)


def shut(end):
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        # It was shut already.
        pass
