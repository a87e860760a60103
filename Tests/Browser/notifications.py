"""A bell that asks, a worker that tells, and a number on the icon.

A browser without a push service can't subscribe: that one call of it is made up here, with keys that are real. Messages are
delivered to the worker as a push service would have them delivered, by the DevTools protocol.
"""

import json
import os
import shutil
import urllib.request
from pathlib import Path

from harness import DESKTOP, PHONE, test

SERVICE = "http://127.0.0.1:9"
PICTURES = os.environ.get("NOTIFICATION_PICTURES")

# Subscriptions live as long as the browser's own would: in its storage.
SUBSCRIBES = """(() => {
    const keep = (made) => localStorage.setItem('subscription', JSON.stringify(made));
    const given = (made) => made && ({
        ...made, toJSON: () => made, options: { applicationServerKey: Uint8Array.from(made.key).buffer },
        unsubscribe: async () => (localStorage.removeItem('subscription'), true),
    });
    const bytes = (text) => [...atob(text.replaceAll('-', '+').replaceAll('_', '/'))].map((letter) => letter.charCodeAt(0));
    const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    PushManager.prototype.getSubscription = async () => given(JSON.parse(localStorage.getItem('subscription')));
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
        if (!userVisibleOnly) throw new Error('A push that nobody sees is not allowed.');
        const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
        const keys = { p256dh: text(await crypto.subtle.exportKey('raw', pair.publicKey)), auth: text(crypto.getRandomValues(new Uint8Array(16))) };
        keep({ endpoint: 'SERVICE/push/' + crypto.randomUUID(), keys, key: bytes(applicationServerKey) });
        return given(JSON.parse(localStorage.getItem('subscription')));
    };
})()""".replace("SERVICE", SERVICE)

SEES = """(() => {
    window.seen = [];
    const { fetch: ask } = window;
    window.fetch = (address, options) => {
        if (`${address}`.endsWith('/seen')) window.seen.push(JSON.parse(options.body).visible);
        return ask(address, options);
    };
})()"""
UNREAD = "caches.open('refreshable-notifications').then(kept => kept.match('unread')).then(kept => kept ? kept.json() : {})"
TOLD = """navigator.serviceWorker.ready.then(ready => ready.getNotifications()).then(all => all.map(
    ({ title, body, data, tag }) => ({ title, body, data, tag })))"""


def notifying(stage):
    """A server with two lists that notify, and one that does not."""
    board = {"name": "board", "push": True, "notify": "rows", "noun": {"one": "letter", "other": "letters", "de": {"one": "Brief", "other": "Briefe"}}}
    lists = [board, {"name": "news", "push": True, "notify": "rows"}, {"name": "quiet", "push": True}]
    return stage.serve(lists, "--push-service", SERVICE, "--data", stage.folder / "data")


def opened(stage, url, device=PHONE, permissions=("notifications",), **options):
    """A page with its bell, in a whole Chromium: the headless shell has no notifications."""
    if program := shutil.which("chromium") or shutil.which("google-chrome"):
        stage.browser = stage.browser.browser_type.launch(executable_path=program, args=["--no-sandbox"])
        stage.contexts.append(stage.browser)
    shown = stage.open(f"{url}#board", device, SUBSCRIBES, permissions=list(permissions), **options)
    shown.page.evaluate(SEES)
    return shown, shown.page.locator(".bell")


def subscribed(url, shown):
    """The lists of which the server tells this browser."""
    name = shown.page.evaluate("""async () => {
        const { endpoint } = JSON.parse(localStorage.getItem('subscription')) ?? {};
        const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint ?? ''));
        return [...new Uint8Array(digest)].map(byte => byte.toString(16).padStart(2, '0')).join('');
    }""")
    return json.loads(urllib.request.urlopen(f"{url}notifications/{name}").read())["lists"]


def push(url, key, name="board"):
    body = json.dumps({"set": [{"key": key, "fields": {"title": f"Title of {key}"}}]}).encode()
    urllib.request.urlopen(urllib.request.Request(f"{url}lists/{name}", body, method="PATCH")).read()


class Worker:
    """The page's service worker, to which a push service's messages are delivered."""

    def __init__(self, shown, url):
        shown.page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
        shown.page.wait_for_function("() => navigator.serviceWorker.controller")
        self.page, self.origin, self.found = shown.page, url.rstrip("/"), []
        self.session = shown.page.context.new_cdp_session(shown.page)
        self.session.on("ServiceWorker.workerRegistrationUpdated", lambda event: self.found.extend(event["registrations"]))
        self.session.send("ServiceWorker.enable")
        while not self.found:
            self.page.wait_for_timeout(20)

    def deliver(self, **message):
        parameters = {"origin": self.origin, "registrationId": self.found[-1]["registrationId"], "data": json.dumps(message)}
        self.session.send("ServiceWorker.deliverPushMessage", parameters)

    def run(self, expression):
        return self.page.context.service_workers[0].evaluate(expression)

    def told(self, count):
        """What is on the screen, once it is so many."""
        for _ in range(500):
            told = self.page.evaluate(TOLD)
            if len(told) == count:
                return told
            self.page.wait_for_timeout(20)
        raise AssertionError(f"{told} are not {count}")


def wait(shown, promise, expected):
    for _ in range(500):
        value = shown.page.evaluate(promise)
        if value == expected:
            return
        shown.page.wait_for_timeout(20)
    raise AssertionError(f"{promise} is {value}, not {expected}")


def picture(shown, name):
    if PICTURES:
        shown.page.screenshot(path=str(Path(PICTURES) / f"{name}.png"))


@test
def a_bell_asks_to_be_notified_and_asks_no_more(stage):
    url = notifying(stage)
    shown, bell = opened(stage, url)
    bell.wait_for()
    box = bell.bounding_box()
    assert box["width"] >= 44 and box["height"] >= 44, box
    assert bell.get_attribute("aria-pressed") == "false" and bell.get_attribute("aria-label") == "Notify me of new rows"
    picture(shown, "off")
    bell.tap()
    shown.page.locator(".bell[aria-pressed=true]").wait_for()
    picture(shown, "on")
    assert subscribed(url, shown) == ["board"]
    shown.page.wait_for_function("() => seen.length === 1 && seen[0]", timeout=5000)
    shown.page.reload()
    shown.page.locator(".bell[aria-pressed=true]").wait_for()
    shown.page.evaluate(SEES)
    shown.page.goto(f"{url}#news")
    shown.page.wait_for_function("() => seen.length && !seen.at(-1)", timeout=5000)  # at once, not with the next beat
    shown.page.locator("refreshable-list[data-name=news] .bell[aria-pressed=false]").wait_for()
    shown.page.goto(f"{url}#quiet")
    shown.page.locator("refreshable-list[data-name=quiet]").wait_for()
    assert bell.count() == 0, "it notifies nobody"
    shown.page.goto(f"{url}#board")
    shown.page.locator(".bell[aria-pressed=true]").tap()
    shown.page.locator(".bell[aria-pressed=false]:not([disabled])").wait_for()
    assert subscribed(url, shown) == []


@test
def who_says_no_is_told_where_to_change_that(stage):
    url = notifying(stage)
    shown, bell = opened(stage, url, DESKTOP, (), locale="de-DE")
    shown.page.evaluate("Notification.requestPermission = async () => 'denied'")
    bell.click()
    notice = shown.page.locator("refreshable-list .notice")
    notice.wait_for()
    assert "blockiert" in notice.inner_text() and notice.get_attribute("role") == "status", notice.inner_text()
    assert bell.get_attribute("aria-pressed") == "false" and bell.is_enabled()
    picture(shown, "blocked")


@test
def a_subscription_that_fails_is_said(stage):
    url = notifying(stage)
    shown, bell = opened(stage, url)
    bell.wait_for()
    shown.page.route("**/notifications/*", lambda route: route.fulfill(status=503) if route.request.method == "PUT" else route.continue_())
    bell.tap()
    notice = shown.page.locator("refreshable-list .notice")
    notice.wait_for()
    assert "(503)" in notice.inner_text(), notice.inner_text()
    assert bell.get_attribute("aria-pressed") == "false" and subscribed(url, shown) == []
    picture(shown, "failed")
    stage.noise.clear()  # the browser reports the 503


@test
def the_worker_words_a_notification_and_opens_what_it_tells_of(stage):
    url = notifying(stage)
    shown, bell = opened(stage, url, locale="de-DE")
    worker = Worker(shown, url)
    bell.tap()
    shown.page.locator(".bell[aria-pressed=true]").wait_for()
    shown.page.goto(f"{url}#news")
    worker.deliver(list="board", title="Board", count=1, noun={"one": "Brief", "other": "Briefe"}, row={"key": "k/7", "title": "Hallo"})
    told = worker.told(1)[0]
    assert told == {"title": "Board", "body": "Hallo", "tag": "board", "data": {"list": "board", "key": "k/7"}}, told
    worker.deliver(list="board", title="Board", count=3, noun={"one": "Brief", "other": "Briefe"}, row={"key": "k9", "title": "Neu"})
    wait(shown, f"{TOLD}.then(all => all[0].body)", "Neu: 3 Briefe\nNeu")
    worker.told(1)  # in place of the one before
    worker.deliver(list="other", title="Other", count=1200)
    wait(shown, f"{TOLD}.then(all => all.find(({{ tag }}) => tag === 'other')?.body)", "1.200 neue Einträge")
    wait(shown, UNREAD, {"board": 3, "other": 1200})
    # A tap, but for the window that it brings to the front: that takes a real one.
    worker.run("show({ list: 'board', key: 'k/7' }).catch(() => {})")
    shown.page.wait_for_function("() => location.hash === '#/board/k%2F7'")
    wait(shown, UNREAD, {"other": 1200})  # to look is to have seen it
    worker.told(1)


@test
def nothing_stays_on_the_screen_of_a_list_that_is_on_it(stage):
    url = notifying(stage)
    shown, _ = opened(stage, url)
    worker = Worker(shown, url)
    worker.deliver(list="board", title="Board", count=2)
    worker.deliver(list="news", title="News", count=1)
    wait(shown, f"{TOLD}.then(all => all.map(({{ tag, body }}) => `${{tag}}: ${{body}}`))", ["news: 1 new row"])
    wait(shown, UNREAD, {"news": 1})


@test
def rows_that_come_while_the_page_is_hidden_are_counted_until_it_is_looked_at(stage):
    url = notifying(stage)
    push(url, "old")
    shown, _ = opened(stage, url)
    Worker(shown, url)
    shown.page.evaluate("Object.defineProperty(document, 'hidden', { get: () => window.isHidden ?? false, configurable: true })")
    push(url, "seen")
    shown.page.get_by_text("Title of seen").wait_for()
    shown.page.evaluate("isHidden = true")
    for key in ("a", "b"):
        push(url, key)
        shown.page.get_by_text(f"Title of {key}", exact=True).wait_for(state="attached")
    wait(shown, UNREAD, {"board": 2})
    shown.page.evaluate("isHidden = false; document.dispatchEvent(new Event('visibilitychange'))")
    wait(shown, UNREAD, {})
