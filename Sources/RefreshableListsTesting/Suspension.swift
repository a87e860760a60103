/// A task that waits until a test lets it go on.
struct Suspension: Sendable {
    /// Why it goes on.
    enum End {
        case letGo
        /// Nobody waits for its work any more.
        case cancelled
    }

    private let continuation: CheckedContinuation<End, Never>
    private let turn: HandlerExecution?

    /// The present task rests. To be called where its continuation was made.
    init(_ continuation: CheckedContinuation<End, Never>) {
        self.continuation = continuation
        turn = HandlerExecution.current
        turn?.rest()
    }

    /// Lets it go on. To be called once.
    func end(_ end: End) {
        guard let turn else { return continuation.resume(returning: end) }
        turn.goOn { [continuation] in continuation.resume(returning: end) }
    }
}
