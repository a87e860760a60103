#!/usr/bin/env python3
"""Compiles programs that people may write: those of `right` as they are meant, those of `wrong` with an error that helps.

    python Tests/Compiling/run.py MODULES [WORD ...]    MODULES: where the build has put its modules

The first line of a wrong program is what the compiler has to say: `// error: TEXT`. That of a right one may be flags for
the compiler: `// flags: FLAG ...`. One more right program is made here:
it imports what people import beside us, and names everything that we document. `neighbours` lists the types of modules
that are not built here; a module that declares them takes their place.
"""

import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from typecheck import ROOT, typecheck

HERE = Path(__file__).resolve().parent
ERROR = "// error: "
FLAGS = "// flags: "
OVERVIEW = ROOT / "Sources/RefreshableLists/RefreshableLists.docc/RefreshableLists.md"
OURS = ["RefreshableLists", "RefreshableListsTesting"]
BUILT_BESIDE = ["Foundation", "FoundationNetworking", "GRDB", "Logging", "Metrics", "ServiceLifecycle"]


def fault(program, command):
    """What is not as it should be; nothing where all is."""
    first = program.read_text().partition("\n")[0]
    flags = first.removeprefix(FLAGS).split() if first.startswith(FLAGS) else []
    said = subprocess.run([*command, *flags, str(program)], capture_output=True, text=True)
    errors = [line for line in said.stderr.splitlines() if ": error: " in line]
    if program.parent.name == "right":
        return "\n".join(errors)
    wanted = first.removeprefix(ERROR)
    if not errors:
        return f"It compiles, and should be an error: {wanted}"
    return "" if any(wanted in line for line in errors) else "\n".join([f"expected: {wanted}", *errors])


def write_neighbours(folder):
    """Builds a module for each neighbour, of types that have its names. Returns the names of the modules."""
    for listed in sorted((HERE / "neighbours").glob("*.txt")):
        names = listed.read_text().partition("\n\n")[2].split()
        source = folder / f"{listed.stem}.swift"
        source.write_text("".join(f"public struct {name} {{}}\n" for name in names))
        subprocess.run(
            ["swiftc", "-emit-module", "-parse-as-library", "-module-name", listed.stem, source.name],
            cwd=folder, check=True,
        )  # fmt: skip
        yield listed.stem


def write_crowd(folder):
    """The program that imports all of them, and names everything that we document."""
    modules = [*BUILT_BESIDE, *write_neighbours(folder), *OURS]
    names = re.findall(r"^- ``([\w/]+)``$", OVERVIEW.read_text(), re.MULTILINE)
    uses = [f"typealias Use{number} = {name.replace('/', '.')}" for number, name in enumerate(names)]
    crowd = folder / "right" / "every-name-beside-other-modules.swift"
    crowd.parent.mkdir()
    crowd.write_text("\n".join([*(f"import {module}" for module in modules), *uses]) + "\n")
    return crowd


def main(modules, *words):
    with tempfile.TemporaryDirectory() as folder:
        return check([*sorted(HERE.glob("*/*.swift")), write_crowd(Path(folder))], [*typecheck(modules), "-I", folder], words)


def check(programs, command, words):
    programs = [file for file in programs if not words or any(word in file.stem for word in words)]
    with ThreadPoolExecutor(2) as workers:
        faults = list(workers.map(lambda program: fault(program, command), programs))
    for program, found in zip(programs, faults):
        print(f"{'✘' if found else '✔'} {program.parent.name}: {program.stem.replace('-', ' ')}", *filter(None, [found]), sep="\n    ")
    failed = sum(map(bool, faults))
    print(f"{len(faults) - failed} passed, {failed} failed")
    return 1 if failed or not faults else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
