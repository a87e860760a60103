"""A WebSocket on a plain socket, for who wants to decide when it reads."""

import json
import socket
import ssl

from raw_websocket import PING, PONG, TEXT, frames_in, handshake, masked


class Peer:
    """One connection. It reads only when it is asked to, and blocks while it does."""

    def __init__(self, port, receive_buffer=None, deflates=False, authority=None):
        """`authority` is a file with whom to trust: then it speaks TLS."""
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if authority:
            self.socket = ssl.create_default_context(cafile=authority).wrap_socket(self.socket, server_hostname="localhost")
        self.socket.sendall(handshake(port, deflates))
        self.bytes = bytearray()
        while b"\r\n\r\n" not in self.bytes:
            self.fill()
        del self.bytes[: self.bytes.index(b"\r\n\r\n") + 4]

    def fill(self):
        piece = self.socket.recv(1 << 16)
        if not piece:
            raise ConnectionResetError("the server closed")
        self.bytes += piece
        # What TLS has decrypted already makes no socket readable.
        if isinstance(self.socket, ssl.SSLSocket) and self.socket.pending():
            self.bytes += self.socket.recv(self.socket.pending())

    def frames(self):
        """The text messages that have arrived whole. Pings are answered on the way."""
        for opcode, payload in frames_in(self.bytes):
            if opcode == PING:
                self.send_frame(PONG, payload)
            elif opcode == TEXT:
                yield payload

    def say(self, message):
        self.send_frame(TEXT, json.dumps(message).encode())

    def send_frame(self, opcode, payload):
        self.socket.sendall(masked(0x80 | opcode, payload))

    def watch(self, name):
        """Watches a list and reads until its ok."""
        self.say({"type": "watch", "id": name, "list": name})
        while not any(f'"id":"{name}"'.encode() in frame for frame in self.frames()):
            self.fill()
