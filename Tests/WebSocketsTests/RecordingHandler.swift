import WebSockets

/// A handler made of closures, which also tells a test what happened.
final class RecordingHandler: LoopHandler, @unchecked Sendable {
    enum Event: Equatable, Sendable {
        case opened(UInt64, subprotocol: String?)
        case text(String)
        case binary([UInt8])
        case tooLarge
        case writable
        case closed(CloseStatus)
    }

    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    var onOpened: (WebSocket) -> Void = { _ in }
    var onText: (String, WebSocket) -> Void = { _, _ in }
    var onWritable: (WebSocket) -> Void = { _ in }
    var onRequest: (HTTPRequest, HTTPExchange) -> Void = { request, exchange in
        exchange.answer(.text(200, "\(request.method) \(request.path) \(request.body.count)"))
    }

    var onHead: (HTTPRequest) -> BodyPlan = { _ in .keep(limit: .max) }

    init() {
        (events, continuation) = AsyncStream.makeStream()
    }

    func opened(_ socket: WebSocket) {
        onOpened(socket)
        continuation.yield(.opened(socket.id, subprotocol: socket.handshake.subprotocol))
    }

    func received(_ message: WebSocketMessage, from socket: WebSocket) {
        switch message {
        case .text(let bytes):
            let text = String(decoding: bytes, as: UTF8.self)
            continuation.yield(.text(text))
            onText(text, socket)
        case .binary(let bytes): continuation.yield(.binary(Array(bytes)))
        case .tooLarge: continuation.yield(.tooLarge)
        }
    }

    func becameWritable(_ socket: WebSocket) {
        continuation.yield(.writable)
        onWritable(socket)
    }

    func closed(_ socket: WebSocket, by closing: CloseStatus) { continuation.yield(.closed(closing)) }

    func bodyPlan(for request: HTTPRequest) -> BodyPlan { onHead(request) }

    func request(_ request: HTTPRequest, _ exchange: HTTPExchange) { onRequest(request, exchange) }

    /// The next event; throws if none comes within the test's time limit.
    func next(_ what: String = "an event") async throws -> Event {
        for await event in events { return event }
        throw MissingEvent(description: "The stream ended before \(what).")
    }
}
