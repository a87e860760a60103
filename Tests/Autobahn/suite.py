"""Autobahn's fuzzing client, wherever this machine has it.

It is a program for Python 2.7, and exists as a container image, too:

1. Python 2.7 (`python2.7`, or one of pyenv's) and pip: `autobahntestsuite` is installed once into .build/autobahn.
2. docker or podman: the image crossbario/autobahn-testsuite.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / ".build" / "autobahn"
IMAGE = "docker.io/crossbario/autobahn-testsuite"


class NotHere(Exception):
    """This machine can't run the suite; the text says what would help."""


def command(folder):
    """The command that runs the suite on folder/spec.json, and its environment."""
    if python := python2():
        install(python)
        environment = {**os.environ, "PYTHONPATH": str(LIBRARY)}
        return [python, "-m", "autobahntestsuite.wstest", "-m", "fuzzingclient", "-s", folder / "spec.json"], environment
    for engine in ("docker", "podman"):
        if shutil.which(engine) and subprocess.run([engine, "info"], capture_output=True).returncode == 0:
            mount = ["-v", f"{folder}:{folder}", "--network", "host", "--rm"]
            return [engine, "run", *mount, IMAGE, "wstest", "-m", "fuzzingclient", "-s", folder / "spec.json"], None
    raise NotHere(
        "Autobahn's suite needs Python 2.7 or a container engine, and neither was found. Install python2.7 (Debian 11, "
        "or `pyenv install 2.7.18`), or docker or podman."
    )


def python2():
    """A Python 2.7 that works; pyenv keeps some that are on nobody's path."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found = [shutil.which("python2.7"), *sorted(pyenv.glob("versions/2.7*/bin/python2.7"), reverse=True)]
    for python in filter(None, found):
        if subprocess.run([python, "-m", "pip", "--version"], capture_output=True).returncode == 0:
            return str(python)
    return None


def install(python):
    """Into a folder of its own: nothing else needs what a program of ten years ago needs."""
    if (LIBRARY / "autobahntestsuite").is_dir():
        return
    print(f"Installing autobahntestsuite into {LIBRARY}", file=sys.stderr)
    wanted = [python, "-m", "pip", "install", "--quiet", "--target", LIBRARY, "autobahntestsuite"]
    subprocess.run([*wanted, "--disable-pip-version-check"], check=True)
    # A package of a namespace, which pip makes whole only in Python's own folder.
    (LIBRARY / "zope" / "__init__.py").touch()
