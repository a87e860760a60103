"""The commands of the pages, typed as they stand there, beside the servers that they need."""

import contextlib
import getpass
import json
import re
import shutil

import harness
import settings_files
from client import Client
from pages import ROOT
from postgres_processes import PROGRAMS
from postgres_server import PASSWORD, PostgresServer
from registry import runs
from running import BY_SIGNAL, SERVER, URL, environment, get, rows, running, shell, titles, typed
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

BOARD = "  - {name: board, push: true}\n"
FRUIT = "  - {name: fruit, demo: fruit}\n"
# Rows of two columns, and progress, from a file that the test changes.
COMMITS = """  - name: commits
    command: "cat rows; echo '#progress 3/10 Reading mail'"
    format: tsv
    fields: {key: 1, title: 2}
"""


@contextlib.asynccontextmanager
async def serving(folder, *lists, ephemeral=True):
    """`refreshable serve` with these lists, for a command that talks with it."""
    (folder / "lists.yaml").write_text("lists:\n" + "".join(lists))
    (folder / "rows").write_text("b\tBanana\n")
    command = [harness.BINARY, "serve", *(["--ephemeral"] if ephemeral else [])]
    async with running(*command, folder=folder, environment=environment(folder)) as server:
        yield server


def commands(text):
    """The commands of a block, one a line, without comments."""
    lines = [re.sub(r"(^|\s{2,})# .*", "", line) for line in text.replace("\\\n", " ").splitlines()]
    return [line for line in lines if line.strip()]


def going_on(line, folder, **options):
    """Runs a line that does not end by itself, in a terminal."""
    found = {**environment(folder), "TERM": "xterm-256color"}
    # What a shell begins as its last command, it becomes.
    line = line if "|" in line else f"exec {line}"
    return running("bash", "-c", line, folder=folder, **{"port": None, "environment": found, **options})


@runs("shell", "GettingStarted: Create a package", "ServingWebSockets: Create a package")
@runs("manifest", "GettingStarted: Create a package", "ServingWebSockets: Create a package")
async def a_package_is_created_as_the_page_says(given):
    [begin] = commands(given.other(given.block.name, "sh").text)
    shell(begin, given.folder, 60)
    (given.folder / "refreshable-lists").symlink_to(ROOT)
    [name] = re.findall(r"cd (\w+)", begin)
    made = given.folder / name
    manifest = given.other(given.block.name, "swift").text
    (made / "Package.swift").write_text(manifest)
    assert len(list((made / f"Sources/{name}").glob("*.swift"))) == 1, "which file is replaced?"
    told = json.loads(shell("swift package dump-package", made, 60))
    [target], [dependency] = told["targets"], told["dependencies"]
    assert target["name"] == name and target["type"] == "executable", target
    assert dependency["fileSystem"][0]["path"].endswith("/refreshable-lists"), dependency
    product, identity = target["dependencies"][0]["product"][:2]
    assert identity == "refreshable-lists" and f'.library(name: "{product}"' in (ROOT / "Package.swift").read_text(), target


@runs("shell", "AccessControl: The tokens file")
async def a_token_is_made_and_needed(given):
    (given.folder / "lists.yaml").write_text(f"lists:\n{FRUIT}")
    make, serve = commands(given.text)
    secret = re.search(r"rfl_\S+", shell(make, given.folder))[0]
    async with going_on(serve, given.folder, port=8080):
        assert (await get("/lists/fruit"))[0] == 401
        assert await titles("fruit", {"Authorization": f"Bearer {secret}"})


@runs("shell", "CommandLine: Watch a list")
async def a_list_is_watched_in_a_terminal(given):
    async with serving(given.folder, COMMITS), going_on(*commands(given.text), given.folder, ends=0) as watch:
        await watch.prints("Banana")
        (given.folder / "rows").write_text("b\tBanana\na\tApple\n")
        await get("/lists/commits/refresh", method="POST", body=b"")
        await watch.prints("Apple")


@runs("output", "CommandLine: Watch a list")
async def each_change_is_a_line_of_json(given):
    [watch] = commands(given.other(given.block.name, "sh").text)

    def alike(text):
        return [json.dumps(json.loads(re.sub(r'"r\d+"', '"r"', line)), sort_keys=True) for line in text.splitlines()]

    async with serving(given.folder, COMMITS), going_on(f"{watch} --json", given.folder, ends=0) as watching:
        await watching.prints('"phase":"waiting"')
        (given.folder / "rows").write_text("a\tApple\n")
        await get("/lists/commits/refresh", method="POST", body=b"")
        await watching.prints('"change":"removed"')
        await watching.until(lambda: watching.printed.count('"phase":"waiting"') == 2, 5, "the run was over")
        missing = set(alike(given.text)) - set(alike(watching.printed))
        assert not missing, f"it did not print {missing}, but\n{watching.printed}"


@runs("shell", "CommandLine: Use it in scripts")
async def rows_come_out_and_go_in_by_pipes(given):
    as_csv, as_keys, push = commands(given.text)
    async with serving(given.folder, COMMITS, BOARD):
        await typed(as_csv, given.folder)
        assert (given.folder / "commits.csv").read_text().splitlines()[1].startswith("b,Banana"), as_csv
        if shutil.which("jq"):
            assert "b" in (await typed(as_keys, given.folder)).splitlines()
        await rows_are_pushed_as_they_are_written(push, given.folder)


async def rows_are_pushed_as_they_are_written(push, folder):
    """Runs `tail -f rows.jsonl | refreshable push …`, and writes to that file."""
    written = folder / "rows.jsonl"
    written.write_text('{"key":"k","fields":{"title":"Tea"}}\n')
    async with going_on(push, folder, ends=BY_SIGNAL) as pushing:
        for title in ("Tea", "Cake"):
            await pushing.until(lambda title=title: title in shell(f"curl -s {URL}/lists/board", folder), 5, f"{title} came")
            with open(written, "a") as file:
                file.write('{"key":"l","fields":{"title":"Cake"}}\n')


@runs("shell", "CommandLine: Shell completion")
async def completions_are_made_for_each_shell(given):
    shell("mkdir -p ~/.zsh/completions ~/.config/fish/completions", given.folder)
    assert "refreshable" in shell(f"{given.text}\ncomplete -p refreshable", given.folder)
    for name, file in (("zsh", ".zsh/completions/_refreshable"), ("fish", ".config/fish/completions/refreshable.fish")):
        assert (given.folder / file).stat().st_size > 1000
        if shutil.which(name):
            shell(f"{name} -n {file}", given.folder)


@runs("shell", "ListSources: One file")
async def the_settings_of_the_page_are_served(given):
    shell("git init -q && git -c user.name=Ada -c user.email=ada@example.org commit -q --allow-empty -m Begin", given.folder)
    (given.folder / "lists.yaml").write_text(given.beside("yaml"))
    async with going_on(*commands(given.text), given.folder, port=8080, ends=0):
        assert await titles("commits") == ["Begin"]


@runs("shell", "ListSources: Rows from other programs")
async def rows_are_pushed_by_curl_and_by_the_command(given):
    settings_of_the_board = "".join(f"  {line}\n" for line in given.beside("yaml").splitlines())
    patch, push = commands(given.text)
    async with serving(given.folder, settings_of_the_board):
        await typed(patch, given.folder)
        assert await rows("board") == [("snow", {"title": "Snow on the line"})]
        await rows_are_pushed_as_they_are_written(push, given.folder)


@runs("shell", "Settings: Start a settings file")
async def a_settings_file_is_begun_served_and_checked(given):
    init, serve, check = commands(given.text)
    shell(init, given.folder)
    async with going_on(serve, given.folder, port=8080, ends=0):
        assert await titles("disks")
    assert "3 lists, no fault" in await typed(check, given.folder)


@runs("report", "Settings: Check it")
async def a_mistake_is_reported_as_the_page_says(given):
    (given.folder / "lists.yaml").write_text(f"lists:\n{FRUIT}  - name: names\n    pull: {{treshold: 70}}\n    demo: names\n")
    told = shell("refreshable check || [ $? = 78 ]", given.folder)
    # The mistake of the page is in the fourth line, where it is written at column 12.
    assert told == given.text, told


@runs("log", "Monitoring: Logs")
async def the_log_is_written_as_the_page_says(given):
    async with serving(given.folder, "  - {name: disks, command: exit 1}\n") as server:
        async with Client.open(SERVER) as client:
            await client.watch("disks")
            await client.settled("disks")
            await client.expect({"type": "state", "phase": "closing"})
            await client.settled("disks")
            run = (await client.pull("disks", 1))["run"]
            await client.expect({"type": "state", "phase": "closing", "run": run})
        with contextlib.suppress(InvalidStatus):
            await connect(f"{URL.replace('http', 'ws')}/ws", origin="https://elsewhere.example")
        for line in given.text.splitlines():
            form = re.sub(r"\d+", r"\\d+", re.escape(line).replace("…", ".*")).replace(r"\d+\.\d+\.\d+\.\d+", r"\S+")
            await server.until(lambda form=form: re.search(form, server.printed), 5, line)


@runs("shell", "SwiftServer: Rows from other programs")
async def one_row_is_put(given):
    async with serving(given.folder, BOARD):
        await typed(given.text, given.folder)
        assert await rows("board") == [("k", {"title": "Tea"})]


@runs("shell", "WebSocketScripts: Over HTTP")
async def a_refresh_over_http_tells_its_outcome(given):
    async with serving(given.folder, FRUIT):
        assert '"outcome":"success"' in await typed(given.text, given.folder)


@runs("typed", "WebSocketScripts: Type the protocol")
async def the_protocol_is_typed_by_hand(given):
    (given.folder / "lines").write_text(given.text)
    said = await typed("(cat lines; sleep 3) | refreshable script -", given.folder)
    for wanted in ('"type":"ok","id":"1"', '"type":"snapshot"', '"phase":"loading"', '"type":"ok","id":"2"'):
        assert wanted in said, f"{wanted} is not in\n{said}"


@runs("shell", "Operating: TLS without a proxy")
async def https_is_served_and_http_redirected(given):
    settings_files.write_files(given.folder)
    (given.folder / "lists.yaml").write_text(f"lists:\n{FRUIT}")
    known = "--resolve lists.example.org:443:127.0.0.1 --resolve lists.example.org:80:127.0.0.1"
    ask = f"curl -s --cacert root.pem {known} --retry-connrefused --retry 5"
    async with going_on(*commands(given.text), given.folder, port=443, ends=0):
        assert "ok" in await typed(f"{ask} -f https://lists.example.org/healthz", given.folder)
        head = await typed(f"{ask} -D - http://lists.example.org/", given.folder)
        assert "location: https://lists.example.org/" in head.lower(), head


@runs("shell", "Operating: TLS without a proxy, 2")
async def the_hook_copies_what_was_renewed(given):
    settings_files.write_files(given.folder)
    (given.folder / "etc").mkdir()
    hook = given.text.replace("-o refreshable", f"-o {getpass.getuser()}").replace("/etc/refreshable/", "etc/")
    assert hook.count("etc/") == given.text.count("/etc/refreshable/") + 1
    shell(f"export RENEWED_LINEAGE=$PWD\n{hook}", given.folder)
    assert {file.name for file in (given.folder / "etc").iterdir()} == {"fullchain.pem", "privkey.pem"}


@runs("shell", "Operating: Backup and restore")
async def a_backup_of_a_running_server_is_whole(given):
    async with serving(given.folder, BOARD, ephemeral=False):
        await typed(f"curl -sfX PUT {URL}/lists/board/rows/k -d '{{\"fields\":{{\"title\":\"Tea\"}}}}'", given.folder)
        await typed(given.text, given.folder)
    assert "board" in shell("refreshable check --store backup", given.folder)
    shell("mkdir restored && cp backup/lists.sqlite restored", given.folder)
    command = [harness.BINARY, "serve", "--data", "restored"]
    async with running(*command, folder=given.folder, environment=environment(given.folder)):
        assert await titles("board") == ["Tea"]


@runs("shell", "Operating: Several servers")
async def a_server_keeps_its_lists_in_a_database(given):
    with PostgresServer() as database:
        text = with_database(given, database)
        (given.folder / "lists.yaml").write_text(f"lists:\n{BOARD}")
        [line] = commands(text)
        variable, command = line.split(" ", 1)
        async with going_on(f"env {variable} {command}", given.folder, port=8080, ends=0):
            assert (await get("/readyz"))[0] == 200
        assert database.sql("SELECT convert_from(name, 'UTF8') FROM refreshable.lists") == "board"


@runs("shell", "Operating: Moving lists in and out")
async def lists_go_from_a_folder_to_a_database(given):
    async with serving(given.folder, BOARD, ephemeral=False):
        await typed(f"curl -sfX PUT {URL}/lists/board/rows/k -d '{{\"fields\":{{\"title\":\"Tea\"}}}}'", given.folder)
    with PostgresServer() as database:
        text = with_database(given, database)
        assert "board: 1 row" in shell(text, given.folder)
        command = [harness.BINARY, "serve", "--store", database.url()]
        async with running(*command, folder=given.folder, environment=environment(given.folder)):
            assert await titles("board") == ["Tea"]


def with_database(given, database):
    """The commands of a block of db1 and db2, with this database and a file of its password."""
    # The first host is one that is gone.
    text = given.text.replace("/etc/refreshable/", "").replace("db1,db2", f"127.0.0.1:1,127.0.0.1:{database.port}")
    assert text.count("127.0.0.1") == 2 and "PGPASSFILE=pgpass" in text, text
    file = given.folder / "pgpass"
    file.write_text(f"*:*:lists:app:{PASSWORD}\n")
    file.chmod(0o600)
    return text


@runs("shell", "Operating: Backup of the database", "Operating: Backup of the database, 2")
async def a_schema_that_was_dumped_comes_back_in_a_new_epoch(given):
    backup = given.other("Operating: Backup of the database", "sh").text
    restore = given.other("Operating: Backup of the database, 2", "sh").text
    with PostgresServer() as database:
        variables = "".join(f"export {name}='{value}'\n" for name, value in database.environment.items())
        variables += f"export PATH='{PROGRAMS}':$PATH\n"
        command = [harness.BINARY, "serve", "--store", database.url()]
        (given.folder / "lists.yaml").write_text(f"lists:\n{BOARD}")

        async def put(key):
            await typed(f"curl -sfX PUT {URL}/lists/board/rows/{key} -d '{{\"fields\":{{\"title\":\"Tea\"}}}}'", given.folder)

        async with running(*command, folder=given.folder, environment=environment(given.folder)):
            await put("before")
            await typed(variables + backup, given.folder)
            await put("after")
            epoch = json.loads((await get("/lists/board"))[2])["epoch"]
        shell(variables + restore, given.folder)
        async with running(*command, folder=given.folder, environment=environment(given.folder)):
            found = json.loads((await get("/lists/board"))[2])
            assert [row["key"] for row in found["rows"]] == ["before"] and found["epoch"] != epoch, found


@runs("shell", "Protocol: Pushing rows")
async def rows_are_changed_as_the_protocol_says(given):
    patch, put, delete = commands(given.text)
    async with serving(given.folder, BOARD):
        for key in "mz":
            await typed(f"curl -sfX PUT {URL}/lists/board/rows/{key} -d '{{\"fields\":{{\"title\":\"{key}\"}}}}'", given.folder)
        answer = json.loads((await typed(patch.replace("curl", "curl -s"), given.folder)))
        assert set(answer) == {"epoch", "revision"}, answer
        assert await rows("board") == [("k", {"title": "Tea"}), ("m", {"title": "m"})]
        await typed(put, given.folder)
        assert await rows("board") == [("k", {"title": "Tea, hot"}), ("m", {"title": "m"})]
        await typed(delete, given.folder)
        assert await rows("board") == [("m", {"title": "m"})]
