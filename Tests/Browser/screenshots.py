"""Pictures of every view, light and dark, on a phone and on a desk."""

from harness import DESK, PHONE, Stage, tsv

FAR = 190

COMMITS = [
    ("Send one frame to ten thousand watchers", "Ada", "-2 minutes", ""),
    ("Keep the place of a row that did not move", "Grace", "-26 minutes", ""),
    ("Answer a pull in the midst of a broadcast", "Ada", "-1 hour", "fix"),
    ("Count what a slow reader costs", "Barbara", "-3 hours", ""),
    ("Resume from the revision that a page remembers", "Grace", "-7 hours", ""),
    ("Say how to allow more when a deadline ends a run", "Radia", "-1 day", ""),
    ("Prune tombstones by age and number", "Barbara", "-2 days", ""),
    ("Hold both reducers to the same tables", "Ada", "-3 days", "tests"),
    ("Draw three indicators", "Susan", "-5 days", ""),
    ("Start", "Ada", "-8 days", ""),
]


def lists(folder):
    """The lists in the pictures: quick at first, slow afterwards, so that they can be caught at work."""
    slow = f"test -e '{folder}/slow' && sleep 1.2"
    lines = "\n".join(f"{number}\t{title}\t{who}\t$(date -d '{when}' --iso-8601=seconds)\t{badge}" for number, (title, who, when, badge) in enumerate(COMMITS))
    names = "".join(f"{name}\\n" for name in ("Jarl", "Ehecatl", "Jayanti", "Surendra", "Medeia"))
    fruit = "a\\tApple\\tfrom the orchard behind the house\\t12\\nb\\tBanana\\tfair trade\\t7\\no\\tOrange\\tfrom Valencia\\t3\\n"
    progress = "for i in 1 2 3 4 5; do sleep 0.2; done"
    return [
        tsv("commits", f"{slow}; cat <<END\n{lines}\nEND", ("title", "subtitle", "time", "badge")),
        tsv("names", f"{slow}; printf '{names}'", (), pull={"indicator": "circular"}),
        tsv("fruit", f"{slow}; printf '{fruit}'", ("title", "subtitle", "detail"), pull={"indicator": "simple"}),
        tsv("mailbox", f"test -e '{folder}/slow' && {{ echo 'The mailbox is locked. Try again in a minute.' >&2; exit 1; }}; printf 'a\\tMinutes of Tuesday\\tRadia\\nb\\tLunch?\\tSusan\\n'", ("title", "subtitle")),
        tsv("notes", progress, (), title="Notes"),
    ]


def take(browser, folder):
    """Takes them all into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for scheme in ("light", "dark"):
        with Stage(browser) as stage:
            url = stage.serve(lists(stage.folder))
            shown = stage.open(f"{url}#commits", PHONE, color_scheme=scheme)
            for name in ("names", "fruit", "mailbox", "notes"):
                visit(shown, url, name)
            photograph(shown, stage, url, lambda name: shown.page.screenshot(path=folder / f"phone-{scheme}-{name}.png"))
            desk = stage.open(f"{url}#commits", DESK, color_scheme=scheme)
            desk.rest()
            desk.page.screenshot(path=folder / f"desktop-{scheme}-list.png")
            drag(desk.page)
            desk.wait_for_phase("loading")
            desk.rest(400)
            desk.page.screenshot(path=folder / f"desktop-{scheme}-loading.png")
            (stage.folder / "slow").unlink()
    print(f"pictures are in {folder}")


def visit(shown, url, name):
    shown.page.goto(f"{url}#{name}")
    shown.ready()
    # It slides in.
    shown.rest(400)


def photograph(shown, stage, url, keep):
    """Walks a phone through every view."""
    shown.page.goto(f"{url}#")
    shown.rest(700)
    keep("directory")
    visit(shown, url, "commits")
    keep("list")
    (stage.folder / "slow").touch()
    shown.finger.down()
    shown.finger.move(95)
    keep("pulling")
    shown.finger.move(FAR - 95)
    shown.rest(250)
    keep("primed")
    shown.finger.up()
    shown.wait_for_phase("loading")
    shown.rest(500)
    keep("loading")
    shown.wait_for_phase("closing")
    shown.rest(230)
    keep("closing")
    for name in ("names", "fruit"):
        visit(shown, url, name)
        shown.finger.down()
        shown.finger.move(100)
        keep(f"pulling-{name}")
        shown.finger.move(-100)
        shown.finger.up()
    visit(shown, url, "mailbox")
    shown.finger.pull(FAR)
    shown.part("error").wait_for()
    shown.rest(1000)
    keep("error")
    visit(shown, url, "notes")
    keep("empty")


def drag(page):
    page.mouse.move(800, 300)
    page.mouse.down()
    page.mouse.move(800, 500, steps=12)
    page.mouse.up()
