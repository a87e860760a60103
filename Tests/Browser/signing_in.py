"""A server that asks for tokens gives browsers a page to show one on."""

import hashlib
import json
import os
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe

from harness import PHONE, Shown, test, tsv

KITCHEN = "the-kitchen-has-this-one"
# Where pictures go, if somebody wants to look at them.
PICTURES = os.environ.get("SIGN_IN_PICTURES")


def guarded(stage):
    """A server with a list for the kitchen, and one for others."""
    tokens = stage.folder / "tokens.yaml"
    digest = hashlib.sha256(KITCHEN.encode()).hexdigest()
    tokens.write_text(json.dumps([{"name": "kitchen", "sha256": digest, "lists": {"fruit": ["read"]}}]))
    lists = [tsv("fruit", "printf 'a\\tApple\\n'"), tsv("salaries", "printf 'b\\tMuch\\n'")]
    return stage.serve(lists, "--tokens", tokens)


def sign_in(page, token=KITCHEN):
    page.get_by_label("Token").fill(token)
    page.get_by_role("button", name="Sign in").click()


def picture(page, name):
    if PICTURES:
        page.screenshot(path=str(Path(PICTURES) / f"{name}.png"))


@test
def a_person_signs_in_sees_what_the_token_allows_and_signs_out(stage):
    url = guarded(stage)
    page = stage.open(f"{url}").page
    assert page.url == f"{url}sign-in", page.url
    sign_in(page, "none-of-its-tokens")
    assert "none of this server’s tokens" in page.get_by_role("alert").inner_text()
    stage.noise.clear()  # browsers report each 401
    sign_in(page)
    page.get_by_role("link", name="fruit").wait_for()
    assert page.url == url, page.url
    assert page.locator("nav li").count() == 1, "the other list is not shown"
    assert page.evaluate("document.cookie") == "", "no script reads the cookie"
    page.goto(f"{url}#fruit")
    # The socket has the cookie, too.
    Shown(page, stage.folder).ready()
    page.get_by_text("Apple").wait_for()
    page.goto(f"{url}sign-in")
    assert page.get_by_text("You are signed in as kitchen.").is_visible()
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("Token").wait_for()
    page.goto(f"{url}?again")
    assert page.context.cookies() == []


@test
def who_comes_by_a_link_on_another_site_is_still_signed_in(stage):
    url = guarded(stage)
    page = stage.open(url).page
    sign_in(page)
    page.get_by_role("link", name="fruit").wait_for()
    page.goto("about:blank")
    page.set_content(f"<a href='{url}'>the lists</a>")
    page.get_by_role("link").click()
    page.get_by_role("link", name="fruit").wait_for()
    assert page.url == url, page.url


@test
def axe_finds_nothing_wrong_with_signing_in(stage):
    url = guarded(stage)
    for scheme in ("light", "dark"):
        page = stage.open(url, PHONE, color_scheme=scheme, bypass_csp=True).page
        states = [("asked", lambda: None), ("wrong", lambda: sign_in(page, "wrong")), ("in", lambda: sign_in(page))]
        for name, reach in states:
            reach()
            if name == "in":
                page.wait_for_url(url)
                page.goto(f"{url}sign-in")
            page.get_by_role("button").first.wait_for()
            picture(page, f"{name}-{scheme}")
            page.evaluate(Axe().axe_script)
            found = page.evaluate("axe.run({ resultTypes: ['violations'] })")["violations"]
            assert not found, [f"{rule['id']}: {rule['help']}" for rule in found]
    stage.noise.clear()  # browsers report each 401
