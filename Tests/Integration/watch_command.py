"""`refreshable watch`: a list on a terminal, drawn by tmux as a person would see it, and as lines for programs."""

import asyncio
import json
import os
import re
from pathlib import Path

import harness
from harness import Folder, Server, file_list, slow_list, test, tsv
from pushing import patch, row


class Terminal:
    """A window of tmux in which one command runs."""

    def __init__(self, *command, columns=80, rows=24, environment=""):
        self.name = f"refreshable-{os.getpid()}-{id(self)}"
        self.size, self.command, self.environment = (columns, rows), command, environment

    async def __aenter__(self):
        columns, rows = map(str, self.size)
        line = f"{self.environment} {' '.join(map(str, self.command))}; echo ended $?; read _"
        await self.tmux("-f", "/dev/null", "new-session", "-d", "-x", columns, "-y", rows, line)
        return self

    async def __aexit__(self, *_):
        await self.tmux("kill-server")

    async def tmux(self, *arguments):
        process = await asyncio.create_subprocess_exec(
            "tmux", "-u", "-L", self.name, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        out, _ = await process.communicate()
        assert process.returncode == 0, out
        return out.decode()

    async def press(self, *keys):
        await self.tmux("send-keys", *keys)

    async def resize(self, columns, rows):
        await self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    async def screen(self, *flags):
        return (await self.tmux("capture-pane", "-p", *flags)).rstrip("\n").split("\n")

    async def shows(self, pattern, *flags):
        """Waits until a line of the screen matches, and gives the screen."""
        for _ in range(300):
            screen = await self.screen(*flags)
            if any(re.search(pattern, line) for line in screen):
                return screen
            await asyncio.sleep(0.05)
        raise AssertionError(f"no line like {pattern}:\n" + "\n".join(screen))


def watch(server, *arguments):
    return (harness.BINARY, "watch", server.url, *arguments)


SCREENS = Path(__file__).parent / "Screens"


def recorded(name, screen):
    """Holds a screen to the one that was recorded; RECORD_SCREENS=1 records it anew, to be looked at."""
    file, text = SCREENS / f"{name}.txt", "".join(line.rstrip() + "\n" for line in screen)
    if os.environ.get("RECORD_SCREENS"):
        file.write_text(text)
    assert file.read_text() == text, f"another screen than {file}:\n{text}"


def pulled_list(folder):
    """A list whose refreshes say how far they are, and wait there until a file of their number is in the folder."""
    script = (
        f"cd '{folder.path}'; echo run >> runs; number=$(wc -l < runs); "
        "[ $number -eq 1 ] || echo '#progress 3/8 Reading mail'; until [ -e go-$number ]; do sleep 0.02; done; cat rows.tsv"
    )
    return tsv("fruit", script, fields={"key": 1, "title": 2, "subtitle": 3})


@test(limit=60)
async def a_long_list_is_scrolled_and_looked_through_on_a_terminal():
    folder = Folder()
    folder.write("log.tsv", [(f"k{number}", f"Row {number}") for number in range(3000)])
    async with Server([file_list(folder, "log", push=True)], folder=folder) as server:
        async with Terminal(*watch(server), environment="NO_COLOR=1") as terminal:
            await terminal.shows("Row 18")
            await terminal.shows("1–19 of 3000")
            await terminal.press("G")
            await terminal.shows("Row 2999")
            await terminal.shows("2982–3000 of 3000")
            await terminal.press("PageUp")
            await terminal.shows("Row 2962")
            await terminal.press("/")
            await terminal.press("-l", "ROW 77x")
            await terminal.shows("Nothing found")
            await terminal.press("BSpace")
            found = sum("77" in str(number) for number in range(3000))
            screen = await terminal.shows(f"/ROW 77▏ .* 1–19 of {found}")
            assert [line.split()[1] for line in screen if "Row" in line and "/" not in line][:3] == ["77", "177", "277"], screen
            await terminal.press("Enter")
            await terminal.shows("/ROW 77   q quit")
            # What begins to match comes.
            await patch(server, {"set": [row("new", at="top", fields={"title": "Row 77 again"})]}, name="log")
            await terminal.shows(r"\+ Row 77 again")
            await terminal.press("/")
            await terminal.press("Escape")
            await terminal.shows("of 3001")
            await terminal.shows("Row 12")
            await terminal.press("q")
            await terminal.shows("ended 0")


@test(limit=60)
async def a_pull_looks_as_recorded_at_each_size():
    for columns, rows in ((80, 24), (200, 50)):
        folder = Folder()
        (folder / "rows.tsv").write_text("a\tApple\tred, or green\nb\tBanana\tyellow\nc\tKirsche 🍒\t桜桃\n")
        (folder / "go-1").touch()
        name = f"{columns}x{rows}"
        async with Server([pulled_list(folder)], folder=folder) as server:
            command = watch(server), {"columns": columns, "rows": rows, "environment": "NO_COLOR=1"}
            async with Terminal(*command[0], **command[1]) as terminal:
                # Marked no more as a row that has just come.
                await terminal.shows("^  Banana")
                await terminal.press("r")
                recorded(f"loading-{name}", await terminal.shows("3 of 8 · Reading mail"))
                (folder / "rows.tsv").write_text("d\tDate\tbrown\nb\tBanana\tbrown, too\na\tApple\tred, or green\n")
                (folder / "go-2").touch()
                screen = await terminal.shows("1 new, 1 changed")
                recorded(f"pulled-{name}", [re.sub(r"in [0-9.]+ s", "in 1.0 s", line) for line in screen])
                await terminal.resize(40, 12)
                await terminal.shows("^r refresh.*quit")
                screen = await terminal.screen()
                assert len(screen) <= 12 and all(len(line) <= 40 for line in screen), screen


@test()
async def every_key_does_what_the_foot_says():
    folder = Folder()
    (folder / "rows.tsv").write_text("".join(f"{number}\tRow {number}\t\n" for number in range(60)))
    (folder / "go-1").touch()
    async with Server([pulled_list(folder)], folder=folder) as server, Terminal(*watch(server)) as terminal:
        for key, place in (
            ("Down", "2–20"), ("j", "3–21"), ("Up", "2–20"), ("k", "1–19"), ("Space", "20–38"), ("b", "1–19"),
            ("NPage", "20–38"), ("PPage", "1–19"), ("G", "42–60"), ("g", "1–19"), ("End", "42–60"), ("Home", "1–19"),
        ):  # fmt: skip
            await terminal.shows("of 60$")
            await terminal.press(key)
            await terminal.shows(f" {place} of 60$")
        await terminal.press("r")
        await terminal.shows("^c cancel .*of 60$")
        await terminal.press("c")
        await terminal.shows("^Cancelled")
        await terminal.press("x", "?", "Left", "F5")
        await terminal.press("C-c")
        await terminal.shows("ended 0")


@test()
async def sections_have_headings_on_the_terminal():
    rows = "i=0; while [ $i -lt 30 ]; do printf \"$i\\tRow $i\\tTeam $((i / 10))\\n\"; i=$((i + 1)); done"
    async with Server([tsv("teams", rows, section=3)]) as server, Terminal(*watch(server)) as terminal:
        screen = await terminal.shows("1–17 of 30$")
        assert screen[3:5] == ["Team 0", "  Row 0"] and "Team 1" in screen and "Team 2" not in screen, screen
        await terminal.press("G")
        screen = await terminal.shows("–30 of 30$")
        assert screen[3].startswith("Team 1") and "Team 2" in screen and screen[-3] == "  Row 29", screen


@test()
async def what_a_server_says_cannot_write_elsewhere_on_the_terminal():
    folder = Folder()
    script = "printf '#progress 1/2 \\033[2JMail\\n'; printf 'a\\tA\\033]0;title\\007pple\\n'; sleep 60"
    lists = [tsv("fruit", script, title="Fr\x1b[31muit", mode="stream")]
    async with Server(lists, folder=folder) as server, Terminal(*watch(server)) as terminal:
        screen = await terminal.shows("1 of 2 ·")
        assert "1 of 2 ·  [2JMail" in screen[1] and screen[0].startswith("Fr [31muit"), screen


@test()
async def a_terminal_shows_the_list_and_what_changes():
    folder = Folder()
    folder.write("fruit.tsv", [("a", "Apple"), ("b", "Banana")])
    async with Server([file_list(folder)], folder=folder) as server, Terminal(*watch(server)) as terminal:
        await terminal.shows("Banana")
        screen = await terminal.shows("Updated just now$")
        assert screen[0].startswith("Fruit ") and screen[0].endswith("Updated just now") and len(screen[0]) == 80, screen
        assert screen[3:5] == ["  Apple", "  Banana"] and screen[23].startswith("r refresh "), screen
        folder.write("fruit.tsv", [("c", "Cherry"), ("b", "Banana"), ("a", "Avocado")])
        await terminal.press("r")
        screen = await terminal.shows(r"^1 new, 1 changed, 1 moved in \d")
        assert screen[3] == "+ Cherry" and "~ Avocado" in screen, screen
        await terminal.shows("^  Cherry")
        await terminal.press("q")
        assert (await terminal.shows("ended 0"))[0] != screen[0], "the terminal is as it was"


@test()
async def a_refresh_is_seen_and_stopped():
    folder = Folder()
    async with Server([slow_list(folder, seconds=0)], folder=folder) as server, Terminal(*watch(server)) as terminal:
        folder.write("slow.tsv", [("a", "Apple")])
        await terminal.shows("r refresh")
        (folder / "slow.delay").write_text("30")
        await terminal.press("r")
        screen = await terminal.shows("Refreshing…")
        assert screen[23].startswith("c cancel"), screen
        await terminal.press("c")
        await terminal.shows("^Cancelled")


@test()
async def windows_of_any_size_are_filled():
    folder = Folder()
    folder.write("fruit.tsv", [(number, f"Fruit number {number}") for number in range(100)])
    async with Server([file_list(folder)], folder=folder) as server:
        async with Terminal(*watch(server), columns=200, rows=50) as terminal:
            await terminal.shows("1–45 of 100$")
            screen = await terminal.shows("Updated just now$")
            assert (len(screen), len(screen[0]), screen[3]) == (50, 200, "  Fruit number 0"), (len(screen), len(screen[0]))
            await terminal.press("G")
            assert (await terminal.shows("56–100 of 100"))[47].startswith("  Fruit number 99")
            await terminal.resize(40, 10)
            screen = await terminal.shows(r"of 100$")
            assert len(screen) <= 10 and all(len(line) <= 40 for line in screen), screen
            await terminal.press("g", "Down")
            await terminal.shows("2–6 of 100")


@test()
async def colours_are_left_out_where_they_are_not_wanted():
    folder = Folder()
    folder.write("fruit.tsv", [("a", "Apple")])
    async with Server([file_list(folder)], folder=folder) as server:
        async with Terminal(*watch(server)) as terminal:
            assert "\x1b[1m" in (await terminal.shows("Fruit", "-e"))[0]
        async with Terminal(*watch(server), environment="NO_COLOR=1") as terminal:
            await terminal.shows("Apple")
            assert "\x1b" not in "".join(await terminal.screen("-e"))


@test()
async def a_dumb_terminal_gets_lines():
    folder = Folder()
    folder.write("fruit.tsv", [("a", "Apple")])
    async with Server([file_list(folder)], folder=folder) as server:
        async with Terminal(*watch(server), environment="TERM=dumb") as terminal:
            await terminal.shows("^. Apple")
            await terminal.press("C-c")
            await terminal.shows("ended 0")


@test()
async def a_server_that_goes_away_is_waited_for():
    folder = Folder()
    folder.write("fruit.tsv", [("a", "Apple")])
    async with Server([file_list(folder)], folder=folder) as server, Terminal(*watch(server)) as terminal:
        await terminal.shows("Apple")
        server.flags = ("--port", str(server.port))
        await server.kill()
        assert "  Apple" in await terminal.shows("^Lost the server"), "the rows stay"
        folder.write("fruit.tsv", [("b", "Banana")])
        await server.start()
        screen = await terminal.shows("^. Banana")
        assert not any("Lost the server" in line for line in screen), "it is found again, and its first watcher loads"
        folder.write("fruit.tsv", [("c", "Cherry")])
        await terminal.press("r")
        await terminal.shows("^. Cherry")


@test()
async def changes_come_as_lines_of_json():
    folder = Folder()
    folder.write("fruit.tsv", [("a", "Apple")])
    async with Server([file_list(folder)], folder=folder) as server:
        process = await asyncio.create_subprocess_exec(*watch(server, "fruit", "--json"), stdout=asyncio.subprocess.PIPE)

        async def until(wanted):
            while True:
                line = json.loads(await asyncio.wait_for(process.stdout.readline(), 20))
                if wanted.items() <= line.items():
                    return line

        row = await until({"change": "inserted"})
        assert row == {"change": "inserted", "key": "a", "fields": {"title": "Apple"}}, row
        await until({"phase": "waiting", "outcome": "success"})
        folder.write("fruit.tsv", [])
        await server.http("POST", "/lists/fruit/refresh", body=b"")
        await until({"change": "removed", "key": "a"})
        process.terminate()
        assert await asyncio.wait_for(process.wait(), 10) == 0


@test()
async def watch_asks_which_list_is_meant():
    folder = Folder()
    for name in ("fruit", "nuts"):
        folder.write(f"{name}.tsv", [])
    lists = [file_list(folder), file_list(folder, "nuts")]
    async with Server(lists, folder=folder) as server:
        for arguments, status, text in (
            ([], 64, "fruit, nuts"),
            (["figs"], 1, 'There is no list "figs". There are fruit, nuts.'),
            (["fruti"], 1, 'There is no list "fruti". Did you mean "fruit"?'),
        ):
            process = await asyncio.create_subprocess_exec(
                *watch(server, *arguments), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
            )
            _, err = await asyncio.wait_for(process.communicate(), 20)
            assert process.returncode == status and text in err.decode(), (process.returncode, err)
