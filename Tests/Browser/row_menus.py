"""Actions on rows without a finger: by menu and keys, as axe-core judges them and as a screen reader reads them."""

from accessibility import COLOURS, violations
from examples import example, keys
from harness import DESKTOP, test
from keyboard import FOCUSED
from row_actions import lines, mail, opened, ready, row, touch, wait_for_acted, wait_for_toast
from screen_reader import tree

# The menu, and whether all of it is in view.
INSIDE = """list => {
    const { left, right, top, bottom } = list.shadowRoot.querySelector('[part=menu]').getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
}"""


# As browsers were before they had popovers.
WITHOUT_POPOVERS = """(() => {
    for (const name of ['showPopover', 'hidePopover', 'popover']) delete HTMLElement.prototype[name];
    const { setAttribute } = Element.prototype;
    Element.prototype.setAttribute = function (name, value) { if (name !== 'popover') setAttribute.call(this, name, value); };
})()"""


def button(shown, key):
    return row(shown, key).locator("[part=actions]")


def focused(shown):
    return shown.page.evaluate(FOCUSED)


def press(shown, *keys):
    for key in keys:
        shown.page.keyboard.press(key)


def chosen(shown):
    """The item of the menu that has the focus; none: the menu is closed."""
    return shown.list.evaluate("list => list.shadowRoot.activeElement?.closest('[role=menuitem]')?.textContent ?? ''")


@test
def the_menu_is_walked_by_keys_and_gives_the_focus_back(stage):
    shown = opened(stage, device=DESKTOP)
    button(shown, "b").focus()
    press(shown, "Enter")
    assert chosen(shown) == "Archive" and button(shown, "b").get_attribute("aria-expanded") == "true"
    for key, item in (
        ("ArrowDown", "Flag"), ("ArrowUp", "Archive"), ("ArrowUp", "End"), ("ArrowDown", "Archive"), ("End", "End"), ("Home", "Archive"),
        ("s", "Send"), ("f", "Fail"), ("F", "Flag"), ("x", "Flag"),
    ):
        press(shown, key)
        assert chosen(shown) == item, (key, chosen(shown))
    press(shown, "Escape")
    assert chosen(shown) == "" and focused(shown) == "row b" and not shown.part("menu").is_visible()
    assert button(shown, "b").get_attribute("aria-expanded") == "false"
    press(shown, "Enter", "Tab")
    assert focused(shown) == "row c" and not shown.part("menu").is_visible()
    button(shown, "b").focus()
    press(shown, "Enter", "f", "Enter")
    wait_for_acted(shown, ("flag", "b", "success"))
    assert focused(shown) == "row b"


@test
def the_keys_of_a_context_menu_open_it_wherever_the_focus_is_in_a_row(stage):
    shown = opened(stage, device=DESKTOP)
    shown.page.evaluate("addEventListener('contextmenu', (event) => { window.own = !event.defaultPrevented; })")
    for key in ("Shift+F10", "ContextMenu"):
        button(shown, "c").focus()
        press(shown, key)
        assert chosen(shown) == "Archive", key
        press(shown, "Escape")
        assert focused(shown) == "row c"
    assert not shown.page.evaluate("window.own"), "the browser's own menu came, too"


@test
def delete_runs_what_removes_the_next_row_gets_the_focus_and_undo_has_a_key(stage):
    shown = opened(stage, device=DESKTOP)
    button(shown, "b").focus()
    press(shown, "Delete")
    shown.wait_for_titles("Alpha", "Gamma", "Delta")
    assert focused(shown) == "row c"
    press(shown, "Backspace")
    shown.wait_for_titles("Alpha", "Delta")
    assert focused(shown) == "row d"
    wait_for_toast(shown, "Archive: Gamma")
    press(shown, "Control+z", "Control+z")
    shown.wait_for_titles("Alpha", "Beta", "Gamma", "Delta")
    wait_for_acted(shown, *(("archive", key, "success") for key in ("b", "c", "c", "b")))


@test
def undo_of_what_is_not_over_waits_for_its_end(stage):
    shown = opened(stage, device=DESKTOP)
    (stage.folder / "gate").touch()
    button(shown, "b").focus()
    press(shown, "Delete")
    shown.wait_for_titles("Alpha", "Gamma", "Delta")
    shown.rest()
    press(shown, "Control+z")
    (stage.folder / "gate").unlink()
    shown.wait_for_titles("Alpha", "Beta", "Gamma", "Delta")
    wait_for_acted(shown, ("archive", "b", "success"), ("archive", "b", "success"))
    assert lines(stage, "returned") == ["b"]


@test
def delete_leads_to_what_destroys_for_good_and_does_not_run_it(stage):
    shown = opened(stage, ["Flag", "End"], DESKTOP)
    button(shown, "b").focus()
    press(shown, "Delete")
    assert chosen(shown) == "End"
    shown.rest()
    assert lines(stage, "ended") == []
    press(shown, "Enter")
    shown.wait_for_titles("Alpha", "Gamma", "Delta")


@test
def no_key_acts_while_somebody_writes(stage):
    shown = opened(stage, device=DESKTOP)
    shown.list.evaluate("list => { list.setAttribute('find', ''); list.setAttribute('query', 'a'); list.act('archive', 'b'); }")
    wait_for_toast(shown, "Archive: Beta")
    shown.part("find").focus()
    press(shown, "x", "Backspace", "Control+z", "Delete")
    shown.rest()
    assert shown.list.evaluate("list => list.acted.length") == 1 and lines(stage, "returned") == []


@test
def the_menu_is_never_cut_off(stage):
    for width, height in ((320, 568), (1280, 420)):
        shown = opened(stage, device={"viewport": {"width": width, "height": height}})
        for direction in ("ltr", "rtl"):
            shown.page.evaluate("direction => { document.documentElement.dir = direction; }", direction)
            for key in "ad":
                button(shown, key).click()
                assert shown.list.evaluate(INSIDE), (width, direction, key)
                box = button(shown, key).bounding_box()
                assert min(box["width"], box["height"]) >= 44, box
                press(shown, "Escape")
    shown.page.evaluate("document.body.style.minHeight = '300vh'")
    button(shown, "a").click()
    shown.page.mouse.wheel(0, 60)
    shown.part("menu").wait_for(state="hidden")


@test
def the_menu_works_where_there_are_no_popovers(stage):
    shown = opened(stage, script=WITHOUT_POPOVERS)
    button(shown, "b").tap()
    assert shown.part("menu").is_visible()
    press(shown, "ArrowDown")
    assert chosen(shown) == "Flag"
    shown.part("heading").tap()
    assert chosen(shown) == ""


@test
def only_rows_that_were_in_view_have_buttons(stage):
    many = mail(stage, ["Archive"])
    many["command"] = "seq 2000 | sed 's/.*/&\\tRow &/'"
    shown = ready(stage.open(f"{stage.serve([many])}#mail"))
    shown.page.wait_for_function("list => list.shadowRoot.querySelectorAll('[part=row]').length === 2000", arg=shown.handle)
    shown.rest(200)
    assert shown.part("actions").count() < 600, shown.part("actions").count()
    shown.page.evaluate("scrollTo(0, 90000)")
    in_view = """list => [...list.shadowRoot.querySelectorAll('[part=row]')].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return bottom > 100 && top < innerHeight;
    })"""
    shown.page.wait_for_function(f"list => scrollY > 80000 && ({in_view})(list).every((row) => row.querySelector('[part=actions]'))", arg=shown.handle)
    assert shown.list.evaluate(f"list => ({in_view})(list).length") > 5


@test
def axe_finds_nothing_wrong_with_actions(stage):
    shown = opened(stage)

    def swiped():
        touch(shown, "b", -150)
        shown.page.wait_for_function("row => row.style.transform", arg=row(shown, "b").element_handle())

    def menu():
        press(shown, "Escape")
        shown.rest()
        button(shown, "c").click()

    def told():
        press(shown, "Escape")
        shown.list.evaluate("list => void list.act('archive', 'a')")
        wait_for_toast(shown, "Archive: Alpha")

    def failed():
        shown.list.evaluate("list => void list.act('fail', 'b')")
        shown.page.wait_for_function("list => list.shadowRoot.querySelector('[part=toast] p').textContent.includes('status')", arg=shown.handle)

    def busy():
        (stage.folder / "gate").touch()
        shown.list.evaluate("list => void list.act('send', 'c')")
        shown.page.wait_for_function("row => row.ariaBusy === 'true'", arg=row(shown, "c").element_handle())

    for reach in (swiped, menu, told, failed, busy):
        reach()
        for scheme, options in (("light", {}), ("dark", COLOURS)):
            shown.page.emulate_media(color_scheme=scheme)
            shown.rest(400)
            faults = violations(shown.page, options)
            assert not faults, (reach.__name__, scheme, *faults)
    (stage.folder / "gate").unlink()


AT_REST = """    listitem
      Beta
      button Actions for Beta, collapsed
"""
MENU = """  menu Actions for Beta
    menuitem Archive
    menuitem Flag
"""
TOLD = """  status
    Archive: Beta
  button Undo
"""


def wait_for_read(shown, text, isThere=True):
    for _ in range(60):
        told = tree(shown.page) + "\n"
        if (text in told) is isThere:
            return
        shown.rest(50)
    raise AssertionError(told)


@test
def actions_are_read_as_they_are_seen(stage):
    shown = opened(stage, ["Archive", "Flag"])
    wait_for_read(shown, AT_REST)
    button(shown, "b").click()
    wait_for_read(shown, MENU)
    shown.page.get_by_role("menuitem", name="Archive").click()
    wait_for_read(shown, TOLD)
    wait_for_read(shown, "Beta\n      button", False)
    wait_for_read(shown, MENU, False)
    shown.part("undo").click()
    wait_for_read(shown, AT_REST)


@test
def example_actions(stage):
    shown = example(stage, "actions", environment={"TMPDIR": str(stage.folder)})
    said = shown.page.locator("output")
    shown.page.get_by_role("button", name="Flag three from code").click()
    said.get_by_text("success, success, success").wait_for()
    shown.list.evaluate("list => list.refresh()")
    shown.page.wait_for_function("list => list.shadowRoot.querySelectorAll('[part=badge]').length === 3", arg=shown.handle)
    touch(shown, "2", -300)
    said.get_by_text("done on row 2: success").wait_for()
    assert keys(shown) == ["0", "1", "3", "4"]
    shown.part("undo").click()
    said.get_by_text("done on row 2: success").wait_for()
    shown.page.wait_for_function("list => list.shadowRoot.querySelectorAll('[part=row]').length === 5", arg=shown.handle)
    assert shown.list.evaluate("list => list.act('print', '0').catch(error => error.code)") == "refused"
    assert said.inner_text() == "Plants can’t be printed."
    shown.list.evaluate("list => void list.act('print', '1')")
    shown.page.wait_for_function("row => row.ariaBusy === 'true'", arg=row(shown, "1").element_handle())
    said.get_by_text("print on row 1: success").wait_for()
