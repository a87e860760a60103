import ListSources
import PostgresConnections

/// Takes the cells that are used off each row of a result, counts what they weigh, and hands them over as they come.
///
/// On the thread of its connection alone.
final class PostgresResultReader: PostgresConnection.Receiver, @unchecked Sendable {
    enum Result {
        /// The columns are known, and fit what is asked for.
        case columns(RowBuilder)
        case records([Record])
    }

    /// The most of one text that is read, in bytes; a row with its fields has less room.
    private static let textLimit = RecordReader.lineLimit
    /// The largest `bytea` that is shown, in bytes: an identifier or a hash, in hexadecimal.
    private static let bytesLimit = 64
    /// Rows are handed over so many at a time at most.
    private static let batch = 512

    private let source: PostgresSource
    private let results: AsyncThrowingStream<Result, any Error>.Continuation
    private var columns: [PostgresColumn] = []
    private var used: [Int] = []
    private var records: [Record] = []
    private var number = 0
    private var size = 0

    init(_ source: PostgresSource, _ results: AsyncThrowingStream<Result, any Error>.Continuation) {
        self.source = source
        self.results = results
    }

    func columns(_ columns: [PostgresColumn]) throws {
        self.columns = columns
        let builder = try RowBuilder(
            columns: columns.map(\.name), fields: source.fields, selection: source.selection, of: "the result")
        used = builder.usedColumns
        results.yield(.columns(builder))
    }

    func row(_ row: PostgresRow) throws {
        number += 1
        var cells = [String?](repeating: nil, count: columns.count)
        for column in used {
            cells[column] = try text(row, column)
            size += cells[column]?.utf8.count ?? 0
        }
        guard size <= source.limit else {
            throw SourceError(
                message: "The result is larger than \(ByteCount.text(source.limit)).", detail: "Ask for fewer rows.")
        }
        records.append(Record(place: .number(number), content: .values(cells)))
        if records.count >= Self.batch { paused() }
    }

    func paused() {
        guard !records.isEmpty else { return }
        results.yield(.records(records))
        records = []
    }

    func ended(_ error: (any Error)?) {
        paused()
        results.finish(throwing: error)
    }

    private func text(_ row: PostgresRow, _ column: Int) throws(SourceError) -> String? {
        guard let bytes = row.bytes(column) else { return nil }
        switch columns[column].type {
        case PostgresColumn.boolean: return bytes.first == UInt8(ascii: "t") ? "true" : "false"
        case PostgresColumn.bytes:
            // Behind \x, two digits a byte.
            let count = (bytes.count - 2) / 2
            guard count <= Self.bytesLimit else {
                throw fault(column, "a bytea of \(count) bytes. \(Self.bytesLimit) are shown at most.")
            }
            return String(decoding: bytes.dropFirst(2), as: UTF8.self)
        default:
            guard bytes.count <= Self.textLimit else {
                throw fault(column, "a text of \(bytes.count) bytes. \(Self.textLimit) are read at most.")
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    private func fault(_ column: Int, _ what: String) -> SourceError {
        SourceError(message: "Row \(number) of the result has in column \(columns[column].name) \(what)")
    }
}
