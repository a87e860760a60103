"""What is needed to measure: programs, folders, and a core for each side."""

import os
import resource
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Tools:
    binary: Path
    programs: Path
    folder: Path
    is_pinned: bool = True
    # What ours serves beside the list that is pushed to.
    lists: list = field(default_factory=list)
    # What a server finds in its environment beside what is there.
    environment: dict = field(default_factory=dict)
    # The server has one core for itself, the crowd another; None where there are not two.
    server_core: int | None = None
    client_core: int | None = None

    def __post_init__(self):
        cores = sorted(os.sched_getaffinity(0))
        if self.is_pinned and len(cores) > 1:
            self.server_core, self.client_core = cores[-1], cores[0]
            os.sched_setaffinity(0, {self.client_core})
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

    @property
    def load(self):
        return self.programs / "load"

    @property
    def floor(self):
        return self.programs / "floor"

    @property
    def program(self):
        return self.programs / "SocketProgram"

    @property
    def counting(self):
        return self.programs / "count.so"

    @property
    def peers(self):
        return self.programs / "peers"

    @property
    def descriptors(self):
        return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
