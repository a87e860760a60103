/// Waits for the end of statements whose rows nobody wants.
final class StatementWaiter: PostgresConnection.Receiver {
    private let continuation: CheckedContinuation<Void, any Error>

    init(_ continuation: CheckedContinuation<Void, any Error>) { self.continuation = continuation }

    func columns(_ columns: [PostgresColumn]) {}

    func row(_ row: PostgresRow) {}

    func paused() {}

    func ended(_ error: (any Error)?) {
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
    }
}
