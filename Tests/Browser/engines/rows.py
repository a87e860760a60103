"""What becomes of rows, in each engine: what browsers do differently when content comes above the view, the attributes
that only some of them reflect, rows in the page's own tree."""

import time

from harness import tsv
from scenes import World

LIST = "document.querySelector('refreshable-list')"
ROOT = f"{LIST}.shadowRoot"
DRAWN = f"{ROOT}.querySelectorAll('ul:not([inert]) li').length"
CHECKS = []


def check(function):
    """Marks a function as a check; its name is the rule."""
    CHECKS.append(function)
    return function


class Shown:
    """A list of numbered rows, some of them higher than others."""

    def __init__(self, engine, stage, *ranges):
        self.engine, self.file = engine, stage.folder / "rows"
        self.write(*ranges)
        engine.open(f"{stage.serve([tsv('list', f'cat {self.file}', ('title', 'subtitle'))])}#list")
        self.wait_for(*ranges)

    def write(self, *ranges):
        numbers = [number for numbers in ranges for number in numbers]
        self.file.write_text("".join(f"{number}\tRow {number}\t{'and more ' * (number % 5)}\n" for number in numbers))

    def wait_for(self, *ranges):
        self.engine.wait_for(f"{LIST}?.phase === 'waiting' && {DRAWN} === {sum(map(len, ranges))}")

    def refresh(self, *ranges):
        self.write(*ranges)
        self.engine.evaluate(f"{LIST}.refresh().then(() => null)")
        self.wait_for(*ranges)


@check
def a_heading_stays_below_the_bar(engine, stage):
    # So many that what is out of view is skipped.
    rows = "for i in $(seq 600); do printf \"$i\\tRow $i\\tTeam $((i / 50))\\n\"; done"
    engine.open(f"{stage.serve([tsv('list', rows, section=3)])}#list")
    engine.wait_for(f"{LIST}?.phase === 'waiting' && {DRAWN} === 600")
    below = f"""(() => {{
        const fold = {ROOT}.querySelector('[part=bar]').getBoundingClientRect().bottom;
        return [...{ROOT}.querySelectorAll('[part=section]')].filter(heading => Math.abs(heading.getBoundingClientRect().top - fold) < 1)
            .map(heading => heading.textContent).join();
    }})()"""
    for top, team in ((0, "Team 0"), (500, "Team 0"), (9000, "Team 3")):
        engine.evaluate(f"scrollTo(0, {top})")
        engine.wait_for(f"{below} === '{team}'")


@check
def rows_that_come_above_do_not_move_what_one_reads(engine, stage):
    shown = Shown(engine, stage, range(600))
    engine.evaluate("scrollTo(0, 15000)")
    engine.wait_for("scrollY > 14000")
    # Groups that come near the view are laid out, which may move what was in view before.
    engine.evaluate("new Promise(resolve => setTimeout(resolve, 300))")
    place = f"""(() => {{
        window.read ??= [...{ROOT}.querySelectorAll('li')].find(row => row.getBoundingClientRect().top > 100);
        return read.getBoundingClientRect().top;
    }})()"""
    before = engine.evaluate(place)
    shown.refresh(range(1000, 1500), range(100), range(110, 600))
    engine.wait_for(f"!{ROOT}.querySelector('[part=news]').hidden")
    # One that browsers correct themselves later would be corrected twice.
    engine.evaluate("new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    assert abs(engine.evaluate(place) - before) < 1, (engine.evaluate(place), before)


@check
def rows_keep_their_width_while_a_short_list_refreshes(engine, stage):
    shown = Shown(engine, stage, range(3))
    engine.evaluate(f"""void (window.note = () => {{
        const {{ top, width }} = {ROOT}.querySelector('li').getBoundingClientRect();
        (window.places ??= []).push([top, width]);
        requestAnimationFrame(note);
    }}, note())""")
    shown.refresh(range(3))
    tops, widths = map(set, zip(*engine.evaluate("places"), strict=True))
    assert max(tops) > min(tops) + 20, "no gap was shown"
    assert len(widths) == 1, widths


@check
def what_goes_leaves_nothing_behind(engine, stage):
    shown = Shown(engine, stage, range(6))
    shown.refresh(range(2, 8))
    engine.wait_for(f"{ROOT}.querySelectorAll('li').length === 6 && {ROOT}.getAnimations().length === 0")


@check
def rows_of_a_template_stand_in_the_page(engine, stage):
    shown = Shown(engine, stage, range(2))
    engine.evaluate(f"""(() => {{
        const template = document.createElement('template');
        template.innerHTML = '<b data-field="title"></b> <i data-if="subtitle" data-field="subtitle"></i><u data-unless="subtitle">alone</u>';
        {LIST}.append(template);
    }})()""")
    texts = "[...document.querySelectorAll('refreshable-list > ul:not([inert]) li')].map(row => row.innerText.trim()).join()"
    engine.wait_for(f"{texts} === 'Row 0 alone,Row 1 and more'")
    shown.write([0])
    engine.evaluate(f"{LIST}.refresh().then(() => null)")
    engine.wait_for(f"{texts} === 'Row 0 alone' && document.querySelectorAll('refreshable-list > ul').length === 1")


@check
def a_list_that_loads_more_is_a_feed(engine, stage):
    engine.open(f"{stage.serve([{'name': 'mailbox', 'demo': 'mailbox'}])}#mailbox")
    numbers = f"[...{ROOT}.querySelectorAll('[role=feed] [role=article][aria-setsize]')].map(row => row.getAttribute('aria-posinset')).join()"
    engine.wait_for(f"{LIST}?.phase === 'waiting' && {numbers} === '1,2,3,4'")


# How full the ring is drawn, and how far the pull is, of 100.
RING = f"""(() => {{
    const {{ strokeDasharray }} = getComputedStyle({ROOT}.querySelector('.arc'));
    const progress = {ROOT}.querySelector('[part~=indicator]').style.getPropertyValue('--pull-progress');
    return [Number.parseFloat(strokeDasharray), progress * 100];
}})()"""


@check
def the_ring_is_as_full_as_the_pull(engine, stage):
    Shown(engine, stage, range(6))
    engine.finger.down(195, 220)
    try:
        engine.finger.move(195, 270)
        drawn, pulled = engine.wait_for(f"(ring => ring[1] > 20 && ring)({RING})")
    finally:
        engine.finger.up()
    assert pulled < 100 and drawn is not None and abs(drawn - pulled) < 1, (drawn, pulled)


# How far a row in view moves besides, while a reader goes back up through rows that were never laid out: WebKit does not
# make up for it.
UPWARDS = f"""(async () => {{
    if (!CSS.supports('overflow-anchor', 'none')) return 0;
    const frame = () => new Promise(requestAnimationFrame);
    const rows = [...{ROOT}.querySelectorAll('[data-key]')];
    const jumps = [];
    for (let step = 0; step < 60; step += 1) {{
        const row = rows.find(row => row.getBoundingClientRect().top > 200);
        const {{ top }} = row.getBoundingClientRect();
        scrollBy(0, -100);
        await frame();
        await frame();
        jumps.push(Math.abs(row.getBoundingClientRect().top - top - 100));
    }}
    return Math.max(...jumps);
}})()"""


@check
def rows_that_are_first_laid_out_above_do_not_move_what_one_reads(engine, stage):
    Shown(engine, stage, range(1500))
    engine.evaluate("scrollTo(0, 25000)")
    engine.wait_for("scrollY > 24000")
    time.sleep(0.5)
    jump = engine.evaluate(UPWARDS)
    assert jump < 2, f"{jump} px"


BUSY = """setTimeout(() => {
    const before = scrollY;
    for (const end = performance.now() + 1500; performance.now() < end;);
    requestAnimationFrame(() => { window.scrolled = scrollY - before; });
}, 20), delete window.scrolled"""


@check
def below_the_top_a_finger_scrolls_while_script_is_busy(engine, stage):
    Shown(engine, stage, range(900))
    engine.evaluate("scrollTo(0, 6000)")
    engine.wait_for("scrollY > 5900")
    scrolled = []
    # Firefox tells the page of where it has scrolled a frame later, once in a while.
    while len(scrolled) < 4 and not any(way > 20 for way in scrolled):
        # Nothing glides on, and that the top is out of view is known.
        time.sleep(1.5)
        engine.evaluate(BUSY)
        time.sleep(0.2)
        engine.finger.down(195, 600)
        engine.finger.move(195, 300)
        engine.finger.up()
        engine.wait_for("window.scrolled !== undefined")
        scrolled.append(engine.evaluate("scrolled"))
    assert any(way > 20 for way in scrolled), f"scrolls waited for script: {scrolled}"


# What is wrong with the rows as they stand: what leaves its row, covers another piece, or has no room.
CROWDED = f"""[...{ROOT}.querySelectorAll('[part~=row]')].flatMap(row => {{
    const box = row.getBoundingClientRect();
    const pieces = [...row.children].map(piece => [piece.part.value, piece.getBoundingClientRect()]);
    const title = pieces.find(([name]) => name === 'title');
    const faults = pieces.filter(([, at]) => at.left < box.left - 1 || at.right > box.right + 1 || at.bottom > box.bottom + 1).map(([name]) => `${{name}} leaves`);
    for (const [name, at] of pieces) for (const [other, its] of pieces) {{
        const isOver = at.left < its.right - 1 && its.left < at.right - 1 && at.top < its.bottom - 1 && its.top < at.bottom - 1;
        if (name < other && isOver) faults.push(`${{name}} is over ${{other}}`);
    }}
    if (title && title[1].width < 0.36 * box.width) faults.push(`title has ${{title[1].width}} of ${{box.width}}`);
    if (box.height > 170) faults.push(`is ${{box.height}} high`);
    return faults.map(fault => `row ${{row.dataset.key}}: ${{fault}}`);
}})"""


@check
def no_row_is_crowded_or_endless_whatever_it_says(engine, stage):
    engine.open(f"{World(stage).server}#nasty")
    engine.wait_for(f"{LIST}?.phase === 'waiting' && {ROOT}.querySelectorAll('[part~=row]').length > 9")
    for width in (320, 390, 820, 1280):
        engine.evaluate(f"void ({LIST}.style.cssText = 'width: {width}px; max-width: none')")
        faults = engine.evaluate(CROWDED)
        assert not faults, (width, faults)
