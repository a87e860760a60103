"""The built-in page in its few scripts (Sources/RefreshableLists/Serving/ScriptPacks.swift)."""

import re

import harness
from harness import PUBLIC, test, tsv

TOP = re.compile(r"^(?:export )?(?:async )?(?:class|function\*?|const|let) (\w+)", re.MULTILINE)


@test
def the_element_is_two_scripts(stage):
    url = stage.serve([tsv("list", "echo a")])
    if harness.PAGE:
        return  # Its modules come one by one.
    shown = stage.open(f"{url}#list")
    entries = shown.page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    scripts = {entry.rsplit("/", 1)[1] for entry in entries if entry.endswith(".js")}
    assert {name for name in scripts if not name.startswith("page")} == {"refreshable-list.js", "furniture.js"}, scripts


@test
def names_at_the_top_of_a_module_hide_nothing_from_the_others_in_its_pack(stage):
    shown = stage.open(stage.serve([tsv("list", "echo a")]))
    names = sorted({name for file in PUBLIC.glob("*.js") if file.name != "sw.js" for name in top(file)})
    hidden = shown.page.evaluate("names => names.filter(name => name in window)", names)
    assert not hidden, f"{hidden} are the browser's own"


def top(file):
    """The names that a module gives at its top, where nothing is indented."""
    return TOP.findall(file.read_text())
