import KeyedLists
import ListStorage
import PostgresConnections

/// Takes the rows of `ListStatements.read`, each with a look at its checksum: what is not as a server wrote it is an error that
/// names the list and the key.
///
/// On the thread of its connection alone.
final class UpdateReader: PostgresConnection.Receiver, @unchecked Sendable {
    /// What is read of a list.
    struct Result: Sendable {
        var line: ListLine
        var rows: [PlacedRow] = []
        var tombstones: [Tombstone] = []
        var actionRuns: [StoredActionRun] = []
        var unread: [StoredUnread] = []
        /// What servers agree on.
        var agreement = StoredAgreement()
        /// The transaction that has written the line.
        var version = 0
        /// The checksums of rows and tombstones, added up.
        var checksum = 0
        /// Why it can't be used.
        var damage: String?
    }

    private let continuation: CheckedContinuation<Result?, any Error>
    private var result: Result?
    /// What came before the line, which none does as a rule.
    private var early: [(inout Result) -> Void] = []

    init(_ continuation: CheckedContinuation<Result?, any Error>) { self.continuation = continuation }

    func columns(_ columns: [PostgresColumn]) {}

    func row(_ row: PostgresRow) {
        let kind = row.int(0)
        guard kind != 0 else {
            result = ListLine(row).map { Result(line: $0) }
            for take in early {
                result.map {
                    var result = $0; take(&result); self.result = result
                }
            }
            return early = []
        }
        guard var result else { return }
        self.result = nil
        switch kind {
        case 1: result.takeRow(row)
        case 2: result.takeTombstone(row)
        case 3: result.takeActionRun(row)
        case 4: result.takeUnread(row)
        default:
            if kind == 5 { result.version = row.int(4) ?? 0 }
            result.agreement.take(row, kind: kind ?? 0)
        }
        self.result = result
    }

    func paused() {}

    func ended(_ error: (any Error)?) {
        if let error { return continuation.resume(throwing: error) }
        if var result, result.line.since == 0, result.checksum != result.line.checksum {
            result.damage =
                result.damage
                ?? "rows are missing, or of another state of the list than its line (the sum does not fit)"
            self.result = result
        }
        continuation.resume(returning: result)
    }
}

/// The line of a list.
struct ListLine: Sendable {
    let id: Int
    let identity: String
    let place: StoredPlace
    let floor: Revision
    /// The checksums of its rows and tombstones, added up.
    let checksum: Int
    let facts: StoredFacts
    /// The revision from which on its rows were read; 0: all were.
    let since: Revision

    init?(_ row: PostgresRow) {
        guard let identity = row.text(1), let id = row.int(2), let epoch = row.int(3), let revision = row.int(4),
            let floor = row.int(5), let tag = row.int(6), let checksum = row.int(7), let runs = row.int(8),
            let since = row.int(11)
        else { return nil }
        self.id = id
        self.identity = identity
        place = StoredPlace(epoch: Epoch(UInt64(bitPattern: Int64(epoch))), revision: revision, tag: tag)
        self.floor = floor
        self.checksum = checksum
        facts = StoredFacts(
            runs: runs, updatedAt: row.int(9).map(Int64.init), staleSince: row.int(10).map(Int64.init),
            lastRun: row.array(12))
        self.since = since
    }
}

extension UpdateReader.Result {
    fileprivate mutating func takeRow(_ row: PostgresRow) {
        guard let key = row.key, let position = row.int(2), let fieldsRevision = row.int(3),
            let positionRevision = row.int(4), let fields = row.array(12)
        else { return note("a row can't be read") }
        let placed = PlacedRow(
            key: key, fields: Fields(canonical: fields), position: position, fieldsRevision: fieldsRevision,
            positionRevision: positionRevision)
        check(row.int(5), Checksum(placed, list: Int64(line.id)), "row", key)
        rows.append(placed)
    }

    fileprivate mutating func takeTombstone(_ row: PostgresRow) {
        guard let key = row.key, let revision = row.int(2), let removedAt = row.int(3) else {
            return note("a removal can't be read")
        }
        let tombstone = Tombstone(key: key, revision: revision, removedAt: Int64(removedAt))
        check(row.int(4), Checksum(tombstone, list: Int64(line.id)), "removal of", key)
        tombstones.append(tombstone)
    }

    fileprivate mutating func takeActionRun(_ row: PostgresRow) {
        guard let key = row.array(1), let begunAt = row.int(2), let state = row.array(12),
            let end = state.firstIndex(of: UInt8(ascii: " "))
        else { return note("a run of an action can't be read") }
        let run = StoredActionRun(
            key: key, run: String(decoding: state[..<end], as: UTF8.self), begunAt: Int64(begunAt),
            state: Array(state[(end + 1)...]))
        guard row.int(3) == Checksum(run, list: Int64(line.id)).value else {
            return note("the run \"\(run.run)\" of an action does not fit its checksum")
        }
        actionRuns.append(run)
    }

    fileprivate mutating func takeUnread(_ row: PostgresRow) {
        guard let person = row.text(1), let keys = row.array(12) else { return note("what is unread can't be read") }
        let found = StoredUnread(person: person, keys: keys)
        guard row.int(2) == Checksum(found, list: Int64(line.id)).value else {
            return note("what \"\(person)\" has not seen does not fit its checksum")
        }
        unread.append(found)
    }

    private mutating func check(_ kept: Int?, _ found: Checksum, _ what: String, _ key: Key) {
        let value = found.value
        checksum += value
        if kept != value { note("the \(what) \"\(key)\" does not fit its checksum") }
    }

    private mutating func note(_ reason: String) { damage = damage ?? reason }
}

extension StoredAgreement {
    fileprivate mutating func take(_ row: PostgresRow, kind: Int) {
        switch kind {
        case 5:
            let leader = row.text(1) ?? ""
            self.leader = leader.isEmpty ? nil : leader
            fence = row.int(2) ?? 0
            isLed = row.int(3) == 1
            state = row.array(12)
        case 6: interest[row.text(1) ?? ""] = .init(watchers: row.int(2) ?? 0, isWanted: row.int(3) == 1)
        case 7: requests.append(.init(key: row.array(1) ?? [], request: row.array(12) ?? []))
        default: answers[row.array(1) ?? []] = row.array(12)
        }
    }
}

extension PostgresRow {
    fileprivate var key: Key? { text(1).map { Key($0) } }
}
