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
        "The address has a #. What is behind it is for browsers alone; leave it out, or send %23.")
    private static let badEscape = HeadFault(
        "The address has a % without two hexadecimal digits. Send %25 for the sign itself.")
    private static let hasControl = HeadFault(
        "The address names a control character, such as %00. Send printable text.")
    private static let isNoText = HeadFault(
        "The address is not UTF-8. Escape the bytes of its text in UTF-8, as in /%C3%BC.")
}
