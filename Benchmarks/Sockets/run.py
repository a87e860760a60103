#!/usr/bin/env python3
"""Measures what a message costs a server that sends it to thousands, beside a bare send() loop and other servers.

    python Benchmarks/Sockets/run.py                       all there is: about 7 minutes
    python Benchmarks/Sockets/run.py --quick               1,000 watchers, fewer repetitions: about a minute
    python Benchmarks/Sockets/run.py --peers ws,uws --sizes 1000,10000 --only fanout
    python Benchmarks/Sockets/run.py --peers none          ours and the floor alone
    python Benchmarks/Sockets/run.py --svg Documentation/sockets.svg

A message begins as an HTTP request (ours: `PATCH /lists/bench`, which is compared, committed and made a patch) and ends when
the last watcher has it; then comes the next. The processor's time is that of all of a server's processes and threads, which
share one core; the load client has another and never sleeps. Ratios are of neighbours in the same run: trust those, and no
absolute times.
"""

import argparse
import json
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import fanout
import frames
import picture
import pulls
import joining
import work
from contender import Contender
from servers import PEERS, Echo, Floor, Missing, Refreshable
from report import Report
from tools import Tools

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
STARTED = time.monotonic()
WORKS = ("fanout", "pulls", "return", "storm", "work")
# From so many watchers on, pulls are measured among them.
MANY = 5000
# How long one repetition lasts; pulls take longer.
REPETITION, SMOKE = 350, 40


def contenders(stack, tools, kinds, report):
    """Starts all that can be had, plain and compressed; some know no difference.

    The floor knows none either, but has watchers of its own for each frame: they rest in between as long as all others do."""
    started = []
    for kind in kinds:
        for is_compressed in (False, True) if kind.can_compress else (False,):
            try:
                kind.check(tools)
                started.append(Contender(kind, tools, is_compressed))
                stack.callback(started[-1].close)
            except Missing as reason:
                report.miss(kind.name, str(reason))
                break
    return started


def stage(tools, size, given, report):
    """Everything that is measured with so many watchers."""
    with ExitStack() as stack:
        echo = [Echo] if asks(size, given) else []
        everybody = contenders(stack, tools, [Floor, Refreshable, *echo, *given.kinds], report)
        for contender in everybody:
            contender.gather(size)
        # Ours has loaded its list by then, and rests.
        time.sleep(1)
        for contender in list(everybody):
            say(f"{size:,} watchers of {contender.key}")
            try:
                contender.fill(size)
            except RuntimeError as error:
                report.miss(contender.server.name, str(error).splitlines()[0])
                everybody.remove(contender)
        report.watched(size, everybody)
        plain, deflate = (contender for contender in everybody if isinstance(contender.server, Refreshable))
        sent = frames.take(plain, deflate)
        report.framed(sent)
        cells = [fanout.Cell(contender, sent) for contender in everybody if contender.server.is_pushed]
        if "fanout" in given.only:
            say(f"{size:,} watchers, {len(cells)} contenders in turn, {given.repetitions} times")
            fanout.compare(cells, given.repetitions, given.milliseconds)
            report.sent(size, cells)
        if asks(size, given):
            ask(size, everybody, cells, given, report)
        if "return" in given.only and size == max(given.sizes):
            come_back(size, everybody, report)


def asks(size, given):
    return "pulls" in given.only and (size >= MANY or given.smoke)


def ask(size, everybody, cells, given, report):
    """Pulls: among idle watchers, and, where there are most of them, amid a broadcast."""
    broken = {cell.contender.key for cell in cells if cell.fault}
    asked = [one for one in everybody if one.server.is_asked and one.key not in broken]
    say(f"{size:,} watchers, pulls")
    plain = [one for one in asked if not one.is_compressed]
    report.asked_idle(size, pulls.ask_idle(plain, given.repetitions, 2 * given.milliseconds, report.miss))
    if size == max(given.sizes):
        others = [one for one in asked if one.server.is_pushed and not isinstance(one.server, Floor)]
        if "fanout" not in given.only:
            for cell in cells:
                cell.repeat(1, counts=False)
        report.asked_amid(size, pulls.ask_amid(others, 1, 7 * given.milliseconds, report.miss))


def come_back(size, everybody, report):
    """All watchers of one server after the other are cut off, and come back at once."""
    say(f"{size:,} watchers come back at once")
    for contender in everybody:
        if contender.server.is_pushed and not contender.is_compressed:
            try:
                report.came_back(contender, contender.come_back(size))
            except (RuntimeError, OSError) as error:
                report.miss(f"{contender.server.name}, {size:,} at once", str(error).splitlines()[0])


def storms(tools, given, report):
    repetitions = 1 if given.quick else 3
    tools.lists = joining.lists(tools.folder, repetitions + 1)
    for is_compressed in (False, True):
        say(f"{joining.WATCHERS:,} watchers join {joining.ROWS:,} rows at once{', compressed' * is_compressed}")
        report.joined(is_compressed, joining.measure(tools, is_compressed, repetitions))


def look(tools, given, report):
    say(f"{work.WATCHERS:,} watchers, and what is done for each")
    report.looked_at(work.measure(tools, REPETITION))


def say(text):
    print(f"  {time.monotonic() - STARTED:4.0f} s  {text} …", file=sys.stderr, flush=True)


def main(given):
    programs = given.programs.resolve()
    tools = Tools(given.binary.resolve(), programs, programs / "run", is_pinned=not given.smoke)
    given.sizes = [size for size in given.sizes if size < tools.descriptors - 200] or sys.exit(
        f"Each side needs a descriptor for each watcher, and this shell allows {tools.descriptors}. Raise it with ulimit -n.")
    if given.peers:
        subprocess.run([HERE / "peers/install", tools.peers, sys.executable, *given.peers], check=True)
    report, started = Report(given), time.monotonic()
    for size in given.sizes if {*given.only} - {"storm", "work"} else []:
        stage(tools, size, given, report)
    if "storm" in given.only:
        storms(tools, given, report)
    if "work" in given.only:
        look(tools, given, report)
    report.finish(time.monotonic() - started)
    if given.smoke and not all(row["ratio"] for row in report.fanout[given.sizes[0]].values()):
        sys.exit("No message was measured.")
    if given.smoke and (far := [bar.what for bar in report.bars if bar.is_counted and not bar.is_met]):
        sys.exit(f"Too much is done for each watcher: {', '.join(far)}.")
    write(given, json.dumps(report.json(), indent=1))
    return 1 if given.check and report.failed else 0


def write(given, figures):
    given.json.write_text(figures + "\n")
    if given.svg and "fanout" in given.only:
        given.svg.write_text(picture.draw(json.loads(figures)))


def words_of(known):
    def read(text):
        chosen = [] if text == "none" else text.split(",")
        if unknown := [word for word in chosen if word not in known]:
            raise argparse.ArgumentTypeError(f"don't know {', '.join(unknown)}; known are {', '.join(known)}")
        return chosen

    return read


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=ROOT / ".build/release/refreshable")
    parser.add_argument("--programs", type=Path, default=ROOT / ".build/sockets", help="where load, floor and the peers are")
    parser.add_argument("--peers", type=words_of(PEERS), default=list(PEERS), help=f"of {','.join(PEERS)}, or none")
    parser.add_argument("--sizes", type=lambda text: [int(size) for size in text.split(",")], default=[1000, 5000, 10_000])
    parser.add_argument("--only", type=words_of(WORKS), default=list(WORKS), help=f"of {','.join(WORKS)}")
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--quick", action="store_true", help="1,000 watchers, three repetitions")
    parser.add_argument("--smoke", action="store_true", help="a few watchers of ours and the floor: whether all this works")
    parser.add_argument("--json", type=Path, default=ROOT / ".build/sockets/figures.json", help="where to write all figures")
    parser.add_argument("--svg", type=Path, help="where to draw the picture; the README shows Documentation/sockets.svg")
    parser.add_argument("--check", action="store_true", help="fail if a bar is missed by a wide margin")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.sizes, arguments.repetitions = [1000], 3
    arguments.milliseconds = SMOKE if arguments.smoke else REPETITION
    if arguments.smoke:
        arguments.sizes, arguments.repetitions, arguments.peers, arguments.only = [150], 1, [], ["fanout", "pulls", "work"]
    arguments.kinds = [PEERS[name] for name in arguments.peers]
    sys.exit(main(arguments))
