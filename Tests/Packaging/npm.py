#!/usr/bin/env python3
"""Packs Public by npm, and uses the package as somebody who has installed it: by name, with a bundler and with types.

    Tests/Packaging/npm.py

It needs npm, esbuild, tsc and Chromium, which `Scripts/setup lint browser` installs.
"""

import functools
import http.server
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
from pathlib import Path

from checks import check, run_checks

ROOT = Path(__file__).resolve().parents[2]
WORK = Path(tempfile.mkdtemp(prefix="refreshable-npm-"))
INSTALLED = WORK / "node_modules/refreshable-list"

PROGRAM = """import 'refreshable-list';
document.querySelector('refreshable-list').handler = async () => {};
"""
PAGE = """<!doctype html><title>A list</title><refreshable-list><p>Content</p></refreshable-list>
<script type="module" src="program.js"></script>
"""
TYPED = """import { RefreshableList, type LastRun } from 'refreshable-list';

const list: RefreshableList = document.createElement('refreshable-list');
list.src = '/lists/names';
list.handler = async ({ signal, progress }) => {
  await fetch('/orders', { signal });
  progress(1, 2, 'read');
};
const last: LastRun | undefined = await list.refresh({ quietly: true });
// @ts-expect-error There is no such outcome.
console.log(last?.outcome === 'lost');
"""
OPTIONS = {"strict": True, "noEmit": True, "target": "es2022", "module": "node16", "moduleResolution": "node16",
           "lib": ["es2022", "dom", "dom.iterable"], "types": []}  # fmt: skip


def run(*command, folder=WORK):
    """What a command prints; it must end well."""
    done = subprocess.run(list(map(str, command)), cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout


def manifest():
    return json.loads((INSTALLED / "package.json").read_text())


@check
def the_package_is_packed_and_unpacked():
    # A copy, as npm puts the licence beside the files while it packs them.
    shutil.copytree(ROOT / "Public", WORK / "source/Public")
    shutil.copy(ROOT / "LICENSE", WORK / "source")
    [packed] = json.loads(run("npm", "pack", "--json", "--offline", WORK / "source/Public"))
    with tarfile.open(WORK / packed["filename"]) as archive:
        archive.extractall(WORK / "unpacked", filter="data")
    INSTALLED.parent.mkdir()
    (WORK / "unpacked/package").rename(INSTALLED)
    assert (INSTALLED / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    assert packed["unpackedSize"] < 500_000, packed["unpackedSize"]


def named(value):
    """The files that a part of package.json names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from named(inner)


@check
def every_file_that_the_manifest_names_is_in_it():
    told = manifest()
    files = [*named(told["exports"]), told["types"], told["customElements"], *told["sideEffects"]]
    assert len(files) >= 7, files
    for file in files:
        assert "*" in file or (INSTALLED / file).is_file(), f"{file} is not in the package"


@check
def every_module_that_a_module_imports_is_in_it():
    modules = list(INSTALLED.rglob("*.js"))
    assert len(modules) > 20, modules
    for module in modules:
        for name in re.findall(r"""(?:\bfrom|\bimport\(?)\s*'(\.[^']+)'""", module.read_text()):
            assert (module.parent / name).is_file(), f"{module.name} imports {name}, which is not in the package"


@check
def the_page_around_the_element_is_not_in_it():
    assert not [name for name in ("page", "index.html", "sw.js", "manifest.webmanifest") if (INSTALLED / name).exists()]


@check
def a_program_that_imports_it_by_name_is_bundled():
    (WORK / "program.mjs").write_text(PROGRAM)
    (WORK / "site").mkdir()
    (WORK / "site/index.html").write_text(PAGE)
    told = run("esbuild", "program.mjs", "--bundle", "--format=esm", "--splitting", "--minify", "--outdir=site", "--log-level=warning")
    assert not told, told


def chromium():
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves a folder and says nothing of it."""

    def log_message(self, *_):
        pass


@check
def the_bundle_defines_the_element_in_a_browser():
    browser = chromium()
    assert browser, "Chromium was not found. Scripts/setup browser installs it."
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=WORK / "site"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=3000", f"--user-data-dir={WORK / 'profile'}"]
    page = run(browser, *flags, "--dump-dom", f"http://127.0.0.1:{server.server_port}/")
    server.shutdown()
    tag = re.search(r"<refreshable-list[^>]*>", page)[0]
    # The element reflects its phase; what is not defined has no attribute.
    assert 'phase="waiting"' in tag, page


@check
def a_program_in_typescript_is_checked_against_its_types():
    (WORK / "package.json").write_text('{ "type": "module" }')
    (WORK / "typed.mts").write_text(TYPED)
    (WORK / "tsconfig.json").write_text(json.dumps({"compilerOptions": OPTIONS, "files": ["typed.mts"]}))
    run("tsc", "--project", WORK)


@check
def node_resolves_its_names():
    for name in ("refreshable-list", "refreshable-list/rows/rows.js", "refreshable-list/custom-elements.json"):
        run("node", "--input-type=module", "--eval", f"import.meta.resolve('{name}')")


if __name__ == "__main__":
    for tool in ("npm", "esbuild", "tsc"):
        if not shutil.which(tool):
            sys.exit(f"npm: {tool} was not found. Scripts/setup lint installs it on Debian and Ubuntu.")
    status = run_checks()
    shutil.rmtree(WORK)
    sys.exit(status)
