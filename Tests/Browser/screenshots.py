"""Pictures of every phase and view: light and dark, on a phone and on a desk, in three engines."""

from engines import ENGINES, missing
from engines.engine import DESKTOP, PHONE
from harness import Stage
from scenes import SCENES, Actor, World

DEVICES = {"phone": PHONE, "desk": DESKTOP}
SCHEMES = {"light": False, "dark": True}


def take(folder):
    """Takes them all, into a folder for each engine that this machine has; gives which scenes were not reached."""
    faults = []
    for name, engine in ENGINES.items():
        if lack := missing(name):
            print(f"no pictures in {name}: it needs {lack}")
            continue
        (folder / name).mkdir(parents=True, exist_ok=True)
        for device, size in DEVICES.items():
            with engine(size=size) as page:
                faults += walk(page, size, lambda picture: page.screenshot(folder / name / f"{device}-{picture}.png"))
        print(f"pictures are in {folder / name}")
    return faults


# What is painted may be a frame behind what is known.
FRAMES = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def walk(page, size, keep):
    """Takes the pictures of one page in its size, light and dark; gives what went wrong on the way."""
    faults = []
    for scheme, is_dark in SCHEMES.items():
        page.dark(is_dark)
        for scene in SCENES:
            try:
                with Stage(None) as stage:
                    for name in scene(Actor(page, World(stage), size)):
                        page.evaluate(FRAMES)
                        keep(f"{scheme}-{name}")
            except (AssertionError, OSError) as error:
                faults.append(f"{page.name}, {scheme}, {scene.__name__}: {error}")
    return faults
