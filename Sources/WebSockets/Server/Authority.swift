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

    /// Whether it is a numeric address: no name, so that nobody can make it point elsewhere.
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
    /// Whether nobody else can give this name to a machine: a numeric address, `localhost`, or a name that was allowed.
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
    /// Whether the request is for a name of this server that nobody else can have.
    ///
    /// - Parameter allowed: names that its owner gave it.
    package func isForOwnHost(allowed: [String]) -> Bool {
        self["Host"].flatMap { Authority($0) }?.isOwn(allowed: allowed) ?? false
    }

    /// Whether the page that asks is one of the server that is asked; nil where nobody says which page asks.
    ///
    /// A page that came without TLS may be anybody's on the way: where a proxy speaks it, such a page is another site's.
    package var isOfOwnPage: Bool? {
        self["Origin"].map { origin in
            if origin.lowercased().hasPrefix("http:"), Forwarding.isSaidToBeSecure(self) { return false }
            return Authority.isSameSite(origin, host: self["Host"])
        }
    }
}
