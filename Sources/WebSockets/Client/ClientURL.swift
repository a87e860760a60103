/// The parts of a `ws://`, `wss://`, `http://` or `https://` address that a client needs.
struct ClientURL: Hashable, Sendable {
    var text: String
    /// Without brackets.
    var host: String
    var port: Int
    /// With the query; begins with a slash.
    var path: String
    /// For the Host header.
    var authority: String
    /// Whether TLS is spoken.
    var isSecure: Bool

    /// - Parameter scheme: without TLS: `ws` or `http`.
    init(_ text: String, scheme: String) throws(SocketError) {
        self.text = text
        let prefixes = ["\(scheme)://", "\(scheme)s://"]
        guard let prefix = prefixes.first(where: text.lowercased().hasPrefix) else {
            throw .badURL(text, reason: "it does not begin with \(prefixes.joined(separator: " or "))")
        }
        let rest = text.dropFirst(prefix.count).prefix { $0 != "#" }
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard let authority = Authority(rest[..<end]) else {
            throw .badURL(text, reason: "it has no host, or a bad port")
        }
        let path = rest[end...]
        guard path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .badURL(text, reason: "its path has characters that must be percent-encoded")
        }
        self.authority = String(rest[..<end])
        self.path = path.hasPrefix("/") ? String(path) : "/" + path
        isSecure = prefix == prefixes[1]
        port = authority.port ?? (isSecure ? 443 : 80)
        host = authority.host.hasPrefix("[") ? String(authority.host.dropFirst().dropLast()) : authority.host
    }
}
