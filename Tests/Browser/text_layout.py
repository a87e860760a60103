"""Right to left, large letters, and screens with notches."""

from harness import PHONE, test, tsv
from indicators import SLOW
from proxy import Wire

ROWS = "printf 'a\\tAda Lovelace\\tfrom the orchard behind the house\\t12\\tripe\\nb\\tתפוח\\tfair trade\\t7\\tnew\\n'"
COLUMNS = ("title", "subtitle", "detail", "badge")
# Where the letters of an element are, not its box.
LETTERS = "e => { const range = document.createRange(); range.selectNodeContents(e); const { left, right } = range.getBoundingClientRect(); return [left, right]; }"
# What shows less than it holds, and how much wider the page is than its window.
CUT = """() => {
    const cut = [];
    const look = root => {
        for (const e of root.querySelectorAll('*')) {
            if (e.shadowRoot) look(e.shadowRoot);
            const hides = ['hidden', 'clip'].includes(getComputedStyle(e).overflowX) && !e.matches('.visually-hidden, .gap, html, body, ul');
            if (hides && e.checkVisibility() && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1))
                cut.push(`${e.localName} ${e.getAttribute('part')} ${e.textContent}`);
        }
    };
    look(document);
    const box = document.querySelector('refreshable-list').shadowRoot.querySelector('[part=indicator]');
    const words = box.querySelector('.words');
    if (words.offsetHeight > box.offsetHeight + 4) cut.push(`the indicator's words are ${words.offsetHeight} high`);
    return [cut, document.documentElement.scrollWidth - innerWidth];
}"""


def where(shown, name):
    return shown.part(name).first.evaluate("e => { const { left, right } = e.getBoundingClientRect(); return [left, right]; }")


def opened(stage, direction="ltr", text="100%", width=390, command=ROWS, language="en"):
    script = f"""document.addEventListener('readystatechange', () => {{
        Object.assign(document.documentElement, {{ dir: '{direction}', lang: '{language}' }}).style.fontSize = '{text}';
    }})"""
    url = stage.serve([tsv("list", command, COLUMNS, title="Fruit basket")])
    return stage.open(f"{url}#list", {**PHONE, "viewport": {"width": width, "height": 700}}, script=script)


@test
def right_to_left_the_layout_is_mirrored(stage):
    shown = opened(stage, "rtl", language="ar")
    assert where(shown, "refresh")[0] < 20 and where(shown, "heading")[1] > 300
    assert shown.part("heading").evaluate(LETTERS)[1] > 330
    back = shown.page.locator(".back")
    assert back.bounding_box()["x"] > 330 and back.locator("svg").evaluate("e => getComputedStyle(e).scale") == "-1 1"
    for title in shown.list.evaluate(f"list => [...list.shadowRoot.querySelectorAll('.row > [part~=title]')].map({LETTERS})"):
        assert abs(title[1] - 358) < 2, title
    assert where(shown, "badge")[1] < where(shown, "title")[0] + 300 and where(shown, "detail")[0] < 40
    shown.finger.down()
    shown.finger.move(100)
    arrow, words = (shown.list.evaluate(f"list => list.shadowRoot.querySelector('.indicator {part}').getBoundingClientRect().left") for part in ("svg", ".words"))
    assert arrow > words
    shown.finger.lose()


@test
def words_in_another_direction_keep_their_own_and_begin_at_the_same_side(stage):
    shown = opened(stage)
    titles = shown.list.evaluate(f"list => [...list.shadowRoot.querySelectorAll('.row > [part~=title]')].map({LETTERS})")
    assert abs(titles[0][0] - titles[1][0]) < 2, titles
    assert shown.part("title").first.evaluate("e => getComputedStyle(e).unicodeBidi") == "plaintext"
    for part in (".label", ".note"):
        assert shown.list.evaluate(f"list => getComputedStyle(list.shadowRoot.querySelector('{part}')).unicodeBidi") == "plaintext", part


@test
def words_of_the_indicator_stand_beside_its_picture_in_either_direction(stage):
    # Of an RTL language that is none of ours: the words are English.
    for direction, language in (("ltr", "en"), ("rtl", "he"), ("rtl", "ar")):
        shown = opened(stage, direction, language=language)
        shown.finger.down()
        shown.finger.move(60)
        picture = shown.part("indicator").locator("svg").bounding_box()
        for part in (".label", ".note"):
            left, right = shown.part("indicator").locator(part).evaluate(LETTERS)
            between = left - picture["x"] - picture["width"] if direction == "ltr" else picture["x"] - right
            assert abs(between - 12) < 2, (direction, language, part, between)
        shown.finger.lose()


@test
def letters_of_twice_the_size_are_not_cut_off_on_a_small_screen(stage):
    broken = f"test -e '{stage.folder}/ran' && sleep 0.7; test -e '{stage.folder}/bad' && exit 1; touch '{stage.folder}/ran'; {ROWS}"
    for language in ("en", "de"):
        shown = opened(stage, text="200%", width=320, command=broken, language=language)
        seen = []
        look = lambda what: seen.append((what, *shown.page.evaluate(CUT)))
        look("rows")
        shown.finger.down(150, 260)
        shown.finger.move(60)
        look("waiting")
        shown.finger.move(140)
        look("primed")
        shown.finger.up()
        shown.wait_for_phase("loading")
        look("loading")
        shown.wait_for_phase("closing")
        look("closing")
        shown.wait_for_phase("waiting")
        (stage.folder / "bad").touch()
        shown.list.evaluate("list => list.refresh()")
        shown.part("error").wait_for()
        look("error")
        (stage.folder / "bad").unlink()
        assert all(not cut and wide <= 0 for _, cut, wide in seen), seen


@test
def a_small_screen_shows_all_of_a_short_title_while_it_loads(stage):
    for width in (320, 360):
        url = stage.serve([tsv("list", SLOW.format(stage.folder).replace("0.7", "5"), title="Commits")])
        shown = stage.open(f"{url}#list", {**PHONE, "viewport": {"width": width, "height": 700}})
        shown.list.evaluate("list => { list.refresh() }")
        cancel = shown.part("cancel")
        cancel.wait_for()
        assert shown.part("heading").evaluate("e => e.scrollWidth <= e.clientWidth"), width
        box = cancel.bounding_box()
        assert min(box["width"], box["height"]) >= 44 and cancel.inner_text() == "Cancel", box
        shown.list.evaluate("list => list.cancel()")


@test
def buttons_stand_at_the_end_of_the_bar_for_large_letters_too(stage):
    for direction in ("ltr", "rtl"):
        shown = opened(stage, direction, text="200%", width=320)
        edge = 320 - where(shown, "refresh")[1] if direction == "ltr" else where(shown, "refresh")[0]
        assert edge < 20, (direction, edge)
        shown.part("search").evaluate("button => { button.hidden = true }")
        edge = 320 - where(shown, "refresh")[1] if direction == "ltr" else where(shown, "refresh")[0]
        assert edge < 20, (direction, edge, "without the other button")


@test
def the_button_below_what_is_said_of_no_rows_stands_in_the_middle(stage):
    wire = Wire(stage.serve([tsv("list", "sleep 30", deadline="none")]))
    shown = stage.open(f"{wire.url}#list", at_rest=False)
    shown.wait_for_phase("loading")
    wire.cut()
    button = shown.part("empty").locator("[part=retry]")
    button.wait_for()
    left, right = button.evaluate("e => { const { left, right } = e.getBoundingClientRect(); return [left, right]; }")
    assert abs((left + right) / 2 - 195) < 1, (left, right)


@test
def the_way_that_cancel_takes_moves_nothing_for_large_letters_either(stage):
    shown = opened(stage, text="200%", width=320, command=SLOW.format(stage.folder).replace("0.7", "3"))
    before = shown.part("content").evaluate("e => e.offsetTop")
    shown.list.evaluate("list => { list.refresh({ quietly: true }) }")
    shown.part("cancel").wait_for()
    assert shown.part("content").evaluate("e => e.offsetTop") == before


@test
def what_a_notch_takes_is_left_free(stage):
    insets = {"top": 20, "bottom": 21, "left": 47, "right": 47}
    for width in (760, 844):
        for direction in ("ltr", "rtl"):
            shown = opened(stage, direction, width=width)
            shown.finger.session.send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
            shown.page.wait_for_function("list => getComputedStyle(list.parentNode).paddingLeft === '47px' || getComputedStyle(list.parentNode).paddingRight === '47px'", arg=shown.handle)
            ends = [where(shown, name) for name in ("refresh", "heading", "rows")]
            ends += [shown.page.locator("nav h1").evaluate("e => { const { left, right } = e.getBoundingClientRect(); return [left, right]; }")] if width > 800 else []
            assert all(left >= 47 and right <= width - 47 for left, right in ends), (width, direction, ends)
            assert shown.part("heading").bounding_box()["y"] >= 20
