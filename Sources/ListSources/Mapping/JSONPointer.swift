/// Leads from a JSON value to one within it: RFC 6901.
///
/// ```
///   {"data": {"a/b": [10, 20]}}        ""            the whole
///                                      /data/a~1b/1  20          ~1 is "/", ~0 is "~"; elements count from 0
/// ```
public struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    /// The names of members and the numbers of elements on the way; none: the whole value.
    public let tokens: [String]

    /// A way through these members and elements.
    public init(_ tokens: [String]) {
        self.tokens = tokens
    }

    /// Reads the form with slashes. Nil if it is neither empty nor begins with a slash, or has a `~` before anything but
    /// `0` and `1`.
    public init?(_ text: String) {
        // By bytes, as a combining mark after a slash would hide the slash from a comparison of characters.
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.first?.isEmpty ?? true else { return nil }
        var tokens: [String] = []
        for part in parts.dropFirst() {
            guard let token = Self.unescape(part) else { return nil }
            tokens.append(token)
        }
        self.tokens = tokens
    }

    /// The form with slashes.
    public var description: String { tokens.map { "/" + Self.escape($0) }.joined() }

    /// The element of an array that a token stands for: digits, without zeros in front. Nil for any other.
    static func element(_ token: String) -> Int? {
        guard token.utf8.allSatisfy({ (48...57).contains($0) }), token == "0" || !token.hasPrefix("0") else {
            return nil
        }
        return Int(token)
    }

    private static func unescape(_ part: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var rest = part[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "~") else {
                bytes.append(byte)
                continue
            }
            switch rest.popFirst() {
            case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
            case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
            default: return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func escape(_ token: String) -> String {
        let bytes = token.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "~"): Array("~0".utf8)
            case UInt8(ascii: "/"): Array("~1".utf8)
            default: [byte]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
