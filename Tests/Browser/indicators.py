"""What the indicator looks like, says and does to a phone, and whose it may be."""

from harness import test, tsv
from loading import SIGNS, signs
from pulling import FAR, ROWS, held, let_go
from scenes import LIST, Actor, World
from page_driver import Still

SLOW = "test -e '{0}/ran' && sleep 0.7; touch '{0}/ran'; printf 'a\\tAlpha\\n'"
# A phone that notes how long it was asked to tick.
PHONE = "window.ticks = []; Navigator.prototype.vibrate = duration => { window.ticks.push(duration); return true; };"
LABEL = "list => list.shadowRoot.querySelector('.label').textContent"


def progress(shown):
    return float(shown.part("indicator").evaluate("e => e.style.getPropertyValue('--pull-progress')"))


def labels(shown):
    """What the indicator says in each phase of a pull, however short it is."""
    shown.list.evaluate("""list => {
        list.labels = {};
        const note = () => queueMicrotask(() => { list.labels[list.phase] ??= list.shadowRoot.querySelector('.label').textContent; });
        list.addEventListener('pull', note);
        list.addEventListener('phasechange', note);
    }""")
    shown.finger.down()
    shown.finger.move(60)
    shown.finger.move(140)
    shown.finger.up()
    shown.page.wait_for_function("list => list.labels.closing && list.phase === 'waiting'", arg=shown.handle)
    said = shown.list.evaluate("list => list.labels")
    return [said[phase] for phase in ("waiting", "primed", "loading", "closing")]


@test
def each_phase_has_its_words(stage):
    shown = stage.one(SLOW.format(stage.folder))
    assert labels(shown) == ["Pull to refresh", "Release to refresh", "Refreshing…", "No new rows"]


@test
def a_list_may_have_its_own_words_for_each_phase(stage):
    words = {"waiting": "Pull me down…", "primed": "Now release!", "loading": "Working…", "closing": "There"}
    shown = stage.one(SLOW.format(stage.folder), pull={"preset": "recipe", "trigger": "release", "texts": words})
    assert labels(shown) == list(words.values())


@test
def the_indicator_tells_when_the_rows_were_last_updated(stage):
    shown = stage.one(ROWS)
    shown.finger.down()
    shown.finger.move(60)
    assert "Updated just now" in shown.part("indicator").inner_text()
    shown.finger.lose()


@test
def the_indicator_comes_down_with_the_content_and_stands_still_unless_it_loads(stage):
    shown = stage.one(ROWS)
    shown.finger.down()
    tops = []
    for _ in range(3):
        shown.finger.move(25)
        tops.append((shown.top("indicator"), shown.top("rows")))
    between = {round(rows - indicator) for indicator, rows in tops}
    assert len(between) == 1, f"the distance to the rows changed: {tops}"
    assert shown.list.evaluate("list => list.shadowRoot.getAnimations().length") == 0, "something moves by itself"
    shown.finger.lose()


@test
def the_indicator_may_stand_still_behind_the_content(stage):
    shown = stage.one(SLOW.format(stage.folder))
    shown.list.evaluate("list => list.toggleAttribute('behind', true)")
    shown.finger.down()
    tops, seen = set(), []
    for _ in range(3):
        shown.finger.move(25)
        tops.add(round(shown.top("indicator")))
        seen.append(shown.list.evaluate("list => list.shadowRoot.querySelector('.gap').getBoundingClientRect().bottom"))
        assert abs(seen[-1] - shown.top("content")) < 1, "it is seen over the content"
    assert len(tops) == 1, tops
    assert seen == sorted(set(seen)), seen
    shown.finger.move(125)
    shown.finger.up()
    shown.wait_for_phase("loading")
    assert shown.part("indicator").is_visible()
    shown.wait_for_phase("waiting")
    shown.rest(400)
    assert not shown.part("indicator").is_visible()
    shown.list.evaluate("list => { list.refresh({ quietly: true }) }")
    shown.wait_for_phase("loading")
    floating = shown.part("indicator").bounding_box()
    bar = shown.part("bar").bounding_box()
    assert floating["y"] >= bar["y"] + bar["height"], "a floating one is cut off"


@test
def below_the_minimum_nothing_is_drawn(stage):
    shown = stage.one(ROWS, pull={"preset": "progress", "minimum": 40})
    shown.finger.down()
    shown.finger.move(60)
    assert 20 < shown.top("content") - shown.part("bar").evaluate("e => e.getBoundingClientRect().bottom") < 40
    assert progress(shown) == 0
    arc = shown.list.evaluate("list => getComputedStyle(list.shadowRoot.querySelector('.arc')).opacity")
    assert arc == "0", arc
    shown.finger.lose()


@test
def the_circle_fills_with_the_pull_and_is_full_while_it_loads(stage):
    shown = stage.one(SLOW.format(stage.folder), pull={"preset": "progress", "indicator": "circular"})
    dash = "list => Number(/[\\d.]+/.exec(getComputedStyle(list.shadowRoot.querySelector('.arc')).strokeDasharray)[0])"
    shown.finger.down()
    shown.finger.move(20)
    shares = []
    for _ in range(4):
        shown.finger.move(25)
        shares.append(shown.list.evaluate(dash))
        assert abs(shares[-1] - 100 * progress(shown)) < 0.1, (shares, progress(shown))
    assert shares == sorted(shares) and shares[0] > 0, shares
    shown.finger.move(150)
    shown.wait_for_phase("loading")
    assert progress(shown) == 1
    shown.finger.up()
    shown.wait_for_phase("waiting")


@test
def each_preset_holds_the_content_at_its_own_height(stage):
    for preset, hold in {"recipe": 50, "progress": 36, "classic": 70}.items():
        for file in ("log", "go"):
            (stage.folder / file).unlink(missing_ok=True)
        shown = stage.one(held(stage), pull={"preset": preset})
        at_rest = shown.top()
        shown.list.evaluate("list => { list.refresh() }")
        shown.wait_for_phase("loading")
        shown.wait_for_top(at_rest + hold)
        let_go(stage)
        shown.wait_for_phase("waiting")


@test
def a_phone_ticks_when_a_pull_primes_and_when_its_refresh_is_over(stage):
    url = stage.serve([{"name": "list", "command": ROWS, "format": "tsv", "fields": {"key": 1, "title": 2}, "pull": {"haptics": True}}])
    shown = stage.open(f"{url}#list", script=PHONE)
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    heavy, medium = shown.page.evaluate("window.ticks")
    assert heavy > medium > 0, (heavy, medium)
    # Somebody else's refresh, here the page's, is none of the finger's business.
    shown.wait_for_phase("waiting")
    shown.list.evaluate("list => list.refresh()")
    assert len(shown.page.evaluate("window.ticks")) == 2


@test
def a_crossing_ticks_at_that_moment(stage):
    url = stage.serve([{"name": "list", "command": ROWS, "format": "tsv", "fields": {"key": 1, "title": 2}, "pull": {"preset": "progress", "haptics": True}}])
    shown = stage.open(f"{url}#list", script=PHONE)
    shown.finger.down()
    shown.finger.move(100)
    assert shown.page.evaluate("window.ticks") == []
    shown.finger.move(160)
    shown.wait_for_trace("loading")
    assert len(shown.page.evaluate("window.ticks")) >= 1
    shown.finger.up()


@test
def a_phone_does_not_tick_unless_the_list_says_so(stage):
    url = stage.serve([{"name": "list", "command": ROWS, "format": "tsv", "fields": {"key": 1, "title": 2}}])
    shown = stage.open(f"{url}#list", script=PHONE)
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    assert shown.page.evaluate("window.ticks") == []


@test
def each_kind_of_indicator_has_a_look_of_its_own(stage):
    glyph = "list => list.shadowRoot.querySelector('[part=indicator] svg').innerHTML"
    words = "list => getComputedStyle(list.shadowRoot.querySelector('.words')).display !== 'none'"
    looks = {}
    for kind in ("default", "simple", "circular", "unknown"):
        shown = stage.one(ROWS, pull={"indicator": kind})
        shown.finger.down()
        shown.finger.move(60)
        looks[kind] = (shown.list.evaluate(glyph), shown.list.evaluate(words))
        shown.finger.lose()
    assert looks["default"][1] and not looks["simple"][1] and not looks["circular"][1]
    assert looks["default"][0] != looks["simple"][0]
    assert looks["unknown"] == looks["default"]


@test
def an_indicator_that_only_hears_the_phase_is_enough(stage):
    shown = stage.one(SLOW.format(stage.folder))
    shown.list.evaluate("""list => {
        const own = Object.assign(document.createElement('i'), { slot: 'indicator', textContent: 'mine' });
        list.heard = [];
        new MutationObserver(() => list.heard.push(own.getAttribute('phase'))).observe(own, { attributeFilter: ['phase'] });
        list.append(own);
    }""")
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    shown.wait_for_phase("waiting")
    shown.rest()
    heard = shown.list.evaluate("list => list.heard")
    assert heard == ["waiting", "primed", "loading", "closing", "waiting"], heard


@test
def work_is_shown_as_a_share_once_it_is_reported(stage):
    url = stage.serve([{"name": "mail", "demo": "mailbox"}])
    shown = stage.open(f"{url}#mail")
    shown.list.evaluate("list => { list.refresh() }")
    box = shown.part("indicator")
    shown.wait_for_phase("loading")
    shown.page.wait_for_function("list => /2 of 4/.test(list.shadowRoot.querySelector('.note').textContent)", arg=shown.handle)
    assert box.get_attribute("data-measured") is not None and progress(shown) == 0.5, progress(shown)
    shown.wait_for_phase("waiting")


@test
def work_that_reports_nothing_is_shown_as_lasting(stage):
    shown = stage.one(SLOW.format(stage.folder).replace("0.7", "3"))
    shown.list.evaluate("list => { list.refresh() }")
    shown.wait_for_phase("loading")
    assert shown.part("indicator").get_attribute("data-measured") is None
    assert shown.list.evaluate("list => list.shadowRoot.getAnimations().some(a => a.effect.getTiming().iterations === Infinity)")
    shown.wait_for_phase("waiting")


@test
def a_pull_is_told_in_px_and_as_a_share_and_beyond(stage):
    shown = stage.one(ROWS)
    shown.list.evaluate("list => { list.told = []; list.addEventListener('pull', ({ detail }) => list.told.push(detail)); }")
    shown.finger.down()
    shown.finger.move(FAR)
    shown.finger.lose()
    told = shown.list.evaluate("list => list.told")
    assert told[-1]["offset"] > 64 and told[-1]["progress"] == 1, told[-1]
    for step in told:
        assert abs(step["progress"] - min(1, max(0, (step["offset"] - 10) / 54))) < 0.01, step


@test
def an_indicator_of_a_page_hears_by_attributes(stage):
    url = stage.serve([{"name": "mail", "demo": "mailbox"}])
    shown = stage.open(f"{url}#mail")
    shown.list.evaluate("""list => {
        list.heard = [];
        const own = Object.assign(document.createElement('i'), { slot: 'indicator', textContent: 'mine' });
        const names = ['phase', 'progress', 'outcome'];
        new MutationObserver(() => {
            const heard = names.map(name => own.getAttribute(name)).join();
            if (list.heard.at(-1) !== heard) list.heard.push(heard);
        }).observe(own, { attributeFilter: names });
        list.append(own);
    }""")
    shown.page.wait_for_function("list => list.heard[0] === 'waiting,0.00,'", arg=shown.handle)
    shown.list.evaluate("list => { list.refresh() }")
    shown.wait_for_trace("closing")
    shown.page.wait_for_function("list => list.heard.at(-1) === 'waiting,0.00,'", arg=shown.handle)
    heard = shown.list.evaluate("list => list.heard")
    pulls = [share for share in heard if share.startswith("loading,")]
    assert pulls == sorted(pulls) and "loading,0.50," in pulls, heard
    # Till the server has said how much there is to do.
    assert pulls[0] == "loading,,", heard
    assert heard[-2] == "closing,1.00,success", heard


@test
def the_element_may_say_which_indicator_it_wants(stage):
    shown = stage.one(ROWS, pull={"indicator": "circular"})
    kind = lambda: shown.part("indicator").get_attribute("data-kind")
    assert kind() == "circular"
    shown.list.evaluate("list => list.setAttribute('indicator', 'simple')")
    assert kind() == "simple"
    shown.list.evaluate("list => list.removeAttribute('indicator')")
    assert kind() == "circular"


@test
def the_arrow_stays_in_its_place_when_the_words_change(stage):
    shown = stage.one(ROWS)
    place = lambda: shown.list.evaluate("list => list.shadowRoot.querySelector('[part=indicator] svg').getBoundingClientRect().left")
    shown.finger.down()
    shown.finger.move(60)
    waiting = place()
    shown.finger.move(140)
    assert shown.phase == "primed" and place() == waiting, (waiting, place())
    shown.finger.lose()


@test
def a_pull_that_is_given_up_shows_how_far_it_was_on_its_way_back(stage):
    shown = stage.one(ROWS)
    shown.list.evaluate("""list => {
        list.shares = [];
        const box = list.shadowRoot.querySelector('[part=indicator]');
        const observer = new MutationObserver(() => list.shares.push([box.style.getPropertyValue('--pull-progress'), box.matches('.visible *')]));
        observer.observe(box, { attributeFilter: ['style'] });
        observer.observe(box.closest('.gap'), { attributeFilter: ['class'] });
    }""")
    shown.finger.down()
    shown.finger.move(60)
    before = shown.part("indicator").evaluate("e => e.style.getPropertyValue('--pull-progress')")
    assert float(before) > 0
    shown.finger.lose()
    shown.page.wait_for_function("list => list.shares.at(-1)?.[1] === false", arg=shown.handle)
    shares = shown.list.evaluate("list => list.shares")
    assert ["0.00", True] not in shares[2:], shares


@test
def who_cancels_is_shown_no_fault(stage):
    actor = Actor(Still(stage.open("about:blank")), World(stage), (390, 844))
    actor.open("default")
    with actor.world.sign("gate"):
        actor.loading()
        actor.close()
        actor.press("cancel")
        actor.closed()
        assert actor.page.evaluate(f"{actor.part('indicator')}.dataset.state") == "cancelled"
        assert actor.page.evaluate(f"({LABEL})({LIST})") == "Cancelled"
        # Round ends of a stroke without length would be a dot.
        actor.wait_for(f"getComputedStyle({LIST}.shadowRoot.querySelector('.arc')).opacity === '0'")
        actor.phase("closing")


@test
def each_kind_is_the_only_sign_of_loading_wherever_it_is_shown(stage):
    shown = stage.one(SLOW.format(stage.folder).replace("0.7", "1.5"))
    for kind in ("default", "simple", "circular", "behind", "own"):
        shown.list.evaluate("""(list, kind) => {
            list.toggleAttribute('behind', kind === 'behind');
            if (kind === 'own') list.insertAdjacentHTML('beforeend', '<i slot="indicator">mine</i>');
            else list.setAttribute('indicator', kind);
        }""", kind)
        for quietly in (False, True) if kind in ("simple", "own") else (False,):
            shown.list.evaluate("(list, quietly) => { list.refresh({ quietly }) }", quietly)
            shown.wait_for_phase("loading")
            # The page's own does not turn.
            turning = 0 if kind == "own" else 1
            seen = f"({SIGNS})(list).indicators > 0 && ({SIGNS})(list).turning === {turning}"
            shown.page.wait_for_function(f"list => {seen}", arg=shown.handle)
            assert signs(shown) == (1, 0, turning), (kind, quietly, signs(shown))
            shown.wait_for_phase("waiting")
            shown.page.wait_for_function(f"list => ({SIGNS})(list).indicators === 0", arg=shown.handle)


@test
def a_refresh_of_less_than_half_a_second_is_spoken_of_when_it_is_over(stage):
    shown = stage.one(ROWS)
    shown.list.evaluate("""list => {
        const status = list.shadowRoot.querySelector('[role=status]');
        list.said = [];
        new MutationObserver(() => list.said.push(status.textContent)).observe(status, { childList: true, characterData: true, subtree: true });
    }""")
    duration = shown.list.evaluate("async list => (await list.refresh()).duration")
    shown.wait_for_phase("waiting")
    said = shown.list.evaluate("list => list.said")
    assert said[-1].startswith("No new rows, updated "), said
    assert said[0] != "Refreshing" or duration > 400, (said, duration)


# The contrast of a text with what is behind it, as WCAG 2.2 counts it.
CONTRAST = """name => {
    const text = document.querySelector('refreshable-list').shadowRoot.querySelector(name);
    const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
    const behind = getComputedStyle(document.body).backgroundColor;
    const light = (...colours) => {
        for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const opacity = [text, text.parentElement].reduce((share, e) => share * getComputedStyle(e).opacity, 1);
    const [a, b] = [light(behind), light(behind, getComputedStyle(text).color)];
    return text.textContent && opacity * Math.max(a, b) / Math.min(a, b);
}"""


@test
def what_the_indicator_says_can_be_read_in_each_phase_light_and_dark(stage):
    for scheme in ("light", "dark"):
        gate = stage.folder / "gate"
        url = stage.serve([tsv("list", f"while test -e '{gate}'; do sleep 0.05; done; echo 'a\tAlpha'", noun={"one": "fruit", "other": "fruits"})])
        shown = stage.open(f"{url}#list", color_scheme=scheme)
        looks = {}

        def look(phase, shown=shown, looks=looks):
            for name in (".label", ".note"):
                if ratio := shown.page.evaluate(CONTRAST, name):
                    looks[phase, name] = ratio

        shown.finger.down()
        shown.finger.move(80)
        look("waiting")
        shown.finger.move(110)
        look("primed")
        gate.touch()
        shown.finger.up()
        shown.wait_for_phase("loading")
        look("loading")
        gate.unlink()
        shown.wait_for_phase("closing")
        look("closing")
        assert len(looks) >= 6 and all(ratio >= 4.5 for ratio in looks.values()), (scheme, looks)


@test
def a_result_has_the_name_that_the_list_has_for_its_rows(stage):
    rows = stage.folder / "rows"
    rows.write_text("a\tAlpha\n")
    shown = stage.one(f"cat '{rows}'", noun={"one": "fruit", "other": "fruits"})
    shown.list.evaluate("""list => {
        list.said = new Set();
        const label = list.shadowRoot.querySelector('.label');
        new MutationObserver(() => list.said.add(label.textContent)).observe(label, { characterData: true, childList: true, subtree: true });
    }""")
    for more, said in (("b\tBeta\n", "1 new fruit"), ("c\tCeta\nd\tDelta\n", "2 new fruits")):
        rows.write_text(rows.read_text() + more)
        shown.finger.pull(FAR)
        shown.page.wait_for_function("([list, said]) => list.said.has(said)", arg=[shown.handle, said])
        shown.wait_for_phase("waiting")
        shown.rest(1200)
