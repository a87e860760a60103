"""The schema of lists.yaml: what can be served is valid, and what is wrong in its structure is not."""

import json
import os
import re
import subprocess
from pathlib import Path

import harness
import yaml
from harness import Folder, test
from jsonschema import Draft202012Validator

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "Documentation/lists.schema.json").read_text())

# What a schema can't see: what stands in the environment, in another list, or within a text.
TOKENS = json.loads((ROOT / "Documentation/tokens.schema.json").read_text())
UNSEEN = {
    "actions-brace-bare", "actions-brace-open", "actions-name-none", "actions-name-twice", "command-progress-json", "every-zero", "feed-grows", "fields-brace-open", "fields-number-in-json", "file-csv-with-rows", "file-json-grows",
    "filter-no-comparison", "filter-two-equal-signs", "name-twice", "pull-hysteresis-negative", "pull-minimum-large",
    "pull-threshold-small", "resident-beside-push", "resident-with-pages", "rows-with-lines", "server-memory", "sort-only-minus", "sqlite-query-twice", "sqlite-query-with-variable", "sqlite-window-beside-push", "variable-as-path", "variable-is-no-duration",
    "variable-nearly-set", "web-header-name", "web-header-of-two-lines", "web-next-with-limit",
    "web-password", "web-variable-not-set",
}  # fmt: skip


class Loader(yaml.SafeLoader):
    """Takes `yes`, `on` and days for texts, as we and YAML 1.2 do."""


Loader.yaml_implicit_resolvers = {
    letter: [(tag, pattern) for tag, pattern in resolvers if tag not in ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp")]
    for letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))


def faults(text, schema=SCHEMA):
    return [error.message for error in Draft202012Validator(schema).iter_errors(yaml.load(text, Loader))]


def documents():
    """The settings that documents and examples show."""
    for file in [*(ROOT / "Examples").rglob("*.yaml"), ROOT / "Packaging/Debian/lists.yaml", ROOT / "Sources/RefreshableCommand/Resources/init.yaml"]:
        if ".build" not in file.parts and file.exists():
            yield file.name, file.read_text()
    for file in [ROOT / "README.md", *(ROOT / "Sources").rglob("*.docc/**/*.md")]:
        for block in re.findall(r"^```yaml\n(.*?)^```$", file.read_text(), re.MULTILINE | re.DOTALL):
            yield file.name, block if block.lstrip("# ").startswith(("lists:", "server:")) else None


@test()
async def the_schema_is_one():
    for schema in (SCHEMA, TOKENS):
        Draft202012Validator.check_schema(schema)
        assert schema["$schema"].endswith("2020-12/schema")


@test()
async def every_word_of_the_schemas_is_described():
    missing = [path for schema in (SCHEMA, TOKENS) for path in undescribed_words(schema)]
    assert not missing, missing


def undescribed_words(schema):
    def undescribed(node, path):
        for name, member in node.get("properties", {}).items():
            if member is not False:
                target = {**schema["$defs"].get(member.get("$ref", "").rpartition("/")[2], {}), **member}
                if not target.get("description"):
                    yield f"{path}.{name}"
        for name, member in node.items():
            members = member if isinstance(member, list) else [member]
            for one in members:
                if isinstance(one, dict):
                    yield from undescribed(one, f"{path}.{name}")

    skipped = (".oneOf", "dependentSchemas", ".then")
    return [path for path in undescribed(schema, "") if not any(part in path for part in skipped)]


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


SHA = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
GOOD_TOKENS = (
    "", "[]", "# nothing yet\n", f"- {{name: a, sha256: {SHA}, lists: {{}}}}",
    f"- {{name: a, sha256: {SHA}, lists: {{'*': read, fruit: [read, refresh, act, push], salaries: []}}, expires: 2027-01-31}}",
    f"- {{name: a, sha256: {SHA.upper()}, lists: {{}}, expires: '2027-01-31T18:00:00Z'}}",
    '- {name: a, token: "sixteen-letters-and-more", lists: {board: push}}', '- {name: a, token: "${HOME_MADE}", lists: {}}',
    "- {name: everybody, anonymous: true, lists: {news: [read, refresh, act]}}",
)  # fmt: skip
BAD_TOKENS = (
    "name: a", "- a", "- [a]", f"- {{name: a, sha256: {SHA}}}", f"- {{sha256: {SHA}, lists: {{}}}}",
    "- {name: a, lists: {}}", "- {name: a, sha256: abc, lists: {}}", f"- {{name: A b, sha256: {SHA}, lists: {{}}}}",
    f'- {{name: a, sha256: {SHA}, token: "sixteen-letters-and-more", lists: {{}}}}', '- {name: a, token: swordfish, lists: {}}',
    f"- {{name: a, sha256: {SHA}, lists: [fruit]}}", f"- {{name: a, sha256: {SHA}, lists: {{fruit: [raed]}}}}",
    f"- {{name: a, sha256: {SHA}, lists: {{fruit: yes}}}}", f"- {{name: a, sha256: {SHA}, lists: {{a/b: [read]}}}}",
    f"- {{name: a, sha256: {SHA}, list: {{}}}}", f"- {{name: a, sha256: {SHA}, lists: {{}}, expires: soon}}",
    "- {name: a, anonymous: yes, lists: {}}", "- {name: a, anonymous: false, lists: {}}",
    "- {name: a, anonymous: true, lists: {}, expires: 2027-01-31}", "- {name: a, anonymous: true, lists: {fruit: [read, push]}}",
    "- {name: a, anonymous: true, lists: {fruit: push}}",
)  # fmt: skip


@test(limit=60)
async def the_schema_and_the_reader_agree_about_files_of_tokens():
    folder = Folder()
    (folder / "lists.yaml").write_text("server: {tokens: tokens.yaml}\nlists: [{name: a, push: true}]\n")
    for texts, isGood in ((GOOD_TOKENS, True), (BAD_TOKENS, False)):
        for text in texts:
            (folder / "tokens.yaml").write_text(text)
            environment = {"PATH": os.environ["PATH"], "HOME_MADE": "sixteen-letters-and-more"}
            done = subprocess.run(
                [harness.BINARY, "check", "--no-run"], cwd=folder.path, env=environment, capture_output=True, text=True
            )
            assert done.returncode == (0 if isGood else 78), f"{text}\n{done.stdout}{done.stderr}"
            assert bool(faults(text, TOKENS)) != isGood, f"{text}\n{faults(text, TOKENS)}"
    folder.remove()


@test()
async def files_of_tokens_that_documents_show_are_valid():
    seen = 0
    for file in [ROOT / "README.md", *(ROOT / "Sources").rglob("*.docc/**/*.md"), *(ROOT / "Documentation").glob("*.md")]:
        for block in re.findall(r"^```yaml\n(.*?)^```$", file.read_text(), re.MULTILINE | re.DOTALL):
            if re.search(r"^- name:.*\n  (sha256|token|anonymous):", block, re.MULTILINE):
                seen += 1
                # In documents, digests are cut short.
                text = re.sub(r"[0-9a-f]+…", SHA, block)
                assert not faults(text, TOKENS), f"{file.name}: {faults(text, TOKENS)}\n{block}"
                assert block.startswith("# yaml-language-server: $schema=./tokens.schema.json"), file.name
    assert seen, "none is shown"


@test()
async def the_tool_prints_the_schema_of_tokens():
    done = subprocess.run([harness.BINARY, "token", "--schema"], capture_output=True, text=True)
    assert done.returncode == 0 and json.loads(done.stdout) == TOKENS, done
    done = subprocess.run([harness.BINARY, "token"], capture_output=True, text=True)
    assert done.returncode == 64 and "needs a name" in done.stderr, done
