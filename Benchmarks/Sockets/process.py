"""What a process and its children cost: the processor's time, and memory, as the system counts them."""

import os
import re
import time
from pathlib import Path

TICK = 1 / os.sysconf("SC_CLK_TCK")


def family(parent):
    """A process and all that descend from it."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
    members = {parent}
    while more := {child for child, of in parents.items() if of in members} - members:
        members |= more
    return members


def seconds(processes):
    """User and system time together, to the nanosecond: each process has a clock that counts it (clock_getcpuclockid)."""
    return sum(time.clock_gettime(~process << 3 | 2) for process in processes)


def kernel_seconds(processes):
    """The system's part, as it is sampled at each tick: good for a share over seconds, not for a single message."""
    return sum(int(stat(process)[12]) * TICK for process in processes)


def stat(process):
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


def memory(processes):
    """Bytes resident, and bytes in proportion where several share a page (RSS, PSS)."""
    resident = proportional = 0
    for process in processes:
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
        resident += 1024 * int(re.search(r"^Rss: +(\d+)", rollup, re.M)[1])
        proportional += 1024 * int(re.search(r"^Pss: +(\d+)", rollup, re.M)[1])
    return resident, proportional


def kernel_memory():
    """Bytes that the system holds for all sockets: what waits in them, and the sockets themselves."""
    pages = sum(map(int, re.findall(r"^TCP:.* mem (\d+)", Path("/proc/net/sockstat").read_text(), re.M)))
    slab = int(re.search(r"^Slab: +(\d+)", Path("/proc/meminfo").read_text(), re.M)[1])
    return pages * os.sysconf("SC_PAGE_SIZE") + slab * 1024
