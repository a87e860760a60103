/// Finds the client's address, name and scheme behind proxies that are trusted. A pure rule.
///
///     browser 203.0.113.9 ──▶ proxy 10.0.0.2 ──▶ us      X-Forwarded-For: 203.0.113.9
///
/// Only a proxy that is trusted is believed: what others write into these fields counts for nothing. Of several addresses
/// the last that is no proxy of ours is whoever asks, as each proxy adds the one it hears from, and what stands before
/// them anybody may have written. `Forwarded` (RFC 7239) is read where there is no `X-Forwarded-` field: a proxy that
/// writes the one passes the other on as it came, from anybody.
struct Forwarding: Sendable {
    /// Whoever asks.
    struct Caller: Hashable {
        var address: String
        /// Whether they speak TLS, with the proxy or with us.
        var isSecure: Bool
    }

    let proxies: [AddressBlock]

    /// Whoever asks; their `Host` takes the place of the proxy's.
    func caller(_ headers: inout HTTPHeaders, from peer: String, isSecure: Bool) -> Caller {
        let direct = Caller(address: peer, isSecure: isSecure)
        guard !proxies.isEmpty, isTrusted(peer) else { return direct }
        let word = Self.said(headers)
        if let host = word.host { headers["Host"] = host }
        return Caller(address: client(word.hops, from: peer), isSecure: word.scheme.map(Self.isSecure) ?? isSecure)
    }

    private typealias Said = (hops: [String], scheme: String?, host: String?)

    /// Whether a request came by TLS, as is said by whoever passed it on. To refuse something by, and to allow nothing:
    /// anybody may say so.
    static func isSaidToBeSecure(_ headers: HTTPHeaders) -> Bool { said(headers).scheme.map(isSecure) ?? false }

    private static func said(_ headers: HTTPHeaders) -> Said {
        let ours = headers.fields.contains { $0.name.lowercased().hasPrefix("x-forwarded-") }
        guard !ours else {
            return (
                headers.list("X-Forwarded-For").map(String.init),
                headers.list("X-Forwarded-Proto").last.map(String.init),
                headers.list("X-Forwarded-Host").last.map(String.init)
            )
        }
        let elements = headers.list("Forwarded").map(parameters)
        return (elements.map { $0["for"] ?? "unknown" }, elements.last?["proto"], elements.last?["host"])
    }

    /// From the nearest on, as far as they are known.
    private func client(_ hops: [String], from peer: String) -> String {
        var client = peer
        for hop in hops.reversed() {
            guard let address = Self.address(hop) else { break }
            client = address
            if !isTrusted(address) { break }
        }
        return client
    }

    private func isTrusted(_ address: String) -> Bool { proxies.contains { $0.contains(address) } }

    private static func isSecure(_ scheme: String) -> Bool { ["https", "wss"].contains(scheme.lowercased()) }

    /// The numeric address of a hop, which may have a port; nil for `unknown` and names that proxies make up.
    private static func address(_ hop: String) -> String? {
        var text = hop[...]
        if text.hasPrefix("[") {
            text = text.dropFirst().prefix { $0 != "]" }
        } else if text.count(where: { $0 == ":" }) == 1 {
            text = text.prefix { $0 != ":" }
        }
        guard !text.contains("/"), AddressBlock(text) != nil else { return nil }
        return String(text)
    }

    /// `for=192.0.2.60;proto=https;host="example.org"`
    private static func parameters(_ element: Substring) -> [String: String] {
        var found: [String: String] = [:]
        for pair in element.split(separator: ";") {
            guard let sign = pair.firstIndex(of: "=") else { continue }
            let value = pair[pair.index(after: sign)...].trimmingSpace()
            let isQuoted = value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
            found[pair[..<sign].trimmingSpace().lowercased()] = String(isQuoted ? value.dropFirst().dropLast() : value)
        }
        return found
    }
}
