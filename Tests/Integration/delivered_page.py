"""The built-in page as browsers are sent it: lean scripts in packs, which say the same and keep their bars."""

import json
import subprocess
import sys
from pathlib import Path

from harness import Server, test

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Benchmarks" / "page"))

import sizes

# Node reads scripts by acorn, which it has inside. Template literals, which are styles and markup, may differ in how
# their lines end and begin, and in the comments of styles and their spaces.
COMPARE = """
const { parse } = require('internal/deps/acorn/acorn/dist/acorn');
const { readFileSync } = require('node:fs');
const spaces = (text) => text.replace(/^\\s*\\/\\*.*?\\*\\//gms, '').replace(/\\n\\s*/g, '').replace(/ ?({) ?|([;:,]) /g, '$1$2');
const tree = (script) => JSON.stringify(parse(script, { ecmaVersion: 'latest', sourceType: 'module' }), (key, value) => {
    if (key === 'start' || key === 'end') return undefined;
    return key === 'raw' || key === 'cooked' ? spaces(value) : value;
});
for (const [name, source, lean] of JSON.parse(readFileSync(0))) if (tree(source) !== tree(lean)) console.log(name);
"""


def compare(scripts):
    """The names of those whose two forms have another syntax tree."""
    command = ["node", "--expose-internals", "-e", COMPARE]
    compared = subprocess.run(command, input=json.dumps(scripts), capture_output=True, text=True, timeout=60)
    assert compared.returncode == 0, compared.stderr
    return compared.stdout.split()


@test()
async def scripts_are_delivered_as_their_sizes_are_reckoned():
    async with Server([{"name": "fruit", "demo": "fruit"}], ephemeral=True) as server:
        for name, script in sizes.delivered().items():
            _, _, body = await server.http("GET", f"/{name}")
            assert body == script, f"{name} is delivered otherwise than Benchmarks/page/sizes.py has it"
            _, head, body = await server.http("GET", f"/{name}", {"Accept-Encoding": "gzip"})
            assert "content-encoding" not in head or len(body) == sizes.size(script), f"{name}: {len(body)} bytes"


@test()
async def a_lean_script_says_what_its_source_says():
    sources = {file.name: file.read_text() for file in sizes.PUBLIC.glob("*.js")}
    assert not (others := compare([(name, text, sizes.lean(text)) for name, text in sources.items()])), others


@test()
async def a_pack_says_what_its_modules_say():
    scripts = {file.name: sizes.lean(file.read_text()) for file in sizes.PUBLIC.glob("*.js")}
    homes, order = sizes.packs(scripts)
    for name, modules in order.items():
        # Parsed, so that no two of them may give one name.
        pack = sizes.joined(modules, scripts, homes)
        assert not compare([(name, pack, sizes.joined_lines(pack))])
        defined = set(sizes.TOP.findall(pack)) | {n for found, _ in sizes.IMPORT.findall(pack) for n in found.split(", ")}
        for module in modules:
            for names, other in sizes.IMPORT.findall(scripts[module]):
                missing = set(filter(None, names.split(", "))) - defined
                assert not missing, f"{module} imports {missing} from {other}, which its pack does not have"


@test()
async def script_keeps_its_bars():
    for name, bytes, bar in sizes.table():
        assert bar is None or bytes <= bar, f"{name}: {bytes} bytes, the bar is {bar}"
