"""The element speaks the language of its page, of its own attribute, or of the browser."""

from harness import PHONE, test, tsv
from indicators import LABEL, SLOW, labels

SAID = "list => list.shadowRoot.querySelector('[role=status]').textContent"
# Notes every sentence that is spoken, and whether its element is ever another.
LISTEN = """list => {
    const status = list.shadowRoot.querySelector('[role=status]');
    list.said = [];
    new MutationObserver(() => list.said.push(list.shadowRoot.querySelector('[role=status]') === status && status.textContent))
        .observe(status, { childList: true, characterData: true, subtree: true });
}"""

FAILS = "test -e '{0}/ran' && exit 1; touch '{0}/ran'; printf 'a\\tAlpha\\n'"
GROWS = "echo run >> '{0}/log'; for i in $(seq $(wc -l < '{0}/log')); do printf 'k%s\\tRow %s\\n' $i $i; done; test $(wc -l < '{0}/log') = 1 || sleep 0.7"


def speaking(stage, lang, command, locale="en-US", **settings):
    """A list on a page in a language, in a browser in another."""
    url = stage.serve([tsv("list", command, **settings)])
    script = f"document.addEventListener('readystatechange', () => document.documentElement.lang = {lang!r})" if lang is not None else None
    return stage.open(f"{url}#list", PHONE, script=script, locale=locale)


def spoken(shown):
    return shown.list.evaluate("list => list.said")


def pulled(shown):
    """What the indicator says in each phase of a pull, while what is spoken is noted."""
    shown.list.evaluate(LISTEN)
    return labels(shown)


@test
def german_is_spoken_in_each_phase_and_by_the_status(stage):
    shown = speaking(stage, "de", GROWS.format(stage.folder), locale="de-AT")
    assert shown.part("refresh").get_attribute("aria-label") == "Aktualisieren"
    assert shown.part("updated").inner_text() == "Aktualisiert: gerade eben"
    assert pulled(shown) == ["Zum Aktualisieren ziehen", "Zum Aktualisieren loslassen", "Wird aktualisiert …", "1 neuer Eintrag"]
    first, last = spoken(shown)
    assert first == "Wird aktualisiert" and last.startswith("1 neuer Eintrag, aktualisiert: "), (first, last)


@test
def japanese_is_spoken_in_each_phase_and_by_the_status(stage):
    shown = speaking(stage, "ja", GROWS.format(stage.folder))
    assert shown.part("refresh").get_attribute("aria-label") == "更新"
    assert pulled(shown) == ["引き下げて更新", "指を離して更新", "更新中…", "新着1件"]
    first, last = spoken(shown)
    assert first == "更新中" and last.startswith("新着1件, 最終更新："), (first, last)


@test
def arabic_is_spoken_in_each_phase_and_by_the_status(stage):
    shown = speaking(stage, "ar", GROWS.format(stage.folder))
    assert shown.part("refresh").get_attribute("aria-label") == "تحديث"
    assert pulled(shown) == ["اسحب للتحديث", "اترك للتحديث", "جارٍ التحديث…", "عنصر جديد"]
    first, last = spoken(shown)
    assert first == "جارٍ التحديث" and last.startswith("عنصر جديد, آخر تحديث: "), (first, last)


@test
def a_refresh_that_fails_is_said_in_the_language(stage):
    shown = speaking(stage, "de", FAILS.format(stage.folder))
    shown.list.evaluate("list => list.refresh()")
    shown.part("error").wait_for()
    assert "Aktualisierung fehlgeschlagen" in shown.part("error").inner_text()
    assert shown.part("error").locator("[part=retry]").inner_text() == "Erneut versuchen"
    assert shown.list.evaluate(SAID).startswith("Aktualisierung fehlgeschlagen: Der Befehl endete mit Status "), shown.list.evaluate(SAID)


@test
def a_refresh_that_is_cancelled_is_said_in_the_language(stage):
    slow = speaking(stage, "fr", SLOW.format(stage.folder).replace("0.7", "20"))
    slow.list.evaluate("list => { list.refresh() }")
    slow.wait_for_phase("loading")
    assert slow.part("cancel").inner_text() == "Annuler"
    slow.part("cancel").click()
    slow.wait_for_trace("closing")
    assert slow.list.evaluate(SAID) == "Annulé"


@test
def the_first_load_is_no_news(stage):
    shown = stage.one(GROWS.format(stage.folder))
    assert shown.list.evaluate(SAID) == ""


@test
def the_language_may_change_at_any_time(stage):
    shown = speaking(stage, "en", SLOW.format(stage.folder))
    label = lambda: shown.part("refresh").get_attribute("aria-label")
    assert label() == "Refresh"
    for lang, expected in {"es-MX": "Actualizar", "zh": "刷新", "zh-TW": "更新", "zh-Hant-HK": "更新", "fr": "Actualiser", "en-GB": "Refresh"}.items():
        shown.list.evaluate("(list, lang) => { list.lang = lang }", lang)
        shown.page.wait_for_function("([list, expected]) => list.shadowRoot.querySelector('[part=refresh]').ariaLabel === expected", arg=[shown.handle, expected])
    # One that we don't speak, and one that is none, are English.
    for lang in ("de", "eo", "de", "x"):
        shown.list.evaluate("(list, lang) => { list.lang = lang }", lang)
        expected = "Aktualisieren" if lang == "de" else "Refresh"
        shown.page.wait_for_function("([list, expected]) => list.shadowRoot.querySelector('[part=refresh]').ariaLabel === expected", arg=[shown.handle, expected])


@test
def the_document_may_change_its_language(stage):
    shown = speaking(stage, "en", SLOW.format(stage.folder))
    shown.page.evaluate("document.documentElement.lang = 'de'")
    shown.page.wait_for_function("list => list.shadowRoot.querySelector('[part=updated]').textContent.startsWith('Aktualisiert')", arg=shown.handle)
    # A row's times too.
    shown.list.evaluate("list => list.remove()")
    shown.page.evaluate("document.documentElement.lang = 'fr'")
    assert shown.page.evaluate("document.querySelector('refreshable-list')") is None


@test
def without_a_language_of_the_page_the_browsers_is_spoken(stage):
    shown = speaking(stage, "", SLOW.format(stage.folder), locale="es-ES")
    assert shown.part("refresh").get_attribute("aria-label") == "Actualizar"


@test
def languages_are_loaded_only_where_they_are_spoken(stage):
    for lang, expected in {"en": 0, "de": 1}.items():
        shown = speaking(stage, lang, SLOW.format(stage.folder))
        loaded = shown.page.evaluate("performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/translations.js')).length")
        assert loaded == expected, (lang, loaded)


@test
def texts_of_the_element_win_over_those_of_the_list_and_over_the_language(stage):
    shown = speaking(stage, "de", SLOW.format(stage.folder), pull={"texts": {"primed": "Los!", "loading": "Lädt", "closing": "Da"}})
    shown.list.evaluate("list => { list.setAttribute('text-loading', 'Holt …'); list.setAttribute('text-closing', 'Ist da') }")
    assert pulled(shown) == ["Zum Aktualisieren ziehen", "Los!", "Holt …", "Ist da"]
    shown.finger.down()
    shown.finger.move(60)
    shown.list.evaluate("list => list.setAttribute('text-waiting', 'Zieh!')")
    assert shown.list.evaluate(LABEL) == "Zieh!"
    shown.list.evaluate("list => list.removeAttribute('text-waiting')")
    assert shown.list.evaluate(LABEL) == "Zum Aktualisieren ziehen"
    shown.finger.lose()


@test
def the_page_around_the_lists_speaks_the_browsers_language(stage):
    url = stage.serve([tsv("list", "echo a"), tsv("other", "echo b")])
    for locale, title, back, direction in (("de-CH", "Listen", "Alle Listen", "ltr"), ("ar", "القوائم", "كل القوائم", "rtl"), ("zh-TW", "列表", "所有列表", "ltr"), ("eo", "Lists", "All lists", "ltr")):
        shown = stage.open(f"{url}#list", PHONE, locale=locale)
        assert shown.page.locator("h1").text_content() == title
        assert shown.page.locator(".back").get_attribute("aria-label") == back
        assert shown.page.evaluate("document.documentElement.dir") == direction
        shown.page.goto(f"{url}#")
        shown.page.locator("nav li").first.wait_for()
        assert shown.page.locator("h1").inner_text() == title and shown.page.title() == title
        assert shown.page.locator("nav small").nth(1).inner_text() == "", "a list that nobody has looked at has no age"
