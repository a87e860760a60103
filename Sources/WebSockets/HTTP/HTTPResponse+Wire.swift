extension HTTPResponse {
    /// Status line and headers as they go over the wire (RFC 9112 §4), with the empty line behind them.
    func head(closing: Bool) -> [UInt8] {
        var bytes = Array("HTTP/1.1 \(status) \(Self.reason(of: status))\r\n".utf8)
        bytes.reserveCapacity(bytes.count + 512)
        for field in headers.fields where field.isSafe {
            bytes.append(contentsOf: "\(field.name): \(field.value)\r\n".utf8)
        }
        if mayHaveBody { bytes.append(contentsOf: "Content-Length: \(body.count)\r\n".utf8) }
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
