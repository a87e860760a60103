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
    modules = {file.name: file.read_text() for file in PUBLIC.glob("*.js") if not file.name.startswith(("page", "sw"))}
    names = {name: file for file, text in modules.items() for name in TOP.findall(text)}
    hidden = shown.page.evaluate("names => names.filter(name => name in window)", sorted(names))
    for name in hidden:
        users = [file for file, text in modules.items() if file != names[name] and re.search(rf"^[^/*]*\b{name}\b[^/']*$", text, re.MULTILINE)]
        strangers = [file for file in users if not re.search(rf"^import .*\b{name}\b.* from './{names[name]}'", modules[file], re.MULTILINE)]
        assert not strangers, f"{strangers} mean the browser's {name}, and would get that of {names[name]}"
