"""The processes of a PostgreSQL server: where its programs are, whom they run as, and signals to all of them at once.

PostgreSQL does not run as root. Where the tests do, it runs as `postgres`, whom Debian's package has made.
"""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
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


def ordinary_user():
    """Whom the server runs as; None: as whoever runs the test."""
    return pwd.getpwnam("postgres") if os.geteuid() == 0 else None


def as_ordinary_user():
    user = ordinary_user()
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": [], "cwd": "/"} if user else {}


def run_program(name, *arguments):
    """Runs a program of PostgreSQL, or another one, on its files. It must succeed."""
    path = PROGRAMS / name if (PROGRAMS / name).exists() else name
    done = subprocess.run(
        [path, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=60, **as_ordinary_user()
    )
    assert done.returncode == 0, f"{name} ended with {done.returncode}:\n{done.stdout}{done.stderr}"


# MARK: All processes of a server


def children(parent):
    """The process ids of a postmaster's children: each connection has one, and so have the writers. Needs /proc."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            # The name in brackets may have spaces.
            state, of, *_ = status.read_text().rpartition(")")[2].split()
            if int(of) == parent and state != "Z":
                found.append(int(status.parent.name))
    return found


def send(signal_, processes):
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal_)


def stop(processes):
    """SIGSTOP, and all of them stand still: one that is on another processor goes on for a moment."""
    send(signal.SIGSTOP, processes)
    deadline = time.monotonic() + 10
    while any(state(process) not in ("T", "Z", None) for process in processes):
        assert time.monotonic() < deadline, f"processes go on after SIGSTOP: {processes}"
        time.sleep(0.001)


def stop_all(postmaster):
    """Stops all. The postmaster first, so that it begins no others meanwhile. Gives all, the postmaster first."""
    stop([postmaster])
    stopped = children(postmaster)
    stop(stopped)
    return [postmaster, *stopped]


def continue_all(postmaster):
    """SIGCONT to all, the postmaster last."""
    send(signal.SIGCONT, [*children(postmaster), postmaster])


def kill_all(process):
    """kill -9 of the postmaster, a Popen, and of all its children, none of whom does another thing in between."""
    if process.poll() is not None:
        return
    _, *others = stop_all(process.pid)
    send(signal.SIGKILL, [process.pid, *others])
    process.wait(10)
    deadline = time.monotonic() + 10
    while any(lives(other) for other in others):
        assert time.monotonic() < deadline, f"processes of PostgreSQL outlive kill -9: {others}"
        time.sleep(0.01)


def state(process):
    """The letter that /proc has for it: T stopped, Z ended, and nobody has asked for its status. None: it is not there."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return None


def lives(process):
    return state(process) not in ("Z", None)


def remove_shared_memory(data):
    """What a killed postmaster leaves in the system (`man ipcrm`). The next start would; here the folder is to go first."""
    try:
        segment = (data / "postmaster.pid").read_text().splitlines()[6].split()[1]
    except (OSError, IndexError):
        return
    subprocess.run(["ipcrm", "-m", segment], capture_output=True, check=False)
