"""How a program that imports this package is compiled without being built, and what an import brings along."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The module that is exported again, and the name, if it is only one.
EXPORT = re.compile(
    r"^\s*@_exported public import (?:(?:struct|enum|class|actor|protocol|typealias|func|var|let) )?(\w+)(?:\.(\w+))?", re.MULTILINE
)


def exported(target):
    """{module: names} that a target exports again; None in the place of names: all of the module."""
    modules = {}
    for file in sorted((ROOT / "Sources" / target).rglob("*.swift")):
        for module, name in EXPORT.findall(file.read_text()):
            if not name:
                modules[module] = None
            elif modules.setdefault(module, []) is not None:
                modules[module] = sorted({*modules[module], name})
    return modules


def module_maps():
    """The C modules that ours import; the compiler has to be shown them one by one."""
    folders = [ROOT / "Sources", *(ROOT / ".build/checkouts").glob("*/Sources")]
    for folder in folders:
        for file in sorted(folder.rglob("module.modulemap")):
            # GRDB brings this one along for those who build SQLite with encryption.
            if "SQLCipher" not in str(file):
                yield from ("-Xcc", f"-fmodule-map-file={file}")


def typecheck(modules):
    """The command that checks the files that are named after it. `modules` is where the build has put its own."""
    return ["swiftc", "-typecheck", "-swift-version", "6", "-I", modules, *module_maps()]
