import KeyedLists
import Pulling
import WebSockets

/// What one list has for one loop: registers and a ring, not a queue.
///
/// The list's thread writes, the loop reads, and one wake-up is under way at most. However fast a list commits, the
/// loop finds the newest revision, the newest state, and as many recent frames as fit into a mebibyte; watchers who are
/// behind those ask for a fold. Deliveries answer single messages and are bounded by what clients may ask.
final class Relay: Sendable {
    /// What the loop takes in one look.
    struct Contents: Sendable {
        /// Answers and attachments, in the order in which the list gave them. To be performed before the rest.
        var deliveries: [Delivery] = []
        var ring = FrameRing()
        var states = ListStates()
        var progress: ProgressFrame?
    }

    let list: LiveList
    private let wake: @Sendable (Relay) -> Void
    private let state = Locked((contents: Contents(), isAwake: false))

    /// - Parameter wake: asks the loop to `take`. Called once until it does.
    init(list: LiveList, wake: @escaping @Sendable (Relay) -> Void) {
        self.list = list
        self.wake = wake
    }

    /// Says where the list is, before the first commit goes this way.
    func seed(revision: Revision) { change { $0.ring.seed(revision) } }
    func deliver(_ delivery: Delivery) { change { $0.deliveries.append(delivery) } }
    func publish(_ batch: FrameBatch) { change { $0.ring.append(batch) } }
    func publish(_ state: ListStateFrame) { change { $0.states.append(state) } }
    func publish(_ progress: ProgressFrame) { change { $0.progress = progress } }

    /// Empties the registers.
    func take() -> Contents {
        state.withLock { state in
            defer { state = (Contents(), false) }
            return state.contents
        }
    }

    private func change(_ body: (inout Contents) -> Void) {
        let wasAwake = state.withLock { state in
            body(&state.contents)
            defer { state.isAwake = true }
            return state.isAwake
        }
        if !wasAwake { wake(self) }
    }
}

/// The frames that bring a watcher from one revision to another. They are sent next to each other.
struct FrameBatch: Sendable {
    var from: Revision
    var revision: Revision
    var frames: [SharedFrame]
    /// The snapshot that these frames hold, if they do: it can be taken back.
    var snapshot: Snapshot?

    var byteCount: Int { frames.reduce(0) { $0 + $1.payloadLength } }
}

/// The newest patches of a list, each beginning where the one before it ends, up to a mebibyte.
struct FrameRing: Sendable {
    static let capacity = 1 << 20
    /// Whoever is further behind is better served by one fold than by so many frames.
    static let reach = 32

    private var batches: [FrameBatch] = []
    private var byteCount = 0
    /// The revision that the newest batch leads to; 0 before the first.
    private(set) var revision: Revision = 0

    /// Begins at a revision whose frames are not here.
    mutating func seed(_ revision: Revision) { self.revision = max(self.revision, revision) }

    mutating func append(_ batch: FrameBatch) {
        if batch.from != revision { removeAll() }
        batches.append(batch)
        byteCount += batch.byteCount
        revision = batch.revision
        trim()
    }

    mutating func append(_ other: FrameRing) {
        for batch in other.batches { append(batch) }
        revision = max(revision, other.revision)
    }

    /// The patch since `base`, if the ring still has it and it is not too far back.
    func batch(from base: Revision) -> FrameBatch? {
        guard let first = batches.first, base >= first.from, base < revision else { return nil }
        var low = 0
        var high = batches.count
        while low < high {
            let middle = (low + high) / 2
            if batches[middle].from < base { low = middle + 1 } else { high = middle }
        }
        guard low < batches.count, batches.count - low <= Self.reach else { return nil }
        return batches[low].from == base ? batches[low] : nil
    }

    private mutating func removeAll() {
        batches.removeAll()
        byteCount = 0
    }

    private mutating func trim() {
        var excess = 0
        while byteCount > Self.capacity, excess < batches.count {
            byteCount -= batches[excess].byteCount
            excess += 1
        }
        batches.removeFirst(excess)
    }
}

/// A list's state as it is sent to all who watch.
struct ListStateFrame: Sendable {
    /// Grows by one with each state of the list in this process.
    var serial: Int
    var frame: SharedFrame
    var phase: Pull.Phase
    /// The run under way.
    var run: RunID?
    /// The run under way, or else the last one.
    var heardRun: String?
    /// Rows up to here go before it, unless it says loading.
    var revision: Revision

    var isLoading: Bool { phase == .loading }
}

/// The newest state of a list, and the loading before it, which goes before its rows.
struct ListStates: Sendable {
    private(set) var loading: ListStateFrame?
    private(set) var newest: ListStateFrame?

    mutating func append(_ state: ListStateFrame) {
        if state.isLoading {
            loading = state
        } else if state.phase != .closing {
            loading = nil
        }
        newest = state
    }

    mutating func append(_ other: ListStates) {
        guard let state = other.newest else { return }
        if let loading = other.loading { append(loading) }
        if !state.isLoading { append(state) }
    }
}

/// How far a run is, as it is sent to all who watch.
struct ProgressFrame: Sendable {
    var serial: Int
    var run: RunID
    var frame: SharedFrame
}

/// Something a list has for one connection.
enum Delivery: Sendable {
    case attached(WatchStart)
    /// The list cannot be watched; a sentence for people says why.
    case failed(WatchID, messageID: String?, String)
    /// Nil: nothing is known of the gesture any more.
    case answered(RequestTicket, RefreshGate.Answer?)
    /// The patch since a base that the ring no longer had. A snapshot, where there is no such patch any more.
    case folded(base: Revision, FrameBatch)
}

/// Finds the watch again that an answer is for.
struct WatchID: Hashable, Sendable {
    var socket: UInt64
    /// Grows with each `watch` message of a connection, so that an answer to an earlier one is not taken for this one's.
    var serial: Int
}

/// Finds the message again that a request for a run is answered to.
struct RequestTicket: Hashable, Sendable {
    var socket: UInt64
    var messageID: String?
    /// The gesture that asked, if it was one.
    var gesture: Int?
}

/// The start of a watch: where it begins, and what it is sent first.
struct WatchStart: Sendable {
    var watch: WatchID
    /// The answer to the `watch` message.
    var ok: [UInt8]
    /// The rows that follow: a snapshot, a patch, both, or nothing.
    var rows: FrameBatch?
    /// Where the watcher is after those rows.
    var revision: Revision
}

/// An encoded snapshot, shared by all who join while it is not too old.
final class Snapshot: Sendable {
    let revision: Revision
    let frames: [SharedFrame]
    private let revoked = Locked(false)

    init(revision: Revision, frames: [SharedFrame]) {
        self.revision = revision
        self.frames = frames
    }

    /// Whether it was given up while somebody still read it: that reader is too slow.
    var isRevoked: Bool { revoked.withLock { $0 } }
    func revoke() { revoked.withLock { $0 = true } }
}
