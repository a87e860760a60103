"""Rows that are swiped by a real finger, in each engine."""

import time

from harness import tsv

from .rows import LIST, ROOT, check

ROWS = "seq 60 | sed 's/.*/&\\tRow &/'"
SHIFT = f"(row => row && Math.round(-new DOMMatrix(getComputedStyle(row).transform).m41))({ROOT}.querySelector('[data-key=\"%s\"]'))"
ACTIONS = [{"title": "Archive", "effect": "remove"}, {"title": "Flag", "effect": {"badge": "!"}}]


def opened(engine, stage):
    engine.open(f"{stage.serve([tsv('list', ROWS, actions=ACTIONS)])}#list")
    engine.wait_for(f"{LIST}?.phase === 'waiting' && {ROOT}.querySelectorAll('[part=actions]').length === 60")
    engine.evaluate("new Promise(resolve => setTimeout(resolve, 500))")


def shift(engine, key):
    return engine.evaluate(SHIFT % key)


def place(engine, key):
    """The middle of a row's height."""
    return engine.evaluate(f"(({{ top, height }}) => top + height / 2)({ROOT}.querySelector('[data-key=\"{key}\"]').getBoundingClientRect())")


def swipe(engine, key, to, down=0, up=True):
    y = place(engine, key)
    engine.finger.down(320, y)
    engine.finger.move(to, y + down, steps=12)
    time.sleep(0.1)
    if up:
        engine.finger.up()


@check
def a_row_that_is_swiped_follows_the_finger_and_opens(engine, stage):
    opened(engine, stage)
    swipe(engine, 4, 210, up=False)
    assert abs(shift(engine, 4) - 102) <= 2, shift(engine, 4)
    engine.finger.up()
    engine.wait_for(f"{SHIFT % 4} > 145 && {ROOT}.getAnimations().length === 0")
    assert engine.evaluate("scrollY") == 0
    # A touch elsewhere shuts it.
    engine.finger.down(100, place(engine, 8))
    engine.finger.up()
    engine.wait_for(f"{SHIFT % 4} === 0")
    assert engine.evaluate(f"{LIST}.getAttribute('open-row')") is None


@check
def a_full_swipe_removes_its_row_and_the_toast_brings_it_back(engine, stage):
    opened(engine, stage)
    swipe(engine, 4, 20)
    engine.wait_for(f"!{ROOT}.querySelector('[data-key=\"4\"]') && {ROOT}.querySelector('[part=toast].shown p').textContent === 'Archive: Row 4'")
    x, y = engine.evaluate(f"(({{ left, top, width, height }}) => [left + width / 2, top + height / 2])({ROOT}.querySelector('[part=undo]').getBoundingClientRect())")
    engine.finger.down(x, y)
    time.sleep(0.05)
    engine.finger.up()
    engine.wait_for(f"{SHIFT % 4} === 0")


@check
def rows_with_actions_still_scroll_and_pull(engine, stage):
    opened(engine, stage)
    swipe(engine, 7, 310, -240)
    engine.wait_for("scrollY > 60")
    assert shift(engine, 7) == 0
    # A fling that WebKit has begun goes on after it.
    engine.wait_for("new Promise(resolve => { scrollTo(0, 0); setTimeout(() => resolve(scrollY === 0), 800); })")
    swipe(engine, 2, 330, 180, up=False)
    engine.wait_for(f"{LIST}.phase === 'primed'")
    assert shift(engine, 2) == 0
    engine.finger.up()
    engine.wait_for(f"{LIST}.phase === 'waiting'")
