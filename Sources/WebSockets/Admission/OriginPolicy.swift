/// Checks the Host and Origin headers of requests. A pure rule.
///
/// Each refusal is a response whose text says what was wrong and what to do.
struct OriginPolicy: Sendable {
    var configuration: WebSocketServer.Configuration

    /// Every request: the Host header must name this server, so that no page can rebind a name of its own to it.
    func refusalOfHost(_ headers: HTTPHeaders) -> HTTPResponse? {
        guard let text = headers["Host"] else { return .text(400, "The request has no Host header (RFC 9112 §3.2).") }
        guard let host = Authority(text) else { return .text(400, "The Host header is not a host name or address.") }
        if configuration.allowedHosts.contains("*") { return nil }
        if host.isOwn(allowed: configuration.allowedHosts) || isLocal(host.host) { return nil }
        return .text(403, "This server is not known as \(host.host). \(configuration.hostHint)")
    }

    /// Handshakes, and methods that change something: the page that asks must be ours, or allowed. What sends no Origin
    /// is no browser.
    func refusalOfOrigin(_ headers: HTTPHeaders) -> HTTPResponse? {
        guard let origin = headers["Origin"] else { return nil }
        if isOwn(origin, headers) || isAllowed(origin: origin) { return nil }
        return .text(403, "Pages of \(origin.printable) may not do this here. \(configuration.originHint)")
    }

    /// Whether the origin is one of the configured ones.
    func isAllowed(origin: String) -> Bool {
        configuration.allowedOrigins.contains { $0 == "*" || $0.equalsIgnoringCase(origin) }
    }

    /// A WebSocket handshake (RFC 6455 §4.2.1).
    func refusalOfHandshake(method: String, _ headers: HTTPHeaders) -> HTTPResponse? {
        guard method == "GET" else { return .text(400, "A WebSocket handshake is a GET request.") }
        guard headers.list("Connection", contains: "upgrade") else {
            return .text(400, "A WebSocket handshake needs the header Connection: Upgrade.")
        }
        guard headers["Sec-WebSocket-Version"] == "13" else { return Self.otherVersion }
        guard Self.isKey(headers["Sec-WebSocket-Key"] ?? "") else {
            return .text(400, "The Sec-WebSocket-Key is not 16 bytes in base64.")
        }
        return refusalOfOrigin(headers) ?? refusalOfSubprotocols(headers)
    }

    /// The one that is chosen: the first one offered that is known.
    func subprotocol(of headers: HTTPHeaders) -> String? {
        headers.list("Sec-WebSocket-Protocol").map(String.init).first { configuration.subprotocols.contains($0) }
    }

    /// The offered subprotocols are for nothing, if none of them is known.
    func refusalOfSubprotocols(_ headers: HTTPHeaders) -> HTTPResponse? {
        guard headers["Sec-WebSocket-Protocol"] != nil else { return nil }
        let isReadable = headers.list("Sec-WebSocket-Protocol").allSatisfy(\.isToken)
        guard isReadable, subprotocol(of: headers) != nil else {
            let known = configuration.subprotocols.joined(separator: ", ")
            return .text(400, "None of the offered subprotocols is supported. Offer \(known), or none.")
        }
        return nil
    }

    private static let otherVersion: HTTPResponse = {
        var response = HTTPResponse.text(426, "Only version 13 of the WebSocket protocol is supported (RFC 6455).")
        response.headers.add("Sec-WebSocket-Version", "13")
        response.headers.add("Upgrade", "websocket")
        return response
    }()

    /// 22 letters of base64 and `==` are 16 bytes.
    private static func isKey(_ key: String) -> Bool {
        key.utf8.count == 24 && key.hasSuffix("==")
            && key.utf8.dropLast(2).allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2F: true
                default: false
                }
            }
    }

    /// Local network names: a client that uses one may read; other rights are not decided here.
    private func isLocal(_ host: String) -> Bool { host.hasSuffix(".localhost") || host.hasSuffix(".local") }

    /// Whether the page is of the server that is asked, and came by TLS where the server speaks it.
    private func isOwn(_ origin: String, _ headers: HTTPHeaders) -> Bool {
        if configuration.certificate != nil, origin.lowercased().hasPrefix("http:") { return false }
        return headers.isOfOwnPage == true
    }
}

extension String {
    /// Without what could disturb a terminal or a line-based log, and not endless.
    var printable: String {
        String(unicodeScalars.prefix(100).filter { $0.value >= 0x20 && $0.value != 0x7F }.map(Character.init))
    }
}

extension OriginPolicy {
    /// The answer to a browser that asks, before a request to another site, whether it may (the Fetch standard's CORS
    /// preflight); nil if this is none.
    func preflight(of request: HTTPRequest) -> HTTPResponse? {
        guard request.method == "OPTIONS", request.headers["Access-Control-Request-Method"] != nil else { return nil }
        if let refusal = refusalOfOrigin(request.headers) { return refusal }
        let headers = request.headers["Access-Control-Request-Headers"] ?? ""
        return HTTPResponse(
            status: 204,
            headers: [
                "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
                "Access-Control-Allow-Headers": headers, "Access-Control-Max-Age": "600",
            ])
    }

    /// An answer with what lets pages of allowed sites read it.
    func shared(_ response: HTTPResponse, with origin: String?) -> HTTPResponse {
        guard !configuration.allowedOrigins.isEmpty else { return response }
        var response = response
        response.headers.add("Vary", "Origin")
        guard let origin, isAllowed(origin: origin) else { return response }
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = "ETag"
        if response.headers["Cross-Origin-Resource-Policy"] != nil {
            response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        }
        return response
    }
}

/// The `host:port` of a Host header or of an origin, in lower case.
struct Authority: Hashable {
    var host: String
    var port: Int?

    /// nil if it is not `name`, `name:port`, `1.2.3.4:port`, or `[::1]:port`.
    init?(_ text: some StringProtocol) {
        let text = text.lowercased()
        guard !text.isEmpty, text.utf8.allSatisfy(Self.isAllowed) else { return nil }
        let hostEnd: String.Index
        if text.hasPrefix("[") {
            guard let bracket = text.firstIndex(of: "]") else { return nil }
            hostEnd = text.index(after: bracket)
        } else {
            hostEnd = text.firstIndex(of: ":") ?? text.endIndex
        }
        host = String(text[..<hostEnd])
        guard !host.isEmpty else { return nil }
        guard hostEnd < text.endIndex else { return }
        let digits = text[hostEnd...].dropFirst()
        guard text[hostEnd] == ":", let port = Int(digits), (1...65535).contains(port),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        self.port = port
    }

    /// Whether it is a numeric address, which no name server can redirect.
    var isAddress: Bool {
        if host.hasPrefix("["), host.hasSuffix("]") { return IPAddress.isVersion6(host.dropFirst().dropLast()) }
        return IPAddress.isVersion4(host)
    }

    /// Letters, digits and what names, addresses and ports need.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, 0x2D, 0x2E, 0x3A, 0x5B, 0x5D, 0x5F: true
        default: false
        }
    }
}

extension Authority {
    /// Whether an origin, such as `http://example.org:8080`, is what a Host header names.
    static func isSameSite(_ origin: String, host: String?) -> Bool {
        guard let host = host.flatMap({ Authority($0) }), let colon = origin.firstRange(of: "://"),
            let site = Authority(origin[colon.upperBound...]),
            let standard = ["http": 80, "https": 443][origin[..<colon.lowerBound].lowercased()]
        else { return false }
        return site.host == host.host && (site.port ?? standard) == (host.port ?? standard)
    }
}

extension Authority {
    /// Whether only this machine can have this name: a numeric address, `localhost`, or a name that was allowed.
    /// Names in `.local` are had by whoever answers first on the network (RFC 6762 §8), those in `.localhost` from whoever
    /// answers where a resolver does not know RFC 6761.
    func isOwn(allowed: [String]) -> Bool {
        if isAddress || host == "localhost" { return true }
        return allowed.contains { name in
            guard let name = Authority(name) else { return false }
            return name.host == host && (name.port == nil || name.port == port)
        }
    }
}

extension HTTPHeaders {
    /// Whether the request is for a name of this server that no other machine can have.
    ///
    /// - Parameter allowed: names that its owner gave it.
    package func isForOwnHost(allowed: [String]) -> Bool {
        self["Host"].flatMap { Authority($0) }?.isOwn(allowed: allowed) ?? false
    }

    /// Whether the requesting page is of this server; nil if the browser does not report the page.
    ///
    /// A page that came without TLS may be anybody's on the way: where a proxy speaks it, such a page is another site's.
    package var isOfOwnPage: Bool? {
        self["Origin"].map { origin in
            if origin.lowercased().hasPrefix("http:"), Forwarding.isSaidToBeSecure(self) { return false }
            return Authority.isSameSite(origin, host: self["Host"])
        }
    }
}

/// Why a connection, a handshake or a request was rejected by its address and headers.
package enum Refusal: String, CaseIterable, Hashable, Sendable {
    /// There are as many connections as there may be.
    case connections
    /// There are as many of its address as there may be.
    case crowded
    /// It held most of what connections have under way, and that was too much together.
    case memory
    /// A header could not be read, or the body's length, or one is too long.
    case malformed
    /// The server is not known by that name.
    case host
    /// The page that asks is of another site.
    case origin
    /// It is no handshake that this server takes.
    case handshake
    /// The owner did not want the handshake.
    case owner
}
