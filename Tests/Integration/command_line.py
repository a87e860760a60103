"""The command line as a whole: its help, its version, how it ends, and what shells complete."""

import asyncio
import json
import os
import re
import shutil
import tempfile
from pathlib import Path

import harness
from harness import Folder, Server, file_list, test
from watch_command import Terminal


async def run(*arguments, **options):
    """Its status, and what it wrote to standard output and to standard error."""
    process = await asyncio.create_subprocess_exec(
        harness.BINARY, *arguments,
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, **options,
    )  # fmt: skip
    out, err = await asyncio.wait_for(process.communicate(), 30)
    return process.returncode, out.decode(), err.decode()


@test()
async def alone_it_says_how_to_begin():
    status, out, err = await run()
    assert (status, err) == (0, ""), (status, err)
    assert "To begin" in out and "serve" in out and "--version" in out, out
    assert out == (await run("--help"))[1]


@test()
async def the_version_is_said():
    status, out, _ = await run("--version")
    package = json.loads((Path(__file__).parents[2] / "Public" / "package.json").read_text())
    assert (status, out.strip()) == (0, package["version"]), out


@test()
async def the_manual_page_has_every_command_and_option():
    root = Path(__file__).parents[2]
    made = await asyncio.create_subprocess_exec(root / "Scripts/manual", harness.BINARY, stdout=asyncio.subprocess.PIPE)
    page = (await made.communicate())[0].decode()
    assert made.returncode == 0 and page.startswith(".TH REFRESHABLE 1"), page[:200]
    commands = re.findall(r"^  ([a-z]+)  ", (await run())[1].partition("SUBCOMMANDS:")[2], re.M)
    assert len(commands) > 5, commands
    for command in commands:
        part = page.partition(f"\n.SS {command}\n")[2].partition("\n.S")[0].replace("\\-", "-")
        options = set(re.findall(r"^  +(--[a-z-]+)", (await run("help", command))[1], re.M)) - {"--version", "--help"}
        assert part and options <= set(re.findall(r"--[a-z-]+", part)), f"{command}: {options}"
    # What roff would read as a request of its own, and what it would take for a hyphen.
    assert not re.search(r"^\.(?!TH|SH|SS|PP|TP|RS|RE|nf|fi|nh|ad|br)", page, re.M) and not re.search(r"(?<!\\)--", page), page


@test()
async def every_command_explains_itself_and_how_it_ends():
    commands = re.findall(r"^  ([a-z]+)  ", (await run())[1].partition("SUBCOMMANDS:")[2], re.M)
    assert len(commands) >= 7, commands
    root = Path(__file__).parents[2]
    article = (root / "Sources/RefreshableLists/RefreshableLists.docc/CommandLine.md").read_text()
    for command in commands:
        status, out, _ = await run("help", command)
        assert status == 0 and "OVERVIEW:" in out and "USAGE:" in out, out
        assert "exit status" in " ".join(out.lower().split()), f"{command} does not say how it ends"
        assert f"- term `refreshable {command}" in article, f"{command} is not in CommandLine.md"
        for line in out.splitlines():
            if line.startswith("USAGE:"):
                continue
            assert len(line) <= 80, line


# Whose values may be any text.
TEXTS = {f"REFRESHABLE_{name}" for name in ("ALLOW_HOST", "DATA", "PUBLIC", "LISTS", "NAME")}


@test()
async def every_variable_that_the_help_of_serve_names_is_read():
    names = set(re.findall(r"REFRESHABLE_[A-Z_]+", (await run("help", "serve"))[1]))
    assert len(names) > 20, names

    async def is_refused(name):
        # One for each: what is served is locked.
        folder = Folder()
        (folder / "lists.yaml").write_text('{"lists": [{"name": "board", "push": true}]}')
        port = [] if name == "REFRESHABLE_PORT" else ["--port", "0"]
        process = await asyncio.create_subprocess_exec(
            harness.BINARY, "serve", *port, cwd=folder.path, env={**os.environ, name: "?"},
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            return await asyncio.wait_for(process.wait(), 10) != 0
        except TimeoutError:
            process.kill()
            await process.wait()
            return False
        finally:
            folder.remove()

    names = sorted(names - TEXTS)
    refused = dict(zip(names, await asyncio.gather(*map(is_refused, names)), strict=True))
    assert all(refused.values()), [name for name in names if not refused[name]]


@test()
async def each_status_is_the_one_that_is_documented():
    folder = Folder()
    faulty = folder / "faulty.yaml"
    faulty.write_text("lists: 5\n")
    rows = folder / "rows.jsonl"
    rows.write_text("no row\n")
    nowhere = "http://localhost:1"
    for status, arguments in (
        (64, ["sreve"]),
        (64, ["watch"]),
        (64, ["serve", "--port", "many"]),
        (66, ["serve", "missing.yaml"]),
        (66, ["check"]),
        (73, ["init", faulty]),
        (78, ["serve", faulty]),
        (78, ["check", faulty]),
        (66, ["push", nowhere, "fruit", "missing.jsonl"]),
        (65, ["push", nowhere, "fruit", rows]),
        (66, ["script", "missing.script"]),
        (1, ["health", nowhere]),
        (1, ["refresh", nowhere, "fruit"]),
        (1, ["watch", nowhere, "fruit"]),
    ):
        ended = await run(*map(str, arguments), cwd=folder.path)
        assert ended[0] == status and (ended[1] or ended[2]), (arguments, ended)


@test(limit=60)
async def bash_completes_commands_lists_and_files():
    folder = Folder()
    for name in ("fruit", "nuts"):
        folder.write(f"{name}.tsv", [])
    names = [file_list(folder), file_list(folder, "nuts")]
    home = Path(tempfile.mkdtemp())
    (home / "refreshable").symlink_to(harness.BINARY)
    (home / "my-lists.yaml").touch()
    (home / "my-letters.txt").touch()
    # As CommandLine.md says it.
    lines = ["PS1='> '", f"cd '{home}'", f"PATH='{home}':$PATH", "COMP_WORDBREAKS=${COMP_WORDBREAKS//:}"]
    (home / "rc").write_text("\n".join([*lines, "source <(refreshable --generate-completion-script bash)\n"]))
    async with Server(names, folder=folder) as server, Terminal("bash", "--rcfile", home / "rc", "-i") as terminal:
        await terminal.shows("^> *$")
        for typed, completed in (
            ("refreshable refr", "refreshable refresh"),
            (f"refreshable watch {server.url} fr", f"refreshable watch {server.url} fruit"),
            (f"refreshable push {server.url} nu", f"refreshable push {server.url} nuts"),
            ("refreshable serve my", "refreshable serve my-lists.yaml"),
            ("refreshable serve --host loc", "refreshable serve --host localhost"),
            ("refreshable watch http://localhost:1 x", "refreshable watch http://localhost:1 x"),
        ):
            await terminal.press("-l", typed)
            await terminal.press("Tab")
            await terminal.shows(f"> {re.escape(completed)} *$")
            await terminal.press("C-u")
            await terminal.shows("^> *$")
    shutil.rmtree(home)


@test()
async def zsh_and_fish_can_have_them_too():
    for shell, words in (("zsh", "#compdef refreshable"), ("fish", "complete -c 'refreshable'")):
        status, out, _ = await run("--generate-completion-script", shell)
        assert status == 0 and words in out, out[:200]
