/// What comes before the body of a request.
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
        keepsAlive =
            line.isOld
            ? headers.list("Connection", contains: "keep-alive") : !headers.list("Connection", contains: "close")
        expectsContinue = !line.isOld && headers["Expect"]?.equalsIgnoringCase("100-continue") == true
    }
}
