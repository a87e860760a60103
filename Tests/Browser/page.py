"""The page around the lists."""

from harness import DESK, test, tsv
from pulling import FAR, logged


@test
def the_directory_tells_of_every_list(stage):
    url = stage.serve([tsv("one", "printf 'a\\tAlpha\\nb\\tBeta\\n'"), tsv("two", "echo 'b\tBeta'", title="Second")])
    shown = stage.open(f"{url}#one")
    shown.page.get_by_label("All lists").click()
    entries = shown.page.locator("nav li")
    shown.page.wait_for_function("() => document.querySelector('nav .count').textContent === '2'")
    assert entries.count() == 2
    assert entries.nth(0).locator("strong").inner_text() == "One"
    assert entries.nth(0).locator("small").inner_text() == "Updated just now"
    assert entries.nth(1).locator("strong").inner_text() == "Second"
    entries.nth(1).click()
    shown.wait_for_titles("Beta")
    assert not entries.nth(0).is_visible(), "a phone shows one or the other"
    assert shown.page.title() == "Second"


@test
def a_desk_shows_the_directory_beside_the_list(stage):
    url = stage.serve([tsv("one", "echo 'a\tAlpha'"), tsv("two", "echo 'b\tBeta'")])
    shown = stage.open(url, DESK)
    shown.wait_for_titles("Alpha")
    shown.page.locator("nav li").nth(1).click()
    shown.wait_for_titles("Beta")
    assert shown.page.locator("nav [aria-current]").inner_text().startswith("Two")


@test
def the_page_in_the_binary_is_pulled_like_the_one_in_its_folder(stage):
    url = stage.serve([tsv("list", logged(stage))], public=None)
    shown = stage.open(f"{url}#list")
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    assert shown.titles and stage.count() == 2, (shown.titles, stage.count())


@test
def a_strict_policy_is_in_force(stage):
    shown = stage.open(stage.serve([tsv("list", "echo a")]))
    policy = shown.page.request.get(shown.page.url).headers.get("content-security-policy", "")
    assert "unsafe-inline" not in policy and "script-src" in policy or "default-src" in policy, policy
    shown.page.evaluate("""() => new Promise(resolve => {
        addEventListener('securitypolicyviolation', resolve, { once: true });
        document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.injected = 1' }));
    })""")
    assert shown.page.evaluate("window.injected") is None
    stage.noise.clear()


@test
def nothing_is_wider_than_a_small_phone(stage):
    url = stage.serve([tsv("list", f"printf 'a\\t{'W' * 120}\\tx\\n'", title="A title that is much too long for one line of a phone")])
    shown = stage.open(f"{url}#list", {"viewport": {"width": 320, "height": 568}, "has_touch": True, "is_mobile": True})
    assert shown.page.evaluate("document.documentElement.scrollWidth") <= 320
