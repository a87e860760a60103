/// What happens on one loop of a `WebSocketServer`; made by its owner, one for each loop.
///
/// All of it is called on the loop's thread, one call at a time, and must not block.
public protocol LoopHandler: AnyObject {
    /// The last word on a handshake that the server itself would accept: nil accepts, a response refuses.
    func refusal(of handshake: Handshake) -> HTTPResponse?

    /// A socket is open and may be sent to.
    func opened(_ socket: WebSocket)

    /// A whole message came in. Its bytes are gone when this returns.
    func received(_ message: WebSocketMessage, from socket: WebSocket)

    /// `isWritable` was false and is true again.
    func becameWritable(_ socket: WebSocket)

    /// The socket is gone. Exactly once for each that was opened.
    func closed(_ socket: WebSocket, by closing: CloseStatus)

    /// A request's head is there, and a body follows: what becomes of that.
    func bodyPlan(for request: HTTPRequest) -> BodyPlan

    /// A whole request, with its body if that was to be kept. Answer it now or later, from any thread.
    func request(_ request: HTTPRequest, _ exchange: HTTPExchange)

    /// A connection, a handshake or a request was turned away. `path` is empty where none was read.
    func refused(_ reason: Refusal, from address: String, path: String)

    /// The loop did something so much later than it was due; about once a second.
    func lagged(by lag: Duration)

    /// The server itself refuses a request, by its headers alone. Gives the refusal the form that its sender reads.
    func worded(_ refusal: HTTPResponse, of request: HTTPRequest) -> HTTPResponse
}

extension LoopHandler {
    /// Accepts.
    public func refusal(of handshake: Handshake) -> HTTPResponse? { nil }

    /// Keeps as much as the server allows.
    public func bodyPlan(for request: HTTPRequest) -> BodyPlan { .keep(limit: .max) }

    /// Does nothing.
    public func refused(_ reason: Refusal, from address: String, path: String) {}

    /// Does nothing.
    public func lagged(by lag: Duration) {}

    /// Leaves it as it is: a sentence for a person.
    public func worded(_ refusal: HTTPResponse, of request: HTTPRequest) -> HTTPResponse { refusal }

    /// Does nothing.
    public func becameWritable(_ socket: WebSocket) {}
}
