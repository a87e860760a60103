"""compose.cluster.yaml without Docker: its servers are started with the image's environment and theirs, over a real database."""

import asyncio
import contextlib
import json
import os
import re

import harness
from harness import Folder
from ports import free_port
from postgres_server import PASSWORD
from proxies import ROOT, compose
from readme import instruction
from shared_server import database_test


def filled(text, **variables):
    """A text with its variables as Compose has them: `${NAME:-what stands for it}`, `${NAME:?why it is needed}`."""

    def value(match):
        name, kind, otherwise = match.groups()
        if name in variables:
            return variables[name]
        assert kind == "-", f"{name} is needed: {otherwise}"
        return otherwise

    return re.sub(r"\$\{(\w+):([-?])([^}]*)\}", value, text)


def environment_of(name, postgres, folder, port):
    """Of a service, with the image's, but for what a container would see in another place."""
    service = compose("compose.cluster.yaml")["services"][name]
    image = dict(pair.split("=") for pair in instruction("ENV").split())
    # The anchor has no variables of its own.
    given = {key: filled(value, DATABASE_PASSWORD=PASSWORD) for key, value in service["environment"].items()}
    places = {"@postgres/": f"@127.0.0.1:{postgres.port}/", "/settings/": f"{ROOT}/Examples/"}
    for old, new in places.items():
        given = {key: value.replace(old, new) for key, value in given.items()}
    assert str(postgres.port) in given["REFRESHABLE_STORE"] and "Examples" in given["REFRESHABLE_LISTS"], given
    return {
        **image, **given, "REFRESHABLE_DATA": str(folder / "data"), "REFRESHABLE_PORT": str(port), "HOME": str(folder.path),
        "PATH": f"{harness.BINARY.parent}:{os.environ['PATH']}",
    }  # fmt: skip


@contextlib.asynccontextmanager
async def container(environment, folder):
    """A server as the image starts it; gives its log."""
    log = folder / "log"
    with open(log, "wb") as written:
        process = await asyncio.create_subprocess_exec(
            *json.loads(instruction("ENTRYPOINT")), cwd=folder.path, env=environment, stdout=written, stderr=written
        )
    try:
        yield log
    finally:
        process.kill()
        await process.wait()


async def health(environment):
    """The status of the service's health check."""
    check = compose("compose.cluster.yaml")["services"]["one"]["healthcheck"]["test"]
    assert check[0] == "CMD", check
    asked = await asyncio.create_subprocess_exec(
        *check[1:], env=environment, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
    )
    return await asked.wait()


async def becomes_healthy(environment, status, log):
    for _ in range(100):
        if await health(environment) == status:
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"its health is not {status}:\n{log.read_text()}")


@database_test()
async def a_server_of_compose_is_healthy_once_it_can_serve_people(postgres):
    folder = Folder()
    environment = environment_of("one", postgres, folder, free_port())
    postgres.stop()
    async with container(environment, folder) as log:
        # `docker compose up --wait` must not go on to the next server.
        await asyncio.sleep(2)
        assert await health(environment) != 0, "it has no database, and may not be taken for ready"
        postgres.start()
        await becomes_healthy(environment, 0, log)
        assert f"Kept in postgres://app@127.0.0.1:{postgres.port}/lists" in log.read_text(), log.read_text()
        assert not (folder / "data").exists(), "nothing is kept in the image's own folder"
        assert PASSWORD not in log.read_text()
    folder.remove()


@database_test()
async def compose_of_a_cluster_says_nothing_that_the_command_does_not_know(postgres):
    asked = await asyncio.create_subprocess_exec(harness.BINARY, "serve", "--help", stdout=asyncio.subprocess.PIPE)
    known = set(re.findall(r"REFRESHABLE_[A-Z_]+", (await asked.communicate())[0].decode()))
    for name, service in compose("compose.cluster.yaml")["services"].items():
        ours = {key for key in service.get("environment", {}) if key.startswith("REFRESHABLE_")}
        assert ours <= known, f"{name}: {ours - known}"
    port = re.search(r"\d+", instruction("EXPOSE"))[0]
    one = compose("compose.cluster.yaml")["services"]["one"]
    assert one["expose"] == [port]
    for place in compose("compose.cluster.yaml")["services"]["caddy"]["environment"]["SERVERS"].split():
        assert place.endswith(f":{port}"), place
    for folder in ("/data", "/tmp"):
        assert any(mount.startswith(f"{folder}:") for mount in one["tmpfs"]), f"{folder} can't be written to"
