public import HTTPTypes

/// A request that a server got: an HTTP request with its body, or the one that opened a WebSocket.
public struct ServerRequest: Sendable {
    /// Method, target and header fields, as they came. Where a trusted proxy passed the request on, its `authority` is the
    /// one that the client asked for.
    public var head: HTTPTypes.HTTPRequest
    /// Percent-decoded, with `.` and `..` resolved; begins with a slash and has no query.
    public var path: String
    /// What the route's `:name` segments stand for, percent-decoded; empty for a WebSocket.
    public var parameters: [String: String]
    /// Empty where there was none, and for a WebSocket.
    public var body: [UInt8]
    /// The client's address, such as `127.0.0.1` or `::1`; behind a trusted proxy, as the proxy reports it.
    public var remoteAddress: String
    /// Whether the client uses TLS; behind a trusted proxy, as the proxy reports it.
    public var isSecure: Bool

    /// A request made by hand, for tests of what answers it.
    ///
    /// - Parameters:
    ///   - method: such as `.get`.
    ///   - target: path and query, percent-encoded, such as `/rooms/lobby?since=4`.
    ///   - headerFields: all of them.
    ///   - parameters: what `:name` segments stand for; a server fills them by the route.
    ///   - body: empty: there is none.
    ///   - remoteAddress: of whoever asks.
    ///   - isSecure: whether it came by TLS.
    public init(
        _ method: HTTPTypes.HTTPRequest.Method = .get, _ target: String, headerFields: HTTPFields = [:],
        parameters: [String: String] = [:], body: [UInt8] = [], remoteAddress: String = "127.0.0.1",
        isSecure: Bool = false
    ) {
        head = HTTPTypes.HTTPRequest(
            method: method, scheme: isSecure ? "https" : "http", authority: "localhost", path: target,
            headerFields: headerFields)
        path = PercentEncoding.decoded(target.prefix { $0 != "?" }.utf8)
        self.parameters = parameters
        self.body = body
        self.remoteAddress = remoteAddress
        self.isSecure = isSecure
    }

    /// What follows the `?`, percent-encoded; empty if there was none.
    public var query: Substring {
        guard let target = head.path, let mark = target.firstIndex(of: "?") else { return "" }
        return target[target.index(after: mark)...]
    }

    /// The first value of that name in the query, decoded as forms are (`+` is a space); nil: there is none.
    public func queryValue(_ name: String) -> String? {
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.first.map(Self.formDecoded) == name else { continue }
            return parts.count > 1 ? Self.formDecoded(parts[1]) : ""
        }
        return nil
    }

    private static func formDecoded(_ text: Substring) -> String {
        PercentEncoding.decoded(Substring(text.map { $0 == "+" ? " " : $0 }).utf8)
    }
}

extension ServerRequest {
    init(_ handshake: Handshake) {
        self.init(
            .get, Self.target(handshake.rawPath, handshake.query), headerFields: HTTPFields(handshake.headers),
            remoteAddress: handshake.remoteAddress, isSecure: handshake.isSecure)
        head.authority = handshake.headers["Host"]
        path = handshake.path
    }

    init(_ request: HTTPRequest) {
        self.init(
            HTTPTypes.HTTPRequest.Method(rawValue: request.method) ?? .get, Self.target(request.rawPath, request.query),
            headerFields: HTTPFields(request.headers), body: request.body, remoteAddress: request.remoteAddress,
            isSecure: request.isSecure)
        head.authority = request.headers["Host"]
        path = request.path
    }

    private static func target(_ path: String, _ query: String) -> String { query.isEmpty ? path : "\(path)?\(query)" }
}

extension HTTPFields {
    init(_ headers: HTTPHeaders) {
        self.init()
        for field in headers.fields {
            guard let name = HTTPField.Name(field.name) else { continue }
            append(HTTPField(name: name, value: field.value))
        }
    }
}

extension HTTPHeaders {
    init(_ fields: HTTPFields) {
        self.init()
        for field in fields { add(field.name.rawName, field.value) }
    }
}
