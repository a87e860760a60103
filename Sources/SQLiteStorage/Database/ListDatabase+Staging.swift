import Foundation
import GRDB
import KeyedLists
import ListStorage

/// Commits that are too large for one transaction, which would keep all other lists from the file for seconds.
///
/// ```
/// stage     lists.staged ◀── its revision; then its rows into `rows`, what they overwrite into `undoRows`, some at a time
/// commit    lists.revision ◀── its revision, lists.staged ◀── NULL: from here on its rows are the list's
/// finish    what was put aside is deleted, some at a time; or put back, if it was not committed
/// ```
/// A process may end anywhere: the list's line says which rows count (``StoredRows``), and the next one to change the list
/// finishes.
extension ListDatabase {
    /// Writes the rows of a commit.
    ///
    /// - Returns: the sum of the list's checksums as it will be.
    func stage(_ commit: Commit, of name: Key) throws -> Int {
        try finish(of: name)
        var sum = 0
        try patiently(name) { _, list in
            guard list.record.revision == commit.revision - 1, let known = list.record.sum else {
                throw ListStoreError.outOfStep(list: name.string, revision: commit.revision)
            }
            sum = known
            list.record.staged = commit.revision
        }
        let isNew = commit.hasOnlyNewRows
        // In the order of the table each page of it is written once or twice, and not once for each row.
        let rows = commit.rows.indices.sorted { commit.rows[$0].key < commit.rows[$1].key }.map { commit.rows[$0] }
        try write(rows, of: commit, to: name, &sum) { try $0.put($1, at: commit.revision, isNew: isNew) }
        try write(commit.tombstones.sorted { $0.key < $1.key }, of: commit, to: name, &sum) { try $0.bury($1) }
        return sum
    }

    /// Makes what was staged the list's.
    func commit(_ commit: Commit, sum: Int, facts: StoredFacts, to name: Key) throws {
        try change(name) { database, list in
            guard let id = list.record.id, list.record.staged == commit.revision,
                list.record.revision == commit.revision - 1
            else { throw ListStoreError.outOfStep(list: name.string, revision: commit.revision) }
            var writer = CommitWriter(database, list: id, sum: sum)
            list.record.staged = nil
            try list.take(commit, facts, &writer)
            return true
        }
    }

    /// Takes back what was staged and not committed, and forgets what was put aside for that.
    func finish(of name: Key) throws {
        let record = try loaded(name).record
        guard let id = record.id else { return }
        let undo = Undo(list: id, staged: record.staged)
        for table in undo.tables {
            var last = Data()
            var slice = Slice()
            var isOver = false
            while !isOver {
                var next: Data?
                try patiently(name) { database, list in
                    guard list.record.staged == undo.staged else { throw ListStoreError.changed(path: path) }
                    next = try slice.step { try undo.takeBack(table, $0, after: last, database) }
                }
                last = next ?? last
                isOver = next == nil
            }
        }
        guard record.staged != nil else { return }
        try patiently(name) { _, list in list.record.staged = nil }
    }

    /// Goes through what a commit writes, some at a time.
    private func write<Element>(
        _ elements: [Element], of commit: Commit, to name: Key, _ sum: inout Int,
        _ body: (inout CommitWriter, ArraySlice<Element>) throws -> Void
    ) throws {
        var rest = elements[...]
        var slice = Slice()
        while !rest.isEmpty {
            let known = sum
            var left = rest
            try patiently(name) { database, list in
                guard let id = list.record.id, list.record.staged == commit.revision else {
                    throw ListStoreError.changed(path: path)
                }
                var writer = CommitWriter(database, list: id, sum: known, keepsOld: true)
                try slice.step { count in
                    try body(&writer, rest.prefix(count))
                    left = rest.dropFirst(count)
                }
                sum = writer.sum
            }
            rest = left
        }
    }

    /// Changes a list after those that wait before it; waits for another program as long as any change does.
    private func patiently(_ name: Key, _ body: (Database, inout LoadedList) throws -> Void) throws {
        let end = ContinuousClock.now + .seconds(5)
        while true {
            do {
                return try change(name, within: 5) { database, list in
                    try body(database, &list)
                    return true
                }
            } catch {
                guard case .busy = ListStoreError(error, path: path), ContinuousClock.now < end else { throw error }
                Thread.sleep(forTimeInterval: 0.005)
            }
        }
    }
}

/// Rows that a staged commit overwrote, and how they are restored.
struct Undo {
    /// A table, and what is done with those of its lines that lie between two keys.
    struct Table {
        let name: String
        let statements: [String]
    }

    let list: Int64
    /// The revision that is taken back; nil: what was put aside is not needed any more.
    let staged: Revision?

    /// In this order.
    var tables: [Table] {
        let forgotten = [("undoRows", "rows"), ("undoTombstones", "tombstones")].map { undo, table in
            Table(
                name: undo,
                statements: (staged == nil ? [] : ["INSERT INTO \(table) SELECT * FROM \(undo) WHERE "])
                    + ["DELETE FROM \(undo) WHERE "])
        }
        guard let staged else { return forgotten }
        return [
            Table(
                name: "rows",
                statements: ["DELETE FROM rows WHERE max(fieldsRevision, positionRevision) >= \(staged) AND "]),
            Table(name: "tombstones", statements: ["DELETE FROM tombstones WHERE revision >= \(staged) AND "]),
        ] + forgotten
    }

    /// Does it to so many lines of one table.
    ///
    /// - Returns: the key of the last one; nil where there is none left.
    func takeBack(_ table: Table, _ count: Int, after key: Data, _ database: Database) throws -> Data? {
        let find = "SELECT key FROM \(table.name) WHERE list = ? AND key > ? ORDER BY key"
        let some = try database.cachedStatement(sql: "\(find) LIMIT 1 OFFSET \(count - 1)")
        let last = try database.cachedStatement(sql: "\(find) DESC LIMIT 1")
        guard let end = try Data.fetchOne(some, arguments: [list, key]) ?? Data.fetchOne(last, arguments: [list, key])
        else { return nil }
        for statement in table.statements {
            try database.cachedStatement(sql: statement + "list = ? AND key > ? AND key <= ?")
                .execute(arguments: [list, key, end])
        }
        return end
    }

    /// Does all of it.
    func takeBack(_ database: Database) throws {
        for table in tables { _ = try takeBack(table, .max, after: Data(), database) }
    }
}

/// How many rows are written at a time: as many as take a few milliseconds.
private struct Slice {
    private static let goal = Duration.milliseconds(3)
    /// However slow they are: a transaction has a cost of its own, and a machine that is busy would be kept busy by it.
    private static let least = 100
    private var count = least

    /// Does a step, and learns from the time it took.
    mutating func step<Result>(_ body: (_ count: Int) throws -> Result) rethrows -> Result {
        let start = ContinuousClock.now
        let result = try body(count)
        let share = Self.goal / max(ContinuousClock.now - start, .microseconds(1))
        count = min(max(Int(Double(count) * min(share, 2)), Self.least), 5000)
        return result
    }
}
