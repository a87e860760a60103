"""A bubble says where one is, while one flings through a long list."""

from harness import DESKTOP, test, tsv
from rows import SETTLED

NUMBERED = "seq 2000 | sed 's/.*/&\\tRow &/'"
BUBBLE = "list.shadowRoot.querySelector('[part=position]')"
# What the bubble says in each frame of a scroll by so many px a frame; null where it is not shown.
GLIDE = f"""async (list, [count, distance]) => {{
    const said = [];
    for (let i = 0; i < count; i += 1) {{
        (list.box ?? window).scrollBy(0, distance);
        await new Promise(requestAnimationFrame);
        const bubble = {BUBBLE};
        said.push(bubble?.classList.contains('shown') ? [...bubble.children].map(e => e.textContent) : null);
    }}
    return said;
}}"""
SHOWN = f"list => {BUBBLE}?.classList.contains('shown') ?? false"


def long_list(stage, rows=NUMBERED, columns=("title",), device=DESKTOP, **settings):
    url = stage.serve([tsv("list", rows, columns, **settings)])
    shown = stage.open(f"{url}#list", device)
    shown.page.wait_for_function(SETTLED, arg=shown.handle)
    shown.page.wait_for_function(f"list => {BUBBLE}", arg=shown.handle)
    return shown


def first_row(shown):
    """The row that stands a little below the bar, and its place from 1 on."""
    return shown.list.evaluate("""list => {
        const rows = [...list.shadowRoot.querySelectorAll('li')];
        const y = list.shadowRoot.querySelector('[part=bar]').getBoundingClientRect().bottom + 64;
        const at = rows.findIndex(row => row.getBoundingClientRect().bottom > y);
        return [rows[at].textContent, at + 1];
    }""")


@test
def a_fling_says_the_row_and_its_number(stage):
    shown = long_list(stage)
    said = shown.list.evaluate(GLIDE, [60, 133])
    assert said[0] is None and said[-1], said
    title, at = first_row(shown)
    # What is said was so some frames before.
    number = int(said[-1][1].removesuffix(" of 2,000").replace(",", ""))
    assert abs(number - at) <= 40 and said[-1][0] == f"Row {number}" and len({one[1] for one in said if one}) > 3, (said[-1], title, at)
    shown.page.wait_for_function(f"list => !({SHOWN})(list)", arg=shown.handle, timeout=1500)
    assert shown.list.evaluate(f"list => {BUBBLE}.ariaHidden") == "true"


@test
def a_slow_scroll_a_key_and_a_short_list_show_no_bubble(stage):
    shown = long_list(stage)
    assert not any(shown.list.evaluate(GLIDE, [40, 12])), "a slow scroll"
    shown.page.keyboard.press("Shift")
    assert not any(shown.list.evaluate(GLIDE, [20, 133])), "what a key may have scrolled to"
    shown.rest(1200)
    assert any(shown.list.evaluate(GLIDE, [20, 133])), "afterwards"
    shown = long_list(stage, "seq 101 | sed 's/.*/&\\tRow &/'", device={"viewport": {"width": 800, "height": 1000}})
    assert not any(shown.list.evaluate(GLIDE, [20, 133])), "a list of less than eight screens"


@test
def the_end_of_a_fling_says_the_last_rows(stage):
    shown = long_list(stage)
    said = shown.list.evaluate(GLIDE, [40, 4000])
    last = [one for one in said if one][-1]
    title, at = first_row(shown)
    assert at > 1900 and abs(int(last[0].removeprefix("Row ")) - at) <= 20, (last, title, at)
    top = shown.list.evaluate(f"list => {BUBBLE}.getBoundingClientRect().bottom")
    assert 700 < top <= 800, "at the end of the scroll bar"


@test
def a_fling_says_the_section_or_else_the_day(stage):
    rows = "for i in $(seq 1000); do printf \"$i\\tRow $i\\t$1\\n\"; done"
    shown = long_list(stage, rows.replace("$1", "Team $((i / 40))"), section=3)
    said = shown.list.evaluate(GLIDE, [60, 133])[-1]
    number = int(said[1].split(" ")[0])
    assert abs(int(said[0].removeprefix("Team ")) - number // 40) <= 1, said
    shown = long_list(stage, f"now=$(date +%s); {rows.replace('$1', '$((now - i * 60))')}", ("title", "time"))
    said = shown.list.evaluate(GLIDE, [20, 133])[-1]
    assert said[0] in ("Today", "Yesterday"), said


@test
def a_fling_in_a_box_says_it_too_and_a_list_that_is_gone_says_nothing(stage):
    shown = long_list(stage)
    shown.page.evaluate("""() => {
        const list = document.querySelector('refreshable-list'), box = document.createElement('div');
        box.style = 'height: 400px; overflow-y: auto';
        list.before(box);
        box.append(list);
        list.box = box;
    }""")
    shown.page.wait_for_function(SETTLED, arg=shown.handle)
    shown.rest(300)
    said = shown.list.evaluate(GLIDE, [30, 133])
    assert said[-1], said
    place = shown.list.evaluate(f"""list => {{
        const bubble = {BUBBLE}.getBoundingClientRect(), box = list.box.getBoundingClientRect();
        return bubble.top > box.top && bubble.bottom < box.bottom && bubble.right <= box.right;
    }}""")
    assert place, "in the box"
    shown.list.evaluate("list => list.remove()")
    shown.page.evaluate("scrollBy(0, 100)")
