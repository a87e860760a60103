import KeyedLists
import ListProtocol
import RefreshableListsClient
import Testing

@testable import RefreshableCommand

struct WatchLogTests {
    @Test mutating func eachChangeIsALine() {
        var log = WatchLog(isJSON: false)
        let changes = [
            WatchedList.RowChange(kind: .inserted, key: "a", fields: Fields(["title": "A"])),
            WatchedList.RowChange(kind: .changed, key: "b", fields: Fields()),
            WatchedList.RowChange(kind: .moved, key: "c", fields: Fields()),
            WatchedList.RowChange(kind: .removed, key: "d"),
        ]
        #expect(log.lines(rows(changes), now: 0) == ["+ A", "~ b", "> c", "- d"])
    }

    @Test mutating func eachChangeIsALineOfJSON() {
        var log = WatchLog(isJSON: true)
        let changes = [
            WatchedList.RowChange(kind: .inserted, key: "a\"", fields: Fields(["title": "A"])),
            WatchedList.RowChange(kind: .removed, key: "d"),
        ]
        #expect(
            log.lines(rows(changes), now: 0) == [
                #"{"change":"inserted","fields":{"title":"A"},"key":"a\""}"#, #"{"change":"removed","key":"d"}"#,
            ])
    }

    @Test mutating func eachPhaseOfARunIsSaidOnce() {
        var log = WatchLog(isJSON: false)
        let last = LastRun(run: "r1", outcome: .success, duration: 5000, changes: ChangeCounts(inserted: 2, moved: 1))
        let states = [
            ListState(list: "fruit", phase: .waiting), ListState(list: "fruit", phase: .loading, run: "r1"),
            ListState(list: "fruit", phase: .loading, run: "r1"),
            ListState(list: "fruit", phase: .closing, run: "r1", last: last),
            ListState(list: "fruit", phase: .waiting, last: last),
        ]
        let lines = states.flatMap { log.lines(.state($0), now: 0) }
        #expect(lines == ["Waiting for changes. Ctrl-C ends it.", "Refreshing…", "2 new, 1 moved in 5.0 s"])
    }

    @Test mutating func jsonSaysHowFarARunIs() {
        var log = WatchLog(isJSON: true)
        _ = log.lines(.state(ListState(list: "fruit", phase: .loading, run: "r1")), now: 0)
        #expect(
            log.lines(.progress(.init(completed: 3, total: 10, note: "page 3")), now: 0)
                == [#"{"completed":3,"note":"page 3","phase":"loading","run":"r1","total":10}"#])
    }

    @Test mutating func jsonSaysTheOutcome() {
        var log = WatchLog(isJSON: true)
        let error = RunError(code: "x", message: "No door.")
        let last = LastRun(run: "r1", outcome: .failure, duration: 5, changes: ChangeCounts(), error: error)
        let state = ListState(list: "fruit", phase: .closing, run: "r1", last: last)
        #expect(
            log.lines(.state(state), now: 0)
                == [#"{"error":"No door.","outcome":"failure","phase":"closing","run":"r1"}"#])
    }

    private func rows(_ changes: [WatchedList.RowChange]) -> WatchedList.Update {
        .rows(.init(rows: [], epoch: nil, revision: 1, changes: changes))
    }
}
