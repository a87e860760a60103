import CLibuv
import CLibwebsockets

/// Making a socket that listens: getaddrinfo(3), socket(2), bind(2), listen(2).
enum ListeningSocket {
    /// Those that come at once wait here; the system allows as many as net.core.somaxconn says (4096, most often).
    private static let backlog: Int32 = 65_535

    static func open(_ configuration: WebSocketServer.Configuration) throws(SocketError) -> Int32 {
        let host = configuration.host
        guard (0...65535).contains(configuration.port) else {
            throw .cannotListen(host: host, port: configuration.port, reason: "a port is a number from 0 to 65535")
        }
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        hints.ai_socktype = Int32(shim_SOCK_STREAM)
        var found: UnsafeMutablePointer<addrinfo>?
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        let status = getaddrinfo(bare, String(configuration.port), &hints, &found)
        guard status == 0, let address = found else {
            throw .hostUnusable(host: host, reason: String(cString: gai_strerror(status)))
        }
        defer { freeaddrinfo(found) }
        return try bind(address.pointee, configuration)
    }

    static func port(of descriptor: Int32) -> Int {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            _ = getsockname(
                descriptor, UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), &length)
        }
        return IPAddress.port(of: address)
    }

    private static func bind(
        _ address: addrinfo, _ configuration: WebSocketServer.Configuration
    ) throws(SocketError) -> Int32 {
        let descriptor = shim_tcp_socket(address.ai_family)
        guard descriptor >= 0 else { throw error(shim_errno(), configuration) }
        var on: Int32 = 1
        // Lets a restarted server have its port at once (tcp(7), TIME_WAIT); two servers can't share it by this.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        if address.ai_family == AF_INET6 {
            // `::` is for IPv4 peers, too.
            var off: Int32 = 0
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &off, socklen_t(MemoryLayout<Int32>.size))
        }
        guard CLibwebsockets.bind(descriptor, address.ai_addr, address.ai_addrlen) == 0,
            listen(descriptor, backlog) == 0
        else {
            let failure = error(shim_errno(), configuration)
            close(descriptor)
            throw failure
        }
        return descriptor
    }

    private static func error(_ code: Int32, _ configuration: WebSocketServer.Configuration) -> SocketError {
        let host = configuration.host
        let port = configuration.port
        switch code {
        case EADDRINUSE: return .portInUse(host: host, port: port, hint: configuration.portHint)
        case EACCES, EPERM: return .portNotPermitted(host: host, port: port, hint: configuration.portHint)
        case EADDRNOTAVAIL: return .hostUnusable(host: host, reason: "it is not an address of this machine")
        default: return .cannotListen(host: host, port: port, reason: String(cString: strerror(code)))
        }
    }
}
