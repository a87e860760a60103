"""What other tests do to a PostgreSQL server does what it says: each operation on a real one, judged by what the server tells."""

import asyncio
import os
import subprocess
import time
from pathlib import Path

from harness import say, test
from postgres_processes import PROGRAMS, children, state
from postgres_server import PostgresServer


def fault_test(limit=60):
    """A test of servers alone, if this machine has PostgreSQL. They block, so each has a thread."""

    def wrap(function):
        async def run():
            if PROGRAMS is None:
                assert not Path("/etc/debian_version").exists(), "Scripts/setup cluster installs PostgreSQL"
                return say("    skipped: there is no PostgreSQL here")
            return await asyncio.to_thread(function)

        run.__name__, run.__module__ = function.__name__, function.__module__
        return test(limit=limit)(run)

    return wrap


def numbers(server):
    return [int(line) for line in server.sql("SELECT n FROM t ORDER BY n").split()]


def write(server, *values):
    server.sql("CREATE TABLE IF NOT EXISTS t (n int)")
    for value in values:
        server.sql(f"INSERT INTO t VALUES ({value})")


def awaits(holds, what, seconds=10):
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, what
        time.sleep(0.02)


def a_client(server, text):
    """A client that is at work for a while, as another process."""
    return subprocess.Popen(
        [PROGRAMS / "psql", "-h", server.folder, "-p", str(server.port), "-U", "app", "-d", "lists", "-Atq", "-c", text],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


@fault_test()
def a_server_runs_as_an_ordinary_user_with_an_ordinary_role():
    with PostgresServer() as server:
        assert Path(f"/proc/{server.process.pid}").stat().st_uid != 0
        assert server.sql("SELECT rolsuper FROM pg_roles WHERE rolname = current_user") == "f"
        assert [server.sql(f"SHOW {name}") for name in ("fsync", "wal_level", "hot_standby")] == ["off", "replica", "on"]
        folder = server.folder
    assert not folder.exists() and not server.is_running
    with PostgresServer(durable=True) as server:
        assert server.sql("SHOW fsync") == "on"


@fault_test()
def a_crash_keeps_the_identity_and_what_was_committed_but_not_the_start():
    with PostgresServer(durable=True) as server:
        write(server, 1)
        before = server.identity()
        for crash in (server.kill, lambda: server.stop("immediate")):
            old = server.process
            crash()
            assert old.poll() is not None and children(old.pid) == []
            server.start()
            after = server.identity()
            assert (after.system, after.timeline) == (before.system, before.timeline), (before, after)
            assert after.started > before.started and numbers(server) == [1], (before, after)
            before = after
        assert "automatic recovery in progress" in (server.folder / "log").read_text(), server.fault("it did not recover")


@fault_test()
def a_paused_server_answers_nobody_until_it_goes_on():
    with PostgresServer() as server:
        write(server, 1)
        client = a_client(server, "SELECT pg_sleep(0.5), 'awake'")
        awaits(lambda: "pg_sleep" in server.sql("SELECT string_agg(query, ' ') FROM pg_stat_activity"), "no client came")
        server.pause()
        states = {state(one) for one in [server.process.pid, *children(server.process.pid)]}
        assert states == {"T"}, states
        try:
            server.sql("SELECT 1", within=1.5)
        except AssertionError as silence:
            assert "no answer within 1.5 s" in str(silence), silence
        else:
            raise AssertionError("a paused server answers")
        assert client.poll() is None
        server.resume()
        assert client.communicate(timeout=10)[0].strip() == "|awake" and numbers(server) == [1]


@fault_test()
def a_paused_server_can_be_killed_and_stopped():
    with PostgresServer() as server:
        server.pause()
        server.kill()
        server.start()
        server.pause()
        server.stop()
        assert not server.is_running


@fault_test()
def a_promoted_standby_is_on_the_next_timeline_while_the_old_primary_lives_on():
    with PostgresServer(durable=True) as primary, PostgresServer(follows=primary) as standby:
        write(primary, 1)
        awaits(lambda: standby.sql("SELECT to_regclass('t')") == "t" and numbers(standby) == [1], "the standby does not follow")
        assert not standby.is_primary and standby.sql("SHOW fsync") == "on"
        standby.pause()
        write(primary, 2)
        standby.resume()
        awaits(lambda: numbers(standby) == [1, 2], "the standby does not catch up")
        before = primary.identity()
        standby.promote()
        after = standby.identity()
        assert after.system == before.system and after.timeline == before.timeline + 1, (before, after)
        write(primary, 3)
        write(standby, 4)
        assert numbers(primary) == [1, 2, 3] and numbers(standby) == [1, 2, 4]
        assert primary.identity() == before
        primary.follow(standby)
        assert not primary.is_primary and numbers(primary) == [1, 2, 4]
        primary.promote()
        assert primary.identity().timeline == before.timeline + 2


@fault_test()
def an_asynchronous_standby_lacks_what_was_written_while_it_stood_still():
    with PostgresServer(durable=True) as primary, PostgresServer(follows=primary) as standby:
        write(primary, 1)
        awaits(lambda: standby.sql("SELECT to_regclass('t')") == "t" and numbers(standby) == [1], "the standby does not follow")
        standby.pause()
        write(primary, 2)
        primary.kill()
        standby.resume()
        standby.promote()
        # What had reached its socket counts; what it answered for does not.
        assert numbers(standby) in ([1], [1, 2]), numbers(standby)


@fault_test()
def a_cold_copy_that_is_put_back_has_the_same_identity_and_older_rows():
    with PostgresServer(durable=True) as server:
        write(server, 1)
        for how in ("fast", "immediate"):
            before = server.identity()
            held = numbers(server)
            copy = server.cold_copy(how)
            write(server, 2)
            server.put_back(copy)
            after = server.identity()
            assert (after.system, after.timeline) == (before.system, before.timeline), (before, after)
            assert after.started > before.started and numbers(server) == held, (before, after)


@fault_test()
def a_restored_base_backup_is_on_a_new_timeline():
    with PostgresServer(durable=True) as server:
        write(server, 1)
        before = server.identity()
        backup = server.base_backup()
        write(server, 2)
        for knows_timelines, timeline in ((True, 2), (True, 3), (False, 2)):
            server.restore(backup, knows_timelines=knows_timelines)
            after = server.identity()
            assert (after.system, after.timeline) == (before.system, timeline), (before, after)
            assert server.is_primary and numbers(server) == [1]
            write(server, 3)


@fault_test()
def terminated_clients_are_told_so_and_who_writes_is_found():
    with PostgresServer(durable=True) as server:
        write(server, 1)
        reader = a_client(server, "SELECT pg_sleep(20)")
        awaits(lambda: "pg_sleep" in server.sql("SELECT string_agg(query, ' ') FROM pg_stat_activity"), "no client came")
        assert not server.terminate_a_writer(0.2)
        assert server.terminate_backends("query LIKE 'SELECT pg_sleep%'") == 1
        assert "terminating connection" in reader.communicate(timeout=10)[1]
        writer = a_client(server, "BEGIN; INSERT INTO t VALUES (2); SELECT pg_sleep(20); COMMIT")
        assert server.terminate_a_writer(5)
        assert "terminating connection" in writer.communicate(timeout=10)[1] and numbers(server) == [1]


@fault_test()
def a_failure_shows_the_end_of_the_log():
    with PostgresServer() as server:
        try:
            server.sql("SELECT nonsense")
        except AssertionError as fault:
            assert 'column "nonsense" does not exist' in str(fault) and "database system is ready" in str(fault), fault
        else:
            raise AssertionError("nonsense is a column")
        assert os.path.isdir(server.data)
