/// The place for the answer to one request.
///
/// It is answered exactly once, from any thread. If the connection is gone by then, nothing happens; if it is dropped
/// unanswered, the peer gets a 500.
public final class HTTPExchange: Sendable {
    private let send: Locked<(@Sendable (HTTPResponse) -> Void)?>

    init(send: @escaping @Sendable (HTTPResponse) -> Void) {
        self.send = Locked(send)
    }

    deinit {
        take()?(.text(500, "The server did not answer this request. Please report it."))
    }

    /// Sends the answer. From any thread; a second call traps.
    public func answer(_ response: HTTPResponse) {
        guard let send = take() else { preconditionFailure("An HTTPExchange is answered once.") }
        send(response)
    }

    private func take() -> (@Sendable (HTTPResponse) -> Void)? {
        send.withLock { send in
            defer { send = nil }
            return send
        }
    }
}
