"""Acting on rows: who is told what becomes of it, who ends it, and who may."""

import asyncio

from access import COOK, KITCHEN, entry, shown
from access import write as write_tokens
from client import Client
from harness import Server, eventually, test
from mail_list import Person, at_work, begun, hold, let_go, mailbox


# MARK: Told


@test()
async def progress_and_outcome_are_told_to_who_asked_and_to_nobody_else():
    folder, lists = mailbox()
    async with Server(lists, folder=folder) as server:
        person, other = await Person.of(server), await Person.of(server)
        hold(folder)
        ok = await person.act("archive", "b")
        loading = await person.client.expect({"type": "act", "run": ok["run"], "phase": "loading"})
        assert (loading["completed"], loading["total"], loading["note"]) == (1, 2, "Half of it"), loading
        assert person.client.model("mail").state["phase"] == "waiting", "the list's state says nothing of it"
        let_go(folder)
        await person.done(ok["run"])
        await other.client.until(lambda: other.keys == ["a", "c"])
        await other.client.none({"type": "act"}, 0.2)
        await person.leave()
        await other.leave()


@test()
async def stop_ends_it_when_nobody_who_asked_remains():
    folder, lists = mailbox()
    async with Server(lists, folder=folder) as server:
        person, other = await Person.of(server), await Person.of(server)
        stranger = await Person.of(server)
        hold(folder)
        run = (await person.act("archive", "b"))["run"]
        await other.act("archive", "b")
        await at_work(folder)
        stop = {"type": "stop", "list": "mail", "run": run}
        for one in (stranger, person, person):
            assert (await one.client.ask(stop))["type"] == "ok"
        await other.client.none({"type": "act", "phase": "closing"}, 0.3)
        assert (await other.client.ask(stop))["type"] == "ok"
        for one in (person, other):
            assert (await one.outcome(run))["outcome"] == "cancelled"
        assert f"asked {run} archive b" in folder.lines("work.log"), "its command was asked to end"
        assert person.keys == ["a", "b", "c"]
        for one in (person, other, stranger):
            await one.leave()


@test()
async def a_lost_connection_withdraws_nobody_and_the_outcome_is_told_to_who_comes_back():
    folder, lists = mailbox()
    async with Server(lists, folder=folder) as server:
        for hello, row in ((True, "a"), (False, "b")):
            person = await Person.of(server)
            hold(folder)
            ok = await person.act("archive", row, f"k{row}")
            await eventually(lambda ok=ok: ok["run"] in begun(folder))
            await person.client.cut()
            back = await person.back(server, hello=hello)
            assert (await back.act("archive", row, f"k{row}"))["run"] == ok["run"]
            let_go(folder)
            assert (await back.done(ok["run"]))["outcome"] == "success"
            # Also to who comes after it is over.
            late = await back.back(server, hello=hello)
            assert (await late.act("archive", row, f"k{row}"))["run"] == ok["run"]
            await late.done(ok["run"])
            assert begun(folder).count(ok["run"]) == 1
            await late.leave()
            await back.client.close()


@test(one_node=True)
async def a_server_that_is_asked_to_stop_waits_for_actions_and_begins_none():
    folder, lists = mailbox()
    async with Server(lists, folder=folder) as server:
        person = await Person.of(server)
        hold(folder)
        ok = await person.act("archive", "b", "k1")
        await at_work(folder)
        stopping = asyncio.create_task(server.stop(20))
        while (await server.http("GET", "/readyz"))[0] != 503:
            await asyncio.sleep(0.02)
        refused = await person.act("archive", "a")
        assert (refused["run"], refused["reason"]) == (None, "refused") and refused["message"], refused
        assert (await person.act("archive", "b", "k1"))["run"] == ok["run"], "a known key has its answer"
        let_go(folder)
        await person.done(ok["run"])
        await person.client.expect({"type": "goodbye", "code": 4200})
        assert await stopping == 0
        await server.start()
        assert [key for key, _ in await server.rows("mail")] == ["a", "c"]
        back = await person.back(server)
        await back.act("archive", "b", "k1")
        assert (await back.outcome(ok["run"]))["outcome"] == "success"
        await back.leave()


@test()
async def an_action_that_takes_longer_than_the_servers_end_is_interrupted():
    folder, lists = mailbox()
    async with Server(lists, "--drain", "300ms", folder=folder) as server:
        person = await Person.of(server)
        hold(folder)
        ok = await person.act("archive", "b", "k1")
        await at_work(folder)
        assert await server.stop(15) == 0
        await server.start()
        back = await person.back(server)
        await back.act("archive", "b", "k1")
        assert (await back.outcome(ok["run"]))["error"]["code"] == "interrupted"
        assert begun(folder) == [ok["run"]] and f"asked {ok['run']} archive b" in folder.lines("work.log")
        await back.leave()


@test()
async def an_action_that_reports_nothing_for_the_deadline_is_ended():
    folder, lists = mailbox(deadline="1s")
    async with Server(lists, folder=folder) as server:
        person = await Person.of(server)
        hold(folder)
        closing = await person.outcome((await person.act("archive", "b"))["run"])
        assert closing["outcome"] == "timeout" and "deadline" in closing["error"]["message"], closing
        assert person.keys == ["a", "b", "c"]
        await person.leave()


# MARK: Who may, and what is wrong


def guarded(rights):
    folder, lists = mailbox()
    server = Server(lists, "--tokens", str(folder / "tokens.yaml"), folder=folder)
    write_tokens(server, [entry("kitchen", KITCHEN, {"mail": rights}), entry("cook", COOK, {"mail": ["read", "act"]})])
    return server


@test()
async def who_may_not_act_is_offered_nothing_and_who_gains_it_is_told():
    async with guarded(["read", "refresh"]) as server:
        person = await Person.of(server, **shown(KITCHEN))
        assert person.offered is None
        stop = {"type": "stop", "list": "mail", "run": "a5k2"}
        for answer in (await person.act("archive", "b"), await person.undo("a5k2"), await person.client.ask(stop)):
            assert answer["code"] == "forbidden" and "does not allow to act" in answer["message"], answer
        cook = await Person.of(server, **shown(COOK))
        assert [action["name"] for action in cook.offered] == ["archive", "flag", "check", "delete"]
        run = (await cook.act("archive", "b"))["run"]
        await cook.done(run)
        kitchen = entry("kitchen", KITCHEN, {"mail": ["read", "refresh", "act"]})
        write_tokens(server, [kitchen, entry("cook", COOK, {"mail": ["read"]})])
        told = await person.client.expect({"type": "settings", "list": "mail"}, within=8)
        assert len(told["actions"]) == 4, told
        assert "actions" not in await cook.client.expect({"type": "settings", "list": "mail"}, within=8)
        await person.done((await person.act("flag", "a"))["run"])
        assert (await cook.act("flag", "c"))["code"] == "forbidden"
        await person.leave()
        await cook.leave()


@test()
async def without_a_token_nobody_acts_unless_it_is_allowed():
    async with guarded(["read"]) as server:
        anonymous = {"name": "all", "anonymous": True, "lists": {"mail": ["read"]}}
        write_tokens(server, [anonymous])
        await eventually(lambda: "tokens.yaml again" in server.log, 8)
        person = await Person.of(server)
        assert person.offered is None and (await person.act("archive", "b"))["code"] == "unauthorised"
        write_tokens(server, [{**anonymous, "lists": {"mail": ["read", "act"]}}])
        await person.client.expect({"type": "settings", "list": "mail", "actions": [{"name": "archive"}, {}, {}, {}]}, within=8)
        await person.done((await person.act("archive", "b"))["run"])
        await person.leave()


@test()
async def under_a_name_that_was_not_allowed_nobody_acts():
    folder, lists = mailbox()
    async with Server(lists, folder=folder) as server:
        person = await Person.of(server, origin=f"http://evil.local:{server.port}", under="evil.local")
        assert person.offered is None
        answer = await person.act("archive", "b")
        assert answer["code"] == "forbidden" and "--allow-host" in answer["message"], answer
        assert begun(folder) == []
        await person.leave()


@test()
async def what_is_wrong_is_answered_by_what_to_do_about_it():
    folder, lists = mailbox()
    async with Server(lists, folder=folder) as server:
        person = await Person.of(server)
        act = {"type": "act", "list": "mail"}
        for message, code, words in (
            ({"action": "archvie", "row": "a", "key": "k"}, "badField", 'Did you mean "archive"?'),
            ({"action": "explode", "row": "a", "key": "k"}, "badField", "archive, flag, check, delete"),
            ({"action": "archive", "row": "a"}, "badField", '"key"'),
            ({"action": "archive", "row": "a", "key": ""}, "badField", '"key"'),
            ({"action": "archive", "key": "k"}, "badField", '"row"'),
            ({"row": "a", "key": "k"}, "badField", '"action"'),
            ({"action": "archive", "row": "a", "undo": "a1", "key": "k"}, "badField", '"undo"'),
            ({"action": 1, "row": "a", "key": "k"}, "badField", '"action"'),
        ):  # fmt: skip
            answer = await person.client.ask({**act, **message})
            assert answer.get("code") == code and words in answer["message"], f"{message}: {answer}"
        assert (await person.act("archive", "nobody"))["reason"] == "gone"
        for run in ("r1", "a1", "x" * 64):
            assert (await person.undo(run))["reason"] == "spent", run
        async with Client.open(server) as client:
            answer = await client.ask({**act, "action": "archive", "row": "a", "key": "k"})
            assert answer["code"] == "notWatching", answer
        assert begun(folder) == []
        await person.leave()
