"""A PostgreSQL server of its own for a test: made in a temporary folder, on a free port of loopback, as an ordinary user.

PostgreSQL does not run as root. Where the tests do, it runs as `postgres`, whom Debian's package has made.
"""

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

def programs():
    """Where initdb and postgres are; Debian keeps them off the path. None: nowhere."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name))
    if folders:
        return folders[-1]
    found = shutil.which("initdb")
    return found and Path(found).parent


PROGRAMS = programs()
PASSWORD = "open sesame"  # noqa: S105 (of a server that lives for a test)


class PostgresServer:
    """Use it with `with`; a database `lists`, and a user `app` with a password."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="refreshable-postgres-"))
        self.data = self.folder / "data"
        self.port = free_port()
        self.process = None

    def __enter__(self):
        user = ordinary_user()
        if user:
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            (self.folder).chmod(0o755)
        (self.folder / "password").write_text(PASSWORD)
        (self.folder / "password").chmod(0o644)
        self.program(
            "initdb", "--pgdata", self.data, "--username", "app", "--pwfile", self.folder / "password",
            "--auth-local", "trust", "--auth-host", "scram-sha-256", "--encoding", "UTF8", "--no-sync", "--no-locale",
        )  # fmt: skip
        self.start()
        self.sql("CREATE DATABASE lists", database="postgres")
        return self

    def __exit__(self, *_):
        with contextlib.suppress(Exception):
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    # MARK: Its life

    def start(self):
        # Loopback for clients, a socket in its folder for whoever asks without a password.
        self.log = open(self.folder / "log", "ab")  # noqa: SIM115 (closed with the process)
        self.process = subprocess.Popen(
            [PROGRAMS / "postgres", "-D", self.data, "-p", str(self.port), "-k", self.folder,
             "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"],
            stdout=self.log, stderr=self.log, **as_ordinary_user(),
        )  # fmt: skip
        deadline = time.monotonic() + 20
        while subprocess.run(
            [PROGRAMS / "pg_isready", "-q", "-h", self.folder, "-p", str(self.port)], check=False
        ).returncode:
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise AssertionError(f"PostgreSQL did not start:\n{(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.05)

    def stop(self, how="fast"):
        """`fast` ends connections, `immediate` all of it, as a crash does."""
        if self.process.poll() is None:
            self.process.send_signal({"fast": signal.SIGINT, "immediate": signal.SIGQUIT}[how])
        self.process.wait(20)
        self.log.close()

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

    def sql(self, text, database="lists"):
        """What psql prints for statements, by the socket: a line for each row."""
        done = subprocess.run(
            [PROGRAMS / "psql", "-h", self.folder, "-p", str(self.port), "-U", "app", "-d", database, "-Atq",
             "-v", "ON_ERROR_STOP=1", "-c", text],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, f"{text}: {done.stderr}"
        return done.stdout.strip()

    def program(self, name, *arguments):
        done = subprocess.run(
            [PROGRAMS / name, *map(str, arguments)], capture_output=True, text=True, check=False, **as_ordinary_user()
        )
        assert done.returncode == 0, f"{name} ended with {done.returncode}:\n{done.stdout}{done.stderr}"


def ordinary_user():
    """Whom the server runs as; None: as whoever runs the test."""
    return pwd.getpwnam("postgres") if os.geteuid() == 0 else None


def as_ordinary_user():
    user = ordinary_user()
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": [], "cwd": "/"} if user else {}


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]
