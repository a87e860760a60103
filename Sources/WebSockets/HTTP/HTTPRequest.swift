/// A whole request, body included.
public struct HTTPRequest: Sendable {
    /// In capitals: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS. Others never come this far.
    public var method: String
    /// Percent-decoded, with `.` and `..` resolved; begins with a slash.
    public var path: String
    /// What follows the `?`, percent-encoded; empty if there was none.
    public var query: String
    /// All fields, those of one name joined.
    public var headers: HTTPHeaders
    /// Empty if there was none.
    public var body: [UInt8]
    /// Of whoever asks, such as `127.0.0.1` or `::1`; behind a trusted proxy, of its client.
    public var remoteAddress: String
    /// Whether whoever asks speaks TLS; behind a trusted proxy, with it.
    public var isSecure: Bool

    /// A request made by hand, for tests and for asking a handler from code.
    public init(
        method: String = "GET", path: String, query: String = "", headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8] = [], remoteAddress: String = "127.0.0.1", isSecure: Bool = false
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.remoteAddress = remoteAddress
        self.isSecure = isSecure
    }
}
