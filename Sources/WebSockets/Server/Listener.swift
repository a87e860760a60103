import CLibuv
import CLibwebsockets
import CPlatform
import Logging

/// A listening TCP socket, and the accepting of what comes to it, on one loop.
///
/// It is our own and has no SO_REUSEPORT: with that, a second server of the same user would take half of the connections
/// in silence.
final class Listener: @unchecked Sendable {
    /// The real one, also if 0 was asked for.
    let port: Int
    private let descriptor: Int32
    private let loop: ServiceLoop
    private let mayAccept: () -> Bool
    private let onAccept: (Int32, sockaddr_storage) -> Void
    private var poll: UnsafeMutablePointer<uv_poll_t>?
    /// How long accepting rests when there is no descriptor left.
    private static let pause: Duration = .milliseconds(250)

    /// How long it may accept before those already connected are served.
    private static let slice: UInt64 = 2_000_000

    /// Binds and listens.
    ///
    /// - Parameters:
    ///   - mayAccept: asked before each one; after a no it rests until `resume`.
    ///   - onAccept: gets each descriptor, and owns it, with its peer's address. Both on the loop's thread.
    init(
        _ configuration: WebSocketServer.Configuration, loop: ServiceLoop, mayAccept: @escaping () -> Bool,
        onAccept: @escaping (Int32, sockaddr_storage) -> Void
    ) throws(SocketError) {
        self.loop = loop
        self.mayAccept = mayAccept
        self.onAccept = onAccept
        descriptor = try ListeningSocket.open(configuration)
        port = ListeningSocket.port(of: descriptor)
    }

    /// Begins to accept. On the loop's thread.
    func start() {
        let poll = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
        uv_poll_init(loop.network.loop, poll, descriptor)
        poll.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        self.poll = poll
        resume()
    }

    /// Closes the socket. On the loop's thread.
    func stop() {
        guard let poll else { return }
        self.poll = nil
        uv_poll_stop(poll)
        uv_close(UnsafeMutableRawPointer(poll).assumingMemoryBound(to: uv_handle_t.self)) { handle in
            UnsafeMutableRawPointer(handle)?.deallocate()
        }
        close(descriptor)
    }

    /// For one that was never started.
    func abandon() { close(descriptor) }

    /// Accepts again after a rest. On the loop's thread.
    func resume() {
        guard let poll else { return }
        uv_poll_start(poll, Int32(UV_READABLE.rawValue)) { handle, _, _ in
            guard let data = handle?.pointee.data else { return }
            Unmanaged<Listener>.fromOpaque(data).takeUnretainedValue().accept()
        }
    }

    /// For a slice of time, at most 64.
    private func accept() {
        let end = uv_hrtime() + Self.slice
        for _ in 0..<64 where uv_hrtime() < end {
            guard mayAccept() else { return rest() }
            var address = sockaddr_storage()
            let accepted = shim_accept(descriptor, &address)
            guard accepted >= 0 else { return failed(shim_errno()) }
            guard accepted < loop.network.places else {
                close(accepted)
                return pause()
            }
            Self.prepare(accepted)
            onAccept(accepted, address)
        }
    }

    private func rest() {
        guard let poll else { return }
        uv_poll_stop(poll)
    }

    private func failed(_ error: Int32) {
        switch error {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: pause()
        // Nothing more waits, or this one is gone already: the next readiness will tell.
        default: break
        }
    }

    private func pause() {
        loop.logger.warning("No file descriptor is left for new connections; retrying in \(Self.pause).")
        rest()
        _ = loop.schedule(after: Self.pause) { [weak self] in self?.resume() }
    }

    /// Sets up a connected socket.
    static func prepare(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        // What the system queues beyond this is ours to drop or fold: a few hundred small frames instead of megabytes.
        var unsent: Int32 = 32 * 1024
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &unsent, socklen_t(MemoryLayout<Int32>.size))
    }
}

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
