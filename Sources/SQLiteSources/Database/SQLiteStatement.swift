import GRDBSQLite
import KeyedLists
import ListSources

/// One query and the row of its result that it stands at.
final class SQLiteStatement {
    private let connection: SQLiteConnection
    private let handle: OpaquePointer

    /// - Throws: `SourceError` for what is no single statement that reads.
    init(_ query: String, on connection: SQLiteConnection) throws {
        self.connection = connection
        handle = try query.withCString { text in
            var rest: UnsafePointer<CChar>? = text
            guard let first = try Self.next(&rest, of: query, on: connection) else {
                throw SourceError(message: "The query is empty: a SELECT is expected.")
            }
            do {
                try Self.check(first)
                try Self.checkEnd(&rest, on: connection)
            } catch {
                sqlite3_finalize(first)
                throw error
            }
            return first
        }
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// The names of the result's columns. Two may be alike.
    var columnNames: [String] {
        (0..<sqlite3_column_count(handle)).map { String(cString: sqlite3_column_name(handle, $0)) }
    }

    /// Goes on to the next row; false: there is none.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw connection.failure(code)
        }
    }

    /// What stands in a column of this row, counted from 0.
    func cell(_ column: Int) -> SQLiteCell { SQLiteCell(handle, Int32(column)) }

    /// The next statement of a text; nil where only blanks and comments are left.
    private static func next(
        _ rest: inout UnsafePointer<CChar>?, of query: String, on connection: SQLiteConnection
    ) throws -> OpaquePointer? {
        while let text = rest, text.pointee != 0 {
            var statement: OpaquePointer?
            let code = sqlite3_prepare_v2(connection.handle, text, -1, &statement, &rest)
            guard code == SQLITE_OK else { throw connection.failure(code, in: query) }
            if let statement { return statement }
        }
        return nil
    }

    private static func check(_ statement: OpaquePointer) throws(SourceError) {
        guard sqlite3_stmt_readonly(statement) != 0 else {
            throw SourceError(message: "The query would change the database: a SELECT is expected.")
        }
        guard sqlite3_column_count(statement) > 0 else {
            throw SourceError(message: "The query has no result: a SELECT is expected.")
        }
    }

    private static func checkEnd(_ rest: inout UnsafePointer<CChar>?, on connection: SQLiteConnection) throws {
        let tail = rest.map { String(cString: $0) } ?? ""
        var another: OpaquePointer?
        do {
            another = try next(&rest, of: tail, on: connection)
        } catch is SourceError {
            // What follows is faulty, but it is something.
            throw severalStatements
        }
        guard another != nil else { return }
        sqlite3_finalize(another)
        throw severalStatements
    }

    private static let severalStatements = SourceError(
        message: "The query is more than one statement: one SELECT is expected.",
        detail: "Something follows the first semicolon.")
}

extension SQLiteStatement {
    /// Puts values into the query's places.
    func bind(_ parameters: SQLiteParameters) throws {
        switch parameters {
        case .positional(let values): try bind(values)
        case .named(let values): try bind(values)
        }
    }

    private func bind(_ values: [SQLiteValue]) throws {
        let count = Int(sqlite3_bind_parameter_count(handle))
        guard values.count == count else {
            throw SourceError(message: "The query has places for \(count) values, and is given \(values.count).")
        }
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
    }

    private func bind(_ values: [String: SQLiteValue]) throws {
        let places = try (0..<sqlite3_bind_parameter_count(handle)).map { try name(of: $0 + 1) }
        // Without the sign before it: one of : @ $ and ?
        let names = places.map { String($0.dropFirst()) }
        for name in values.keys.sorted() where !names.contains(name) {
            throw SourceError(
                message: "The query has no parameter :\(name).",
                detail: places.isEmpty ? "" : "It has \(places.joined(separator: ", ")).")
        }
        for (index, name) in names.enumerated() {
            guard let value = values[name] else {
                throw SourceError(message: "The query needs a value for its parameter \(places[index]).")
            }
            try bind(value, at: Int32(index + 1))
        }
    }

    private func name(of place: Int32) throws(SourceError) -> String {
        guard let name = sqlite3_bind_parameter_name(handle, place) else {
            throw SourceError(message: "The query has a ? without a name: its values are expected as a list.")
        }
        return String(cString: name)
    }

    private func bind(_ value: SQLiteValue, at place: Int32) throws {
        let code =
            switch value {
            case .null: sqlite3_bind_null(handle, place)
            case .integer(let number): sqlite3_bind_int64(handle, place, number)
            case .real(let number): sqlite3_bind_double(handle, place, number)
            case .text(let text): sqlite3_bind_text(handle, place, text, Int32(text.utf8.count), Self.copied)
            case .blob(let bytes): sqlite3_bind_blob(handle, place, bytes, Int32(bytes.count), Self.copied)
            }
        guard code == SQLITE_OK else { throw connection.failure(code) }
    }

    /// SQLITE_TRANSIENT, which Swift does not import: SQLite copies what it is given.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// The value of one column of a statement's current row. Valid until the next step.
struct SQLiteCell {
    /// The most of one text that is read, in bytes; a row with its fields has less room.
    static let textLimit = RecordReader.lineLimit
    /// The largest BLOB that is shown, in bytes: an identifier or a hash, in hexadecimal.
    static let blobLimit = 64

    /// Why a cell can't be shown.
    enum Fault: Error, Hashable {
        case noText
        case text(Int)
        case blob(Int)
    }

    let statement: OpaquePointer
    let column: Int32

    init(_ statement: OpaquePointer, _ column: Int32) {
        self.statement = statement
        self.column = column
    }

    /// The text that it is shown as; nil for NULL.
    func text() throws(Fault) -> String? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: nil
        case SQLITE_INTEGER: String(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: Self.text(sqlite3_column_double(statement, column))
        case SQLITE_BLOB: try blob()
        default: try string()
        }
    }

    /// A whole number; nil for NULL.
    var integer: Int? {
        sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : Int(sqlite3_column_int64(statement, column))
    }

    /// The bytes of a text or a BLOB.
    var bytes: UnsafeRawBufferPointer {
        // In this order: the first call may convert what the second counts.
        let start = sqlite3_column_blob(statement, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    }

    private func string() throws(Fault) -> String {
        // In this order: the first call may convert what the second counts.
        let start = sqlite3_column_text(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        guard count <= Self.textLimit else { throw .text(count) }
        guard let text = String(validating: UnsafeBufferPointer(start: start, count: count), as: UTF8.self) else {
            throw .noText
        }
        return text
    }

    private func blob() throws(Fault) -> String {
        let count = Int(sqlite3_column_bytes(statement, column))
        guard count <= Self.blobLimit else { throw .blob(count) }
        return hexadecimal
    }

    var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// As JSON writes it; what is infinite as mathematics do.
    private static func text(_ number: Double) -> String {
        guard number.isFinite else { return number < 0 ? "-∞" : "∞" }
        return String(decoding: JSONValue.number(number).canonical, as: UTF8.self)
    }
}

/// A value that a query is given.
public enum SQLiteValue: Hashable, Sendable {
    /// Nothing; equal to no other value, as SQL has it.
    case null
    /// A whole number of 64 bits.
    case integer(Int64)
    /// Any other number.
    case real(Double)
    /// A text.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

extension SQLiteValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }

    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// A number.
    public init(floatLiteral value: Double) { self = .real(value) }

    /// 1 or 0: SQLite has no other truth.
    public init(booleanLiteral value: Bool) { self = .integer(value ? 1 : 0) }

    /// Nothing.
    public init(nilLiteral: ()) { self = .null }
}

/// The values that stand in a query's places, so that none is ever read as SQL.
///
/// ```swift
/// ["state": "open", "least": 5]      // for :state, @state or $state, and :least
/// ["open", 5]                        // for ? and ?, in their order
/// ```
public enum SQLiteParameters: Hashable, Sendable {
    /// By name, without the sign before it. Each name of the query has to be here, and no other.
    case named([String: SQLiteValue])
    /// In order, as many as the query has places.
    case positional([SQLiteValue])
}

extension SQLiteParameters: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
    /// By name. Of two values with one name the last counts.
    public init(dictionaryLiteral elements: (String, SQLiteValue)...) {
        self = .named(Dictionary(elements) { _, last in last })
    }

    /// In order.
    public init(arrayLiteral elements: SQLiteValue...) { self = .positional(elements) }
}
