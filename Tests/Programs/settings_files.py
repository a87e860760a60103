"""Settings files of the pages, whole and in part: read as `refreshable` reads them, and served where they are whole."""

import re

import harness
import yaml
from certificates import Authority
from postgres_server import PostgresServer
from registry import runs
from running import URL, environment, get, running, shell, titles, typed
from schema import Loader

# A key of these needs nothing beside it.
SOURCES = ("command", "file", "web", "sqlite", "postgres", "feed", "demo", "push")


def write_files(folder):
    """The files that settings of the pages name."""
    certificate, key = Authority(folder).issue(hosts="DNS:localhost,DNS:lists.example.org")
    certificate.rename(folder / "fullchain.pem")
    key.rename(folder / "privkey.pem")
    (folder / "tokens.yaml").write_text("- {name: everybody, anonymous: true, lists: {}}\n")
    (folder / "people.csv").write_text("id,name,city,team\n1,Ada,London,Engines\n")
    (folder / "tools").mkdir()
    shell("git init -q && git -c user.name=Ada -c user.email=ada@example.org commit -q --allow-empty -m Begin", folder)


def read(text, folder):
    """Has a settings file checked, its sources not run."""
    settings = folder / "lists.yaml"
    settings.write_text(text)
    told = shell("refreshable check --no-run", folder)
    assert "no fault" in told, told


@runs("settings")
async def settings_are_read_and_served(given):
    write_files(given.folder)
    read(given.text, given.folder)
    settings = yaml.load(given.text, Loader)
    server = settings.get("server", {})
    port = server.get("port", 8080)
    command = [harness.BINARY, "serve", "--ephemeral"]
    async with running(*command, folder=given.folder, environment=environment(given.folder), port=port) as program:
        await program.prints(f"Serving {len(settings['lists'])} list")
        if port == 8080:
            names = await typed(f"curl -sf {URL}/lists", given.folder)
            assert all(f'"{served["name"]}"' in names for served in settings["lists"]), names


def variants(text):
    """The examples in a block of the reference: a key that comes again begins another one."""
    parts, seen = [], set()
    for part in re.findall(r"^\S.*\n(?:\s.*\n)*", text, re.MULTILINE):
        key = part.partition(":")[0]
        if not parts or key in seen:
            parts.append("")
            seen = set()
        seen.add(key)
        parts[-1] += part
    return parts


@runs("source")
async def parts_of_a_list_are_read(given):
    write_files(given.folder)
    for text in variants(given.text):
        if not text.startswith("- "):
            text = "- name: example\n" + "".join(f"  {line}\n" for line in text.splitlines())
        if not re.search(rf"^  (?:{'|'.join(SOURCES)}):", text, re.MULTILINE):
            text += "  command: [cat, rows]\n"
        if re.search(r"^  (?:sqlite|postgres):", text, re.MULTILINE) and "query:" not in text:
            text += "  query: SELECT id AS key, item AS title FROM orders\n"
        read("lists:\n" + "".join(f"  {line}\n" for line in text.splitlines()), given.folder)


@runs("trigger")
async def a_trigger_tells_of_each_change(given):
    with PostgresServer() as postgres:
        postgres.sql("CREATE TABLE orders (item text)")
        postgres.sql(given.text)
        told = postgres.sql("LISTEN orders; INSERT INTO orders VALUES ('Tea')")
        assert 'notification "orders"' in told, told


@runs("tokens", "AccessControl: The tokens file")
async def the_tokens_file_gives_what_it_says(given):
    (given.folder / "lists.yaml").write_text(
        "lists:\n" + "".join(f"  - {{name: {name}, command: [echo, Tea]}}\n" for name in ("fruit", "news", "salaries"))
    )
    [line] = given.beside("sh").splitlines()[:1]
    secret = re.search(r"rfl_\S+", shell(line, given.folder))[0]
    digest = re.search(r"sha256: (\w+)", (given.folder / "tokens.yaml").read_text())[1]
    text = given.text.replace("5d1a2f…", digest)
    assert digest in text
    # The page's day passes.
    (given.folder / "tokens.yaml").write_text(re.sub(r"expires: \S+", "expires: 2099-01-31", text))
    command = [harness.BINARY, "serve", "--tokens", "tokens.yaml", "--ephemeral"]
    async with running(*command, folder=given.folder, environment=environment(given.folder)):
        bearer = {"Authorization": f"Bearer {secret}"}
        assert await titles("news") == await titles("fruit", bearer) == ["Tea"]
        refresh = {"method": "POST", "body": b""}
        assert (await get("/lists/fruit/refresh", bearer, **refresh))[0] == 200
        assert (await get("/lists/news/refresh", bearer, **refresh))[0] == 403
        assert (await get("/lists/salaries", bearer))[0] == 404
        assert (await get("/lists/fruit"))[0] == 401


@runs("monitoring")
async def monitoring_asks_for_what_there_is(given):
    for job in yaml.safe_load(given.text)["scrape_configs"]:
        assert f"http://{job['static_configs'][0]['targets'][0]}" == URL
