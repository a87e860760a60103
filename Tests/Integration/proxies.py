"""Servers behind nginx and Caddy, with the very files that we give people; and what compose.yaml and its sibling ask for."""

import asyncio
import contextlib
import json
import os
import re
import shutil
import ssl
import subprocess
from pathlib import Path

import harness
import yaml
from certificates import Authority
from client import Client
from harness import Folder, Server, eventually, exchange, file_list, test
from ports import free_port
from postgres_processes import PROGRAMS
from postgres_server import PostgresServer
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "a-token-of-this-test"


def program(name):
    """Where a proxy is: as the machine has it, or as Scripts/setup has unpacked it."""
    unpacked = [str(ROOT / ".build/unpacked" / name / place) for place in ("usr/bin", "usr/sbin")]
    return shutil.which(name, path=os.pathsep.join([os.environ["PATH"], "/usr/sbin", *unpacked]))


def skipped(name):
    """Says that a proxy is not there; whether it is not."""
    if program(name):
        return False
    harness.say(f"  (skipped: {name} can not be had here)")
    return True


class Proxy:
    """A proxy with TLS in front of a server, as people reach it: `port` is the proxy's."""

    def __init__(self, server, folder, host, authority):
        self.server, self.folder, self.host = server, folder, host
        self.plain, self.port = free_port(), free_port()
        self.authority = authority
        self.process = None

    async def __aenter__(self):
        self.log_file = self.folder / "proxy.log"
        with open(self.log_file, "wb") as log:
            self.process = await asyncio.create_subprocess_exec(
                *self.command(), cwd=self.folder.path, env={**os.environ, **self.environment()}, stdout=log, stderr=log,
            )  # fmt: skip
        for _ in range(200):
            with contextlib.suppress(OSError, ssl.SSLError):
                if (await self.ask("GET", "/healthz"))[0] == 200:
                    return self
            assert self.process.returncode is None, self.log_file.read_text()
            await asyncio.sleep(0.05)
        raise AssertionError(f"the proxy never answered:\n{self.log_file.read_text()}")

    async def __aexit__(self, _, fault, __):
        if fault:
            fault.add_note(f"The proxy's log ends:\n{self.log_file.read_text()[-2000:]}")
        if self.process.returncode is None:
            self.process.terminate()
            await self.process.wait()

    def trust(self):
        context = ssl.create_default_context(cafile=str(self.authority()))
        context.set_alpn_protocols(["http/1.1"])
        return context

    async def ask(self, method, path, headers=None, body=None, within=10):
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", self.port, ssl=self.trust(), server_hostname=self.host
        )
        try:
            headers = {"Host": f"{self.host}:{self.port}", **(headers or {})}
            return await exchange(reader, writer, method, path, headers, body, within)
        finally:
            writer.transport.abort()

    async def json(self, path):
        status, headers, body = await self.ask("GET", path, {"Connection": "close", "Accept-Encoding": "identity"})
        assert status == 200, f"{status} {headers} {body[:200]}"
        return json.loads(body)

    @contextlib.asynccontextmanager
    async def client(self, **options):
        url = f"wss://{self.host}:{self.port}/ws"
        socket = await connect(
            url, host="127.0.0.1", ssl=self.trust(), subprotocols=["refreshable.v1"], max_size=None, ping_interval=None,
            origin=f"https://{self.host}:{self.port}", **options,
        )  # fmt: skip
        client = Client(socket, self)
        client.welcome = await client.next({"type": "welcome"})
        try:
            yield client
            client.raise_fault()
        finally:
            await client.close()


class Nginx(Proxy):
    """Examples/Proxies/nginx.conf, with this test's ports, name and certificate."""

    def command(self):
        chain, key = Authority(self.folder.path).issue("proxy", hosts=f"DNS:{self.host}")
        text = (ROOT / "Examples/Proxies/nginx.conf").read_text()
        for old, new in [
            (r"listen \[::\]:\d+( ssl)?;", ""),
            (r"listen 80;", f"listen 127.0.0.1:{self.plain};"),
            (r"listen 443 ssl;", f"listen 127.0.0.1:{self.port} ssl;"),
            (r"lists\.example\.org;", f"{self.host};"),
            (r"/etc/letsencrypt/\S*/fullchain\.pem", str(chain)),
            (r"/etc/letsencrypt/\S*/privkey\.pem", str(key)),
            (r"127\.0\.0\.1:8080", f"127.0.0.1:{self.server.port}"),
        ]:
            text, count = re.subn(old, new, text)
            assert count, f"nginx.conf has no {old}"
        temporary = "".join(
            f"{name}_temp_path {self.folder / name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (self.folder / "nginx.conf").write_text(
            f"daemon off; pid {self.folder / 'nginx.pid'}; error_log stderr; worker_processes 1;\n"
            f"events {{ worker_connections 512; }}\nhttp {{ access_log off;\n{temporary}{text}}}\n"
        )
        user = ["-g", "user root;"] if os.geteuid() == 0 else []
        return [program("nginx"), "-p", str(self.folder.path), "-c", str(self.folder / "nginx.conf"), *user]

    def environment(self):
        return {}


class Caddy(Proxy):
    """Examples/Proxies/Caddyfile as it is, behind options that keep a test to itself."""

    file = "Caddyfile"

    def command(self):
        options = (
            f"{{\n\tadmin off\n\tskip_install_trust\n\thttp_port {self.plain}\n"
            f"\tstorage file_system {self.folder / 'caddy'}\n}}\n\n"
        )
        (self.folder / "Caddyfile").write_text(options + (ROOT / "Examples/Proxies" / self.file).read_text())
        return [program("caddy"), "run", "--config", str(self.folder / "Caddyfile"), "--adapter", "caddyfile"]

    def environment(self):
        return {
            "SITE": f"https://{self.host}:{self.port}", "SERVER": f"127.0.0.1:{self.server.port}",
            "HOME": str(self.folder.path),
        }  # fmt: skip


class CaddyOfSeveral(Caddy):
    """Examples/Proxies/Caddyfile.cluster as it is."""

    file = "Caddyfile.cluster"

    def __init__(self, servers, folder, host, authority):
        super().__init__(servers[0], folder, host, authority)
        self.servers = servers

    def environment(self):
        return {**super().environment(), "SERVERS": " ".join(f"127.0.0.1:{server.port}" for server in self.servers)}


class SharingServer(Server):
    """One of several over a database."""

    def __init__(self, database, *flags):
        super().__init__([{"name": "board", "push": True}], *flags)
        self.database = database

    @property
    def storage(self):
        return ["--store", self.database.url()]


async def serves_as_without_it(kind, host, authority):
    """All that people do, through a proxy."""
    folder = Folder()
    folder.write("fruit.tsv", [("a", "Apple"), ("b", "Banana")])
    lists = [file_list(folder), {"name": "board", "push": True}]
    flags = ["--allow-host", host, "--proxy", "127.0.0.1", "--push-token", TOKEN]
    async with Server(lists, *flags, folder=folder) as server, kind(server, folder, host, authority(folder)) as proxy:
        status, headers, body = await proxy.ask("GET", "/", {"Accept-Encoding": "identity"})
        assert status == 200 and b"refreshable-list.js" in body, (status, body[:200])
        assert headers["strict-transport-security"] == "max-age=31536000", headers
        async with proxy.client() as one, proxy.client(compression=None) as two:
            assert "permessage-deflate" in one.socket.response.headers["Sec-WebSocket-Extensions"]
            for client in (one, two):
                await client.watch("fruit")
                await client.settled("fruit")
                await client.watch("board")
            folder.write("fruit.tsv", [("c", "Cherry"), ("a", "Apple")])
            ok = await one.pull("fruit", 1)
            for client in (one, two):
                await client.expect({"type": "state", "phase": "waiting", "last": {"run": ok["run"]}})
                await client.shows_what_the_server_has("fruit")
            await pushes_are_for_who_has_the_token(proxy, one)
            # A refresh that is waited for.
            status, _, body = await proxy.ask("POST", "/lists/fruit/refresh", body=b"")
            assert status == 200 and json.loads(body)["outcome"] == "success", body
            # A quiet socket is still there.
            await asyncio.sleep(3)
            assert (await two.ask({"type": "ping"}))["type"] == "ok"
        await strangers_are_refused(proxy)
        assert await server.stop() == 0
        await eventually(lambda: server.process.returncode == 0)


async def pushes_are_for_who_has_the_token(proxy, client):
    row = json.dumps({"set": [{"key": "k", "fields": {"title": "Tea"}}]}).encode()
    assert (await proxy.ask("PATCH", "/lists/board", body=row))[0] == 401, "nobody behind a proxy is this machine"
    status, _, body = await proxy.ask("PATCH", "/lists/board", {"Authorization": f"Bearer {TOKEN}"}, row)
    assert status in (200, 204), (status, body)
    await client.until(lambda: "k" in client.model("board").rows, what="the pushed row never came")
    large = b'{"set":[' + b" " * 1_500_000 + b"]}"
    status, _, body = await proxy.ask("PATCH", "/lists/board", {"Authorization": f"Bearer {TOKEN}"}, large)
    assert status == 413, (status, body)


async def strangers_are_refused(proxy):
    for origin in ("https://evil.test", f"http://{proxy.host}:{proxy.port}"):
        try:
            async with connect(
                f"wss://{proxy.host}:{proxy.port}/ws", host="127.0.0.1", ssl=proxy.trust(), origin=origin
            ):
                raise AssertionError(f"a page of {origin} was let in")
        except InvalidStatus as refusal:
            assert refusal.response.status_code == 403, refusal
    assert (await proxy.ask("GET", "/metrics"))[0] == 404, "figures are not for everybody"
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.plain)
    status, headers, _ = await exchange(
        reader, writer, "GET", "/lists?a=b%26c", {"Host": f"{proxy.host}:{proxy.plain}", "Connection": "close"}
    )
    writer.close()
    assert status == 308 and headers["location"].startswith(f"https://{proxy.host}"), (status, headers)


@test(limit=60)
async def behind_nginx_people_pull_and_programs_push():
    if not skipped("nginx"):
        await serves_as_without_it(Nginx, "lists.test", lambda folder: lambda: folder / "root.pem")


@test(limit=60)
async def behind_caddy_people_pull_and_programs_push():
    if not skipped("caddy"):
        root = "caddy/pki/authorities/local/root.crt"
        await serves_as_without_it(Caddy, "localhost", lambda folder: lambda: folder / root)


@test(limit=60)
async def behind_caddy_several_servers_are_one():
    if skipped("caddy"):
        return
    if not PROGRAMS:
        return harness.say("  (skipped: there is no PostgreSQL here)")
    flags = ["--allow-host", "localhost", "--proxy", "127.0.0.1", "--push-token", TOKEN]
    folder = Folder()
    with PostgresServer() as database:
        async with SharingServer(database, *flags) as first, SharingServer(database, *flags) as second:
            root = folder / "caddy/pki/authorities/local/root.crt"
            async with CaddyOfSeveral([first, second], folder, "localhost", lambda: root) as proxy:
                await all_show_what_is_pushed_to_any(proxy, first, second)
    folder.remove()


async def all_show_what_is_pushed_to_any(proxy, first, second):
    async def push(key):
        row = json.dumps({"set": [{"key": key, "fields": {"title": key}}]}).encode()
        headers = {"Authorization": f"Bearer {TOKEN}", "Connection": "close", "Idempotency-Key": key}
        return (await proxy.ask("PATCH", "/lists/board", headers, row))[0]

    async with proxy.client() as one, proxy.client() as two:
        for client in (one, two):
            await client.watch("board")
        for key in "abcd":
            assert await push(key) == 200
        for client in (one, two):
            await client.until(lambda client=client: len(client.model("board").rows) == 4, what="a pushed row never came")
        assert (await first.json("/lists/board"))["rows"] == (await second.json("/lists/board"))["rows"]
    await first.kill()
    for _ in range(4):
        # No question meets the one that is gone.
        assert len((await proxy.json("/lists/board"))["rows"]) == 4
    for key in "ef":
        # A body may, as Caddy does not send it twice; then it is sent again, as a program would.
        while (status := await push(key)) == 502:
            await asyncio.sleep(0.1)
        assert status == 200
    async with proxy.client() as back:
        await back.watch("board")
        await back.until(lambda: sorted(back.model("board").rows) == list("abcdef"), what="a row of before is missing")


COMPOSE = ("compose.yaml", "compose.cluster.yaml")


def compose(file="compose.yaml"):
    return yaml.safe_load((ROOT / file).read_text())


def of_all_services():
    """(file, name, service) of all files."""
    return [(file, name, service) for file in COMPOSE for name, service in compose(file)["services"].items()]


@test()
async def compose_asks_for_files_that_are_there_and_for_little_else():
    for file, name, service in of_all_services():
        assert service["read_only"] and service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"] and not service.get("privileged"), name
        for limit in ("mem_limit", "cpus", "pids_limit", "ulimits", "healthcheck", "stop_grace_period"):
            assert limit in service, f"{name} has no {limit}"
        for volume in service["volumes"]:
            source = re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", volume).split(":")[0]
            there = source in compose(file)["volumes"] or (ROOT / source).exists()
            assert there, f"{name} takes {source}"


@test()
async def compose_lets_nobody_past_caddy():
    lists = compose()["services"]["lists"]
    assert "ports" not in lists and lists["networks"] == ["inside"], "the server is reached through Caddy alone"
    subnet = compose()["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    assert lists["environment"]["REFRESHABLE_PROXY"] == subnet, "all who come through Caddy would be one address"


@test()
async def compose_of_a_cluster_has_the_same_server_thrice():
    cluster = compose("compose.cluster.yaml")
    services, networks = cluster["services"], cluster["networks"]
    one, two, three = (services[name] for name in ("one", "two", "three"))
    assert one == two == three, "any server may lead any list"
    assert [name for name, service in services.items() if "ports" in service] == ["caddy", "prometheus"]
    assert services["prometheus"]["ports"] == ["127.0.0.1:9090:9090"], "all but this machine reaches is behind Caddy"
    assert services["prometheus"]["profiles"] == ["monitoring"] and "database" not in services["prometheus"]["networks"]
    (job,) = yaml.safe_load((ROOT / "Examples/Monitoring/prometheus.yml").read_text())["scrape_configs"]
    assert job["dns_sd_configs"] == [{"names": ["one", "two", "three"], "type": "A", "port": 8080}]
    assert services["postgres"]["networks"] == ["database"] and "database" not in services["caddy"]["networks"]
    assert networks["inside"]["internal"] and networks["database"]["internal"]
    assert one["environment"]["REFRESHABLE_PROXY"] == networks["inside"]["ipam"]["config"][0]["subnet"]
    assert services["caddy"]["environment"]["SERVERS"] == "one:8080 two:8080 three:8080"
    assert "DATABASE_PASSWORD" not in one["environment"]["REFRESHABLE_STORE"], "it would have to be escaped there"


@test()
async def compose_is_read_by_compose():
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]) and not subprocess.run([*command, "version"], capture_output=True).returncode:
            for file in COMPOSE:
                done = subprocess.run(
                    [*command, "-f", str(ROOT / file), "config"], capture_output=True, text=True,
                    env={**os.environ, "SITE": "lists.test", "DATABASE_PASSWORD": TOKEN},
                )  # fmt: skip
                assert done.returncode == 0 and "lists.test" in done.stdout, done.stderr
            return
    harness.say("  (skipped: no compose is installed)")


def sqlite(*arguments):
    done = subprocess.run(["sqlite3", *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@test(limit=60)
async def a_backup_taken_while_it_runs_is_whole_and_is_another_history():
    folder = Folder()
    folder.write("fruit.tsv", [(f"{number}", f"Row {number}") for number in range(500)])
    async with Server([file_list(folder, every="100ms")], folder=folder) as server:
        models = {}
        client = await Client.connect(server, models=models)
        await client.watch("fruit")
        # Refreshed so often, it never comes to rest.
        await client.until(lambda: len(client.model("fruit").rows) == 500, what="the rows never came")
        stop = asyncio.Event()

        async def change():
            turn = 0
            while not stop.is_set():
                turn += 1
                folder.write("fruit.tsv", [(f"{number}", f"Row {number}, turn {turn}") for number in range(500)])
                await asyncio.sleep(0.05)

        changing = asyncio.create_task(change())
        (folder / "backup").mkdir()
        for file in (folder / "data").glob("*.sqlite"):
            await asyncio.to_thread(sqlite, file, f".backup '{folder / 'backup' / file.name}'")
            assert sqlite(folder / "backup" / file.name, "PRAGMA integrity_check").strip() == "ok"
        assert list((folder / "backup").iterdir()), [path.name for path in (folder / "data").iterdir()]
        await asyncio.sleep(0.5)
        stop.set()
        await changing
        await client.close()
        epoch = client.model("fruit").epoch
        assert await server.stop() == 0
        shutil.rmtree(folder / "data")
        (folder / "backup").rename(folder / "data")
        await server.start()
        async with Client.open(server, models=models) as back:
            ok = await back.watch("fruit", resume=True)
            assert ok["begin"] == "snapshot" and ok["epoch"] != epoch, f"it went back in time: {ok}"
            newest = (folder / "fruit.tsv").read_text().split("\n", 1)[0].split("\t")[1]
            await back.until(lambda: newest in str(back.model("fruit").ordered()[:1]), what=f"{newest} never came back")
            await back.shows_what_the_server_has("fruit")
            assert len(back.model("fruit").rows) == 500
