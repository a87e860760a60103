/// An answer to a request.
///
/// `Content-Length`, `Connection` and, to HEAD, the omission of the body are added when it is sent.
public struct HTTPResponse: Hashable, Sendable {
    /// 200…599.
    public var status: Int
    /// Those of the answer; names and values with control characters are not sent.
    public var headers: HTTPHeaders
    /// Sent whole; kept in memory, uncopied, until the peer has taken it: what many are sent should be one array.
    public var body: [UInt8]
    /// Whether others are sent the same array, so that it is not kept for this peer alone.
    public var isShared = false
    /// By which the body can be taken back from whoever has not taken all of it; nil: it can't be. The connection ends then.
    public var revocation: Revocation?

    /// An answer of these parts.
    public init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A plain-text answer for a person; a line break is added.
    public static func text(_ status: Int, _ text: String) -> HTTPResponse {
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
    public static func json(_ status: Int, _ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: ["Content-Type": "application/json", "Cache-Control": "no-cache"], body: body)
    }
}
