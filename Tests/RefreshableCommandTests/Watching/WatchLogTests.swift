import KeyedLists
import ListProtocol
import Testing

@testable import RefreshableCommand

struct WatchLogTests {
    private var replica = Replica("fruit")

    @Test mutating func eachChangeIsALine() {
        var log = WatchLog(isJSON: false)
        let changes = [
            RowChange(kind: .inserted, key: "a", fields: Fields(["title": "A"])),
            RowChange(kind: .changed, key: "b", fields: Fields()), RowChange(kind: .moved, key: "c", fields: Fields()),
            RowChange(kind: .removed, key: "d"),
        ]
        #expect(log.lines(.told(.rows(changes)), replica, now: 0) == ["+ A", "~ b", "> c", "- d"])
    }

    @Test mutating func eachChangeIsALineOfJSON() {
        var log = WatchLog(isJSON: true)
        let changes = [
            RowChange(kind: .inserted, key: "a\"", fields: Fields(["title": "A"])), RowChange(kind: .removed, key: "d"),
        ]
        #expect(
            log.lines(.told(.rows(changes)), replica, now: 0) == [
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
        let lines = states.flatMap { state in
            _ = replica.receive(.state(state))
            return log.lines(.told(.state), replica, now: 0)
        }
        #expect(lines == ["Waiting for changes. Ctrl-C ends it.", "Refreshing…", "2 new, 1 moved in 5.0 s"])
    }

    @Test mutating func jsonSaysHowFarARunIs() {
        var log = WatchLog(isJSON: true)
        _ = replica.receive(.state(ListState(list: "fruit", phase: .loading, run: "r1")))
        _ = replica.receive(.progress(list: "fruit", run: "r1", completed: 3, total: 10, note: "page 3"))
        #expect(
            log.lines(.told(.progress), replica, now: 0)
                == [#"{"completed":3,"note":"page 3","phase":"loading","run":"r1","total":10}"#])
    }

    @Test mutating func jsonSaysTheOutcome() {
        var log = WatchLog(isJSON: true)
        let error = RunError(code: "x", message: "No door.")
        let last = LastRun(run: "r1", outcome: .failure, duration: 5, changes: ChangeCounts(), error: error)
        _ = replica.receive(.state(ListState(list: "fruit", phase: .closing, run: "r1", last: last)))
        #expect(
            log.lines(.told(.state), replica, now: 0)
                == [#"{"error":"No door.","outcome":"failure","phase":"closing","run":"r1"}"#])
    }
}
