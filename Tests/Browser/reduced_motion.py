"""For those who want less motion, and those who choose the colours themselves."""

from harness import DESKTOP, PHONE, test, tsv
from scenes import Actor, World
from page_driver import Still

# What moves in every frame, and what the phone was told to feel.
WATCH = """void (() => {
    const list = document.querySelector('refreshable-list');
    window.moving = [];
    window.felt = 0;
    window.phases = [];
    navigator.vibrate = () => { window.felt += 1; };
    list.addEventListener('phasechange', ({ detail }) => window.phases.push(detail.to));
    const look = () => {
        for (const { effect } of list.shadowRoot.getAnimations()) {
            if (effect.getKeyframes().some((frame) => frame.transform || frame.translate || frame.rotate || frame.scale))
                window.moving.push(effect.target.outerHTML.slice(0, 80));
        }
        requestAnimationFrame(look);
    };
    look();
})()"""

# More than go into a group.
ROWS = "seq 70 | sed 's/.*/&\\tRow &/'"

# How much of each thing is painted: its own border, or what it draws.
BORDERS = """names => Object.fromEntries(names.map((name) => {
    const style = getComputedStyle(document.querySelector('refreshable-list').shadowRoot.querySelector(`[part~=${name}]`));
    return [name, style.borderTopStyle !== 'none' && parseFloat(style.borderTopWidth) > 0];
}))"""


def opened(stage, name, device, **media):
    shown = stage.open("about:blank", device, **media)
    actor = Actor(Still(shown), World(stage), tuple(device["viewport"].values()))
    actor.open(name)
    return actor


@test
def with_less_motion_nothing_glides_turns_or_buzzes_and_the_phases_are_the_same(stage):
    for kind in ("default", "simple", "circular"):
        actor = opened(stage, kind, PHONE, reduced_motion="reduce")
        actor.page.evaluate(WATCH)
        actor.down(190)
        assert actor.page.evaluate(f"new DOMMatrix({actor.part('content')}.style.transform).f") > 64, "the content follows the finger"
        with actor.world.sign("gate"):
            actor.loading(actor.up)
            turning = f"{actor.part('indicator')}.getAnimations({{ subtree: true }}).length"
            assert actor.page.evaluate(turning) > 0, "nothing tells that it loads"
        actor.phase("waiting")
        actor.rest()
        assert actor.page.evaluate("window.phases") == ["primed", "loading", "closing", "waiting"]
        assert actor.page.evaluate("[...new Set(window.moving)]") == []
        assert actor.page.evaluate("window.felt") == 0


@test
def with_colours_of_ones_own_what_can_be_pressed_has_an_edge(stage):
    actor = opened(stage, "default", DESKTOP, forced_colors="active")
    with actor.world.sign("gate"):
        actor.loading(lambda: actor.page.evaluate("void document.querySelector('refreshable-list').refresh({ quietly: true })"))
        assert borders(actor, "refresh", "cancel", "indicator", "rows") == []
    with actor.world.sign("broken"):
        actor.press("refresh")
        actor.wait_for(actor.seen("error"))
        assert borders(actor, "error", "retry") == []
    actor.open("long")
    actor.page.evaluate("scrollTo(0, 900)")
    with actor.world.sign("newer"):
        actor.world.refresh("long")
    actor.wait_for(actor.seen("news"))
    assert borders(actor, "news") == []
    actor.open()
    with actor.world.sign("gate"):
        actor.go("first")
        actor.phase("loading")
        assert borders(actor, "skeleton") == []


@test
def with_colours_of_ones_own_there_is_a_line_between_two_rows(stage):
    shown = stage.open(f"{stage.serve([tsv('list', ROWS)])}#list", PHONE, forced_colors="active")
    drawn = shown.list.evaluate("list => [...list.shadowRoot.querySelectorAll('.groups, .group, .row')].filter(e => parseFloat(getComputedStyle(e).borderTopWidth) > 0).length")
    assert drawn == 69, drawn


def borders(actor, *names):
    """Those of the parts that have none."""
    return [name for name, has in actor.page.page.evaluate(BORDERS, list(names)).items() if not has]
