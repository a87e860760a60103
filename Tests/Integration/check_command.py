"""`refreshable check`: what is wrong with a settings file, and what its sources give."""

import asyncio
import json
import os
import re
import time

import harness
from certificates import Authority
from harness import Folder, test


async def check(folder, lists, *flags, terminal=None, **variables):
    """Runs it on a file with these lists, or this text: (exit status, lines of standard output, standard error)."""
    text = lists if isinstance(lists, str) else json.dumps({"lists": lists})
    (folder / "lists.yaml").write_text(text)
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder.path), **variables}
    process = await asyncio.create_subprocess_exec(
        str(harness.BINARY), "check", *flags, cwd=folder.path, env=environment,
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate()
    return process.returncode, out.decode().splitlines(), err.decode()


@test()
async def a_fault_is_told_with_its_place_and_nothing_runs():
    folder = Folder()
    status, out, _ = await check(folder, f"lists:\n  - name: a\n    command: touch {folder / 'ran'}\n    mode: steam\n")
    assert status == 78, status
    assert out == [
        'lists.yaml:4:11: mode: expected replace or stream, got "steam"; did you mean "stream"?',
        "1 fault in lists.yaml.",
    ], out
    assert not (folder / "ran").exists()
    folder.remove()


@test()
async def every_source_is_run_once_and_its_first_rows_are_a_table():
    folder = Folder()
    (folder / "rows.csv").write_text("key,title,badge\na,Apple,3\nb,Banana,12\nc,Cherry,1\nd,Date,7\n")
    lists = [
        {"name": "files", "file": "rows.csv", "fields": {"key": "key", "title": "title", "badge": "badge"}},
        {"name": "words", "command": f"echo run >> {folder / 'log'}; echo 'Hello there'", "fields": {"key": 1, "title": 2}},
        {"name": "pushed", "push": True},
    ]
    status, out, err = await check(folder, lists)
    assert status == 0 and err == "", (status, err)
    assert out[0] == "lists.yaml: 3 lists, no fault." and out[2].startswith("files: 4 rows in "), out
    assert out[3:7] == ["  KEY  TITLE   BADGE", "  a    Apple   3", "  b    Banana  12", "  c    Cherry  1"], out
    assert out[8].startswith("words: 1 row in ") and out[9:] == ["  KEY    TITLE", "  Hello  there"], out
    assert folder.lines("log") == ["run"]
    assert not (folder / ".refreshable").exists(), "nothing is kept"
    folder.remove()


@test()
async def a_source_that_fails_says_why_in_its_own_words_beside_those_that_do_not():
    folder = Folder()
    lists = [
        {"name": "broken", "command": "echo 'no such table: people' >&2; exit 3"},
        {"name": "absent", "command": ["no-such-program"]},
        {"name": "twice", "command": "echo a 1; echo a 2", "fields": {"key": 1, "title": 2}},
        {"name": "fine", "command": "echo Apple"},
    ]
    status, out, _ = await check(folder, lists)
    text = "\n".join(out)
    assert status == 1, status
    assert "  The command ended with status 3. It printed: no such table: people" in out, text
    assert "The command “no-such-program” was not found." in text and 'Two rows have the key “a”' in text, text
    assert "fine: 1 row in " in text, text
    folder.remove()


@test()
async def each_source_has_its_own_deadline_and_leaves_nothing_behind():
    folder = Folder()
    lists = [{"name": "slow", "command": f"echo $$ > {folder / 'pid'}; sleep 60", "deadline": "500ms"}]
    started = time.monotonic()
    status, out, _ = await check(folder, lists)
    assert status == 1 and time.monotonic() - started < 10, (status, out)
    assert out[-1] == "  It had no output for 500 ms. Raise its `deadline`, or set it to none.", out
    pid = int(folder.lines("pid")[0])
    assert not os.path.exists(f"/proc/{pid}"), "its command is still there"
    folder.remove()


@test()
async def no_run_runs_nothing():
    folder = Folder()
    status, out, _ = await check(folder, [{"name": "a", "command": f"touch {folder / 'ran'}"}], "--no-run")
    assert status == 0 and out == ["lists.yaml: 1 list, no fault."], (status, out)
    assert not (folder / "ran").exists()
    folder.remove()


@test()
async def a_file_that_is_not_there_says_how_to_begin():
    folder = Folder()
    process = await asyncio.create_subprocess_exec(
        str(harness.BINARY), "check", cwd=folder.path, env={"PATH": os.environ["PATH"]},
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate()
    assert process.returncode == 66 and out == b"" and b"refreshable init" in err, (process.returncode, err)
    folder.remove()


@test()
async def what_came_from_the_environment_is_not_repeated():
    folder = Folder()
    lists = [
        {"name": "a", "command": {"run": "echo $KEY >&2; exit 1", "environment": {"KEY": "${TOKEN}"}}},
        {"name": "b", "command": ["cat", "/no/${TOKEN}"]},
    ]
    status, out, err = await check(folder, lists, TOKEN="correct-horse")
    text = "\n".join(out) + err
    assert status == 1 and "correct-horse" not in text and "It printed: ${TOKEN}" in text, text
    status, out, _ = await check(folder, [{"name": "${TOKEN}!", "demo": "fruit"}], TOKEN="correct-horse")
    assert status == 78 and "correct-horse" not in "\n".join(out) and "${TOKEN}!" in out[0], out
    folder.remove()


def server(**members):
    return json.dumps({"server": members, "lists": [{"name": "a", "push": True}]})


@test(limit=60)
async def the_files_of_tls_are_opened():
    folder = Folder()
    authority = Authority(folder.path)
    authority.issue()
    authority.issue("other")
    (folder / "locked.key").write_text("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----\n")
    (folder / "empty.pem").write_text("")
    for certificate, key, fault in (
        ("absent.pem", "server.key", r'certificate: expected a certificate in PEM, got ".*/absent.pem": no such file'),
        ("server.pem", "absent.key", r'key: expected the certificate\'s private key in PEM, got ".*/absent.key": no such file'),
        ("empty.pem", "server.key", r'certificate: .* got ".*/empty.pem": it is empty'),
        ("server.pem", "other.key", r'key: .* got ".*/other.key": the key does not belong to the certificate'),
        ("server.key", "server.pem", r"certificate: .*: it holds a private key and no certificate"),
        ("server.pem", "locked.key", r"key: .*: the key is locked by a password. Unlock it: openssl"),
    ):  # fmt: skip
        settings = f"server:\n  tls:\n    certificate: {certificate}\n    key: {key}\nlists: [{{name: a, push: true}}]\n"
        status, out, err = await check(folder, settings, "--no-run")
        line = 3 if fault.startswith("certificate") else 4
        column = 18 if line == 3 else 10
        assert status == 78 and err == "", (status, out, err)
        assert re.match(rf"lists.yaml:{line}:{column}: server.tls.{fault}", out[0]), (fault, out)
        assert out[1] == "1 fault in lists.yaml.", out
    folder.remove()


@test(limit=60)
async def a_certificate_that_browsers_refuse_or_will_soon_is_told():
    folder = Folder()
    authority = Authority(folder.path)
    authority.issue("old", days=-1)
    status, out, _ = await check(folder, server(tls={"certificate": "old.pem", "key": "old.key"}))
    assert status == 78 and "old.pem\", which expired on 2020-02-01. Renew it." in out[0], (status, out)
    for days, hosts, remarks in (
        (9, [], ["is valid until"]), (40, ["lists.test:8443"], []),
        (40, ["lists.example.org"], ["is not made for lists.example.org: browsers refuse it there."]),
    ):  # fmt: skip
        authority.issue(days=days)
        members = {"allowHosts": hosts} if hosts else {}
        status, out, _ = await check(folder, server(tls={"certificate": "server.pem", "key": "server.key"}, **members))
        assert status == 0 and len(out) == len(remarks) + 1 and out[-1] == "lists.yaml: 1 list, no fault.", (status, out)
        assert all(remark in line for remark, line in zip(remarks, out)), out
    folder.remove()


@test(limit=60)
async def what_the_environment_names_is_opened_too_and_told_by_its_variable():
    folder = Folder()
    Authority(folder.path).issue()
    status, out, _ = await check(folder, server(), REFRESHABLE_CERTIFICATE="absent.pem", REFRESHABLE_KEY="server.key")
    assert status == 78 and out[0].startswith('REFRESHABLE_CERTIFICATE: expected a certificate in PEM, got "absent'), out
    status, out, _ = await check(folder, server(), REFRESHABLE_CERTIFICATE="server.pem")
    assert status == 78 and "--key: expected the file of the certificate's private key" in out[0], out
    status, out, _ = await check(folder, server(), REFRESHABLE_CERTIFICATE="server.pem", REFRESHABLE_KEY="server.key")
    assert status == 0, out
    status, out, _ = await check(folder, server(tokens="absent.yaml"))
    assert status == 78 and out[0].startswith("lists.yaml:1:23: server.tokens: expected a file of tokens, got "), out
    folder.remove()
