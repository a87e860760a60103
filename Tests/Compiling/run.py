#!/usr/bin/env python3
"""Compiles programs that people may write: those of `right` as they are meant, those of `wrong` with an error that helps.

    python Tests/Compiling/run.py MODULES [WORD ...]    MODULES: where the build has put its modules

The first line of a wrong program is what the compiler has to say: `// error: TEXT`.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from typecheck import typecheck

HERE = Path(__file__).resolve().parent
ERROR = "// error: "


def fault(program, command):
    """What is not as it should be; nothing where all is."""
    said = subprocess.run([*command, str(program)], capture_output=True, text=True)
    errors = [line for line in said.stderr.splitlines() if ": error: " in line]
    if program.parent.name == "right":
        return "\n".join(errors)
    wanted = program.read_text().partition("\n")[0].removeprefix(ERROR)
    if not errors:
        return f"It compiles, and should be an error: {wanted}"
    return "" if any(wanted in line for line in errors) else "\n".join([f"expected: {wanted}", *errors])


def main(modules, *words):
    programs = [file for file in sorted(HERE.glob("*/*.swift")) if not words or any(word in file.stem for word in words)]
    command = typecheck(modules)
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
