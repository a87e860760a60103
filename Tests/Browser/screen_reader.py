"""What a screen reader is told in each phase: the page's tree as the browser gives it to one, and what is spoken."""

import re

from harness import DESKTOP, PHONE, test, tsv
from opening import push
from scenes import LIST, Actor, World
from page_driver import Still

# Of the tree only what is read: a group that says nothing is left out, and text that its parent has for a name.
SILENT = {"none", "generic", "InlineTextBox", "RootWebArea"}

AT_REST = """main
  sectionheader
    link All lists
    heading Letters
    paragraph
      Updated …
    button Find
    button Refresh
  list Letters
    listitem
      Alpha
    listitem
      Beta
  status"""
LOADING = AT_REST.replace("    button Find", "    button Cancel\n    button Find", 1) + "\n    Refreshing"
DONE = AT_REST + "\n    No new rows, updated …"
FAILED = AT_REST.replace("Updated …", "Out of date · Updated …").replace(
    "  list", "  strong\n    Refresh failed\n  The command ended with status 1.\n  button Retry\n  list", 1
) + "\n    Refresh failed: The command ended with status 1."
CANCELLED = AT_REST + "\n    Cancelled"

TITLE = "A title that is too long for a phone, and goes on until nobody would read it, and then for three lines more"
ROWS = [
    {"key": "a", "title": TITLE, "subtitle": "Ada", "status": "open", "size": 12345},
    {"key": "b", "title": "Manual", "link": "/#manual", "badge": "9", "pages": 12},
]
CLOSED = f"""  list List
    listitem
      button {TITLE}, collapsed
      Ada
    listitem
      link Manual
      9
      button Details, collapsed
  status"""
OPEN = CLOSED.replace("collapsed\n      Ada", """expanded
      Ada
      DescriptionList
        term size
        definition
          12,345
        term status
        definition
          open""", 1)
LINK_OPEN = CLOSED.replace("Details, collapsed", """Details, expanded
      paragraph
        link …/#manual
      DescriptionList
        term pages
        definition
          12""")

# The element that speaks, kept to see whether it stays the same, and all that it says.
HEAR = f"""void (() => {{
    window.speaker = {LIST}.shadowRoot.querySelector('[role=status]');
    window.spoken = [];
    new MutationObserver(() => window.spoken.push(window.speaker.textContent)).observe(window.speaker, {{ childList: true }});
}})()"""


def tree(page):
    """Roles and names, indented; times are told as “…”."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    told = "\n".join(read(nodes[0], {node["nodeId"]: node for node in nodes}, 0))
    return re.sub(r"([Uu]pdated) .*", r"\1 …", told)


def read(node, known, depth):
    role, name = (node.get(key, {}).get("value", "") for key in ("role", "name"))
    if role == "StaticText":
        yield f"{'  ' * depth}{name}"
        return
    if not node.get("ignored") and role not in SILENT:
        yield f"{'  ' * depth}{role} {name}{states(node)}".rstrip()
        depth += 1
    for child in (known[number] for number in node.get("childIds", []) if number in known):
        if not name or child.get("name", {}).get("value") != name:
            yield from read(child, known, depth)


def states(node):
    """Those that a person hears of: that it can't be pressed, that it is busy, and whether it shows all that it has."""
    told = {state["name"]: state["value"].get("value") for state in node.get("properties", [])}
    said = [name for name in ("disabled", "busy") if told.get(name) is True]
    said += [("collapsed", "expanded")[told["expanded"]]] if "expanded" in told else []
    return "".join(f", {state}" for state in said)


def focused(page):
    """What is read of what has the focus."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    has = lambda node: any(state["name"] == "focused" and state["value"].get("value") is True for state in node.get("properties", []))
    return [next(read({**node, "childIds": []}, {}, 0)) for node in nodes if has(node) and node["role"]["value"] != "RootWebArea"]


def opened(stage, name):
    shown = stage.open("about:blank", PHONE)
    actor = Actor(Still(shown), World(stage), tuple(PHONE["viewport"].values()))
    actor.open(name)
    actor.page.evaluate(HEAR)
    return actor, shown.page


def wait_for_tree(actor, page, wanted):
    """Waits until it is read so: what is spoken may be a moment behind what is seen."""
    for _ in range(100):
        if (told := tree(page)) == wanted:
            return
        actor.rest(0.05)
    assert told == wanted, told


@test
def each_phase_is_read_as_it_is_seen(stage):
    actor, page = opened(stage, "short")
    wait_for_tree(actor, page, AT_REST)
    actor.down(95)
    wait_for_tree(actor, page, AT_REST)
    actor.page.finger.move(actor.x, actor.y)
    actor.up()
    with actor.world.sign("gate"):
        actor.loading()
        wait_for_tree(actor, page, LOADING)
    actor.phase("waiting")
    wait_for_tree(actor, page, DONE)
    with actor.world.sign("gate"):
        actor.loading()
        actor.press("cancel")
        actor.phase("waiting")
    wait_for_tree(actor, page, CANCELLED)
    with actor.world.sign("broken"):
        actor.pull()
        actor.phase("waiting")
        wait_for_tree(actor, page, FAILED)


@test
def one_element_speaks_and_is_never_replaced(stage):
    actor, page = opened(stage, "short")
    with actor.world.sign("gate"):
        actor.loading()
        actor.wait_for("window.spoken.length")
    actor.phase("waiting")
    with actor.world.sign("broken"):
        actor.pull()
        actor.wait_for("window.spoken.length > 2")
    actor.phase("waiting")
    spoken = page.evaluate("window.spoken.filter(Boolean)")
    assert [re.sub(r"updated .*", "updated …", text) for text in spoken if text != "Refreshing"] == [
        "No new rows, updated …", "Refresh failed: The command ended with status 1.",
    ], spoken
    assert spoken[0] == "Refreshing" and not any("%" in text for text in spoken), spoken
    assert actor.page.evaluate(f"window.speaker.isConnected && {LIST}.shadowRoot.querySelectorAll('[role=status]').length === 1")


IN_SECTIONS = """  group Letters
    heading Vowels
    list Vowels
      listitem
        Alpha
    heading Others
    list Others
      listitem
        Beta
      listitem
        Gamma
  status"""


@test
def a_list_in_sections_is_read_as_lists_below_headings(stage):
    rows = "printf 'a\\tAlpha\\tVowels\\nb\\tBeta\\tOthers\\nc\\tGamma\\tOthers\\n'"
    shown = stage.open(f"{stage.serve([tsv('list', rows, title='Letters', section=3)])}#list")
    told = tree(shown.page)
    assert told.endswith(IN_SECTIONS), told


@test
def a_list_that_loads_more_is_read_as_a_feed(stage):
    actor, page = opened(stage, "mailbox")
    told = tree(page)
    assert "\n  feed Mailbox\n    article " in told and told.count("article ") == 4, told
    assert told.endswith("\n  button Load more\n  status"), told


def rows_told(page):
    """What is read from the rows on; where the server is differs from run to run."""
    _, rows = tree(page).split("\n", 1)
    return re.sub(r"http://[^/]*", "…", rows[rows.index("  list List\n"):])


def wait_for_rows(shown, wanted):
    """Waits until the rows are read so."""
    for _ in range(100):
        if (told := rows_told(shown.page)) == wanted:
            return
        shown.rest(50)
    assert told == wanted, told


@test
def a_row_that_is_walked_to_opens_and_closes_by_keys_as_it_is_read(stage):
    url = stage.serve([{"name": "list", "push": True}])
    push(url, ROWS)
    shown = stage.open(f"{url}#list", DESKTOP)
    press = shown.page.keyboard.press
    wait_for_rows(shown, CLOSED)
    shown.part("search").focus()
    press("Tab")
    assert focused(shown.page) == [f"button {TITLE}, collapsed"], focused(shown.page)
    press("Enter")
    wait_for_rows(shown, OPEN)
    assert focused(shown.page) == [f"button {TITLE}, expanded"], focused(shown.page)
    press("Escape")
    wait_for_rows(shown, CLOSED)
    assert focused(shown.page) == [f"button {TITLE}, collapsed"], focused(shown.page)
    # Of a row that leads somewhere the title is the way there; another button opens it.
    press("Tab")
    assert focused(shown.page) == ["link Manual"], focused(shown.page)
    press("Tab")
    assert focused(shown.page) == ["button Details, collapsed"], focused(shown.page)
    press("Enter")
    wait_for_rows(shown, LINK_OPEN)
    press("Escape")
    wait_for_rows(shown, CLOSED)
    assert focused(shown.page) == ["button Details, collapsed"], focused(shown.page)
