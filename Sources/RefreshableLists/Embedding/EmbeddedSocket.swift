import DequeModule
import ListProtocol
import Locking
import Synchronization
import WebSockets

/// Carries a session's messages for whoever has the connection. On its loop alone.
///
///     Session ──sendNow──▶ EmbeddedOutbox, 64 KiB ──▶ sending
///             ◀─becameWritable── half of it is taken ──┘
///     Session ◀── received ── messages held while the outbox is full ◀── receive
final class EmbeddedSocket: SessionSocket {
    /// A message that waits until the client has taken what it was sent before.
    struct Held {
        var text: String
        /// Tells whoever has brought it.
        var whenReceived: @Sendable () -> Void
    }

    let id: UInt64
    var handshake: Handshake
    var kept = 0
    var context: AnyObject?
    let sendTarget: WebSocket.SendTarget? = nil
    var held: Deque<Held> = []
    private let outbox: EmbeddedOutbox
    private let whenClosed: (CloseStatus) -> Void
    private let whenBlocked: () -> Void
    private var isOpen = true

    /// - Parameters:
    ///   - whenClosed: Called once when the server closes.
    ///   - whenBlocked: Called when the outbox is found full.
    init(
        handshake: Handshake, outbox: EmbeddedOutbox, whenClosed: @escaping (CloseStatus) -> Void,
        whenBlocked: @escaping () -> Void
    ) {
        // Sockets of the network are numbered from below.
        id = .max - Self.count.wrappingAdd(1, ordering: .relaxed).oldValue
        self.handshake = handshake
        self.outbox = outbox
        self.whenClosed = whenClosed
        self.whenBlocked = whenBlocked
    }

    private static let count = Atomic<UInt64>(0)

    var isWritable: Bool {
        guard isOpen else { return false }
        switch outbox.room {
        case .some: return true
        case .none(let isNew):
            if isNew { whenBlocked() }
            return false
        }
    }

    func sendNow(_ frame: SharedFrame) -> Int {
        outbox.put(frame)
        return frame.payloadLength
    }

    func close(_ code: UInt16, _ reason: String) {
        guard isOpen else { return }
        isOpen = false
        outbox.close(EmbeddedSession.CloseFrame(code: code, reason: reason))
        whenClosed(CloseStatus(code: code, reason: reason, wasClean: false))
    }
}

/// Messages that wait to be sent: as many as 64 KiB, and one more. The session makes no others before these are taken, so
/// that a slow client costs no more. From any thread.
final class EmbeddedOutbox: Sendable {
    enum Room {
        case some
        /// - Parameter isNew: whether there was some when it was last asked.
        case none(isNew: Bool)
    }

    private struct State {
        var bytes = 0
        var taken = 0
        var isBlocked = false
        var isClosed = false
        var closeFrame: EmbeddedSession.CloseFrame?
    }

    private static let limit = 64 * 1024
    private let state = Locked(State())
    private let frames: AsyncStream<SharedFrame>
    private let frame: AsyncStream<SharedFrame>.Continuation
    private let closing: AsyncStream<Never>
    private let close: AsyncStream<Never>.Continuation
    private let stalling: AsyncStream<Never>
    private let stall: AsyncStream<Never>.Continuation

    init() {
        (frames, frame) = AsyncStream.makeStream()
        (closing, close) = AsyncStream.makeStream()
        (stalling, stall) = AsyncStream.makeStream()
    }

    // MARK: The session's side

    var room: Room {
        state.withLock { state in
            guard state.bytes >= Self.limit else { return .some }
            defer { state.isBlocked = true }
            return .none(isNew: !state.isBlocked)
        }
    }

    /// Whether the session waits for room.
    var isBlocked: Bool { state.withLock { $0.isBlocked } }

    /// How many messages were taken so far.
    var taken: Int { state.withLock { $0.taken } }

    func put(_ message: SharedFrame) {
        state.withLock { $0.bytes += message.payloadLength }
        frame.yield(message)
    }

    /// Nothing follows what waits. Only the first call counts.
    ///
    /// - Parameter closeFrame: nil where the client has left.
    func close(_ closeFrame: EmbeddedSession.CloseFrame?) {
        // First, as whoever sends looks for it when all is sent.
        state.withLock { state in
            if !state.isClosed { state.closeFrame = closeFrame }
            state.isClosed = true
        }
        frame.finish()
        close.finish()
    }

    /// What waits is not waited for any longer.
    func cut() { stall.finish() }

    // MARK: The connection's side

    /// By what the server has closed; nil: the client has left.
    var closeFrame: EmbeddedSession.CloseFrame? { state.withLock { $0.closeFrame } }

    /// Sends one message after the other, until all are sent and the outbox is closed.
    ///
    /// - Parameter whenRoom: called when a session that found no room may go on.
    func send(by sending: (String) async throws -> Void, whenRoom: () -> Void) async throws {
        for await frame in frames {
            try await sending(frame.text)
            let isRoom = state.withLock { state in
                state.bytes -= frame.payloadLength
                state.taken += 1
                guard state.isBlocked, state.bytes <= Self.limit / 2 else { return false }
                state.isBlocked = false
                return true
            }
            if isRoom { whenRoom() }
        }
    }

    /// Returns when it is cut, or so long after it was closed.
    func waitUntilCut(_ grace: Duration) async {
        await withTaskGroup { group in
            group.addTask { [stalling] in for await _ in stalling {} }
            group.addTask { [closing] in
                for await _ in closing {}
                // Cancelled: what waited is sent.
                do { try await Task.sleep(for: grace) } catch { return }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
