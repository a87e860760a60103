"""More scenes, of who reads instead of pulling: rows that are opened and found, and a server that asks who is there."""

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
def signing_in(actor):
    actor.page.open(guarded(actor.world))
    yield "sign-in"


def guarded(world):
    """The address of another server, which asks for tokens."""
    tokens = world.folder / "tokens.yaml"
    digest = hashlib.sha256(TOKEN.encode()).hexdigest()
    tokens.write_text(json.dumps([{"name": "kitchen", "sha256": digest, "lists": {"fruit": ["read"]}}]))
    return world.stage.serve([tsv("fruit", "printf 'a\\tApple\\n'")], "--tokens", tokens)
