import CLibuv
import CLibwebsockets
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
            prepare(accepted)
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
        loop.logger.warning("No descriptor is left for new connections; trying again in \(Self.pause).")
        rest()
        _ = loop.schedule(after: Self.pause) { [weak self] in self?.resume() }
    }

    private func prepare(_ descriptor: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        // What the system queues beyond this is ours to drop or fold: a few hundred small frames instead of megabytes.
        var unsent: Int32 = 32 * 1024
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &unsent, socklen_t(MemoryLayout<Int32>.size))
    }
}
