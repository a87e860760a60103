"""What a server tells those who run it: `/metrics`, read by the parser of Prometheus' own client."""

import asyncio
import json
import re
import shutil
from pathlib import Path

from access import COOK, KITCHEN, WRONG, bearer, entry, guarded, shown
from client import Client
from harness import Folder, Server, eventually, exchange, file_list, slow_list, test, tsv
from prometheus_client.parser import text_string_to_metric_families
from websockets.asyncio.client import connect

ROOT = Path(__file__).resolve().parents[2]
FRUIT = [("a", "Apple"), ("b", "Banana")]


class Figures:
    """One reading of `/metrics`."""

    def __init__(self, text):
        self.text = text
        self.families = {family.name: family for family in text_string_to_metric_families(text)}
        self.samples = {
            (sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in self.families.values()
            for sample in family.samples
        }

    @classmethod
    async def of(cls, server):
        status, headers, body = await server.http("GET", "/metrics")
        assert status == 200, f"{status} {body[:200]}"
        assert headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8", headers
        assert headers["cache-control"] == "no-store", headers
        return cls(body.decode())

    def __getitem__(self, name):
        """The value of a name without labels, or of a (name, labels)."""
        name, labels = name if isinstance(name, tuple) else (name, {})
        key = (f"refreshable_{name}", tuple(sorted(labels.items())))
        assert key in self.samples, f"{key} is not among\n{self.text}"
        return self.samples[key]

    def has(self, name, **labels):
        return (f"refreshable_{name}", tuple(sorted(labels.items()))) in self.samples


def fruit(**settings):
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    return folder, [file_list(folder, **settings)]


async def after_some_traffic(server, folder):
    """Something of everything that is counted, so that every family has a series."""
    async with Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        folder.write("fruit.tsv", FRUIT[:1])
        await client.pull("fruit", 1)
        await client.settled("fruit")
        await client.ask({"type": "watch", "list": "nowhere"})
    await server.json("/lists")
    await asyncio.sleep(1.5)  # The lag is measured once a second.


@test()
async def every_line_is_as_prometheus_has_it():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        await after_some_traffic(server, folder)
        figures = await Figures.of(server)
        for name, family in figures.families.items():
            assert name.startswith("refreshable_") and family.documentation.endswith("."), family
            assert family.type in ("counter", "gauge", "histogram"), family
            units = r"(_bytes|_seconds|_total)$"
            if family.type == "counter":  # The parser takes `_total` off.
                assert f"# TYPE {name}_total counter" in figures.text, f"{name} is a counter"
            if family.type == "histogram":
                assert re.search(units, name), f"{name} has no unit"
        if promtool := shutil.which("promtool"):
            process = await asyncio.create_subprocess_exec(
                promtool, "check", "metrics", stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
            )  # fmt: skip
            output, _ = await process.communicate(figures.text.encode())
            assert process.returncode == 0 and not output, output.decode()


@test()
async def the_document_tells_what_there_is_and_nothing_else():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        await after_some_traffic(server, folder)
        text = (await Figures.of(server)).text
    printed = {}
    for name in re.findall(r"^# TYPE (\S+)", text, re.MULTILINE):
        labels = re.findall(rf"^{name}(?:_sum)?(?:{{(.*)}})? \S+$", text, re.MULTILINE)
        assert labels, f"{name} has no series"
        printed[name] = set(re.findall(r'(\w+)="', labels[0]))
    # What servers have that share a database is held against two of them in monitoring.py.
    document, _, _ = (ROOT / "Documentation/Metrics.md").read_text().partition("### Several servers")
    table = re.findall(r"^\| `(refreshable_\w+)` \|([^|]*)\|", document, re.MULTILINE)
    told = {name: set(re.findall(r"`(\w+)`", labels)) for name, labels in table}
    assert told == printed, f"{set(told) ^ set(printed)} {[n for n in told if told[n] != printed.get(n)]}"


@test()
async def figures_are_exactly_what_happened():
    folder, lists = fruit()
    async with Server(lists, "--loops", "1", folder=folder) as server:
        loop, here = {"loop": "0"}, {"list": "fruit"}
        sent, heard = [], []

        async with connect(
            f"ws://localhost:{server.port}/ws", subprotocols=["refreshable.v1"], compression=None, ping_interval=None
        ) as socket:

            async def say(message):
                sent.append(json.dumps(message))
                await socket.send(sent[-1])

            async def hear(fits):
                while True:
                    heard.append(await asyncio.wait_for(socket.recv(), 10))
                    if fits(json.loads(heard[-1])):
                        return

            await say({"type": "watch", "id": "1", "list": "fruit"})
            await hear(lambda frame: frame["type"] == "state" and frame["phase"] == "waiting")
            folder.write("fruit.tsv", [*FRUIT, ("c", "Cherry")])
            await say({"type": "refresh", "id": "2", "list": "fruit"})
            await hear(lambda frame: frame["type"] == "state" and frame["phase"] == "waiting")
            await say({"type": "watch", "id": "3", "list": "nowhere"})
            await hear(lambda frame: frame["type"] == "error")
            figures = await Figures.of(server)

            lengths = [len(text.encode()) for text in heard]
            plain = {"loop": "0", "compression": "none"}
            assert figures["sent_frames_total", plain] == len(heard), heard
            assert figures["sent_bytes_total", plain] == sum(n + (2 if n < 126 else 4) for n in lengths)
            assert figures["sent_frames_total", {"loop": "0", "compression": "deflate"}] == 0
            assert figures["received_messages_total", loop] == 3
            assert figures["received_bytes_total", loop] == sum(len(text) for text in sent)
            assert figures["sockets", loop] == 1 and figures["opened_sockets_total", loop] == 1
            assert figures["connections", loop] == 2, "the socket, and this question"
            assert figures["accepted_connections_total", loop] == 2
            assert figures["lists"] == 1 and figures["watches", here] == 1 and figures["rows", here] == 3
            assert figures["revisions_total", here] == 2
            assert figures["patches_total", {**here, "kind": "live"}] == 2
            assert figures["patches_total", {**here, "kind": "snapshot"}] == 1, "an empty one"
            assert figures["runs_total", {**here, "outcome": "success"}] == 2
            assert figures["run_duration_seconds_count", {**here, "outcome": "success"}] == 2
            assert figures["runs_total", {**here, "outcome": "failure"}] == 0
            assert figures["message_errors_total", {"code": "unknownList"}] == 1
            assert figures["broadcast_duration_seconds_count", loop] >= 4
            assert figures["run_in_progress", here] == 0 and figures["stale", here] == 0
            body = await server.json("/lists/fruit")
            assert figures["updated_timestamp_seconds", here] * 1000 == body["updatedAt"]
        await eventually_is(server, ("closed_sockets_total", {"code": "1000"}), 1)
        figures = await Figures.of(server)
        assert figures["sockets", loop] == 0 and figures["watches", here] == 0
        assert figures["http_responses_total", {"code": "200"}] == figures["accepted_connections_total", loop] - 2


async def eventually_is(server, name, value, seconds=5):
    for _ in range(seconds * 20):
        figures = await Figures.of(server)
        if figures.has(name[0], **name[1]) and figures[name] == value:
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"{name} is not {value}:\n{figures.text}")


@test()
async def what_goes_out_compressed_is_told_apart():
    folder = Folder()
    folder.write("fruit.tsv", [(f"k{number}", "the same words again and again") for number in range(50)])
    async with Server([file_list(folder)], "--loops", "1", folder=folder) as server, Client.open(server) as client:
        await client.watch("fruit")
        await client.settled("fruit")
        figures = await Figures.of(server)
        packed = {"loop": "0", "compression": "deflate"}
        assert figures["sent_frames_total", packed] == 1, "one patch of fifty rows"
        assert figures["inflated_bytes_total", {"loop": "0"}] > 3 * figures["sent_bytes_total", packed] > 0


@test()
async def refusals_have_their_reason():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        shake = {
            "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        }  # fmt: skip
        asked = [
            ("host", "/lists", {"Host": "elsewhere.example"}, 403),
            ("origin", "/ws", {**shake, "Origin": "https://evil.example"}, 403),
            ("handshake", "/ws", {**shake, "Sec-WebSocket-Version": "12"}, 426),
            ("owner", "/nowhere", shake, 404),
        ]
        for reason, path, headers, wanted in asked:
            status, _, _ = await server.http("GET", path, headers)
            assert status == wanted, f"{reason}: {status}"
        figures = await Figures.of(server)
        for reason in ("host", "origin", "handshake", "owner"):
            assert figures["refusals_total", {"reason": reason}] == 1, figures.text
        assert figures["refusals_total", {"reason": "connections"}] == 0
        assert figures["http_responses_total", {"code": "403"}] == 2


@test()
async def tokens_that_do_not_count_are_counted():
    tokens = [
        entry("all", KITCHEN, {"*": ["read"]}), entry("cook", COOK, {"fruit": ["read"]}),
        entry("old", "an-old-one-from-before", {"*": ["read"]}, expires="2020-01-01"),
    ]  # fmt: skip
    async with guarded(tokens, "--push-token", "a-token-to-push-with") as server:

        async def refused():
            status, _, body = await server.http("GET", "/metrics", bearer(KITCHEN))
            assert status == 200, body
            return {
                sample.labels["reason"]: sample.value
                for sample in Figures(body.decode()).families["refreshable_refusals"].samples
            }

        assert set((await refused()).values()) == {0}
        expected = dict.fromkeys(("token", "expired", "anonymous", "right", "guesses"), 0)
        for method, path, secret, status, reason in (
            ("GET", "/lists", WRONG, 401, "token"), ("GET", "/lists", "an-old-one-from-before", 401, "expired"),
            ("GET", "/lists", None, 401, "anonymous"), ("GET", "/lists/fruit", None, 401, "anonymous"),
            ("GET", "/metrics", None, 401, "anonymous"), ("GET", "/metrics", COOK, 401, "right"),
            ("POST", "/lists/fruit/refresh", COOK, 403, "right"), ("PATCH", "/lists/board", KITCHEN, 403, "right"),
            ("GET", "/lists/fruit", "a-token-to-push-with", 403, "right"),
            # Of what one may not see, nothing is told here either.
            ("GET", "/lists/salaries", COOK, 404, None), ("GET", "/lists/nowhere", COOK, 404, None),
        ):  # fmt: skip
            answer, _, _ = await server.http(method, path, bearer(secret) if secret else {}, None if method == "GET" else b"{}")
            assert answer == status, f"{method} {path} {secret}: {answer}"
            if reason:
                expected[reason] += 1
            counted = await refused()
            assert {name: counted[name] for name in expected} == expected, f"{method} {path} {secret}: {counted}"

        async with Client.open(server, **shown(COOK)) as client:
            await client.watch("fruit")
            assert (await client.ask({"type": "refresh", "list": "fruit"}))["code"] == "forbidden"
        async with Client.open(server) as client:
            assert (await client.ask({"type": "watch", "list": "nowhere"}))["code"] == "unauthorised"
            await client.ask({"type": "hello", "token": WRONG})
        for number in range(12):
            await server.http("GET", "/lists", bearer(f"guess-{number}"))
        counted = await refused()
        assert counted["right"] == expected["right"] + 1 and counted["anonymous"] == expected["anonymous"] + 1, counted
        # WRONG was a guess already, when it was shown for the first time; every five seconds one counts no more.
        assert counted["token"] - expected["token"] + counted["guesses"] == 13 and 2 <= counted["guesses"] <= 3, counted
        assert "Refused a token." in server.log and "reason=expired" in server.log, server.log
        assert WRONG not in server.log and server.log.count("Refused a token.") < 13, server.log


@test()
async def a_failed_run_counts_and_its_list_is_stale():
    async with Server([tsv("broken", "exit 7")]) as server:
        await server.refresh("broken")
        figures = await Figures.of(server)
        assert figures["runs_total", {"list": "broken", "outcome": "failure"}] == 1
        assert figures["stale", {"list": "broken"}] == 1
        assert not figures.has("updated_timestamp_seconds", list="broken")


@test()
async def looking_reads_no_list():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        figures = await Figures.of(server)
        assert not figures.has("rows", list="fruit") and folder.lines("fruit.log") == []


@test()
async def a_run_under_way_is_seen():
    folder = Folder()
    folder.write("slow.tsv", FRUIT)
    async with Server([slow_list(folder, seconds=2)], folder=folder) as server:
        refresh = asyncio.create_task(server.refresh("slow"))
        await eventually(lambda: folder.lines("slow.log"))
        assert (await Figures.of(server))["run_in_progress", {"list": "slow"}] == 1
        await refresh
        figures = await Figures.of(server)
        assert figures["run_in_progress", {"list": "slow"}] == 0
        labels = {"list": "slow", "outcome": "success"}
        assert 2 <= figures["run_duration_seconds_sum", labels] < 8
        assert figures["run_duration_seconds_bucket", {**labels, "le": "1"}] == 0


@test()
async def a_list_that_goes_leaves_no_figures():
    folder, lists = fruit()
    folder.write("trees.tsv", FRUIT)
    async with Server([*lists, file_list(folder, "trees")], folder=folder) as server:
        await server.refresh("trees")
        assert 'list="trees"' in (await Figures.of(server)).text
        (folder / "lists.yaml").write_text(json.dumps({"lists": lists}))
        await eventually(lambda: "removed trees" in server.log, 8)
        assert 'list="trees"' not in (await Figures.of(server)).text


@test()
async def names_of_lists_are_for_this_machine_unless_all_may_read():
    folder, lists = fruit()
    far = {"X-Forwarded-For": "192.0.2.1"}
    async with Server(lists, folder=folder) as server:
        status, _, body = await server.http("GET", "/metrics", far)
        assert status == 403 and b"--metrics all" in body and b"fruit" not in body, body
        status, headers, _ = await server.http("POST", "/metrics", {"Content-Length": "0"})
        assert status == 405 and headers["allow"] == "GET, HEAD", headers
        status, headers, body = await server.http("HEAD", "/metrics")
        assert (status, body) == (200, b"") and int(headers["content-length"]) > 1000, headers
    async with Server(lists, "--metrics", "all") as server:
        status, _, body = await server.http("GET", "/metrics", far)
        assert status == 200 and b'list="fruit"' in body, body
    async with Server(lists, "--metrics", "off") as server:
        status, _, body = await server.http("GET", "/metrics")
        assert status == 404, body


@test()
async def each_loop_has_its_own_figures():
    folder, lists = fruit()
    async with Server(lists, "--loops", "2", folder=folder) as server:
        clients = [await Client.connect(server) for _ in range(4)]
        for client in clients:
            await client.watch("fruit")
            await client.settled("fruit")
        figures = await Figures.of(server)
        assert [figures["sockets", {"loop": loop}] for loop in "01"] == [2, 2], figures.text
        assert figures["watches", {"list": "fruit"}] == 4
        assert all(figures["loop_cpu_seconds_total", {"loop": loop}] > 0 for loop in "01")
        for client in clients:
            await client.close()


@test()
async def many_who_ask_at_once_are_all_answered():
    folder, lists = fruit()
    async with Server(lists, folder=folder) as server:
        readings = await asyncio.gather(*(Figures.of(server) for _ in range(20)))
        assert all(reading["lists"] == 1 for reading in readings)
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        for _ in range(5):
            status, _, _ = await exchange(reader, writer, "GET", "/metrics", {"Host": f"localhost:{server.port}"})
            assert status == 200
        writer.close()
