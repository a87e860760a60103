/// An answer to a request.
///
/// `Content-Length`, `Connection` and, to HEAD, the omission of the body are added when it is sent.
package struct HTTPResponse: Hashable, Sendable {
    /// 200…599.
    package var status: Int
    /// Those of the answer; names and values with control characters are not sent.
    package var headers: HTTPHeaders
    /// Sent whole; kept in memory, uncopied, until the peer has taken it: what many are sent should be one array.
    package var body: [UInt8]
    /// Whether others are sent the same array, so that it is not kept for this peer alone.
    package var isShared = false
    /// By which the body can be taken back from whoever has not taken all of it; nil: it can't be. The connection ends then.
    package var revocation: Revocation?
    /// What makes the body while it is sent, in the place of `body`.
    var stream: ResponseStream?

    /// An answer of these parts.
    package init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A plain-text answer for a person; a line break is added.
    package static func text(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"],
            body: Array(text.utf8) + [0x0A])
    }

    /// What connections have under way fills the budget.
    static var noMemory: HTTPResponse {
        var response = HTTPResponse.text(
            503, "This server has no room for more requests that are not whole. Send it again in a moment.")
        response.headers["Retry-After"] = "5"
        return response
    }

    /// Bodies fill the budget.
    static var tooManyBodies: HTTPResponse {
        var response = HTTPResponse.text(
            503, "This server has no room for more bodies of requests. Send it again in a moment.")
        response.headers["Retry-After"] = "1"
        return response
    }

    /// A JSON answer.
    package static func json(_ status: Int, _ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: ["Content-Type": "application/json", "Cache-Control": "no-cache"], body: body)
    }
}

/// How the end of a body is found (RFC 9112 §6.3).
enum BodyLength {
    case known(Int)
    case chunked
    /// The connection ends with it.
    case untilEnd
}

extension HTTPResponse {
    /// Status line and headers as they go over the wire (RFC 9112 §4), with the empty line behind them.
    func head(closing: Bool, length: BodyLength? = nil) -> [UInt8] {
        var bytes = Array("HTTP/1.1 \(status) \(Self.reason(of: status))\r\n".utf8)
        bytes.reserveCapacity(bytes.count + 512)
        for field in headers.fields where field.isSafe {
            bytes.append(contentsOf: "\(field.name): \(field.value)\r\n".utf8)
        }
        switch length ?? .known(body.count) {
        case .known(let count): if mayHaveBody { bytes.append(contentsOf: "Content-Length: \(count)\r\n".utf8) }
        case .chunked: bytes.append(contentsOf: "Transfer-Encoding: chunked\r\n".utf8)
        case .untilEnd: break
        }
        if closing { bytes.append(contentsOf: "Connection: close\r\n".utf8) }
        bytes.append(contentsOf: "\r\n".utf8)
        return bytes
    }

    /// Whether its body follows the head in the answer to a request.
    func hasBody(to method: String) -> Bool { mayHaveBody && method != "HEAD" }

    /// 204 and 304 have none (RFC 9110 §6.4.1).
    private var mayHaveBody: Bool { status != 204 && status != 304 }

    /// The phrase that goes with a status (RFC 9110 §15).
    package static func reason(of status: Int) -> String { reasons[status] ?? "Status" }

    private static let reasons = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 303: "See Other", 304: "Not Modified",
        308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 411: "Length Required",
        412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
        421: "Misdirected Request", 422: "Unprocessable Content", 426: "Upgrade Required", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
        502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    ]
}

extension HTTPHeaders.Field {
    /// Whether it can't break the message apart.
    var isSafe: Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3A }
            && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}

/// An answer on its way to a peer: handed over piece by piece, as the peer takes it. Pure.
///
/// ```
/// ┌──────┬───────────────────┬────────────┬────────────┬─────┐
/// │ head │ the body's first  │ next 16 KiB │ next 16 KiB │  …  │
/// └ one piece: a copy ───────┴ slices of the response's own bytes
/// ```
/// What is not sent yet is never copied: however many take one body slowly, it is in memory once.
struct ResponseWriter {
    /// Bytes of a piece. libwebsockets copies what the peer did not take of one; TLS has no longer records (RFC 8446 §5.1).
    static let pieceSize = 16 * 1024

    /// Until it is sent.
    private var beginning: [UInt8]?
    private let body: [UInt8]
    let revocation: Revocation?
    private let isShared: Bool
    /// Bytes of the body that were handed over, or are in the beginning.
    private var position: Int

    /// - Parameter method: of the request.
    init(_ response: HTTPResponse, to method: String, closing: Bool) {
        body = response.hasBody(to: method) ? response.body : []
        revocation = response.revocation
        isShared = response.isShared || response.revocation != nil
        let head = response.head(closing: closing)
        position = min(body.count, max(0, Self.pieceSize - head.count))
        beginning = head + body[..<position]
    }

    /// About as many bytes as are kept for a peer that does not take them: a piece, and the body if it is nobody else's.
    var held: Int { Self.pieceSize + (isShared ? 0 : body.capacity) }

    /// The next piece, which is then over; nil after the last.
    mutating func next() -> ArraySlice<UInt8>? {
        if let beginning {
            self.beginning = nil
            return beginning[...]
        }
        guard position < body.count else { return nil }
        let start = position
        position = min(body.count, start + Self.pieceSize)
        return body[start..<position]
    }
}
