public import Logging

/// One connection to a WebSocket server, without compression, on a loop of its own.
///
/// ```swift
/// let client = try WebSocketClient(url: "ws://localhost:8080/ws", subprotocol: "refreshable.v1")
/// client.connect()
/// for await event in client.events { … }
/// ```
public final class WebSocketClient: Sendable {
    /// What happens to a connection.
    public enum Event: Sendable, Equatable {
        /// The handshake is done; the subprotocol the server chose.
        case opened(subprotocol: String?)
        /// A whole text message.
        case text(String)
        /// A whole binary message.
        case binary([UInt8])
        /// It is over, after it was open. The last event.
        case closed(CloseStatus)
        /// It never opened. The last event.
        case failed(SocketError)
    }

    /// Everything that happens, in order; for one reader. It ends after `closed` or `failed`.
    public let events: AsyncStream<Event>
    private let loop: ServiceLoop
    private let subprotocol: String?
    private let connection: ClientConnection

    /// Makes a client that does not connect yet.
    ///
    /// - Parameters:
    ///   - url: such as `ws://localhost:8080/ws` or `wss://lists.example.org/ws`.
    ///   - headers: more fields for the handshake, such as `Origin`.
    ///   - trust: which servers are believed, with `wss`.
    public init(
        url: String, subprotocol: String? = nil, headers: HTTPHeaders = [:], trust: ServerTrust = ServerTrust(),
        logger: Logger = .quiet
    ) throws(SocketError) {
        let parts = try ClientURL(url, scheme: "ws")
        let (events, continuation) = AsyncStream<Event>.makeStream()
        self.events = events
        self.subprotocol = subprotocol
        if parts.isSecure { try trust.check() }
        var settings = NetworkSettings(subprotocols: subprotocol.map { [$0] } ?? [], receiveBuffer: 4096)
        settings.trust = parts.isSecure ? (trust, parts.host) : nil
        loop = try ServiceLoop(name: "client", settings: settings, logger: logger)
        connection = ClientConnection(loop: loop, url: parts, headers: headers) { event in
            continuation.yield(event)
            switch event {
            case .closed, .failed: continuation.finish()
            case .opened, .text, .binary: break
            }
        }
    }

    deinit { loop.endSoon() }

    /// Begins to connect. Once.
    public func connect() {
        loop.start()
        loop.post { [connection, subprotocol] in connection.start(subprotocol: subprotocol) }
    }

    /// Sends a text message, after those sent before. Before `opened` and after the end it does nothing.
    public func send(_ text: String) {
        let frame = SharedFrame(opcode: .text, masking: Array(text.utf8))
        loop.post { [connection] in connection.send(frame) }
    }

    /// Sends a binary message.
    public func send(_ bytes: [UInt8]) {
        let frame = SharedFrame(opcode: .binary, masking: bytes)
        loop.post { [connection] in connection.send(frame) }
    }

    /// Says goodbye; `closed` follows with this code.
    public func close(_ code: UInt16 = 1000, _ reason: String = "") {
        loop.post { [connection] in connection.close(code, reason) }
    }

    /// Drops the connection without a Close frame, like a phone in a tunnel; `closed` follows with 1006.
    public func cut() {
        loop.post { [connection] in connection.cut() }
    }

    /// Ends the connection and its thread; returns when both have ended.
    public func stop() async { await loop.stop() }
}
