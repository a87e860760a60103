import KeyedLists
package import ListStorage
import PostgresConnections

/// Reads the lists in a database, and writes nothing there, also while servers use it.
package final class PostgresStoreReader: StoreReader {
    private let address: PostgresAddress
    private let connection: StoreConnection

    /// Connects.
    ///
    /// - Throws: where the database can't be reached, or no server of this version has kept lists there.
    package init(_ url: String) async throws(ListStoreError) {
        let address = try PostgresAddress(ofStore: url)
        self.address = address
        do {
            connection = try await StoreConnection.open(address, on: PostgresConnection.sharedLoop)
        } catch {
            throw ListStoreError(error, at: address)
        }
        do {
            try await connection.connection.run(
                "SET default_transaction_read_only = on; SET statement_timeout = 0")
            try await connection.checkVersion(at: address)
        } catch {
            connection.connection.close(isCancelling: false)
            throw ListStoreError(error, at: address)
        }
    }

    deinit { connection.connection.close(isCancelling: false) }

    package var path: String { "\(address)" }

    package func names() async throws(ListStoreError) -> [String] {
        try await asked { connection in
            try await connection.connection.rows("SELECT name FROM refreshable.lists ORDER BY id") { $0.text(0) ?? "" }
        }
    }

    package func read(_ list: String) async throws(ListStoreError) -> StoredList? {
        try await asked { [path] connection in
            let found = try await connection.read(list, since: nil, by: "", awaiting: [])
            return try found?.whole(of: list, at: path)
        }
    }

    /// Rows whose list has no line.
    package func strays() async throws(ListStoreError) -> [ListStoreError] {
        try await asked { [path] connection in
            let sql = "SELECT count(*) FROM refreshable.rows WHERE list NOT IN (SELECT id FROM refreshable.lists)"
            guard let count = try await connection.ask(sql, []).first, count > 0 else { return [] }
            return [.corrupt(path: path, reason: "the line of a list is missing: \(count) rows belong to none")]
        }
    }

    package func close() async {
        connection.connection.close(isCancelling: false)
        await PostgresConnection.finishOpening()
    }

    private func asked<Result: Sendable>(
        _ body: (StoreConnection) async throws -> Result
    ) async throws(ListStoreError) -> Result {
        do { return try await body(connection) } catch { throw ListStoreError(error, at: address) }
    }
}

extension StoreConnection {
    /// Throws unless the tables are those of this program.
    fileprivate func checkVersion(at address: PostgresAddress) async throws {
        let path = "\(address)"
        let found: Int
        do {
            found = try await ask("SELECT version FROM refreshable.store", []).first ?? 0
        } catch PostgresError.refused(let refusal) where ["42P01", "3F000"].contains(refusal.state) {
            throw ListStoreError.unsuitable(
                path: path, reason: "no server has kept lists there. Name the database that servers use.")
        }
        guard found <= Schema.version else {
            throw ListStoreError.newerVersion(path: path, found: found, known: Schema.version)
        }
        guard found == Schema.version else {
            throw ListStoreError.unsuitable(
                path: path,
                reason: "its tables are of version \(found), and this program reads version \(Schema.version). "
                    + "Start a server of this version there, which changes them.")
        }
    }
}

extension UpdateReader.Result {
    /// All of a list, where all of it was read.
    ///
    /// - Throws: `ListStoreError.damaged`.
    func whole(of list: String, at path: String) throws(ListStoreError) -> StoredList {
        if let damage { throw .damaged(path: path, list: list, reason: damage) }
        do {
            let rows = try KeyedList(
                revision: line.place.revision, floor: line.floor, rows: rows, tombstones: tombstones)
            return StoredList(
                epoch: line.place.epoch, isRestored: true, list: rows, facts: line.facts,
                actionRuns: actionRuns.sorted { $0.begunAt < $1.begunAt },
                unread: unread.sorted { $0.person < $1.person }, tag: line.place.tag)
        } catch {
            throw .damaged(path: path, list: list, reason: "\(error)")
        }
    }
}
