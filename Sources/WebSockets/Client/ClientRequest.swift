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
