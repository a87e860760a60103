import Dispatch
import ListSources
import Locking

/// Where each so many-th row of an order is.
struct SQLiteMarkedRows: Sendable {
    /// From one to the next. To walk over as many takes less than a millisecond.
    static let stride = 1024

    /// The values of the order's columns, as they stand in SQL.
    fileprivate(set) var places: [[String]] = []
    fileprivate(set) var total = 0
    fileprivate let stamps: [FileStamp?]
}

/// The orders that were gone through: of all rows, and of those that people look for.
final class SQLiteMarks: Sendable {
    /// So many are remembered.
    private static let most = 16

    private let known = Locked<[RowQuery: SQLiteMarkedRows]>([:])
    /// One after the other: whoever comes second finds what the first has found.
    private let thread = DispatchQueue(label: "SQLiteMarks")

    /// Forgets what was found in another state of the database.
    func forget(unlessOf stamps: [FileStamp?]) {
        known.withLock { known in
            let isStill = FileStamp.haveRested(stamps)
            known = known.filter { isStill && $0.value.stamps == stamps }
        }
    }

    /// Goes through an order, unless that was done.
    func marks(
        of query: SQLiteOrderedQuery, finding found: RowQuery, in file: SQLiteFile
    ) async throws -> SQLiteMarkedRows {
        if let marks = known.withLock({ $0[found] }) { return marks }
        return try await file.read(on: thread) { [known] connection, _ in
            if let marks = known.withLock({ $0[found] }) { return marks }
            // Before it is read: what changes meanwhile is found at the next look.
            let stamps = FollowedFile.database.stamps(of: file.path)
            let marks = try SQLiteWindow(query, finding: found, on: connection).marks(stamps)
            known.withLock { known in
                if known.count >= Self.most, let other = known.keys.first(where: { !$0.isEmpty }) { known[other] = nil }
                known[found] = marks
            }
            return marks
        }
    }
}

extension SQLiteWindow {
    /// Goes through the whole order.
    fileprivate func marks(_ stamps: [FileStamp?]) throws -> SQLiteMarkedRows {
        var marks = SQLiteMarkedRows(stamps: stamps)
        let statement = try statement("SELECT \(names)", where: [], query.orderBy())
        while try statement.step() {
            if marks.total % SQLiteMarkedRows.stride == 0 { marks.places.append(try place(in: statement)) }
            marks.total += 1
        }
        return marks
    }
}
