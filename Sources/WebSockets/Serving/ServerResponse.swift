public import HTTPTypes

/// An answer of a server to an HTTP request, or to a WebSocket that it refuses.
///
/// `Content-Length` or `Transfer-Encoding`, `Connection` and, to HEAD, the omission of the body are added when it is sent.
public struct ServerResponse: Sendable {
    /// What follows the head.
    public enum Body: Sendable {
        /// Sent whole; in memory until the peer has taken it.
        case bytes([UInt8])
        /// Made while it is sent; it ends when the closure returns. If that throws, the connection is cut, so that the peer
        /// knows that something is missing.
        case stream(@Sendable (_ writer: BodyWriter) async throws -> Void)
    }

    /// Status and header fields.
    public var head: HTTPTypes.HTTPResponse
    /// What follows it.
    public var body: Body

    /// An answer of these parts.
    public init(
        _ status: HTTPTypes.HTTPResponse.Status = .ok, headerFields: HTTPFields = [:], body: [UInt8] = []
    ) {
        head = HTTPTypes.HTTPResponse(status: status, headerFields: headerFields)
        self.body = .bytes(body)
    }

    /// An answer that is made while it is sent, as fast as the peer takes it.
    ///
    /// - Parameters:
    ///   - status: of the head, which is sent before `write` runs.
    ///   - headerFields: those of the head.
    ///   - write: writes the body. Its task is cancelled if whoever asked leaves, and when the server ends.
    public static func stream(
        _ status: HTTPTypes.HTTPResponse.Status = .ok, headerFields: HTTPFields = [:],
        _ write: @escaping @Sendable (_ writer: BodyWriter) async throws -> Void
    ) -> ServerResponse {
        var response = ServerResponse(status, headerFields: headerFields)
        response.body = .stream(write)
        return response
    }

    /// An answer whose parts come as a sequence; the next is asked for when the peer has taken the one before.
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ status: HTTPTypes.HTTPResponse.Status = .ok, headerFields: HTTPFields = [:], of chunks: Chunks
    ) -> ServerResponse where Chunks.Element == [UInt8] {
        stream(status, headerFields: headerFields) { writer in
            for try await chunk in chunks { try await writer.write(chunk) }
        }
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

/// Writes the body of one answer.
public struct BodyWriter: Sendable {
    let stream: ResponseStream

    /// Writes bytes behind those before. Returns when the peer's side has room for more: so who reads slowly slows it down.
    ///
    /// - Throws: `SocketError.closed` where whoever asked has left; `CancellationError`.
    public func write(_ bytes: [UInt8]) async throws { try await stream.write(bytes) }

    /// Writes text in UTF-8. As `write(_: [UInt8])`.
    public func write(_ text: String) async throws { try await stream.write(Array(text.utf8)) }
}

extension HTTPResponse {
    /// - Parameter loop: of the connection, for a body that is made while it is sent.
    init(_ response: ServerResponse, on loop: ServiceLoop) {
        self.init(status: response.head.status.code, headers: HTTPHeaders(response.head.headerFields))
        switch response.body {
        case .bytes(let bytes): body = bytes
        case .stream: stream = ResponseStream(loop: loop)
        }
    }
}
