"""Examples/Monitoring: the dashboard and the alerts ask for what servers have, and Prometheus itself finds it there."""

import asyncio
import contextlib
import json
import os
import re
import shutil
import time
import urllib.parse
import urllib.request
from pathlib import Path

import yaml
from harness import Folder, Server, file_list, say, test
from metrics import FRUIT, Figures, after_some_traffic
from ports import free_port
from pushing import BOARD, patch, row
from shared_metrics import shared_test, two_servers

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "Examples/Monitoring"
SHARED = re.compile(r"refreshable_(store|leads?|renewed)_|refreshable_leads$")


def program(name):
    """Where promtool or Prometheus is, as the machine has it or as Scripts/setup has unpacked it; None: nowhere."""
    path = os.pathsep.join([os.environ["PATH"], str(ROOT / ".build/unpacked/prometheus/usr/bin")])
    found = shutil.which(name, path=path)
    if found is None:
        say(f"    skipped: there is no {name} here")
    return found


def dashboard():
    return json.loads((EXAMPLE / "dashboard.json").read_text())


def expressions():
    """(title of its panel, expression) of the dashboard, as Grafana asks for them when all servers are shown."""
    for panel in dashboard()["panels"]:
        for target in panel.get("targets", []):
            text = target["expr"].replace("$__rate_interval", "1m").replace("$job", "refreshable").replace("$instance", ".*")
            assert "$" not in text, f"{panel['title']}: a variable is left in {text}"
            yield panel["title"], text


def rules():
    """(name, expression) of the alerts."""
    groups = yaml.safe_load((EXAMPLE / "alerts.yml").read_text())["groups"]
    return [(rule["alert"], rule["expr"]) for group in groups for rule in group["rules"]]


def names_in(texts):
    """The metrics that expressions ask for, each by the name of its family."""
    asked = {name for text in texts for name in re.findall(r"\brefreshable_\w+", text)}
    return {re.sub(r"_(bucket|count|sum)$", "", name) for name in asked}


def families(text):
    return set(re.findall(r"^# TYPE (\S+)", text, re.MULTILINE))


def documented(after=""):
    text = (ROOT / "Documentation/Metrics.md").read_text()
    return set(re.findall(r"^\| `(refreshable_\w+)` \|", text[text.index(after) :], re.MULTILINE))


@test()
async def one_server_has_what_is_asked_of_one():
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    async with Server([file_list(folder)], folder=folder) as server:
        await after_some_traffic(server, folder)
        printed = families((await Figures.of(server)).text)
    for what, asked in (("dashboard", expressions()), ("alerts", rules())):
        names = {name for name in names_in(text for _, text in asked) if not SHARED.match(name)}
        assert len(names) >= 5 and names <= printed, f"{what}: {names - printed}"


@shared_test()
async def servers_over_one_database_have_what_is_asked_of_them_and_nothing_of_it_is_left_out():
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    async with two_servers([file_list(folder), BOARD], folder=folder) as (_, one, two):
        await after_some_traffic(one, folder)
        await two.json("/lists/fruit")
        printed = families((await Figures.of(one)).text)
        assert printed == families((await Figures.of(two)).text) | printed
    shared = {name for name in printed if SHARED.match(name)}
    assert len(shared) == 10, shared
    shown, alarming = (names_in(text for _, text in asked) for asked in (expressions(), rules()))
    assert shown <= printed and alarming <= printed, (shown - printed, alarming - printed)
    assert shared <= shown, f"the dashboard lacks {shared - shown}"
    assert shared <= alarming, f"nobody is alarmed by {shared - alarming}"
    assert shared == documented(after="### Several servers"), shared ^ documented(after="### Several servers")
    # Notifications are for one server alone.
    assert printed - shared < documented(), printed - documented()


@test()
async def every_panel_of_the_dashboard_can_be_read():
    panels = dashboard()["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    places = [panel["gridPos"] for panel in panels]
    cells = [(x, y) for at in places for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])]
    assert len(set(cells)) == len(cells) and all(0 <= x < 24 for x, _ in cells), "panels cover each other"
    for panel in panels:
        if panel["type"] == "row":
            continue
        assert panel["title"] and panel["description"].endswith("."), panel["title"]
        assert panel["datasource"]["uid"] == "${datasource}", panel["title"]
        assert all(target["datasource"]["uid"] == "${datasource}" and target["legendFormat"] for target in panel["targets"])
    kinds = {variable["name"]: variable["type"] for variable in dashboard()["templating"]["list"]}
    assert kinds == {"datasource": "datasource", "job": "query", "instance": "query"}, kinds
    assert dashboard()["schemaVersion"] >= 39, "Grafana 10.2 or newer"


async def promtool(*arguments):
    """Its output; it must succeed. Nothing where it is not installed."""
    if tool := program("promtool"):
        process = await asyncio.create_subprocess_exec(
            tool, *map(str, arguments), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        output = (await process.communicate())[0].decode()
        assert process.returncode == 0, output
        return output
    return None


@test()
async def promtool_takes_the_files():
    await promtool("check", "rules", "--lint=all", "--lint-fatal", EXAMPLE / "alerts.yml")
    await promtool("check", "config", EXAMPLE / "prometheus.yml")


@test()
async def each_alert_fires_when_it_should_and_is_silent_before():
    cases = yaml.safe_load((ROOT / "Tests/Integration/alerts_test.yml").read_text())["tests"]
    checks = [check for case in cases for check in case["alert_rule_test"]]
    for alert, _ in rules():
        wanted = [bool(check["exp_alerts"]) for check in checks if check["alertname"] == alert]
        assert set(wanted) == {True, False}, f"{alert} is not tried"
    await promtool("test", "rules", ROOT / "Tests/Integration/alerts_test.yml")


class Prometheus:
    """Prometheus itself with the example's settings, but for where the servers are and how often it asks."""

    def __init__(self, path, servers):
        self.path, self.servers, self.folder, self.port = path, servers, Folder(), free_port()

    async def __aenter__(self):
        settings = yaml.safe_load((EXAMPLE / "prometheus.yml").read_text())
        settings["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
        settings["rule_files"] = [str(EXAMPLE / name) for name in settings["rule_files"]]
        (job,) = settings["scrape_configs"]
        del job["dns_sd_configs"], job["relabel_configs"]
        job["static_configs"] = [
            {"targets": [f"127.0.0.1:{server.port}"], "labels": {"instance": server.name}} for server in self.servers
        ]
        (self.folder / "prometheus.yml").write_text(yaml.safe_dump(settings))
        with open(self.folder / "log", "wb") as log:
            self.process = await asyncio.create_subprocess_exec(
                self.path, f"--config.file={self.folder / 'prometheus.yml'}", f"--storage.tsdb.path={self.folder / 'data'}",
                f"--web.listen-address=127.0.0.1:{self.port}", stdout=log, stderr=log,
            )  # fmt: skip
        return self

    async def __aexit__(self, _, fault, __):
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        if fault:
            fault.add_note(f"Prometheus' log ends:\n{(self.folder / 'log').read_text()[-2000:]}")
        self.folder.remove()

    async def ask(self, path, **query):
        """What its API answers."""
        url = f"http://127.0.0.1:{self.port}{path}?{urllib.parse.urlencode(query)}"

        def answer():
            with urllib.request.urlopen(url, timeout=10) as found:
                return json.load(found)["data"]

        return await asyncio.to_thread(answer)

    async def eventually(self, path, holds, what, seconds=30, **query):
        deadline = time.monotonic() + seconds
        found = None
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                found = await self.ask(path, **query)
                if holds(found):
                    return found
            await asyncio.sleep(0.3)
        raise AssertionError(f"{what}: {found}")


# What is empty unless something went wrong, or has nothing to be reckoned with.
MAY_BE_EMPTY = {"Refused"}


@shared_test(limit=120)
async def prometheus_finds_something_for_every_panel_and_evaluates_every_alert():
    if not (path := program("prometheus")):
        return
    folder = Folder()
    folder.write("fruit.tsv", FRUIT)
    async with two_servers([file_list(folder), BOARD], folder=folder) as (_, one, two), Prometheus(path, (one, two)) as prometheus:
        await after_some_traffic(one, folder)
        await two.json("/lists/board")
        up = 'count(up{job="refreshable"} == 1)'
        await prometheus.eventually(
            "/api/v1/query", lambda found: value(found) == 2, "it does not reach the servers", query=up)  # fmt: skip
        for number in range(4):
            assert (await patch((one, two)[number % 2], {"set": [row(f"a{number}")]}))[0] == 200
            await one.refresh("fruit")
            await asyncio.sleep(1)
        for title, expression in expressions():
            await prometheus.eventually(
                "/api/v1/query", lambda found, title=title: found["result"] or title in MAY_BE_EMPTY, title, query=expression)  # fmt: skip

        wanted = dict(rules())
        done = await prometheus.eventually(
            "/api/v1/rules", lambda found: {rule["health"] for rule in alerts(found)} == {"ok"}, "not all alerts are evaluated")  # fmt: skip
        assert {rule["name"] for rule in alerts(done)} == set(wanted)
        firing = [rule["name"] for rule in alerts(done) if rule["state"] == "firing"]
        assert firing == [], "nothing is wrong, and people are alarmed"
        await two.kill()
        await prometheus.eventually(
            "/api/v1/rules", lambda found: "ServerIsDown" in [rule["name"] for rule in alerts(found) if rule["state"] != "inactive"],
            "nobody hears that a server is down")  # fmt: skip


def value(found):
    """The number that a query with one result has; None: it has none."""
    return float(found["result"][0]["value"][1]) if found["result"] else None


def alerts(found):
    return [rule for group in found["groups"] for rule in group["rules"]]
