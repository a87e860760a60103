/// What is wrong with the head of a request, as the answer to it; the connection ends with it, for where the next request
/// would begin can't be told. Pure.
struct HeadFault: Error {
    let answer: HTTPResponse

    /// 400: what was wrong, and what to send instead.
    init(_ text: String) { self.init(400, text) }

    init(_ status: Int, _ text: String) { answer = .text(status, text) }
}

// MARK: Bytes that stand in no head

extension HeadFault {
    /// A byte that belongs neither into the first line nor into a field.
    static func byte(_ byte: UInt8, isFirst: Bool) -> HeadFault {
        // A TLS record of a handshake begins so (RFC 8446 §5.1).
        if isFirst, byte == 0x16 {
            return HeadFault("This port speaks plain HTTP, and the request is TLS. Ask with http:// or ws://.")
        }
        let code = (byte < 16 ? "0x0" : "0x") + String(byte, radix: 16, uppercase: true)
        return HeadFault("The request has the control character \(code) in its head. Send HTTP/1.1, in printable text.")
    }

    /// RFC 9112 §2.2 lets a server refuse it or read it as a space.
    static let loneCarriageReturn = HeadFault(
        "The request has a carriage return without a line feed. End each line with both (RFC 9112 §2.2).")

    /// RFC 9112 §2.2 lets a server take it, but a proxy that does not would see other fields than we do.
    static let loneLineFeed = HeadFault(
        "A line of the request ends without a carriage return. End each with both (CR LF), as nc -C does.")

    static let emptyLines = HeadFault("The request begins with empty lines. Begin with a line such as GET / HTTP/1.1.")
}

// MARK: Too much

extension HeadFault {
    static func address(limit: Int) -> HeadFault {
        HeadFault(414, "The address is longer than \(limit) bytes. Shorten it.")
    }

    static func fields(limit: Int) -> HeadFault {
        HeadFault(431, "The headers are longer than \(limit) bytes. Send less of them, such as cookies.")
    }

    static let fieldCount = HeadFault(
        431, "The request has more than \(HeadLimits.fieldCount) headers. Send fewer of them.")
}
