import Locking

extension WebSocket {
    /// A whole message, put together from however many frames it came in.
    public enum Message: Hashable, Sendable {
        /// Valid UTF-8: others close the socket with 1007.
        case text(String)
        /// Any bytes.
        case binary([UInt8])
    }
}

// MARK: Receiving

/// The messages that come, in order. They end when the socket has ended, however it did: `closeStatus` says how. They also
/// end for a task that is cancelled.
///
/// Who does not take them holds the peer up: once `WebSocketServer.Configuration.receiveLimit` is reached, nothing more is
/// read from the network, pongs and the peer's end included. Several tasks may take messages; each one goes to one of them.
extension WebSocket: AsyncSequence {
    /// One message.
    public typealias Element = Message
    /// They end, and never fail.
    public typealias Failure = Never

    /// Takes the messages of a socket.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let socket: WebSocket

        /// The next message, once there is one; nil: there will be none.
        public mutating func next() async -> Message? { await socket.receive() }

        /// As `next()`.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Message? { await socket.receive() }
    }

    /// Begins to take messages, with the oldest that nobody has taken.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(socket: self) }

    /// The next message, once there is one. Nil: the socket has ended, or this task was cancelled.
    public func receive() async -> Message? {
        guard let channel else { return nil }
        switch channel.state.withLock({ $0.inbox.take() }) {
        case .message(let message, let resumes): return taken(message, resumes)
        case .end: return nil
        case .wait: return await waitForMessage(channel)
        }
    }

    private func taken(_ message: Message, _ resumes: Bool) -> Message {
        if resumes { loop.post { [self] in resumeReading() } }
        return message
    }

    private func waitForMessage(_ channel: MessageChannel) async -> Message? {
        let id = channel.state.withLock { $0.nextID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let next: MessageChannel.MessageInbox.Next = channel.state.withLock { state in
                    guard !Task.isCancelled else { return .end }
                    let next = state.inbox.take()
                    if case .wait = next { state.inbox.wait(continuation, id: id) }
                    return next
                }
                switch next {
                case .message(let message, let resumes): continuation.resume(returning: taken(message, resumes))
                case .end: continuation.resume(returning: nil)
                case .wait: break
                }
            }
        } onCancel: {
            channel.state.withLock { $0.inbox.withdraw(id) }?.resume(returning: nil)
        }
    }
}

// MARK: Sending

extension WebSocket {
    /// Sends a text message. As `send(_: Message)`.
    public func send(_ text: String) async throws { try await enqueue(SharedFrame(text: text)) }

    /// Sends a binary message. As `send(_: Message)`.
    public func send(_ bytes: [UInt8]) async throws { try await enqueue(SharedFrame(binary: bytes)) }

    /// Sends a message, after those that this task sent before.
    ///
    /// It returns once the message is in the socket's queue. While `WebSocketServer.Configuration.sendLimit` bytes wait there,
    /// it suspends: so a peer that reads slowly slows its sender down, and memory stays flat. A peer that takes nothing for
    /// `stallLimit` is closed with 4101, and who waits hears of it.
    ///
    /// - Throws: `SocketError.closed` on a socket that is closing or closed: the message is not sent. `CancellationError` where
    ///   this task is cancelled while it waits for room: the message is not sent, either.
    public func send(_ message: Message) async throws {
        switch message {
        case .text(let text): try await send(text)
        case .binary(let bytes): try await send(bytes)
        }
    }

    /// Sends a message that was made once for many sockets. As `send(_: Message)`.
    public func send(_ frame: SharedFrame) async throws { try await enqueue(frame) }

    private func enqueue(_ frame: SharedFrame) async throws {
        guard let channel else { throw SocketError.closed }
        switch channel.state.withLock({ $0.outbox.offer(frame) }) {
        case .queued(let wakes): if wakes { loop.post { [self] in flush() } }
        case .closed: throw SocketError.closed
        case .full: try await waitForRoom(channel, frame)
        }
    }

    private func waitForRoom(_ channel: MessageChannel, _ frame: SharedFrame) async throws {
        let id = channel.state.withLock { $0.nextID() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                // nil: the task is cancelled.
                let offer: MessageChannel.FrameOutbox.Offer? = channel.state.withLock { state in
                    guard !Task.isCancelled else { return nil }
                    let offer = state.outbox.offer(frame)
                    if case .full = offer { state.outbox.wait(continuation, with: frame, id: id) }
                    return offer
                }
                switch offer {
                case .queued(let wakes):
                    if wakes { loop.post { [self] in flush() } }
                    continuation.resume()
                case .full: break
                case .closed: continuation.resume(throwing: SocketError.closed)
                case nil: continuation.resume(throwing: CancellationError())
                }
            }
        } onCancel: {
            channel.state.withLock { $0.outbox.withdraw(id) }?.resume(throwing: CancellationError())
        }
    }
}

// MARK: Ping and close

extension WebSocket {
    /// Asks whether the peer is there, before all messages that wait. Returns when its pong has come: the round trip.
    ///
    /// A pong is found only while messages are taken, as it stands between them. To end what does not answer is the heartbeat's
    /// work, which needs no call.
    ///
    /// - Throws: `SocketError.closed` where the socket ends before; `CancellationError`.
    @discardableResult public func ping() async throws -> Duration {
        guard let channel else { throw SocketError.closed }
        let id = channel.state.withLock { $0.nextID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let ping = MessageChannel.Ping(id: id, began: .now, continuation: continuation)
                let frame = SharedFrame(opcode: .ping, payload: withUnsafeBytes(of: id.bigEndian) { Array($0) })
                let offer: MessageChannel.FrameOutbox.Offer? = channel.state.withLock { state in
                    guard !Task.isCancelled else { return nil }
                    let offer = state.outbox.offerControl(frame)
                    if case .queued = offer { state.pings.append(ping) }
                    return offer
                }
                switch offer {
                case .queued(let wakes): if wakes { loop.post { [self] in flush() } }
                case .closed, .full: continuation.resume(throwing: SocketError.closed)
                case nil: continuation.resume(throwing: CancellationError())
                }
            }
        } onCancel: {
            let ping = channel.state.withLock { state in
                state.pings.firstIndex { $0.id == id }.map { state.pings.remove(at: $0) }
            }
            ping?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Closes the socket: sends what waits, then a Close frame, and returns when the peer has answered it, or has not within
    /// three seconds. Nothing more can be sent from now on; messages that come until the end are dropped.
    ///
    /// Where the socket is closing or closed already, that end is waited for and returned.
    ///
    /// - Parameters:
    ///   - code: 1000, or 3000…4999 (RFC 6455 §7.4.2).
    ///   - reason: at most 123 bytes of UTF-8.
    /// - Returns: how it ended. `wasClean` is true where both sides have sent a Close frame.
    /// - Throws: `SocketError.badClose` for another code or a longer reason, and nothing is done. `CancellationError`: the
    ///   socket closes all the same.
    @discardableResult public func close(code: UInt16 = 1000, reason: String = "") async throws -> CloseStatus {
        guard code == 1000 || (3000...4999).contains(code) else {
            throw SocketError.badClose(
                reason: "the code \(code) is not for programs. Use 1000, or one from 3000 to 4999.")
        }
        guard reason.utf8.count <= 123 else {
            throw SocketError.badClose(
                reason: "the reason has \(reason.utf8.count) bytes of UTF-8. Shorten it to 123 (RFC 6455 §5.5).")
        }
        requestClose(code, reason)
        return try await end()
    }

    /// How the socket ended; nil: it has not.
    public var closeStatus: CloseStatus? { channel?.state.withLock { $0.status } }

    /// Waits for the socket's end, however it comes.
    ///
    /// - Returns: how it ended.
    /// - Throws: `CancellationError`.
    func end() async throws -> CloseStatus {
        guard let channel else { throw SocketError.closed }
        let id = channel.state.withLock { $0.nextID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<CloseStatus, any Error>? = channel.state.withLock { state in
                    if let status = state.status { return .success(status) }
                    if Task.isCancelled { return .failure(CancellationError()) }
                    state.closers.append((id, continuation))
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let closer = channel.state.withLock { state in
                state.closers.firstIndex { $0.id == id }.map { state.closers.remove(at: $0) }
            }
            closer?.continuation.resume(throwing: CancellationError())
        }
    }
}

// MARK: What it was opened by

extension WebSocket {
    /// The request that opened it. Of a client, the one that it sent.
    public var request: ServerRequest { channel?.request ?? ServerRequest(handshake) }

    /// The subprotocol that both sides agreed on; nil: none.
    public var subprotocol: String? { channel?.subprotocol }

    /// The peer's address, such as `127.0.0.1`; behind a trusted proxy, as the proxy reports it.
    public var remoteAddress: String { request.remoteAddress }
}
