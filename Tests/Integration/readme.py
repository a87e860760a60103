"""What documents say is run, not believed: settings are served, scripts pass, commands, tests and links exist."""

import asyncio
import contextlib
import json
import os
import re
import time
from pathlib import Path
from types import SimpleNamespace

import harness
from client import Client
from harness import Folder, test
from web_server import WebServer

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [
    "README.md",
    "CONTRIBUTING.md",
    "Documentation/Protocol.md",
    "Documentation/Seeds.md",
    "Documentation/Decisions/README.md",
]


def block(start):
    """The README's fenced block that begins with these characters."""
    blocks = re.findall(r"^```\w*\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    return next(text for text in blocks if text.startswith(start))


async def output(*command, within=20):
    """Runs a command in the repository to its end: (status, all it wrote)."""
    process = await asyncio.create_subprocess_exec(
        *map(str, command), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, cwd=ROOT
    )
    text, _ = await asyncio.wait_for(process.communicate(), within)
    return process.returncode, text.decode()


@test()
async def the_readmes_settings_are_served():
    folder = Folder()
    settings = folder / "lists.yaml"
    settings.write_text(block("lists:"))
    process = await asyncio.create_subprocess_exec(
        harness.BINARY, "serve", settings, "--port", "0", "--ephemeral", cwd=ROOT,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    try:
        async with asyncio.timeout(10):
            seen = ""
            while "Serving 1 list" not in seen:
                line = (await process.stdout.readline()).decode()
                assert line, seen
                seen += line
    finally:
        process.kill()
        await process.wait()
    folder.remove()


@test(limit=60)
async def the_readmes_script_passes():
    folder = Folder()
    (folder / "readme.script").write_text(block("# Dragging back"))
    status, text = await output(harness.BINARY, "script", folder / "readme.script", within=50)
    assert status == 0, text
    folder.remove()


def transcripts():
    """What the README says that people type: for each transcript [(command, lines that it prints)]."""
    for text in re.findall(r"^```console\n(.*?)^```$", (ROOT / "README.md").read_text(), re.MULTILINE | re.DOTALL):
        steps = re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]
        yield [
            re.match(r"(.*<<END\n.*?^END\n|[^\n]*\n)(.*)", step, re.MULTILINE | re.DOTALL).groups() for step in steps
        ]


def plain(text):
    """The lines of a text, with other numbers, addresses, paths and blanks alike."""
    text = re.sub(r"Kept in \S+", "Kept in …", re.sub(r"\d[\d.]*", "0", text))
    return [" ".join(line.split()) for line in text.splitlines()]


def is_as_told(told, printed):
    """Whether a command printed these lines, in this order. "…" stands for any others."""
    lines = iter(plain(printed))
    return all(line in lines for line in plain(told) if line != "…")


@contextlib.asynccontextmanager
async def served(command, folder, environment):
    """`refreshable serve …` as the README has it, but on a free port: gives what it prints, and the port."""
    process = await asyncio.create_subprocess_shell(
        f"exec {command.strip()}", cwd=folder.path, env={**environment, "REFRESHABLE_PORT": "0"},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    try:
        seen = ""
        async with asyncio.timeout(10):
            while "Anybody who reaches" not in seen:
                line = (await process.stdout.readline()).decode()
                assert line, seen
                seen += line
        yield seen, int(re.search(r"http://localhost:(\d+)/", seen)[1])
    finally:
        process.kill()
        await process.wait()


def stand_in(web):
    """Answers as the web servers do that the README asks; gives a command that asks us instead."""
    issues = [
        {"number": number, "title": f"Issue {number}", "user": {"login": "ada"}, "comments": 3, "html_url": "https://a.b/"}
        for number in range(30)
    ]
    web.rows("/repos/swiftlang/swift/issues", issues)
    entry = "<entry><id>1</id><title>News</title><updated>2026-11-21T10:00:00Z</updated></entry>"
    feed = f'<feed xmlns="http://www.w3.org/2005/Atom"><title>Swift</title>{entry}</feed>'
    web.on("/atom.xml", lambda _: (200, {"Content-Type": "application/atom+xml"}, feed))
    return lambda command: re.sub(r"https://(www\.swift\.org|api\.github\.com)(?=/)", web.url(""), command)


@test(limit=60)
async def the_readmes_transcripts_end_on_a_page_within_seconds():
    names = {"issues": 30, "news": 1, "orders": 2}
    environment = {**os.environ, "PATH": f"{harness.BINARY.parent}:{os.environ['PATH']}"}
    async with WebServer() as web:
        ask_us = stand_in(web)
        for steps in transcripts():
            folder, began = Folder(), time.monotonic()
            for command, told in steps[:-1]:
                process = await asyncio.create_subprocess_shell(
                    ask_us(command), cwd=folder.path, env=environment, stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.STDOUT,
                )  # fmt: skip
                printed = (await process.communicate())[0].decode()
                assert process.returncode == 0 and is_as_told(told, printed), (command, printed)
            command, told = steps[-1]
            async with served(command, folder, environment) as (printed, port):
                assert is_as_told(told, printed), printed
                async with Client.open(SimpleNamespace(port=port)) as client:
                    name = re.search(r"name: (\w+)", str(steps))[1]
                    await client.watch(name)
                    model, count = client.model(name), names.pop(name)
                    await client.until(lambda model=model, count=count: len(model.rows) == count, what=name)
            seconds = time.monotonic() - began
            harness.say(f"    {name}: {len(steps)} lines typed, on the page {seconds:.1f} s after the first")
            assert seconds < 10
            folder.remove()
    assert not names, f"there is no transcript of {names}"


@test()
async def every_script_that_documents_name_can_be_run():
    for document in DOCUMENTS:
        for name in set(re.findall(r"\bScripts/([a-z]+)\b(?![-.])", (ROOT / document).read_text())):
            assert os.access(ROOT / "Scripts" / name, os.X_OK), f"{document} names Scripts/{name}"


@test()
async def scripts_that_people_begin_with_explain_themselves_without_building():
    for name in ("serve", "install", "test", "faults"):
        status, text = await output(ROOT / "Scripts" / name, "--help", within=5)
        assert status == 0 and f"    Scripts/{name}" in text and "Building" not in text, (name, status, text)


@test()
async def every_link_leads_somewhere():
    for document in DOCUMENTS:
        text = (ROOT / document).read_text()
        for link in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text) + re.findall(
            r'\bsrc="(Documentation/[^"]+)"', text
        ):
            if not link.startswith(("http:", "https:")):
                assert ((ROOT / document).parent / link).exists(), f"{document} links to {link}"


def names_of_tests():
    """The names of all tests there are, in Swift, Python and JavaScript, as the README writes them."""
    for file in (ROOT / "Tests").rglob("*.swift"):
        yield from re.findall(r"\bfunc (\w+)\(", file.read_text())
    for file in (ROOT / "Tests").rglob("*.py"):
        for name in re.findall(r"^(?:async )?def (\w+)\(", file.read_text(), re.MULTILINE):
            yield name.replace("_", " ")
    for file in (ROOT / "Tests").rglob("*.test.mjs"):
        yield from re.findall(r"^test\('(.+?)', ", file.read_text(), re.MULTILINE)
    yield from re.findall(r'^    "(\w+)": "', (ROOT / "Tests/Faults/rules.py").read_text(), re.MULTILINE)


@test()
async def every_test_that_stands_behind_a_promise_exists():
    promises = [line for line in (ROOT / "README.md").read_text().splitlines() if re.match(r"\| P\d+ \|", line)]
    assert len(promises) == 10, promises
    known = set(names_of_tests())
    for promise in promises:
        stands_on = promise.split("|")[3]
        names = re.findall(r"\*([^*]+)\*", stands_on) + re.findall(r"`(\w{12,})`", stands_on)
        assert names, f"nothing stands behind {promise}"
        for name in names:
            assert name in known, f"'{name}' is no test"


@test()
async def no_example_keeps_an_error_to_itself():
    swift = [file.read_text() for file in (ROOT / "Examples").rglob("*.swift") if ".build" not in file.parts]
    pages = [ROOT / "README.md", *(ROOT / "Sources").rglob("*.docc/**/*.md")]
    for page in pages:
        swift += re.findall(r"^ *```swift\n(.*?)^ *```$", page.read_text(), re.MULTILINE | re.DOTALL)
    assert swift
    for example in swift:
        code = re.sub(r"//.*", "", example)
        # What calls back has to catch, and hands the error on.
        code = re.sub(r"catch \{\s*(\w+\.fail\(error\)|\w+\(\.failure\(error\)\))\s*\}", "", code)
        assert not re.search(r"\bcatch\b|\btry\?", code), f"people would not hear of an error here:\n{example}"


def instruction(name):
    """The last instruction of that name in the Dockerfile."""
    return re.findall(rf"^{name} (.*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)[-1]


@test()
async def the_container_takes_what_is_there():
    for copied in re.findall(r"^COPY (?!--from)(.*) \S+$", (ROOT / "Dockerfile").read_text(), re.MULTILINE):
        for path in copied.split():
            assert (ROOT / path).exists(), f"the Dockerfile copies {path}"
    folder = Folder()
    environment = {**os.environ, **dict(pair.split("=") for pair in instruction("ENV").split())}
    environment |= {
        "PATH": f"{harness.BINARY.parent}:{os.environ['PATH']}",
        "REFRESHABLE_DATA": str(folder / "store"),
        "REFRESHABLE_LISTS": str(ROOT / "Examples/demos.yaml"),
        "REFRESHABLE_PORT": "0",
    }
    process = await asyncio.create_subprocess_exec(
        *json.loads(instruction("ENTRYPOINT")), cwd=folder.path, env=environment,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    try:
        async with asyncio.timeout(10):
            seen = ""
            while not (served := re.search(r"Serving \d+ lists at http://\S+:(\d+)/", seen)):
                line = (await process.stdout.readline()).decode()
                assert line, seen
                seen += line
            health = json.loads(re.search(r"CMD (\[.*\])", instruction("HEALTHCHECK"))[1])
            environment["REFRESHABLE_PORT"] = served[1]
            asked = await asyncio.create_subprocess_exec(*health, env=environment)
            assert await asked.wait() == 0, "it is not healthy"
    finally:
        process.kill()
        await process.wait()
    folder.remove()
