import KeyedLists
import ListProtocol
import ListStorage
import Locking
import RefreshableListsTesting
import WebSockets

@testable import RefreshableLists

/// A tested list with its insides, and one loop's view of it. Its handlers do not wait for the test.
final class Stage: Sendable {
    let tested: TestedList
    private let feed: Locked<LoopFeed?> = Locked(nil)
    private let seen = Locked(LoopFeed.Contents())

    init(_ description: RefreshableList, store: any ListStore = MemoryStore()) {
        tested = TestedList(description, store: store)
        tested.letHandlersRun()
        let feed = LoopFeed { _ in }
        self.feed.withLock { $0 = feed }
    }

    var list: LiveList { tested.live }
    var clock: ManualClock { tested.clock }

    /// Watches the list once more.
    func watch(resuming resume: ClientMessage.Resume? = nil) async {
        let feed = feed.withLock { $0! }
        await list.attach(WatchID(socket: 1, serial: 1), messageID: "1", resume: resume, to: feed)
    }

    /// Nobody watches the list any more who did so here.
    func leave() async {
        let feed = feed.withLock { $0! }
        await list.detach(from: feed)
    }

    /// Asks for a digest, as a client does.
    func askForDigest() async {
        let feed = feed.withLock { $0! }
        await list.digest("d", for: 1, to: feed)
    }

    /// Everything that was told so far, newest registers last.
    func contents() async -> LoopFeed.Contents {
        await list.settle()
        let feed = feed.withLock { $0! }
        let new = feed.take()
        return seen.withLock { seen in
            seen.deliveries += new.deliveries
            seen.ring.append(new.ring)
            seen.states.append(new.states)
            if let progress = new.progress { seen.progress = progress }
            return seen
        }
    }

    /// Refreshes as a program does, and waits for the end.
    @discardableResult
    func refresh() async -> FinishedRun? { await tested.refresh() }

    /// Lets time pass and timers run.
    func advance(by duration: Duration) async { await tested.advance(by: duration) }

    var titles: [String] {
        get async { await list.keys() }
    }
}

extension ManualClock {
    /// Lets time pass that nobody looks at yet.
    func advance(by duration: Duration) { move(to: now.advanced(by: duration)) }
}

extension LiveList {
    /// Everything posted before is done when this returns; so are timers that were due.
    func settle() {}

    func keys() -> [String] { kept?.rows.rows.map(\.key.string) ?? [] }
}

/// A gate for handlers that do not heed cancellation, as those of these tests.
final class UncancellableGate: Sendable {
    private let gate = HandlerGate()

    var begun: Int { gate.begun }

    /// Called by the handler.
    func pass() async { await gate.passHeedlessly() }

    /// Waits until a handler is at the gate.
    func arrival(_ count: Int = 1) async { await gate.arrival(count) }

    func open() { gate.open() }
}
