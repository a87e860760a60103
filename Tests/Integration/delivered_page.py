"""The built-in page as browsers are sent it: bundles that keep their bars, with maps that lead back to Public."""

import json
import subprocess
import sys
from pathlib import Path

from harness import Server, test

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Benchmarks" / "page"))

import sizes

# Where a text of a module stands in the bundle, and where the map says that it comes from. Prints how many texts were
# looked at, and those that lead elsewhere.
LOOK_UP = """
const { SourceMap } = require('node:module');
const [bundle, map] = JSON.parse(require('node:fs').readFileSync(0));
const sourceMap = new SourceMap(map), lines = bundle.split('\\n'), lost = [];
const once = (whole, text) => whole.split(text).length === 2;
let count = 0;
map.sources.forEach((source, i) => {
    const content = map.sourcesContent[i];
    // What two modules say may be left out of one.
    const isElsewhere = (text) => map.sourcesContent.some((other, at) => at !== i && other.includes(text));
    for (const [, text] of content.matchAll(/'([^'\\\\\\n`]{6,})'/g)) {
        const said = `"${text}"`;
        if (text[0] === '.' || !once(bundle, said) || !once(content, text) || isElsewhere(text)) continue;
        const line = lines.findIndex((line) => line.includes(said));
        const found = sourceMap.findEntry(line, lines[line].indexOf(said));
        const isThere = found.originalSource?.endsWith(source) && content.split('\\n')[found.originalLine]?.includes(text);
        count += 1;
        if (!isThere) lost.push(text);
    }
});
console.log(JSON.stringify([count, lost]));
"""


@test()
async def scripts_are_delivered_as_their_sizes_are_reckoned():
    async with Server([{"name": "fruit", "demo": "fruit"}], ephemeral=True) as server:
        for name, script in sizes.delivered().items():
            _, _, body = await server.http("GET", f"/{name}")
            assert body == script, f"{name} is delivered otherwise than Benchmarks/page/sizes.py has it"
            _, head, body = await server.http("GET", f"/{name}", {"Accept-Encoding": "gzip"})
            assert "content-encoding" not in head or len(body) == sizes.size(script), f"{name}: {len(body)} bytes"


@test()
async def a_source_map_leads_from_each_bundle_to_its_modules():
    names = set()
    async with Server([{"name": "fruit", "demo": "fruit"}], ephemeral=True) as server:
        for name, script in sizes.delivered().items():
            if name == "sw.js":
                continue  # It is sent as it stands.
            address = script.decode().rsplit("//# sourceMappingURL=", 1)[1].strip()
            status, head, body = await server.http("GET", f"/{Path(name).with_name(address)}")
            assert (status, head["content-type"]) == (200, "application/json"), f"{address}: {status} {head}"
            source_map = json.loads(body)
            names |= set(source_map["names"])
            looked = subprocess.run(
                ["node", "-e", LOOK_UP], input=json.dumps([script.decode(), source_map]), capture_output=True, text=True, timeout=60
            )
            assert looked.returncode == 0, looked.stderr
            count, lost = json.loads(looked.stdout)
            assert count and not lost, f"{name}: of {count} texts the map leads elsewhere with {lost}"
    assert {"#released", "#setPhase"} <= names, "functions keep no name of ours in a stack trace"
    helpers = {name for name in names if name.startswith("__")}
    assert not helpers, f"esbuild has replaced what browsers know themselves, as static fields make it: {helpers}"


@test()
async def script_keeps_its_bars():
    for name, bytes, bar in sizes.table():
        assert bar is None or bytes <= bar, f"{name}: {bytes} bytes, the bar is {bar}"
