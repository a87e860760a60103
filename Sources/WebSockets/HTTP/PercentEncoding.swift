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
}
