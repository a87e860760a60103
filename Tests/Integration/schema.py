"""The schema of lists.yaml: what can be served is valid, and what is wrong in its structure is not."""

import json
import re
from pathlib import Path

import yaml
from harness import test
from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "Documentation/lists.schema.json").read_text())

# What a schema can't see: what stands in the environment, in another list, or within a text.
UNSEEN = {
    "command-progress-json", "every-zero", "feed-grows", "fields-brace-open", "fields-number-in-json", "file-csv-with-rows", "file-json-grows",
    "filter-no-comparison", "filter-two-equal-signs", "name-twice", "pull-hysteresis-negative", "pull-minimum-large",
    "pull-threshold-small", "rows-with-lines", "sort-only-minus", "sqlite-query-twice", "sqlite-query-with-variable", "variable-as-path", "variable-is-no-duration",
    "variable-nearly-set", "web-body-with-get", "web-header-name", "web-header-of-two-lines", "web-next-with-limit",
    "web-password", "web-variable-not-set",
}  # fmt: skip


class Loader(yaml.SafeLoader):
    """Takes `yes` and `on` for texts, as we and YAML 1.2 do."""


Loader.yaml_implicit_resolvers = {
    letter: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))


def faults(text):
    return [error.message for error in Draft202012Validator(SCHEMA).iter_errors(yaml.load(text, Loader))]


def documents():
    """The settings that documents and examples show."""
    for file in [*(ROOT / "Examples").rglob("*.yaml"), ROOT / "Sources/RefreshableCommand/Resources/init.yaml"]:
        if ".build" not in file.parts and file.exists():
            yield file.name, file.read_text()
    for file in [ROOT / "README.md", *(ROOT / "Sources").rglob("*.docc/**/*.md")]:
        for block in re.findall(r"^```yaml\n(.*?)^```$", file.read_text(), re.MULTILINE | re.DOTALL):
            yield file.name, block if block.lstrip("# ").startswith(("lists:", "server:")) else None


@test()
async def the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"].endswith("2020-12/schema")


@test()
async def every_word_of_the_schema_is_described():
    def undescribed(node, path):
        for name, member in node.get("properties", {}).items():
            if member is not False:
                target = {**SCHEMA["$defs"].get(member.get("$ref", "").rpartition("/")[2], {}), **member}
                if not target.get("description"):
                    yield f"{path}.{name}"
        for name, member in node.items():
            members = member if isinstance(member, list) else [member]
            for one in members:
                if isinstance(one, dict):
                    yield from undescribed(one, f"{path}.{name}")

    missing = [path for path in undescribed(SCHEMA, "") if ".oneOf" not in path and "dependentSchemas" not in path]
    assert not missing, missing


@test()
async def what_is_shown_to_people_is_valid():
    seen = 0
    for name, text in documents():
        if text is not None:
            seen += 1
            assert not faults(text), f"{name}: {faults(text)}\n{text}"
    assert seen >= 3, seen


@test()
async def a_file_with_a_fault_in_its_structure_is_not_valid():
    seen = set()
    for file in sorted((ROOT / "Tests/Settings").glob("*.yaml")):
        try:
            isValid = not faults(file.read_text())
        except yaml.YAMLError:
            continue
        if isValid:
            seen.add(file.stem)
    assert seen == UNSEEN, f"valid but should not be: {seen - UNSEEN}; not valid, though unseen: {UNSEEN - seen}"
