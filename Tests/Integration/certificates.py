"""Certificates for tests, made by `openssl` when they are wanted: an authority, one between, and a server's own."""

import subprocess

SUBJECT = {"root": "/CN=Test authority", "between": "/CN=Test authority between"}


def openssl(folder, *arguments):
    """Runs openssl in a folder."""
    done = subprocess.run(["openssl", *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"openssl {' '.join(arguments)}:\n{done.stderr}"


class Authority:
    """A folder with `root.pem`, which people trust, and a certificate between it and servers."""

    def __init__(self, folder):
        self.folder = folder
        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc"]
        openssl(
            folder, "req", "-x509", *key, "-keyout", "root.key", "-out", "root.pem", "-days", "2",
            "-subj", SUBJECT["root"], "-addext", "basicConstraints=critical,CA:TRUE",
        )  # fmt: skip
        openssl(folder, "req", *key, "-keyout", "between.key", "-out", "between.csr", "-subj", SUBJECT["between"])
        (folder / "between.cnf").write_text("basicConstraints=critical,CA:TRUE\nkeyUsage=keyCertSign\n")
        openssl(
            folder, "x509", "-req", "-in", "between.csr", "-CA", "root.pem", "-CAkey", "root.key", "-CAcreateserial",
            "-out", "between.pem", "-days", "2", "-extfile", "between.cnf",
        )  # fmt: skip

    @property
    def trusted(self):
        return str(self.folder / "root.pem")

    def issue(self, name="server", hosts="DNS:localhost,IP:127.0.0.1,DNS:lists.test", kind="ec", days=2):
        """Makes NAME.pem, a chain with the certificate between, and NAME.key, at once in place of older ones."""
        key = ["rsa:2048"] if kind == "rsa" else ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
        openssl(
            self.folder, "req", "-newkey", *key, "-noenc", "-keyout", "new.key", "-out", "new.csr", "-subj", "/CN=test"
        )
        (self.folder / "new.cnf").write_text(f"subjectAltName={hosts}\n")
        validity = ["-days", str(days)]
        if days < 0:
            validity = ["-not_before", "20200101000000Z", "-not_after", "20200201000000Z"]
        self.sign(validity)
        chain = (self.folder / "new.crt").read_text() + (self.folder / "between.pem").read_text()
        (self.folder / "new.pem").write_text(chain)
        for end in ("key", "pem"):
            (self.folder / f"new.{end}").rename(self.folder / f"{name}.{end}")
        return self.folder / f"{name}.pem", self.folder / f"{name}.key"

    def sign(self, validity):
        """Signs new.csr: by `openssl ca` where the dates are past, which `openssl x509` of OpenSSL 3.0 can't set."""
        if validity[0] == "-days":
            openssl(
                self.folder, "x509", "-req", "-in", "new.csr", "-CA", "between.pem", "-CAkey", "between.key",
                "-CAcreateserial", "-out", "new.crt", *validity, "-extfile", "new.cnf",
            )  # fmt: skip
            return
        (self.folder / "index.txt").write_text("")
        (self.folder / "ca.cnf").write_text(
            "[ca]\ndefault_ca=us\n[us]\ndatabase=index.txt\nnew_certs_dir=.\nrand_serial=yes\npolicy=any\n"
            "default_md=sha256\nunique_subject=no\n[any]\ncommonName=supplied\n"
        )
        openssl(
            self.folder, "ca", "-batch", "-notext", "-config", "ca.cnf", "-in", "new.csr", "-cert", "between.pem",
            "-keyfile", "between.key", "-out", "new.crt", "-extfile", "new.cnf",
            "-startdate", validity[1], "-enddate", validity[3],
        )  # fmt: skip
