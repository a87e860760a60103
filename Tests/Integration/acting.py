"""Acting on rows: what an action does, once, and how it is undone."""

import asyncio
import json

from harness import Server, eventually, test
from mail_list import MAIL, Person, at_work, begun, hold, let_go, mailbox
from reloading import logged
from reloading import write as write_lists


# MARK: What is offered, and what it does


@test()
async def a_list_says_what_may_be_done_to_its_rows():
    folder, lists = mailbox()
    async with Server(lists, folder=folder) as server:
        person = await Person.of(server)
        assert person.offered == [
            {"name": "archive", "title": "Archive", "effect": "remove", "undo": True},
            {"name": "flag", "title": "Flag", "effect": {"badge": "!", "title": None}, "undo": True},
            {"name": "check", "title": "Check"},
            {"name": "delete", "title": "Delete for ever", "effect": "remove", "destructive": True},
        ], person.offered  # fmt: skip
        await person.leave()


@test()
async def an_effect_is_in_everybodys_rows_from_the_revision_that_it_names():
    folder, lists = mailbox()
    async with Server(lists, folder=folder) as server:
        person, other = await Person.of(server), await Person.of(server)
        hold(folder)
        before = person.client.model("mail").revision
        ok = await person.act("archive", "b")
        assert ok["joined"] is False, ok
        await at_work(folder)
        assert person.client.model("mail").revision == before and person.keys == ["a", "b", "c"], "too early"
        let_go(folder)
        closing = await person.done(ok["run"])
        assert closing["revision"] == before + 1 and closing["row"] == "b" and closing["action"] == "archive", closing
        assert 4000 < closing["undo"] <= 5000, closing
        for one in (person, other):
            await one.client.until(lambda one=one: one.keys == ["a", "c"], what="the row left")
            await one.client.shows_what_the_server_has("mail")
        ok = await person.act("flag", "a")
        await person.done(ok["run"])
        assert person.rows[0] == ("a", {"badge": "!"}), person.rows
        await person.client.shows_what_the_server_has("mail")
        await person.leave()
        await other.leave()


@test()
async def a_failure_changes_no_row_and_says_nothing_that_was_not_written_for_people():
    folder, lists = mailbox()
    async with Server(lists, folder=folder) as server:
        person = await Person.of(server)
        hold(folder, "fail")
        before = person.client.model("mail").revision
        ok = await person.act("archive", "b")
        closing = await person.outcome(ok["run"])
        assert closing["outcome"] == "failure" and closing["error"]["message"], closing
        assert "secret" not in json.dumps(closing), closing
        await eventually(lambda: "/secret/path" in server.log, what="the end of its error output is in the log")
        assert person.client.model("mail").revision == before and person.keys == ["a", "b", "c"]
        assert (await person.undo(ok["run"]))["reason"] == "spent", "nothing was done"
        # It can be tried again, under another key.
        let_go(folder, "fail")
        await person.done((await person.act("archive", "b"))["run"])
        await person.leave()


@test()
async def a_refresh_that_was_under_way_does_not_bring_the_row_back():
    folder, lists = mailbox()
    async with Server(lists, folder=folder) as server:
        person = await Person.of(server)
        hold(folder, "hold-rows")
        runs = len(folder.lines("mail.log"))
        await person.client.ask({"type": "refresh", "list": "mail"})
        await eventually(lambda: len(folder.lines("mail.log")) > runs)
        await person.done((await person.act("archive", "b"))["run"])
        await person.done((await person.act("flag", "c"))["run"])
        let_go(folder, "hold-rows")
        await person.client.expect({"type": "state", "phase": "closing", "last": {"outcome": "success"}})
        assert person.rows == [("a", {"title": "From Ada"}), ("c", {"badge": "!"})], person.rows
        # The next one is asked after it, and knows better.
        await person.client.settled("mail")
        await server.refresh("mail")
        await person.client.until(lambda: person.rows == [(key, {"title": title}) for key, title in MAIL])
        await person.leave()


@test()
async def a_list_that_is_to_be_refreshed_after_an_action_is():
    folder, lists = mailbox(actions=[{"title": "Ring", "command": "echo 'd\tFrom Dan' >>mail.tsv", "refresh": True}])
    async with Server(lists, folder=folder) as server:
        person = await Person.of(server)
        await person.done((await person.act("ring", "a"))["run"])
        await person.client.until(lambda: "d" in person.keys, what="the list was refreshed")
        await person.leave()


# MARK: Done once


@test()
async def an_action_is_run_once_however_often_and_by_whomever_it_is_asked():
    folder, lists = mailbox()
    async with Server(lists, folder=folder) as server:
        person, other = await Person.of(server), await Person.of(server)
        hold(folder)
        first = await person.act("archive", "b", "k1")
        await at_work(folder)
        again = await person.act("archive", "b", "k1")
        joined = await other.act("archive", "b", "k2")
        assert {again["run"], joined["run"]} == {first["run"]} and joined["joined"] is True, f"{first} {again} {joined}"
        let_go(folder)
        for one in (person, other):
            await one.done(first["run"])
        # After its end the keys are known, and another one finds no row.
        for one, key in ((person, "k1"), (other, "k2"), (other, "k1")):
            heard = len(one.of_run(first["run"]))
            assert (await one.act("archive", "b", key))["run"] == first["run"]
            await one.client.until(lambda one=one, heard=heard: len(one.of_run(first["run"])) > heard, what="the outcome again")
        gone = await person.act("archive", "b")
        assert (gone["run"], gone["reason"]) == (None, "gone"), gone
        assert begun(folder) == [first["run"]], folder.lines("work.log")
        await person.leave()
        await other.leave()


@test()
async def two_actions_run_beside_each_other_and_of_nine_one_waits():
    folder, lists = mailbox()
    folder.write("mail.tsv", [(f"m{number}", "Mail") for number in range(9)])
    async with Server(lists, folder=folder) as server:
        person = await Person.of(server)
        hold(folder)
        runs = [(await person.act("archive", f"m{number}"))["run"] for number in range(9)]
        assert len(set(runs)) == 9
        await at_work(folder, 8)
        await asyncio.sleep(0.3)
        assert begun(folder).count(runs[8]) == 0 and len(begun(folder)) == 8, "eight at a time"
        let_go(folder)
        for run in runs:
            await person.done(run)
        assert person.keys == [] and sorted(begun(folder)) == sorted(runs)
        await person.leave()


@test()
async def kill_9_in_the_midst_is_told_as_interrupted_and_begins_nothing_again():
    folder, lists = mailbox()
    async with Server(lists, folder=folder) as server:
        person = await Person.of(server)
        hold(folder)
        ok = await person.act("archive", "b", "k1")
        await at_work(folder)
        await server.restart(clean=False)
        let_go(folder)
        back = await person.back(server)
        again = await back.act("archive", "b", "k1")
        assert again["run"] == ok["run"], f"{ok} {again}"
        closing = await back.outcome(ok["run"])
        assert closing["outcome"] == "failure" and closing["error"]["code"] == "interrupted", closing
        assert "not known" in closing["error"]["message"], closing
        assert begun(folder) == [ok["run"]] and "b" in back.keys, "it is not begun again by itself"
        # Who wants it all the same says so with another key.
        other = await back.act("archive", "b", "k2")
        assert other["run"] != ok["run"]
        await back.done(other["run"])
        await back.leave()


@test()
async def who_joined_before_kill_9_begins_nothing_again_either():
    folder, lists = mailbox()
    async with Server(lists, folder=folder) as server:
        person, other = await Person.of(server), await Person.of(server)
        hold(folder)
        ok = await person.act("archive", "b")
        await at_work(folder)
        # Answered, and killed in that moment.
        joined = await other.act("archive", "b", "k2")
        await server.restart(clean=False)
        let_go(folder)
        back = await other.back(server)
        again = await back.act("archive", "b", "k2")
        assert joined["run"] == again["run"] == ok["run"], f"{ok} {joined} {again}"
        assert (await back.outcome(ok["run"]))["error"]["code"] == "interrupted"
        assert begun(folder) == [ok["run"]]
        await back.leave()


@test()
async def kill_9_after_the_end_is_told_as_done_and_does_nothing_again():
    folder, lists = mailbox()
    async with Server(lists, folder=folder) as server:
        person = await Person.of(server)
        ok = await person.act("archive", "b", "k1")
        await person.done(ok["run"])
        hold(folder, "hold-rows")
        await server.restart(clean=False)
        back = await person.back(server)
        assert back.keys == ["a", "c"], "the effect is kept with the outcome"
        let_go(folder, "hold-rows")
        assert (await back.act("archive", "b", "k1"))["run"] == ok["run"]
        closing = await back.done(ok["run"])
        assert "undo" not in closing, "what it was before is not kept"
        assert begun(folder) == [ok["run"]]
        await back.client.shows_what_the_server_has("mail")
        await back.leave()


# MARK: Undone


@test()
async def undoing_brings_the_row_back_in_its_place_with_its_fields():
    folder, lists = mailbox()
    async with Server(lists, folder=folder) as server:
        person, other = await Person.of(server), await Person.of(server)
        before = person.rows
        for action in ("archive", "flag"):
            ok = await person.act(action, "b")
            await person.done(ok["run"])
            assert person.rows != before
            undoing = await person.undo(ok["run"])
            closing = await person.done(undoing["run"])
            assert (closing["undoes"], closing["action"], closing["row"]) == (ok["run"], action, "b"), closing
            assert person.rows == before, person.rows
            await other.client.shows_what_the_server_has("mail")
        assert [line.split()[2] for line in folder.lines("work.log")] == ["archive"] * 2 + ["unarchive"] * 2
        # The first row comes back to the top.
        ok = await person.act("archive", "a")
        await person.done(ok["run"])
        await person.done((await person.undo(ok["run"]))["run"])
        assert person.rows == before, person.rows
        await person.leave()
        await other.leave()


@test()
async def an_undoing_is_shared_and_its_second_time_is_spent():
    folder, lists = mailbox()
    async with Server(lists, folder=folder) as server:
        person, other = await Person.of(server), await Person.of(server)
        ok = await person.act("archive", "b")
        await person.done(ok["run"])
        hold(folder)
        first = await person.undo(ok["run"], "u1")
        joined = await other.undo(ok["run"], "u2")
        assert first["run"] == joined["run"] and joined["joined"] is True, f"{first} {joined}"
        let_go(folder)
        await person.done(first["run"])
        await other.done(first["run"])
        spent = await other.undo(ok["run"], "u3")
        assert (spent["run"], spent["reason"]) == (None, "spent"), spent
        assert (await person.undo(ok["run"], "u1"))["run"] == first["run"], "a known key has its answer"
        assert (await person.undo(first["run"]))["reason"] == "spent", "an undoing is not undone"
        assert begun(folder, "unarchive") == [first["run"]]
        await person.leave()
        await other.leave()


@test()
async def an_undoing_that_failed_can_be_tried_again():
    folder, lists = mailbox()
    async with Server(lists, folder=folder) as server:
        person = await Person.of(server)
        ok = await person.act("archive", "b")
        await person.done(ok["run"])
        hold(folder, "fail")
        failed = await person.undo(ok["run"])
        assert (await person.outcome(failed["run"]))["outcome"] == "failure"
        assert person.keys == ["a", "c"]
        let_go(folder, "fail")
        await person.done((await person.undo(ok["run"]))["run"])
        assert person.keys == ["a", "b", "c"]
        await person.leave()


@test(limit=60)
async def undoing_after_its_time_or_after_the_servers_end_is_spent():
    folder, lists = mailbox()
    async with Server(lists, folder=folder) as server:
        person = await Person.of(server)
        first = (await person.act("archive", "b"))["run"]
        assert (await person.done(first))["undo"] > 4000
        await asyncio.sleep(10.2)
        assert (await person.undo(first))["reason"] == "spent"
        second = (await person.act("archive", "c"))["run"]
        await person.done(second)
        # The first watcher after a start loads the list, whose command knows of no action.
        hold(folder, "hold-rows")
        await server.restart()
        back = await person.back(server)
        assert (await back.undo(second))["reason"] == "spent"
        assert begun(folder, "unarchive") == [] and back.keys == ["a"]
        await back.leave()


# MARK: Commands, and settings that change


@test()
async def a_command_gets_the_rows_fields_and_no_shell_reads_them():
    folder, lists = mailbox()
    title = "$(touch bad); \" ' `touch bad` {key} %s\\n"
    folder.write("mail.tsv", [("-rf; touch bad", title), ("b", "Bob")])
    tell = 'for one; do printf "%s\\n" "$one"; done >told; env >variables'
    (folder / "tell.sh").write_text(tell)
    lists[0]["actions"] = [
        {"title": "Tell", "command": ["sh", "tell.sh", "{key}", "<{title}>", "{{key}}", "{nothing}"]},
        {"title": "Line", "command": 'printf "%s" "$ROW_KEY|$ROW_TITLE|$ACTION_RUN" >line'},
    ]
    async with Server(lists, folder=folder) as server:
        person = await Person.of(server)
        run = (await person.act("tell", "-rf; touch bad"))["run"]
        await person.done(run)
        assert folder.lines("told") == ["-rf; touch bad", f"<{title}>", "{key}", ""], folder.lines("told")
        variables = dict(line.partition("=")[::2] for line in folder.lines("variables"))
        assert variables["ROW_KEY"] == "-rf; touch bad" and variables["ROW_TITLE"] == title, variables
        assert variables["ACTION_RUN"] == run
        run = (await person.act("line", "-rf; touch bad"))["run"]
        await person.done(run)
        assert (folder / "line").read_text() == f"-rf; touch bad|{title}|{run}"
        assert not (folder / "bad").exists(), "a shell has read a field"
        await person.leave()


@test()
async def a_change_of_the_settings_changes_what_is_offered():
    folder, lists = mailbox()
    async with Server(lists, folder=folder) as server:
        person = await Person.of(server)
        hold(folder)
        ok = await person.act("archive", "b")
        await at_work(folder)
        write_lists(server, [{**lists[0], "actions": [{"title": "Star", "effect": {"badge": "*"}}]}])
        told = await person.client.expect({"type": "settings", "list": "mail"}, within=8)
        assert told["actions"] == [{"name": "star", "title": "Star", "effect": {"badge": "*"}, "undo": True}], told
        assert "Its actions are star." in (await person.act("archive", "a"))["message"]
        await person.done((await person.act("star", "a"))["run"])
        # What was under way ends.
        let_go(folder)
        assert (await person.outcome(ok["run"]))["outcome"] == "success"
        plain = {name: value for name, value in lists[0].items() if name != "actions"}
        write_lists(server, [plain])
        assert "actions" not in await person.client.expect({"type": "settings", "list": "mail"}, within=8)
        assert "It has none." in (await person.act("star", "a"))["message"]
        await person.leave()


@test(one_node=True)
async def a_list_that_is_removed_ends_its_actions_and_remembers_them():
    folder, lists = mailbox()
    board = {"name": "board", "push": True}
    async with Server([*lists, board], folder=folder) as server:
        person = await Person.of(server)
        hold(folder)
        ok = await person.act("archive", "b", "k1")
        await at_work(folder)
        write_lists(server, [board])
        closing = await person.outcome(ok["run"])
        assert closing["outcome"] == "failure" and closing["error"]["code"] == "interrupted", closing
        await person.client.expect({"type": "unwatched", "list": "mail"})
        await eventually(lambda: f"asked {ok['run']} archive b" in folder.lines("work.log"), what="its command was ended")
        assert (await person.act("archive", "b", "k1"))["code"] == "unknownList"
        write_lists(server, [*lists, board])
        await logged(server, r"again: added mail\.")
        await person.client.watch("mail", resume=True)
        assert (await person.act("archive", "b", "k1"))["run"] == ok["run"]
        assert begun(folder) == [ok["run"]] and "b" in person.keys
        await person.leave()
