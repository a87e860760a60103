/// The first line of a request: `GET /lists?x=1 HTTP/1.1` (RFC 9112 §3). Pure.
struct RequestLine {
    /// One of `methods`.
    let method: String
    let target: RequestTarget
    /// Of HTTP/1.0, in which a connection ends with its answer.
    let isOld: Bool

    /// Those that are served.
    static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    /// - Parameters:
    ///   - line: without its end; no control character is in it.
    ///   - limit: bytes that its target may have.
    init(_ line: UnsafeRawBufferPointer, limit: Int) throws(HeadFault) {
        let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let name = Self.token(parts[0]) else { throw Self.isNone }
        isOld = try Self.isOld(parts[2])
        guard let method = Self.methods.first(where: { $0 == name }) else { throw Self.unknown(name) }
        self.method = method
        guard parts[1].count <= limit else { throw .address(limit: limit) }
        target = try RequestTarget(parts[1], method: method)
    }

    private static func token(_ bytes: Slice<UnsafeRawBufferPointer>) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.isToken ? text : nil
    }

    /// A later 1.x is read as 1.1 (RFC 9110 §2.5).
    private static func isOld(_ version: Slice<UnsafeRawBufferPointer>) throws(HeadFault) -> Bool {
        guard version.starts(with: "HTTP/".utf8) else { throw isNone }
        let number = Array(version.dropFirst(5))
        guard let major = number.first, (0x30...0x39).contains(major) else { throw isNone }
        let isOne = number.count == 3 && number.starts(with: "1.".utf8) && (0x30...0x39).contains(number[2])
        guard isOne else { throw otherVersion }
        return number[2] == 0x30
    }

    static let isNone = HeadFault(
        "The request does not begin with a line such as GET / HTTP/1.1: a method, an address and the version, with one "
            + "space between each; a space in an address is %20.")

    private static let otherVersion = HeadFault(505, "Only HTTP/1.1 and HTTP/1.0 are supported. Send HTTP/1.1.")

    private static func unknown(_ method: String) -> HeadFault {
        let served = methods.dropLast().joined(separator: ", ") + " or OPTIONS"
        return HeadFault(501, "The method \(method.prefix(32)) is not served here. Send \(served), in capitals.")
    }
}

/// What a request is about (RFC 9112 §3.2): `/path?query`, `http://host/path?query` from a client that takes us for a proxy,
/// or `*`, the server as a whole, for which stands `/`. Pure.
///
/// For files, a path is decoded first and resolved then, so that `%2e%2e` and `%2F` do what `..` and `/` do, and lead nowhere
/// else; nothing leads above the root, and several slashes count as one. For all else it is left as it came, so that a slash
/// that was escaped stays part of a name. A byte beyond ASCII is taken as if it were escaped.
struct RequestTarget {
    /// Decoded and resolved.
    let path: String
    /// As it came.
    let rawPath: String
    let query: String
    /// The host and port of an absolute address.
    let authority: String?

    /// - Parameter bytes: without space or control character.
    init(_ bytes: Slice<UnsafeRawBufferPointer>, method: String) throws(HeadFault) {
        let (authority, relative) = try Self.parts(bytes, method)
        self.authority = authority
        guard !relative.contains(UInt8(ascii: "#")) else { throw Self.hasFragment }
        let path = relative.prefix { $0 != UInt8(ascii: "?") }
        let decoded = try Self.decoded(path)
        guard let text = String(validating: Self.resolved(decoded), as: UTF8.self) else { throw Self.isNoText }
        self.path = text
        rawPath = path.isEmpty ? "/" : try Self.asSent(path)
        query = try Self.asSent(relative.dropFirst(path.count + 1))
    }

    private typealias Bytes = Slice<UnsafeRawBufferPointer>

    /// The host, if the address names one, and what is behind it.
    private static func parts(_ target: Bytes, _ method: String) throws(HeadFault) -> (String?, Bytes) {
        if target.first == UInt8(ascii: "/") { return (nil, target) }
        if target.elementsEqual("*".utf8), method == "OPTIONS" { return (nil, target.dropFirst()) }
        for scheme in ["http://", "https://"] {
            guard String(decoding: target.prefix(scheme.utf8.count), as: UTF8.self).equalsIgnoringCase(scheme) else {
                continue
            }
            let rest = target.dropFirst(scheme.utf8.count)
            let authority = rest.prefix { !"/?#".utf8.contains($0) }
            return (String(decoding: authority, as: UTF8.self), rest.dropFirst(authority.count))
        }
        throw isRelative
    }

    private static func decoded(_ path: Bytes) throws(HeadFault) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(path.count)
        var index = path.startIndex
        while index < path.endIndex {
            let byte = try byte(at: &index, of: path)
            guard byte >= 0x20, byte != 0x7F else { throw hasControl }
            decoded.append(byte)
        }
        return decoded
    }

    /// As it came, but for bytes beyond ASCII. What is escaped in it is for those who read it; a zero is for nobody.
    private static func asSent(_ part: Bytes) throws(HeadFault) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(part.count)
        var index = part.startIndex
        while index < part.endIndex {
            let start = index
            let byte = try byte(at: &index, of: part)
            guard byte != 0 else { throw hasControl }
            if part[start] < 0x80 { text += part[start..<index] } else { text += escaped(byte) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The byte that stands there, or is escaped there, as `%2F` (RFC 3986 §2.1); moves behind it.
    private static func byte(at index: inout Int, of bytes: Bytes) throws(HeadFault) -> UInt8 {
        let byte = bytes[index]
        index += 1
        guard byte == UInt8(ascii: "%") else { return byte }
        guard bytes.endIndex - index >= 2, let high = bytes[index].hexDigit, let low = bytes[index + 1].hexDigit else {
            throw badEscape
        }
        index += 2
        return high << 4 | low
    }

    private static func escaped(_ byte: UInt8) -> String.UTF8View {
        ("%" + String(byte, radix: 16, uppercase: true)).utf8
    }

    /// RFC 3986 §5.2.4, in which a slash ends what a `.` or `..` at the end left.
    private static func resolved(_ path: [UInt8]) -> [UInt8] {
        let parts = path.split(separator: UInt8(ascii: "/"))
        var kept: [ArraySlice<UInt8>] = []
        for part in parts where !part.elementsEqual(".".utf8) {
            if part.elementsEqual("..".utf8) { _ = kept.popLast() } else { kept.append(part) }
        }
        let endsOpen =
            path.last == UInt8(ascii: "/") || parts.last.map { $0.allSatisfy { $0 == 0x2E } && $0.count < 3 } ?? true
        let bytes = kept.reduce(into: []) { $0 += [UInt8(ascii: "/")] + $1 }
        return endsOpen ? bytes + [UInt8(ascii: "/")] : bytes
    }

    private static let isRelative = HeadFault(
        "The address of the request does not begin with a slash. Send a path such as /ws.")
    private static let hasFragment = HeadFault(
        "The address has a #. Fragments are not sent to servers: leave it out, or send %23.")
    private static let badEscape = HeadFault(
        "The address has a % without two hexadecimal digits. Send %25 for the sign itself.")
    private static let hasControl = HeadFault(
        "The address names a control character, such as %00. Send printable text.")
    private static let isNoText = HeadFault(
        "The address is not UTF-8. Escape the bytes of its text in UTF-8, as in /%C3%BC.")
}

/// Texts as they stand in a URL: bytes that mean something else there, or nothing, as `%2F` (RFC 3986 §2.1).
package enum PercentEncoding {
    /// A whole path; its slashes stay.
    package static func path(_ path: String) -> String { encoded(path, but: "/-._~!$&'()*+,;=:@") }

    /// One part of a path or of a query: all but the unreserved characters of RFC 3986 §2.3.
    package static func component(_ text: String) -> String { encoded(text, but: "-._~") }

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
