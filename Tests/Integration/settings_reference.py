"""The reference of lists.yaml, made from the schema by Scripts/settings: its examples are read and found right."""

import asyncio
import importlib.util
import os
from importlib.machinery import SourceFileLoader

import harness
import yaml
from certificates import Authority
from harness import Folder, test
from schema import ROOT, SCHEMA, Loader, faults

ENVIRONMENT = {"PATH": os.environ["PATH"], "TOKEN": "correct-horse", "PUSH_TOKEN": "correct-horse-battery"}
AT_ONCE = 6


def script():
    loader = SourceFileLoader("settings_script", str(ROOT / "Scripts/settings"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def files(folder):
    """What `refreshable check` opens."""
    certificate, key = Authority(folder.path).issue()
    certificate.rename(folder / "fullchain.pem")
    key.rename(folder / "privkey.pem")
    (folder / "tokens.yaml").write_text("- {name: everybody, anonymous: true, lists: {}}\n")


@test(limit=120)
async def every_example_of_the_reference_is_accepted_by_the_reader():
    folder, turn = Folder(), asyncio.Semaphore(AT_ONCE)
    files(folder)

    async def read(number, path, text):
        settings = folder / f"{number}.yaml"
        settings.write_text(text)
        async with turn:
            process = await asyncio.create_subprocess_exec(
                harness.BINARY, "check", "--no-run", settings, cwd=folder.path, env=ENVIRONMENT,
                stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
            )  # fmt: skip
            told = (await process.communicate())[0].decode()
        assert process.returncode == 0, f"{path}\n{text}\n{told}"

    examples = list(script().examples())
    assert len(examples) > 100, len(examples)
    await asyncio.gather(*(read(number, path, text) for number, (path, _, text) in enumerate(examples)))
    folder.remove()


def member_of(document, name):
    """What the key of an example has in the whole file."""
    places = (document, document.get("server", {}), document["lists"][0])
    return next(place[name] for place in places if name in place)


@test()
async def examples_of_the_reference_say_in_yaml_what_they_say_in_the_schema():
    for path, value, text in script().examples():
        assert not faults(text), f"{path}: {faults(text)}\n{text}"
        (name, wanted), document = *value.items(), yaml.load(text, Loader)
        assert member_of(document, name) == wanted, f"{path}\n{text}"


@test()
async def a_key_that_is_not_in_the_reference_is_told():
    module = script()
    assert not list(module.faults())
    known = module.ROOTS
    module.ROOTS = {**known, "list.colour": {"description": "The colour.", "type": "string"}}
    assert any("list.colour has no topic" in fault for fault in module.faults())
    module.ROOTS = {**known, "list.limit": {key: text for key, text in known["list.limit"].items() if key != "examples"}}
    assert any("list.limit has no description or no examples" in fault for fault in module.faults())
    module.ROOTS = {**known, "list.limit": {**known["list.limit"], "description": "The most rows."}}
    assert any("list.limit: lists.schema.json doesn't say what is so without it" in fault for fault in module.faults())


@test()
async def every_key_of_the_schema_has_a_place_in_the_reference():
    page = (ROOT / "Sources/RefreshableLists/RefreshableLists.docc/SettingsReference.md").read_text()

    def keys(node):
        yield from node.get("properties", {})
        for inner in node.values():
            for one in inner if isinstance(inner, list) else [inner]:
                yield from keys(one) if isinstance(one, dict) else ()

    wanted = set(keys(SCHEMA))
    assert len(wanted) > 80, len(wanted)
    for name in wanted:
        assert f".{name}`\n" in page or f"### `{name}`\n" in page or f"- `{name}`: " in page, name
