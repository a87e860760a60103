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

/// Collects what is made of the rows of a statement.
final class RowCollector<Element: Sendable>: PostgresConnection.Receiver, @unchecked Sendable {
    private let read: @Sendable (PostgresRow) throws -> Element
    private let continuation: CheckedContinuation<[Element], any Error>
    // On the connection's thread alone.
    private var rows: [Element] = []

    init(
        _ read: @escaping @Sendable (PostgresRow) throws -> Element,
        _ continuation: CheckedContinuation<[Element], any Error>
    ) {
        self.read = read
        self.continuation = continuation
    }

    func columns(_ columns: [PostgresColumn]) {}

    func row(_ row: PostgresRow) throws { rows.append(try read(row)) }

    func paused() {}

    func ended(_ error: (any Error)?) {
        if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: rows) }
    }
}
