"""A clean Debian 12 in a folder, and a service started in it as its unit says."""

import contextlib
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

RELEASE = "bookworm"
# What systemd would choose for a dynamic user is between 61184 and 65519.
USER = 61184
# Where the state is, and where a dynamic user finds it.
PRIVATE, STATE = "var/lib/private/refreshable", "var/lib/refreshable"


def mirror():
    """Where this machine's own packages of Debian come from."""
    told = subprocess.run(["apt-get", "indextargets", "--format", "$(SITE)", f"Codename: {RELEASE}"], capture_output=True, text=True)
    return (told.stdout.split() or ["http://deb.debian.org/debian"])[0]


class Chroot:
    """A folder with a Debian of its own, a copy of one that was made once."""

    def __init__(self, cache):
        if not (cache / "complete").exists():
            shutil.rmtree(cache, ignore_errors=True)
            command = ["debootstrap", "--variant=minbase", "--include=systemd,ca-certificates", RELEASE, cache / "root", mirror()]
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
            if done.returncode != 0:
                raise SystemExit(f"debian: debootstrap failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
            (cache / "complete").touch()
        self.root = Path(tempfile.mkdtemp(prefix="refreshable-debian-"))
        subprocess.run(["cp", "--archive", "--reflink=auto", f"{cache / 'root'}/.", self.root], check=True)
        for name in ("resolv.conf", "hosts"):
            shutil.copy(f"/etc/{name}", self.root / "etc" / name)
        subprocess.run(["mount", "-t", "proc", "proc", self.root / "proc"], check=True)

    def remove(self):
        subprocess.run(["umount", self.root / "proc"], check=True)
        shutil.rmtree(self.root)

    def __truediv__(self, path):
        return self.root / path

    def run(self, *command, fails=False):
        """What a command in it prints; unless `fails` it must end well."""
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(
            ["chroot", self.root, *command], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        assert (done.returncode != 0) == fails, f"{shlex.join(command)} ended with {done.returncode}:\n{done.stdout}"
        return done.stdout

    def apt(self, *words):
        return self.run("apt-get", "--yes", "--no-install-recommends", "--option", "Dpkg::Options::=--force-confold", *words)

    def install(self, package):
        """Installs a file by apt, which brings what it depends on."""
        shutil.copy(package, self.root / "root")
        return self.apt("install", f"/root/{package.name}")


class Unit:
    """The lines of a unit, by key, in their order."""

    def __init__(self, file):
        lines = [line for line in file.read_text().splitlines() if re.match(r"\w+=", line)]
        self.values = {}
        for key, _, value in (line.partition("=") for line in lines):
            self.values.setdefault(key, []).append(value)

    def __getitem__(self, key):
        return self.values[key][-1]


@contextlib.contextmanager
def started(chroot, unit, port, trace=None):
    """The service, started by its ExecStart line as systemd would: as a user without a name or rights, on a file system that
    can't be written but for its state and /tmp, with the variables of the unit and of its file. Gives a Service; then it is
    stopped by SIGTERM and must end well."""
    state = chroot / PRIVATE
    state.parent.mkdir(mode=0o700, exist_ok=True)
    state.mkdir(mode=int(unit["StateDirectoryMode"], 8), exist_ok=True)
    os.chown(state, USER, USER)
    link = chroot / STATE
    link.is_symlink() or link.symlink_to("private/refreshable")
    (chroot / "etc/default/refreshable").write_text(f"REFRESHABLE_PORT={port}\n")
    variables = [*unit.values["Environment"], *(chroot / "etc/default/refreshable").read_text().split()]
    privileges = [
        "setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all",
    ]  # fmt: skip
    tracer = ["strace", "-f", "-qq", "-o", str(trace)] if trace else []
    command = [*tracer, "chroot", chroot.root, *privileges, "env", "-i", "PATH=/usr/bin:/bin", *variables, *shlex.split(unit["ExecStart"])]
    # The state stays where it is while a folder is laid over the one that only root may enter.
    prepare = f"""
        set -e
        cd {shlex.quote(str(chroot.root))}
        mount --bind . . && cd "$PWD"
        mkdir -p /run/refreshable-state && mount --bind {PRIVATE} /run/refreshable-state
        mount -o remount,bind,ro . && mount -t tmpfs -o mode=1777 tmpfs tmp
        mount -t tmpfs -o mode=755 tmpfs var/lib/private && mkdir {PRIVATE} && mount --bind /run/refreshable-state {PRIVATE}
        mount -t proc proc proc
        umask {unit["UMask"]}
        exec {shlex.join(map(str, command))}
    """
    log = tempfile.TemporaryFile()
    process = subprocess.Popen(["unshare", "--mount", "--propagation", "private", "sh", "-c", prepare], stdout=log, stderr=log)
    service = Service(process, port, log)
    try:
        service.wait_until_ready()
        yield service
    finally:
        service.stop()


class Service:
    """What is asked of a server that runs."""

    def __init__(self, process, port, log):
        self.process, self.port, self.log = process, port, log

    def said(self):
        self.log.seek(0)
        return self.log.read().decode()

    def wait_until_ready(self):
        deadline = time.monotonic() + 30
        while True:
            assert self.process.poll() is None, f"It ended with {self.process.returncode}:\n{self.said()}"
            try:
                return self.ask("/readyz")
            except (urllib.error.URLError, ConnectionError):
                assert time.monotonic() < deadline, f"It does not listen:\n{self.said()}"
                time.sleep(0.1)

    def ask(self, path, method="GET", body=None):
        headers = {"Content-Type": "application/json"} if body else {}
        request = urllib.request.Request(f"http://localhost:{self.port}{path}", body, headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read().decode()

    def pid(self):
        """The server itself: strace, where it is traced, is its parent."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        name = Path(f"/proc/{self.process.pid}/comm").read_text().strip()
        return int(children[0]) if name == "strace" else self.process.pid

    def stop(self):
        if self.process.poll() is None:
            os.kill(self.pid(), 15)
        assert self.process.wait(30) == 0, f"It ended with {self.process.returncode}:\n{self.said()}"
