import CLibuv
import CLibwebsockets
import CPlatform

/// Connects to a host: finds its addresses, and tries one after another. On its loop's thread only.
final class TCPConnector: @unchecked Sendable {
    private let loop: ServiceLoop
    private let port: Int
    /// nil once it was called, or after `cancel`.
    private var whenDone: ((Result<Int32, Failure>) -> Void)?
    private var addresses: ArraySlice<String> = []
    private var poll: UnsafeMutablePointer<uv_poll_t>?
    /// Of the address that is tried.
    private var descriptor: Int32 = -1

    /// Why there is no connection.
    struct Failure: Error {
        let reason: String
    }

    /// - Parameter whenDone: gets a connected descriptor, and owns it; called once, but not after `cancel`.
    init(loop: ServiceLoop, port: Int, whenDone: @escaping (Result<Int32, Failure>) -> Void) {
        self.loop = loop
        self.port = port
        self.whenDone = whenDone
    }

    /// Begins. Once.
    func start(_ host: String) {
        // getaddrinfo(3) may wait for a name server.
        loop.offload {
            IPAddress.all(of: host)
        } then: { [self] addresses in
            self.addresses = addresses[...]
            tryNext("no such host")
        }
    }

    /// Gives up; nothing is called any more.
    func cancel() {
        whenDone = nil
        endPoll()
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    private func tryNext(_ reason: String) {
        guard whenDone != nil else { return }
        guard let address = addresses.popFirst() else { return finish(.failure(Failure(reason: reason))) }
        descriptor = shim_tcp_connect(address, String(port))
        guard descriptor >= 0 else { return tryNext(String(cString: strerror(shim_errno()))) }
        guard descriptor < loop.network.places else {
            close(descriptor)
            descriptor = -1
            return finish(.failure(Failure(reason: "no file descriptor is left")))
        }
        let poll = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
        uv_poll_init(loop.network.loop, poll, descriptor)
        poll.pointee.data = Unmanaged.passRetained(self).toOpaque()
        self.poll = poll
        uv_poll_start(poll, Int32(UV_WRITABLE.rawValue)) { handle, _, _ in
            guard let data = handle?.pointee.data else { return }
            Unmanaged<TCPConnector>.fromOpaque(data).takeUnretainedValue().answered()
        }
    }

    private func answered() {
        endPoll()
        let connected = descriptor
        descriptor = -1
        let error = shim_socket_error(connected)
        guard error != 0 else { return finish(.success(connected)) }
        close(connected)
        tryNext(error == ECONNREFUSED ? "nothing listens there" : String(cString: strerror(error)))
    }

    private func finish(_ result: Result<Int32, Failure>) {
        let whenDone = whenDone
        self.whenDone = nil
        if let whenDone { return whenDone(result) }
        if case .success(let descriptor) = result { close(descriptor) }
    }

    /// Lets the descriptor go, before anybody else polls it.
    private func endPoll() {
        guard let poll else { return }
        self.poll = nil
        uv_poll_stop(poll)
        uv_close(UnsafeMutableRawPointer(poll).assumingMemoryBound(to: uv_handle_t.self)) { handle in
            guard let handle else { return }
            Unmanaged<TCPConnector>.fromOpaque(handle.pointee.data).release()
            UnsafeMutableRawPointer(handle).deallocate()
        }
    }
}

extension ServiceLoop {
    /// Runs `work`, which may block, on a thread of libuv's pool, and then `done` on the loop's (uv_queue_work). On its thread.
    func offload<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value, then done: @escaping (Value) -> Void
    ) {
        preconditionCurrent()
        let request = UnsafeMutablePointer<uv_work_t>.allocate(capacity: 1)
        request.pointee.data = Unmanaged.passRetained(PooledWork(work, done)).toOpaque()
        uv_queue_work(
            network.loop, request,
            { request in
                guard let data = request?.pointee.data else { return }
                Unmanaged<PooledWork>.fromOpaque(data).takeUnretainedValue().run()
            },
            { request, _ in
                guard let request else { return }
                Unmanaged<PooledWork>.fromOpaque(request.pointee.data).takeRetainedValue().finish()
                request.deallocate()
            })
    }
}

/// What is done on a thread of the pool, and what follows on the loop's. One after the other: libuv orders them.
private final class PooledWork: @unchecked Sendable {
    private(set) var run: () -> Void = {}
    private(set) var finish: () -> Void = {}

    init<Value>(_ work: @escaping @Sendable () -> Value, _ done: @escaping (Value) -> Void) {
        var value: Value?
        run = { value = work() }
        finish = { if let value { done(value) } }
    }
}
