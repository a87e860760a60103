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

    private static let otherVersion = HeadFault(505, "Only HTTP/1.1 and HTTP/1.0 are spoken here. Send HTTP/1.1.")

    private static func unknown(_ method: String) -> HeadFault {
        let served = methods.dropLast().joined(separator: ", ") + " or OPTIONS"
        return HeadFault(501, "The method \(method.prefix(32)) is not served here. Send \(served), in capitals.")
    }
}
