import Locking

/// The place for the answer to one request.
///
/// It is answered exactly once, from any thread. If whoever asked is gone by then, nothing happens; if it is dropped
/// unanswered, the peer gets a 500. As long as it is held, the request's body counts as kept.
package final class HTTPExchange: Sendable {
    private struct State {
        var send: (@Sendable (HTTPResponse) -> Void)?
        var isAbandoned = false
        var isRefused = false
        var whenAbandoned: (@Sendable () -> Void)?
    }

    private let state: Locked<State>
    private let lease: BodyBudget.Lease?

    /// An exchange over something else than a socket of ours.
    package convenience init(answering send: @escaping @Sendable (HTTPResponse) -> Void) { self.init(send: send) }

    init(lease: BodyBudget.Lease? = nil, send: @escaping @Sendable (HTTPResponse) -> Void) {
        self.lease = lease
        state = Locked(State(send: send))
    }

    deinit {
        take()?(.text(500, "The server did not answer this request. Please report it."))
    }

    /// Sends the answer. From any thread; a second call traps.
    package func answer(_ response: HTTPResponse) {
        if let send = take() { return send(response) }
        response.stream?.unsent()
        precondition(state.withLock { $0.isRefused }, "An HTTPExchange can be answered only once.")
    }

    /// Calls `body` once if whoever asked leaves before the answer; at once if they have left. From any thread; at most
    /// once for an exchange. What is called may be on any thread, too, and no longer holds the exchange.
    package func whenAbandoned(_ body: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if !state.isAbandoned, state.send != nil { state.whenAbandoned = body }
            return state.isAbandoned
        }
        if isLate { body() }
    }

    /// The peer has disconnected.
    func abandon() {
        let tell = state.withLock { state in
            state.isAbandoned = true
            defer { state.whenAbandoned = nil }
            return state.send == nil ? nil : state.whenAbandoned
        }
        tell?()
    }

    /// Whether there is no response yet.
    package var isWaiting: Bool { state.withLock { $0.send != nil } }

    /// Answers in the place of whoever was to, if nobody has yet; what they answer from now on goes nowhere, and they hear
    /// that nobody waits for it.
    package func refuse(_ response: HTTPResponse) {
        let (send, tell) = state.withLock { state in
            defer { state = State(isAbandoned: true, isRefused: state.isRefused || state.send != nil) }
            return (state.send, state.whenAbandoned)
        }
        send?(response)
        tell?()
    }

    private func take() -> (@Sendable (HTTPResponse) -> Void)? {
        state.withLock { state in
            defer {
                state.send = nil
                state.whenAbandoned = nil
            }
            return state.send
        }
    }
}
