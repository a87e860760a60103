import GRDBSQLite
import KeyedLists

/// What stands in one column of the row at which a statement is. Valid until the statement goes on.
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

    private let statement: OpaquePointer
    private let column: Int32

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
        let start = sqlite3_column_blob(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        guard count <= Self.blobLimit else { throw .blob(count) }
        let digits = Array("0123456789abcdef".utf8)
        let bytes = UnsafeRawBufferPointer(start: start, count: count)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// As JSON writes it; what is infinite as mathematics do.
    private static func text(_ number: Double) -> String {
        guard number.isFinite else { return number < 0 ? "-∞" : "∞" }
        return String(decoding: JSONValue.number(number).canonical, as: UTF8.self)
    }
}
