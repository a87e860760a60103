import CLibwebsockets

/// Asks libwebsockets to connect; its strings need to live for the call alone.
struct ClientRequest {
    var url: ClientURL
    /// nil: a WebSocket handshake.
    var method: String?
    var subprotocol: String?
    /// Numeric; 4.3.5 gives up after the first of a name's addresses, so the names are ours to resolve.
    var address: String

    /// Connects as `connection`, which hears of success and failure. On the loop's thread. false: it failed at once.
    func start(as connection: Connection) -> Bool {
        guard let vhost = connection.network.vhost, let context = connection.network.context else { return false }
        let network = connection.network
        network.clients[ObjectIdentifier(connection)] = connection
        let made = CStrings.with([address, url.path, url.authority, method, subprotocol]) { strings in
            var info = lws_client_connect_info()
            info.context = context
            info.vhost = vhost
            info.address = strings[0]
            info.port = Int32(url.port)
            info.path = strings[1]
            info.host = strings[2]
            info.method = strings[3]
            info.protocol = strings[4]
            info.ietf_version_or_minus_one = -1
            info.opaque_user_data = Unmanaged.passUnretained(connection).toOpaque()
            info.retry_and_idle_policy = network.policy
            if let (trust, _) = network.trust {
                info.ssl_connection = Int32(bitPattern: trust.flags)
                info.alpn = ServerSecurity.protocols
            }
            return ProtocolTable.plainName.withCString { name in
                info.local_protocol_name = name
                return lws_client_connect_via_info(&info)
            }
        }
        return made != nil
    }
}

/// Swift strings as C strings for the length of a call.
enum CStrings {
    static func with<Result>(_ strings: [String?], _ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
        let copies = strings.map { string in string.flatMap { strdup($0) } }
        defer { for copy in copies { free(copy) } }
        return body(copies.map { $0.map { UnsafePointer($0) } })
    }
}

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
