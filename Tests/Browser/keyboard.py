"""Without a finger or a mouse: every way through a list, by keys alone."""

from harness import DESKTOP, test, tsv
from prediction import WIRE
from pulling import logged
from scenes import LIST, Actor, World
from page_driver import Still

# What has the focus, within the list or besides it: its part, or its text.
FOCUSED = """() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    const row = at?.closest('[part~=row]');
    return row ? `row ${row.dataset.key}` : at?.part?.value || at?.textContent.trim();
}"""

# How the focus is shown where it is: the outline of the element, or of what covers its row.
RING = """() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    const rings = [getComputedStyle(at), getComputedStyle(at, '::after')].filter((style) => style.outlineStyle !== 'none');
    return rings.map((style) => parseFloat(style.outlineWidth)).concat(0)[0];
}"""


def computer(stage, name):
    actor = Actor(Still(stage.open("about:blank", DESKTOP)), World(stage), tuple(DESKTOP["viewport"].values()))
    actor.open(name)
    return actor


def press(actor, *keys):
    for key in keys:
        actor.page.page.keyboard.press(key)


def focused(actor):
    return actor.page.page.evaluate(FOCUSED)


def walk(actor, stops):
    """Presses Tab so often, and gives what had the focus each time."""
    seen = []
    for _ in range(stops):
        press(actor, "Tab")
        seen.append(focused(actor))
    return seen


def enter(actor):
    """Puts the focus before the list."""
    actor.page.evaluate("document.querySelector('nav li:last-child a').focus()")


@test
def refresh_and_cancel_work_by_keys_and_the_focus_stays_in_the_bar(stage):
    actor = computer(stage, "default")
    enter(actor)
    assert walk(actor, 4) == ["search", "refresh", "row 0", "row 1"]
    press(actor, "Shift+Tab", "Shift+Tab")
    assert focused(actor) == "refresh"
    for key in ("Enter", "Space"):
        with actor.world.sign("gate"):
            actor.loading(lambda: press(actor, key))
            assert focused(actor) == "refresh", "the button that was pressed keeps the focus"
            press(actor, "Shift+Tab", "Shift+Tab")
            assert focused(actor) == "cancel"
            press(actor, key)
            actor.wait_for(f"{LIST}.phase !== 'loading'")
            assert focused(actor) == "refresh", "what is gone hands the focus on"
        actor.phase("waiting")


@test
def a_run_that_ends_under_cancel_gives_the_focus_to_refresh(stage):
    actor = computer(stage, "default")
    enter(actor)
    with actor.world.sign("gate"):
        actor.loading(lambda: press(actor, "Tab", "Tab", "Enter"))
        press(actor, "Shift+Tab", "Shift+Tab")
        assert focused(actor) == "cancel"
    actor.phase("waiting")
    assert focused(actor) == "refresh"


@test
def retry_and_load_more_and_the_pill_are_reached_and_work(stage):
    actor = computer(stage, "default")
    enter(actor)
    with actor.world.sign("broken"):
        press(actor, "Tab", "Tab", "Enter")
        actor.wait_for(f"{actor.seen('error')} && {LIST}.phase === 'waiting'")
    press(actor, "Tab")
    assert focused(actor) == "retry"
    press(actor, "Enter")
    actor.wait_for(f"!({actor.seen('error')}) && {LIST}.phase === 'waiting'")
    assert focused(actor) == "refresh", "what is gone hands the focus on"
    actor.open("mailbox")
    before = actor.page.evaluate(f"{actor.part('rows')}.querySelectorAll('[data-key]').length")
    actor.page.evaluate(f"{actor.part('more')}.querySelector('button').focus()")
    press(actor, "Enter")
    actor.wait_for(f"{actor.part('rows')}.querySelectorAll('[data-key]').length > {before}")
    actor.open("long")
    actor.page.evaluate("scrollTo(0, 900)")
    with actor.world.sign("newer"):
        actor.world.refresh("long")
    actor.wait_for(f"{actor.seen('news')} && {LIST}.phase === 'waiting'")
    enter(actor)
    assert walk(actor, 3) == ["search", "refresh", "news"]
    press(actor, "Enter")
    actor.wait_for("scrollY === 0")
    assert focused(actor) == "heading", "who went to the top is at the top"


@test
def the_focus_is_seen_in_every_theme(stage):
    actor = computer(stage, "default")
    for media in ({"color_scheme": "light"}, {"color_scheme": "dark"}, {"forced_colors": "active"}):
        actor.page.page.emulate_media(**media)
        enter(actor)
        rings = []
        for _ in range(3):
            press(actor, "Tab")
            rings.append(actor.page.page.evaluate(RING))
        assert min(rings) >= 2, (media, rings)


@test
def no_key_refreshes_but_that_of_a_button(stage):
    shown = stage.open(f"{stage.serve([tsv('list', logged(stage))])}#list", DESKTOP, script=WIRE)
    shown.page.evaluate("""() => {
        window.prevented = [];
        addEventListener('keydown', (event) => { window.prevented.push(event.defaultPrevented); event.preventDefault(); });
    }""")
    for key in ("F5", "Control+r", "Escape", "r", "Home", "PageUp"):
        shown.page.keyboard.press(key)
    shown.rest()
    assert not any(shown.page.evaluate("window.prevented")), "the browser's own keys are taken away"
    assert stage.count() == 1 and shown.phases == [], shown.phases
