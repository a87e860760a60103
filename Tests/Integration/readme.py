"""What documents say is run, not believed: settings are served, scripts pass, commands, tests and links exist."""

import asyncio
import json
import os
import re
from pathlib import Path

import harness
from harness import Folder, test

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


@test()
async def every_script_that_documents_name_can_be_run():
    for document in DOCUMENTS:
        for name in set(re.findall(r"\bScripts/([a-z]+)\b(?![-.])", (ROOT / document).read_text())):
            assert os.access(ROOT / "Scripts" / name, os.X_OK), f"{document} names Scripts/{name}"


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
    """The names of all tests there are, in Swift and Python, as the README writes them."""
    for file in (ROOT / "Tests").rglob("*.swift"):
        yield from re.findall(r"\bfunc (\w+)\(", file.read_text())
    for file in (ROOT / "Tests").rglob("*.py"):
        for name in re.findall(r"^(?:async )?def (\w+)\(", file.read_text(), re.MULTILINE):
            yield name.replace("_", " ")
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
