import Testing
import WebSockets

@testable import RefreshableLists

/// Those who wait on one connection are answered in the order of their messages.
struct AttachingTests {
    private var work = SharedWork()

    @Test mutating func whoIsReadyWaitsForThoseBefore() {
        let (first, second) = (wait(1), wait(2))
        work.noteReady(second, on: 7)
        #expect(work.takeReady(on: 7).isEmpty)
        work.noteReady(first, on: 7)
        #expect(work.takeReady(on: 7).map(\.number) == [first, second])
        #expect(work.attaching.isEmpty)
    }

    @Test mutating func whoIsReadyGoesOnWhereTheOneBeforeHasFailed() {
        _ = wait(1)
        let second = wait(2)
        work.noteReady(second, on: 7)
        work.forget(WatchID(socket: 7, serial: 1))
        #expect(work.takeReady(on: 7).map(\.number) == [second])
    }

    private mutating func wait(_ serial: Int) -> Int {
        work.wait(Attaching(watch: WatchID(socket: 7, serial: serial), refuse: {}, attach: {}))
    }
}
