"""What servers over one PostgreSQL database answer while that takes its time: nobody is told what is not kept."""

import asyncio
import contextlib

from client import Client
from harness import Folder, eventually, file_list, slow_list
from metrics import FRUIT
from postgres_faults import a_client
from shared_metrics import shared_test, two_servers

SLEEPERS = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"


@contextlib.asynccontextmanager
async def lists_locked(postgres, seconds):
    """For so long, no server can keep anything of its lists."""
    other = await asyncio.to_thread(
        a_client, postgres, f"BEGIN; SELECT 1 FROM refreshable.lists FOR UPDATE; SELECT pg_sleep({seconds}); COMMIT"
    )
    try:
        await eventually(lambda: postgres.sql(SLEEPERS) == "1", what="the lists were locked")
        yield
    finally:
        await asyncio.to_thread(other.communicate)


@shared_test()
async def a_request_that_is_sent_again_is_answered_once_its_answer_is_kept():
    folder = Folder()
    folder.write("slow.tsv", FRUIT)
    async with two_servers([slow_list(folder, seconds=0.1)], folder=folder) as (postgres, one, _):
        async with Client.open(one) as client:
            await client.watch("slow")
            await client.settled("slow")
            async with lists_locked(postgres, 2):
                for number in range(3):
                    await client.send({"type": "refresh", "id": f"again {number}", "list": "slow", "key": "only"})
                    await asyncio.sleep(0.2)
                answered = [frame for frame in client.frames if str(frame.get("id")).startswith("again")]
                assert not answered, answered
            answers = [await client.expect({"type": "ok", "id": f"again {number}"}) for number in range(3)]
            assert {(answer["run"], answer["joined"]) for answer in answers} == {(answers[0]["run"], False)}, answers


@shared_test()
async def a_request_that_the_database_has_forgotten_is_decided_anew():
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    async with two_servers([file_list(folder)], folder=folder) as (postgres, one, _), Client.open(one) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        first = await client.ask({"type": "refresh", "list": "fruit", "key": "only"})
        await client.settled("fruit")
        assert (await client.ask({"type": "refresh", "list": "fruit", "key": "only"}))["run"] == first["run"]
        # As after a copy of the database was put back that is older than the request.
        epoch = client.model("fruit").epoch
        await asyncio.to_thread(postgres.sql, "DELETE FROM refreshable.requests; UPDATE refreshable.lists SET identity = ''")
        await client.until(lambda: client.model("fruit").epoch != epoch)
        again = await client.ask({"type": "refresh", "list": "fruit", "key": "only"})
        assert again["run"] != first["run"] and not again["joined"], (first, again)
