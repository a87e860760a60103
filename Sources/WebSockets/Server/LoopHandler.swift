/// Receives the events of one loop of a `WebSocketServer`. The server's owner makes one for each loop.
///
/// All of it is called on the loop's thread, one call at a time, and must not block.
package protocol LoopHandler: AnyObject {
    /// The last word on a handshake that the server itself would accept: nil accepts, a response refuses.
    func refusal(of handshake: Handshake) -> HTTPResponse?

    /// Decides later about a handshake that `refusal` has accepted; nil: it is accepted now.
    func laterRefusal(of handshake: Handshake) -> (@Sendable () async -> HTTPResponse?)?

    /// By which tasks are to exchange messages with a socket that is about to be opened; nil: this handler does it itself.
    func channel(for handshake: Handshake) -> MessageChannel?

    /// A socket is open and may be sent to.
    func opened(_ socket: WebSocket)

    /// A complete message arrived. Its bytes are valid until this returns.
    func received(_ message: WebSocketMessage, from socket: WebSocket)

    /// `isWritable` was false and is true again.
    func becameWritable(_ socket: WebSocket)

    /// The socket has ended. Exactly once for each that was opened.
    func closed(_ socket: WebSocket, by closing: CloseStatus)

    /// A request's head is there, and a body follows: what becomes of that.
    func bodyPlan(for request: HTTPRequest) -> BodyPlan

    /// A whole request, with its body if that was to be kept. Answer it now or later, from any thread.
    func request(_ request: HTTPRequest, _ exchange: HTTPExchange)

    /// A connection, a handshake or a request was rejected. `path` is empty if none was read.
    func refused(_ reason: Refusal, from address: String, path: String)

    /// The loop did something so much later than it was due; about once a second.
    func lagged(by lag: Duration)

    /// The server itself refuses a request, by its headers alone. Gives the refusal the form that its sender reads.
    func worded(_ refusal: HTTPResponse, of request: HTTPRequest) -> HTTPResponse
}

extension LoopHandler {
    /// Accepts.
    package func refusal(of handshake: Handshake) -> HTTPResponse? { nil }

    /// Keeps as much as the server allows.
    package func bodyPlan(for request: HTTPRequest) -> BodyPlan { .keep(limit: .max) }

    /// Decides at once, by `refusal`.
    package func laterRefusal(of handshake: Handshake) -> (@Sendable () async -> HTTPResponse?)? { nil }

    /// Has none.
    package func channel(for handshake: Handshake) -> MessageChannel? { nil }

    /// Does nothing.
    package func refused(_ reason: Refusal, from address: String, path: String) {}

    /// Does nothing.
    package func lagged(by lag: Duration) {}

    /// Leaves it as it is: a sentence for a person.
    package func worded(_ refusal: HTTPResponse, of request: HTTPRequest) -> HTTPResponse { refusal }

    /// Does nothing.
    package func becameWritable(_ socket: WebSocket) {}
}
