"""What servers over one PostgreSQL database answer while it takes its time, or has lost something."""

import asyncio
import contextlib

from client import Client
from harness import Folder, eventually, file_list, slow_list
from metrics import FRUIT
from postgres_faults import a_client
from pushing import patch, row
from shared_metrics import shared_test, two_servers

SLEEPERS = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"

# Takes longer to keep the number of a run than a server waits, and does not keep it.
NEVER_KEPT = """
    CREATE FUNCTION never() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(5); RETURN NULL; END $$;
    CREATE TRIGGER never BEFORE UPDATE ON refreshable.lists FOR EACH ROW WHEN (NEW.runs > OLD.runs) EXECUTE FUNCTION never();
"""

# Looks at the first change of a list long after a server has given it up, and at others at once.
FIRST_IS_LATE = """
    CREATE SEQUENCE changes;
    CREATE FUNCTION late() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('changes') = 1 THEN PERFORM pg_sleep(6); END IF; RETURN NULL;
    END $$;
    CREATE TRIGGER late BEFORE UPDATE ON refreshable.lists FOR EACH STATEMENT EXECUTE FUNCTION late();
"""

# The leader keeps the numbers of more runs just before another takes the lead.
KEPT_MEANWHILE = """
    CREATE FUNCTION meanwhile() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.runs := NEW.runs + 5; RETURN NEW; END $$;
    CREATE TRIGGER meanwhile BEFORE UPDATE ON refreshable.lists FOR EACH ROW WHEN (NEW.fence > OLD.fence)
        EXECUTE FUNCTION meanwhile();
"""


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


@shared_test()
async def who_begins_to_look_while_others_change_the_list_is_told_of_each_change_once():
    folder, names = Folder(), [f"list{number}" for number in range(20)]
    for name in names:
        folder.write(f"{name}.tsv", FRUIT)
    async with two_servers([file_list(folder, name, push=True) for name in names], folder=folder) as (_, one, two):
        await asyncio.gather(*(one.refresh(name) for name in names))
        async with Client.open(two) as client:
            for name in names:
                # The first who comes there waits for who leads the list, and rows come with that.
                pushing = asyncio.create_task(push_for_a_while(one, name))
                await asyncio.sleep(0.1)
                await client.watch(name, window={"first": 0, "count": 2})
                await pushing
                await patch(one, {"set": [row("newest", at="top")]}, name=name)
                await client.until(lambda name=name: client.model(name).ordered()[0][0] == "newest", what=f"no rows of {name}")


async def push_for_a_while(server, name):
    for number in range(60):
        await patch(server, {"set": [{"key": "a", "fields": {"title": f"Apples {number}"}}]}, name=name)


@shared_test()
async def a_release_that_could_not_be_answered_is_answered_as_it_was_decided():
    folder = Folder()
    folder.write("slow.tsv", FRUIT)
    async with two_servers([slow_list(folder, seconds=2)], folder=folder) as (postgres, one, two), Client.open(one) as client:
        hello = await client.ask({"type": "hello"})
        await client.watch("slow")
        await client.settled("slow")
        release = {"type": "release", "list": "slow", "gesture": 1, "offset": 80, "peak": 80}
        async with lists_locked(postgres, 4):
            refused = await client.pull("slow", 1)
            assert refused.get("code") == "unavailable", refused
            # What was decided is about to be kept, and waits again.
            await asyncio.sleep(0.8)
            await client.send(release | {"id": "again"})
        answer = await client.expect({"id": "again"})
        await client.settled("slow")
        await client.close()
        async with Client.open(two) as other:
            await other.ask({"type": "hello", "session": hello["session"]})
            await other.watch("slow")
            known = await other.ask(release)
        assert (answer["run"], answer["joined"]) == (known["run"], known["joined"]), (answer, known)


@shared_test()
async def a_run_whose_number_took_too_long_to_keep_is_not_told():
    folder = Folder()
    folder.write("slow.tsv", FRUIT)
    async with two_servers([slow_list(folder, seconds=0.1)], folder=folder) as (postgres, one, _), Client.open(one) as client:
        await client.watch("slow")
        await client.settled("slow")
        last = client.model("slow").state["last"]["run"]
        await asyncio.to_thread(postgres.sql, NEVER_KEPT)
        answer = await client.ask({"type": "refresh", "list": "slow", "key": "only"}, within=20)
        assert answer.get("code") == "unavailable", answer
        await asyncio.sleep(1)
        assert client.model("slow").state["phase"] == "waiting", client.model("slow").state
        await asyncio.to_thread(postgres.sql, "DROP TRIGGER never ON refreshable.lists")
        # It begins once it can.
        await client.until(lambda: client.model("slow").state["last"]["run"] != last, within=20)


@shared_test()
async def no_run_has_the_number_of_one_that_was_lost():
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    async with two_servers([file_list(folder)], folder=folder) as (postgres, one, two):
        for _ in range(3):
            status, lost = await one.refresh("fruit")
            assert status == 200, lost
        await one.kill()
        await two.kill()
        # As in a copy that is older than they.
        await asyncio.to_thread(postgres.sql, "UPDATE refreshable.lists SET identity = '', runs = 0")
        await one.start()
        status, first = await one.refresh("fruit", within=9)
        assert status == 200 and int(first["run"][1:]) > int(lost["run"][1:]), (first, lost)


@shared_test()
async def what_was_given_up_is_not_done_after_what_came_later():
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    async with two_servers([file_list(folder)], folder=folder) as (postgres, one, two), Client.open(two) as client:
        # So this one leads.
        _, first = await one.refresh("fruit")
        await client.watch("fruit")
        await asyncio.to_thread(postgres.sql, FIRST_IS_LATE)
        status, problem = await one.refresh("fruit", within=20)
        assert status == 503, problem
        # It begins once it can.
        await client.until(lambda: client.model("fruit").state["last"]["run"] != first["run"])
        last = client.model("fruit").state["last"]
        await eventually(lambda: postgres.sql(SLEEPERS) == "0", what="the first change is over")
        await asyncio.sleep(1)
        assert client.model("fruit").state["last"] == last, client.model("fruit").state


@shared_test()
async def no_run_of_a_new_leader_has_the_number_of_one_that_was_kept_meanwhile():
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    async with two_servers([file_list(folder)], folder=folder) as (postgres, one, two):
        _, last = await one.refresh("fruit")
        await one.kill()
        await asyncio.to_thread(postgres.sql, KEPT_MEANWHILE)
        status, first = await two.refresh("fruit", within=20)
        assert status == 200 and int(first["run"][1:]) > int(last["run"][1:]) + 5, (last, first)
