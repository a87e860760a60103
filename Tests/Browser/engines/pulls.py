"""What a finger and a mouse do besides the rules of the tables, in each engine: scrolls that become pulls and pulls that
become scrolls, selections, and an indicator whose gap is scrolled away."""

from harness import tsv

from .rows import LIST, ROOT, check

OFFSET = f"new DOMMatrix(getComputedStyle({ROOT}.querySelector('[part=content]')).transform).f"
GAP = f"{ROOT}.querySelector('.gap')"


def opened(engine, stage, command="seq 100"):
    engine.open(f"{stage.serve([tsv('list', command, (), deadline='none')])}#list")
    engine.wait_for(f"{LIST}?.phase === 'waiting' && {ROOT}.querySelectorAll('[part~=row]').length === 100")


@check
def a_finger_that_comes_down_a_little_below_the_top_arrives_there_and_pulls(engine, stage):
    opened(engine, stage)
    engine.evaluate("void scrollTo(0, 30)")
    engine.evaluate("new Promise(resolve => setTimeout(resolve, 200))")
    engine.finger.down(195, 220)
    try:
        engine.finger.move(195, 420)
        engine.wait_for(f"scrollY === 0 && {OFFSET} > 40 && {LIST}.phase === 'primed'")
    finally:
        engine.finger.up()
    engine.wait_for(f"{LIST}.phase === 'waiting' && {OFFSET} === 0")


@check
def a_pull_that_is_pushed_up_goes_on_as_a_scroll(engine, stage):
    opened(engine, stage)
    engine.finger.down(195, 300)
    try:
        engine.finger.move(195, 380)
        engine.wait_for(f"{OFFSET} > 10")
        engine.finger.move(195, 120)
        engine.wait_for(f"{OFFSET} === 0 && scrollY > 120")
    finally:
        engine.finger.up()
    assert engine.evaluate(f"{LIST}.phase") == "waiting"


@check
def a_mouse_selects_text_over_rows_and_pulls_by_the_bar(engine, stage):
    opened(engine, stage)
    engine.evaluate("void addEventListener('pointerdown', event => { window.kind = event.pointerType; }, true)")
    engine.mouse.down(60, 100)
    if engine.wait_for("window.kind") == "pen":
        # Chromium takes this screen's mouse for a pen, which pulls anywhere. Browser/eligibility.py has a real one.
        return engine.mouse.up()
    try:
        engine.mouse.move(180, 320)
        assert engine.evaluate(OFFSET) == 0
    finally:
        engine.mouse.up()
    # Chromium tells of a selection only where it begins in the document, not inside of an element's tree.
    selected = f"({ROOT}.getSelection?.() ?? getSelection()).toString().trim().split(/\\s+/)"
    assert len(engine.evaluate(selected)) > 2, engine.evaluate(selected)
    engine.evaluate("void getSelection().removeAllRanges()")
    engine.mouse.down(150, 30)
    try:
        engine.mouse.move(150, 230)
        engine.wait_for(f"{OFFSET} > 40")
    finally:
        engine.mouse.up()
    engine.wait_for(f"{LIST}.phase === 'waiting' && {OFFSET} === 0")


@check
def the_indicator_leaves_with_its_gap_and_floats_above_the_rows(engine, stage):
    gate = stage.folder / "gate"
    opened(engine, stage, f"while test -e '{gate}'; do sleep 0.05; done; seq 100")
    gate.touch()
    engine.evaluate(f"void {LIST}.refresh()")
    engine.wait_for(f"{LIST}.phase === 'loading' && {OFFSET} === 56")
    engine.evaluate("void scrollTo(0, 30)")
    over = f"""(() => {{
        const {{ bottom }} = {ROOT}.querySelector('[part=indicator]').getBoundingClientRect();
        return bottom - {ROOT}.querySelector('[part~=row]').getBoundingClientRect().top;
    }})()"""
    engine.wait_for(f"{over} <= 1 && !{GAP}.matches('.floating')")
    engine.evaluate("void scrollTo(0, 600)")
    engine.wait_for(f"{GAP}.matches('.floating')")
    engine.evaluate("void scrollTo(0, 0)")
    engine.wait_for(f"!{GAP}.matches('.floating')")
    gate.unlink()
    engine.wait_for(f"{LIST}.phase === 'waiting' && {OFFSET} === 0")
