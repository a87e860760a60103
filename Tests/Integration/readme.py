"""The README is run, not believed: its settings are served, its script passes, its commands and links exist."""

import asyncio
import os
import re
from pathlib import Path

import harness
from harness import Folder, test

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "Documentation/Protocol.md", "Documentation/Decisions/README.md"]


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
        for name in set(re.findall(r"\bScripts/([a-z]+)\b", (ROOT / document).read_text())):
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
