"""TLS between servers and their database: checked by an authority and a name, with a client's certificate where it is wanted."""

from certificates import Authority
from client import Client
from encrypted_database import EncryptedDatabase, admit
from harness import Folder
from postgres_server import PASSWORD
from shared_server import SharedServer, database_test

ENCRYPTED = """SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
    WHERE application_name = 'refreshable store'"""


async def what_is_pushed_at_one_is_shown_by_the_other(one, other):
    async with Client.open(other) as client:
        await client.watch("board")
        assert await one.push("a", "by TLS") == 200
        await client.until(lambda: "a" in client.model("board").rows, what="the pushed row never came")
        await client.shows_what_the_server_has("board")


async def cannot_reach(url, *words):
    """A server starts, is not ready, and says why by these words, without a password."""
    async with SharedServer(url) as server:
        said = await server.becomes(503)
        for word in words:
            assert word in said and word in server.log, f"{word!r} is not in:\n{said}\n{server.log}"
        assert PASSWORD not in server.log and "sesame" not in server.log


@database_test()
async def several_servers_speak_to_the_database_by_tls(postgres):
    with EncryptedDatabase(postgres) as encrypted:
        async with SharedServer(encrypted.url()) as one, SharedServer(encrypted.url()) as other:
            await what_is_pushed_at_one_is_shown_by_the_other(one, other)
            assert postgres.sql(ENCRYPTED, user="postgres") == "t"


@database_test()
async def a_database_that_proves_to_be_another_is_refused_by_name(postgres):
    stranger = Folder()
    with EncryptedDatabase(postgres) as encrypted:
        another = Authority(stranger.path)
        await cannot_reach(encrypted.url(sslrootcert=another.trusted), "certificate verify failed")
        await cannot_reach(
            encrypted.url(host="other.test"), 'server certificate for "database.test" does not match host name "other.test"'
        )
        await cannot_reach(
            encrypted.url(sslrootcert=stranger / "none.pem"),
            f'root certificate file "{stranger / "none.pem"}" does not exist. Either provide the file or change sslmode to '
            "disable server certificate verification. Lists are served",
        )
    stranger.remove()


@database_test()
async def a_database_without_tls_is_refused_where_tls_is_required(postgres):
    await cannot_reach(f"{postgres.url()}?sslmode=require", "server does not support SSL, but SSL was required")


@database_test()
async def a_certificate_of_the_user_stands_for_a_password(postgres):
    with EncryptedDatabase(postgres) as encrypted:
        admit(postgres, "hostssl all all 127.0.0.1/32 cert")
        certificate, key = encrypted.client()
        url = encrypted.url(sslcert=certificate, sslkey=key).replace(":open%20sesame@", "@")
        async with SharedServer(url) as one, SharedServer(url) as other:
            await what_is_pushed_at_one_is_shown_by_the_other(one, other)
            for server in (one, other):
                assert key.name not in server.log and certificate.name not in server.log, server.log
        await cannot_reach(encrypted.url(), "connection requires a valid client certificate")
        await cannot_reach(encrypted.url(sslmode="disable", sslrootcert=""), "no pg_hba.conf entry", "no encryption")
        strange = encrypted.client("somebody")
        await cannot_reach(
            encrypted.url(sslcert=strange[0], sslkey=strange[1]), 'certificate authentication failed for user "app"'
        )


@database_test()
async def a_key_that_others_may_read_is_refused(postgres):
    with EncryptedDatabase(postgres) as encrypted:
        certificate, key = encrypted.client()
        key.chmod(0o644)
        url = encrypted.url(sslcert=certificate, sslkey=key)
        await cannot_reach(url, "has group or world access; file must have permissions")
