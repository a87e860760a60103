"""The socket to a browser that numbers its questions: CDP and WebDriver BiDi alike."""

import json

from websockets.sync.client import connect


class Wire:
    def __init__(self, url):
        # Pictures are large.
        self.socket = connect(url, max_size=None, ping_interval=None)
        self.number = 0

    def call(self, method, **parameters):
        """Asks, and gives the result; whatever else the browser says meanwhile is not for us."""
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while (answer := json.loads(self.socket.recv(60))).get("id") != self.number:
            pass
        if "error" in answer:
            raise AssertionError(f"{method}: {answer.get('message') or answer['error']}")
        return answer["result"]

    def close(self):
        self.socket.close()
