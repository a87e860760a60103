import HTTPTypes

/// One connection to a WebSocket server whose events come as a stream, and to which is sent without waiting: for programs that
/// follow a conversation of small messages, such as a script.
///
/// ```swift
/// let client = try EventSocket(url: "ws://localhost:8080/ws", subprotocol: "refreshable.v1")
/// client.connect()
/// for await event in client.events { … }
/// ```
package final class EventSocket: Sendable {
    /// What happens to a connection.
    package enum Event: Sendable, Equatable {
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
    package let events: AsyncStream<Event>
    private let loop: ServiceLoop
    private let owner: EventHandler
    private let configuration: WebSocketClient.Configuration
    private let url: ClientURL

    /// Makes a client that does not connect yet.
    ///
    /// - Parameters:
    ///   - url: such as `ws://localhost:8080/ws` or `wss://lists.example.org/ws`.
    ///   - headers: more fields for the handshake, such as `Origin`.
    ///   - trust: which servers are believed, with `wss`.
    package init(
        url: String, subprotocol: String? = nil, headers: HTTPHeaders = [:], trust: ServerTrust = ServerTrust()
    ) throws(SocketError) {
        self.url = try ClientURL(url, scheme: "ws")
        if self.url.isSecure { try trust.check() }
        var configuration = WebSocketClient.Configuration()
        configuration.headerFields = HTTPFields(headers)
        configuration.subprotocols = subprotocol.map { [$0] } ?? []
        configuration.trust = trust
        configuration.messageLimit = 64 * 1024 * 1024
        // A test wants frames as they were sent.
        configuration.compresses = false
        self.configuration = configuration
        let (events, continuation) = AsyncStream<Event>.makeStream()
        self.events = events
        owner = EventHandler(continuation)
        loop = try ServiceLoop.shared()
    }

    deinit { loop.post { [owner] in owner.connection?.cut() } }

    /// Begins to connect. Once.
    package func connect() {
        loop.post { [owner, url, configuration, loop] in
            let connection = SocketClientConnection(loop: loop, url: url, configuration: configuration, handler: owner)
            owner.connection = connection
            connection.start(timeout: configuration.connectTimeout)
        }
    }

    /// Sends a text message, after those sent before. Before `opened` and after the end it does nothing.
    package func send(_ text: String) { send(SharedFrame(text: text)) }

    /// Sends a binary message.
    package func send(_ bytes: [UInt8]) { send(SharedFrame(binary: bytes)) }

    /// Says goodbye; `closed` follows with this code.
    package func close(_ code: UInt16 = 1000, _ reason: String = "") {
        loop.post { [owner] in owner.close(code, reason) }
    }

    /// Drops the connection without a Close frame, like a phone in a tunnel; `closed` follows with 1006.
    package func cut() { loop.post { [owner] in owner.connection?.cut() } }

    /// Drops the connection; returns when it has ended.
    package func stop() async {
        await withCheckedContinuation { continuation in
            loop.post { [owner] in owner.stop(continuation) }
        }
    }

    private func send(_ frame: SharedFrame) { loop.post { [owner] in owner.send(frame) } }
}

/// What an `EventSocket` does on the loop's thread.
private final class EventHandler: SocketClientHandler, @unchecked Sendable {
    private let events: AsyncStream<EventSocket.Event>.Continuation
    var connection: SocketClientConnection?
    private var socket: WebSocket?
    private var waiting = Queue<SharedFrame>()
    private var closing: (UInt16, String)?
    private var stopped: [CheckedContinuation<Void, Never>] = []

    init(_ events: AsyncStream<EventSocket.Event>.Continuation) { self.events = events }

    func send(_ frame: SharedFrame) {
        guard socket != nil, closing == nil else { return }
        waiting.append(frame)
        flush()
    }

    func close(_ code: UInt16, _ reason: String) {
        guard socket != nil, closing == nil else { return }
        closing = (code, reason)
        flush()
    }

    func stop(_ continuation: CheckedContinuation<Void, Never>) {
        guard let connection else { return continuation.resume() }
        stopped.append(continuation)
        if socket == nil { connection.fail("it was given up") } else { connection.cut() }
    }

    func opened(_ socket: WebSocket) {
        self.socket = socket
        events.yield(.opened(subprotocol: socket.handshake.subprotocol))
    }

    func received(_ message: WebSocketMessage, from socket: WebSocket) {
        switch message {
        case .text(let bytes): events.yield(.text(String(decoding: bytes, as: UTF8.self)))
        case .binary(let bytes): events.yield(.binary(Array(bytes)))
        case .tooLarge: socket.close(1009, "too large")
        }
    }

    func becameWritable(_ socket: WebSocket) { flush() }

    func closed(_ socket: WebSocket, by closing: CloseStatus) { end(.closed(closing)) }

    func failed(_ error: SocketError) { end(.failed(error)) }

    private func flush() {
        guard let socket else { return }
        while socket.isWritable, let frame = waiting.popFirst() { socket.sendNow(frame) }
        if waiting.isEmpty, let (code, reason) = closing { socket.close(code, reason) }
    }

    private func end(_ event: EventSocket.Event) {
        socket = nil
        connection = nil
        events.yield(event)
        events.finish()
        for continuation in stopped { continuation.resume() }
        stopped = []
    }
}
