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
ARTICLES = [str(file.relative_to(ROOT)) for file in sorted(ROOT.glob("Sources/*/*.docc/*.md"))]
# What people type or copy from these is run.
GUIDES = ["README.md", *ARTICLES]
DOCUMENTS = [
    *GUIDES,
    "CONTRIBUTING.md",
    "Examples/Page/README.md",
    *(str(file.relative_to(ROOT)) for file in sorted((ROOT / "Documentation").glob("*.md"))),
    "Documentation/Decisions/README.md",
]
LAST_PAGE = "CONTRIBUTING.md"


def text_of(document):
    return (ROOT / document).read_text()


def blocks(language=""):
    """The fenced blocks in this language, of all guides, as (document, text)."""
    for document in GUIDES:
        for fence, text in re.findall(r"^```(\w*)\n(.*?)^```$", text_of(document), re.MULTILINE | re.DOTALL):
            if fence == language:
                yield document, text


async def output(*command, within=20):
    """Runs a command in the repository to its end: (status, all it wrote)."""
    process = await asyncio.create_subprocess_exec(
        *map(str, command), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, cwd=ROOT
    )
    text, _ = await asyncio.wait_for(process.communicate(), within)
    return process.returncode, text.decode()


@test(limit=60)
async def settings_in_the_guides_are_served():
    shown = [(document, text) for document, text in blocks("yaml") if text.startswith("lists:")]
    assert shown
    for document, text in shown:
        folder = Folder()
        settings = folder / "lists.yaml"
        settings.write_text(text)
        process = await asyncio.create_subprocess_exec(
            harness.BINARY, "serve", settings, "--port", "0", "--ephemeral", cwd=ROOT,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
        try:
            async with asyncio.timeout(10):
                seen = ""
                while not re.search(r"Serving \d+ list", seen):
                    line = (await process.stdout.readline()).decode()
                    assert line, f"{document}: {seen}"
                    seen += line
        finally:
            process.kill()
            await process.wait()
        folder.remove()


@test(limit=120)
async def scripts_in_the_guides_pass():
    shown = [(document, text) for document, text in blocks() if re.match(r"# .*\n\w?[<>]", text)]
    assert {"README.md", "WebSocketScripts.md"} <= {Path(document).name for document, _ in shown}

    async def play(document, text):
        folder = Folder()
        (folder / "shown.script").write_text(text)
        status, printed = await output(harness.BINARY, "script", folder / "shown.script", within=50)
        assert status == 0, f"{document}: {printed}"
        folder.remove()

    await asyncio.gather(*(play(document, text) for document, text in shown))


def transcripts():
    """What the guides say that people type: for each transcript [(command, lines that it prints)]."""
    for _, text in blocks("console"):
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
    """`refreshable serve …` as a guide has it, but on a free port: gives what it prints, and the port."""
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
    """Answers as the web servers do that the guides ask; gives a command that asks us instead."""
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
async def transcripts_in_the_guides_end_on_a_page_within_seconds():
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
        for name in set(re.findall(r"\bScripts/([a-z]+)\b(?![-.])", text_of(document))):
            assert os.access(ROOT / "Scripts" / name, os.X_OK), f"{document} names Scripts/{name}"


@test()
async def scripts_that_people_begin_with_explain_themselves_without_building():
    for name in ("serve", "install", "test", "faults", "animation", "package"):
        status, text = await output(ROOT / "Scripts" / name, "--help", within=5)
        assert status == 0 and f"    Scripts/{name}" in text and "Building" not in text, (name, status, text)


@test(limit=60)
async def every_command_in_the_guides_is_known_with_its_options():
    seen = set()
    for document, text in [*blocks("sh"), *blocks("console")]:
        for line in text.replace("\\\n", " ").splitlines():
            words = re.sub(r"(^|\s)#.*", "", line).replace("|", "\n")
            for name, rest in re.findall(r"(?:^|[\s$])refreshable ([a-z]+)(.*)", words):
                seen.add(name)
                status, told = await output(harness.BINARY, "help", name)
                assert status == 0, f"{document}: {line}\n{told}"
                for option in re.findall(r"\s(--[a-z-]+)", rest):
                    assert option in told, f"{document} has {option}: {line}"
    assert {"check", "init", "push", "refresh", "serve", "watch"} <= seen, seen


def anchors(text):
    """What a link may lead to within a page, as GitHub names its headings."""
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE):
        yield re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@test()
async def every_link_leads_somewhere():
    for document in DOCUMENTS:
        text = text_of(document)
        links = re.findall(r"\]\(([^)#]*)#?([^)]*)\)", text)
        pictures = re.findall(r'\bsrc="(Documentation/[^"]+)()"', text)
        for link, anchor in [*links, *pictures]:
            if not link.startswith(("http:", "https:")):
                page = ROOT / document if not link else (ROOT / document).parent / link
                assert page.exists(), f"{document} links to {link}"
                assert not anchor or anchor in anchors(page.read_text()), f"{document} links to {link}#{anchor}"


def next_page(document):
    """The page that a page leads to at its end."""
    # DocC wants its list of symbols below everything else.
    last = text_of(document).partition("\n## Topics\n")[0].strip().splitlines()[-1]
    assert last.startswith("Next: "), f"{document} ends with: {last}"
    if article := re.search(r"<doc:(\w+)>", last):
        return f"{os.path.dirname(document)}/{article[1]}.md"
    return os.path.relpath((ROOT / document).parent.resolve() / re.search(r"\]\((.*?)\)", last)[1], ROOT)


@test()
async def each_page_leads_to_the_next_one_in_the_table_of_contents():
    page, read = "Documentation/README.md", []
    while page != LAST_PAGE:
        page = next_page(page)
        assert page not in read, f"{page} comes twice"
        read.append(page)
    listed = re.findall(r"^\d+\. \[.*?\]\((.*?)\)", text_of("Documentation/README.md"), re.MULTILINE)
    assert [os.path.normpath(f"Documentation/{link}") for link in listed] == read, read
    pages = {*DOCUMENTS, *(f"Documentation/{file.name}" for file in (ROOT / "Documentation").glob("*.md"))}
    # The first page, the table itself, those that DocC makes tables of, and one that a page in the table leads to.
    left_out = {"README.md", "Documentation/README.md", "Examples/Page/README.md"}
    left_out |= {article for article in ARTICLES if Path(article).stem.startswith("RefreshableLists")}
    left_out |= {article for article in ARTICLES if Path(article).stem == Path(article).parent.stem}
    assert pages - left_out == set(read), pages - left_out ^ set(read)


@test()
async def the_readme_is_short_and_its_animation_light():
    assert len(text_of("README.md").splitlines()) <= 130
    assert (ROOT / "Documentation/pull.webp").stat().st_size < 400_000


@test()
async def what_the_map_names_is_where_it_says():
    text = text_of("Documentation/Architecture.md")
    places = re.findall(r"^\d+\. \[`([\w/]+)`\]\(.*?\): (.*)$", text, re.MULTILINE)
    assert {folder for folder, _ in places} >= {f"Sources/{name}" for name in ("KeyedLists", "WebSockets", "RefreshableLists")}
    for folder, said in places:
        sources = "\n".join(file.read_text() for file in (ROOT / folder).rglob("*.swift"))
        for name in re.findall(r"`([A-Z]\w+)`", said):
            assert re.search(rf"\b(struct|class|enum|actor|protocol) {name}\b", sources), f"there is no {name} in {folder}"
    files = sorted((ROOT / "Public").rglob("*.js"))
    modules = {file.name for file in files} | {str(file.relative_to(ROOT / "Public")) for file in files}
    named = re.findall(r"`([\w/-]+\.js)`", text) + re.findall(r">([\w-]+\.js)<", text_of("Documentation/architecture.svg"))
    assert set(named) <= modules, set(named) - modules


def names_of_tests():
    """The names of all tests there are, in Swift, Python and JavaScript, as the promises write them."""
    for file in (ROOT / "Tests").rglob("*.swift"):
        # A package of the tests may have been built, with folders among its checkouts that are called so.
        if ".build" not in file.parts:
            yield from re.findall(r"\bfunc (\w+)\(", file.read_text())
    for file in (ROOT / "Tests").rglob("*.py"):
        for name in re.findall(r"^(?:async )?def (\w+)\(", file.read_text(), re.MULTILINE):
            yield name.replace("_", " ")
    for file in (ROOT / "Tests").rglob("*.test.mjs"):
        yield from re.findall(r"^test\('(.+?)', ", file.read_text(), re.MULTILINE)
    for file in ("rules.py", "cluster_checks.py"):
        yield from re.findall(r'^    "(\w+)": "', (ROOT / "Tests/Faults" / file).read_text(), re.MULTILINE)


@test()
async def every_test_that_stands_behind_a_promise_exists():
    promises = re.split(r"^## (?=P\d+ )", text_of("Documentation/Promises.md"), flags=re.MULTILINE)[1:]
    assert [promise.split()[0] for promise in promises] == [f"P{number}" for number in range(1, 11)], promises
    known = set(names_of_tests())
    for promise in promises:
        stands_on = "\n".join(re.findall(r"^- .*", promise, re.MULTILINE)).replace("**faults**", "").replace("**cluster**", "")
        names = re.findall(r"\*([^*]+)\*", stands_on) + re.findall(r"`(\w{12,})`", stands_on)
        assert names, f"nothing stands behind {promise}"
        for name in names:
            assert name in known, f"'{name}' is no test"


@test()
async def no_example_keeps_an_error_to_itself():
    swift = [file.read_text() for file in (ROOT / "Examples").rglob("*.swift") if ".build" not in file.parts]
    for page in GUIDES:
        swift += re.findall(r"^ *```swift\n(.*?)^ *```$", text_of(page), re.MULTILINE | re.DOTALL)
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
