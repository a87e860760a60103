import KeyedLists
import WebSockets

/// Something a list has for one connection.
enum Delivery: Sendable {
    case attached(WatchStart)
    /// The list cannot be watched; a sentence for people says why.
    case failed(WatchID, messageID: String?, String)
    /// The answer to a message, encoded.
    case replied(socket: UInt64, [UInt8])
    /// Nil: nothing is known of the gesture any more.
    case answered(RequestID, RefreshGate.Answer?)
    /// The patch since a base that the ring no longer had. A snapshot, where there is no such patch any more.
    case folded(base: Revision, FrameBatch)
    /// The list is another: what all who watch it are told, and what those are told who may only read it.
    case redescribed(SharedFrame, toReaders: SharedFrame)
    /// The list is not there any more, and nobody watches it.
    case removed
}
