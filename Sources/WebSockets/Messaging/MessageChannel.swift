import Locking

/// What tasks exchange with one socket: messages that came, frames that go, and what is waited for. From any thread.
///
/// ```
/// task ── send ──▶ outbox ──▶ ┐             ┌ ──▶ network
/// task ◀── next ── inbox  ◀── ┤ the loop's  ├ ◀── network
/// task ◀── ping ── pings  ◀── ┤ thread      │
/// task ◀── close ─ status ◀── ┘             └
/// ```
/// Each continuation is taken out of the state under its lock, by whoever resumes it: so it is resumed exactly once, whatever
/// message, end and cancellation meet. A cancelled task is marked before its cancellation handler runs; so a task that finds
/// itself not cancelled under the lock, and registers there, is found by that handler.
package final class MessageChannel: Sendable {
    typealias MessageInbox = Inbox<WebSocket.Message, CheckedContinuation<WebSocket.Message?, Never>>
    typealias FrameOutbox = Outbox<CheckedContinuation<Void, any Error>>

    struct State {
        var inbox: MessageInbox
        var outbox: FrameOutbox
        var pings: [Ping] = []
        var closers: [(id: UInt64, continuation: CheckedContinuation<CloseStatus, any Error>)] = []
        /// How it ended; nil: it has not.
        var status: CloseStatus?
        var memberships: [Membership] = []
        private var lastID: UInt64 = 0

        init(limits: Limits) {
            inbox = MessageInbox(limits: limits.inbox)
            outbox = FrameOutbox(limit: limits.outbox)
        }

        /// A number for somebody who waits.
        mutating func nextID() -> UInt64 {
            lastID += 1
            return lastID
        }
    }

    /// That it is in a group.
    struct Membership {
        let group: SocketGroup
        /// The number of the group's newest frame when it joined.
        let since: UInt64
    }

    /// A ping whose pong is waited for.
    struct Ping {
        let id: UInt64
        let began: ContinuousClock.Instant
        let continuation: CheckedContinuation<Duration, any Error>
    }

    struct Limits {
        var inbox: MessageInbox.Limits
        /// Bytes.
        var outbox: Int
    }

    let state: Locked<State>
    let request: ServerRequest
    let subprotocol: String?

    init(limits: Limits, request: ServerRequest, subprotocol: String?) {
        state = Locked(State(limits: limits))
        self.request = request
        self.subprotocol = subprotocol
    }
}

extension WebSocket {
    /// Whether a sender waits for room in the queue.
    package var isHeldUp: Bool { channel?.state.withLock { $0.outbox.hasWaiting } ?? false }
}

// MARK: The loop's side

extension WebSocket {
    /// A message came. On the loop's thread.
    func deliver(_ message: Message, size: Int) {
        guard let channel else { return }
        switch channel.state.withLock({ $0.inbox.add(message, size: size) }) {
        case .handOver(let reader): reader.resume(returning: message)
        case .keep(let isFull):
            if isFull { pauseReading() }
            noteQueued()
        case .drop: break
        }
    }

    /// Sends what waits, as far as the peer takes it. On the loop's thread.
    func flush() {
        guard let channel else { return }
        for _ in 0..<Self.framesAtATime {
            // `becameWritable` or `closed` follows.
            guard isWritable else { return noteQueued() }
            let (step, released) = channel.state.withLock { $0.outbox.next() }
            for sender in released { sender.resume() }
            switch step {
            case .send(let frame): sendNow(frame)
            case .close(let code, let reason): return close(code, reason)
            case .rest: return noteQueued()
            }
        }
        // Others are not to wait for a task that sends as fast as its peer reads.
        loop.post { [self] in flush() }
    }

    /// A pong came; those to earlier pings may be missing (RFC 6455 §5.5.3). On the loop's thread.
    func ponged(_ payload: UnsafeRawBufferPointer) {
        guard let channel, payload.count == 8 else { return }
        let id = UInt64(bigEndian: payload.loadUnaligned(as: UInt64.self))
        let now = ContinuousClock.now
        let answered = channel.state.withLock { state in
            guard let last = state.pings.lastIndex(where: { $0.id == id }) else { return [] as [MessageChannel.Ping] }
            defer { state.pings.removeSubrange(...last) }
            return Array(state.pings[...last])
        }
        for ping in answered { ping.continuation.resume(returning: ping.began.duration(to: now)) }
    }

    /// The socket has ended: everybody who waits hears of it. On the loop's thread.
    func channelEnded(by status: CloseStatus) {
        guard let channel else { return }
        let (readers, senders, pings, closers, memberships) = channel.state.withLock { state in
            state.status = status
            defer { (state.pings, state.closers, state.memberships) = ([], [], []) }
            return (state.inbox.end(), state.outbox.end(), state.pings, state.closers, state.memberships)
        }
        for membership in memberships { membership.group.leave(self) }
        for reader in readers { reader.resume(returning: nil) }
        for sender in senders { sender.resume(throwing: SocketError.closed) }
        for ping in pings { ping.continuation.resume(throwing: SocketError.closed) }
        for closer in closers { closer.continuation.resume(returning: status) }
    }

    /// Begins to close it, after what waits to be sent. From any thread; harmless twice, and after the end.
    func requestClose(_ code: UInt16, _ reason: String = "") {
        guard let channel else { return }
        let (wakes, refused) = channel.state.withLock { $0.outbox.close(code, reason) }
        for sender in refused { sender.resume(throwing: SocketError.closed) }
        if wakes { loop.post { [self] in flush() } }
    }

    /// What waits counts as kept for this socket.
    private func noteQueued() {
        guard let channel else { return }
        let bytes = channel.state.withLock { $0.inbox.bytes + $0.outbox.bytes }
        if bytes != kept { kept = bytes }
    }

    private static let framesAtATime = 64
}
