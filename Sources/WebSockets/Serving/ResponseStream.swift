import Locking

/// The body of an answer that is made while it is sent: between the task that makes it and the connection that sends it.
///
/// ```
/// task ── write ──▶ queue ──▶ connection          write returns when the connection has room again
/// task ── finish ─▶   │                           the last chunk
///          cancelled ◀┴── the peer has left
/// ```
/// `write` and `finish` from any task; all else on the loop's thread. A write that was begun is sent, also if its task is
/// cancelled while it waits.
final class ResponseStream: @unchecked Sendable {
    private enum Phase {
        /// The answer's head is not sent yet.
        case waiting
        case sending(any StreamedConnection)
        case over
    }

    private struct Write {
        var id: UInt64
        /// Empty: the end.
        var bytes: [UInt8]
        var continuation: CheckedContinuation<Void, any Error>?
    }

    private let loop: ServiceLoop
    private var phase = Phase.waiting
    private var queue = Queue<Write>()
    /// What is handed over, and not taken by the peer.
    private var current: Write?
    private let lastID = Locked<UInt64>(0)
    private let cancellation = Locked<(@Sendable () -> Void)?>(nil)

    init(loop: ServiceLoop) { self.loop = loop }

    /// Calls `body` when the peer has left, or the server ends.
    func whenUnwanted(_ body: @escaping @Sendable () -> Void) { cancellation.withLock { $0 = body } }

    func write(_ bytes: [UInt8]) async throws {
        try Task.checkCancellation()
        // An empty chunk would be the last.
        guard !bytes.isEmpty else { return }
        let id = nextID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                // As in `MessageChannel`: the mark of the task is read under the lock that its handler takes.
                let isCancelled = lastID.withLock { _ in
                    if Task.isCancelled { return true }
                    loop.post { [self] in put(Write(id: id, bytes: bytes, continuation: continuation)) }
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            lastID.withLock { _ in loop.post { [self] in giveUp(id) } }
        }
    }

    private func nextID() -> UInt64 {
        lastID.withLock { last in
            last += 1
            return last
        }
    }

    /// Nothing more follows.
    func finish() { loop.post { [self] in put(Write(id: 0, bytes: [], continuation: nil)) } }

    /// The answer went nowhere. From any thread.
    func unsent() { loop.post { [self] in end() } }

    /// Something is missing: the connection ends.
    func abort() {
        loop.post { [self] in
            if case .sending(let connection) = phase { connection.cut() }
            end()
        }
    }

    // MARK: The loop's side

    /// Whether all is handed over.
    var isOver: Bool { if case .over = phase { true } else { false } }

    /// The head is sent.
    func begin(on connection: any StreamedConnection) {
        guard case .waiting = phase else { return }
        phase = .sending(connection)
        proceed()
    }

    /// The connection has room.
    func proceed() {
        guard case .sending(let connection) = phase else { return }
        while connection.isDrained {
            current?.continuation?.resume()
            current = queue.popFirst()
            guard let write = current else { return connection.streamRests() }
            guard !write.bytes.isEmpty else {
                phase = .over
                current = nil
                return connection.streamEnded()
            }
            connection.sendChunk(write.bytes)
        }
        connection.streamWaits()
    }

    /// Nobody wants what follows, but what is sent may be ended in order.
    func stop() { cancellation.withLock { $0 }?() }

    /// The connection has ended, or there was none.
    func end() {
        if case .over = phase { return }
        phase = .over
        let writes = [current].compactMap(\.self) + queue.drain()
        current = nil
        for write in writes { write.continuation?.resume(throwing: SocketError.closed) }
        stop()
    }

    private func put(_ write: Write) {
        if case .over = phase {
            write.continuation?.resume(throwing: SocketError.closed)
            return
        }
        queue.append(write)
        if current == nil { proceed() }
    }

    private func giveUp(_ id: UInt64) {
        if current?.id == id {
            current?.continuation?.resume(throwing: CancellationError())
            current?.continuation = nil
        } else if let write = queue.remove(where: { $0.id == id }) {
            write.continuation?.resume(throwing: CancellationError())
        }
    }
}

extension ResponseStream: Hashable {
    /// One equals itself alone.
    static func == (one: ResponseStream, other: ResponseStream) -> Bool { one === other }

    /// Compared by identity, not by content.
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A connection whose answer is streamed.
protocol StreamedConnection: AnyObject {
    /// Whether all that was written was taken.
    var isDrained: Bool { get }
    /// Writes a part of the body; not empty.
    func sendChunk(_ bytes: [UInt8])
    /// There is nothing to send now.
    func streamRests()
    /// The peer does not take what is sent.
    func streamWaits()
    /// The body is whole.
    func streamEnded()
    func cut()
}
