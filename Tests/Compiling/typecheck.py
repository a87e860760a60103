"""How a program that imports this package is compiled without being built."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


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
