import Foundation
import GRDB
import KeyedLists

/// Writes into one list, inside a transaction: only what a commit names. Statements are prepared once for the connection.
struct CommitWriter {
    let database: Database
    /// The list's `id`.
    let list: Int64

    /// Takes the list to the commit's revision; false if it is not the one before.
    func advance(to commit: Commit, facts: StoredFacts) throws -> Bool {
        try execute(
            """
            UPDATE lists SET revision = ?, floor = ?, runs = ?, updatedAt = ?, staleSince = ?, lastRun = ?
            WHERE id = ? AND revision = ?
            """,
            [
                commit.revision, commit.floor, facts.runs, facts.updatedAt, facts.staleSince, facts.lastRunData, list,
                commit.revision - 1,
            ])
        return database.changesCount == 1
    }

    /// Writes rows and tombstones.
    func write(_ commit: Commit, prune: Bool) throws {
        for row in commit.rows { try put(row, at: commit.revision) }
        for tombstone in commit.tombstones { try bury(tombstone) }
        if prune {
            try execute("DELETE FROM tombstones WHERE list = ? AND revision <= ?", [list, commit.floor])
        }
    }

    /// Writes the facts alone.
    func note(_ facts: StoredFacts) throws {
        try execute(
            "UPDATE lists SET runs = ?, updatedAt = ?, staleSince = ?, lastRun = ? WHERE id = ?",
            [facts.runs, facts.updatedAt, facts.staleSince, facts.lastRunData, list])
    }

    private func put(_ row: PlacedRow, at revision: Revision) throws {
        let key = row.key.data
        try execute(
            """
            INSERT INTO rows (list, key, position, fieldsRevision, positionRevision, fields) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (list, key) DO UPDATE SET position = excluded.position, fields = excluded.fields,
                fieldsRevision = excluded.fieldsRevision, positionRevision = excluded.positionRevision
            """,
            [list, key, row.position, row.fieldsRevision, row.positionRevision, Data(row.fields.bytes)])
        // Only a row that has just come can have left a tombstone before.
        if row.fieldsRevision == revision, row.positionRevision == revision {
            try execute("DELETE FROM tombstones WHERE list = ? AND key = ?", [list, key])
        }
    }

    private func bury(_ tombstone: Tombstone) throws {
        let key = tombstone.key.data
        try execute("DELETE FROM rows WHERE list = ? AND key = ?", [list, key])
        try execute(
            "INSERT OR REPLACE INTO tombstones (list, key, revision, removedAt) VALUES (?, ?, ?, ?)",
            [list, key, tombstone.revision, tombstone.removedAt])
    }

    private func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}

extension StoredFacts {
    fileprivate var lastRunData: Data? { lastRun.map { Data($0) } }
}
