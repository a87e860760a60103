package import ListStorage
import PostgresConnections

/// Which servers use the database.
extension PostgresStore {
    /// Longer than it takes until a server says again that it is there.
    private static let pause = Duration.milliseconds(1500)

    /// The names of the other servers that are there. Waits for up to 7 s, until those are not counted any more that ended
    /// without saying so.
    package func otherServers() throws(ListStoreError) -> [String] {
        try result(of: .read) { [self] in
            var known = try await leases()
            while !known.isEmpty {
                try await Task.sleep(for: Self.pause)
                let found = try await leases()
                let heard = found.filter { node, end in known[node].map { $0 < end } ?? true }
                guard heard.isEmpty else { return heard.keys.sorted() }
                known = found
            }
            return []
        }
    }

    /// Until when each other server counts as there, in milliseconds of the database's clock.
    private func leases() async throws -> [String: Int] {
        let query = """
            SELECT node, (extract(epoch FROM alive_until) * 1000)::bigint FROM refreshable.nodes
            WHERE node <> $1 AND alive_until > clock_timestamp()
            """
        let found = try await pool.use { [node] connection in
            try await connection.connection.rows(query, [.text(node)]) { ($0.text(0) ?? "", $0.int(1) ?? 0) }
        }
        return Dictionary(found) { first, _ in first }
    }
}
