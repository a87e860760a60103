"""TLS as browsers speak it: what is shown, what is refused, and a renewal that nobody notices."""

import asyncio
import contextlib
import json
import re
import signal
import ssl
import time

import harness
from certificates import Authority, openssl
from client import Client
from harness import Folder, Server, eventually, exchange, file_list, test
from ports import free_port
from websockets.asyncio.client import connect

FRUIT = [("a", "Apple"), ("b", "Banana")]


class CertifiedServer:
    """A folder with a list, an authority, and a server's certificate."""

    def __init__(self, **certificate):
        self.folder = Folder()
        self.folder.write("fruit.tsv", FRUIT)
        self.authority = Authority(self.folder.path)
        self.certificate, self.key = self.authority.issue(**certificate)

    def server(self, *flags, lists=None):
        return Server(
            lists or [file_list(self.folder)], "--certificate", str(self.certificate), "--key", str(self.key), *flags,
            folder=self.folder,
        )  # fmt: skip

    def trust(self, protocols=("http/1.1",)):
        """What a browser that knows the authority brings."""
        context = ssl.create_default_context(cafile=self.authority.trusted)
        if protocols:
            context.set_alpn_protocols(list(protocols))
        return context


async def ask(server, context, method="GET", path="/healthz", headers=None, body=None, host="localhost"):
    """One request over TLS: (status, headers, body, the certificate that was shown)."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, ssl=context, server_hostname=host)
    try:
        shown = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        headers = {"Host": f"{host}:{server.port}", **(headers or {})}
        return *await exchange(reader, writer, method, path, headers, body), shown
    finally:
        writer.transport.abort()


async def shown_by(server, context):
    """The server's own certificate, as it is shown to who comes now."""
    return (await ask(server, context))[3]


async def logged(server, pattern, seconds=8):
    await eventually(lambda: re.search(pattern, server.log), seconds, f"the log has no {pattern!r}:\n{server.log}")


async def refused(server, context):
    """The handshake's fault."""
    try:
        await ask(server, context)
    except (ssl.SSLError, ConnectionError, asyncio.IncompleteReadError) as fault:
        return fault
    raise AssertionError("it was let in")


@test()
async def a_page_and_a_socket_come_by_tls_with_a_chain_that_is_whole():
    certified = CertifiedServer()
    async with certified.server("--loops", "2") as server:
        assert f"at https://localhost:{server.port}/" in server.log, server.log
        context = certified.trust()
        for path in ("/", "/lists", "/healthz"):
            assert (await ask(server, context, path=path))[0] == 200, path
        async with Client.open(server, ssl=context) as client:
            assert client.socket.transport.get_extra_info("ssl_object").version() == "TLSv1.3"
            assert client.socket.transport.get_extra_info("ssl_object").selected_alpn_protocol() == "http/1.1"
            await client.watch("fruit")
            await client.settled("fruit")
            assert [key for key, _ in client.model("fruit").ordered()] == ["a", "b"]
            ok = await client.pull("fruit", 1)
            await client.expect({"type": "state", "phase": "waiting", "last": {"run": ok["run"]}})


@test()
async def tls_1_1_is_refused_and_1_2_forgets_its_secrets():
    certified = CertifiedServer(kind="rsa")
    async with certified.server() as server:
        old = certified.trust()
        old.minimum_version, old.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
        old.set_ciphers("ALL:@SECLEVEL=0")
        assert "VERSION" in str(await refused(server, old)).upper()
        new = certified.trust()
        new.maximum_version = ssl.TLSVersion.TLSv1_2
        assert (await ask(server, new))[0] == 200
        new.set_ciphers("AES256-GCM-SHA384:AES128-SHA")
        assert "HANDSHAKE_FAILURE" in str(await refused(server, new)).upper()


@test()
async def who_speaks_only_http_2_is_refused_by_name():
    certified = CertifiedServer()
    async with certified.server() as server:
        fault = await refused(server, certified.trust(["h2"]))
        assert "no application protocol" in str(fault).lower().replace("_", " "), repr(fault)
        assert (await ask(server, certified.trust(["h2", "http/1.1"])))[0] == 200
        assert (await ask(server, certified.trust(None)))[0] == 200


@test(limit=60)
async def who_speaks_without_tls_is_told_so_and_served_nothing():
    certified = CertifiedServer()
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    async with certified.server("--allow-host", "lists.test") as server:
        for text, isTold in (
            ("GET /lists HTTP/1.1\r\nHost: localhost\r\n\r\n", True), ("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n", True),
            (f"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n{key}\r\n", True),
            (f"POST /lists/fruit/refresh HTTP/1.1\r\nHost: localhost\r\nContent-Length: 30000\r\n\r\n{'a' * 30000}", True),
            ("PUT /lists/fruit/rows/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}", True),
            ("GET /lists HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50, True),
            ("DELETE /lists/fruit/rows/a HTTP/1.1\r\nHost: localhost\r\n\r\n", False), ("hello\r\n\r\n", False), ("\0" * 500, False),
        ):  # fmt: skip
            for pieces in ([text], [text[:1], text[1:6], text[6:]]):
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
                for piece in pieces:
                    writer.write(piece.encode())
                    await asyncio.sleep(0.02 if len(pieces) > 1 else 0)
                answer = b""
                with contextlib.suppress(ConnectionError):
                    answer = await asyncio.wait_for(reader.read(), 15)
                if isTold:
                    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n") and b"https://" in answer, (text[:40], answer)
                assert answer.count(b"HTTP/1.1 ") == isTold and b"fruit" not in answer, (text[:40], answer)
                writer.close()
        # Nobody else is touched by that, neither in a handshake nor after it.
        assert (await ask(server, certified.trust()))[0] == 200
        status, _, body, _ = await ask(server, certified.trust(), path="/lists")
        assert status == 200 and b"fruit" in body


@test(limit=40)
async def a_handshake_that_never_ends_is_cut():
    certified = CertifiedServer()
    async with certified.server() as server:
        began = time.monotonic()
        silent = await asyncio.open_connection("127.0.0.1", server.port)
        slow = await asyncio.open_connection("127.0.0.1", server.port)
        # The first bytes of a ClientHello, then one each second.
        slow[1].write(bytes.fromhex("16030102000100"))

        async def trickle():
            while True:
                await asyncio.sleep(1)
                slow[1].write(b"\0")

        trickling = asyncio.create_task(trickle())
        for reader, _ in (silent, slow):
            with contextlib.suppress(ConnectionError):
                await asyncio.wait_for(reader.read(), 20)
            assert 5 < time.monotonic() - began < 20, time.monotonic() - began
        trickling.cancel()
        assert (await ask(server, certified.trust()))[0] == 200


@test(limit=45)
async def a_renewed_certificate_is_shown_to_who_comes_next_and_nobody_is_cut():
    certified = CertifiedServer(kind="rsa")
    async with certified.server("--loops", "2") as server:
        context = certified.trust()
        async with Client.open(server, ssl=context) as client:
            await client.watch("fruit")
            await client.settled("fruit")
            before = await shown_by(server, context)
            # Of another kind of key: where it is loaded beside the old one, the old one may still be shown.
            certified.authority.issue(kind="ec")
            await logged(server, r"A renewed certificate is shown: \S*server\.pem, valid until \d{4}-\d\d-\d\d\.")
            for _ in range(4):
                assert await shown_by(server, context) != before, "the old one is still shown"
            old = certified.trust()
            old.maximum_version = ssl.TLSVersion.TLSv1_2
            old.set_ciphers("ECDHE-RSA-AES128-GCM-SHA256")
            await refused(server, old)
            certified.folder.write("fruit.tsv", [*FRUIT, ("c", "Cherry")])
            ok = await client.pull("fruit", 1)
            await client.expect({"type": "state", "phase": "waiting", "last": {"run": ok["run"]}})
            assert [key for key, _ in client.model("fruit").ordered()] == ["a", "b", "c"]
        server.process.send_signal(signal.SIGHUP)
        await logged(server, r"The certificate has not changed: \S*server\.pem")


@test(limit=60)
async def a_faulty_renewal_keeps_the_old_certificate_and_says_why():
    certified = CertifiedServer()
    async with certified.server() as server:
        context = certified.trust()
        before = await shown_by(server, context)
        whole = certified.certificate.read_text()
        faults = [
            (certified.key, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", "its key is damaged"),
            (certified.certificate, "", "it is empty"),
            (certified.certificate, whole[:700], "its certificate is damaged|is damaged"),
            (certified.key, None, "no such file or directory"),
        ]
        for file, text, why in faults:
            good = file.read_text()
            if text is None:
                file.unlink()
            else:
                file.write_text(text)
            await logged(server, rf"Cannot use {re.escape(str(file))} for TLS: .*({why}).*The previous certificate stays in use")
            assert await shown_by(server, context) == before
            file.write_text(good)
            server.log_file.write_text("")
        certified.authority.issue("other")
        (certified.folder / "other.key").rename(certified.key)
        await logged(server, r"the key does not belong to the certificate in \S*server\.pem")
        assert await shown_by(server, context) == before
        assert (await ask(server, context))[0] == 200


async def fails_to_serve(certified, **files):
    """What a server says that can't begin."""
    settings = certified.folder / "lists.yaml"
    settings.write_text(json.dumps({"lists": [file_list(certified.folder)]}))
    flags = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    process = await asyncio.create_subprocess_exec(
        harness.BINARY, "serve", str(settings), "--port", "0", "--ephemeral", *flags,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    said, _ = await asyncio.wait_for(process.communicate(), 20)
    assert process.returncode == 1, f"status {process.returncode}: {said.decode()}"
    return said.decode()


@test(limit=60)
async def files_that_can_not_be_used_are_named_with_what_to_do():
    certified = CertifiedServer()
    folder, good = certified.folder.path, {"certificate": certified.certificate, "key": certified.key}
    certified.authority.issue("other")
    openssl(folder, "x509", "-in", "server.pem", "-outform", "der", "-out", "server.der")
    openssl(folder, "pkey", "-in", "server.key", "-aes128", "-passout", "pass:secret", "-out", "locked.key")
    (folder / "reversed.pem").write_text(
        (folder / "between.pem").read_text() + (folder / "server.pem").read_text().split("-----END")[0]
        + "-----END CERTIFICATE-----\n"
    )  # fmt: skip
    (folder / "letter.pem").write_text("Dear reader,\n")
    cases = [
        ({"certificate": folder / "none.pem"}, r"none\.pem for TLS: no such file or directory\. Check the name\."),
        ({"key": folder / "other.key"}, r"other\.key for TLS: the key does not belong .* server\.pem\. Give the key"),
        ({"certificate": certified.key}, r"server\.key for TLS: it holds a private key .* interchanged"),
        ({"key": certified.certificate}, r"server\.pem for TLS: it holds a certificate .* interchanged"),
        ({"certificate": folder / "server.der"}, r"it is DER, not PEM\. Convert it: openssl x509"),
        ({"key": folder / "locked.key"}, r"the key is locked by a password\. Unlock it: openssl pkey"),
        ({"certificate": folder / "reversed.pem"}, r"certificate number 2\. The server's own must come first"),
        ({"certificate": folder / "letter.pem"}, r"letter\.pem for TLS: it holds no certificate"),
    ]
    for files, pattern in cases:
        said = await fails_to_serve(certified, **{**good, **files})
        flat = " ".join(said.split()).replace(f"{folder}/", "")
        assert re.search(pattern, flat), f"{files}: {said}"
    certified.folder.remove()


@test()
async def a_page_that_came_without_tls_is_another_site():
    certified = CertifiedServer()
    async with certified.server("--allow-host", "lists.test") as server:
        upgrade = {
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Host": "lists.test",
        }  # fmt: skip
        for origin, expected in (("http://lists.test", 403), ("https://lists.test", 101)):
            answer = await ask(server, certified.trust(), path="/ws", headers={**upgrade, "Origin": origin})
            assert answer[0] == expected, (origin, answer)


@test()
async def an_expired_certificate_is_served_with_a_warning():
    certified = CertifiedServer(days=-1)
    async with certified.server() as server:
        await logged(server, r"server\.pem expired on 2020-02-01: browsers refuse it\. Renew it\.")
        assert "expired" in str(await refused(server, certified.trust()))


@test()
async def a_name_that_the_certificate_is_not_made_for_is_told():
    certified = CertifiedServer()
    async with certified.server("--allow-host", "elsewhere.test", "--allow-host", "lists.test") as server:
        await logged(server, r"is not made for elsewhere\.test: browsers refuse it there\.")
        assert "lists.test: browsers" not in server.log
        # What stays with TLS is said where the server has a name.
        answer = await ask(server, certified.trust(), host="lists.test", path="/lists")
        assert answer[0] == 200 and answer[1]["strict-transport-security"] == "max-age=31536000", answer


@test()
async def strict_transport_is_not_said_without_a_name_or_a_wish():
    certified = CertifiedServer()
    async with certified.server() as server:
        assert "strict-transport-security" not in (await ask(server, certified.trust()))[1]
    certified = CertifiedServer()
    async with certified.server("--allow-host", "lists.test", "--hsts", "none") as server:
        assert "strict-transport-security" not in (await ask(server, certified.trust()))[1]


@test()
async def a_port_without_tls_sends_people_to_the_one_with_it():
    certified, port = CertifiedServer(), free_port()
    async with certified.server("--redirect-port", str(port), "--allow-host", "lists.test") as server:

        async def plain(method, path, headers=None, body=None):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                return await exchange(reader, writer, method, path, {"Host": f"lists.test:{port}", **(headers or {})}, body)
            finally:
                writer.close()

        secure = f"https://lists.test:{server.port}"
        for method in ("GET", "HEAD", "DELETE"):
            status, headers, _ = await plain(method, "/lists/a%20b/%C3%A4?x=1&y=%26z")
            assert (status, headers["location"]) == (308, f"{secure}/lists/a%20b/%C3%A4?x=1&y=%26z"), headers
        status, headers, _ = await plain("PATCH", "/lists/fruit", body=b"{}")
        assert (status, headers["location"]) == (308, f"{secure}/lists/fruit"), headers
        assert (await plain("GET", "/healthz"))[0] == 200 and (await plain("GET", "/readyz"))[0] == 200
        status, headers, _ = await plain("GET", "/x", {"Host": "evil.test"})
        assert status == 403 and "location" not in headers, "another's name is sent nowhere"
        # Nothing of a request gets into the answer's head.
        status, headers, _ = await plain("GET", "/x%0d%0aSet-Cookie:a=b")
        assert headers.get("location", "").count("\r") == 0 and "set-cookie" not in headers, headers
        status, headers, _ = await plain(
            "GET", "/ws", {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                           "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="},
        )  # fmt: skip
        assert (status, headers["location"]) == (308, f"{secure}/ws"), headers


@test(limit=90)
async def a_slow_reader_over_tls_gets_every_byte_and_compressed_frames_arrive():
    certified = CertifiedServer()
    rows = [(f"{number:05}", f"Row {number} " + "x" * 300) for number in range(4000)]
    certified.folder.write("long.tsv", rows)
    async with certified.server(lists=[file_list(certified.folder, "long")]) as server:
        context = certified.trust()
        async with Client.open(server, ssl=context) as client:
            await client.watch("long")
            await client.settled("long", within=40)
            assert "permessage-deflate" in client.socket.response.headers["Sec-WebSocket-Extensions"]
            assert [key for key, _ in client.model("long").ordered()] == [key for key, _ in rows]
        # One that takes nothing for a while, without compression: the server waits, then every byte comes.
        async with connect(
            f"wss://localhost:{server.port}/ws", ssl=context, max_size=None, compression=None, max_queue=1,
            ping_interval=None,
        ) as slow:  # fmt: skip
            await slow.send('{"type":"watch","id":"1","list":"long"}')
            slow.transport.pause_reading()
            await asyncio.sleep(1.5)
            assert (await asyncio.wait_for(shown_by(server, context), 2)), "others are served meanwhile"
            slow.transport.resume_reading()
            seen = []
            while True:
                frame = json.loads(await asyncio.wait_for(slow.recv(), 20))
                if frame["type"] == "snapshot":
                    seen += [row["key"] for row in frame["rows"]]
                    if frame["last"]:
                        break
            assert seen == [key for key, _ in rows]


async def tool(*arguments, stdin=None):
    """Runs the command: (status, what it printed)."""
    process = await asyncio.create_subprocess_exec(
        harness.BINARY, *arguments, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    said, _ = await asyncio.wait_for(process.communicate(stdin), 25)
    return process.returncode, said.decode()


@test(limit=90)
async def the_commands_check_who_the_server_is():
    certified = CertifiedServer()
    lists = [file_list(certified.folder), {"name": "board", "push": True}]
    async with certified.server(lists=lists) as server:
        url, trusted = f"https://localhost:{server.port}", ["--ca-file", certified.authority.trusted]
        status, said = await tool("health", url)
        assert status == 1 and "certificate is not trusted" in said and "--ca-file" in said, said
        for one in (["health", url], ["refresh", url, "fruit", "--csv"]):
            status, said = await tool(*one, *trusted)
            assert status == 0, f"{one}: {said}"
        assert "Apple" in said, said
        assert (await tool("health", url, "--insecure"))[0] == 0
        status, said = await tool("push", url, "board", *trusted, stdin=b'{"key":"k","fields":{"title":"Tea"}}\n')
        assert status == 0 and "Pushed 1 row" in said, said
        script = certified.folder / "hello.script"
        script.write_text('<  {"type":"welcome"}\n>  {"type":"watch","id":"1","list":"board"}\n<< {"type":"ok","id":"1"}\n')
        assert (await tool("script", "--url", url, str(script), *trusted))[0] == 0
        status, said = await tool("script", "--url", url, str(script))
        assert status == 1 and "certificate is not trusted" in said, said
        status, said = await tool("refresh", url, "fruit")
        assert status == 1 and "certificate is not trusted" in said, said
        # A name that the certificate is not made for, though its authority is known; and addresses, for which it is.
        status, said = await tool("health", f"https://[::1]:{server.port}", *trusted)
        assert status == 1, said
        assert (await tool("health", f"https://127.0.0.1:{server.port}", *trusted))[0] == 0
        status, said = await tool("health", url, "--ca-file", str(certified.folder / "none.pem"))
        assert status == 1 and "none.pem for TLS: no such file" in said, said
        status, said = await tool("health", f"http://localhost:{server.port}")
        assert status == 1 and "answered 400: This port speaks TLS: ask for https://" in said, said


@test()
async def the_commands_believe_a_certificate_for_its_own_names_alone():
    certified = CertifiedServer(hosts="DNS:lists.test")
    async with certified.server() as server:
        for host in ("localhost", "127.0.0.1"):
            status, said = await tool("health", f"https://{host}:{server.port}", "--ca-file", certified.authority.trusted)
            assert status == 1 and "certificate is not trusted" in said and "mismatch" in said, said
