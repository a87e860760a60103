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


# A page that can lose its server and find it again; `sockets` are those it has opened.
CUTTABLE = """{
    const Socket = WebSocket;
    window.sockets = [];
    window.WebSocket = class extends Socket {
        constructor(url, ...given) {
            super(window.isCut ? 'ws://localhost:1/' : url, ...given);
            sockets.push(this);
        }
    };
    window.cut = () => { window.isCut = true; for (const socket of sockets) socket.close(); };
}"""
# As over plain HTTP on a LAN: nothing is kept there, so what is on the screen is not given up on the way either.
INSECURE = "Object.defineProperty(window, 'isSecureContext', { value: false });"
# What the browser has of a list, wherever it has it.
HELD = """async name => {
    const list = document.querySelector('refreshable-list');
    const shown = list ? list.shadowRoot.textContent + list.innerHTML : '';
    const kept = await caches.match(`${location.origin}/lists/${name}`);
    return { shown: shown.includes('Apple'), kept: Boolean(kept), named: document.querySelector('nav').textContent.includes(name) };
}"""


def tab(stage, page, url, script=""):
    """Another tab of the same browser, which shows the list."""
    other = page.context.new_page()
    other.on("pageerror", lambda error: stage.noise.append(f"uncaught: {error}"))
    if script:
        other.add_init_script(script)
    other.goto(f"{url}#fruit")
    other.get_by_text("Apple").wait_for()
    return other


def wait_until_kept(page):
    page.evaluate("""async () => {
        while (!(await caches.match(`${location.origin}/lists/fruit`))) await new Promise(resolve => setTimeout(resolve, 50));
    }""")


def holds_nothing(page):
    """Waits until a tab has nothing more of the list, and sees it stay so for longer than it takes to keep rows."""
    page.wait_for_function(f"async () => {{ const held = await ({HELD})('fruit'); return !held.shown && !held.kept && !held.named; }}")
    page.wait_for_timeout(2500)
    held = page.evaluate(HELD, "fruit")
    assert not any(held.values()), held


def signs_out(stage, page, url):
    page.goto(f"{url}sign-in")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("Token").wait_for()


@test
def signing_out_empties_the_other_tabs_of_the_browser_and_no_other_browser(stage):
    url = guarded(stage)
    page, stranger = stage.open(url).page, stage.open(url).page
    for signing in (page, stranger):
        sign_in(signing)
        signing.get_by_role("link", name="fruit").wait_for()
    others = [tab(stage, page, url), tab(stage, page, url, INSECURE)]
    elsewhere = tab(stage, stranger, url)
    wait_until_kept(others[0])
    signs_out(stage, page, url)
    for other in others:
        holds_nothing(other)
        assert "signed out" in other.locator("refreshable-list").evaluate("list => list.shadowRoot.querySelector('[part=error]').textContent")
    assert elsewhere.evaluate(HELD, "fruit")["shown"], "another browser with the same token goes on"
    # Who signs in again has the rows again, in the tabs that were emptied, too, once they are looked at.
    sign_in(page)
    page.get_by_role("link", name="fruit").wait_for()
    others[0].evaluate("dispatchEvent(new Event('online'))")
    others[0].get_by_text("Apple").wait_for()
    stage.noise.clear()  # browsers report each 401


@test
def a_tab_that_has_lost_the_server_hears_from_the_others_that_somebody_signed_out(stage):
    url = guarded(stage)
    page = stage.open(url).page
    sign_in(page)
    page.get_by_role("link", name="fruit").wait_for()
    other = tab(stage, page, url, CUTTABLE)
    wait_until_kept(other)
    other.evaluate("cut()")
    other.wait_for_function("() => document.querySelector('refreshable-list').hasAttribute('offline')")
    signs_out(stage, page, url)
    holds_nothing(other)
    stage.noise.clear()


@test
def a_tab_that_slept_while_somebody_signed_out_finds_out_when_it_comes_back(stage):
    url = guarded(stage)
    page = stage.open(url).page
    sign_in(page)
    page.get_by_role("link", name="fruit").wait_for()
    # It hears nothing of the others, nor of the server.
    other = tab(stage, page, url, f"{CUTTABLE} {INSECURE} delete window.BroadcastChannel;")
    other.evaluate("cut()")
    other.wait_for_function("() => document.querySelector('refreshable-list').hasAttribute('offline')")
    signs_out(stage, page, url)
    assert other.evaluate(HELD, "fruit")["shown"], "it can't know yet"
    other.evaluate("window.isCut = false; dispatchEvent(new Event('online'))")
    holds_nothing(other)
    stage.noise.clear()
