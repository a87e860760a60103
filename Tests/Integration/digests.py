"""A client asks whether its rows are right, and makes them right where they are not."""

import random

from client import Client
from harness import Folder, Server, file_list, test

FRUIT = [("a", "Apple"), ("b", "Banana"), ("c", "Chérimole")]


def fruit():
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    return folder, [file_list(folder)]


@test()
async def a_client_that_lost_a_row_notices_and_watches_anew():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        model = client.model("fruit")
        await client.ask({"type": "digest", "list": "fruit"})
        assert model.is_right() is True, f"{model.digests} but this client has {model.digest()}"
        for harm in ("lost", "changed", "misplaced"):
            if harm == "lost":
                del model.rows["b"]
            elif harm == "changed":
                model.rows["b"] = (model.rows["b"][0], {"title": "Bananas"})
            else:
                model.rows["b"] = (model.rows["c"][0] + 1, model.rows["b"][1])
            assert model.is_right() is False, harm
            await client.watch("fruit")
            await client.settled("fruit")
            assert model.is_right() is True, harm
            await client.shows_what_the_server_has("fruit")


@test()
async def a_digest_is_of_the_rows_that_were_sent_before_it_or_are_on_the_way():
    folder, lists = fruit()
    dice = random.Random(seed := random.randrange(1 << 32))
    print(f"    seed {seed}")
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        model = client.model("fruit")
        for number in range(8):
            rows = [(f"k{key}", f"{dice.randrange(3)} at {number}") for key in dice.sample(range(12), dice.randrange(12))]
            folder.write("fruit.tsv", rows)
            await client.send({"type": "refresh", "id": f"r{number}", "list": "fruit"})
            ok = await client.ask({"type": "digest", "list": "fruit"})
            # Others may have come behind it by now.
            before = client.frames[: client.frames.index(ok)]
            sent = max(frame["revision"] for frame in before if frame["type"] in ("snapshot", "patch") and frame.get("last", True))
            assert ok["epoch"] == model.epoch and ok["revision"] >= sent, f"{ok}, client sent {sent}"
            await client.until(lambda ok=ok: model.revision >= ok["revision"])
            # A list that waits may not have begun yet: it is told when it has ended. It may be answered after the digest.
            def is_over(id=f"r{number}"):
                return any(frame.get("id") == id and frame.get("run") in model.ended for frame in client.frames)

            await client.until(is_over)
            await client.settled("fruit")
            ok = await client.ask({"type": "digest", "list": "fruit"})
            assert model.is_right() is True, f"{ok}, this client has {model.digest()} at {model.revision}"


@test()
async def a_digest_needs_no_watch_and_starts_no_run():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server, Client.open(server) as client:
        ok = await client.ask({"type": "digest", "list": "fruit"})
        assert (ok["revision"], ok["count"], ok["crc32"]) == (0, 0, 0), ok
        await client.none({"list": "fruit"}, 0.3)
        assert folder.lines("fruit.log") == [], "a question is no watch"


@test()
async def the_same_rows_have_the_same_digest_after_a_restart():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        async with Client.open(server) as client:
            await client.watch("fruit")
            await client.settled("fruit")
            before = await client.ask({"type": "digest", "list": "fruit"})
        await server.restart(clean=True)
        async with Client.open(server) as client:
            after = await client.ask({"type": "digest", "list": "fruit"})
            assert {**after, "id": ""} == {**before, "id": ""}, f"{before}\n{after}"
