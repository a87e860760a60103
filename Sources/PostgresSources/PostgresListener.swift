import PostgresConnections

/// Listens to a channel for as long as somebody follows, over every loss of the connection.
struct PostgresListener {
    /// How long it waits before it connects again: doubled each time, and from the beginning once it was connected.
    private static let (leastPause, mostPause) = (Duration.seconds(1), Duration.seconds(30))

    let address: PostgresAddress
    let channel: String

    func follow(_ changes: AsyncStream<Void>.Continuation) async {
        var pause = Self.leastPause
        var wasAway = false
        while !Task.isCancelled {
            do {
                let connection = try await PostgresConnection.open(address)
                defer { connection.close() }
                let (losses, loss) = AsyncStream.makeStream(of: Never.self)
                // Before it listens, so that no notice falls between.
                connection.listen { _, _ in
                    changes.yield()
                } lost: { _ in
                    loss.finish()
                }
                try await connection.run("LISTEN \(PostgresConnection.quoted(channel))")
                if wasAway { changes.yield() }
                pause = Self.leastPause
                for await _ in losses {}
            } catch {
                // The next run says why the server can't be reached.
            }
            wasAway = true
            // Ends at once where nobody follows any more.
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, Self.mostPause)
        }
    }
}
