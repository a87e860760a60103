"""Browsers of three kinds, each on a screen of its own that can be touched.

    with ENGINES["firefox"]() as engine:
        engine.open("http://127.0.0.1:8080/#names")
        engine.finger.down(195, 220)
        engine.finger.move(195, 420)
        engine.screenshot("primed.png")
        engine.finger.up()
"""

import shutil

from .chromium import Chromium
from .firefox import Firefox
from .webkit import WebKit

ENGINES = {engine.name: engine for engine in (Chromium, Firefox, WebKit)}


def missing(name):
    """What an engine needs and this machine lacks, or None."""
    if not shutil.which("Xorg"):
        return "Xorg (packages xserver-xorg-core and xserver-xorg-video-dummy)"
    return ENGINES[name].missing()
