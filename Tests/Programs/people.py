"""The five kinds of people of the README: where each begins, what each does in the order of the pages, and how long that takes."""

import re

import readme
from client import Client
from registry import runs
from running import SERVER, environment, get, pulled, running, shell, typed
from web_server import WebServer

# What of ours each waits for, in seconds. The compiler's time is not counted.
LIMIT = 60
# Who: what they do, as (kind, block). The first is where they begin.
PEOPLE = {
    "who has a list and writes no code": [
        ("transcript", "README: A list without code"),
        ("settings", "ListSources: One file"),
        ("shell", "ListSources: One file"),
    ],
    "who writes Swift": [
        ("program", "README: A server in Swift"),
        ("shell", "GettingStarted: Create a package"),
        ("manifest", "GettingStarted: Create a package"),
        ("program", "GettingStarted: Create a package, 2"),
        ("program", "GettingStarted: Open it on your phone"),
    ],
    "who has a web page": [
        ("page", "README: A list on your own page"),
        ("page", "CustomElement: The element"),
    ],
    "who tests": [
        ("script", "README: A list in text"),
        ("typed", "WebSocketScripts: Type the protocol"),
    ],
    "who wants WebSockets alone": [
        ("program", "README: WebSockets, without lists"),
        ("shell", "ServingWebSockets: Create a package"),
        ("manifest", "ServingWebSockets: Create a package"),
        ("program", "ServingWebSockets: Create a package, 2"),
        ("program", "ServingWebSockets: Serve"),
        ("program", "ServingWebSockets: Send to many"),
        ("program", "ServingWebSockets: Connect to a server"),
    ],
}


@runs("transcript", "README: A list without code")
async def a_list_is_served_by_what_is_typed(given):
    [(write, _), (serve, told)] = [
        re.match(r"(.*<<END\n.*?^END\n|[^\n]*\n)(.*)", step, re.MULTILINE | re.DOTALL).groups()
        for step in re.split(r"^\$ ", given.text, flags=re.MULTILINE)[1:]
    ]
    async with WebServer() as web:
        shell(readme.stand_in(web)(write), given.folder)
        found = environment(given.folder)
        async with running("bash", "-c", f"exec {serve}", folder=given.folder, environment=found) as server:
            await server.prints("Anybody who reaches")
            assert readme.is_as_told(told.replace("http://192.168.1.20:8080/\n", "…\n"), server.printed), server.printed
            await pulled("news", ["News"])


@runs("page", "README: A list on your own page")
async def a_page_elsewhere_may_have_what_its_two_lines_ask_for(given):
    ours = r'src="http://localhost:8080(/\S+)"'
    script, address = re.findall(ours, given.text)
    name = address.removeprefix("/lists/")
    site = {"Origin": "https://your.site"}
    (given.folder / "lists.yaml").write_text(f"lists:\n  - {{name: {name}, demo: names}}\n")
    [flags] = re.findall(r"`(--allow-origin https://your.site)`", given.block.page.read_text())
    command = f"exec refreshable serve --ephemeral {flags}"
    found = environment(given.folder)
    async with running("bash", "-c", command, folder=given.folder, environment=found):
        status, head, _ = await get(script, site)
        assert status == 200 and head["access-control-allow-origin"] == site["Origin"], head
        async with Client.open(SERVER, origin=site["Origin"]) as client:
            assert (await client.watch(name))["refreshable"]


@runs("script", "README: A list in text")
async def the_script_passes(given):
    (given.folder / "shown.script").write_text(given.text)
    await typed("refreshable script shown.script", given.folder, LIMIT)


def faults(who, blocks, seconds):
    """What keeps somebody from being served in a minute, in the order of the pages. `seconds`: {(kind, block): how long}"""
    lines = {(kind, block.name): block for kind, block in blocks}
    steps = [lines[step] for step in PEOPLE[who]]
    assert steps[0].name.startswith("README: "), steps[0].name
    readme_text = steps[0].page.read_text()
    for before, after in zip(steps, steps[1:]):
        if after.page == before.page and after.line < before.line:
            yield f"{after.place} stands above {before.place}, and is done after it"
        if after.page != before.page and f"{after.page.name})" not in readme_text:
            yield f"the README does not lead to {after.page.name}"
    needed = sum(seconds[step] for step in PEOPLE[who])
    if needed > LIMIT:
        yield f"it took {needed:.0f} s"
