"""Lists from files: what a page shows of a file that changes."""

import os

from client import Client
from harness import Folder, Server, test


def titles(client, name):
    return [fields["title"] for _, fields in client.model(name).ordered()]


@test()
async def a_file_that_changes_is_shown_without_a_pull():
    folder = Folder()
    people = folder / "people.csv"
    people.write_text("key,title\n1,Ada\n2,Grace\n")
    async with Server([{"name": "people", "file": "people.csv"}], folder=folder) as server:
        async with Client.open(server) as client:
            await client.watch("people")
            await client.until(lambda: len(client.model("people").rows) == 2, what="the file is shown")
            people.write_text("key,title\n2,Grace\n3,Hedy\n")
            await client.expect({"type": "state", "phase": "loading", "cause": "code"})
            await client.until(lambda: titles(client, "people") == ["Grace", "Hedy"], what="written in place")
            (folder / "next").write_text("key,title\n4,Alan\n")
            os.rename(folder / "next", people)
            await client.until(lambda: titles(client, "people") == ["Alan"], what="renamed into its place")
            await client.shows_what_the_server_has("people")


@test()
async def a_file_that_is_half_written_is_not_shown():
    folder = Folder()
    people = folder / "people.csv"
    people.write_text("key,title\n1,Ada\n")
    async with Server([{"name": "people", "file": "people.csv"}], folder=folder) as server:
        async with Client.open(server) as client:
            await client.watch("people")
            await client.until(lambda: titles(client, "people") == ["Ada"], what="the file is shown")
            with open(people, "w") as writer:
                writer.write("key,title\n1,Ada\n2,Gr")
                writer.flush()
                client.skip()
                await client.send({"type": "refresh", "list": "people"})
                await client.none({"type": "patch"}, 0.5)
                assert titles(client, "people") == ["Ada"]
                writer.write("ace\n")
            await client.until(lambda: titles(client, "people") == ["Ada", "Grace"], what="it is whole")


@test()
async def a_file_that_goes_keeps_its_rows_and_says_so():
    folder = Folder()
    (folder / "people.csv").write_text("key,title\n1,Ada\n")
    async with Server([{"name": "people", "file": "people.csv"}], folder=folder) as server:
        async with Client.open(server) as client:
            await client.watch("people")
            await client.until(lambda: titles(client, "people") == ["Ada"], what="the file is shown")
            (folder / "people.csv").unlink()
            state = await client.expect(
                {"type": "state", "phase": "closing", "last": {"outcome": "failure"}}, within=10
            )
            assert state["last"]["error"]["message"] == "The file is not there.", state
            assert str(folder.path) not in str(state) and "staleSince" in state, state
            assert titles(client, "people") == ["Ada"]
