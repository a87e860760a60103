import KeyedLists
import ListProtocol
import ListStorage
import Logging
import Synchronization
import WebSockets

@testable import RefreshableLists

/// A clock that tests advance.
final class ManualClock: ListClock {
    private let uptime = Locked<Int64>(0)
    let runsByItself = false

    var now: Moment { uptime.withLock { Moment(uptime: $0, date: 1_790_000_000_000 + $0) } }

    func advance(by duration: Duration) { uptime.withLock { $0 += duration.milliseconds } }
}

/// A list on a thread and a clock of its own, and one loop's view of it, without sockets.
final class Stage: Sendable {
    let clock = ManualClock()
    let thread: ListThread
    let list: LiveList
    private let relay: Locked<Relay?> = Locked(nil)
    private let seen = Locked(Relay.Contents())

    init(_ description: RefreshableList, store: any ListStore = MemoryStore()) {
        thread = ListThread(clock: clock)
        thread.start()
        list = LiveList(
            description, store: store, thread: thread, limits: Limits(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let relay = Relay { _ in }
        self.relay.withLock { $0 = relay }
    }

    deinit { thread.stop() }

    /// Watches the list once more.
    func watch(resuming resume: ClientMessage.Resume? = nil) async {
        let relay = relay.withLock { $0! }
        await list.attach(WatchID(socket: 1, serial: 1), messageID: "1", resume: resume, to: relay)
    }

    /// Asks for a digest, as a client does.
    func askForDigest() async {
        let relay = relay.withLock { $0! }
        await list.digest("d", for: 1, to: relay)
    }

    /// Everything that was told so far, newest registers last.
    func contents() async -> Relay.Contents {
        await list.settle()
        let relay = relay.withLock { $0! }
        let new = relay.take()
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
    func refresh() async -> FinishedRun? {
        await withCheckedContinuation { continuation in
            list.post { $0.refresh { continuation.resume(returning: $0) } }
        }
    }

    /// Lets time pass and timers run.
    func advance(by duration: Duration) async {
        clock.advance(by: duration)
        thread.lookAtTheClock()
        await list.settle()
    }

    var titles: [String] {
        get async { await list.keys() }
    }
}

extension LiveList {
    /// Everything posted before is done when this returns; so are timers that were due.
    func settle() {}

    func keys() -> [String] { kept?.rows.rows.map(\.key.string) ?? [] }
}

/// A handler that waits until the test lets it go on, and counts how often it began.
final class Gatekeeper: Sendable {
    private let state = Locked((begun: 0, isOpen: false, waiting: [CheckedContinuation<Void, Never>]()))
    private let arrivals = Locked<[CheckedContinuation<Void, Never>]>([])

    var begun: Int { state.withLock { $0.begun } }

    /// Called by the handler.
    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                state.begun += 1
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            for arrival in arrivals.withLock({ arrivals in
                defer { arrivals = [] }
                return arrivals
            }) { arrival.resume() }
            if isOpen { continuation.resume() }
        }
    }

    /// Waits until a handler is at the gate.
    func arrival(_ count: Int = 1) async {
        while begun < count {
            await withCheckedContinuation { continuation in
                let isThere = begun >= count
                if isThere { return continuation.resume() }
                arrivals.withLock { $0.append(continuation) }
                if begun >= count {
                    for arrival in arrivals.withLock({ arrivals in
                        defer { arrivals = [] }
                        return arrivals
                    }) { arrival.resume() }
                }
            }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isOpen = true
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
