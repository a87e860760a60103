/// What a test waits for did not come.
struct Overdue: Error, CustomStringConvertible {
    let description: String
}

/// Runs `body`, and throws if it takes longer than `limit`: a test waits for events, never for time.
func within<Result: Sendable>(
    _ limit: Duration = .seconds(60), _ what: String = "the event",
    _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw Overdue(description: "\(what) did not come within \(limit).")
        }
        guard let first = try await group.next() else { throw Overdue(description: "Nothing ran.") }
        group.cancelAll()
        return first
    }
}
