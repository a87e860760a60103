public import HTTPTypes
import Locking

/// Asks HTTP servers, with a connection for each request. All requests of a process share one thread.
///
/// ```swift
/// let (head, body) = try await HTTPClient().get("https://example.org/")
/// ```
public struct HTTPClient: Sendable {
    /// Which servers are believed, with `https`.
    public var trust = ServerTrust()
    /// From the call to the end of the answer.
    public var timeout: Duration = .seconds(30)
    /// Bytes of an answer's body; a longer one is an error.
    public var bodyLimit = 16 * 1024 * 1024

    /// A client with the defaults.
    public init() {}

    /// GETs an `http://` or `https://` address. As `send`.
    public func get(
        _ url: String, headerFields: HTTPFields = [:]
    ) async throws -> (head: HTTPTypes.HTTPResponse, body: [UInt8]) {
        try await send(.get, url, headerFields: headerFields)
    }

    /// Sends a request and gives its answer. An answer of any status is an answer; redirections are not followed.
    ///
    /// - Parameters:
    ///   - method: such as `.post`.
    ///   - url: `http://` or `https://`, percent-encoded.
    ///   - headerFields: more fields; `Host`, `Content-Length` and `Connection` are added.
    ///   - body: sent whole; empty: there is none.
    /// - Throws: `SocketError` where there is no answer: whether the request was read is then unknown. `CancellationError`.
    public func send(
        _ method: HTTPTypes.HTTPRequest.Method, _ url: String, headerFields: HTTPFields = [:], body: [UInt8] = []
    ) async throws -> (head: HTTPTypes.HTTPResponse, body: [UInt8]) {
        let answer = try await answer(to: method.rawValue, url, HTTPHeaders(headerFields), body)
        let head = HTTPTypes.HTTPResponse(
            status: HTTPTypes.HTTPResponse.Status(code: answer.status), headerFields: HTTPFields(answer.headers))
        return (head, answer.body)
    }

    private func answer(
        to method: String, _ url: String, _ headers: HTTPHeaders, _ body: [UInt8]
    ) async throws -> HTTPResponse {
        let parts = try ClientURL(url, scheme: "http")
        guard method.isToken else { throw SocketError.badURL(url, reason: "the method is no token") }
        if parts.isSecure { try trust.check() }
        let loop = try ServiceLoop.shared()
        let request = RequestUnderWay()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard request.answer.wait(continuation) else { return }
                loop.post { [self] in
                    let connection = RequestConnection(
                        loop: loop, url: parts, method: method, headers: headers, body: body, client: self
                    ) { request.answer.take()?.resume(with: $0.mapError { $0 }) }
                    request.connection = connection
                    connection.start(timeout: timeout)
                }
            }
        } onCancel: {
            request.answer.take()?.resume(throwing: CancellationError())
            loop.post { request.connection?.finish() }
        }
    }
}

extension HTTPClient {
    /// GETs a `http://` or `https://` address. An answer of any status is an answer; what comes to none is an error.
    package static func get(
        _ url: String, headers: HTTPHeaders = [:], trust: ServerTrust = ServerTrust(), timeout: Duration = .seconds(5)
    ) async throws(SocketError) -> HTTPResponse {
        try await send("GET", url, headers: headers, trust: trust, timeout: timeout)
    }

    /// Sends a request to a `http://` or `https://` address and gives its answer.
    ///
    /// - Parameters:
    ///   - method: such as `PATCH`.
    ///   - headers: more fields; `Content-Length` is added where there is a body.
    ///   - trust: which servers are believed, with `https`.
    ///   - timeout: from now to the end of the answer.
    /// - Throws: `SocketError` where there is no answer. Whether the request was read is then unknown.
    package static func send(
        _ method: String, _ url: String, headers: HTTPHeaders = [:], body: [UInt8] = [],
        trust: ServerTrust = ServerTrust(), timeout: Duration
    ) async throws(SocketError) -> HTTPResponse {
        var client = HTTPClient()
        client.trust = trust
        client.timeout = timeout
        do {
            return try await client.answer(to: method, url, headers, body)
        } catch let error as SocketError {
            throw error
        } catch {
            throw .connectionFailed(url: url, reason: "it was cancelled")
        }
    }
}

/// One request under way.
private final class RequestUnderWay: @unchecked Sendable {
    let answer = PendingResult<HTTPResponse>()
    /// On the loop's thread.
    weak var connection: RequestConnection?
}
