import Dispatch
import KeyedLists
import ListSources
import Locking

/// Where rows of an order are: of some thousands, whatever their number, the values by which SQLite finds them.
///
///     the order   0 ─────┬─────┬─────┬───── 417 ─ ─ ─ ─ ─ ─ ─
///     places      0    128   256   384      rest: from here
struct SQLiteMarkedRows: Sendable {
    /// What was not gone through yet.
    enum Rest {
        case all
        /// The rows that follow a place, and its own.
        case from([String])
        case nothing
    }

    /// To walk from one place to the next of ten million rows takes about a millisecond.
    private static let most = 8192

    /// Each is the values of the order's columns in a row, as they stand in SQL.
    private(set) var places: [[String]] = []
    /// How many rows lie between a place and the next.
    private(set) var stride = 1
    private(set) var count = 0
    fileprivate(set) var rest = Rest.all
    /// Of the database, when it was begun.
    fileprivate let stamps: [FileStamp?]

    fileprivate init(stamps: [FileStamp?]) { self.stamps = stamps }

    /// Adds the next row.
    fileprivate mutating func append(_ place: @autoclosure () throws -> [String]) rethrows {
        if count.isMultiple(of: stride), places.count == Self.most {
            places = places.indices.filter { $0.isMultiple(of: 2) }.map { places[$0] }
            stride *= 2
        }
        if count.isMultiple(of: stride) { places.append(try place()) }
        count += 1
    }
}

extension SQLiteMarkedRows: SearchResult {
    var isWhole: Bool { if case .nothing = rest { true } else { false } }
    /// With two columns of short values.
    var size: Int { places.count * 100 }

    /// Whether the database is still as it was, by the stamps that its files have now.
    fileprivate func isCurrent(at stamps: [FileStamp?]) -> Bool {
        self.stamps == stamps && FileStamp.haveRested(stamps)
    }
}

/// The orders that were gone through: of all rows, and of those that people look for.
final class SQLiteMarks: Sendable {
    private let known = Locked(RecentSearches<SQLiteMarkedRows>())
    /// One turn after the other: whoever comes second finds what the first has found.
    private let thread = DispatchQueue(label: "SQLiteMarks")

    /// Goes through all rows, unless that was done in this state of the database. What was found in another state serves until
    /// then, and is forgotten.
    func renew(for query: SQLiteOrderedQuery, in file: SQLiteFile) async throws {
        let stamps = FollowedFile.database.stamps(of: file.path)
        guard let old = known.withLock({ $0[RowQuery()] }), old.isWhole, !old.isCurrent(at: stamps) else {
            known.withLock { $0.forget { !$0.isCurrent(at: stamps) } }
            _ = try await self.marks(of: query, finding: RowQuery(), for: nil, in: file)
            return
        }
        var marks = SQLiteMarkedRows(stamps: stamps)
        while !marks.isWhole {
            marks = try await file.read(on: thread) { [marks] connection, _ in
                try SQLiteWindow(query, finding: RowQuery(), on: connection).goOn(from: marks, for: nil)
            }
        }
        try known.withLock { [marks] known in
            known.forget { !$0.isCurrent(at: stamps) }
            try known.keep(marks, of: RowQuery())
        }
    }

    /// Goes through an order, unless that was done.
    ///
    /// - Parameter window: of somebody who is shown what is found first: then until there is some of it, or to the end. Nil: to the
    ///   end.
    func marks(
        of query: SQLiteOrderedQuery, finding found: RowQuery, for window: Window?, in file: SQLiteFile
    ) async throws -> SQLiteMarkedRows {
        if let marks = known.withLock({ $0[found] }), marks.isWhole { return marks }
        while true {
            let marks = try await goOn(with: query, finding: found, for: window, in: file)
            if marks.suffices(for: window) { return marks }
        }
    }

    /// Goes on for a turn.
    private func goOn(
        with query: SQLiteOrderedQuery, finding found: RowQuery, for window: Window?, in file: SQLiteFile
    ) async throws -> SQLiteMarkedRows {
        try await file.read(on: thread) { [known] connection, _ in
            // Before it is read: what changes meanwhile is found at the next look.
            let before =
                known.withLock { $0[found] }
                ?? SQLiteMarkedRows(stamps: FollowedFile.database.stamps(of: file.path))
            guard !before.isWhole else { return before }
            let marks = try SQLiteWindow(query, finding: found, on: connection).goOn(from: before, for: window)
            try known.withLock { known in try known.keep(marks, of: found) }
            return marks
        }
    }
}

extension SQLiteWindow {
    /// Goes on through the order for a turn.
    fileprivate func goOn(from before: SQLiteMarkedRows, for window: Window?) throws -> SQLiteMarkedRows {
        let begin: [String]?
        switch before.rest {
        case .all: begin = nil
        case .from(let place): begin = place
        case .nothing: return before
        }
        var marks = before
        // Most tables are counted within the first turn, so that nobody sees a count that grows.
        var turn =
            found.isEmpty
            ? SearchTurn(for: nil, having: before.count, patience: .milliseconds(10))
            : SearchTurn(for: window, having: before.count)
        let columns = ([names] + found).joined(separator: ", ")
        let start = begin.map { [query.follows($0)] } ?? []
        let statement = try statement("SELECT \(columns)", where: start, query.orderBy())
        while try statement.step() {
            if turn.isOver(having: marks.count) {
                let place = try place(in: statement)
                // Else the next turn would begin there, too.
                guard place != begin else {
                    throw SourceError(message: "Many rows have the same key: \(place[place.count - 1]).")
                }
                marks.rest = .from(place)
                return marks
            }
            let isFound = found.isEmpty || statement.cell(query.columns.count).integer == 1
            if isFound { try marks.append(place(in: statement)) }
        }
        marks.rest = .nothing
        return marks
    }
}
