"""The built-in page as browsers are sent it: lean scripts, which say the same and keep their bars."""

import json
import subprocess
import sys
from pathlib import Path

from harness import Server, test

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Benchmarks" / "page"))

import sizes

SCRIPTS = sorted(file.name for file in sizes.PUBLIC.glob("*.js"))

# Node reads scripts by acorn, which it has inside. Template literals may differ in the spaces that lines begin with.
COMPARE = """
const { parse } = require('internal/deps/acorn/acorn/dist/acorn');
const { readFileSync } = require('node:fs');
const spaces = (text) => text.replace(/\\n\\s*/g, '\\n');
const tree = (script) => JSON.stringify(parse(script, { ecmaVersion: 'latest', sourceType: 'module' }), (key, value) => {
    if (key === 'start' || key === 'end') return undefined;
    return key === 'raw' || key === 'cooked' ? spaces(value) : value;
});
for (const [name, source, lean] of JSON.parse(readFileSync(0))) if (tree(source) !== tree(lean)) console.log(name);
"""


async def deliver():
    """Every script as the server of the built-in page sends it."""
    async with Server([{"name": "fruit", "demo": "fruit"}], ephemeral=True) as server:
        return {name: (await server.http("GET", f"/{name}"))[2] for name in SCRIPTS}


@test()
async def scripts_are_delivered_as_their_sizes_are_reckoned():
    for name, script in (await deliver()).items():
        assert script == sizes.delivered(name), f"{name} is delivered otherwise than Benchmarks/page/sizes.py has it"


@test()
async def a_lean_script_says_what_its_source_says():
    scripts = [(name, (sizes.PUBLIC / name).read_text(), lean.decode()) for name, lean in (await deliver()).items()]
    command = ["node", "--expose-internals", "-e", COMPARE]
    compared = subprocess.run(command, input=json.dumps(scripts), capture_output=True, text=True, timeout=60)
    assert compared.returncode == 0, compared.stderr
    assert not compared.stdout, f"made another script of: {compared.stdout}"


@test()
async def script_keeps_its_bars():
    for name, bytes, bar in sizes.table():
        assert bar is None or bytes <= bar, f"{name}: {bytes} bytes, the bar is {bar}"
