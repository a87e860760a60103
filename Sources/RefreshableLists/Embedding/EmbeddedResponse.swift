public import HTTPTypes
import WebSockets

/// An answer for another server to send.
public struct EmbeddedResponse: Hashable, Sendable {
    /// Status and fields, `Content-Length` among them.
    public var head: HTTPTypes.HTTPResponse
    /// All that follows; empty to HEAD. Answers with the same rows share one array.
    public var body: [UInt8]

    /// An answer of these parts.
    public init(head: HTTPTypes.HTTPResponse, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    init(_ response: WebSockets.HTTPResponse, to request: HTTPTypes.HTTPRequest) {
        self.init(head: response.head, body: request.method == .head ? [] : response.body)
    }
}

extension WebSockets.HTTPResponse {
    /// To the page, from where its links would lead astray (RFC 9110 §15.4.9).
    static func moved(to location: String) -> WebSockets.HTTPResponse {
        var response = text(308, "The lists are at \(location)")
        response.headers["Location"] = location
        return response
    }
}
