"""The Swift programs of the pages as a package that depends on this one, as a reader's own package does."""

import re
import shutil
import subprocess

from pages import ROOT

FOLDER = ROOT / ".build/programs-of-the-pages"
WORLD = ROOT / "Tests/Documentation/World.swift"
# What the package asks of ours. If programs need traits, they are named here, for all programs together.
DEPENDENCY = '.package(name: "RefreshableLists", path: "../..")'
# The product of each module that programs import, and its package.
PRODUCTS = {
    **dict.fromkeys(("RefreshableLists", "RefreshableListsClient", "RefreshableListsTesting", "WebSockets"), "RefreshableLists"),
    "Logging": "swift-log",
    "Metrics": "swift-metrics",
    "ServiceLifecycle": "swift-service-lifecycle",
}
# Part of the toolchain.
BUILT_IN = {"Foundation", "Testing"}
# What a program may take from there: the reader's own.
OWNED = re.findall(r"^let (\w+)", WORLD.read_text(), re.MULTILINE)

MANIFEST = """// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
    name: "ProgramsOfThePages",
    platforms: [.macOS(.v15)],
    dependencies: [
{dependencies}    ],
    targets: [
{targets}    ]
)
"""


def target_name(block):
    """The name of a program's target: `SwiftServer: In a service group` is SwiftServerInAServiceGroup."""
    return "".join(word[0].upper() + word[1:] for word in re.findall(r"\w+", block.name))


def imports(block):
    """The modules that a program imports."""
    return set(re.findall(r"^import (\w+)$", block.text, re.MULTILINE))


def target(block, kind):
    """Writes a target's files; gives its line in the manifest."""
    name, modules = target_name(block), imports(block)
    folder = FOLDER / "Sources" / name
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / ("Tests.swift" if kind == "testTarget" else "main.swift"), block.text)
    # Most programs need nothing but themselves.
    world = folder / "World.swift"
    if re.search(rf"\b(?:{'|'.join(OWNED)})\b", block.text):
        modules = modules | {"RefreshableLists"}
        write(world, WORLD.read_text())
    else:
        world.unlink(missing_ok=True)
    products = ", ".join(
        f'.product(name: "{module}", package: "{PRODUCTS[module]}")' for module in sorted(modules - BUILT_IN)
    )
    return f'        .{kind}(name: "{name}", dependencies: [{products}], path: "Sources/{name}", swiftSettings: strict),\n'


def write(file, text):
    """Writes a file if it changed, so that only what changed is built."""
    if not file.exists() or file.read_text() != text:
        file.write_text(text)


def others():
    """The lines of our manifest that name the packages which programs may import beside us."""
    ours = (ROOT / "Package.swift").read_text()
    for package in sorted(set(PRODUCTS.values()) - {"RefreshableLists"}):
        yield re.search(rf'^ *(\.package\(url: "[^"]*/{package}".*\)),$', ours, re.MULTILINE)[1]


def write_package(programs, tests):
    """Writes the whole package."""
    (FOLDER / "Sources").mkdir(parents=True, exist_ok=True)
    targets = [target(block, "executableTarget") for block in programs] + [target(block, "testTarget") for block in tests]
    names = {target_name(block) for block in [*programs, *tests]}
    for folder in (FOLDER / "Sources").iterdir():
        if folder.name not in names:
            shutil.rmtree(folder)
    dependencies = "".join(f"        {line},\n" for line in [DEPENDENCY, *others()])
    write(FOLDER / "Package.swift", MANIFEST.format(dependencies=dependencies, targets="".join(targets)))


def swift(*arguments):
    """Runs `swift build` or `swift test` on the package; what is built of ours is shared with Examples."""
    command = ["swift", arguments[0], "--package-path", FOLDER, "--scratch-path", ROOT / ".build", *arguments[1:]]
    return subprocess.run(list(map(str, command)), cwd=ROOT, text=True)
