public import KeyedLists
public import ListStorage
import PostgresConnections

/// A whole list of another store, put in the place of one that is in the database.
extension PostgresStore {
    /// Puts a list of another store in the place of what is there, by a connection of its own, in one transaction.
    public func replace(_ list: String, with other: StoredList) throws(ListStoreError) -> Epoch {
        try result(of: .commit) { [self] in
            let connection = try await StoreConnection.open(address, on: loop)
            // What was not committed ends with it.
            defer { connection.connection.close(isCancelling: false) }
            let epoch = try await connection.replace(list, with: other)
            await notices.sendNow(list)
            return epoch
        }
    }
}

extension StoreConnection {
    fileprivate func replace(_ list: String, with other: StoredList) async throws -> Epoch {
        try await connection.run(ReplaceStatements.begin)
        try await create(list)
        let found = try await connection.rows(ReplaceStatements.lock, [.bytes(Array(list.utf8))]) { row in
            (id: row.int(0) ?? 0, revision: row.int(1) ?? 0, runs: row.int(2) ?? 0)
        }
        guard let found = found.first else { throw PostgresError.lost("others change the list \"\(list)\" too often") }
        _ = try await ask(ReplaceStatements.empty, [.int(found.id)])
        var writer = ReplaceWriter(connection: self, list: found.id)
        try await writer.write(other)
        let facts = other.facts.beyond(StoredFacts(runs: found.runs))
        let epoch = Epoch.random()
        let values: [PostgresValue] = [
            .int(found.id), .epoch(epoch), .text(self.facts.identity.text),
            .int(max(found.revision, other.list.revision) + 1), .int(Int.random(in: 1 ... .max)), .int(writer.sum),
            .int(facts.runs), .int(facts.updatedAt), .int(facts.staleSince), .bytes(facts.lastRun),
        ]
        _ = try await ask(ReplaceStatements.end, values)
        try await connection.run("COMMIT")
        return epoch
    }
}

/// Writes what a list has, some of it at a time, in the transaction of its connection.
private struct ReplaceWriter {
    /// What one statement carries at most: as many rows, and bytes of their fields, unless one row alone has more.
    private static let (most, size) = (2000, 1 << 20)

    let connection: StoreConnection
    let list: Int
    /// The checksums of the rows, added up.
    private(set) var sum = 0

    mutating func write(_ stored: StoredList) async throws {
        var rows: [PlacedRow] = []
        var size = 0
        for row in stored.list.rows {
            rows.append(row)
            size += row.fields.bytes.count
            guard rows.count >= Self.most || size >= Self.size else { continue }
            try await place(rows)
            rows.removeAll(keepingCapacity: true)
            size = 0
        }
        try await place(rows)
        for runs in stored.actionRuns.slices(of: Self.most) { try await act(runs) }
        for unread in stored.unread.slices(of: Self.most) { try await see(unread) }
    }

    private mutating func place(_ rows: [PlacedRow]) async throws {
        guard !rows.isEmpty else { return }
        let checksums = rows.map { Checksum($0, list: Int64(list)).value }
        sum += checksums.reduce(0, +)
        _ = try await connection.ask(ReplaceStatements.place, [.int(list)] + .rows(rows, checksums: checksums))
    }

    private func act(_ runs: ArraySlice<StoredActionRun>) async throws {
        _ = try await connection.ask(ReplaceStatements.act, [.int(list)] + .actionRuns(runs, of: Int64(list)))
    }

    private func see(_ unread: ArraySlice<StoredUnread>) async throws {
        _ = try await connection.ask(ReplaceStatements.see, [.int(list)] + .unread(unread, of: Int64(list)))
    }
}

extension Array {
    /// Its elements in their order, some at a time.
    fileprivate func slices(of count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min($0 + count, self.count)] }
    }
}
