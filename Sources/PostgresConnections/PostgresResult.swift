import CPostgres

/// One row of a result, while it is taken. Values are texts, as the server writes them, or binary, as they were asked for.
package struct PostgresRow {
    private let result: OpaquePointer
    private let row: Int32

    init(_ result: OpaquePointer, _ row: Int32) {
        self.result = result
        self.row = row
    }

    /// The bytes of a value, counted from column 0; nil for NULL. Valid while the row is taken.
    package func bytes(_ column: Int) -> UnsafeRawBufferPointer? {
        guard PQgetisnull(result, row, Int32(column)) == 0 else { return nil }
        return UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, Int32(column)), count: Int(PQgetlength(result, row, Int32(column))))
    }

    /// A value as text; nil for NULL.
    package func text(_ column: Int) -> String? { bytes(column).map { String(decoding: $0, as: UTF8.self) } }

    /// A binary `bigint`; nil for NULL, and for what is none.
    package func int(_ column: Int) -> Int? {
        guard let bytes = bytes(column), bytes.count == 8 else { return nil }
        return Int(Int64(bigEndian: bytes.loadUnaligned(as: Int64.self)))
    }

    /// A `bytea`; nil for NULL.
    package func array(_ column: Int) -> [UInt8]? { bytes(column).map { [UInt8]($0) } }
}

/// A column of a result.
package struct PostgresColumn: Hashable, Sendable {
    /// Two may be alike.
    package var name: String
    /// Its type's number in `pg_type`.
    package var type: UInt32

    /// `bool` and `bytea`, which a person reads otherwise than the server writes them (pg_type.dat).
    package static let (boolean, bytes) = (UInt32(16), UInt32(17))

    static func all(of result: OpaquePointer) -> [PostgresColumn] {
        (0..<PQnfields(result)).map { column in
            PostgresColumn(name: String(cString: PQfname(result, column)), type: PQftype(result, column))
        }
    }
}

extension PostgresError.Refusal {
    /// What is wrong with the statement that has this result.
    init(_ result: OpaquePointer) {
        func field(_ code: Int32) -> String? { PQresultErrorField(result, code).map { String(cString: $0) } }
        state = field(shim_PG_DIAG_SQLSTATE) ?? ""
        message = field(shim_PG_DIAG_MESSAGE_PRIMARY) ?? String(cString: PQresultErrorMessage(result))
        detail = field(shim_PG_DIAG_MESSAGE_DETAIL)
        hint = field(shim_PG_DIAG_MESSAGE_HINT)
        position = field(shim_PG_DIAG_STATEMENT_POSITION).flatMap { Int($0) }
    }
}
