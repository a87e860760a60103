"""A PostgreSQL server that speaks TLS, with certificates of a test's own authority."""

import os
import shutil
import time

from certificates import Authority, openssl
from harness import Folder
from postgres_processes import ordinary_user

HOST = "database.test"


class EncryptedDatabase:
    """Turns TLS on for a server of a test, which is known by the name `database.test`; use it with `with`.

    `root` is the authority's certificate, `client()` one for the user `app`.
    """

    def __init__(self, postgres):
        self.postgres = postgres
        self.folder = Folder()
        self.authority = Authority(self.folder.path)
        self.root = self.folder / "root.pem"

    def __enter__(self):
        chain, key = self.authority.issue("database", hosts=f"DNS:{HOST}")
        for name, file in {"server.crt": chain, "server.key": key, "root.crt": self.root}.items():
            self.put(name, file)
        self.set(ssl="on", ssl_ca_file="root.crt")
        return self

    def __exit__(self, *_):
        self.folder.remove()

    def put(self, name, file):
        """Into the data folder, for the server's user alone."""
        place = self.postgres.data / name
        shutil.copy(file, place)
        place.chmod(0o600)
        if user := ordinary_user():
            os.chown(place, user.pw_uid, user.pw_gid)

    def set(self, **settings):
        for name, value in settings.items():
            self.postgres.sql(f"ALTER SYSTEM SET {name} = '{value}'", "postgres", "postgres")
        reload(self.postgres)

    def url(self, host=HOST, **parameters):
        """By TLS, which is checked by the authority and the name unless `parameters` say otherwise."""
        parameters = {"sslmode": "verify-full", "sslrootcert": self.root, **parameters}
        text = "".join(f"&{name}={value}" for name, value in parameters.items())
        return f"{self.postgres.url().replace('127.0.0.1', host)}?hostaddr=127.0.0.1{text}"

    def client(self, user="app"):
        """Where the certificate and the key of a user are."""
        key, certificate = self.folder / f"{user}.key", self.folder / f"{user}.pem"
        openssl(
            self.folder.path, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-keyout", key.name,
            "-out", f"{user}.csr", "-subj", f"/CN={user}",
        )  # fmt: skip
        openssl(
            self.folder.path, "x509", "-req", "-in", f"{user}.csr", "-CA", "root.pem", "-CAkey", "root.key", "-CAcreateserial",
            "-out", certificate.name, "-days", "2",
        )  # fmt: skip
        key.chmod(0o600)
        return certificate, key


def reload(postgres):
    """It reads its settings again. What is asked after that meets them."""
    loaded = "SELECT pg_conf_load_time()"
    before = postgres.sql(loaded)
    postgres.sql("SELECT pg_reload_conf()", "postgres", "postgres")
    deadline = time.monotonic() + 5
    while postgres.sql(loaded) == before:
        assert time.monotonic() < deadline, "PostgreSQL did not read its settings again"
        time.sleep(0.02)


def admit(postgres, *lines):
    """Who is let in, as pg_hba.conf says it; by the socket anybody is."""
    file = postgres.data / "pg_hba.conf"
    file.write_text("\n".join(["local all all trust", *lines]) + "\n")
    reload(postgres)
