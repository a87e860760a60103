"""Sections: headings above consecutive rows that say the same, in view while their rows pass."""

import random
import time

from harness import DESKTOP, test, tsv
from pulling import FAR
from rows import KEYS, SETTLED, refresh_elsewhere

DAY = 86_400
# Each section as its heading and the keys of its rows.
SECTIONS = """list => [...list.shadowRoot.querySelectorAll('.section')].map(section => [
    section.firstElementChild.hidden ? '' : section.firstElementChild.textContent,
    [...section.querySelectorAll('li')].map(row => row.dataset.key),
])"""
# Where a heading stands, below the bar.
BELOW_BAR = """(list, text) => {
    const heading = [...list.shadowRoot.querySelectorAll('[part=section]')].find(heading => heading.textContent === text);
    const bar = list.shadowRoot.querySelector('[part=bar]');
    return Math.round(heading.getBoundingClientRect().top - bar.getBoundingClientRect().bottom);
}"""


def teams(*rows):
    """Rows of a team each: a-Red is the row a in the section Red."""
    return [(key, f"Row {key}", team) for key, team in (row.split("-") for row in rows)]


def file_list(stage, rows, **settings):
    """A list whose rows have a team each; gives also what writes them."""
    file = stage.folder / "rows"

    def write(rows):
        scratch = stage.folder / "scratch"
        scratch.write_text("".join("\t".join(row) + "\n" for row in rows))
        scratch.rename(file)

    write(rows)
    settings = {"section": 3, **settings}
    return stage.one(f"cat '{file}'", **settings), write


def dated(*days, hour=12):
    """A command that prints rows of so many days ago, at noon."""
    today = time.time() // DAY * DAY + hour * 3600
    return "printf '" + "".join(f"{i}\\tRow {i}\\t{today + day * DAY:.0f}\\n" for i, day in enumerate(days)) + "'"


def by_day(stage, command, **options):
    url = stage.serve([tsv("list", command, ("title", "time"), section={"day": "time"})])
    return stage.open(f"{url}#list", timezone_id="UTC", **options)


def wait_for_sections(shown, *sections):
    wanted = [[heading, list(keys)] for heading, keys in sections]
    for _ in range(100):
        if (told := shown.list.evaluate(SECTIONS)) == wanted:
            return
        shown.rest(50)
    assert told == wanted, told


def grouped(rows):
    """What is to be seen of rows: consecutive ones of a team together."""
    sections = []
    for key, _, team in rows:
        if not sections or sections[-1][0] != team:
            sections.append([team, []])
        sections[-1][1].append(key)
    return sections


@test
def consecutive_rows_share_a_heading_and_the_order_stays_the_servers(stage):
    shown, write = file_list(stage, teams("a-Red", "b-Red", "c-Blue", "d-Red", "e-"))
    wait_for_sections(shown, ("Red", "ab"), ("Blue", "c"), ("Red", "d"), ("", "e"))
    levels = shown.list.evaluate("list => [...list.shadowRoot.querySelectorAll('[part=section]')].map(heading => heading.ariaLevel)")
    # The list's own is the page's first.
    assert levels == ["2"] * 4, levels
    roles = shown.list.evaluate("list => [...list.shadowRoot.querySelectorAll('[part=rows], .section > .groups')].map(e => `${e.role} ${e.ariaLabel}`)")
    assert roles == ["group List", "list Red", "list Blue", "list Red", "list List"], roles


@test
def rows_keep_their_elements_from_one_section_to_the_next(stage):
    shown, write = file_list(stage, teams("a-Red", "b-Red", "c-Blue", "d-Blue"))
    shown.list.evaluate("""list => {
        for (const element of list.shadowRoot.querySelectorAll('li, h3')) element.known = element.dataset.key ?? element.textContent;
    }""")
    write(teams("c-Blue", "b-Blue", "d-Blue", "e-Green", "a-Red"))
    shown.list.evaluate("list => list.refresh()")
    wait_for_sections(shown, ("Blue", "cbd"), ("Green", "e"), ("Red", "a"))
    known = shown.list.evaluate("list => [...list.shadowRoot.querySelectorAll('[part=rows] :is(li, h3)')].map(element => element.known ?? null)")
    assert known == ["Blue", "c", "b", "d", None, None, "Red", "a"], known
    write(teams())
    shown.list.evaluate("list => list.refresh()")
    shown.part("empty").wait_for()
    assert shown.list.evaluate("list => list.shadowRoot.querySelector('[part=rows]').childElementCount") == 0


@test
def sections_are_right_after_any_patch(stage):
    seed = random.randrange(1_000_000)
    generator = random.Random(seed)

    def some():
        # Runs of a team, of one row to a few hundred; most rows are of the same team each time.
        count, teams, rows = generator.choice([5, 5, 200, 1500]), ["Red", "Blue", "Green", "Gold", ""], []
        keys = generator.sample(range(2 * count), count)
        while keys:
            team = generator.randrange(5)
            wanted = int(generator.expovariate(1 / generator.choice([1, 30, 300]))) + 1
            taken = set([key for key in keys if key % 5 == team or generator.random() < 0.05][:wanted])
            rows += [(str(key), f"Row {key}", teams[team]) for key in keys if key in taken]
            keys = [key for key in keys if key not in taken]
        return rows

    shown, write = file_list(stage, some())
    for _ in range(12):
        rows = some()
        write(rows)
        # Two at once: the second comes while the first is worked off.
        shown.list.evaluate("async list => { await list.refresh(); await list.refresh(); }")
        shown.page.wait_for_function(SETTLED, arg=shown.handle)
        assert shown.list.evaluate(KEYS) == [key for key, _, _ in rows], f"seed {seed}"
        assert shown.list.evaluate(SECTIONS) == grouped(rows), f"seed {seed}"
        sizes = shown.list.evaluate("list => [...list.shadowRoot.querySelectorAll('.group')].map(group => group.childElementCount)")
        assert all(0 < size <= 64 for size in sizes), f"seed {seed}: {sizes}"
        blocks = shown.list.evaluate("list => [...list.shadowRoot.querySelector('[part=rows]').children].map(block => block.childElementCount)")
        assert all(0 < size <= 64 for size in blocks), f"seed {seed}: {blocks}"


@test
def a_heading_stays_below_the_bar_until_the_next_pushes_it_out(stage):
    shown, _ = file_list(stage, teams(*(f"{i}-Red" for i in range(30)), *(f"{i}-Blue" for i in range(30, 60))))
    assert shown.list.evaluate(BELOW_BAR, "Red") == 0
    shown.page.evaluate("scrollTo(0, 500)")
    shown.rest(100)
    assert shown.list.evaluate(BELOW_BAR, "Red") == 0
    gap = shown.list.evaluate(BELOW_BAR, "Blue")
    shown.page.evaluate("gap => scrollBy(0, gap - 10)", gap)
    shown.rest(100)
    assert shown.list.evaluate(BELOW_BAR, "Blue") == 10 and shown.list.evaluate(BELOW_BAR, "Red") < 0
    shown.page.evaluate("scrollBy(0, 300)")
    shown.rest(100)
    assert shown.list.evaluate(BELOW_BAR, "Blue") == 0
    covers = shown.list.evaluate("""list => {
        const heading = [...list.shadowRoot.querySelectorAll('[part=section]')].at(-1), { left, top } = heading.getBoundingClientRect();
        return list.shadowRoot.elementFromPoint(left + 40, top + 20) === heading;
    }""")
    assert covers, "rows pass above the heading"


@test
def headings_stay_below_a_bar_that_grows_and_in_a_box_that_scrolls(stage):
    shown, _ = file_list(stage, teams(*(f"{i}-Red" for i in range(60))))
    shown.page.evaluate("""() => {
        const list = document.querySelector('refreshable-list'), box = document.createElement('div');
        box.style = 'height: 400px; overflow-y: auto';
        list.before(box);
        box.append(list);
    }""")
    shown.rest(300)
    shown.page.evaluate("document.querySelector('refreshable-list').parentNode.scrollTop = 700")
    shown.rest(100)
    assert shown.list.evaluate(BELOW_BAR, "Red") == 0
    shown.part("search").tap()
    shown.part("find").wait_for()
    shown.rest(100)
    assert shown.list.evaluate(BELOW_BAR, "Red") == 0, "below the field that finds rows"


@test
def a_pull_takes_the_heading_along_with_its_rows(stage):
    shown, _ = file_list(stage, teams(*(f"{i}-Red" for i in range(30))))
    gap = "list => list.shadowRoot.querySelector('[data-key=\"0\"]').getBoundingClientRect().top - list.shadowRoot.querySelector('[part=section]').getBoundingClientRect().bottom"
    before, top = shown.list.evaluate(gap), shown.top("section")
    shown.finger.down()
    shown.finger.move(FAR)
    assert shown.top("section") > top + 40
    assert abs(shown.list.evaluate(gap) - before) < 0.6
    shown.finger.up()
    shown.wait_for_trace("closing")
    shown.wait_for_phase("waiting")
    shown.wait_for_top(top, "section")


@test
def days_are_told_in_the_readers_language(stage):
    command = dated(0, -1, -1, -2, -400)
    weekday = time.strftime("%A", time.gmtime(time.time() - 2 * DAY))
    shown = by_day(stage, command)
    headings = shown.list.evaluate(SECTIONS)
    assert [heading for heading, _ in headings[:3]] == ["Today", "Yesterday", weekday], headings
    assert str(time.gmtime(time.time() - 400 * DAY).tm_year) in headings[3][0] and headings[1][1] == ["1", "2"], headings
    told = {}
    for language in ("de", "fr", "es", "ja", "zh", "ar"):
        shown.list.evaluate("(list, language) => { list.lang = language; }", language)
        shown.rest(200)
        told[language] = shown.list.evaluate(SECTIONS)[0][0]
    assert told == {"de": "Heute", "fr": "Aujourd’hui", "es": "Hoy", "ja": "今日", "zh": "今天", "ar": "اليوم"}, told


@test
def today_is_yesterday_after_midnight(stage):
    shown = by_day(stage, dated(0))
    wait_for_sections(shown, ("Today", "0"))
    shown.page.evaluate("() => { const { now } = Date; Date.now = () => now() + 86_400_000; }")
    shown.part("section").filter(has_text="Yesterday").wait_for()


@test
def rows_that_come_above_do_not_move_what_one_reads_in_a_section(stage):
    def rows(*numbers):
        return [(str(i), f"Row {i}", f"Team {i // 40}") for i in numbers]

    shown, write = file_list(stage, rows(*range(600)))
    shown.page.evaluate("scrollTo(0, 15000)")
    shown.rest()
    top = "list => list.shadowRoot.querySelector('[data-key=\"250\"]').getBoundingClientRect().top"
    before = shown.list.evaluate(top)
    write(rows(*range(1000, 1500), *range(200), *range(210, 600)))
    refresh_elsewhere(shown)
    shown.page.wait_for_function("list => list.shadowRoot.querySelectorAll('li').length === 1090", arg=shown.handle)
    shown.page.wait_for_function(SETTLED, arg=shown.handle)
    shown.rest(500)
    assert abs(shown.list.evaluate(top) - before) < 1, (shown.list.evaluate(top), before)


@test
def settings_may_divide_a_list_that_is_shown_and_take_it_back(stage):
    shown, _ = file_list(stage, teams("a-Red", "b-Blue"))
    wait_for_sections(shown, ("Red", "a"), ("Blue", "b"))
    one = tsv("list", f"cat '{stage.folder}/rows'")
    stage.change([one])
    wait_for_sections(shown)
    shown.wait_for_titles("Row a", "Row b")
    assert shown.list.evaluate("list => list.shadowRoot.querySelector('[part=rows]').role") == "list"
    stage.change([{**one, "section": 3}])
    wait_for_sections(shown, ("Red", "a"), ("Blue", "b"))


@test
def keys_lead_from_heading_to_heading(stage):
    url = stage.serve([tsv("list", f"for i in $(seq 60); do printf \"$i\\tRow $i\\tTeam $((i / 20))\\n\"; done", section=3)])
    shown = stage.open(f"{url}#list", DESKTOP, reduced_motion="reduce")
    focused = "list => list.shadowRoot.activeElement.textContent"
    shown.part("refresh").focus()
    for key, wanted in (("ArrowDown", "Team 1"), ("ArrowDown", "Team 2"), ("ArrowUp", "Team 1"), ("ArrowUp", "Team 0")):
        shown.page.keyboard.press(f"Alt+{key}")
        assert shown.list.evaluate(focused) == wanted, (key, shown.list.evaluate(focused))
        assert shown.list.evaluate(BELOW_BAR, wanted) in range(2), wanted
    shown.page.keyboard.press("Alt+ArrowUp")
    assert shown.list.evaluate(focused) == "Team 0", "there is none before"


@test
def a_pages_own_rows_stand_below_headings_too(stage):
    shown, write = file_list(stage, teams(*(f"{i}-Red" for i in range(40)), "x-Blue"))
    shown.list.evaluate("list => { list.innerHTML = '<template><b data-field=title></b></template>'; }")
    shown.page.wait_for_function("list => list.querySelectorAll('h3[part=section]').length === 2", arg=shown.handle)
    shown.page.evaluate("scrollTo(0, 300)")
    shown.rest(100)
    below = shown.list.evaluate("""list => list.querySelector('h3').getBoundingClientRect().top
        - list.shadowRoot.querySelector('[part=bar]').getBoundingClientRect().bottom""")
    assert abs(below) < 1, below
    write(teams("x-Blue", "1-Red"))
    shown.list.evaluate("list => list.refresh()")
    shown.page.wait_for_function("list => [...list.querySelectorAll('h3, li')].map(e => e.textContent).join() === 'Blue,Row x,Red,Row 1'", arg=shown.handle)


@test
def a_section_is_no_detail_of_a_row(stage):
    shown, _ = file_list(stage, teams("a-Red"))
    assert shown.list.evaluate("list => list.shadowRoot.querySelector('[aria-expanded]')") is None


@test
def a_refresh_of_one_row_moves_its_section_without_a_jump(stage):
    shown, write = file_list(stage, teams("a-Red", "b-Blue", "c-Red"))
    write(teams("b-Blue", "a-Red", "c-Red"))
    shown.finger.pull(FAR)
    wait_for_sections(shown, ("Blue", "b"), ("Red", "ac"))
    shown.wait_for_phase("waiting")
