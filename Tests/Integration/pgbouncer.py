"""A PgBouncer of its own for a test, in front of a PostgreSQL server of a test.

    with PgBouncer(postgres, "transaction") as pooler:
        url = pooler.url()
"""

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from postgres_processes import PROGRAMS, as_ordinary_user, ordinary_user
from ports import free_port
from postgres_server import PASSWORD

UNPACKED = Path(__file__).resolve().parents[2] / ".build/unpacked/pgbouncer/usr"


def program():
    """Where it is: as the machine has it, or as Scripts/setup has unpacked it. None: nowhere."""
    return shutil.which("pgbouncer", path=os.pathsep.join([os.environ["PATH"], "/usr/sbin", str(UNPACKED / "sbin")]))


class PgBouncer:
    """Pools connections of the user `app` to the database `lists`.

    `mode` is `session` or `transaction`: whether a client keeps its connection to the server until it leaves, or only until its
    transaction ends.
    """

    def __init__(self, postgres, mode, port=None):
        self.postgres, self.mode, self.port = postgres, mode, port or free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="refreshable-pgbouncer-"))
        self.process = None

    def __enter__(self):
        try:
            self.write_settings()
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(5)
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def write_settings(self):
        """As its documentation has them; what is left out is as it is by default."""
        (self.folder / "users.txt").write_text(f'"app" "{PASSWORD}"\n')
        (self.folder / "pgbouncer.ini").write_text(
            f"[databases]\nlists = host=127.0.0.1 port={self.postgres.port} dbname=lists\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {self.port}\nunix_socket_dir =\npool_mode = {self.mode}\n"
            f"auth_type = scram-sha-256\nauth_file = {self.folder}/users.txt\n"
        )
        # It does not run as root either.
        if user := ordinary_user():
            for path in (self.folder, *self.folder.iterdir()):
                os.chown(path, user.pw_uid, user.pw_gid)

    def start(self):
        environment = {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(map(str, (UNPACKED / "lib").glob("*-linux-*")))}
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [program(), self.folder / "pgbouncer.ini"], stdout=log, stderr=log, env=environment, **as_ordinary_user()
            )
        deadline = time.monotonic() + 10
        while not self.is_listening:
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise AssertionError(f"PgBouncer did not start\n{self.log}")
            time.sleep(0.02)

    @property
    def is_listening(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def log(self):
        return (self.folder / "log").read_text(errors="replace")

    def sql(self, text):
        """What psql prints for a statement through it."""
        asked = [PROGRAMS / "psql", self.url(), "-Atq", "-X", "-c", text]
        done = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=30)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def url(self):
        return self.postgres.url().replace(f":{self.postgres.port}/", f":{self.port}/")
