"""What all trials of one server share: its folder and its end, the lines that hold or do not, and how a trial is called."""

import argparse
import asyncio
import multiprocessing
import random
import resource
import shutil
import sys
import tempfile
from pathlib import Path

from server import Server


class Trial:
    """One server and what is held against it; use it with `async with`.

    Whoever leaves the block has the server asked to end, so that a sanitizer can report: that is held against it, too.
    """

    def __init__(self, name, options, lists, *flags):
        self.options = options
        self.passed = self.failed = 0
        self.folder = Path(tempfile.mkdtemp(prefix=f"refreshable-{name}-"))
        self.server = Server(options.binary, self.folder, lists, flags=flags)

    async def __aenter__(self):
        await self.server.start(loops=self.options.loops)
        return self

    async def __aexit__(self, _, fault, __):
        if fault:
            await self.server.kill()
            fault.add_note(f"What the server left is in {self.folder}; its log ends:\n{self.server.tail()}")
            return
        await self.end()
        if not self.failed:
            shutil.rmtree(self.folder, ignore_errors=True)
        print(f"{self.passed} passed, {self.failed} failed")

    def judge(self, text, holds, faults=()):
        """Prints a line that holds or does not, and the first few of what speaks against it."""
        print(f"{'✔' if holds else '✘'} {text}", flush=True)
        for fault in () if holds else list(faults)[:10]:
            print(f"    {fault}", flush=True)
        self.passed, self.failed = self.passed + bool(holds), self.failed + (not holds)

    def judge_rules(self, texts, rules):
        """A line for each rule, with how often it was looked at."""
        for rule, text in texts.items():
            faults = rules.faults[rule]
            if rules.checked[rule]:
                self.judge(f"{text} ({rules.checked[rule]} times)", not faults, faults)
            else:
                print(f"– {text} (never looked at)")

    async def end(self, seconds=60):
        """Asks the server to end. Leaks are told then, with a status other than 0."""
        server, name = self.server, self.server.sanitizer
        self.judge("it lives", server.is_running)
        try:
            status = await server.stop(seconds) if server.is_running else server.process.returncode
        except TimeoutError:
            status = f"a kill, as it did not within {seconds} s"
            await server.kill()
        log = server.log.read_text(errors="replace")
        self.judge(f"it ended with {status} when it was asked to", status == 0, [server.tail()])
        if name:
            spoke = log[max(0, log.find("Sanitizer") - 200) :][:6000]
            self.judge(f"the {name} sanitizer has nothing to say", "Sanitizer" not in log, [spoke])

    @property
    def status(self):
        return 0 if self.failed == 0 and self.passed else 1


def arguments(text):
    """A parser with what every trial takes."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=Path(".build/debug/refreshable"))
    parser.add_argument("--loops", type=int, default=2, help="threads of the server that own connections")
    parser.add_argument("--seed", type=int, default=None, help="replays the same decisions; by chance unless given")
    return parser


def run(main, parser):
    """Calls `main` with the options, with all descriptors that this process may have, and ends with its status."""
    options = parser.parse_args()
    options.binary = options.binary.resolve()
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(2**32)
    print(f"seed {options.seed}", flush=True)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    multiprocessing.set_start_method("spawn")
    sys.exit(asyncio.run(main(options)))
