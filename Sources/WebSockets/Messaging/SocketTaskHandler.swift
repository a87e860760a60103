/// Serves one loop's sockets by tasks: makes a channel for each, and moves messages between channel and socket.
final class SocketTaskHandler: LoopHandler {
    /// Decides whether a WebSocket is opened: nil accepts, a response refuses.
    typealias Upgrade = @Sendable (ServerRequest) async -> ServerResponse?

    private let tasks: SocketTasks
    private let upgrade: Upgrade?
    private let limits: MessageChannel.Limits
    private let messageLimit: Int

    init(tasks: SocketTasks, upgrade: Upgrade?, configuration: WebSocketServer.Configuration) {
        self.tasks = tasks
        self.upgrade = upgrade
        limits = MessageChannel.Limits(
            inbox: .init(messages: configuration.receiveLimit.messages, bytes: configuration.receiveLimit.bytes),
            outbox: configuration.sendLimit)
        messageLimit = configuration.messageLimit
    }

    func laterRefusal(of handshake: Handshake) -> (@Sendable () async -> HTTPResponse?)? {
        guard let upgrade else { return nil }
        let request = ServerRequest(handshake)
        return { await upgrade(request).map { HTTPResponse($0) } }
    }

    func channel(for handshake: Handshake) -> MessageChannel? {
        MessageChannel(
            limits: limits, request: ServerRequest(handshake), subprotocol: handshake.subprotocol)
    }

    func opened(_ socket: WebSocket) { tasks.begin(socket) }

    func received(_ message: WebSocketMessage, from socket: WebSocket) {
        socket.take(message, limit: messageLimit)
    }

    func becameWritable(_ socket: WebSocket) { socket.flush() }

    func closed(_ socket: WebSocket, by closing: CloseStatus) { socket.channelEnded(by: closing) }

    func request(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        exchange.answer(.text(426, "Here are WebSockets alone. Open one, as with ws://.").upgrading)
    }
}

extension WebSocket {
    /// Copies a message that came to where tasks take it. On the loop's thread.
    func take(_ message: WebSocketMessage, limit: Int) {
        switch message {
        case .text(let bytes): deliver(.text(String(decoding: bytes, as: UTF8.self)), size: bytes.count)
        case .binary(let bytes): deliver(.binary(Array(bytes)), size: bytes.count)
        case .tooLarge: close(1009, "a message may have \(limit) bytes")
        }
    }
}

extension HTTPResponse {
    /// With what a 426 must have (RFC 9110 §15.5.22).
    fileprivate var upgrading: HTTPResponse {
        var response = self
        response.headers["Upgrade"] = "websocket"
        return response
    }
}
