"""A thousand watchers join a list of 10,000 rows in the same moment."""

import http.client
import time

import frames
from contender import Contender
from counts import Counts
from servers import STATE_BEGINS, Floor, Refreshable

ROWS, WATCHERS = 10_000, 1_000


def lists(folder, count):
    """Lists of 10,000 rows of some 100 bytes, that nobody has seen yet."""
    file = folder / "rows.tsv"
    file.write_text("".join(
        f"key-{row}\tRow {row} of a long list\tWhat is said of row {row * 7919 % ROWS}, in a few words\n" for row in range(ROWS)))
    fields = {"key": 1, "title": 2, "subtitle": 3}
    return [
        {"name": f"long-{number}", "command": f"cat '{file}'", "format": "tsv", "fields": fields} for number in range(count)]


def measure(tools, is_compressed, repetitions):
    """One watcher alone, and then all at once, each time on a list that is loaded and was never encoded."""
    counts = Counts(tools, f"storm{'-deflate' * is_compressed}")
    with counts.standing_before(tools):
        ours = Contender(Refreshable, tools, is_compressed)
    floor = Contender(Floor, tools, is_compressed)
    try:
        for contender in (ours, floor):
            contender.gather(100, greets=False)
            contender.crowd.open(WATCHERS - 100, greets=False)
        storms = [join(ours, number, 1 if number == 0 else WATCHERS, counts) for number in range(repetitions + 1)]
        floor.server.answer_with(ours.crowd.capture(ours.server.folder / "captured"))
        floors = [say(floor, "join", STATE_BEGINS, WATCHERS) for _ in range(repetitions)]
        return {"alone": storms[0], "storms": storms[1:], "floors": floors}
    finally:
        ours.close()
        floor.close()


def join(ours, number, count, counts):
    """So many watchers join a list; and how often ours began to compress anything meanwhile."""
    load(ours.server.port, f"long-{number}")
    name, before = f'"list":"long-{number}"', counts.read()["compressions"]
    run = say(ours, f'{{"type":"watch",{name}}}', f'{{"type":"state",{name}', count)
    stream = ours.crowd.capture(ours.server.folder / "captured")
    # RSV1: the frames that one watcher got compressed.
    compressed = sum(wire[0] >> 6 & 1 for _, _, wire in frames.split(stream))
    return run | {"compressions": counts.read()["compressions"] - before, "compressed": compressed}


def say(contender, message, awaited, count):
    with contender.timed() as spent:
        run = contender.crowd.say(message, awaited, count)
    return run | {"cpu": spent.cpu}


def load(port, name):
    """Has a list get its rows, without anybody watching."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", f"/lists/{name}/refresh", headers={"Content-Length": "0"})
    answer = connection.getresponse().read()
    connection.close()
    if b'"success"' not in answer:
        raise RuntimeError(f"The list {name} did not load: {answer[:300]!r}")
    time.sleep(1)
