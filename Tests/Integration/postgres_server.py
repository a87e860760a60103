"""A PostgreSQL server of its own for a test: made in a temporary folder, on a free port of loopback, as an ordinary user.

    with PostgresServer(durable=True) as primary, PostgresServer(follows=primary) as standby:
        primary.sql("CREATE TABLE t (n int)")
        standby.promote()

What befalls its processes is in postgres_processes.py, what befalls its data folder in postgres_copies.py.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from ports import free_port
from postgres_copies import Copies
from postgres_processes import (
    PROGRAMS,
    as_ordinary_user,
    continue_all,
    kill_all,
    ordinary_user,
    remove_shared_memory,
    run_program,
    stop_all,
)

PASSWORD = "open sesame"  # noqa: S105 (of a server that lives for a test)
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    # As they are by default; what is tested depends on them.
    "wal_level": "replica",
    "hot_standby": "on",
    # A standby that was stopped for a while can go on.
    "wal_keep_size": "256MB",
    # Small, and nothing of it outlives a kill in /dev/shm.
    "shared_buffers": "32MB",
    "dynamic_shared_memory_type": "mmap",
}


@dataclass(frozen=True)
class Identity:
    """Which history of which cluster a server writes, and since when it runs."""

    system: str
    timeline: int
    started: str


class PostgresServer(Copies):
    """Use it with `with`; a database `lists`, and an ordinary user `app` with a password, whose it is.

    `durable` writes as a real one does (fsync), so that a crash of the machine would lose nothing. `follows` is the primary whose
    asynchronous standby it is; it takes that one's settings and users.
    """

    def __init__(self, *, durable=False, follows=None):
        self.folder = Path(tempfile.mkdtemp(prefix="refreshable-postgres-"))
        self.data = self.folder / "data"
        self.port = free_port()
        self.durable, self.primary = follows.durable if follows else durable, follows
        self.process = None
        self.copies = 0

    def __enter__(self):
        try:
            if user := ordinary_user():
                os.chown(self.folder, user.pw_uid, user.pw_gid)
                self.folder.chmod(0o755)
            if self.primary:
                self.follow(self.primary)
            else:
                self.initialise()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        with contextlib.suppress(Exception):
            self.stop("immediate")
        with contextlib.suppress(Exception):
            self.kill()
        remove_shared_memory(self.data)
        shutil.rmtree(self.folder, ignore_errors=True)

    def initialise(self):
        """An empty cluster with one database."""
        run_program(
            "initdb", "--pgdata", self.data, "--username", "postgres", "--auth-local", "trust",
            "--auth-host", "scram-sha-256", "--encoding", "UTF8", "--no-sync", "--no-locale",
        )  # fmt: skip
        self.start()
        self.sql(f"CREATE ROLE app LOGIN PASSWORD '{PASSWORD}'", database="postgres", user="postgres")
        self.sql("CREATE DATABASE lists OWNER app", database="postgres", user="postgres")

    # MARK: Its life

    def start(self):
        """Starts it and waits until it can be asked; after a crash that is when it has recovered."""
        settings = {**SETTINGS, "fsync": "on" if self.durable else "off"}
        # Loopback for clients, a socket in its folder for whoever asks without a password.
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [PROGRAMS / "postgres", "-D", self.data, "-p", str(self.port), "-k", self.folder,
                 *(word for name, value in settings.items() for word in ("-c", f"{name}={value}"))],
                stdout=log, stderr=log, **as_ordinary_user(),
            )  # fmt: skip
        deadline = time.monotonic() + 30
        while subprocess.run(
            [PROGRAMS / "pg_isready", "-q", "-h", self.folder, "-p", str(self.port), "-U", "app"], check=False
        ).returncode:
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise self.fault("PostgreSQL did not start")
            time.sleep(0.05)

    def stop(self, how="fast"):
        """`fast` ends connections and writes all down, `immediate` does nothing more, as a crash."""
        if self.is_running:
            self.resume()
            self.process.send_signal({"fast": signal.SIGINT, "immediate": signal.SIGQUIT}[how])
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                raise self.fault(f"PostgreSQL did not stop ({how})") from None

    def restart(self, how="immediate"):
        self.stop(how)
        self.start()

    def kill(self):
        """kill -9 of all its processes at once."""
        if self.process:
            kill_all(self.process)

    def pause(self):
        """SIGSTOP to all its processes: it answers nobody, and nobody's connection ends."""
        stop_all(self.process.pid)

    def resume(self):
        continue_all(self.process.pid)

    @property
    def is_running(self):
        return self.process is not None and self.process.poll() is None

    # MARK: Asking it

    def url(self, *, user="app", password=PASSWORD, database="lists"):
        secret = f":{password.replace(' ', '%20')}" if password else ""
        return f"postgres://{user}{secret}@127.0.0.1:{self.port}/{database}"

    @property
    def environment(self):
        """By which psql finds it."""
        return {
            "PGHOST": "127.0.0.1", "PGPORT": str(self.port), "PGUSER": "app", "PGPASSWORD": PASSWORD, "PGDATABASE": "lists"
        }  # fmt: skip

    def sql(self, text, database="lists", user="app", within=30):
        """What psql prints for statements, by the socket: a line for each row."""
        command = [
            PROGRAMS / "psql", "-h", self.folder, "-p", str(self.port), "-U", user, "-d", database, "-Atq", "-X",
            "-v", "ON_ERROR_STOP=1", "-c", text,
        ]  # fmt: skip
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=within)
        except subprocess.TimeoutExpired:
            raise self.fault(f"{text}: no answer within {within} s") from None
        if done.returncode:
            raise self.fault(f"{text}: {done.stderr}")
        return done.stdout.strip()

    def identity(self):
        """Of a primary. The timeline is that of what it writes now: the control file still says the old one after a promotion."""
        system, timeline, started = self.sql(
            """SELECT system_identifier, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int,
                pg_postmaster_start_time() FROM pg_control_system()"""
        ).split("|")
        return Identity(system, int(timeline), started)

    @property
    def is_primary(self):
        return self.sql("SELECT pg_is_in_recovery()", user="postgres") == "f"

    def promote(self):
        """A standby becomes a primary of its own, on the next timeline. The one that it followed knows nothing of that."""
        done = self.sql("SELECT pg_promote(true, 20)", database="postgres", user="postgres")
        if done != "t":
            raise self.fault("the standby was not promoted within 20 s")

    def terminate_backends(self, among="true"):
        """Ends connections of clients, those for which a condition on pg_stat_activity holds. Gives how many."""
        return int(self.sql(
            f"""SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND ({among})""",
            database="postgres", user="postgres",
        ))  # fmt: skip

    def terminate_a_writer(self, seconds=1):
        """Ends connections at the moment in which one is about to commit what it wrote; whether any was, in this time."""
        done = self.sql(
            f"""CREATE TEMP TABLE ended (process int);
                DO $$ DECLARE writer int; BEGIN
                    FOR round IN 1..{int(seconds * 1000)} LOOP
                        PERFORM pg_stat_clear_snapshot();
                        FOR writer IN SELECT pid FROM pg_stat_activity WHERE backend_xid IS NOT NULL
                            AND backend_type = 'client backend' AND datname = 'lists' LOOP
                            INSERT INTO ended SELECT writer WHERE pg_terminate_backend(writer);
                        END LOOP;
                        EXIT WHEN EXISTS (SELECT FROM ended);
                        PERFORM pg_sleep(0.001);
                    END LOOP;
                END $$;
                SELECT count(*) FROM ended""",
            database="postgres", user="postgres", within=seconds + 20,
        )  # fmt: skip
        return int(done) > 0

    def fault(self, what):
        """An error that says how its log ends."""
        log = self.folder / "log"
        return AssertionError(f"{what}\n{log.read_text(errors='replace')[-2000:] if log.exists() else 'It has no log.'}")
