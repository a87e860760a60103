"""Which function runs which block, and what it gets."""

from dataclasses import dataclass, replace
from pathlib import Path

from package import target_name
from pages import Block

# {(kind, name of a block): function}, and {(kind, None): function} for all others of a kind.
RUNS = {}


def runs(kind, *names):
    """Marks an async function as the run of the blocks of this kind and these names; without names, of all others."""

    def register(function):
        for name in names or [None]:
            assert (kind, name) not in RUNS, f"{name} has two runs"
            RUNS[kind, name] = function
        return function

    return register


def run_of(kind, name):
    """The function that runs a block; None if there is none."""
    return RUNS.get((kind, name)) or RUNS.get((kind, None))


@dataclass(frozen=True)
class Given:
    """What a run gets: its block and all others, a folder of its own, and where programs were built."""

    block: Block
    blocks: tuple
    folder: Path
    built: Path

    @property
    def text(self):
        return self.block.text

    @property
    def program(self):
        """Where the program of the block is."""
        return self.built / target_name(self.block)

    def beside(self, language):
        """The text of the block in another language that stands in the same section."""
        return self.other(self.block.name, language).text

    def other(self, name, language="swift"):
        """The same, given another block."""
        [block] = [block for block in self.blocks if (block.name, block.language) == (name, language)]
        return replace(self, block=block)
