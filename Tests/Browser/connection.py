"""Lost connections: no gap, no refresh twice, no indicator that turns for ever."""

from harness import test, tsv
from proxy import Mount, Wire
from pulling import FAR

# Two rows at once, the next two after a while, each run with keys of its own.
STREAM = "n=$(date +%s%N); echo \"$n-1\tOne\"; echo \"$n-2\tTwo\"; sleep {1}; echo \"$n-3\tThree\"; echo run >> '{0}/log'"


def wired(stage, command, **settings):
    wire = Wire(stage.serve([tsv("list", command, **settings)]))
    return wire, stage.open(f"{wire.url}#list")


@test
def a_socket_cut_during_a_run_resumes_without_a_gap_and_ends_its_indicator(stage):
    wire, shown = wired(stage, STREAM.format(stage.folder, 1), mode="stream")
    shown.finger.pull(FAR)
    shown.wait_for_phase("loading")
    shown.rest(200)
    wire.cut()
    shown.rest(300)
    assert shown.phase == "loading", "the run goes on"
    shown.rest(800)
    wire.mend()
    shown.wait_for_phase("waiting")
    shown.wait_for_titles("One", "Two", "Three")
    assert shown.part("indicator").evaluate("e => !e.closest('.visible')") or shown.rest(400) is None
    shown.rest(400)
    shown.part("indicator").wait_for(state="hidden")
    assert stage.count() == 2, "the pull ran twice"


@test
def a_page_below_a_path_finds_its_lists_and_its_socket_there(stage):
    mount = Mount(stage.serve([tsv("list", f"echo run >> '{stage.folder}/log'; echo 'a\tAlpha'")]))
    shown = stage.open(f"{mount.url}#list")
    shown.wait_for_titles("Alpha")
    shown.finger.pull(FAR)
    shown.wait_for_phase("waiting")
    assert stage.count() == 2, "the pull ran"


@test
def rows_that_changed_meanwhile_are_right_after_the_return(stage):
    rows = stage.folder / "rows"
    rows.write_text("a\tAlpha\nb\tBeta\n")
    url = stage.serve([tsv("list", f"cat '{rows}'")])
    wire = Wire(url)
    shown, other = stage.open(f"{wire.url}#list"), stage.open(f"{url}#list")
    wire.cut()
    for text in ("b\tBeta\nc\tGamma\n", "c\tGamma!\nd\tDelta\nb\tBeta\n"):
        rows.write_text(text)
        other.list.evaluate("list => list.refresh()")
    wire.mend()
    shown.wait_for_titles("Gamma!", "Delta", "Beta")


@test
def a_release_that_was_cut_off_is_asked_again_and_runs_once(stage):
    wire, shown = wired(stage, f"echo run >> '{stage.folder}/log'; echo 'a\tAlpha'")
    shown.finger.down()
    shown.finger.move(FAR)
    wire.cut()
    shown.finger.up()
    shown.rest(1300)
    assert stage.count() == 1
    assert shown.part("indicator").inner_text() == "Will refresh when connected", shown.part("indicator").inner_text()
    wire.mend()
    shown.wait_for_trace("closing")
    shown.wait_for_phase("waiting")
    assert stage.count() == 2


@test
def a_lost_connection_is_told_and_its_return_too(stage):
    wire, shown = wired(stage, "echo 'a\tAlpha'")
    wire.cut()
    shown.part("updated").get_by_text("Connecting… · Updated just now").wait_for()
    assert shown.list.get_attribute("offline") is not None
    assert shown.titles == ["Alpha"], "the rows went with the connection"
    wire.mend()
    shown.page.wait_for_function("list => !list.hasAttribute('offline')", arg=shown.handle)
    shown.part("updated").get_by_text("Updated just now", exact=True).wait_for()


@test
def a_server_that_starts_again_is_taken_up_again(stage):
    rows = stage.folder / "rows"
    rows.write_text("a\tAlpha\n")
    lists = [tsv("list", f"cat '{rows}'")]
    url = stage.serve(lists)
    shown = stage.open(f"{url}#list")
    stage.stop()
    shown.page.wait_for_function("list => list.hasAttribute('offline')", arg=shown.handle)
    assert shown.titles == ["Alpha"]
    rows.write_text("b\tBeta\n")
    stage.serve(lists, port=url.rstrip("/").rsplit(":", 1)[1])
    shown.page.evaluate("dispatchEvent(new Event('online'))")
    shown.wait_for_titles("Beta")
    shown.wait_for_phase("waiting")
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")
    # The directory could not be read meanwhile, and the browser says so.
    stage.noise.clear()


@test
def a_list_that_changes_goes_and_comes_back_on_the_server_does_so_on_the_page(stage):
    lists = [tsv("list", "echo 'a\tAlpha'"), tsv("other", "echo 'o\tOther'")]
    shown = stage.open(f"{stage.serve(lists)}#list")
    stage.change([tsv("list", "echo 'b\tBeta'"), lists[1]])
    shown.wait_for_titles("Beta")
    shown.wait_for_phase("waiting")
    stage.change(lists[1:])
    shown.page.get_by_text("No such list").wait_for()
    stage.change(lists)
    shown.wait_for_titles("Alpha")
    shown.wait_for_phase("waiting")
    shown.finger.pull(FAR)
    shown.wait_for_trace("closing")


@test
def coming_back_online_connects_at_once(stage):
    wire = Wire(stage.serve([tsv("list", "echo 'a\tAlpha'")]))
    # Every wait is as long as it may be: after 2, 2 and 4 seconds the next one is 8.
    shown = stage.open(f"{wire.url}#list", script="Math.random = () => 0.999;")
    wire.cut()
    shown.rest(8500)
    wire.mend()
    shown.page.evaluate("dispatchEvent(new Event('online'))")
    shown.page.wait_for_function("list => !list.hasAttribute('offline')", arg=shown.handle, timeout=3000)
