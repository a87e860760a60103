/// Has a server serve, without a port and without `run()`, for tests.
package final class EmbeddedServer: Sendable {
    private let server: RefreshableServer
    private let sessions: EmbeddedSessions
    private let metrics: ServerMetrics

    /// Opens the store and begins to serve.
    ///
    /// - Parameter server: Without a port.
    /// - Throws: as `run()` does.
    package init(_ server: RefreshableServer) throws {
        guard server.isFirstRun() else { throw RefreshableServerError.wasRun }
        try RefreshableServerError.check(server.descriptions)
        try server.store.open()
        server.pool.start()
        self.server = server
        metrics = server.startMetrics()
        sessions = try EmbeddedSessions(server, metrics)
        server.embed(sessions)
    }

    /// Ends all sessions and lists; returns when they have ended.
    package func stop() async throws {
        server.endEmbedding(sessions)
        for list in server.lists.all { await list.end() }
        await sessions.stop()
        metrics.stop()
        server.pool.stop()
        try server.store.close()
    }

    /// Time has passed by the clock of the lists.
    package func lookAtTheClock() async {
        sessions.lookAtTheClock()
        for list in server.lists.all {
            list.executor.lookAtTheClock()
            _ = await list.currentRun
        }
    }

    /// When the next timer of a list is due, in milliseconds of its clock; nil: none is.
    package var nextDue: Int64? { server.lists.all.compactMap(\.executor.nextDue).min() }
}
