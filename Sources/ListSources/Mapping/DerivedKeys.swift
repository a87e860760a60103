import KeyedLists

/// Makes keys for rows whose source names none.
///
/// A key is a hash of the row's canonical fields, so an unchanged row keeps its key from run to run and a changed one
/// is another row. The second of two equal rows is numbered `-2`, and so on: equal rows are no fault here, as they are
/// where a key column was named.
struct DerivedKeys {
    private var seen: [UInt64: Int] = [:]

    /// The key of the next row.
    mutating func key(for fields: Fields) -> Key {
        let hash = Self.hash(fields.bytes)
        let number = seen[hash, default: 0] + 1
        seen[hash] = number
        let base = String(hash, radix: 36)
        return Key(number == 1 ? base : "\(base)-\(number)")
    }

    /// FNV-1a, 64 bits. A collision costs no more than a number behind the key.
    static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
