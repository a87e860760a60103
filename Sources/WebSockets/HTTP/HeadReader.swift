/// Reads the heads of requests, however their bytes are cut (RFC 9112), and refuses what two readers could take for two
/// different things. Pure.
///
/// ```
///   GET /ws HTTP/1.1 ⏎      RequestLine
///   Host: localhost ⏎       FieldLine …
///   ⏎                       ─▶ head; what follows stays where it is
/// ```
/// Each line is read once it is whole. What is kept in between is the line that is cut off and the fields before it, never
/// more than `HeadLimits`; between two heads, nothing.
struct HeadReader {
    enum Step: Hashable {
        /// More must come.
        case incomplete
        case head(RequestHead)
        /// Respond and close: where the next request begins is unknown. The reader can't be used any more.
        case refused(HTTPResponse)
    }

    private let limits: HeadLimits
    /// The line that has begun to come.
    private var begun: [UInt8] = []
    private var requestLine: RequestLine?
    private var headers = HTTPHeaders()
    /// Their lines, and the bytes of these.
    private var fieldCount = 0
    private var fieldBytes = 0
    /// Before the request line.
    private var emptyLines = 0
    /// The method and the address of a first line that was refused.
    private var wrongMethod: String?
    private var wrongTarget = ""

    init(limits: HeadLimits) { self.limits = limits }

    /// The path of a rejected request, if it could be read.
    var path: String { requestLine?.target.path ?? wrongTarget }

    /// The method of a rejected request; GET if it could not be read. A response to HEAD has no body.
    var method: String { requestLine?.method ?? wrongMethod ?? "GET" }

    /// The approximate number of bytes that it holds.
    var size: Int { begun.count + fieldBytes + fieldCount * 64 + (requestLine?.target.path.utf8.count ?? 0) * 2 }

    /// Whether nothing of a head has come yet.
    var isIdle: Bool { requestLine == nil && begun.isEmpty }

    /// Takes bytes up to the end of a head; what is left in `bytes` belongs to what follows.
    mutating func read(_ bytes: inout UnsafeRawBufferPointer) -> Step {
        do throws(HeadFault) {
            while let end = try lineEnd(in: bytes) {
                let part = bytes[..<end]
                bytes = UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...])
                if let head = try takeLine(part) { return .head(head) }
            }
            begun.append(contentsOf: bytes)
            bytes = UnsafeRawBufferPointer(rebasing: bytes.suffix(0))
            return .incomplete
        } catch {
            if requestLine == nil, wrongMethod == nil { noteMethod(of: begun + bytes.prefix(8)) }
            return .refused(error.answer)
        }
    }

    /// The place of the line feed that ends the line under way; nil: it is not there yet. Faults are found at the byte that
    /// makes them, wherever the bytes are cut.
    private func lineEnd(in bytes: UnsafeRawBufferPointer) throws(HeadFault) -> Int? {
        let room = lineLimit - begun.count
        var last = begun.last
        for (index, byte) in bytes.enumerated() {
            if byte == 0x0A {
                guard last == 0x0D else { throw .loneLineFeed }
                return index
            }
            guard index < room else { throw tooLong(bytes[..<index]) }
            guard last != 0x0D else { throw .loneCarriageReturn }
            guard isAllowed(byte) else { throw .byte(byte, isFirst: last == nil && requestLine == nil) }
            last = byte
        }
        return nil
    }

    /// Tabs are in fields alone.
    private func isAllowed(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == 0x0D || byte == 0x09 && requestLine != nil
    }

    /// Bytes that the line under way may have, with its carriage return; the longest method and the version stand beside
    /// the address, and the last line of a head is empty.
    private var lineLimit: Int {
        requestLine == nil ? limits.address + "OPTIONS  HTTP/1.1\r".utf8.count : limits.fields - fieldBytes + 1
    }

    private func tooLong(_ part: Slice<UnsafeRawBufferPointer>) -> HeadFault {
        guard requestLine == nil else { return .fields(limit: limits.fields) }
        let hasSpace = begun.contains(UInt8(ascii: " ")) || part.contains(UInt8(ascii: " "))
        return hasSpace ? .address(limit: limits.address) : RequestLine.isNone
    }

    /// - Parameter part: what came last of a line, without its line feed.
    private mutating func takeLine(_ part: Slice<UnsafeRawBufferPointer>) throws(HeadFault) -> RequestHead? {
        guard !begun.isEmpty else { return try take(UnsafeRawBufferPointer(rebasing: part.dropLast())) }
        var line: [UInt8] = []
        swap(&line, &begun)
        line += part
        return try line.withUnsafeBufferPointer { line throws(HeadFault) in
            try take(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(line).dropLast()))
        }
    }

    /// Takes a whole line; the empty one ends the head.
    private mutating func take(_ line: UnsafeRawBufferPointer) throws(HeadFault) -> RequestHead? {
        guard let requestLine else {
            try begin(line)
            return nil
        }
        guard line.isEmpty else {
            try addField(line)
            return nil
        }
        defer { self = HeadReader(limits: limits) }
        return RequestHead(requestLine, headers)
    }

    /// Up to two empty lines are passed over (RFC 9112 §2.2): old clients send one behind a body.
    private mutating func begin(_ line: UnsafeRawBufferPointer) throws(HeadFault) {
        guard line.isEmpty else {
            let target = line.drop { $0 != UInt8(ascii: " ") }.dropFirst().prefix { $0 != UInt8(ascii: " ") }
            do throws(HeadFault) {
                requestLine = try RequestLine(line, limit: limits.address)
            } catch {
                noteMethod(of: line.prefix(8))
                wrongTarget = String(decoding: target, as: UTF8.self)
                throw error
            }
            return
        }
        emptyLines += 1
        guard emptyLines <= 2 else { throw .emptyLines }
    }

    private mutating func noteMethod(of line: some Sequence<UInt8>) {
        let name = String(decoding: line.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
        wrongMethod = RequestLine.methods.first { $0 == name }
    }

    private mutating func addField(_ line: UnsafeRawBufferPointer) throws(HeadFault) {
        fieldBytes += line.count + 2
        guard fieldBytes <= limits.fields else { throw .fields(limit: limits.fields) }
        fieldCount += 1
        guard fieldCount <= HeadLimits.fieldCount else { throw .fieldCount }
        let field = try FieldLine(line)
        if let name = Self.single.first(where: { field.name.equalsIgnoringCase($0) }), headers[name] != nil {
            throw HeadFault("The request has two \(name) headers. Send one.")
        }
        headers.receive(field.name, field.value)
    }

    /// Two of these, even if they are equal, are how requests are smuggled past proxies (RFC 9112 §3.2, §6.3).
    private static let single = ["Host", "Content-Length", "Transfer-Encoding"]
}

/// The longest parts that a request's head may have.
struct HeadLimits: Hashable {
    /// Bytes of path and query together.
    var address: Int
    /// Bytes of all fields together, names included.
    var fields: Int

    /// Fields that a head may have, so that looking each up stays cheap; Apache's `LimitRequestFields` is 100, too.
    static let fieldCount = 100
}

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
