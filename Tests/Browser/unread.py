"""Rows that came since somebody first saw the list are marked until they are opened: by the browser, or by the server for
whoever has signed in."""

import hashlib
import json

from harness import DESKTOP, PHONE, Shown, test, tsv
from signing_in import KITCHEN, sign_in

ROWS = [("a", "Alpha"), ("b", "Beta")]
MARKED = "list => [...list.shadowRoot.querySelectorAll('[data-unread]')].map((item) => item.dataset.key)"


def write(stage, rows):
    """Puts (key, title, link) into the file that the list is made of."""
    lines = (f"{key}\t{title}\t{''.join(link)}\n" for key, title, *link in rows)
    (stage.folder / "mail.tsv").write_text("".join(lines))


def mail(stage, **settings):
    fields = {"key": 1, "title": 2, "link": 3}
    return {**tsv("mail", f"cat '{stage.folder / 'mail.tsv'}'"), "fields": fields, "unread": True, **settings}


def opened(stage, device=PHONE, **settings):
    write(stage, ROWS)
    return stage.open(f"{stage.serve([mail(stage, **settings)])}#mail", device).ready()


def wait_for_marks(shown, *keys):
    shown.page.wait_for_function(
        f"([list, keys]) => JSON.stringify(({MARKED})(list)) === JSON.stringify(keys)", arg=[shown.handle, list(keys)]
    )


def refresh(shown):
    shown.list.evaluate("list => list.refresh()")


@test
def at_the_first_visit_nothing_is_unread_and_then_what_came(stage):
    shown = opened(stage)
    wait_for_marks(shown)
    write(stage, [("c", "Gamma"), *ROWS])
    refresh(shown)
    wait_for_marks(shown, "c")
    # Whoever comes back finds it so, and what came meanwhile.
    write(stage, [("d", "Delta"), ("c", "Gamma"), *ROWS])
    shown.page.reload()
    Shown(shown.page, stage.folder).ready()
    refresh(shown)
    wait_for_marks(shown, "d", "c")


@test
def a_row_that_is_opened_or_whose_link_is_followed_is_unread_no_more(stage):
    shown = opened(stage, DESKTOP)
    long = "Gamma, which says much more than fits into the line that it is given here, and on and on"
    write(stage, [("c", long), ("d", "Delta", shown.page.url.split("#")[0] + "healthz"), *ROWS])
    refresh(shown)
    wait_for_marks(shown, "c", "d")
    shown.list.locator("[data-key=c] [part=title]").click()
    wait_for_marks(shown, "d")
    with shown.page.expect_popup() as popup:
        shown.list.get_by_role("link", name="Delta").click()
    popup.value.close()
    wait_for_marks(shown)


@test
def a_key_and_the_menu_mark_rows_as_read_and_unread(stage):
    shown = opened(stage, DESKTOP)
    button = shown.list.locator("[data-key=a] [part=actions]")
    button.focus()
    shown.page.keyboard.press("u")
    wait_for_marks(shown, "a")
    button.click()
    shown.list.get_by_role("menuitem", name="Mark as read").click()
    wait_for_marks(shown)
    button.click()
    shown.list.get_by_role("menuitem", name="Mark as unread").click()
    wait_for_marks(shown, "a")


@test
def a_list_that_does_not_want_it_marks_nothing(stage):
    shown = opened(stage, unread=False)
    write(stage, [("c", "Gamma"), *ROWS])
    refresh(shown)
    shown.list.get_by_text("Gamma").wait_for()
    wait_for_marks(shown)
    assert shown.page.evaluate("Object.keys(localStorage).filter((name) => name.includes('unread'))") == []


@test
def pages_of_a_list_that_loads_more_are_no_news(stage):
    url = f"{stage.serve([{'name': 'mailbox', 'demo': 'mailbox', 'unread': True}])}#mailbox"
    shown = stage.open(url, PHONE).ready()
    shown.part("more").get_by_role("button").click()
    shown.page.wait_for_function(
        "list => list.shadowRoot.querySelectorAll('[part~=row]').length === 8", arg=shown.handle
    )
    wait_for_marks(shown)


@test
def who_signed_in_has_seen_it_on_all_devices(stage):
    tokens = stage.folder / "tokens.yaml"
    digest = hashlib.sha256(KITCHEN.encode()).hexdigest()
    tokens.write_text(json.dumps([{"name": "kitchen", "sha256": digest, "lists": {"*": ["read", "refresh"]}}]))
    write(stage, ROWS)
    url = stage.serve([mail(stage)], "--tokens", tokens)
    screens = []
    for _ in range(2):
        page = stage.open(url, PHONE).page
        sign_in(page)
        page.get_by_role("link", name="mail").wait_for()
        page.goto(f"{url}#mail")
        screens.append(Shown(page, stage.folder).ready())
    stage.noise.clear()  # browsers report each 401
    write(stage, [("c", "Gamma"), *ROWS])
    refresh(screens[0])
    for shown in screens:
        wait_for_marks(shown, "c")
    # A menu closes when what it stands beside moves, as rows do when the indicator leaves.
    screens[0].wait_for_phase("waiting")
    screens[0].rest()
    screens[0].list.locator("[data-key=c] [part=actions]").click()
    screens[0].list.get_by_role("menuitem", name="Mark as read").click()
    for shown in screens:
        wait_for_marks(shown)
    stage.noise.clear()
