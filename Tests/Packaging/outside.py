#!/usr/bin/env python3
"""Depends on this repository from a package outside of it, by git and a tag, without traits and with each of them.

    .build/venv/bin/python Tests/Packaging/outside.py               every choice; each resolves, builds, serves and is pulled
    .build/venv/bin/python Tests/Packaging/outside.py none SQLite   these
    … --release                                                    as programs are shipped, for the figures of record 33
    … --revision REVISION                                          of another commit, without traits if it has none

The program is that of "Getting started", with a list more for each trait. Prints what each choice costs: packages fetched,
processor time to resolve and to build, size of the binary, memory at rest.
"""

import argparse
import asyncio
import functools
import http.server
import json
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Integration"))

from client import Client  # noqa: E402
from harness import Server  # noqa: E402
from ports import free_port  # noqa: E402
from postgres_server import PostgresServer  # noqa: E402

ARTICLE = ROOT / "Sources/RefreshableLists/RefreshableLists.docc/GettingStarted.md"
TAG = "0.1.0"
# What each trait adds to the program: settings, and a list.
TRAITS = {
    "SQLite": (
        'configuration.data = .folder("data")',
        'RefreshableList("stock").source(SQLiteSource("stock.sqlite", query: "SELECT name FROM stock"))',
    ),
    "Web": ("", 'RefreshableList("news").source(WebSource(WebRequest("http://localhost:WEB/news.json")))'),
    "Commands": ("", 'RefreshableList("days").source(CommandSource(.shell("echo Monday; echo Tuesday")))'),
    "PostgreSQL": ("", 'RefreshableList("crew").source(PostgresSource("POSTGRES", query: "SELECT name FROM crew"))'),
}
ROWS = {"fruit": 3, "stock": 2, "news": 1, "days": 2, "crew": 2}
# The packages that a server of closures takes, with those that they take in turn.
LEAST = {
    "swift-async-algorithms", "swift-collections", "swift-http-types", "swift-log", "swift-metrics",
    "swift-service-lifecycle",
}  # fmt: skip
CHOICES = {"none": [], **{name: [name] for name in TRAITS}, "all": None}

class Served(Server):
    """A server that runs already."""

    def __init__(self, port):
        self.port = port


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("choices", nargs="*", metavar="CHOICE", help=", ".join(CHOICES))
parser.add_argument("--release", action="store_true")
parser.add_argument("--revision", default="HEAD")
options = parser.parse_args()
RELEASE = ["-c", "release"] if options.release else []
work = Path(tempfile.mkdtemp(prefix="refreshable-outside-"))


def run(*command, cwd=work):
    """Runs a command that must end well; gives the processor time of it and its children, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(list(map(str, command)), cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout[-2000:]}"
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def publish():
    """A repository elsewhere, at a tag, as people depend on it."""
    run("git", "clone", "--quiet", "--bare", ROOT, "refreshable-lists.git")
    run("git", "--git-dir", "refreshable-lists.git", "tag", "--force", TAG, options.revision)


def program(traits, port, places):
    """The first program of the article, at a port of its own, with what the traits add."""
    blocks = re.findall(r"^```swift\n(.*?)^```$", ARTICLE.read_text(), re.MULTILINE | re.DOTALL)
    text = next(block for block in blocks if block.startswith("import RefreshableLists"))
    settings = ["var configuration = RefreshableServer.Configuration()", f"configuration.port = {port}"]
    settings += [TRAITS[trait][0] for trait in traits]
    lists = "".join(f"    {TRAITS[trait][1]}\n" for trait in traits)
    for word, place in places.items():
        lists = lists.replace(word, place)
    start = "RefreshableServer {\n"
    assert start in text, f"{ARTICLE.name} begins otherwise now"
    text = text.replace("let server", "\n".join(filter(None, settings)) + "\n\nlet server")
    return text.replace(start, f"RefreshableServer(configuration: configuration) {{\n{lists}")


def manifest(traits, has_traits):
    chosen = f", traits: {json.dumps(traits)}" if traits is not None and has_traits else ""
    return f"""// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "fruit",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "file://{work}/refreshable-lists.git", from: "{TAG}"{chosen})],
    targets: [
        .executableTarget(
            name: "fruit", dependencies: [.product(name: "RefreshableLists", package: "refreshable-lists")])
    ]
)
"""


async def pulled(port, name):
    """Watches a list as a page does, pulls it, and gives how many rows it shows then: those that the server has."""
    server = Served(port)
    async with Client.open(server) as client:
        await client.watch(name)
        await client.settled(name)
        run = (await client.pull(name, 1))["run"]
        assert run, f"nothing came of a pull at {name}"
        end = {"type": "state", "phase": "waiting", "last": {"run": run}}
        last = (await client.expect(end, 20))["last"]
        assert last["outcome"] == "success", last
        await client.shows_what_the_server_has(name)
        return len(client.model(name).ordered())


def memory(process):
    """What a process holds at rest, in MB."""
    [kilobytes] = re.findall(r"^VmRSS:\s+(\d+)", Path(f"/proc/{process.pid}/status").read_text(), re.MULTILINE)
    return int(kilobytes) / 1000


def serve(folder, port, names):
    """Starts what was built, pulls each list, and stops it; gives the memory before anybody came."""
    binary = folder / f".build/{'release' if options.release else 'debug'}/fruit"
    with (folder / "log").open("w") as log:
        process = subprocess.Popen([binary], cwd=folder, stdout=log, stderr=subprocess.STDOUT)
    try:
        until = time.monotonic() + 20
        while "Serving at" not in (folder / "log").read_text():
            assert process.poll() is None and time.monotonic() < until, (folder / "log").read_text()
            time.sleep(0.1)
        time.sleep(1)
        held = memory(process)
        for name in names:
            found = asyncio.run(pulled(port, name))
            assert found == ROWS[name], f"{name} has {found} rows, not {ROWS[name]}"
    finally:
        process.terminate()
        status = process.wait(20)
    # The article's program leaves the signal to the system.
    assert status == -signal.SIGTERM, f"it ended with {status}: {(folder / 'log').read_text()}"
    return binary.stat().st_size / 1e6, held


def say_what_is_missing(folder, port, places):
    """A program with a data folder that leaves SQLite out does not compile, and the error names the trait."""
    file = folder / "Sources/fruit/main.swift"
    right = file.read_text()
    file.write_text(program(["SQLite"], port, places))
    done = subprocess.run(["swift", "build", "-j", "2", *RELEASE], cwd=folder, capture_output=True, text=True)
    file.write_text(right)
    said = "error: 'folder' is unavailable: It takes the trait SQLite: name it in Package.swift."
    assert done.returncode != 0 and said in done.stdout, f"without its trait: {done.stdout[-2000:]}"


def try_choice(choice, places, has_traits):
    """One row of the table."""
    traits = list(TRAITS) if CHOICES[choice] is None else CHOICES[choice]
    folder, port = work / choice / "fruit", free_port()
    (folder / "Sources/fruit").mkdir(parents=True)
    (folder / "Package.swift").write_text(manifest(CHOICES[choice], has_traits))
    (folder / "Sources/fruit/main.swift").write_text(program(traits, port, places))
    with sqlite3.connect(folder / "stock.sqlite") as database:
        database.execute("CREATE TABLE stock (name TEXT)")
        database.executemany("INSERT INTO stock VALUES (?)", [("Cups",), ("Plates",)])
    resolving = run("swift", "package", "--cache-path", folder / "cache", "resolve", cwd=folder)
    fetched = {pin["identity"] for pin in json.loads((folder / "Package.resolved").read_text())["pins"]}
    fetched -= {"refreshable-lists"}
    if has_traits and choice == "none":
        assert fetched == LEAST, f"a server of closures takes {sorted(fetched)}"
    building = run("swift", "build", "-j", "2", *RELEASE, cwd=folder)
    if has_traits and choice == "none":
        say_what_is_missing(folder, port, places)
    lists = {"SQLite": "stock", "Web": "news", "Commands": "days", "PostgreSQL": "crew"}
    size, held = serve(folder, port, ["fruit", *(lists[trait] for trait in traits)])
    shutil.rmtree(folder / ".build")
    return [choice, str(len(fetched)), f"{resolving:.0f} s", f"{building:.0f} s", f"{size:.1f} MB", f"{held:.1f} MB"]


def main():
    publish()
    site = work / "site"
    site.mkdir()
    (site / "news.json").write_text('[{"title": "Rain"}]')
    quiet = type("Quiet", (http.server.SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    server = http.server.ThreadingHTTPServer(("localhost", 0), functools.partial(quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    shown = subprocess.run(
        ["git", "--git-dir", work / "refreshable-lists.git", "show", f"{TAG}:Package.swift"],
        capture_output=True, text=True,
    )  # fmt: skip
    has_traits = "traits: [" in shown.stdout.replace("traits: []", "")
    if "PostgreSQL" not in shown.stdout:
        del TRAITS["PostgreSQL"], CHOICES["PostgreSQL"]
    with PostgresServer() as postgres:
        postgres.sql("CREATE TABLE crew (name text); INSERT INTO crew VALUES ('Ada'), ('Grace')")
        return try_all({"WEB": str(server.server_port), "POSTGRES": postgres.url()}, has_traits)


def try_all(places, has_traits):
    passed, failed = 0, 0
    print("| traits | packages fetched | to resolve | to build | binary | at rest |\n|---|---|---|---|---|---|")
    for choice in options.choices or CHOICES:
        try:
            print(f"| {' | '.join(try_choice(choice, places, has_traits))} |", flush=True)
            passed += 1
        except (AssertionError, TimeoutError) as error:
            print(f"✘ {choice}: {error}", flush=True)
            failed += 1
    shutil.rmtree(work)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
