"""How the examples are tried: a program that prints its address, and rules that are tried one after the other."""

import asyncio
import contextlib
import os


@contextlib.asynccontextmanager
async def running(program, **options):
    """The process of a program on a free port, and the address that it prints."""
    # A terminal, as lines to a pipe would wait in the program for more of them.
    terminal, end = os.openpty()
    process = await asyncio.create_subprocess_exec(program, "0", stdout=end, **options)
    os.close(end)
    try:
        with open(terminal, closefd=True) as lines:
            yield process, (await asyncio.wait_for(asyncio.to_thread(lines.readline), 20)).strip()
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def try_rules(rules):
    """Tries functions whose names are rules, prints how each went, and gives the exit status."""
    failed = 0
    for rule in rules:
        name = rule.__name__.replace("_", " ")
        try:
            await asyncio.wait_for(rule(), 60)
            print(f"✔ {name}")
        except Exception as fault:
            failed += 1
            print(f"✘ {name}: {fault!r}")
    print(f"{len(rules) - failed} passed, {failed} failed")
    return 1 if failed else 0
