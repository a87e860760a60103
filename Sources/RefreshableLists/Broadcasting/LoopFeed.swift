import KeyedLists
import ListProtocol
import Locking
import WebSockets

/// Carries what one list, or one window of it, has for one loop: registers and a ring, not a queue. Answers come by that of the
/// whole list, so that they keep their order.
///
/// The list's thread writes, the loop reads, and one wake-up is under way at most. However fast a list commits, the
/// loop finds the newest revision, the newest state, and a few recent patches (``FrameRing``); watchers who are behind
/// those ask for a fold. Deliveries answer single messages and are bounded by what clients may ask.
final class LoopFeed: Sendable {
    /// What the loop takes in one look.
    struct Contents: Sendable {
        /// Answers and attachments, in the order in which the list gave them. To be performed before the rest.
        var deliveries: [Delivery] = []
        var ring: FrameRing
        var states = ListStates()
        var progress: ProgressFrame?

        init(ring: FrameRing = FrameRing()) { self.ring = ring }

        /// Whether there is something for all who watch.
        var isNews: Bool { !ring.isEmpty || states.newest != nil || progress != nil }
    }

    private let wake: @Sendable (LoopFeed) -> Void
    /// The loop's feed of the whole list, where this is of a window.
    let main: LoopFeed?
    private let ring: FrameRing
    private let state: Locked<(contents: Contents, isAwake: Bool)>
    private let end = Locked(false)

    /// The feed of the whole list for a loop.
    ///
    /// - Parameter wake: asks the loop to `take`. Called once until it does.
    convenience init(wake: @escaping @Sendable (LoopFeed) -> Void) {
        self.init(main: nil, ring: FrameRing(), wake: wake)
    }

    /// A feed of a window for the loop of another feed.
    convenience init(besides feed: LoopFeed) {
        self.init(main: feed.main ?? feed, ring: .ofWindow, wake: feed.wake)
    }

    private init(main: LoopFeed?, ring: FrameRing, wake: @escaping @Sendable (LoopFeed) -> Void) {
        self.main = main
        self.ring = ring
        self.wake = wake
        state = Locked((Contents(ring: ring), false))
    }

    /// Whether nobody looks at the window by this feed any more.
    var isOver: Bool { end.withLock(\.self) }

    /// What a loop begins with that has taken nothing from it yet.
    var beginning: FeedState { FeedState(ring: ring) }

    /// Says where the list is, before the first commit goes this way.
    func seed(revision: Revision) { change { $0.ring.seed(revision) } }
    func deliver(_ delivery: Delivery) { change { $0.deliveries.append(delivery) } }
    /// Nobody looks at the window by this feed any more: the loop forgets it.
    func finish() {
        end.withLock { $0 = true }
        deliver(.over)
    }

    func publish(_ batch: FrameBatch) { change { $0.ring.append(batch) } }
    func publish(_ state: ListStateFrame) { change { $0.states.append(state) } }
    func publish(_ progress: ProgressFrame) { change { $0.progress = progress } }

    /// Empties the registers.
    func take() -> Contents {
        state.withLock { state in
            defer { state = (Contents(ring: ring), false) }
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
    case failed(WatchID, messageID: String?, ErrorCode, String)
    /// The window cannot be looked at; the watch stays what it is.
    case unmoved(WatchID, look: Int, messageID: String?, ErrorCode, String)
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
    /// A watch that had begun is over; the sentence says why.
    case unwatched(WatchID, ErrorCode, String)
    /// The list was removed, and its watches have ended.
    case removed
    /// Nobody looks at the window by this feed any more, and no feed follows it.
    case over
}

/// The start of a watch: where it begins, and what it is sent first.
struct WatchStart: Sendable {
    var watch: WatchID
    /// Of the `watch` or `look` message, which gets one answer.
    var messageID: String?
    /// The number of the `look` that it follows; nil: of none.
    var look: Int?
    /// The answer to the message; nil where none is wanted.
    var ok: [UInt8]?
    /// The rows that follow: a snapshot, a patch, both, or nothing.
    var rows: FrameBatch?
    /// Where the watcher is after those rows.
    var revision: Revision
    /// By which it is told of what follows, where it looks at a window; nil: by the feed that brings this.
    var feed: LoopFeed?
    /// The newest state of the list, which it is yet to be told of unless it was.
    var state = 0
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
