"""Watchers by the thousand: the load client (load/load.c), told what to do, a line at a time."""

import json
import subprocess
from contextlib import suppress


class Crowd:
    """All who watch one server. Without a core of its own, it shares that of others."""

    def __init__(self, program, server, core):
        self.server = server
        command = [program, str(server.port), "shared"] if core is None else ["taskset", "-c", str(core), program, str(server.port)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.count = 0

    def ask(self, *words):
        self.tell(*words)
        return self.hear()

    def tell(self, *words):
        """Asks, and does not wait for the answer: `hear` gives it."""
        # One that has ended is told of by `hear`.
        with suppress(BrokenPipeError):
            self.process.stdin.write(" ".join(map(str, words)) + "\n")
            self.process.stdin.flush()

    def hear(self):
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"{self.server.name}: {self.process.stderr.read().strip() or 'the load client ended'}")
        return json.loads(answer)

    def open(self, count, at_once=64, greets=True):
        """Connects so many more; they are there when each heard that its list is at rest."""
        server = self.server
        greeting, awaited = (server.greeting, server.awaited) if greets else ("-", "-")
        self.count += count
        return self.ask("open", count, at_once, server.path, server.protocol, int(server.is_compressed), greeting, awaited)

    def push_by(self, file):
        self.ask("push", self.server.push_port, self.server.push_method, self.server.push_path, file)

    def pull_by(self, message, answer):
        self.ask("pull", message, answer)

    def run(self, milliseconds, pushes=True, period=-1):
        """Pushes again and again; pulls each `period` µs, one after the other if it is 0, not at all if it is −1."""
        return self.ask("run", milliseconds, int(pushes), period)

    def say(self, message, awaited, count):
        return self.ask("say", message, awaited, count)

    def expect(self, count):
        """From now on counts messages; once so many came in all, `hear` gives when (`time.monotonic_ns`)."""
        self.ask("expect", count)

    def capture(self, file):
        """The bytes that the first watcher was sent since the last `run` or `say`."""
        self.ask("capture", file)
        return file.read_bytes()

    def close(self):
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.wait(20)
        self.process.stdout.close()
        self.process.stderr.close()
