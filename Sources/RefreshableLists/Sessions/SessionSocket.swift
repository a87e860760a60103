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
