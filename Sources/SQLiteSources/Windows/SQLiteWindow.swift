import GRDBSQLite
import KeyedLists
import ListSources

/// Reads windows of an ordered query on an open database.
struct SQLiteWindow {
    let query: SQLiteOrderedQuery
    private let connection: SQLiteConnection
    /// What rows have to meet, to be among those that are looked for: nothing, or one condition.
    let found: [String]

    init(_ query: SQLiteOrderedQuery, finding words: RowQuery, on connection: SQLiteConnection) throws {
        self.query = query
        self.connection = connection
        // By itself, so that its faults are found where they are.
        let names = try SQLiteStatement(query.text, on: connection).columnNames
        for column in query.columns where !names.contains(column.name) {
            let what = column.name == query.key.name ? "rows are told apart" : "rows are ordered"
            throw SourceError(
                message: "The result has no column “\(column.name)”, by which \(what).",
                detail: "It names: \(names.joined(separator: ", "))")
        }
        guard !words.isEmpty else {
            found = []
            return
        }
        try connection.define(SQLiteFinder(words))
        let texts = try Self.builder(for: names, query.fields).textColumns.map { SQLiteOrderedQuery.quoted(names[$0]) }
        found = ["\(SQLiteFinder.name)(\(texts.joined(separator: ", ")))"]
    }

    /// The columns of the order.
    var names: String { query.columns.map(\.quoted).joined(separator: ", ") }

    /// A statement about the rows that meet some conditions.
    func statement(_ select: String, where conditions: [String], _ rest: String = "") throws -> SQLiteStatement {
        let statement = try SQLiteStatement("\(select) \(query.from(where: conditions)) \(rest)", on: connection)
        try statement.bind(query.parameters)
        return statement
    }

    /// The values of the order's columns in the row at which a statement stands, as they stand in SQL.
    func place(in statement: SQLiteStatement) throws -> [String] {
        try query.columns.indices.map { column in
            guard let literal = statement.cell(column).literal else {
                throw SourceError(
                    message:
                        "A row has nothing in the column “\(query.columns[column].name)”, by which rows are ordered.",
                    detail: "coalesce(…) in the query gives it a value.")
            }
            return literal
        }
    }

    /// The rows of a window, and where they are; nil where it is around a row that is not there.
    func rows(in window: Window, by marks: SQLiteMarkedRows) throws -> WindowRows? {
        if !found.isEmpty { return try foundRows(in: window, by: marks) }
        switch window {
        case .first(let first, let count): return try rows(from: first, count: count, by: marks)
        case .last(let count):
            let rows = try read([], "\(query.orderBy(isReversed: true)) LIMIT \(max(0, count))")
            return WindowRows(
                rows.reversed(), first: max(0, marks.count - rows.count), total: max(marks.count, rows.count))
        case .around(let key, let before, let after, let other):
            guard let index = try index(of: key, by: marks) ?? other else { return nil }
            let before = min(max(0, before), index)
            return try rows(from: index - before, count: before + 1 + max(0, after), by: marks)
        }
    }

    private func rows(from first: Int, count: Int, by marks: SQLiteMarkedRows) throws -> WindowRows {
        let first = min(max(0, first), marks.count)
        let mark = min(first / marks.stride, max(0, marks.places.count - 1))
        // Before the first mark, others may have come.
        let start = mark == 0 ? [] : [query.follows(marks.places[mark])]
        let limit = "\(query.orderBy()) LIMIT \(max(0, count)) OFFSET \(first - mark * marks.stride)"
        let rows = try read(start, limit)
        return WindowRows(
            rows, first: first, total: max(marks.count, first + rows.count), isSearching: !marks.isWhole)
    }

    /// Between two rows that are found may lie millions, which are not looked at again.
    private func foundRows(in window: Window, by marks: SQLiteMarkedRows) throws -> WindowRows? {
        let range: Range<Int>? = try window.range(in: marks.count) { key in
            // Beyond what was gone through, it has come since.
            try self.index(of: key, by: marks).flatMap { $0 < marks.count ? $0 : nil }
        }
        guard let range else { return nil }
        var rows: [ListRow] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let (mark, before) = index.quotientAndRemainder(dividingBy: marks.stride)
            let count = min(marks.stride - before, range.upperBound - index)
            let next = mark + 1 < marks.places.count ? [query.follows(marks.places[mark + 1], isBefore: true)] : []
            let limit = "\(query.orderBy()) LIMIT \(count) OFFSET \(before)"
            rows += try read(found + [query.follows(marks.places[mark])] + next, limit)
            index += count
        }
        return WindowRows(rows, first: range.lowerBound, total: marks.count, isSearching: !marks.isWhole)
    }

    private func index(of key: Key, by marks: SQLiteMarkedRows) throws -> Int? {
        guard let isKey = try isKey(key) else { return nil }
        let row = try statement("SELECT \(names)", where: found + [isKey], "LIMIT 1")
        guard try row.step() else { return nil }
        let place = try place(in: row)
        // The last mark that does not come after it. SQLite compares, by the columns' own rules.
        var (low, high) = (0, marks.places.count)
        while low < high {
            let middle = (low + high) / 2
            let isBeyond = try statement(
                "SELECT 1", where: [isKey, query.follows(marks.places[middle])], "LIMIT 1")
            if try isBeyond.step() { low = middle + 1 } else { high = middle }
        }
        let mark = max(0, low - 1)
        let start = mark == 0 ? [] : [query.follows(marks.places[mark])]
        let count = try statement("SELECT count(*)", where: found + start + [query.follows(place, isBefore: true)])
        guard try count.step() else { return nil }
        return mark * marks.stride + (count.cell(0).integer ?? 0)
    }

    /// The condition that a row has a key. Where the column has no type, a number is no text.
    private func isKey(_ key: Key) throws -> String? {
        // SQLite reads its statements up to a zero byte.
        guard !key.string.utf8.contains(0) else { return nil }
        let literals = [key.string.inSQL(between: "'")] + (Int64(key.string).map { ["\($0)"] } ?? [])
        for literal in literals {
            let condition = "\(query.key.quoted) = \(literal)"
            if try statement("SELECT 1", where: [condition], "LIMIT 1").step() { return condition }
        }
        return nil
    }

    private func read(_ conditions: [String], _ rest: String) throws -> [ListRow] {
        let statement = try statement("SELECT *", where: conditions, rest)
        var builder = try Self.builder(for: statement.columnNames, query.fields)
        var cells = SQLiteCells(names: statement.columnNames, used: builder.usedColumns, limit: .max)
        var rows: [ListRow] = []
        while try statement.step() {
            if let row = try builder.add(try cells.record(of: statement)) { rows.append(row) }
        }
        return rows
    }

    private static func builder(for names: [String], _ fields: FieldMapping) throws(SourceError) -> RowBuilder {
        var fields = fields
        let saysNothing = fields.columns.keys.allSatisfy { $0 == .section }
        if !saysNothing || !names.contains("title") {
            fields.columns[.key] = fields.columns[.key] ?? .name("key")
            let others = names.indices.filter { names[$0] != "key" }.map { SourceColumn.number($0 + 1) }
            let shown: [FieldMapping.Field] = saysNothing ? [.title, .subtitle] : []
            for (field, column) in zip(shown, others) { fields.columns[field] = column }
        }
        return try RowBuilder(columns: names, fields: fields, selection: RowSelection(), of: "the result")
    }
}

extension SQLiteCell {
    /// The value as it stands in SQL; nil for NULL.
    fileprivate var literal: String? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: nil
        case SQLITE_INTEGER: "\(sqlite3_column_int64(statement, column))"
        case SQLITE_FLOAT: Self.literal(sqlite3_column_double(statement, column))
        case SQLITE_BLOB: "x'\(hexadecimal)'"
        default: String(cString: sqlite3_column_text(statement, column)).inSQL(between: "'")
        }
    }

    /// Beyond all numbers, as SQLite reads it.
    private static func literal(_ number: Double) -> String {
        number.isFinite ? "\(number)" : number < 0 ? "-9e999" : "9e999"
    }

}

/// A function of SQL that tells whether texts have the words that somebody looks for.
final class SQLiteFinder {
    static let name = "refreshable_has_words"

    private let words: RowQuery

    init(_ words: RowQuery) { self.words = words }

    fileprivate func areFound(in values: UnsafeMutableBufferPointer<OpaquePointer?>) -> Bool {
        // On the stack: it is called for each row of a table.
        withUnsafeTemporaryAllocation(of: UnsafeRawBufferPointer.self, capacity: values.count) { texts in
            for (index, value) in values.enumerated() {
                // In this order: the first call may convert what the second counts.
                let start = sqlite3_value_text(value)
                let text = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
                texts.initializeElement(at: index, to: text)
            }
            return words.hasWords(in: UnsafeBufferPointer(texts))
        }
    }
}

extension SQLiteConnection {
    /// Has SQL know a finder, for as long as the database is open.
    fileprivate func define(_ finder: SQLiteFinder) throws {
        let code = sqlite3_create_function_v2(
            handle, SQLiteFinder.name, -1, SQLITE_UTF8, Unmanaged.passRetained(finder).toOpaque(),
            { call, count, values in
                let finder = Unmanaged<SQLiteFinder>.fromOpaque(sqlite3_user_data(call).unsafelyUnwrapped)
                let texts = UnsafeMutableBufferPointer(start: values, count: Int(count))
                sqlite3_result_int(call, finder.takeUnretainedValue().areFound(in: texts) ? 1 : 0)
            }, nil, nil, { Unmanaged<SQLiteFinder>.fromOpaque($0.unsafelyUnwrapped).release() })
        guard code == SQLITE_OK else { throw failure(code) }
    }
}
