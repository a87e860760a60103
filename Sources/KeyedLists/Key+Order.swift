extension Key {
    /// Whether this comes first in the order of RFC 8785 §3.2.3: by UTF-16 code units.
    func precedes(_ other: Key) -> Bool {
        withBytes { bytes in
            other.withBytes { otherBytes in
                let difference = zip(bytes, otherBytes).first { $0 != $1 }
                guard let difference else { return bytes.count < otherBytes.count }
                return difference.0.utf16Rank < difference.1.utf16Rank
            }
        }
    }
}

extension UInt8 {
    /// Where a byte, at which two texts of UTF-8 first differ, stands in the order of UTF-16.
    ///
    /// The orders are the same but for scalars beyond the first plane, which begin with F0 to F4: their surrogates, D800 to
    /// DFFF, come before E000 to FFFF, which begin with EE and EF.
    @inline(__always)
    var utf16Rank: UInt16 {
        switch self {
        case 0xEE, 0xEF: UInt16(self) + 0x100
        default: UInt16(self)
        }
    }
}
