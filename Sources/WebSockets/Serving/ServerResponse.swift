public import HTTPTypes

/// An answer of a server to an HTTP request, or to a WebSocket that it refuses.
///
/// `Content-Length`, `Connection` and, to HEAD, the omission of the body are added when it is sent.
public struct ServerResponse: Sendable {
    /// Status and header fields.
    public var head: HTTPTypes.HTTPResponse
    /// Sent whole; in memory until the peer has taken it.
    public var body: [UInt8]

    /// An answer of these parts.
    public init(
        _ status: HTTPTypes.HTTPResponse.Status = .ok, headerFields: HTTPFields = [:], body: [UInt8] = []
    ) {
        head = HTTPTypes.HTTPResponse(status: status, headerFields: headerFields)
        self.body = body
    }

    /// A plain-text answer in UTF-8.
    public static func text(_ text: String, _ status: HTTPTypes.HTTPResponse.Status = .ok) -> ServerResponse {
        ServerResponse(status, headerFields: [.contentType: "text/plain; charset=utf-8"], body: Array(text.utf8))
    }

    /// A JSON answer; `body` is JSON already.
    public static func json(_ body: [UInt8], _ status: HTTPTypes.HTTPResponse.Status = .ok) -> ServerResponse {
        ServerResponse(status, headerFields: [.contentType: "application/json"], body: body)
    }
}

extension HTTPResponse {
    init(_ response: ServerResponse) {
        self.init(
            status: response.head.status.code, headers: HTTPHeaders(response.head.headerFields), body: response.body)
    }
}
