import Foundation
import GRDB
import KeyedLists
import ListStorage

/// One line of the table `lists`.
struct ListRecord: Hashable, Sendable {
    /// Nil until its first write, for loading writes nothing.
    var id: Int64?
    let name: Key
    var epoch: Epoch
    var revision: Revision = 0
    var floor: Revision = 0
    var facts = StoredFacts()
    /// The checksums of all rows and tombstones, added up. Nil for a list of a file of version 2 that was not written since:
    /// its rows have none.
    var sum: Int?
    /// The revision of a commit that is being written in several transactions. What has this revision in the tables is not
    /// the list's yet, and what it overwrote is in the tables for undoing it. Nil: there is none.
    var staged: Revision?

    /// A list that is not in the database.
    init(new name: Key, epoch: Epoch = .random()) {
        self.name = name
        self.epoch = epoch
        sum = 0
    }

    /// Reads a line, of which every byte may be damaged; nil where it can't be one.
    private init?(_ row: GRDB.Row) {
        guard let id = Int64.fromDatabaseValue(row[0]), let name = Data.fromDatabaseValue(row[1]),
            let epoch = Int64.fromDatabaseValue(row[2]), let revision = Int.fromDatabaseValue(row[3]),
            let floor = Int.fromDatabaseValue(row[4]), let runs = Int.fromDatabaseValue(row[5])
        else { return nil }
        self.id = id
        self.name = Key(String(decoding: name, as: UTF8.self))
        self.epoch = Epoch(UInt64(bitPattern: epoch))
        self.revision = revision
        self.floor = floor
        facts = StoredFacts(
            runs: runs, updatedAt: Int64.fromDatabaseValue(row[6]),
            staleSince: Int64.fromDatabaseValue(row[7]),
            lastRun: Data.fromDatabaseValue(row[8]).map { [UInt8]($0) })
        sum = Int.fromDatabaseValue(row[9])
        staged = Int.fromDatabaseValue(row[10])
    }

    /// What it adds to the mark's tally.
    var tally: Int { revision + facts.runs }

    private var checksum: Int {
        var check = Checksum(of: .list, list: id ?? 0)
        check.add(name)
        check.add(Int64(bitPattern: epoch.value))
        check.add(Int64(revision))
        check.add(Int64(floor))
        check.add(Int64(facts.runs))
        check.add(facts.updatedAt)
        check.add(facts.staleSince)
        check.add(facts.lastRun ?? [])
        check.add(sum.map(Int64.init))
        check.add(staged.map(Int64.init))
        return check.value
    }
}

// MARK: In the database

extension ListRecord {
    // By name, in an order of ours: a schema that is damaged, too, is an error. And in the table's own order, for what its index
    // says may be damaged as well.
    private static let select = """
        SELECT id, name, epoch, revision, floor, runs, updatedAt, staleSince, lastRun, sum, staged, checksum
        FROM lists NOT INDEXED
        """

    /// All lines that are as we wrote them, and the names of those that are not, as far as they can be read.
    static func all(_ database: Database) throws -> (sound: [ListRecord], damaged: [Key?]) {
        var sound: [ListRecord] = []
        var damaged: [Key?] = []
        let cursor = try GRDB.Row.fetchCursor(database, sql: "\(select) ORDER BY id")
        while let row = try cursor.next() {
            let record = ListRecord(row)
            if let record, Int.fromDatabaseValue(row[11]) == record.checksum {
                sound.append(record)
            } else {
                damaged.append(record?.name)
            }
        }
        return (sound, damaged)
    }

    /// The line of a list; nil where there is none.
    static func named(_ name: Key, _ database: Database, path: String) throws -> ListRecord? {
        let statement = try database.cachedStatement(sql: "\(select) WHERE name = ?")
        guard let row = try GRDB.Row.fetchOne(statement, arguments: [name.data]) else {
            // Its name may be what is damaged.
            guard try all(database).damaged.isEmpty else {
                throw ListStoreError.damaged(
                    path: path, list: name.string, reason: "it is not found, and the line of a list is damaged")
            }
            return nil
        }
        guard let record = ListRecord(row), Int.fromDatabaseValue(row[11]) == record.checksum else {
            throw ListStoreError.damaged(
                path: path, list: name.string, reason: "the line of the list does not fit its checksum")
        }
        return record
    }

    /// Adds checksums to the rows of a file of version 2. One that can't be read gets none, and so counts as damaged.
    static func addChecksums(_ database: Database) throws {
        for row in try GRDB.Row.fetchAll(database, sql: select) {
            guard let record = ListRecord(row) else { continue }
            try database.execute(
                sql: "UPDATE lists SET checksum = ? WHERE id = ?", arguments: [record.checksum, record.id])
        }
    }

    /// Adds the line, which then has an `id`.
    mutating func insert(_ database: Database) throws {
        try database.execute(
            sql: "INSERT INTO lists (name, epoch, revision, floor, runs) VALUES (?, 0, 0, 0, 0)", arguments: [name.data]
        )
        id = database.lastInsertedRowID
        try database.cachedStatement(sql: Self.update + "id = ?").execute(arguments: arguments + [id])
    }

    /// Writes this line in place of another; false if that is not the one that is there.
    func replace(_ other: ListRecord, _ database: Database) throws -> Bool {
        try database.cachedStatement(sql: Self.update + "id = ? AND epoch = ? AND revision = ? AND staged IS ?")
            .execute(arguments: arguments + [id, Int64(bitPattern: other.epoch.value), other.revision, other.staged])
        return database.changesCount == 1
    }

    private static let update = """
        UPDATE lists SET epoch = ?, revision = ?, floor = ?, runs = ?, updatedAt = ?, staleSince = ?, lastRun = ?,
            sum = ?, staged = ?, checksum = ? WHERE\u{20}
        """

    private var arguments: StatementArguments {
        [
            Int64(bitPattern: epoch.value), revision, floor, facts.runs, facts.updatedAt, facts.staleSince,
            facts.lastRun.map { Data($0) }, sum, staged, checksum,
        ]
    }
}
