import DequeModule
import ListProtocol
import Locking
import ServiceLifecycle
import WebSockets

/// The conversation with one client whose connection another server carries: ``RefreshableServer/session(openedBy:from:as:sending:ended:)``.
///
/// A client that takes its messages slowly is sent fewer and larger ones; of each list it watches, no more is kept for it than
/// where it is. One that takes none for 30 seconds, while others wait, is closed with 4101.
///
/// Whoever carries the connection owns the session; one that is no longer referred to goes on until the server ends it. From any
/// thread.
public final class EmbeddedSession: Sendable {
    /// What a client's connection is to be closed by (RFC 6455 §5.5.1).
    public struct CloseFrame: Error, Hashable {
        /// 4000…4299: what a client makes of it, as `Documentation/Protocol.md` has it.
        public var code: UInt16
        /// For people; at most 123 bytes of UTF-8.
        public var reason: String

        /// A frame of these parts. The reason is cut to what fits.
        public init(code: UInt16, reason: String = "") {
            self.code = code
            self.reason = reason
            while self.reason.utf8.count > 123 { self.reason.removeLast() }
        }
    }

    /// How long a client may take for what waits when the server has closed: as a port of ours gives it for its Close frame.
    private static let grace = Duration.seconds(3)
    /// Messages of a client that may wait to be received.
    private static let mostWaiting = 256

    private let handler: SessionHandler
    private let outbox = EmbeddedOutbox()
    private let waiting = Locked(0)
    private let stallLimit: Duration
    // On the loop alone.
    nonisolated(unsafe) private var socket: EmbeddedSocket?
    nonisolated(unsafe) private var stallTimer: LoopTimer?

    init(
        _ handshake: Handshake, as known: Visitor?, on handler: SessionHandler, stallLimit: Duration
    ) {
        self.handler = handler
        self.stallLimit = stallLimit
        handler.post { [self] loopSessions in open(handshake, as: known, among: loopSessions) }
    }

    private func open(_ handshake: Handshake, as known: Visitor?, among loopSessions: LoopSessions) {
        let socket = EmbeddedSocket(handshake: handshake, outbox: outbox) { [weak self] in
            self?.end($0)
        } whenBlocked: { [weak self] in
            self?.watchStall()
        }
        self.socket = socket
        loopSessions.opened(socket, at: handler, as: known)
        // Thousands of idle sessions need no headers.
        socket.handshake.headers = HTTPHeaders()
    }

    // MARK: What whoever has the connection says

    /// The client has sent a text message. Returns at once.
    ///
    /// While the client does not take what it is sent, nothing more is received from it: then messages wait here, 256 at most. With
    /// more of them the session ends (4101). A message above the limit in the `welcome`, 16 KiB, is answered with an error.
    public func receive(_ text: String) {
        let count = waiting.withLock { waiting in
            waiting += 1
            return waiting
        }
        guard count <= Self.mostWaiting else { return giveUp("The answers were read too slowly.") }
        receive(text) { [weak self] in self?.waiting.withLock { $0 -= 1 } }
    }

    /// The client is gone. Harmless twice, and after the server has ended the session.
    ///
    /// - Parameter isClean: Whether it said goodbye, by a Close frame: that withdraws it from the refreshes it asked for. One
    ///   whose connection was lost may take its session up again for ten minutes.
    public func close(isClean: Bool = true) {
        end(CloseStatus(code: isClean ? 1000 : 1006, wasClean: isClean, isFromPeer: isClean))
    }

    // MARK: The life of the connection

    /// Sends until the session has ended, and for a moment longer what still waits.
    ///
    /// - Parameter receiving: brings the client's messages; the session ends when it returns.
    /// - Returns: By what the connection is to be closed; nil: the client has left, or the task was cancelled.
    func carry(
        _ sending: @escaping @Sendable (String) async throws -> Void,
        receiving: (@Sendable () async -> Void)? = nil
    ) async -> CloseFrame? {
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await withTaskGroup { group in
                    group.addTask { [self] in await send(by: sending) }
                    group.addTask { [outbox] in await outbox.waitUntilCut(Self.grace) }
                    if let receiving { group.addTask { await receiving() } }
                    await group.next()
                    group.cancelAll()
                }
            } onGracefulShutdown: { [self] in
                dismiss()
            }
        } onCancel: {
            close(isClean: false)
        }
        return outbox.closeFrame
    }

    /// The service group that carries the connection shuts down.
    private func dismiss() {
        handler.post { [self] loopSessions in
            if let socket { loopSessions.sessions[socket.id]?.dismiss() }
        }
    }

    private func send(by sending: @escaping @Sendable (String) async throws -> Void) async {
        do {
            try await outbox.send(by: sending) { [handler] in
                handler.post { [self] loopSessions in becameWritable(loopSessions) }
            }
        } catch {
            // The connection is lost.
            close(isClean: false)
        }
    }

    /// Whether it waits for the client to take what it was sent.
    var isBlocked: Bool { outbox.isBlocked }

    /// As `receive`, and returns when it is received: so that a client that takes no answers is not heard, either.
    func received(_ text: String) async {
        await withCheckedContinuation { continuation in
            receive(text) { continuation.resume() }
        }
    }
}

// MARK: On the loop

extension EmbeddedSession {
    private func receive(_ text: String, whenReceived: @escaping @Sendable () -> Void) {
        handler.post { [self] loopSessions in
            guard let socket else { return whenReceived() }
            socket.held.append(.init(text: text, whenReceived: whenReceived))
            receiveHeld(loopSessions)
        }
    }

    private func receiveHeld(_ loopSessions: LoopSessions) {
        while let socket, socket.isWritable, var message = socket.held.popFirst() {
            if message.text.utf8.count > loopSessions.context.limits.clientFrame {
                loopSessions.received(.tooLarge, from: socket)
            } else {
                message.text.withUTF8 { loopSessions.received(.text(UnsafeRawBufferPointer($0)), from: socket) }
            }
            message.whenReceived()
        }
    }

    private func becameWritable(_ loopSessions: LoopSessions) {
        guard let socket else { return }
        loopSessions.becameWritable(socket)
        receiveHeld(loopSessions)
    }

    /// Gives up a client that takes nothing, as long as there is no room for more.
    private func watchStall() {
        guard stallTimer == nil else { return }
        stallTimer = handler.loop.schedule(after: stallLimit) { [weak self, taken = outbox.taken] in
            guard let self else { return }
            stallTimer = nil
            guard let socket, outbox.isBlocked else { return }
            guard taken == outbox.taken else { return watchStall() }
            socket.close(CloseCode.tooSlow.rawValue, "Nothing was read for too long.")
            outbox.cut()
        }
    }

    private func giveUp(_ reason: String) {
        handler.post { [self] _ in socket?.close(CloseCode.tooSlow.rawValue, reason) }
    }

    private func end(_ status: CloseStatus) {
        handler.post { [self] loopSessions in
            guard let socket else { return }
            self.socket = nil
            stallTimer?.cancel()
            stallTimer = nil
            outbox.close(nil)
            loopSessions.closed(socket, by: status)
            for message in socket.held { message.whenReceived() }
            socket.held = []
        }
    }
}
