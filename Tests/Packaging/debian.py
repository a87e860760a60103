#!/usr/bin/env python3
"""Installs the Debian package in a clean Debian 12, starts its service, upgrades it, removes it and purges it.

    Tests/Packaging/debian.py                   of a release build, which it makes first
    Tests/Packaging/debian.py --binary FILE     of one that `swift build --static-swift-stdlib` has built

It needs root, debootstrap and strace, and uses lintian and systemd-analyze where they are. The first run unpacks a Debian into
.build/debian, which takes some minutes; others copy that.
"""

import argparse
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import check, run_checks
from chroot import PRIVATE, STATE, USER, Chroot, Unit, started

ROOT = Path(__file__).resolve().parents[2]
WORK = Path(tempfile.mkdtemp(prefix="refreshable-packages-"))
CONFFILE = "etc/refreshable/lists.yaml"
UNIT = ROOT / "Packaging/Debian/refreshable.service"
LINK = "etc/systemd/system/multi-user.target.wants/refreshable.service"
# What systemd-analyze security says of the unit, from 0 to 10, at most.
EXPOSURE = 2.0
LATER = "999.0.0"

arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
arguments.add_argument("--binary", type=Path)
binary = arguments.parse_args().binary


def run(*command, **options):
    """What a command of this machine prints; it must end well."""
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    assert done.returncode == 0, f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def package(folder, **environment):
    """Makes a package of the binary; gives its file."""
    run(ROOT / "Scripts/package", "--binary", binary, "--output", WORK / folder, env={**os.environ, **environment})
    [file] = (WORK / folder).glob(f"refreshable_{version()}_*.deb")
    return file


def version():
    return run(ROOT / "Scripts/version").strip()


def later(package):
    """The package as a later version, of the same binary, with other settings in it."""
    tree, file = WORK / "tree", WORK / f"refreshable_{LATER}.deb"
    run("dpkg-deb", "--raw-extract", package, tree)
    with (tree / CONFFILE).open("a") as settings:
        settings.write("# Something that a later version adds.\n")
    control = tree / "DEBIAN/control"
    control.write_text(re.sub("^Version: .*$", f"Version: {LATER}", control.read_text(), flags=re.MULTILINE))
    run("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", tree, file)
    return file


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def served(**options):
    return started(chroot, Unit(chroot / "lib/systemd/system/refreshable.service"), free_port(), **options)


def titles(service, name):
    return [row["fields"]["title"] for row in json.loads(service.ask(f"/lists/{name}"))["rows"]]


def push(service, key, title):
    rows = {"set": [{"key": key, "fields": {"title": title}}]}
    service.ask("/lists/notes", "PATCH", json.dumps(rows).encode())


@check
def packages_of_one_binary_are_the_same_bytes():
    global first, second
    first = package("first")
    again = package("again", TZ="Asia/Tokyo", LC_ALL="C.UTF-8")
    assert first.read_bytes() == again.read_bytes()
    second = later(first)
    print(f"    {first.name}: {first.stat().st_size >> 10} KiB")


@check
def lintian_has_nothing_to_say():
    if not shutil.which("lintian"):
        return print("    lintian is not installed here: skipped")
    told = run("lintian", "--allow-root", "--fail-on", "error,warning", first)
    assert not re.search(r"^[EW]: ", told, re.MULTILINE), told


@check
def systemd_accepts_the_unit_and_finds_it_confined():
    if not shutil.which("systemd-analyze"):
        return print("    systemd-analyze is not installed here: skipped")
    told = run("systemd-analyze", "security", "--offline=yes", "--no-pager", UNIT)
    exposure = float(re.search(r"Overall exposure level.*: ([\d.]+)", told)[1])
    assert exposure <= EXPOSURE, told
    print(f"    exposure {exposure} of 10")


@check
def apt_installs_it_with_all_that_it_needs_in_a_clean_debian():
    global chroot
    chroot = Chroot(ROOT / ".build/debian")
    chroot.apt("update")
    chroot.install(first)
    assert chroot.run("refreshable", "--version").strip() == version()
    assert "not found" not in chroot.run("ldd", "/usr/bin/refreshable")
    assert "install ok installed" in chroot.run("dpkg-query", "--show", "--showformat=${Status}", "libwebsockets-evlib-uv")
    assert chroot.run("refreshable", "check", f"/{CONFFILE}").startswith(f"/{CONFFILE}: 2 lists, no fault.")
    told = chroot.run("systemd-analyze", "verify", "--man=no", "/lib/systemd/system/refreshable.service")
    assert not told, told


@check
def what_people_read_and_complete_is_well_formed():
    share = chroot / "usr/share"
    files = {"bash": "bash-completion/completions/refreshable", "zsh": "zsh/vendor-completions/_refreshable",
             "fish": "fish/vendor_completions.d/refreshable.fish"}  # fmt: skip
    for shell, file in files.items():
        assert (share / file).stat().st_size > 1000, file
        if shutil.which(shell):
            run(shell, "-n", share / file)
    copyright = (share / "doc/refreshable/copyright").read_text()
    assert "Permission is hereby granted" in copyright and "common-licenses/Apache-2.0" in copyright and "GRDB" in copyright


@check
def it_is_enabled_and_not_started_without_systemd():
    assert (chroot / LINK).is_symlink()
    assert chroot.run("systemctl", "is-enabled", "refreshable").strip() == "enabled"


@check
def its_unit_starts_it_and_it_serves_keeps_and_runs_commands():
    with served() as service:
        assert "refreshable-list.js" in service.ask("/") and "customElements" in service.ask("/refreshable-list.js")
        assert {one["name"] for one in json.loads(service.ask("/lists"))["lists"]} == {"disks", "notes"}
        service.ask("/lists/disks/refresh", "POST")
        assert "/" in titles(service, "disks"), service.said()
        push(service, "tea", "Buy tea")
    state = chroot / PRIVATE
    owners = {file.stat().st_uid for file in state.rglob("*")}
    assert owners == {USER}, owners
    assert not [file for file in state.rglob("*") if file.stat().st_mode & 0o077], "others may read the lists"


@check
def it_and_its_commands_call_nothing_that_the_unit_forbids():
    if not shutil.which("systemd-analyze"):
        return print("    systemd-analyze is not installed here: skipped")
    trace = WORK / "trace"
    with served(trace=trace) as service:
        service.ask("/lists/disks/refresh", "POST")
        assert titles(service, "notes") == ["Buy tea"]
    text = trace.read_text()
    called = set(re.findall(r"^\d+ +(\w+)\(", text[text.index('execve("/usr/bin/refreshable"') :], re.MULTILINE))
    assert len(called) > 40, called
    forbidden = called - allowed(Unit(UNIT)["SystemCallFilter"])
    assert not forbidden, f"the unit forbids {forbidden}"


def allowed(name, seen=None):
    """The system calls of a set of systemd, which may name others."""
    seen = seen if seen is not None else set()
    for line in run("systemd-analyze", "--no-pager", "syscall-filter", name).splitlines()[1:]:
        word = line.strip()
        if word.startswith("@") and word not in seen:
            seen |= {word} | allowed(word, seen)
        elif word and not word.startswith("#"):
            seen.add(word)
    return seen


@check
def an_upgrade_keeps_the_settings_the_lists_and_what_the_administrator_chose():
    with (chroot / CONFFILE).open("a") as settings:
        settings.write("\n# ours\n")
    edited = (chroot / CONFFILE).read_text().replace("  - name: notes\n", "  - name: more\n    push: true\n  - name: notes\n")
    (chroot / CONFFILE).write_text(edited)
    chroot.run("systemctl", "disable", "refreshable")
    chroot.install(second)
    assert LATER in chroot.run("dpkg-query", "--show", "refreshable")
    assert (chroot / CONFFILE).read_text() == edited
    assert "Something that a later version adds." in (chroot / f"{CONFFILE}.dpkg-dist").read_text()
    assert not (chroot / LINK).is_symlink(), "it was enabled again"
    with served() as service:
        assert titles(service, "notes") == ["Buy tea"]
        assert "more" in service.ask("/lists")


@check
def removing_it_keeps_the_settings_and_the_lists():
    edited = (chroot / CONFFILE).read_text()
    chroot.apt("remove", "refreshable")
    assert not (chroot / "usr/bin/refreshable").exists()
    assert (chroot / CONFFILE).read_text() == edited
    assert list((chroot / PRIVATE).iterdir())
    chroot.install(second)
    assert (chroot / CONFFILE).read_text() == edited
    with served() as service:
        assert titles(service, "notes") == ["Buy tea"]


@check
def purging_it_leaves_nothing():
    chroot.apt("purge", "refreshable")
    left = [path for path in (PRIVATE, STATE, "etc/refreshable", LINK, "usr/share/refreshable") if os.path.lexists(chroot / path)]
    assert not left, left
    helpers = [str(file) for file in (chroot / "var/lib/systemd").rglob("*refreshable*")]
    assert not helpers, helpers


def built():
    """The binary of a release build."""
    build = ["swift", "build", "-c", "release", "--static-swift-stdlib"]
    subprocess.run([*build, "--product", "refreshable"], cwd=ROOT, check=True)
    return Path(run(*build, "--show-bin-path", cwd=ROOT).strip().splitlines()[-1]) / "refreshable"


if __name__ == "__main__":
    if os.geteuid() != 0:
        sys.exit("debian: a Debian of its own needs root. Run it by sudo, or in a container.")
    for tool in ("debootstrap", "strace", "dpkg-shlibdeps"):
        if not shutil.which(tool):
            sys.exit(f"debian: {tool} was not found. On Debian and Ubuntu: apt-get install debootstrap strace dpkg-dev")
    binary = (binary or built()).resolve()
    chroot = None
    status = run_checks()
    if chroot:
        chroot.remove()
    shutil.rmtree(WORK)
    sys.exit(status)
