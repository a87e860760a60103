"""The servers that are measured: ours, the floor, and the peers. Each has one loop or worker, on one core."""

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import process

HERE = Path(__file__).resolve().parent
PULL = '{"type":"pull","list":"bench","gesture":1,"offset":30}'
# What a pull is answered with: by ours for it is so, by the others for the same bytes are to be sent.
STATE = '{"type":"state","list":"bench","phase":"waiting","gesture":1,"progress":0.37037037037037035}'
STATE_BEGINS = '{"type":"state"'
# How long a server may take to listen. s
PATIENCE = 20


class Missing(Exception):
    """A peer that this machine does not have."""


class Server:
    """A process that listens, with all that the load client must know to speak to it."""

    name = ""
    path, protocol, greeting, awaited = "/ws", "-", "-", "-"
    push_method, push_path = "POST", "/push"
    # Whether messages are pushed to it, to be sent to all; whether it reads messages, so that a pull can be answered; whether it has
    # compression.
    is_pushed = is_asked = can_compress = True
    # How the answer to a pull begins.
    answer = STATE_BEGINS

    def __init__(self, tools, is_compressed):
        self.tools, self.is_compressed = tools, is_compressed
        self.port = self.push_port = free_port()
        self.folder = tools.folder / f"{self.key}{'-deflate' * is_compressed}"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.log = (self.folder / "log").open("w")
        pinned = ["taskset", "-c", str(tools.server_core)] if tools.server_core is not None else []
        command = [*pinned, *map(str, self.command())]
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, cwd=self.folder, env=self.environment())
        self._wait()

    @property
    def key(self):
        return type(self).__name__.lower()

    @classmethod
    def check(cls, tools):
        """Raises `Missing` with a sentence where it can't be had."""

    def environment(self):
        return os.environ | self.tools.environment

    def body(self, payload):
        """What is pushed so that watchers get this payload."""
        return payload

    def prepare(self, crowd):
        """The last preparation, when somebody watches."""

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()

    def members(self):
        return process.family(self.process.pid)

    def _wait(self):
        end = time.monotonic() + PATIENCE
        while True:
            try:
                for port in {self.port, self.push_port}:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    self.close()
                    raise Missing(f"it did not listen: {last_line(self.folder / 'log')}") from None
                time.sleep(0.02)


class Floor(Server):
    """One send() for each watcher, and nothing else (floor/floor.c)."""

    name = "bare send() loop"

    def command(self):
        return [self.tools.floor, self.port]

    def answer_with(self, content):
        """From now on, any message is answered with these bytes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        connection.request("POST", "/answer", content)
        connection.getresponse().read()
        connection.close()

    def prepare(self, crowd):
        self.answer_with(bytes([0x81, len(STATE)]) + STATE.encode())


class Refreshable(Server):
    """Ours: a push is read, compared, kept in memory, made one patch, and sent."""

    name = "refreshable"
    protocol, greeting, awaited = "refreshable.v1", '{"type":"watch","list":"bench"}', STATE_BEGINS
    push_method, push_path = "PATCH", "/lists/bench"

    def command(self):
        settings = self.folder / "lists.yaml"
        # JSON is YAML. The command gives no rows; beside it they are pushed.
        settings.write_text(json.dumps({"lists": [*self.tools.lists, {"name": "bench", "command": "true", "push": True}]}))
        return [self.tools.binary, "serve", settings, "--port", self.port, "--ephemeral", "--loops", "1"]

    def body(self, payload):
        return json.dumps({"set": [{"key": "row", "fields": {"title": payload.decode()}}]}).encode()


class Echo(Server):
    """Our socket without lists: a bare echo on the same loop."""

    name = "our socket, echoing"
    protocol, is_pushed, answer, can_compress = "refreshable.v1", False, PULL[:14], False

    @classmethod
    def check(cls, tools):
        told = subprocess.run([tools.binary, "serve", "--help"], capture_output=True, text=True).stdout
        if "--echo" not in told:
            raise Missing("this refreshable has no --echo")

    def command(self):
        return [self.tools.binary, "serve", "--echo", "--port", self.port, "--loops", "1"]


class Program(Server):
    """A program on the public face of our socket: a task for each, a group, and a route (program/SocketProgram.swift)."""

    name = "our library, by tasks"

    @classmethod
    def check(cls, tools):
        if not tools.program.exists():
            raise Missing("it is not built: swift build -c release --package-path Benchmarks/Sockets/program")

    def command(self):
        return [self.tools.program, self.port, int(self.is_compressed), STATE]


class NIO(Server):
    """A program on SwiftNIO's channel handlers (nio/NIOProgram.swift)."""

    name = "SwiftNIO"
    can_compress = False

    @classmethod
    def check(cls, tools):
        if not (tools.programs / "NIOProgram").exists():
            raise Missing("it is not built: swift build -c release --package-path Benchmarks/Sockets/nio")

    def command(self):
        return [self.tools.programs / "NIOProgram", self.port, STATE]


class Nchan(Server):
    """nginx with the module nchan: a message is published by HTTP."""

    name = "nginx nchan"
    is_asked = False

    @classmethod
    def check(cls, tools):
        if not (tools.peers / "nginx/usr/sbin/nginx").exists():
            raise Missing("nginx and libnginx-mod-nchan could not be had from Debian's packages")

    def command(self):
        root = self.tools.peers / "nginx"
        text = (HERE / "peers/nginx.conf").read_text()
        values = {"PORT": self.port, "FOLDER": self.folder, "MODULES": root / "usr/lib/nginx/modules", "DEFLATE": "on" if self.is_compressed else "off"}
        for name, value in values.items():
            text = text.replace(f"@{name}@", str(value))
        (self.folder / "nginx.conf").write_text(text)
        nginx = [root / "usr/sbin/nginx", "-p", self.folder, "-e", self.folder / "error.log", "-c", self.folder / "nginx.conf"]
        return nginx if Path("/var/lib/nginx").exists() else [*self._with_its_folder(), *nginx]

    @staticmethod
    def _with_its_folder():
        """nchan makes folders in /var/lib/nginx, whatever the configuration says: it gets one that nobody else sees."""
        names = [] if os.geteuid() == 0 else ["--map-root-user"]
        return ["unshare", "--mount", *names, "sh", "-c", 'mount -t tmpfs tmpfs /var/lib && mkdir /var/lib/nginx && exec "$@"', "sh"]


class UWebSockets(Server):
    """uWebSockets, by the Python package socketify: a topic, and publish()."""

    name = "uWebSockets"

    @classmethod
    def check(cls, tools):
        needs_module("socketify")

    def command(self):
        return [sys.executable, HERE / "peers/uwebsockets.py", self.port, int(self.is_compressed), STATE]


class NodeWS(Server):
    """node with ws: send() to each client."""

    name = "node ws"

    @classmethod
    def check(cls, tools):
        if not any((tools.peers / "node").rglob("ws/package.json")):
            raise Missing("ws could be had neither from npm nor from Debian's packages")

    def command(self):
        package = next((self.tools.peers / "node").rglob("ws/package.json")).parent
        return ["node", HERE / "peers/ws.mjs", package, self.port, int(self.is_compressed), STATE]


class PythonWebSockets(Server):
    """Python's websockets: broadcast() to all."""

    name = "Python websockets"

    @property
    def is_asked(self):
        """It compresses answers too, so that the crowd could not tell them from what is sent to all."""
        return not self.is_compressed

    @classmethod
    def check(cls, tools):
        needs_module("websockets")

    def command(self):
        self.push_port = free_port()
        return [sys.executable, HERE / "peers/python_websockets.py", self.port, self.push_port, int(self.is_compressed), STATE]


PEERS = {"program": Program, "nio": NIO, "nchan": Nchan, "uws": UWebSockets, "ws": NodeWS, "websockets": PythonWebSockets}


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def needs_module(name):
    if subprocess.run([sys.executable, "-c", f"import {name}"], capture_output=True).returncode:
        raise Missing(f"the Python package {name} could not be had")


def last_line(file):
    return (file.read_text(errors="replace").strip().splitlines() or ["it said nothing"])[-1]
