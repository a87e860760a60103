import Synchronization
import WebSockets

/// What carries a session's messages, as the session needs it. On its loop alone.
protocol SessionSocket: AnyObject {
    /// Unique within its server, never used twice.
    var id: UInt64 { get }
    var handshake: Handshake { get }
    /// Whether `sendNow` may be called. Once it was false on an open one, `LoopSessions.becameWritable` follows.
    var isWritable: Bool { get }
    /// About as many bytes as the session keeps for it.
    var kept: Int { get set }
    /// The session.
    var context: AnyObject? { get set }
    /// Where a `Broadcast` finds it; nil: it is sent to by `sendNow` alone.
    var sendTarget: WebSocket.SendTarget? { get }

    /// Returns bytes handed over, the frame's header included.
    @discardableResult func sendNow(_ frame: SharedFrame) -> Int
    /// Says goodbye. `LoopSessions.closed` follows.
    func close(_ code: UInt16, _ reason: String)
}

extension WebSocket: SessionSocket {}

/// Carries a session's messages by two functions, for whoever has a connection of another kind.
final class EmbeddedSocket: SessionSocket {
    let id: UInt64
    let handshake: Handshake
    var kept = 0
    var context: AnyObject?
    let sendTarget: WebSocket.SendTarget? = nil
    private(set) var isWritable = true
    private let sending: @Sendable (String) -> Void
    private let ending: (UInt16, String) -> Void

    /// - Parameters:
    ///   - sending: Called with each message for the client.
    ///   - ending: Called once when the server closes, with code and reason.
    init(
        handshake: Handshake, sending: @escaping @Sendable (String) -> Void,
        ending: @escaping (UInt16, String) -> Void
    ) {
        // Sockets of the network are numbered from below.
        id = .max - Self.count.wrappingAdd(1, ordering: .relaxed).oldValue
        self.handshake = handshake
        self.sending = sending
        self.ending = ending
    }

    private static let count = Atomic<UInt64>(0)

    func sendNow(_ frame: SharedFrame) -> Int {
        sending(frame.text)
        return frame.payloadLength
    }

    func close(_ code: UInt16, _ reason: String) {
        guard isWritable else { return }
        isWritable = false
        ending(code, reason)
    }
}
