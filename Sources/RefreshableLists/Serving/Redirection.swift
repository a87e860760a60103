import WebSockets

/// What answers where no TLS is spoken: it sends everybody on to where it is (RFC 9110 §15.4.9), but for those who ask
/// whether the server is well.
final class Redirection: LoopHandler, Sendable {
    private let routes: Routes
    private let port: @Sendable () -> Int

    /// - Parameter port: where TLS is spoken.
    init(routes: Routes, to port: @escaping @Sendable () -> Int) {
        self.routes = routes
        self.port = port
    }

    func refusal(of handshake: Handshake) -> HTTPResponse? {
        answer(host: handshake.headers["Host"] ?? "", path: handshake.rawPath, query: handshake.query)
    }

    /// Whoever is sent on sends it again there.
    func bodyPlan(for request: HTTPRequest) -> BodyPlan { .refuse(answer(to: request)) }

    func request(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        if ["/healthz", "/readyz"].contains(request.path) { return routes.answer(request, exchange) }
        exchange.answer(answer(to: request))
    }

    /// None is ever opened.
    func opened(_ socket: WebSocket) {}
    func received(_ message: WebSocketMessage, from socket: WebSocket) {}
    func closed(_ socket: WebSocket, by closing: CloseStatus) {}

    private func answer(to request: HTTPRequest) -> HTTPResponse {
        answer(host: request.headers["Host"] ?? "", path: request.rawPath, query: request.query)
    }

    private func answer(host: String, path: String, query: String) -> HTTPResponse {
        let location = Self.location(host: host, port: port(), path: path, query: query)
        var response = HTTPResponse.text(308, "This server uses TLS: \(location)")
        response.headers["Location"] = location
        return response
    }

    /// - Parameters:
    ///   - host: the field of the request, which the server has found good; its port is left out.
    ///   - path: percent-encoded, as it came: an escaped slash stays one.
    ///   - query: percent-encoded.
    static func location(host: String, port: Int, path: String, query: String) -> String {
        let end = host.hasPrefix("[") ? host.firstIndex(of: "]").map(host.index(after:)) : host.firstIndex(of: ":")
        let site = host[..<(end ?? host.endIndex)] + (port == 443 ? "" : ":\(port)")
        return "https://\(site)\(path)" + (query.isEmpty ? "" : "?\(query)")
    }
}
