package import HTTPTypes

/// Admits what another server has accepted, by the same rules as a port of ours. A pure rule.
///
/// Which hosts that server is known by, which proxies it trusts, and how many may connect is for that server to say. Which
/// pages may do something is checked here once more, since their browsers add its cookie to whatever they send.
package struct EmbeddedAdmission: Sendable {
    /// Why a request or a handshake is not served.
    package struct Refused: Error {
        /// What to answer.
        package let response: HTTPResponse
        /// Nil: it is the answer to a question of a browser's, and no refusal.
        package let reason: Refusal?
    }

    private let policy: OriginPolicy

    /// By `allowedOrigins` and `subprotocols` of this configuration.
    package init(_ configuration: WebSocketServer.Configuration) {
        policy = OriginPolicy(configuration: configuration)
    }

    /// A request as handlers of ours take it, without its body.
    ///
    /// - Parameters:
    ///   - target: its path and query below where we are mounted, percent-encoded; begins with a slash.
    ///   - address: of the client.
    package func request(
        _ head: HTTPTypes.HTTPRequest, _ target: String, from address: String
    ) throws(Refused) -> HTTPRequest {
        let (target, headers) = try (Self.read(target, head), Self.headers(of: head))
        let request = HTTPRequest(
            method: head.method.rawValue, path: target.path, rawPath: target.rawPath, query: target.query,
            headers: headers, remoteAddress: address, isSecure: head.scheme == "https")
        if let answer = policy.preflight(of: request) { throw Refused(response: answer, reason: nil) }
        guard !["GET", "HEAD", "OPTIONS"].contains(request.method) else { return request }
        if let refusal = policy.refusalOfOrigin(headers) { throw Refused(response: refusal, reason: .origin) }
        return request
    }

    /// What opens a socket.
    ///
    /// - Parameters: as those of `request`.
    package func handshake(
        _ head: HTTPTypes.HTTPRequest, _ target: String, from address: String
    ) throws(Refused) -> Handshake {
        let (target, headers) = try (Self.read(target, head), Self.headers(of: head))
        if let refusal = policy.refusalOfOrigin(headers) { throw Refused(response: refusal, reason: .origin) }
        if let refusal = policy.refusalOfSubprotocols(headers) { throw Refused(response: refusal, reason: .handshake) }
        return Handshake(
            path: target.path, rawPath: target.rawPath, query: target.query, headers: headers, remoteAddress: address,
            subprotocol: policy.subprotocol(of: headers), isSecure: head.scheme == "https")
    }

    /// An answer with what lets pages of allowed sites read it.
    package func shared(_ response: HTTPResponse, with request: HTTPRequest) -> HTTPResponse {
        policy.shared(response, with: request.headers["Origin"])
    }

    private static func read(
        _ target: String, _ head: HTTPTypes.HTTPRequest
    ) throws(Refused) -> RequestTarget {
        try Array(target.utf8).withUnsafeBufferPointer { bytes throws(Refused) in
            do throws(HeadFault) {
                return try RequestTarget(UnsafeRawBufferPointer(bytes)[...], method: head.method.rawValue)
            } catch { throw Refused(response: error.answer, reason: .malformed) }
        }
    }

    private static func headers(of head: HTTPTypes.HTTPRequest) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for field in head.headerFields { headers.receive(field.name.rawName, field.value) }
        // HTTP/2 has no Host, and swift-http-types keeps it apart.
        if let authority = head.authority { headers["Host"] = authority }
        return headers
    }
}

extension HTTPResponse {
    /// Status and fields for another server to send, with the length of the body that a GET would get.
    package var head: HTTPTypes.HTTPResponse {
        var fields = HTTPFields()
        for field in headers.fields where field.isSafe {
            guard let name = HTTPField.Name(field.name) else { continue }
            fields.append(HTTPField(name: name, value: field.value))
        }
        if status != 204, status != 304 { fields[.contentLength] = String(body.count) }
        return HTTPTypes.HTTPResponse(status: .init(code: status), headerFields: fields)
    }
}
