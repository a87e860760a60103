"""The messages in the protocol's document: the server takes those of a client, and may send those of a server."""

import json
import re

import frames
import harness
import websockets
from pages import ROOT
from registry import runs
from running import environment, running

LISTS = """lists:
  - {name: names, demo: names}
  - {name: mail, push: true, actions: [{title: Archive, effect: remove}, {title: Flag, effect: {badge: "!"}}]}
"""
LAST = '{"run":"r7","outcome":"success","duration":1,"changes":{"inserted":0,"changed":0,"moved":0,"removed":0}}'
# What the document leaves out, by what may stand there.
OMITTED = [
    (r'("threshold":\d+),"…":0', r'\1,"minimum":10,"hold":56,"hysteresis":8'),
    (r',"…":0\}', "}"),
    (r'"…",\s*\{', "{"),
    (r'"last":\{…\}', f'"last":{LAST}'),
    (r'":…', '":1'),
]
# A message that the server can't read.
UNREADABLE = {"badJSON", "badType", "badField"}


def messages(text):
    """(arrow, message) of each message of a block; what stands beside one in prose is left out."""
    for omitted, shown in OMITTED:
        text = re.sub(omitted, shown, text)
    for arrow, message in re.findall(r"^([→←]) (.*(?:\n\s.*)*)", text, re.MULTILINE):
        yield arrow, json.JSONDecoder().raw_decode(message.replace("\n", " "))[0]


@runs("messages")
async def messages_are_taken_and_may_be_sent(given):
    if given.text.startswith('"actions":'):
        assert frames.ACTIONS(json.loads(f"{{{given.text}}}")["actions"])
        return
    shown = list(messages(given.text))
    assert len(shown) == len(re.findall("^[→←]", given.text, re.MULTILINE)) > 0
    for arrow, message in shown:
        if arrow == "←":
            frames.check(message)
    if sent := [message for arrow, message in shown if arrow == "→"]:
        await the_server_takes(sent, given.folder)


async def the_server_takes(sent, folder):
    """Sends messages of a client; the server may refuse what they ask for, and not how they ask."""
    (folder / "lists.yaml").write_text(LISTS)
    command = [harness.BINARY, "serve", "--ephemeral"]
    async with running(*command, folder=folder, environment=environment(folder)):
        async with websockets.connect("ws://localhost:8080/ws", subprotocols=["refreshable.v1"]) as socket:
            for message in [*sent, {"type": "watch", "id": "last", "list": "names"}]:
                await socket.send(json.dumps(message))
            answer = {}
            while answer.get("id") != "last":
                answer = json.loads(await socket.recv())
                assert answer.get("code") not in UNREADABLE, f"{sent}: {answer}"


@runs("message", "Protocol: Connecting")
async def a_welcome_may_be_sent(given):
    frames.check(json.loads(given.text))


@runs("message", "Protocol: Notifications")
async def a_notification_has_the_members_that_its_test_reads(given):
    test = (ROOT / "Tests/Integration/notifications.py").read_text()
    for member in json.loads(given.text):
        assert f'message["{member}"]' in test, member
