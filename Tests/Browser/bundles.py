"""The built-in page in its few files (Scripts/bundle)."""

import harness
from harness import test, tsv


@test
def the_element_is_five_scripts(stage):
    url = stage.serve([tsv("list", "echo a")])
    if harness.PAGE:
        return  # Its modules come one by one.
    shown = stage.open(f"{url}#list")
    entries = shown.page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    scripts = {entry.removeprefix(url) for entry in entries if entry.endswith(".js")}
    expected = {
        "refreshable-list.js", "element/list-renderer.js", "gesture/pull-controller.js", "words/language.js",
        "connection/offline-store.js",
    }
    assert {name for name in scripts if not name.startswith("page")} == expected, scripts
