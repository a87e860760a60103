"""Where the database's password may come from, and where it never goes."""

import re
from pathlib import Path

from harness import Folder
from postgres_server import PASSWORD
from shared_server import SharedServer, database_test

WRONG = "wrong-password"
MISSING = "no password supplied; give the password in the URL or by PGPASSFILE. Lists are served as they were last read"


def password_file(folder, postgres, mode=0o600, password=PASSWORD):
    file = folder / "pgpass"
    file.write_text(f"127.0.0.1:{postgres.port}:lists:app:{password}\n")
    file.chmod(mode)
    return {"PGPASSFILE": str(file)}


def service_file(folder, postgres):
    file = folder / "services"
    file.write_text(f"[ours]\nhost=127.0.0.1\nport={postgres.port}\nuser=app\ndbname=lists\npassword={PASSWORD}\n")
    return {"PGSERVICEFILE": str(file)}


async def told_by(server):
    """All that a server tells: its log, its pages, and how processes are listed."""
    pages = [(await server.http("GET", path))[2].decode() for path in ("/healthz", "/readyz", "/metrics", "/lists", "/")]
    title = Path(f"/proc/{server.pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    return {"log": server.log, "pages": "".join(pages), "title": title, "name": Path(f"/proc/{server.pid}/comm").read_text()}


async def tells_no_password(server, *but):
    """But where the command line has it."""
    for place, text in (await told_by(server)).items():
        if place not in but:
            assert not re.search(f"sesame|{WRONG}", text), f"{place}: {text}"


@database_test()
async def a_password_comes_from_a_file_the_environment_or_a_service(postgres):
    folder = Folder()
    bare = postgres.url(password="")
    ways = [
        (bare, password_file(folder, postgres)),
        (bare, {"PGPASSWORD": PASSWORD}),
        ("postgres:///?service=ours", service_file(folder, postgres)),
        ("postgres://?", {**service_file(folder, postgres), "PGSERVICE": "ours"}),
    ]
    for number, (url, environment) in enumerate(ways):
        async with SharedServer(url, environment=environment) as server:
            await server.becomes(200)
            assert await server.push(f"k{number}") == 200
            await tells_no_password(server)
    folder.remove()


@database_test()
async def a_url_with_a_password_is_shown_without_it(postgres):
    for url in (postgres.url(), f"{postgres.url(password='')}?password={PASSWORD.replace(' ', '%20')}"):
        async with SharedServer(url) as server:
            await server.becomes(200)
            assert f"Kept in postgres://app@127.0.0.1:{postgres.port}/lists\n" in server.log, server.log
            await tells_no_password(server, "title")
        # As `REFRESHABLE_STORE` it is in no command line either.
        async with StoredByEnvironment(url) as server:
            await server.becomes(200)
            assert f"Kept in postgres://app@127.0.0.1:{postgres.port}/lists\n" in server.log, server.log
            await tells_no_password(server)


class StoredByEnvironment(SharedServer):
    def __init__(self, url):
        super().__init__(url, environment={"REFRESHABLE_STORE": url})

    @property
    def storage(self):
        return []


@database_test()
async def a_service_is_shown_by_its_name(postgres):
    folder = Folder()
    environment = service_file(folder, postgres)
    async with SharedServer("postgres:///?service=ours", environment=environment) as server:
        assert "Kept in postgres://?service=ours\n" in server.log, server.log
    async with SharedServer("postgres:///?service=other", environment=environment) as server:
        said = await server.becomes(503)
        assert 'Cannot reach postgres://?service=other: definition of service "other" not found. Lists' in said, said
    folder.remove()


@database_test()
async def a_password_that_is_missing_or_wrong_is_said_once_and_not_shown(postgres):
    folder = Folder()
    bare = postgres.url(password="")
    refused = 'failed: FATAL:  password authentication failed for user "app"'
    for url, environment, words in (
        (bare, {"PGPASSFILE": str(folder / "none")}, [MISSING]),
        (postgres.url(password=WRONG), {}, [refused]),
        (bare, {"PGPASSWORD": WRONG}, [refused]),
        (bare, password_file(folder, postgres, password=WRONG), [refused, f'retrieved from file "{folder / "pgpass"}". Lists']),
    ):
        async with SharedServer(url, environment=environment) as server:
            said = await server.becomes(503)
            for word in words:
                assert word in said and word in server.log, f"{word!r} is not in:\n{said}\n{server.log}"
            assert server.log.count(" error ") == 1, server.log
            await tells_no_password(server, "title" if WRONG in url else "")
    folder.remove()


@database_test()
async def a_password_file_that_others_may_read_is_ignored_and_said_to_be(postgres):
    folder = Folder()
    environment = password_file(folder, postgres, mode=0o644)
    async with SharedServer(postgres.url(password=""), environment=environment) as server:
        assert MISSING in await server.becomes(503)
        assert f'WARNING: password file "{folder / "pgpass"}" has group or world access' in server.log, server.log
        await tells_no_password(server)
        # Put right while it runs, it is read.
        (folder / "pgpass").chmod(0o600)
        await server.becomes(200)
    folder.remove()


@database_test()
async def a_readiness_says_nothing_of_the_database_to_strangers(postgres):
    url = postgres.url(password=WRONG)
    async with SharedServer(url, "--proxy", "127.0.0.1", "--allow-host", "lists.test") as server:
        assert "Cannot reach" in await server.becomes(503)
        status, _, body = await server.http("GET", "/readyz", {"X-Forwarded-For": "203.0.113.7", "Host": "lists.test"})
        assert (status, body) == (503, b"Not ready.\n"), body
