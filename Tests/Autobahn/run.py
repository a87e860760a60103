#!/usr/bin/env python3
"""Holds the server's socket to RFC 6455 and RFC 7692 with Autobahn's test suite, case by case.

python Tests/Autobahn/run.py --binary .build/debug/refreshable             all cases of 1–7, 9, 10, 12, 13
python Tests/Autobahn/run.py --binary .build/debug/refreshable --sample    those that take about a minute together
python Tests/Autobahn/run.py --binary .build/debug/refreshable 6.4.* 7.1.1 these
python Tests/Autobahn/run.py --chat .build/debug/Chat                      Examples/WebSockets/Chat: a room of one echoes
"""

import argparse
import collections
import contextlib
import json
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import suite

# 8 and 11 don't exist; 12 and 13 are compression.
ALL = ["1.*", "2.*", "3.*", "4.*", "5.*", "6.*", "7.*", "9.*", "10.*", "12.*", "13.*"]
# Of 9 (limits) what is small, of 12 and 13 the first of each kind.
SAMPLE = [
    "1.*", "2.*", "3.*", "4.*", "5.*", "6.1.*", "6.2.*", "6.3.*", "6.4.*", "6.20.*", "6.21.*", "7.*",
    "9.1.1", "9.2.1", "9.3.9", "9.5.6", "9.7.1", "9.8.1", "10.*",
    "12.1.1", "12.2.2", "12.4.5", "12.5.1", "13.1.1", "13.2.1", "13.3.2", "13.5.1", "13.7.1",
]  # fmt: skip

# Where the RFC leaves a choice, and the suite would like another one better: (case, its word, why it may be).
ALLOWED = [
    ("6.4.", "NON-STRICT", "invalid UTF-8 may be refused when its message is whole (RFC 6455 §8.1)"),
    ("13.3.", "UNIMPLEMENTED", "a small window of ours is declined (RFC 7692 §7.1.2.1): frames are shared (Decisions/09)"),
    ("13.5.", "UNIMPLEMENTED", "as 13.3"),
]


@contextlib.contextmanager
def echo(options, log):
    """An echo on a free port: (its process, its address)."""
    if options.chat:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        command, path = [options.chat, str(port)], "/rooms/autobahn"
    else:
        command, path, port = [options.binary, "serve", "--echo", "--port", "0"], "", None
    with open(log, "wb") as output:
        server = subprocess.Popen(command, stdout=output, stderr=output)
    try:
        yield server, f"ws://127.0.0.1:{listening(server, port) if port else port_of(server, log)}{path}"
    finally:
        server.terminate()
        server.wait(20)


def listening(server, port, seconds=20):
    """The port, once something listens there."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and server.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return port
        time.sleep(0.02)
    raise SystemExit(f"Nothing listens on port {port}.")


def port_of(server, log, seconds=20):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and server.poll() is None:
        for line in log.read_text().splitlines():
            if line.startswith("Serving an echo at "):
                return int(line.rstrip("/").rsplit(":", 1)[1])
        time.sleep(0.02)
    raise SystemExit(f"The echo did not begin:\n{log.read_text()}")


def run(options, folder):
    """The report of each case, by number."""
    with echo(options, folder / "echo.log") as (server, url):
        spec = {
            "outdir": str(folder / "reports"), "cases": options.cases, "exclude-cases": [], "exclude-agent-cases": {},
            "servers": [{"agent": "refreshable", "url": url, "options": {"version": 18}}],
        }  # fmt: skip
        (folder / "spec.json").write_text(json.dumps(spec))
        command, environment = suite.command(folder)
        with open(folder / "suite.log", "wb") as log:
            ended = subprocess.run(command, env=environment, stdout=log, stderr=log, timeout=options.seconds)
        if ended.returncode != 0 or server.poll() is not None:
            tail = (folder / "suite.log").read_text(errors="replace")[-2000:]
            raise SystemExit(f"The suite ended with {ended.returncode}, the server with {server.poll()}:\n{tail}")
    return json.loads((folder / "reports" / "index.json").read_text())["refreshable"]


def by_number(item):
    return [int(part) for part in item[0].split(".")]


# A chat's answers come from tasks, so what came in one piece with a fault is answered too late.
ALLOWED_OF_TASKS = [
    *((case, "NON-STRICT", "after a fault nothing more need be sent (RFC 6455 §7.1.7)") for case in ("3.", "4.", "5.15")),
]


def is_allowed(case, word, allowed):
    return any(case.startswith(start) and word == other for start, other, _ in allowed)


def faults(report, allowed):
    """What is wrong, by case. A case counts by what was said, and by how the connection ended."""
    found = {}
    for case, result in sorted(report.items(), key=by_number):
        for part in ("behavior", "behaviorClose"):
            word = result[part]
            if word not in ("OK", "INFORMATIONAL") and not is_allowed(case, word, allowed):
                found[case] = f"{part} {word}, closed with {result.get('remoteCloseCode')}"
    return found


def main(options):
    began = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="autobahn-"))
    try:
        report = run(options, folder)
    except suite.NotHere as fault:
        print(fault)
        print("0 passed, 0 failed")
        return 0 if options.sample else 2
    found = faults(report, ALLOWED + (ALLOWED_OF_TASKS if options.chat else []))
    for case, what in found.items():
        print(f"✘ {case}: {what}")
    words = collections.Counter(result["behavior"] for result in report.values())
    print(", ".join(f"{count} {word}" for word, count in sorted(words.items())) + f", {time.monotonic() - began:.0f} s")
    print(f"Reports of all cases: {folder}/reports/index.html")
    print(f"{len(report) - len(found)} passed, {len(found)} failed")
    return 0 if report and not found else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path(".build/debug/refreshable"))
    parser.add_argument("--chat", type=Path, help="the chat of Examples/WebSockets, in the place of the echo")
    parser.add_argument("--sample", action="store_true", help="about a minute's worth")
    parser.add_argument("--seconds", type=float, default=3600, help="after which the suite is given up")
    parser.add_argument("cases", nargs="*", help="such as 6.4.*; all unless given")
    arguments = parser.parse_args()
    arguments.binary = arguments.binary.resolve()
    arguments.chat = arguments.chat and arguments.chat.resolve()
    arguments.cases = arguments.cases or (SAMPLE if arguments.sample else ALL)
    sys.exit(main(arguments))
