"""Rows are found among those that are loaded: by a button, by the key /, and by the address."""

from harness import DESKTOP, test, tsv

FRUIT = "printf 'a\\tApple pie\\tsweet\\nb\\tBanana\\tyellow\\nc\\tCherry\\tsweet and red\\n'"


def opened(stage, address="#list", **options):
    url = stage.serve([tsv("list", FRUIT, ("title", "subtitle"))])
    shown = stage.open(url + address, at_rest=False, **options)
    shown.part("row").first.wait_for()
    return shown


@test
def the_button_opens_a_field_that_shows_only_rows_that_say_all_words(stage):
    shown = opened(stage)
    box = shown.part("search").bounding_box()
    assert box["width"] >= 44 and box["height"] >= 44, box
    shown.part("search").tap()
    shown.page.keyboard.type("SWEET re")
    shown.wait_for_titles("Cherry")
    marked = shown.page.evaluate("[...CSS.highlights.get('refreshable-found')].map(range => range.toString())")
    assert marked == ["sweet", "re"], marked
    assert shown.page.evaluate("location.hash") == "#list?find=SWEET+re"
    shown.page.keyboard.type("x")
    shown.part("empty").get_by_text("Nothing found").wait_for()
    shown.page.keyboard.press("Escape")
    shown.wait_for_titles("Apple pie", "Banana", "Cherry")
    assert shown.page.evaluate("location.hash") == "#list" and shown.page.evaluate("CSS.highlights.get('refreshable-found').size") == 0
    assert shown.list.evaluate("list => list.shadowRoot.activeElement.part.value") == "search"


@test
def the_key_opens_it_and_the_address_has_what_is_looked_for(stage):
    shown = opened(stage, device=DESKTOP)
    shown.page.keyboard.press("/")
    shown.part("find").wait_for()
    shown.page.wait_for_function("list => list.shadowRoot.activeElement?.part.value === 'find'", arg=shown.handle)
    shown.page.keyboard.type("/yel")
    assert shown.part("find").input_value() == "/yel", "a key in the field is text"
    shown.part("find").fill("yel")
    shown.wait_for_titles("Banana")
    shown.page.reload()
    shown.wait_for_titles("Banana")
    assert shown.part("find").input_value() == "yel"
    assert shown.page.evaluate("document.activeElement === document.body"), "an address takes no focus"


@test
def a_list_that_does_not_offer_it_has_neither_button_nor_key(stage):
    shown = opened(stage, device=DESKTOP)
    shown.list.evaluate("list => list.removeAttribute('find')")
    assert not shown.part("search").is_visible()
    shown.part("refresh").focus()
    shown.page.keyboard.press("/")
    shown.rest(200)
    assert shown.list.get_attribute("query") is None


@test
def accents_matter_no_more_than_case_and_addresses_are_not_read(stage):
    rows = "printf 'a\\tCrème brûlée\\t\\nb\\tJamé\\thttps://creme.example\\n'"
    url = stage.serve([tsv("list", rows, ("title", "link"))])
    shown = stage.open(f"{url}#list?find=creme+BRU", at_rest=False)
    shown.wait_for_titles("Crème brûlée")
    marked = "[...CSS.highlights.get('refreshable-found')].map(range => range.toString())"
    assert shown.page.evaluate(marked) == ["Crème", "brû"], shown.page.evaluate(marked)
    shown.part("find").fill("creme")
    shown.wait_for_titles("Crème brûlée")
    assert shown.part("row").count() == 1
    shown.part("find").fill("JAME\u0301")
    shown.part("row").get_by_text("Jamé").wait_for()
    assert shown.part("row").count() == 1
