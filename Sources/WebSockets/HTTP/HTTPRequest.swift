/// A whole request, body included.
package struct HTTPRequest: Sendable {
    /// In capitals: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS. Others never come this far.
    package var method: String
    /// Percent-decoded, with `.` and `..` resolved; begins with a slash. Names files; where an escaped slash is not one that
    /// separates, look at `segments`.
    package var path: String
    /// The path as it came, percent-encoded; begins with a slash.
    package var rawPath: String
    /// What follows the `?`, percent-encoded; empty if there was none.
    package var query: String
    /// All fields, those of one name joined.
    package var headers: HTTPHeaders
    /// Empty if there was none.
    package var body: [UInt8]
    /// The client's address, such as `127.0.0.1` or `::1`; behind a trusted proxy, as the proxy reports it.
    package var remoteAddress: String
    /// Whether the client uses TLS; behind a trusted proxy, as the proxy reports it.
    package var isSecure: Bool

    /// A request made by hand, for tests and for asking a handler from code.
    package init(
        method: String = "GET", path: String, rawPath: String? = nil, query: String = "",
        headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8] = [], remoteAddress: String = "127.0.0.1", isSecure: Bool = false
    ) {
        self.method = method
        self.path = path
        self.rawPath = rawPath ?? PercentEncoding.path(path)
        self.query = query
        self.headers = headers
        self.body = body
        self.remoteAddress = remoteAddress
        self.isSecure = isSecure
    }

    /// About as many bytes as it is in memory, without its body.
    var headSize: Int {
        headers.fields.reduce(2 * path.utf8.count + query.utf8.count) { size, field in
            size + field.name.utf8.count + field.value.utf8.count + 64
        }
    }

    /// What stands behind each slash of the path, decoded after it was split: `/a%2Fb/c` is `a/b` and `c`.
    package var segments: [String] {
        rawPath.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().map {
            PercentEncoding.decoded($0)
        }
    }
}

/// The head of a request: request line and header fields.
struct RequestHead: Hashable {
    /// In capitals.
    var method = ""
    /// Percent-decoded, with `.` and `..` resolved; begins with a slash.
    var path = ""
    /// The path as it came, percent-encoded.
    var rawPath = ""
    /// What follows the `?`, percent-encoded; empty if there was none.
    var query = ""
    /// Each name once: fields of one name are joined as a list.
    var headers = HTTPHeaders()
    /// Whether another request may follow on the connection (RFC 9112 §9.3).
    var keepsAlive = false
    /// Of HTTP/1.0.
    var isOld = false
    /// Whether the peer waits with its body for `100 Continue` (RFC 9110 §10.1.1).
    var expectsContinue = false
}

extension RequestHead {
    /// The lines of a head, put together.
    init(_ line: RequestLine, _ headers: HTTPHeaders) {
        method = line.method
        path = line.target.path
        rawPath = line.target.rawPath
        query = line.target.query
        self.headers = headers
        // An absolute address says by itself whom it is for (RFC 9112 §3.2.2), yet Host must be there.
        if let authority = line.target.authority, headers["Host"] != nil { self.headers["Host"] = authority }
        isOld = line.isOld
        keepsAlive =
            line.isOld
            ? headers.list("Connection", contains: "keep-alive") : !headers.list("Connection", contains: "close")
        expectsContinue = !line.isOld && headers["Expect"]?.equalsIgnoringCase("100-continue") == true
    }
}
