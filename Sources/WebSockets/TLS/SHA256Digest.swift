import CLibwebsockets

/// A SHA-256 digest (FIPS 180-4), by the OpenSSL that libwebsockets is linked with.
package struct SHA256Digest: Hashable, Sendable {
    /// 32 of them.
    package let bytes: [UInt8]

    /// The digest of a text's UTF-8.
    package init(of text: some StringProtocol) {
        let input = Array(text.utf8)
        var output = [UInt8](repeating: 0, count: Self.count)
        SHA256(input, input.count, &output)
        bytes = output
    }

    /// A digest that is written as 64 hexadecimal digits; nil for any other text.
    package init?(hexadecimal text: String) {
        let digits = text.utf8.compactMap(\.hexadecimalValue)
        guard digits.count == 2 * Self.count, text.utf8.count == digits.count else { return nil }
        bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// As 64 hexadecimal digits, in lower case.
    package var hexadecimal: String {
        String(decoding: bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Whether both are equal, in constant time, unlike `==`.
    package func matches(_ other: SHA256Digest) -> Bool {
        var difference: UInt8 = 0
        for index in 0..<Self.count { difference |= bytes[index] ^ other.bytes[index] }
        return difference == 0
    }

    private static let count = 32
    private static let digits = Array("0123456789abcdef".utf8)
}

extension UInt8 {
    /// Of a hexadecimal digit in ASCII; nil for any other byte.
    package var hexadecimalValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x41 + 10
        case 0x61...0x66: self - 0x61 + 10
        default: nil
        }
    }
}
