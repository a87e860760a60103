#!/usr/bin/env python3
"""Cuts releases by Scripts/version in a copy of the files that say a version.

    Tests/Packaging/version.py
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from checks import check, run_checks

ROOT = Path(__file__).resolve().parents[2]
WORK = Path(tempfile.mkdtemp(prefix="refreshable-version-"))
FILES = [
    "Scripts/version", "Sources/RefreshableCommand/Commands/RefreshableTool.swift", "Public/package.json", "README.md", "CHANGELOG.md",
]  # fmt: skip
CHANGELOG = "# Changelog\n\n## [Unreleased]\n{unreleased}"
BREAKS = WORK / "Tests/API/breakages.txt"


def version(*words):
    """Whether Scripts/version ends well in the copy, and what it says."""
    done = subprocess.run([WORK / "Scripts/version", *words], capture_output=True, text=True)
    return done.returncode == 0, (done.stdout + done.stderr).strip()


def put(file, old, new):
    text = (WORK / file).read_text()
    assert old in text, f"{file} has no {old}"
    (WORK / file).write_text(text.replace(old, new))


@check
def the_files_of_today_say_one_version():
    for file in FILES:
        (WORK / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, WORK / file)
    went_well, told = version("--check")
    assert went_well and version() == (True, told), told


@check
def a_release_is_written_everywhere_and_takes_what_is_unreleased():
    (WORK / "CHANGELOG.md").write_text(CHANGELOG.format(unreleased="\n### Added\n- Something.\n"))
    assert version("7.1.0") == (True, "7.1.0")
    for file in FILES[1:]:
        assert "7.1.0" in (WORK / file).read_text(), file
    assert version("--check") == (True, "7.1.0")
    lines = (WORK / "CHANGELOG.md").read_text().splitlines()
    assert lines[2] == "## [Unreleased]" and lines[4].startswith("## [7.1.0] - 20") and lines[6:] == ["### Added", "- Something."], lines


@check
def a_place_that_says_another_version_is_told():
    for file in FILES[2:]:
        put(file, "7.1.0", "7.0.9")
        went_well, told = version("--check")
        assert not went_well and file in told and "7.0.9" in told, told
        put(file, "7.0.9", "7.1.0")
    put("CHANGELOG.md", "## [Unreleased]\n", "")
    assert not version("--check")[0]
    put("CHANGELOG.md", "# Changelog\n", "# Changelog\n\n## [Unreleased]\n")


@check
def a_release_without_changes_and_one_that_is_no_version_are_refused():
    assert version("7.2.0") == (False, "version: nothing is below [Unreleased] in CHANGELOG.md. Say what changed.")
    put("CHANGELOG.md", "## [Unreleased]\n", "## [Unreleased]\n\n- More.\n")
    for word in ("7.2", "v7.2.0", "seven"):
        assert "is no version such as" in version(word)[1], word
    assert version("7.1.0") == (False, "version: CHANGELOG.md has 7.1.0 already.")


@check
def a_release_that_breaks_the_api_is_not_a_small_one():
    BREAKS.parent.mkdir(parents=True)
    BREAKS.write_text("API breakage: func RefreshableList.title() has been removed\n")
    for small in ("7.1.1", "7.2.0"):
        assert "is too little" in version(small)[1], small
    assert version("8.0.0") == (True, "8.0.0")


@check
def before_1_0_0_a_minor_version_may_break():
    for file in FILES[1:4]:
        put(file, "8.0.0", "0.3.0")
    put("CHANGELOG.md", "## [Unreleased]\n", "## [Unreleased]\n\n- More.\n")
    assert "is too little" in version("0.3.1")[1]
    assert version("0.4.0") == (True, "0.4.0")


if __name__ == "__main__":
    status = run_checks()
    shutil.rmtree(WORK)
    sys.exit(status)
