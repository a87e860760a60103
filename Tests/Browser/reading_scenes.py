"""More scenes, of who reads instead of pulling: rows that are opened, found and acted upon, and a server that asks who is there."""

import hashlib
import json

from harness import tsv
from scenes import LIST, scene

TOKEN = "the-kitchen-has-this-one"


@scene
def opened_row(actor):
    """Rows that are open: with long details, and one of the nasty ones."""
    for name, key in {"news": "3", "nasty": "9"}.items():
        actor.open(name)
        actor.page.evaluate(f"void {LIST}.setAttribute('open-row', '{key}')")
        actor.wait_for(actor.seen("details"))
        actor.rest()
        yield f"open-row-{name}"


@scene
def finding(actor):
    """What is looked for: nothing yet, what a few rows say, and what none does."""
    actor.open("default")
    for name, query in {"find": "", "found": "the of", "found-nothing": "a word that no row has"}.items():
        actor.page.evaluate(f"void {LIST}.setAttribute('query', '{query}')")
        actor.wait_for(actor.seen("find"))
        actor.rest(0.6)
        yield name


@scene
def never_loaded(actor):
    """A list that nobody has opened yet, of a server that is lost before its first rows come."""
    actor.open()
    with actor.world.sign("gate"):
        actor.go("first")
        actor.phase("loading")
        actor.world.wire.cut()
        actor.wait_for(actor.seen("empty"))
        yield "never-loaded"
        actor.world.wire.mend()


@scene
def acting(actor):
    """Rows in sections, one of which is unread; the menu of a row, and what is said of an action."""
    actor.page.open(f"{mail(actor.world)}#mail")
    actor.wait_for(actor.seen("actions"))
    button = f"{LIST}.shadowRoot.querySelector('[data-key=\"2\"] [part=actions]')"
    actor.page.evaluate(f"void {button}.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'u', bubbles: true, composed: true }}))")
    actor.rest()
    yield "sections-unread"
    actor.page.evaluate(f"void {button}.click()")
    actor.rest()
    yield "menu"
    actor.page.evaluate(f"void {LIST}.shadowRoot.querySelector('[part=menu] [role=menuitem]').click()")
    actor.wait_for(actor.seen("toast"))
    actor.rest(0.6)
    yield "undo"


def mail(world):
    """The address of another server, whose list has all that a list may have."""
    rows = "printf '1\\tAda\\tToday\\n2\\tGrace, who writes long letters about compilers\\tToday\\n3\\tAlan\\tEarlier\\n4\\tKatherine\\tEarlier\\n'"
    titles = {"Archive": {"effect": "remove"}, "Flag": {"effect": {"badge": "!"}}, "Delete": {"effect": "remove", "destructive": True}}
    actions = [{"title": title, **settings} for title, settings in titles.items()]
    return world.stage.serve([tsv("mail", rows, actions=actions, unread=True, section=3)])


@scene
def signing_in(actor):
    actor.page.open(guarded(actor.world))
    yield "sign-in"


def guarded(world):
    """The address of another server, which asks for tokens."""
    tokens = world.folder / "tokens.yaml"
    digest = hashlib.sha256(TOKEN.encode()).hexdigest()
    tokens.write_text(json.dumps([{"name": "kitchen", "sha256": digest, "lists": {"fruit": ["read"]}}]))
    return world.stage.serve([tsv("fruit", "printf 'a\\tApple\\n'")], "--tokens", tokens)
