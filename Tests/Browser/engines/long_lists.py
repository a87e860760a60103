"""A list of which only the rows near the view are in the document, in each engine: flung by a finger, jumped through, looked
through, changed above the view, pulled."""

import time

from harness import tsv

from .rows import LIST, ROOT, check

# As many as a debug build reads soon; `--rows` says otherwise.
COUNT = 6000
ROWS = f"[...{ROOT}.querySelectorAll('ul:not([inert]) li')]"
# The rows in view that are below the bar, by key, with their tops.
VIEW = f"""(() => {{
    const fold = {ROOT}.querySelector('[part=bar]').getBoundingClientRect().bottom;
    return {ROWS}.map(row => [row.dataset.key, row.getBoundingClientRect()])
        .filter(([, at]) => at.bottom > fold + 1 && at.top < innerHeight).map(([key, at]) => [key, at.top]);
}})()"""
FULL = f"{ROOT}.querySelector('[part=rows]').ariaBusy !== 'true' && {VIEW}.length"
FILM = f"""(() => {{
    window.film = [];
    window.isCut = false;
    const note = () => {{
        film.push(Object.fromEntries({VIEW}));
        if (!isCut) requestAnimationFrame(note);
    }};
    note();
}})()"""
# By how much a row moved against the finger, at most, and how many frames showed none.
WRONG = """(way => {
    isCut = true;
    let most = 0;
    for (let i = 1; i < film.length; i += 1) {
        for (const [key, top] of Object.entries(film[i])) if (key in film[i - 1]) most = Math.max(most, way * (top - film[i - 1][key]));
    }
    return [most, film.filter(seen => Object.keys(seen).length === 0).length];
})"""


class Long:
    """A long list, shown, and the file that it shows."""

    # More rows than these are in view, where it is at rest.
    fewest = 5

    def __init__(self, engine, stage):
        self.engine, self.file = engine, stage.folder / "rows"
        self.write(range(COUNT))
        self.url = stage.serve([tsv("list", {"run": f"cat '{self.file}'", "size": "1GiB"}, ("title", "subtitle"))])
        engine.open(f"{self.url}#list")
        # Three servers read a million rows at once.
        engine.wait_for(f"{LIST}?.phase === 'waiting' && {FULL} > {self.fewest}", seconds=max(15, COUNT // 25_000))

    def write(self, *ranges):
        lines = (f"{number}\tRow {number}\t{'and more ' * (number % 5)}\n" for numbers in ranges for number in numbers)
        self.file.write_text("".join(lines))

    def keys(self):
        return [int(key) for key, _ in self.engine.evaluate(VIEW)]

    def jump(self, top):
        """Jumps to a part of the list, and gives what is seen there."""
        self.engine.evaluate(f"void scrollTo(0, {top})")
        self.settle()
        return self.engine.evaluate(VIEW)

    def jump_through(self):
        """Jumps to places in the midst, to the end and back."""
        for share in (0.5, 0.2, 0.8):
            self.jump(f"document.documentElement.scrollHeight * {share}")
            assert abs(self.keys()[0] - share * COUNT) < 0.02 * COUNT, (share, self.keys())
        self.jump("1e9")
        assert self.keys()[-1] == COUNT - 1 and self.drawn() <= 200, self.keys()
        self.jump(0)
        assert self.keys()[0] == 0, self.keys()

    def fling(self, times, start, end):
        """Flings by a finger, and sees that no row moves against it."""
        self.engine.evaluate(FILM)
        for _ in range(times):
            self.engine.finger.down(195, start)
            self.engine.finger.move(195, end)
            self.engine.finger.up()
            time.sleep(0.4)
        self.settle()
        most, _ = self.engine.evaluate(f"{WRONG}({1 if end < start else -1})")
        assert most < 2, f"{most} px"
        keys = self.keys()
        assert keys == list(range(keys[0], keys[-1] + 1)) and self.drawn() <= 200, (keys, self.drawn())
        return keys[0]

    def pull(self):
        """Pulls the list past its threshold, and lets go."""
        self.engine.finger.down(195, 220)
        self.engine.finger.move(195, 520)
        self.engine.finger.up()

    def drawn(self):
        return self.engine.evaluate(f"{ROWS}.length")

    def settle(self):
        """Waits till nothing moves any more."""
        before = None
        while before != (now := (self.engine.evaluate("scrollY"), self.keys())):
            before = now
            time.sleep(0.5)
            self.engine.wait_for(f"{FULL} > {self.fewest}")


@check
def a_finger_flings_through_a_long_list_and_no_row_moves_against_it(engine, stage):
    long = Long(engine, stage)
    assert long.fling(6, 650, 150) > 5
    # From the midst: a finger that gets to the top pulls the list, and it goes back.
    long.jump(100_000)
    [before, *_] = long.keys()
    assert 5 < long.fling(3, 200, 700) < before - 5


@check
def the_end_of_a_long_list_is_flung_from(engine, stage):
    long = Long(engine, stage)
    long.jump("1e9")
    assert long.keys()[-1] == COUNT - 1, long.keys()
    assert COUNT - 1000 < long.fling(2, 200, 700) < COUNT - 20
    assert long.fling(6, 650, 150) > COUNT - 20


@check
def every_part_of_a_long_list_can_be_jumped_to(engine, stage):
    Long(engine, stage).jump_through()


@check
def keys_lead_through_a_long_list_and_to_its_ends(engine, stage):
    long = Long(engine, stage)
    # Keys are heard by whom a mouse has pressed: here the bar.
    engine.mouse.down(195, 30)
    engine.mouse.up()
    for key, leads_there in (("PageDown", lambda keys: 0 < keys[0] < 30), ("End", lambda keys: keys[-1] == COUNT - 1),
                             ("PageUp", lambda keys: COUNT - 60 < keys[-1] < COUNT - 1), ("Home", lambda keys: keys[0] == 0)):
        engine.keyboard.press(key)
        time.sleep(1)
        long.settle()
        assert leads_there(long.keys()), (key, long.keys())


@check
def every_part_of_a_list_that_is_higher_than_a_box_can_be_jumped_to(engine, stage):
    long = Long(engine, stage)
    # 15,000,000 px together: more than Firefox lays out in one box, and less than any browser in a page.
    engine.evaluate("void (window.tall = new CSSStyleSheet()).replaceSync('li { block-size: 2500px }')")
    engine.evaluate(f"void {ROOT}.adoptedStyleSheets.push(tall)")
    long.fewest = 0
    # How high rows are is known once others were drawn.
    long.jump("1e9")
    long.jump_through()


@check
def what_comes_above_a_part_of_a_long_list_moves_nothing(engine, stage):
    long = Long(engine, stage)
    before = long.jump(100_000)
    long.write(range(COUNT, COUNT + 30), range(COUNT))
    engine.evaluate(f"{LIST}.refresh().then(() => null)")
    engine.wait_for(f"!{ROOT}.querySelector('[part=news]').hidden")
    long.settle()
    assert engine.evaluate(VIEW) == before, (engine.evaluate(VIEW), before)


@check
def a_long_list_is_looked_through_by_its_server(engine, stage):
    long = Long(engine, stage)
    before = long.jump(100_000)
    engine.evaluate(f"void {LIST}.setAttribute('query', 'row 59')")
    engine.wait_for(f"{VIEW}[0]?.[0] === '59'")
    engine.evaluate(f"void {LIST}.removeAttribute('query')")
    engine.wait_for(f"{VIEW}[0]?.[0] === '{before[0][0]}'")
    long.settle()
    after = engine.evaluate(VIEW)
    assert after[0][0] == before[0][0] and abs(after[0][1] - before[0][1]) < 2, (after, before)


@check
def a_long_list_is_pulled_as_any_other(engine, stage):
    long = Long(engine, stage)
    long.write([COUNT], range(COUNT))
    long.pull()
    engine.wait_for(f"{LIST}.phase === 'waiting' && {VIEW}[0]?.[0] === '{COUNT}'")
