/// The cyclic redundancy check of ISO 3309 that zlib, gzip and PNG use: 32 bits that tell whether bytes are the same.
///
///     var check = CRC32()
///     check.update(bytes)            // of "123456789"
///     check.value                    // 0xCBF43926
///
/// It finds what went wrong by accident, not what was made to deceive. Eight bytes a step, by eight tables: slicing-by-8 of
/// M. E. Kounavis and F. L. Berry, "A Systematic Approach to Building High Performance Software-Based CRC Generators"
/// (ISCC 2005). The polynomial is 0xEDB88320, that of ISO 3309 with its bits reversed.
package struct CRC32 {
    private var register = UInt32.max

    /// The check of no bytes.
    package init() {}

    /// The check of all bytes so far.
    package var value: UInt32 { ~register }

    /// Takes in bytes, as if they followed those before them.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var register = self.register
        Self.tables.withUnsafeBufferPointer { tables in
            var offset = 0
            while offset + 8 <= bytes.count {
                register = Self.step(register, over: bytes.word(at: offset).littleEndian, tables)
                offset += 8
            }
            while offset < bytes.count {
                register = Self.step(register, over: bytes[offset], tables)
                offset += 1
            }
        }
        self.register = register
    }

    /// Takes in one byte.
    package mutating func update(_ byte: UInt8) {
        register = Self.tables.withUnsafeBufferPointer { Self.step(register, over: byte, $0) }
    }

    @inline(__always)
    private static func step(_ register: UInt32, over byte: UInt8, _ tables: UnsafeBufferPointer<UInt32>) -> UInt32 {
        register >> 8 ^ tables[Int(UInt8(truncatingIfNeeded: register) ^ byte)]
    }

    /// The first byte of the eight has seven others behind it, so it is looked up in the last table.
    @inline(__always)
    private static func step(_ register: UInt32, over word: UInt64, _ tables: UnsafeBufferPointer<UInt32>) -> UInt32 {
        var rest = word ^ UInt64(register)
        var result: UInt32 = 0
        for table in stride(from: 7, through: 0, by: -1) {
            result ^= tables[table << 8 | Int(rest & 0xFF)]
            rest >>= 8
        }
        return result
    }

    /// Eight tables of 256: in the nth, what a byte comes to that n zeroes follow.
    private static let tables: [UInt32] = {
        var tables = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte)) { register, _ in register >> 1 ^ (register & 1) * 0xEDB8_8320 }
        }
        for entry in 256..<8 * 256 {
            let shorter = tables[entry - 256]
            tables.append(shorter >> 8 ^ tables[Int(shorter & 0xFF)])
        }
        return tables
    }()
}
