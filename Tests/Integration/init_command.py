"""`refreshable init`: from an empty folder to lists that are served."""

import asyncio
import json
import os
import re

import harness
from harness import Folder, test


async def run(folder, *arguments, **variables):
    """(exit status, standard output, standard error) of a command in this folder."""
    process = await asyncio.create_subprocess_exec(
        str(harness.BINARY), *arguments, cwd=folder.path, env={"PATH": os.environ["PATH"], **variables},
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await asyncio.wait_for(process.communicate(), 20)
    return process.returncode, out.decode(), err.decode()


async def served(folder, *flags, **variables):
    """Starts a server in this folder, and gives its first line when it has one."""
    process = await asyncio.create_subprocess_exec(
        str(harness.BINARY), "serve", *flags, cwd=folder.path, env={"PATH": os.environ["PATH"], **variables},
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    line = (await asyncio.wait_for(process.stdout.readline(), 10)).decode()
    process.terminate()
    rest = (await process.communicate())[0].decode()
    return line, rest


@test()
async def what_init_writes_is_served_and_every_source_gives_rows():
    folder = Folder()
    status, out, err = await run(folder, "init")
    assert status == 0 and err == "" and "refreshable serve" in out, (status, out, err)
    assert sorted(os.listdir(folder.path)) == ["lists.schema.json", "lists.yaml"]
    first = (folder / "lists.yaml").read_text().splitlines()[0]
    assert first == "# yaml-language-server: $schema=./lists.schema.json", first
    json.loads((folder / "lists.schema.json").read_text())
    status, out, _ = await run(folder, "check")
    assert status == 0 and re.search(r"disks: \d+ rows? in ", out) and "mailbox: 4 rows in " in out, out
    line, _ = await served(folder, "--port", "0", "--ephemeral")
    assert line.startswith("Serving 3 lists at "), line
    folder.remove()


@test()
async def a_file_by_another_usual_name_is_seen():
    folder = Folder()
    (folder / "lists.yml").write_text("lists: [{name: a, demo: fruit}]")
    for command in ("serve", "check"):
        status, _, err = await run(folder, command)
        assert status == 66 and "but a lists.yml" in err, (status, err)
    folder.remove()


@test()
async def init_touches_no_file_that_is_there():
    folder = Folder()
    (folder / "lists.yaml").write_text("mine")
    status, out, err = await run(folder, "init")
    assert status == 73 and out == "" and "--force" in err, (status, err)
    assert (folder / "lists.yaml").read_text() == "mine" and os.listdir(folder.path) == ["lists.yaml"]
    status, out, _ = await run(folder, "init", "other.yaml")
    assert status == 0 and "refreshable serve other.yaml" in out, out
    assert (await run(folder, "init", "--force"))[0] == 0 and "disks" in (folder / "lists.yaml").read_text()
    assert (await run(folder, "init", "no/such/folder.yaml"))[0] == 73
    folder.remove()


@test()
async def flags_win_over_the_environment_and_that_over_the_file():
    folder = Folder()
    (folder / "lists.yaml").write_text(
        "server: {host: 127.0.0.1, port: 0, data: kept}\nlists:\n  - {name: a, demo: fruit}\n"
    )
    line, rest = await served(folder)
    assert line.startswith("Serving 1 list at ") and f"Kept in {folder.path}/kept" in rest, line + rest
    line, rest = await served(folder, REFRESHABLE_DATA=str(folder / "variable"))
    assert f"Kept in {folder.path}/variable" in rest, rest
    line, rest = await served(folder, "--data", str(folder / "flag"), REFRESHABLE_DATA=str(folder / "variable"))
    assert f"Kept in {folder.path}/flag" in rest, rest
    _, rest = await served(folder, "--ephemeral")
    assert "Kept in memory only" in rest, rest
    folder.remove()
