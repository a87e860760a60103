"""Actions and lost connections: each is done once, and what became of it is told, also after a reload or the end of the server."""

import hashlib
import json
import signal

from harness import Shown, test
from offline import port, wait_until_kept
from prediction import WIRE
from proxy import Wire
from row_actions import ACTED, lines, mail, ready, row, wait_for_acted, wait_for_toast
from signing_in import KITCHEN, sign_in

STORED = "() => Object.keys(localStorage).filter((name) => name.startsWith('refreshable-acts')).flatMap((name) => JSON.parse(localStorage[name]))"
OFFLINE = "list => list.hasAttribute('offline')"


def wired(stage, script=None):
    wire = Wire(stage.serve([mail(stage)]))
    return wire, ready(stage.open(f"{wire.url}#mail", script=script))


def cut(wire, shown):
    wire.cut()
    shown.page.wait_for_function(OFFLINE, arg=shown.handle)


def mend(wire, shown):
    wire.mend()
    shown.page.evaluate("dispatchEvent(new Event('online'))")
    shown.page.wait_for_function("list => !list.hasAttribute('offline')", arg=shown.handle)


def act(shown, action, key):
    shown.list.evaluate("(list, [action, key]) => void list.act(action, key)", [action, key])


@test
def an_act_without_a_connection_shows_its_effect_waits_and_is_done_once(stage):
    wire, shown = wired(stage)
    cut(wire, shown)
    act(shown, "archive", "b")
    act(shown, "flag", "c")
    shown.wait_for_titles("Alpha", "Gamma", "Delta")
    wait_for_toast(shown, "Flag: Gamma · Waits for the connection")
    assert row(shown, "c").locator("[part=note]").inner_text() == "Waits for the connection"
    assert row(shown, "c").locator("[part=badge]").inner_text() == "!"
    mend(wire, shown)
    wait_for_acted(shown, ("archive", "b", "success"), ("flag", "c", "success"))
    shown.rest()
    assert lines(stage, "archived") == ["b"] and row(shown, "c").locator("[part=note]").count() == 0
    assert shown.page.evaluate(STORED) == []


@test
def what_was_not_sent_is_taken_back_without_a_server(stage):
    wire, shown = wired(stage)
    cut(wire, shown)
    act(shown, "archive", "b")
    wait_for_toast(shown, "Archive: Beta · Waits for the connection")
    shown.part("undo").click()
    shown.wait_for_titles("Alpha", "Beta", "Gamma", "Delta")
    wait_for_acted(shown, ("archive", "b", "cancelled"))
    mend(wire, shown)
    shown.rest(500)
    assert lines(stage, "archived") == []


@test
def what_waits_outlives_a_reload_and_a_closed_page(stage):
    wire, shown = wired(stage)
    wait_until_kept(shown, wire.url, "mail")
    cut(wire, shown)
    act(shown, "archive", "b")
    wait_for_toast(shown, "Archive: Beta · Waits for the connection")
    assert [one["row"] for one in shown.page.evaluate(STORED)] == ["b"]
    shown.page.goto("about:blank")
    shown.page.goto(f"{wire.url}#mail")
    shown.wait_for_titles("Alpha", "Gamma", "Delta")
    shown.list.evaluate(ACTED)
    mend(wire, shown)
    wait_for_acted(shown, ("archive", "b", "success"))
    shown.wait_for_titles("Alpha", "Gamma", "Delta")
    assert lines(stage, "archived") == ["b"] and shown.page.evaluate(STORED) == []
    stage.noise.clear()  # a page without a server reports what it can't load


@test
def what_one_tab_takes_back_another_does_not_send(stage):
    wire, shown = wired(stage)
    wait_until_kept(shown, wire.url, "mail")
    cut(wire, shown)
    act(shown, "archive", "b")
    act(shown, "flag", "c")
    other = Shown(shown.page.context.new_page(), stage.folder)
    other.page.goto(f"{wire.url}#mail")
    other.part("badge").wait_for()
    shown.page.bring_to_front()
    shown.page.keyboard.press("Control+z")
    wait_for_acted(shown, ("flag", "c", "cancelled"))
    wire.mend()
    for page in (other.page, shown.page):
        page.evaluate("dispatchEvent(new Event('online'))")
    wait_for_acted(shown, ("flag", "c", "cancelled"), ("archive", "b", "success"))
    other.part("badge").wait_for(state="detached")
    shown.rest(500)
    assert shown.part("badge").count() == 0 and lines(stage, "archived") == ["b"]
    stage.noise.clear()


@test
def a_connection_that_is_cut_during_an_act_does_it_once_and_tells_it(stage):
    wire, shown = wired(stage)
    (stage.folder / "gate").touch()
    act(shown, "archive", "b")
    shown.wait_for_titles("Alpha", "Gamma", "Delta")
    shown.rest(200)
    cut(wire, shown)
    (stage.folder / "gate").unlink()
    shown.rest(300)
    assert shown.titles == ["Alpha", "Gamma", "Delta"]
    mend(wire, shown)
    wait_for_acted(shown, ("archive", "b", "success"))
    wait_for_toast(shown, "Archive: Beta")
    assert lines(stage, "archived") == ["b"]
    assert shown.titles == ["Alpha", "Gamma", "Delta"]


@test
def an_answer_that_is_lost_is_asked_for_again_with_the_same_key(stage):
    wire, shown = wired(stage, script=WIRE)
    shown.page.evaluate("void (window.heard = (frame) => frame.type === 'act' || 'joined' in frame ? null : frame)")
    act(shown, "archive", "b")
    shown.rest(400)
    shown.page.evaluate("void (window.heard = (frame) => frame)")
    cut(wire, shown)
    mend(wire, shown)
    wait_for_acted(shown, ("archive", "b", "success"))
    keys = shown.page.evaluate("window.sent.filter(({ type }) => type === 'act').map(({ key }) => key)")
    assert len(keys) == 2 and len(set(keys)) == 1 and lines(stage, "archived") == ["b"], keys


@test
def a_hundred_that_waited_are_all_done(stage):
    many = mail(stage)
    many["command"] = "seq 100 | sed 's/.*/&\\tRow &/'"
    wire = Wire(stage.serve([many]))
    shown = ready(stage.open(f"{wire.url}#mail"))
    cut(wire, shown)
    shown.list.evaluate("list => { for (let i = 1; i <= 100; i += 1) list.act('flag', `${i}`); }")
    shown.rest(100)
    assert len(shown.page.evaluate(STORED)) == 100
    mend(wire, shown)
    shown.page.wait_for_function("list => list.acted.length === 100", arg=shown.handle, timeout=30_000)
    assert shown.list.evaluate("list => list.acted.every(([, , outcome]) => outcome === 'success')")
    assert shown.page.evaluate(STORED) == []


@test
def a_server_that_is_killed_during_an_act_does_not_do_it_again_and_says_so(stage):
    lists, data = [mail(stage)], ("--data", stage.folder / "data")
    url = stage.serve(lists, *data)
    shown = ready(stage.open(f"{url}#mail"))
    (stage.folder / "gate").touch()
    act(shown, "archive", "b")
    shown.wait_for_titles("Alpha", "Gamma", "Delta")
    shown.rest(400)
    server = stage.servers.pop()
    server.send_signal(signal.SIGKILL)
    server.wait(10)
    (stage.folder / "gate").unlink()
    shown.page.wait_for_function(OFFLINE, arg=shown.handle)
    stage.serve(lists, *data, port=port(url))
    shown.page.evaluate("dispatchEvent(new Event('online'))")
    wait_for_acted(shown, ("archive", "b", "failure"))
    shown.wait_for_titles("Alpha", "Beta", "Gamma", "Delta")
    wait_for_toast(shown, "Archive: Beta · The server ended while this was being done. It is not known how far it came.")
    assert not shown.part("undo").is_visible(), "another try might do it twice"
    assert lines(stage, "archived").count("b") <= 1
    stage.noise.clear()


@test
def a_list_that_keeps_nothing_stores_no_act(stage):
    wire, shown = wired(stage)
    shown.list.evaluate("list => list.setAttribute('keep', 'none')")
    shown.page.wait_for_function("list => list.shadowRoot.querySelector('[part=actions]')", arg=shown.handle)
    shown.rest(200)
    cut(wire, shown)
    act(shown, "archive", "b")
    shown.wait_for_titles("Alpha", "Gamma", "Delta")
    assert shown.page.evaluate(STORED) == []
    mend(wire, shown)
    wait_for_acted(shown, ("archive", "b", "success"))
    assert lines(stage, "archived") == ["b"]


def guarded(stage):
    """A server with a token for the kitchen."""
    tokens = stage.folder / "tokens.yaml"
    digest = hashlib.sha256(KITCHEN.encode()).hexdigest()
    tokens.write_text(json.dumps([{"name": "kitchen", "sha256": digest, "lists": {"mail": ["read", "refresh", "act"]}}]))
    return stage.serve([mail(stage)], "--tokens", tokens)


def signed_in(stage):
    """A page that shows the list by the kitchen's token, with an act that waits for the connection."""
    wire = Wire(guarded(stage))
    page = stage.open(wire.url).page
    sign_in(page)
    show(page)
    wire.cut()
    page.wait_for_function("() => document.querySelector('refreshable-list').hasAttribute('offline')")
    page.evaluate("() => void document.querySelector('refreshable-list').act('archive', 'b')")
    assert len(page.evaluate(STORED)) == 1
    return wire, page


def show(page):
    page.get_by_role("link", name="mail").click()
    page.locator("refreshable-list [part=actions]").first.wait_for()


@test
def what_one_person_left_is_not_done_by_the_next(stage):
    wire, page = signed_in(stage)
    wire.mend()
    # Signed out before the list is shown again.
    page.goto("about:blank")
    page.goto(f"{wire.url}sign-in")
    page.get_by_role("button", name="Sign out").click()
    page.get_by_label("Token").wait_for()
    sign_in(page)
    show(page)
    page.wait_for_timeout(500)
    assert lines(stage, "archived") == [] and page.evaluate(STORED) == []
    stage.noise.clear()


@test
def rows_that_are_refused_take_their_acts_with_them(stage):
    wire, page = signed_in(stage)
    (stage.folder / "tokens.yaml").write_text(json.dumps([{"name": "cellar", "sha256": "0" * 64, "lists": {"mail": ["read"]}}]))
    page.wait_for_timeout(1500)
    wire.mend()
    page.evaluate("dispatchEvent(new Event('online'))")
    # Its policy lets nobody wait for a condition of ours.
    for _ in range(100):
        if not page.evaluate("() => document.querySelector('refreshable-list').shadowRoot.querySelectorAll('[part=row]').length"):
            break
        page.wait_for_timeout(50)
    assert page.evaluate(STORED) == [] and lines(stage, "archived") == []
    stage.noise.clear()


@test
def signing_out_deletes_acts_where_the_browser_clears_nothing_by_itself(stage):
    url = guarded(stage)
    page = stage.open(url).page
    page.evaluate("() => { localStorage.setItem('refreshable-acts x', '[{}]'); localStorage.setItem('other', '1'); }")
    page.goto(f"{url}sign-in?out")
    page.wait_for_function("() => Object.keys(localStorage).join() === 'other'")
