import CZlib

/// Tags that name a content: two that differ have, for all practical purposes, different tags.
enum EntityTag {
    /// CRC-32, length and FNV-1a of the bytes: the same in every process.
    static func of(_ bytes: [UInt8]) -> String {
        let sum = bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }
        // http://www.isthe.com/chongo/tech/comp/fnv: offset basis and prime for 64 bits.
        let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return String(hash, radix: 36) + String(UInt64(sum), radix: 36) + String(bytes.count, radix: 36)
    }

    /// Whether an If-None-Match names the tag: a list, weak or strong, or `*` (RFC 9110 §13.1.2).
    static func matches(_ tag: String, _ header: String?) -> Bool {
        guard let header else { return false }
        return header.split(separator: ",").map { $0.trimmingSpace() }.contains { candidate in
            candidate == "*" || candidate == tag || candidate == "W/" + tag
        }
    }
}
