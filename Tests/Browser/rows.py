"""Rows on the screen, kept in step with the list."""

import random

from harness import test, tsv
from pulling import FAR


def file_list(stage, lines, columns=("title",)):
    """A list that shows a file; returns what writes it."""
    file = stage.folder / "rows"

    def write(lines):
        file.write_text("".join("\t".join(line) + "\n" for line in lines))

    write(lines)
    return stage.one(f"cat '{file}'", columns=columns), write


KEYS = "list => [...list.shadowRoot.querySelectorAll('[part=row]')].map(row => row.dataset.key)"
SETTLED = "list => list.shadowRoot.querySelector('[part=rows]').ariaBusy !== 'true'"
SHIFTS = """() => {
    window.shift = 0;
    new PerformanceObserver(list => { for (const entry of list.getEntries()) window.shift += entry.value; })
        .observe({ type: 'layout-shift' });
}"""


def numbered(*ranges):
    return [(str(number), f"Row {number}") for numbers in ranges for number in numbers]


def refresh_elsewhere(shown):
    """Somebody else refreshes the list."""
    name = shown.page.url.rsplit("#", 1)
    shown.page.request.post(f"{name[0]}lists/{name[1]}/refresh")


@test
def rows_of_a_streaming_list_appear_while_it_loads(stage):
    shown = stage.one(
        f"for i in 1 2 3 4; do echo \"$i\tRow $i\"; test -e '{stage.folder}/ran' && sleep 0.3; done; echo \"9\t$(cat '{stage.folder}/ran')\"; echo again > '{stage.folder}/ran'",
        mode="stream",
    )
    shown.list.evaluate("""list => list.addEventListener('patch', ({ detail }) => {
        (list.patches ??= []).push([list.phase, detail.inserted.length + detail.changed.length]);
    })""")
    # A first run has left the file empty; the second shows each row again and changes the last.
    (stage.folder / "ran").write_text("later")
    shown.finger.pull(FAR)
    shown.wait_for_titles("Row 1", "Row 2", "Row 3", "Row 4", "later")
    assert shown.phase in ("loading", "closing")
    assert shown.list.evaluate("list => list.patches[0][0]") == "loading"


@test
def new_rows_are_seen_before_the_run_is_over(stage):
    url = stage.serve([tsv("list", f"for i in 1 2 3; do echo \"$i-$(cat '{stage.folder}/n')\tRow $i\"; sleep 0.4; done", mode="stream")])
    (stage.folder / "n").write_text("first")
    shown = stage.open(f"{url}#list")
    (stage.folder / "n").write_text("second")
    shown.finger.pull(FAR)
    shown.page.wait_for_function("list => list.shadowRoot.querySelector('[data-key=\"1-second\"]')", arg=shown.handle)
    assert shown.phase == "loading", shown.phase
    shown.wait_for_titles("Row 1", "Row 2", "Row 3")


@test
def rows_that_stay_keep_their_elements(stage):
    shown, write = file_list(stage, [("a", "Alpha"), ("b", "Beta"), ("c", "Gamma")])
    shown.list.evaluate("list => { for (const row of list.shadowRoot.querySelectorAll('[part=row]')) row.mine = row.dataset.key; }")
    write([("n", "New"), ("c", "Gamma"), ("a", "Alpha!")])
    shown.finger.pull(FAR)
    shown.wait_for_titles("New", "Gamma", "Alpha!")
    mine = shown.list.evaluate("list => [...list.shadowRoot.querySelectorAll('[part=row]')].map(row => row.mine ?? null)")
    assert mine == [None, "c", "a"], mine


# Notes each animation of a row that begins, by its key or what it says, and what it animates.
ANIMATED = """() => {
    window.animated = [];
    const { animate } = Element.prototype;
    Element.prototype.animate = function (frames, ...rest) {
        if (this.localName === 'li') animated.push([this.dataset.key ?? this.textContent, Object.keys({ ...frames[0], ...frames[1] }).sort().join()]);
        return animate.call(this, frames, ...rest);
    };
}"""


def animated(shown, write, lines):
    """What is animated while these lines take the place of those before."""
    shown.page.evaluate(ANIMATED)
    write(lines)
    shown.list.evaluate("list => list.refresh()")
    shown.wait_for_titles(*(title for _, title in lines))
    return sorted(shown.page.evaluate("animated"))


@test
def rows_that_come_change_make_room_and_go_are_animated(stage):
    shown, write = file_list(stage, [("a", "Alpha"), ("b", "Beta"), ("c", "Gamma"), ("d", "Delta")])
    seen = animated(shown, write, [("n", "New"), ("d", "Delta"), ("a", "Alpha!"), ("b", "Beta")])
    assert seen == [
        ["Gamma", "opacity"], ["a", "opacity"], ["a", "transform"], ["b", "transform"], ["d", "transform"], ["n", "opacity,transform"],
    ], seen
    shown.page.wait_for_function("list => list.shadowRoot.querySelectorAll('li').length === 4", arg=shown.handle)


@test
def what_goes_is_out_of_reach_at_once(stage):
    shown, write = file_list(stage, [("a", "Alpha"), ("b", "Beta", ), ("c", "Gamma")])
    shown.page.evaluate("""() => {
        const { animate } = Element.prototype;
        Element.prototype.animate = function (frames, options) { return animate.call(this, frames, { ...options, duration: 60_000 }); };
    }""")
    write([("a", "Alpha"), ("c", "Gamma")])
    shown.list.evaluate("list => list.refresh()")
    shown.wait_for_titles("Alpha", "Gamma")
    leaving = shown.list.locator("ul[inert] li")
    assert leaving.inner_text() == "Beta" and leaving.evaluate("row => row.closest('ul').ariaHidden") == "true"
    # At one moment: the content may be on its way.
    there, above = shown.list.evaluate("""({ shadowRoot }) => ['ul[inert] li', '[part=row]']
        .map((row) => shadowRoot.querySelector(row).getBoundingClientRect().toJSON())""")
    assert abs(there["top"] - above["bottom"]) < 1 and there["width"] == above["width"], (there, above)


@test
def nothing_is_animated_where_much_is_new_or_less_motion_is_wished(stage):
    shown, write = file_list(stage, numbered(range(10)))
    assert animated(shown, write, numbered(range(100, 150), range(5))) == []
    shown.page.emulate_media(reduced_motion="reduce")
    assert animated(shown, write, numbered([7], range(100, 150))) == []


@test
def a_focused_row_keeps_the_focus_and_passes_it_on_when_it_goes(stage):
    link = "https://example.com/"
    shown, write = file_list(stage, [(key, key.upper(), f"{link}{key}") for key in "abcd"], ("title", "link"))
    shown.list.evaluate("list => list.shadowRoot.querySelector('[data-key=c] a').focus()")
    focused = "list => list.shadowRoot.activeElement?.closest('[data-key]')?.dataset.key"
    write([(key, key.upper(), f"{link}{key}") for key in "cdab"])
    shown.list.evaluate("list => list.refresh()")
    shown.wait_for_titles("C", "D", "A", "B")
    assert shown.list.evaluate(focused) == "c"
    write([(key, key.upper(), f"{link}{key}") for key in "dab"])
    shown.list.evaluate("list => list.refresh()")
    shown.wait_for_titles("D", "A", "B")
    assert shown.list.evaluate(focused) == "d"


@test
def the_focus_goes_to_the_row_before_the_last_and_then_to_the_heading(stage):
    shown, write = file_list(stage, [("a", "A", "https://example.com/a"), ("b", "B", "https://example.com/b")], ("title", "link"))
    shown.list.evaluate("list => list.shadowRoot.querySelector('[data-key=b] a').focus()")
    write([("a", "A", "https://example.com/a")])
    shown.list.evaluate("list => list.refresh()")
    shown.page.wait_for_function("list => list.shadowRoot.activeElement?.closest('[data-key=a]')", arg=shown.handle)
    write([])
    shown.list.evaluate("list => list.refresh()")
    shown.page.wait_for_function("list => list.shadowRoot.activeElement?.matches('[part=heading]')", arg=shown.handle)


@test
def a_selection_stays_while_other_rows_come_change_and_go(stage):
    shown, write = file_list(stage, [("a", "Alpha"), ("b", "Beta"), ("c", "Gamma")])
    shown.list.evaluate("""list => {
        const title = list.shadowRoot.querySelector('[data-key=b] [part=title]');
        getSelection().setBaseAndExtent(title.firstChild, 1, title.firstChild, 3);
    }""")
    write([("n", "New"), ("b", "Beta"), ("c", "Gamma!")])
    shown.list.evaluate("list => list.refresh()")
    shown.wait_for_titles("New", "Beta", "Gamma!")
    assert shown.page.evaluate("getSelection().toString()") == "et"


PARTS = """list => [...list.shadowRoot.querySelectorAll('[part=row]')].map(row =>
    [...row.children].filter(part => part.offsetWidth).map(part => part.getAttribute('part')).join(' '))"""


@test
def a_row_shows_what_it_has_and_leaves_no_hole(stage):
    shown, _ = file_list(
        stage,
        [("a", "All", "Sub", "9", "12:40", "2001-09-09T01:46:40Z", "icon.svg", "https://example.com/"),
         ("b", "Title", "", "", "", "", "", ""), ("c", "", "Sub", "", "", "", "data:image/gif,", "javascript:0")],
        ("title", "subtitle", "badge", "detail", "time", "image", "link"),
    )
    parts = shown.list.evaluate(PARTS)
    assert parts == ["image title subtitle badge detail time", "title", "title subtitle"], parts
    assert shown.titles[2] == "c", "a row without a title shows its key"
    left = shown.list.evaluate("list => [...list.shadowRoot.querySelectorAll('[part=title]')].map(title => title.getBoundingClientRect().left)")
    assert left[1] == left[2] < left[0], left
    assert shown.part("title").first.get_attribute("href") == "https://example.com/" and shown.list.evaluate("list => list.shadowRoot.querySelectorAll('[part=row] [href]').length") == 1


@test
def rows_are_mirrored_in_a_page_from_right_to_left(stage):
    word = "Donaudampfschifffahrtsgesellschaft" * 3
    shown, _ = file_list(stage, [("a", "English", "9"), ("b", "عنوان", "٣"), ("c", word, "99+")], ("title", "badge"))
    shown.page.evaluate("document.documentElement.dir = 'rtl'")
    for row in shown.part("row").all():
        title, badge, whole = (place.bounding_box() for place in (row.locator("[part=title]"), row.locator("[part=badge]"), row))
        assert title["x"] - badge["x"] - badge["width"] >= 11, (title, badge)
        assert whole["x"] + whole["width"] - title["x"] - title["width"] < 40 and badge["x"] > whole["x"]
        assert row.locator("[part=title]").evaluate("title => getComputedStyle(title).textAlign.replace(/.*(left|right)/, '$1')") == "right"
    shown.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert shown.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@test
def any_new_order_is_shown_in_order(stage):
    seed = random.randrange(1_000_000)
    generator = random.Random(seed)
    keys = [chr(97 + number) for number in range(20)]
    shown, write = file_list(stage, [(key, key) for key in keys])
    for _ in range(8):
        chosen = generator.sample(keys, generator.randint(1, 20))
        write([(key, key) for key in chosen])
        shown.list.evaluate("list => list.refresh()")
        assert shown.titles == chosen, f"seed {seed}: {shown.titles} instead of {chosen}"


@test
def nothing_in_a_row_is_markup_or_script(stage):
    shown, _ = file_list(
        stage,
        [("a", "<img src=x onerror=alert(1)>", "<b>bold</b>", "javascript:alert(1)"), ("b", "Good", "", "https://example.com/")],
        ("title", "subtitle", "link"),
    )
    assert shown.titles[0] == "<img src=x onerror=alert(1)>"
    assert shown.list.evaluate("list => list.shadowRoot.querySelectorAll('[part=row] img[src], [part=row] b').length") == 0
    links = shown.list.evaluate("list => [...list.shadowRoot.querySelectorAll('[part=row] a[href]')].map(a => a.href)")
    assert links == ["https://example.com/"], links


@test
def a_time_is_told_relative_to_now(stage):
    shown = stage.one("printf 'a\\tAlpha\\t%s\\nb\\tBeta\\t%s\\n' $(date -d '-3 minutes' --iso-8601=seconds) 2001-09-09T01:46:40Z", columns=("title", "time"))
    times = shown.part("time").all_text_contents()
    assert times[0] == "3 min ago" and "2001" in times[1], times


@test
def rows_stay_where_they_are_under_a_finger(stage):
    shown, write = file_list(stage, [("b", "Beta"), ("c", "Gamma")])
    shown.finger.down()
    shown.finger.move(60)
    write([("a", "Alpha"), ("b", "Beta"), ("c", "Gamma")])
    shown.list.evaluate("list => list.refresh()")
    assert shown.titles == ["Beta", "Gamma"], "a row came while the finger was down"
    shown.finger.up()
    shown.wait_for_titles("Alpha", "Beta", "Gamma")


@test
def rows_stay_where_they_are_under_a_finger_that_scrolls(stage):
    shown, write = file_list(stage, [(str(number), f"Row {number}") for number in range(60)])
    shown.page.evaluate("scrollTo(0, 600)")
    shown.finger.down(y=500)
    shown.finger.move(-40)
    write([("new", "New"), *((str(number), f"Row {number}") for number in range(60))])
    refresh_elsewhere(shown)
    shown.wait_for_trace("closing")
    shown.rest()
    assert shown.titles[0] == "Row 0", "a row came while the finger was down"
    shown.finger.up()
    shown.page.wait_for_function("list => list.shadowRoot.querySelectorAll('li').length === 61", arg=shown.handle)


# Notes when rows are worked on, by the list's own word, and when the page scrolls. Ours alone scrolls by script.
NOTES = """list => {
    window.notes = [];
    const rows = list.shadowRoot.querySelector('[part=rows]');
    new MutationObserver(() => notes.push(['busy', rows.ariaBusy])).observe(rows, { attributeFilter: ['aria-busy'] });
    new MutationObserver(() => notes.push(['rows', rows.querySelectorAll('li').length])).observe(rows, { childList: true, subtree: true });
    addEventListener('scroll', () => notes.push(['scroll', Math.round(scrollY)]), true);
    list.addEventListener('patch', () => notes.push(['patch', list.phase]));
}"""


def glide(shown):
    """Flings the page upwards and lets go."""
    shown.finger.down(y=700)
    shown.finger.move(-400, steps=5, pause=8)
    shown.finger.up()


@test
def rows_stay_where_they_are_while_the_list_glides(stage):
    shown, write = file_list(stage, numbered(range(300)))
    shown.list.evaluate(NOTES)
    write(numbered([1000], range(300)))
    shown.list.evaluate("list => { setTimeout(() => fetch('lists/list/refresh', { method: 'POST' }), 150); }")
    glide(shown)
    shown.page.wait_for_function("() => notes.some(([what]) => what === 'rows')")
    notes = [what for what, _ in shown.page.evaluate("notes")]
    patched, drawn = notes.index("patch"), notes.index("rows")
    assert "scroll" in notes[:patched] and "scroll" in notes[patched:drawn], f"it did not glide: {notes}"
    # Ours to make room above, and nothing after it.
    assert notes[drawn:].count("scroll") <= 1, notes
    # Said once all rows are in order.
    shown.page.wait_for_function("list => list.shadowRoot.querySelector('[part=news]').textContent === '↑ 1 new'", arg=shown.handle)


@test
def what_came_under_a_finger_is_shown_at_once_and_together(stage):
    shown, write = file_list(stage, numbered(range(60)))
    shown.list.evaluate(NOTES)
    shown.finger.down(y=500)
    for number in (100, 101, 102):
        write(numbered(range(100, number + 1), range(60)))
        refresh_elsewhere(shown)
    assert [what for what, _ in shown.page.evaluate("notes") if what != "patch"] == []
    shown.finger.up()
    shown.page.wait_for_function("() => notes.some(([what]) => what === 'rows')")
    shown.rest(200)
    assert [note for note in shown.page.evaluate("notes") if note[0] == "rows"] == [["rows", 63]]


@test
def rows_are_busy_while_they_are_worked_on_and_no_longer(stage):
    shown, write = file_list(stage, numbered(range(600)))
    # The first ones are still worked on when they are there.
    shown.page.wait_for_function(SETTLED, arg=shown.handle)
    shown.list.evaluate(NOTES)
    write(numbered(range(300, 2500)))
    shown.list.evaluate("list => list.refresh()")
    shown.page.wait_for_function("list => list.shadowRoot.querySelectorAll('li').length === 2200", arg=shown.handle)
    shown.page.wait_for_function(SETTLED, arg=shown.handle)
    busy = [busy for what, busy in shown.page.evaluate("notes") if what == "busy"]
    assert busy == ["true", None], busy


@test
def a_time_ticks(stage):
    shown = stage.one("printf 'a\\tAlpha\\t%s\\n' $(date -d '-3 minutes' --iso-8601=seconds)", columns=("title", "time"))
    shown.page.evaluate("() => { const { now } = Date; Date.now = () => now() + 120_000; }")
    shown.part("time").filter(has_text="5 min ago").wait_for()


@test
def a_time_far_from_the_view_ticks_once_it_comes_near(stage):
    shown = stage.one("seq 2000 | sed \"s/.*/&\\tRow &\\t$(date -d '-3 minutes' --iso-8601=seconds)/\"", columns=("title", "time"))
    shown.page.wait_for_function(SETTLED, arg=shown.handle)
    shown.page.evaluate("() => { const { now } = Date; Date.now = () => now() + 120_000; }")
    first, last = shown.part("time").first, shown.part("time").last
    first.filter(has_text="5 min ago").wait_for()
    assert last.text_content() == "3 min ago", last.text_content()
    shown.page.evaluate("scrollTo(0, 1e6)")
    # Long before all that is near ticks again.
    last.filter(has_text="5 min ago").wait_for(timeout=3000)


@test
def rows_that_come_above_do_not_move_what_one_reads(stage):
    shown, write = file_list(stage, numbered(range(600)))
    shown.page.evaluate("scrollTo(0, 15000)")
    shown.rest()
    top = "list => { const row = list.shadowRoot.querySelector('[data-key=\"280\"]'); return row.getBoundingClientRect().top; }"
    before = shown.list.evaluate(top)
    shown.page.evaluate(SHIFTS)
    write(numbered(range(1000, 1500), range(200), range(210, 600)))
    refresh_elsewhere(shown)
    shown.page.wait_for_function("list => list.shadowRoot.querySelectorAll('li').length === 1090", arg=shown.handle)
    shown.part("news").wait_for()
    shown.wait_for_phase("waiting")
    shown.rest(500)
    assert abs(shown.list.evaluate(top) - before) < 1, (shown.list.evaluate(top), before)
    assert shown.page.evaluate("shift") == 0, shown.page.evaluate("shift")
    assert shown.part("news").inner_text() == "↑ 500 new"


@test
def a_pill_leads_to_new_rows_and_goes_when_they_are_reached(stage):
    shown, write = file_list(stage, numbered(range(60)))
    write(numbered([100, 101], range(60)))
    refresh_elsewhere(shown)
    shown.part("news").wait_for()
    assert shown.page.evaluate("scrollY") > 0, "somebody else's rows pushed down what is read"
    shown.wait_for_phase("waiting")
    shown.part("news").click()
    shown.page.wait_for_function("() => scrollY === 0")
    shown.part("news").wait_for(state="hidden")


@test
def ones_own_pull_at_the_top_shows_the_new_rows(stage):
    shown, write = file_list(stage, numbered(range(60)))
    write(numbered([100, 101], range(60)))
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    shown.wait_for_phase("waiting")
    assert shown.page.evaluate("scrollY") == 0
    assert not shown.part("news").is_visible()
    assert shown.part("row").first.inner_text() == "Row 100"


@test
def a_long_list_is_in_order_after_any_patch(stage):
    seed = random.randrange(1_000_000)
    generator = random.Random(seed)
    shown, write = file_list(stage, numbered(range(900)))
    for _ in range(5):
        keys = generator.sample(range(4000), generator.randint(1, 4000))
        write(numbered(keys))
        # Two at once: the second comes while the first is worked off.
        shown.list.evaluate("async list => { await list.refresh(); await list.refresh(); }")
        shown.page.wait_for_function(SETTLED, arg=shown.handle)
        assert shown.list.evaluate(KEYS) == [str(key) for key in keys], f"seed {seed}"
        for name, most in (("group", 32), ("groups", 64)):
            sizes = shown.list.evaluate("(list, name) => [...list.shadowRoot.querySelectorAll(`.${name}`)].map(group => group.childElementCount)", name)
            assert all(0 < size <= most for size in sizes), f"seed {seed}: {name} {sizes}"


@test
def rows_that_come_into_the_midst_move_no_group_that_was_seen(stage):
    # More groups than the first block was filled with.
    shown, write = file_list(stage, numbered(range(1100)))
    shown.page.wait_for_function(SETTLED, arg=shown.handle)
    groups = "[...list.shadowRoot.querySelector('.groups').children]"
    assert shown.list.evaluate(f"list => (window.seen = {groups}).length") == 32
    write(numbered([0], range(5000, 5200), range(1, 1100)))
    shown.list.evaluate("list => list.refresh()")
    shown.page.wait_for_function("list => list.shadowRoot.querySelectorAll('li').length === 1300", arg=shown.handle)
    shown.page.wait_for_function(SETTLED, arg=shown.handle)
    assert shown.list.evaluate(f"list => {groups}.filter(group => seen.includes(group)).length") == 32
    assert shown.list.evaluate(f"list => {groups}.length") > 32


def long_list_read_in_its_midst(stage):
    shown, write = file_list(stage, numbered(range(1100)))
    shown.page.wait_for_function(SETTLED, arg=shown.handle)
    shown.page.evaluate("scrollTo(0, 20000)")
    shown.rest()
    return shown, write


@test
def what_is_in_view_and_what_is_not_have_one_containment_of_style(stage):
    shown, write = long_list_read_in_its_midst(stage)
    write(numbered(range(1, 1100)))
    refresh_elsewhere(shown)
    shown.page.wait_for_function("list => list.shadowRoot.querySelectorAll('li').length === 1099", arg=shown.handle)
    shown.page.wait_for_function(SETTLED, arg=shown.handle)
    for name, value in (("contentVisibility", ["auto", "visible"]), ("contain", ["style"])):
        values = shown.list.evaluate("""(list, name) =>
            [...new Set([...list.shadowRoot.querySelectorAll('.groups, .group')].map(group => group.style[name]))].sort()""", name)
        assert values == value, (name, values)


@test
def what_is_in_view_is_drawn_as_held_before_rows_move(stage):
    shown, write = long_list_read_in_its_midst(stage)
    shown.list.evaluate("""list => {
        window.notes = [];
        const note = ({ type, target }) => {
            if (type === 'childList') notes.push('moved');
            else if (target.style.contentVisibility === 'visible') notes.push('held');
        };
        const rows = list.shadowRoot.querySelector('[part=rows]');
        new MutationObserver(records => records.forEach(note)).observe(rows, { subtree: true, childList: true, attributeFilter: ['style'] });
        const draw = () => {
            notes.push('drawn');
            requestAnimationFrame(draw);
        };
        draw();
    }""")
    write(numbered(range(1, 1100)))
    refresh_elsewhere(shown)
    shown.page.wait_for_function("list => list.shadowRoot.querySelectorAll('li').length === 1099", arg=shown.handle)
    notes = shown.page.evaluate("notes")
    before = notes[:notes.index("moved")]
    assert "held" in before and "drawn" in before[before.index("held"):], before


@test
def what_is_out_of_view_is_taken_for_as_high_as_its_rows(stage):
    shown, write = file_list(stage, numbered(range(1100)))
    for keys in (range(1, 1100, 2), range(500, 2500), [*range(500, 900), *range(3000, 3100), *range(900, 2500)]):
        write(numbered(keys))
        shown.list.evaluate("list => list.refresh()")
        shown.page.wait_for_function(f"list => list.shadowRoot.querySelectorAll('li').length === {len(keys)}", arg=shown.handle)
        shown.page.wait_for_function(SETTLED, arg=shown.handle)
        wrong = shown.list.evaluate("""list => {
            const { height } = list.shadowRoot.querySelector('li').getBoundingClientRect();
            const rowsOf = (group) => group.querySelectorAll('li').length * height;
            const wanted = (group) => rowsOf(group) + (group.className === 'group' ? 0 : group.childElementCount);
            const groups = [...list.shadowRoot.querySelectorAll('.groups, .group')];
            const taken = ({ style }) => parseFloat(style.containIntrinsicBlockSize.replace('auto ', ''));
            return groups.map(group => [taken(group), wanted(group)]).filter(([taken, wanted]) => Math.abs(taken - wanted) > 0.1);
        }""")
        assert not wrong, wrong


@test
def a_long_patch_leaves_room_for_a_finger(stage):
    shown, write = file_list(stage, numbered(range(2000)))
    write(numbered(range(1000, 6000)))
    shown.page.evaluate("""() => {
        window.turns = 0;
        const turn = () => { window.turns += 1; setTimeout(turn, 0); };
        turn();
    }""")
    shown.list.evaluate("list => list.addEventListener('patch', () => { window.turns = 0; })")
    shown.list.evaluate("list => list.refresh()")
    shown.page.wait_for_function("list => list.shadowRoot.querySelectorAll('li').length === 5000", arg=shown.handle)
    turns = shown.page.evaluate("turns")
    assert turns > 2, f"the page did nothing else meanwhile: {turns} turns"
