import KeyedLists
import Locking
import WebSockets

/// Carries what one list has for one loop: registers and a ring, not a queue.
///
/// The list's thread writes, the loop reads, and one wake-up is under way at most. However fast a list commits, the
/// loop finds the newest revision, the newest state, and a few recent patches (``FrameRing``); watchers who are behind
/// those ask for a fold. Deliveries answer single messages and are bounded by what clients may ask.
final class LoopFeed: Sendable {
    /// What the loop takes in one look.
    struct Contents: Sendable {
        /// Answers and attachments, in the order in which the list gave them. To be performed before the rest.
        var deliveries: [Delivery] = []
        var ring = FrameRing()
        var states = ListStates()
        var progress: ProgressFrame?

        /// Whether there is something for all who watch.
        var isNews: Bool { !ring.isEmpty || states.newest != nil || progress != nil }
    }

    private let wake: @Sendable (LoopFeed) -> Void
    private let state = Locked((contents: Contents(), isAwake: false))

    /// - Parameter wake: asks the loop to `take`. Called once until it does.
    init(wake: @escaping @Sendable (LoopFeed) -> Void) {
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

/// A message from a list to one connection or loop.
enum Delivery: Sendable {
    case attached(WatchStart)
    /// The list cannot be watched; the sentence says why.
    case failed(WatchID, messageID: String?, String)
    /// The answer to a message, encoded.
    case replied(socket: UInt64, [UInt8])
    /// Nil: nothing is known of the gesture any more.
    case answered(RequestID, RefreshGate.Answer?)
    /// The patch since a base that the ring no longer had. A snapshot, where there is no such patch any more.
    case folded(base: Revision, FrameBatch)
    /// The list's settings changed: the descriptions for its watchers, by what they may do.
    case redescribed([WatchRights: SharedFrame])
    /// What the person who watches has not seen.
    case unread(WatchID, SharedFrame)
    /// The list was removed, and its watches have ended.
    case removed
}

/// The start of a watch: where it begins, and what it is sent first.
struct WatchStart: Sendable {
    var watch: WatchID
    /// Of the `watch` message, which gets one answer.
    var messageID: String?
    /// The answer to the `watch` message.
    var ok: [UInt8]
    /// The rows that follow: a snapshot, a patch, both, or nothing.
    var rows: FrameBatch?
    /// Where the watcher is after those rows.
    var revision: Revision
}

/// Finds the watch again that an answer is for.
struct WatchID: Hashable, Sendable {
    var socket: UInt64
    /// Grows with each `watch` message of a connection, so that an answer to an earlier one is not taken for this one's.
    var serial: Int
}

/// Finds the message again that a request for a run is answered to.
struct RequestID: Hashable, Sendable {
    var socket: UInt64
    var messageID: String?
    /// The gesture that asked, if it was one.
    var gesture: Int?
}
