"""Nobody is left out: every phase and view, held to the rules that axe-core knows."""

from axe_playwright_python.sync_playwright import Axe

import harness
from harness import DESKTOP, PHONE, test, thoroughly
from scenes import SCENES, Actor, World
from page_driver import Still

SIZES = [device["viewport"] for device in (PHONE, DESKTOP)]
EVERYTHING, COLOURS = {}, {"runOnly": ["color-contrast"]}

# Drawn as it was asked to be, and nothing of it on its way: not within the lists, of which a document does not tell, and
# not in one that the page shows only now that there is room for it.
SETTLED = """async ([scheme, width]) => {
    const frame = () => new Promise(requestAnimationFrame);
    while (!matchMedia(`(prefers-color-scheme: ${scheme})`).matches || innerWidth !== width) await frame();
    const roots = () => [...document.querySelectorAll('refreshable-list')].map((list) => list.shadowRoot);
    const ways = () => [document, ...roots()].flatMap((root) => root.getAnimations())
        .filter((one) => one.playState === 'running' && one.effect.getTiming().iterations !== Infinity);
    const isBare = (root) => window.before && !window.before.has(root) && !root.querySelector('li');
    for (let still = 0; still < 6; still = ways().length || roots().some(isBare) ? 0 : still + 1) {
        await Promise.allSettled(ways().map((one) => one.finished));
        await frame();
    }
}"""
BEFORE = "void (window.before = new Set([...document.querySelectorAll('refreshable-list')].map((list) => list.shadowRoot)))"


def violations(page, options=EVERYTHING):
    """What axe-core finds wrong with a page as it is now, a line each."""
    if not page.evaluate("Boolean(window.axe)"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate("options => axe.run({ resultTypes: ['violations'], ...options })", options)["violations"]
    faults = [(rule["id"], node) for rule in found for node in rule["nodes"]]
    return [f"{rule}: {node['target']} {node['failureSummary']}" for rule, node in faults]


def look(page, name):
    """Looks at a page on a phone and on a desk, light and dark, and leaves it as it was. Each with each, if thoroughly."""
    phone, desktop = SIZES
    for size, scheme, options in ((desktop, "dark", COLOURS), (desktop, "light", EVERYTHING), (phone, "dark", COLOURS), (phone, "light", EVERYTHING)):
        if not harness.IS_THOROUGH and (size is desktop) is (scheme == "light"):
            continue
        page.evaluate(BEFORE)
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        page.evaluate(SETTLED, [scheme, size["width"]])
        yield from (f"{name}, {scheme}, {size['width']} px: {fault}" for fault in violations(page, options))


def walk(stage, scene):
    # No phone to the browser, so that another size is not another way to hold it.
    shown = stage.open("about:blank", {"viewport": SIZES[0], "has_touch": True})
    actor = Actor(Still(shown), World(stage), tuple(SIZES[0].values()))
    faults = [fault for name in scene(actor) for fault in look(shown.page, name)]
    assert not faults, "\n".join(faults)


def hold(scene):
    def holds_the_rules(stage):
        walk(stage, scene)

    holds_the_rules.__name__ = f"axe_finds_nothing_wrong_with_{scene.__name__}"
    # The other kinds differ from the default one in what is drawn in one place.
    (thoroughly if scene.__name__ in ("the_simple_indicator", "the_circular_indicator") else test)(holds_the_rules)


for scene in SCENES:
    hold(scene)
