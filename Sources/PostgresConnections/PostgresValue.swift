/// A value for a statement, with its type, in PostgreSQL's binary format: numbers with the highest byte first.
///
/// Types are numbers of `pg_type` (pg_type.dat).
package struct PostgresValue: Sendable {
    let type: UInt32
    /// Nil for NULL.
    let bytes: [UInt8]?

    private enum TypeNumber {
        static let (bool, bytes, int8, text) = (UInt32(16), UInt32(17), UInt32(20), UInt32(25))
        static let (byteArray, int8Array) = (UInt32(1001), UInt32(1016))
    }

    /// `bigint`.
    package static func int(_ number: (some FixedWidthInteger & Sendable)?) -> PostgresValue {
        PostgresValue(type: TypeNumber.int8, bytes: number.map { Self.bytes(of: Int64($0)) })
    }

    /// `boolean`.
    package static func bool(_ value: Bool) -> PostgresValue {
        PostgresValue(type: TypeNumber.bool, bytes: [value ? 1 : 0])
    }

    /// `text`. PostgreSQL takes none with a zero byte.
    package static func text(_ text: String?) -> PostgresValue {
        PostgresValue(type: TypeNumber.text, bytes: text.map { Array($0.utf8) })
    }

    /// `bytea`.
    package static func bytes(_ bytes: [UInt8]?) -> PostgresValue {
        PostgresValue(type: TypeNumber.bytes, bytes: bytes)
    }

    /// `bigint[]`.
    package static func ints(_ numbers: [Int]) -> PostgresValue {
        array(of: TypeNumber.int8, as: TypeNumber.int8Array, count: numbers.count, size: numbers.count * 12) { bytes in
            for number in numbers {
                append(Int32(8), to: &bytes)
                append(Int64(number), to: &bytes)
            }
        }
    }

    /// `bytea[]`.
    package static func bytes(_ values: [[UInt8]]) -> PostgresValue {
        let size = values.reduce(0) { $0 + $1.count + 4 }
        return array(of: TypeNumber.bytes, as: TypeNumber.byteArray, count: values.count, size: size) { bytes in
            for value in values {
                append(Int32(value.count), to: &bytes)
                bytes += value
            }
        }
    }

    /// array_send in PostgreSQL's arrayfuncs.c: dimensions, whether there are NULLs, the elements' type, length, lower bound.
    private static func array(
        of element: UInt32, as type: UInt32, count: Int, size: Int, _ write: (inout [UInt8]) -> Void
    ) -> PostgresValue {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + size)
        append(Int32(count == 0 ? 0 : 1), to: &bytes)
        append(Int32(0), to: &bytes)
        append(element, to: &bytes)
        if count > 0 {
            append(Int32(count), to: &bytes)
            append(Int32(1), to: &bytes)
            write(&bytes)
        }
        return PostgresValue(type: type, bytes: bytes)
    }

    private static func bytes(of number: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        append(number, to: &bytes)
        return bytes
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}

extension [PostgresValue] {
    /// Calls with what libpq takes them as.
    func withPointers<Result>(_ body: ([UnsafePointer<CChar>?], [Int32]) -> Result) -> Result {
        let lengths = map { Int32($0.bytes?.count ?? 0) }
        var whole: [UInt8] = []
        whole.reserveCapacity(lengths.reduce(0) { $0 + Int($1) })
        for value in self { whole += value.bytes ?? [] }
        // One that is empty and not NULL has an address, too.
        whole.append(0)
        return whole.withUnsafeBytes { buffer in
            let start = buffer.baseAddress!.assumingMemoryBound(to: CChar.self)
            var place = 0
            let pointers = map { value -> UnsafePointer<CChar>? in
                guard let bytes = value.bytes else { return nil }
                defer { place += bytes.count }
                return start + place
            }
            return body(pointers, lengths)
        }
    }
}
