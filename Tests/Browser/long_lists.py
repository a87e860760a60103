"""Of a long list, only the rows near the view are in the document, and nobody is to notice."""

from harness import DESKTOP, PHONE, test, tsv
from rows import SETTLED, numbered, refresh_elsewhere

COUNT = 6000
# What is seen of the rows below the bar, and what is said of them.
VIEW = """list => {
    const root = list.shadowRoot, bar = root.querySelector('[part=bar]').getBoundingClientRect().bottom;
    const rows = [...(list.querySelector('[slot=rows]') ?? root).querySelectorAll('[data-key]')];
    const seen = rows.filter(row => {
        const { top, bottom } = row.getBoundingClientRect();
        return bottom > bar + 1 && top < innerHeight && !row.dataset.offscreen;
    });
    return {
        drawn: rows.length, keys: seen.map(row => row.dataset.key), tops: seen.map(row => row.getBoundingClientRect().top),
        places: seen.map(row => row.ariaPosInSet), size: seen[0]?.ariaSetSize ?? null,
        end: scrollY + innerHeight >= document.documentElement.scrollHeight - 1, bar,
    };
}"""
# Whether the view is full of rows that are at rest.
FULL = f"""list => {{
    const {{ keys, tops }} = ({VIEW})(list);
    return keys.length > 5 && ({SETTLED})(list) && (tops[0] <= list.shadowRoot.querySelector('[part=bar]').getBoundingClientRect().bottom + 120);
}}"""
# Notes in each frame where each row in view is.
FILM = f"""list => {{
    window.film = [];
    const note = () => {{
        const {{ keys, tops }} = ({VIEW})(list);
        window.film.push(Object.fromEntries(keys.map((key, i) => [key, tops[i]])));
        if (!window.isCut) requestAnimationFrame(note);
    }};
    requestAnimationFrame(note);
}}"""
# Has looks at other parts get lost while it is set.
DEAF = """{
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (text) {
        if (!(window.isDeaf && text.includes('"type":"look"'))) send.call(this, text);
    };
}"""
# Has looks at other parts leave later, by `window.late`. ms
LATE = """{
    const { send } = WebSocket.prototype;
    window.late = 0;
    WebSocket.prototype.send = function (text) {
        if (window.late && text.includes('"type":"look"')) setTimeout(() => send.call(this, text), window.late);
        else send.call(this, text);
    };
}"""
# Counts frames of a search that goes on. What follows one is held back, so that it is seen.
SEARCHING = """{
    window.searching = 0;
    window.WebSocket = class extends WebSocket {
        constructor(...given) {
            super(...given);
            let end = 0;
            this.addEventListener('message', (event) => {
                const rest = end - performance.now();
                if (event.isTrusted && rest > 0) {
                    event.stopImmediatePropagation();
                    setTimeout(() => this.dispatchEvent(new MessageEvent('message', { data: event.data })), rest);
                } else if (/"snapshot".*"searching":true/s.test(event.data)) {
                    window.searching += 1;
                    end = performance.now() + 1000;
                }
            });
        }
    };
}"""


class Long:
    """A list of a file's rows, shown."""

    def __init__(self, stage, count=COUNT, device=DESKTOP, address="list", rows=None, columns=("title",), script=None, flags=(), **settings):
        self.stage, self.file = stage, stage.folder / "rows"
        self.write(rows or numbered(range(count)))
        self.lists = [tsv("list", f"cat '{self.file}'", columns, **settings)]
        self.url = stage.serve(self.lists, *flags)
        self.shown = stage.open(f"{self.url}#{address}", device, script)
        self.page, self.list = self.shown.page, self.shown.list
        self.page.wait_for_function(FULL, arg=self.shown.handle)

    def write(self, rows):
        self.file.write_text("".join("\t".join(row) + "\n" for row in rows))

    @property
    def view(self):
        return self.list.evaluate(VIEW)

    def scroll(self, expression):
        """Scrolls by a script, and waits for the rows that are there."""
        self.page.evaluate(expression)
        self.settle()

    def settle(self):
        self.shown.rest(100)
        self.page.wait_for_function(FULL, arg=self.shown.handle)
        # Till the list has come to rest, and whatever follows from that.
        self.shown.rest(400)
        self.page.wait_for_function(FULL, arg=self.shown.handle)

    def wait_for_view(self, condition):
        self.page.wait_for_function(f"list => (view => {condition})(({VIEW})(list))", arg=self.shown.handle)


@test
def only_rows_near_the_view_are_in_the_document_and_say_which_they_are(stage):
    long = Long(stage)
    for place in (0, 3000, 150_000, 1e9):
        long.scroll(f"scrollTo(0, {place})")
        view = long.view
        assert view["drawn"] <= 200 and view["size"] == str(COUNT), view
        assert view["places"] == [str(int(key) + 1) for key in view["keys"]], view


@test
def a_list_that_is_not_long_is_in_the_document_as_a_whole(stage):
    long = Long(stage, 2000)
    assert (long.view["drawn"], long.view["size"]) == (2000, None), long.view
    other = Long(stage, 2001)
    assert other.view["drawn"] <= 200, other.view


@test
def a_page_may_want_all_rows(stage):
    long = Long(stage, 2001)
    long.list.evaluate("list => list.toggleAttribute('whole', true)")
    long.page.wait_for_function(f"list => ({VIEW})(list).drawn === 2001", arg=long.shown.handle)


@test
def rows_move_with_the_scroll_and_never_against_it(stage):
    long = Long(stage)
    for distance, count in ((120, 80), (-90, 60), (700, 60), (-900, 70)):
        long.list.evaluate(FILM)
        for _ in range(count):
            long.page.mouse.move(500, 400)
            long.page.mouse.wheel(0, distance)
            long.shown.rest(8)
        long.settle()
        long.page.evaluate("window.isCut = true")
        film = long.page.evaluate("window.film")
        long.page.evaluate("window.isCut = false")
        wrong = [
            (key, before[key], after[key]) for before, after in zip(film, film[1:]) for key in before.keys() & after.keys()
            if (after[key] - before[key]) * (1 if distance > 0 else -1) > 1
        ]  # fmt: skip
        assert not wrong, (distance, wrong[:5])


@test
def rows_ahead_of_a_scroll_come_a_few_in_each_frame(stage):
    long = Long(stage, device=PHONE)
    long.page.context.new_cdp_session(long.page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    come = long.list.evaluate("""async list => {
        const rows = list.shadowRoot.querySelector('[part=rows]'), frame = () => new Promise(requestAnimationFrame);
        // A slice ends by the clock, which goes eight times as fast: so that a quick machine has no more than a few rows done, either.
        const now = performance.now.bind(performance), start = now();
        performance.now = () => start + (now() - start) * 8;
        let come = 0, counts = [];
        const observer = new MutationObserver(records => { for (const { addedNodes } of records) come += addedNodes.length; });
        observer.observe(rows, { childList: true, subtree: true });
        for (let i = 0; i < 200; i += 1) {
            scrollBy(0, 60);
            await frame();
            counts.push(come);
            come = 0;
        }
        observer.disconnect();
        performance.now = now;
        return counts;
    }""")
    some = [count for count in come if count]
    assert sum(come) > 150 and max(come) <= 20, some
    assert long.view["drawn"] <= 200


@test
def end_and_home_lead_to_the_last_and_the_first_row(stage):
    long = Long(stage)
    long.page.keyboard.press("End")
    long.wait_for_view(f"view.keys.at(-1) === '{COUNT - 1}' && view.end")
    long.page.keyboard.press("PageUp")
    long.settle()
    assert long.view["keys"][-1] < str(COUNT - 1), long.view
    long.page.keyboard.press("Home")
    long.wait_for_view("view.keys[0] === '0' && scrollY === 0")
    long.settle()
    assert abs(long.view["tops"][0] - long.view["bar"]) < 24, long.view


@test
def home_and_end_lead_to_the_ends_of_a_list_higher_than_a_page_can_be(stage):
    count = 200_000
    long = Long(stage, count, script=LATE)
    assert long.page.evaluate("document.documentElement.scrollHeight") < 8_100_000
    # Near an end, the room for the rows is less than what they take.
    for late in (0, 400):
        for share in (0.5, 300 / count, 1 - 500 / count):
            for key in ("Home", "End"):
                long.page.evaluate("window.late = 0")
                long.scroll(f"scrollTo(0, {share} * document.documentElement.scrollHeight)")
                long.page.evaluate(f"window.late = {late}")
                long.page.keyboard.press(key)
                long.shown.rest(late + 600)
                long.settle()
                assert is_at(long, key), (late, share, key, long.view)


@test
def who_comes_to_an_end_before_the_rows_do_sees_the_rows_of_the_end(stage):
    long = Long(stage, 200_000, script=LATE)
    for key, near in (("End", "document.documentElement.scrollHeight - 12000"), ("Home", "8000")):
        long.page.evaluate(f"window.late = 400; scrollTo(0, {near})")
        long.shown.rest(150)
        long.page.evaluate(f"scrollTo(0, {'0' if key == 'Home' else 'document.documentElement.scrollHeight'})")
        long.shown.rest(1000)
        long.settle()
        assert is_at(long, key), (key, long.view)


def is_at(long, key):
    """Whether an end is in view, and the page ends there."""
    view = long.view
    if key == "Home":
        return view["keys"][0] == "0" and long.page.evaluate("scrollY") == 0
    return int(view["keys"][-1]) == int(view["size"]) - 1 and view["end"]


@test
def a_jump_shows_the_rows_that_are_there_and_says_which(stage):
    long = Long(stage)
    height = long.page.evaluate("document.documentElement.scrollHeight")
    for share in (0.5, 0.25, 0.9):
        long.scroll(f"scrollTo(0, {share * height})")
        first = int(long.view["keys"][0])
        assert abs(first - share * COUNT) < 0.002 * COUNT, (share, first)
        said = long.list.evaluate("list => list.shadowRoot.querySelector('[role=status]').textContent")
        assert said == f"{first + 1:,} of {COUNT:,}" or said == f"{first + 2:,} of {COUNT:,}", (said, first)


@test
def rows_that_are_late_have_a_shape_and_come(stage):
    long = Long(stage, script=DEAF)
    long.page.evaluate("window.isDeaf = true")
    long.page.evaluate("scrollTo(0, 100000)")
    long.shown.rest(300)
    over = "list => list.shadowRoot.elementFromPoint(900, 400).className"
    assert "spacer" in long.list.evaluate(over).split(), long.list.evaluate(over)
    long.page.evaluate("window.isDeaf = false")
    # The question that was lost is asked again on the next connection.
    long.stage.stop()
    long.stage.serve(long.lists, port=int(long.url.rsplit(":", 1)[1].strip("/")))
    long.settle()
    assert long.view["keys"] and "spacer" not in long.list.evaluate(over).split(), long.view


@test
def rows_that_come_above_move_nothing_and_are_counted(stage):
    long = Long(stage)
    long.scroll("scrollTo(0, 150000)")
    before = long.view
    long.write(numbered(range(90_000, 90_040), range(COUNT)))
    refresh_elsewhere(long.shown)
    long.shown.part("news").get_by_text("40 new").wait_for()
    long.settle()
    after = long.view
    assert (after["keys"], after["tops"]) == (before["keys"], before["tops"]), (before, after)
    assert after["places"][0] == str(int(before["places"][0]) + 40) and after["size"] == str(COUNT + 40), after
    long.shown.part("news").click()
    long.wait_for_view("view.keys[0] === '90000' && scrollY === 0")


@test
def the_row_with_the_focus_keeps_it_out_of_view(stage):
    long = Long(stage)
    key = long.view["keys"][3]
    long.list.evaluate("(list, key) => { const row = list.shadowRoot.querySelector(`[data-key='${key}']`); row.tabIndex = -1; row.focus(); }", key)
    focus = "list => list.shadowRoot.activeElement?.dataset.key ?? null"
    for place in (9000, 60_000, 250_000):
        long.scroll(f"scrollTo(0, {place})")
        assert long.list.evaluate(focus) == key and key not in long.view["keys"], (place, long.list.evaluate(focus))
    long.scroll("scrollTo(0, 0)")
    assert long.list.evaluate(focus) == key and long.view["keys"][3] == key, long.view
    long.scroll("scrollTo(0, 60000)")
    long.list.evaluate("list => list.shadowRoot.activeElement.blur()")
    long.scroll("scrollTo(0, 90000)")
    assert long.list.evaluate("(list, key) => !list.shadowRoot.querySelector(`[data-key='${key}']`)", key), "then it may go"


@test
def what_is_selected_stays_in_the_document(stage):
    long = Long(stage)
    long.list.evaluate("""list => {
        const [from, to] = [2, 4].map(at => list.shadowRoot.querySelectorAll('[data-key] [part~=title]')[at].firstChild);
        getSelection().setBaseAndExtent(from, 0, to, to.length);
    }""")
    for _ in range(6):
        long.scroll("scrollBy(0, 3000)")
    assert long.view["drawn"] < 500, long.view["drawn"]
    drawn = long.list.evaluate("list => [...list.shadowRoot.querySelectorAll('[data-key]')].slice(0, 5).map(row => row.dataset.key)")
    assert drawn[drawn.index("2"):][:3] == ["2", "3", "4"], drawn
    long.page.evaluate("getSelection().removeAllRanges()")
    long.scroll("scrollBy(0, 3000)")
    assert long.view["drawn"] <= 200, long.view["drawn"]


@test
def the_server_finds_what_is_looked_for_and_the_way_back_leads_to_where_one_was(stage):
    long = Long(stage)
    long.scroll("scrollTo(0, 150000)")
    before = long.view
    long.list.evaluate(FILM)
    long.page.keyboard.press("/")
    long.page.keyboard.type("ROW 77")
    found = [str(number) for number in range(COUNT) if "77" in str(number)]
    long.wait_for_view(f"view.size === '{len(found)}'")
    long.page.evaluate("window.isCut = true")
    seen = [[*rows] for rows in long.page.evaluate("window.film")]
    assert not [rows for rows in seen if set(rows[:6]) < set(found) and rows[0] != found[0]], f"not from the beginning: {seen}"
    assert long.view["keys"] == found[: len(long.view["keys"])], (long.view, found)
    marked = long.page.evaluate("[...CSS.highlights.get('refreshable-found')].map(range => range.toString())")
    assert set(marked) == {"Row", "77"}, marked
    long.page.keyboard.type("7")
    long.wait_for_view("view.keys.join() === '777,1777,2777,3777,4777,5777'")
    # It goes on: what begins to match comes.
    long.write([*numbered(range(3000)), ("new", "A row 7770 more"), *numbered(range(3000, COUNT))])
    long.page.request.post(f"{long.url}lists/list/refresh")
    long.wait_for_view("view.keys.join() === '777,1777,2777,new,3777,4777,5777'")
    long.page.keyboard.type("x")
    long.shown.part("empty").get_by_text("Nothing found").wait_for()
    assert long.page.evaluate("location.hash") == "#list?find=ROW+777x"
    long.page.keyboard.press("Escape")
    long.settle()
    after = long.view
    assert after["keys"] == before["keys"] and abs(after["tops"][0] - before["tops"][0]) < 2, (before, after)


@test
def the_field_is_busy_until_all_that_is_found_is_there(stage):
    long = Long(stage, 30_000, script=SEARCHING)
    long.page.keyboard.press("/")
    long.page.keyboard.type("1")
    long.page.wait_for_function("() => window.searching > 0")
    long.wait_for_view("view.keys[0] === '1'")
    busy = "list => list.shadowRoot.querySelector('[data-busy]') !== null"
    assert long.list.evaluate(busy), "nothing says that more may be found"
    long.wait_for_view(f"view.size === '{sum('1' in str(number) for number in range(30_000))}'")
    long.page.wait_for_function(f"list => !({busy})(list)", arg=long.shown.handle)
    assert [long.view["keys"][at] for at in (0, 1, 2)] == ["1", "10", "11"], long.view


@test
def an_address_finds_rows_and_leads_to_one(stage):
    long = Long(stage, address="list?find=row+199")
    long.wait_for_view(f"view.size === '{sum('199' in str(number) for number in range(COUNT))}'")
    assert long.view["keys"][0] == "199", long.view
    long.page.goto("about:blank")
    long.page.goto(f"{long.url}#/list/4321")
    long.wait_for_view("view.keys.includes('4321') && view.places[0] !== '1'")


@test
def a_lost_connection_goes_on_where_one_was(stage):
    kept = ("--data", stage.folder / "data")
    long = Long(stage, flags=kept)
    long.scroll("scrollTo(0, 150000)")
    before = long.view
    long.stage.stop()
    long.shown.rest(300)
    assert long.view["keys"] == before["keys"]
    long.write([*numbered(range(5)), ("new", "New"), *numbered(range(5, COUNT))])
    long.stage.serve(long.lists, *kept, port=int(long.url.rsplit(":", 1)[1].strip("/")))
    long.page.wait_for_function("list => !list.hasAttribute('offline')", arg=long.shown.handle)
    refresh_elsewhere(long.shown)
    long.wait_for_view(f"view.size === '{COUNT + 1}'")
    long.settle()
    assert long.view["keys"] == before["keys"] and long.view["tops"] == before["tops"], (before, long.view)


@test
def a_page_that_is_left_is_where_it_was_when_one_returns(stage):
    long = Long(stage)
    long.scroll("scrollTo(0, 150017)")
    before = long.view
    long.page.reload()
    long.wait_for_view(f"view.keys[0] === '{before['keys'][0]}'")
    long.settle()
    assert all(abs(a - b) < 2 for a, b in zip(long.view["tops"], before["tops"])), (before, long.view)
    # Rows that came above don't matter.
    long.write([("new", "New"), *numbered(range(COUNT))])
    long.page.goto(f"{long.url}lists")
    refreshed = long.page.request.post(f"{long.url}lists/list/refresh")
    assert refreshed.ok, refreshed.status
    long.page.go_back()
    long.wait_for_view(f"view.keys[0] === '{before['keys'][0]}' && view.size === '{COUNT + 1}'")
    long.settle()
    assert all(abs(a - b) < 2 for a, b in zip(long.view["tops"], before["tops"])), (before, long.view)
    # Who opens it anew begins at the top.
    long.page.goto(f"{long.url}lists")
    long.page.goto(f"{long.url}#list")
    long.wait_for_view("view.keys[0] === 'new' && scrollY === 0")


@test
def a_pull_refreshes_a_long_list_as_a_short_one(stage):
    long = Long(stage, device=PHONE)
    long.write(numbered([90_000], range(COUNT)))
    long.shown.finger.pull(300)
    long.wait_for_view("view.keys[0] === '90000' && scrollY === 0")
    assert long.shown.phases[:2] == ["primed", "loading"], long.shown.phases


@test
def a_finger_moves_it_as_any_list(stage):
    long = Long(stage, device=PHONE)
    for _ in range(12):
        long.shown.finger.down(195, 700)
        long.shown.finger.move(-550, steps=8, pause=8)
        long.shown.finger.up()
    long.settle()
    view = long.view
    assert view["drawn"] <= 200 and int(view["keys"][0]) > 80, view
    assert [int(key) for key in view["keys"]] == list(range(int(view["keys"][0]), int(view["keys"][-1]) + 1)), view


@test
def a_page_s_own_template_shows_a_long_list(stage):
    long = Long(stage)
    long.list.evaluate("""list => {
        const template = document.createElement('template');
        template.innerHTML = '<p><b data-field="title"></b></p>';
        list.append(template);
    }""")
    long.page.wait_for_function("list => list.querySelector('[slot=rows] b')", arg=long.shown.handle)
    for place in (100_000, 200_000, 0):
        long.page.evaluate(f"scrollTo(0, {place})")
        long.shown.rest(700)
        view = long.view
        assert view["drawn"] <= 200 and len(view["keys"]) > 5 and view["size"] == str(COUNT), view


@test
def rows_of_a_long_list_stand_in_sections(stage):
    rows = [(str(number), f"Row {number}", f"Team {number // 300}") for number in range(6000)]
    long = Long(stage, rows=rows, section=3)
    long.scroll("scrollTo(0, document.documentElement.scrollHeight / 2)")
    first = int(long.view["keys"][0])
    heading = long.list.evaluate("list => list.shadowRoot.querySelector('[part=section]').textContent")
    assert abs(first - 3000) < 100 and heading in {f"Team {(first - 40) // 300}", f"Team {first // 300}"}, (first, heading)
    assert long.view["drawn"] <= 200, long.view


@test
def the_rows_that_were_looked_at_are_there_without_a_server(stage):
    long = Long(stage)
    long.shown.rest(2500)
    long.stage.stop()
    long.page.reload()
    long.page.wait_for_function(FULL, arg=long.shown.handle)
    assert long.view["keys"][0] == "0" and long.view["size"] == str(COUNT), long.view


@test
def two_elements_look_at_different_parts_of_one_list(stage):
    long = Long(stage)
    other = long.page.evaluate_handle("""() => {
        const box = Object.assign(document.createElement('div'), { style: 'position:fixed; right:0; bottom:0; width:300px; height:300px; overflow-y:auto' });
        const list = document.createElement('refreshable-list');
        list.setAttribute('src', document.querySelector('refreshable-list').src);
        box.append(list);
        document.body.append(box);
        return list;
    }""")
    has = "([list, key]) => list.shadowRoot?.querySelector(`[data-key='${key}']`)"
    long.page.wait_for_function(has, arg=[other, "0"])
    long.page.wait_for_function("list => list.parentNode.scrollHeight > 100_000", arg=other)
    other.evaluate("list => list.parentNode.scrollTo(0, list.parentNode.scrollHeight)")
    long.page.wait_for_function(has, arg=[other, str(COUNT - 1)])
    long.scroll("scrollTo(0, document.documentElement.scrollHeight / 2)")
    assert abs(int(long.view["keys"][0]) - COUNT // 2) < 100, long.view["keys"]
    assert other.evaluate(f"list => Boolean(({has})([list, '{COUNT - 1}']))")
    # Each is told what happens where it looks.
    rows = numbered(range(COUNT))
    rows[-1] = (rows[-1][0], "The last")
    long.write(rows)
    refresh_elsewhere(long.shown)
    long.page.wait_for_function("list => list.shadowRoot.textContent.includes('The last')", arg=other)


@test
def what_cannot_be_fetched_is_asked_for_once_and_the_first_rows_are_shown(stage):
    url = stage.serve([tsv("list", f"seq {COUNT} | sed 's/.*/&\\tRow &/'")])
    shown = stage.open("about:blank", DESKTOP, service_workers="block")
    asked = []

    def refuse(route):
        asked.append(route.request.url)
        route.fulfill(status=503)

    shown.page.route("**/virtualizer.js", refuse)
    shown.page.goto(f"{url}#list")
    shown.ready()
    shown.part("row").first.wait_for()
    shown.rest(1000)
    assert len(asked) == 1 and shown.titles[0] == "Row 1", (len(asked), shown.titles[:3])
    stage.noise = [line for line in stage.noise if "503" not in line and "Service Worker registration blocked" not in line]
