"""What a server is seen to do, by a library that stands before zlib, the allocator and Swift's tables (count/*.c)."""

import sys
from contextlib import contextmanager

NAMES = ("compressions", "raw_streams", "allocations", "hashes")


class Counts:
    """The numbers of those servers that are started while this is standing before them."""

    def __init__(self, tools, name):
        self.file = tools.folder / f"counts-{name}"
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_bytes(bytes(8 * len(NAMES)))

    @contextmanager
    def standing_before(self, tools):
        tools.environment = {"LD_PRELOAD": str(tools.counting), "COUNTS": str(self.file)}
        try:
            yield
        finally:
            tools.environment = {}

    def read(self):
        numbers = self.file.read_bytes()
        return {name: int.from_bytes(numbers[8 * place : 8 * place + 8], sys.byteorder) for place, name in enumerate(NAMES)}
