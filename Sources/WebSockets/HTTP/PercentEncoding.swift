/// Texts as they stand in a URL: bytes that mean something else there, or nothing, as `%2F` (RFC 3986 §2.1).
package enum PercentEncoding {
    /// A whole path; its slashes stay.
    package static func path(_ path: String) -> String { encoded(path, but: "/-._~!$&'()*+,;=:@") }

    private static func encoded(_ text: String, but plain: String) -> String {
        let plain = Set(plain.utf8)
        return text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: String(UnicodeScalar(byte))
            case _ where plain.contains(byte): String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }

    /// What is escaped, as it is. A `%` without two digits stays.
    static func decoded(_ text: Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%"), let high = rest.first?.hexDigit, let low = rest.dropFirst().first?.hexDigit
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(high << 4 | low)
            rest.removeFirst(2)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// What it stands for as a digit of base 16.
    var hexDigit: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46, 0x61...0x66: (self | 0x20) - 0x57
        default: nil
        }
    }
}
