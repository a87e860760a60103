public import HTTPTypes
import Locking

/// Connects to WebSocket servers.
///
/// ```swift
/// let socket = try await WebSocketClient.connect(to: "wss://echo.example.org/")
/// try await socket.send("hello")
/// print(await socket.receive() ?? "closed")
/// try await socket.close()
/// ```
/// All clients of a process share one thread, which moves bytes; what is done with messages runs in the tasks that do it.
public enum WebSocketClient {
    /// What a client offers, and its limits.
    public struct Configuration: Sendable {
        /// More fields of the handshake, such as `Authorization` or `Origin`.
        public var headerFields: HTTPFields = [:]
        /// Subprotocols offered, the most wanted first. The server chooses one, or none: `WebSocket.subprotocol`.
        public var subprotocols: [String] = []
        /// Which servers are believed, with `wss`.
        public var trust = ServerTrust()
        /// Whether `permessage-deflate` is offered: messages of 512 bytes and more go compressed then, both ways.
        public var compresses = true
        /// Bytes of a whole message, decompressed; more closes the socket with 1009.
        public var messageLimit = 1024 * 1024
        /// Bytes of frames that wait to be sent; then `send` suspends.
        public var sendLimit = 256 * 1024
        /// Messages and bytes that wait to be taken; then nothing more is read.
        public var receiveLimit = (messages: 64, bytes: 256 * 1024)
        /// For name, connection, TLS and handshake together.
        public var connectTimeout: Duration = .seconds(10)
        /// Between two pings.
        public var heartbeat: Duration = .seconds(25)
        /// For the pong; then 4102. Shorter than `heartbeat`.
        public var pongTimeout: Duration = .seconds(8)
        /// How long the server may take not one byte of what is sent; then 4101.
        public var stallLimit: Duration = .seconds(30)

        /// The defaults.
        public init() {}

        var waits: ConnectionTimeouts.Limits {
            ConnectionTimeouts.Limits(
                head: connectTimeout, exchange: connectTimeout, kept: connectTimeout, beat: heartbeat,
                pong: pongTimeout,
                stall: stallLimit, look: .seconds(1))
        }

        func check() throws(SocketError) {
            let isRight =
                pongTimeout < heartbeat && messageLimit > 0 && sendLimit > 0 && receiveLimit.messages > 0
                && receiveLimit.bytes > 0 && subprotocols.allSatisfy(\.isToken)
            guard isRight else {
                throw .badConfiguration(
                    reason:
                        "limits must be at least 1, the pongTimeout shorter than the heartbeat, and subprotocols tokens"
                )
            }
        }
    }

    /// Connects, and returns once messages can be sent. Close the socket when it is done with: it stays open until then, even if
    /// nobody holds it.
    ///
    /// - Parameters:
    ///   - url: such as `ws://localhost:8080/chat` or `wss://example.org/chat?room=1`.
    ///   - configuration: what is offered, whom it trusts, and its limits.
    /// - Throws: `SocketError` where there is no connection, with the reason. `CancellationError`: it is given up.
    public static func connect(
        to url: String, configuration: Configuration = Configuration()
    ) async throws -> WebSocket {
        try configuration.check()
        let parts = try ClientURL(url, scheme: "ws")
        if parts.isSecure { try configuration.trust.check() }
        let loop = try ServiceLoop.shared()
        let owner = SocketClient(configuration)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard owner.opening.wait(continuation) else { return }
                loop.post { owner.connect(parts, on: loop) }
            }
        } onCancel: {
            owner.cancel(on: loop)
        }
    }

    /// Connects, and closes the socket when `body` has ended: with 1000 where it returned, with 1001 where it threw.
    ///
    /// - Returns: what `body` returns.
    /// - Throws: as `connect(to:)`, and what `body` throws.
    public static func connect<Result: Sendable>(
        to url: String, configuration: Configuration = Configuration(),
        _ body: (_ socket: WebSocket) async throws -> Result
    ) async throws -> Result {
        let socket = try await connect(to: url, configuration: configuration)
        do {
            let result = try await body(socket)
            socket.requestClose(1000)
            return result
        } catch {
            socket.requestClose(1001)
            throw error
        }
    }
}

/// Waits for one client's handshake, then moves messages between its socket and the tasks that use it.
private final class SocketClient: SocketClientHandler, @unchecked Sendable {
    private let configuration: WebSocketClient.Configuration
    let opening = PendingResult<WebSocket>()
    /// On the loop's thread.
    private var connection: SocketClientConnection?

    init(_ configuration: WebSocketClient.Configuration) { self.configuration = configuration }

    func cancel(on loop: ServiceLoop) {
        guard let continuation = opening.take() else { return }
        continuation.resume(throwing: CancellationError())
        loop.post { [self] in
            connection?.finish()
            connection = nil
        }
    }

    func connect(_ url: ClientURL, on loop: ServiceLoop) {
        guard opening.isAwaited else { return }
        let configuration = configuration
        let connection = SocketClientConnection(
            loop: loop, url: url, configuration: configuration, handler: self
        ) { subprotocol in
            var request = ServerRequest(.get, url.path, headerFields: configuration.headerFields)
            request.head.authority = url.authority
            request.remoteAddress = url.host
            request.isSecure = url.isSecure
            return MessageChannel(limits: configuration.channelLimits, request: request, subprotocol: subprotocol)
        }
        self.connection = connection
        connection.start(timeout: configuration.connectTimeout)
    }

    func opened(_ socket: WebSocket) {
        guard let continuation = opening.take() else { return socket.cut() }
        continuation.resume(returning: socket)
    }

    func received(_ message: WebSocketMessage, from socket: WebSocket) {
        socket.take(message, limit: configuration.messageLimit)
    }

    func becameWritable(_ socket: WebSocket) { socket.flush() }

    func closed(_ socket: WebSocket, by closing: CloseStatus) {
        socket.channelEnded(by: closing)
        connection = nil
    }

    func failed(_ error: SocketError) {
        opening.take()?.resume(throwing: error)
        connection = nil
    }
}

extension WebSocketClient.Configuration {
    fileprivate var channelLimits: MessageChannel.Limits {
        MessageChannel.Limits(
            inbox: .init(messages: receiveLimit.messages, bytes: receiveLimit.bytes), outbox: sendLimit)
    }
}

extension ServiceLoop {
    private static let made: Result<ServiceLoop, SocketError> = {
        do throws(SocketError) {
            let loop = try ServiceLoop(name: "clients")
            loop.start()
            return .success(loop)
        } catch {
            return .failure(error)
        }
    }()

    /// The loop of all clients of this process; made for the first of them, and never ended.
    static func shared() throws(SocketError) -> ServiceLoop { try made.get() }
}
