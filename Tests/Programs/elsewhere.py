"""Blocks that another test runs, takes or compares: the run here is that this test exists."""

import configparser
import re
import subprocess

from pages import ROOT
from registry import runs

# (kind, name or None for all of the kind): (file, test in it)
TESTS = {
    ("fragment", None): ("Scripts/docs", "faulty_examples"),
    ("test", None): ("Tests/Programs/run.py", "build"),
    ("transcript", None): ("Tests/Integration/readme.py", "transcripts_in_the_guides_end_on_a_page_within_seconds"),
    ("script", None): ("Tests/Integration/readme.py", "scripts_in_the_guides_pass"),
    ("page", "CustomElement: The element"): ("Tests/Browser/articles.py", "the_two_lines_of_the_article_are_those_of_the_readme"),
    ("page", "CustomElement: Appearance"): ("Tests/Browser/articles.py", "the_template_of_the_article_shows_fields_as_it_says"),
    ("page", "CustomElement: Actions on rows"): ("Tests/Browser/articles.py", "the_script_of_the_article_acts_on_a_row"),
    ("page", "CustomElement: Without a server"): ("Tests/Browser/articles.py", "the_handler_of_the_article_fills_its_table"),
    ("page", "CustomElement: The refresh action"): (
        "Tests/Browser/articles.py", "the_script_of_the_article_refreshes_the_list_and_then_refuses",
    ),
    ("client", "Protocol: A client in eighty lines"): ("Tests/Browser/reference.py", "the_reference_client_is_short"),
    ("dependency", "SwiftServer: Take only what you use"): ("Tests/Packaging/outside.py", "manifest"),
    ("shell", "README: Start"): (
        "Tests/Integration/readme.py", "scripts_that_people_begin_with_explain_themselves_without_building",
    ),
    ("shell", "README: Start, 2"): ("Tests/Integration/readme.py", "the_container_takes_what_is_there"),
    ("shell", "ListSources: One file, 2"): ("Tests/Integration/readme.py", "the_container_takes_what_is_there"),
    ("shell", "Operating: In a container"): ("Tests/Integration/readme.py", "the_container_takes_what_is_there"),
    ("shell", "Operating: As a service of Debian and Ubuntu"): ("Tests/Packaging/debian.py", "package"),
    ("shell", "ServingWebSockets: Create a package, 2"): ("Examples/WebSockets/try.py", "the_client_prints_what_comes_back"),
    ("shell", "Page: Pages to copy from"): (
        "Tests/Browser/examples.py", "the_command_of_the_readme_is_the_one_that_serves_the_examples",
    ),
}  # fmt: skip


def stand_in(file, test):
    async def another_test_stands_behind_it(_):
        assert re.search(rf"^(?:async )?def {test}\(", (ROOT / file).read_text(), re.MULTILINE), f"{file} has no {test}"

    return another_test_stands_behind_it


for (kind, name), (file, test) in TESTS.items():
    runs(kind, *[name] if name else [])(stand_in(file, test))


@runs("apple", "ClientProgram: In SwiftUI")
async def what_only_apple_has_is_said_to_be_untested(given):
    before = given.block.page.read_text().partition(given.text)[0].splitlines()
    assert "is not compiled by our tests" in before[-3], before[-3]


@runs("unit", "Operating: As a service of Debian and Ubuntu")
async def an_override_changes_what_the_unit_has(given):
    override, unit = (configparser.RawConfigParser(strict=False) for _ in range(2))
    override.optionxform = unit.optionxform = str
    override.read_string(given.text)
    unit.read(ROOT / "Packaging/Debian/refreshable.service")
    for section in override.sections():
        assert set(override[section]) <= {*unit[section], "AmbientCapabilities"}, dict(override[section])


@runs("trace", "PullGesture: The same rules in Swift and JavaScript")
async def the_table_is_replayed(given):
    replay = ["node", "Tests/Traces/replay.mjs", "-"]
    done = subprocess.run(replay, cwd=ROOT, input=given.text, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr


@runs("drawing", "PullGesture: Offset, threshold, hold")
async def a_drawing_is_looked_at(given):
    assert all(word in given.text for word in ("minimum", "threshold − hysteresis", "offset"))
