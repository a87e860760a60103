import CLibuv
import CLibwebsockets

/// A libuv loop and the libwebsockets context that lives on it.
///
/// `wake` may be called from any thread; all else on the thread that runs it (or, before that, by the one that made it).
final class NetworkContext: @unchecked Sendable {
    let loop: UnsafeMutablePointer<uv_loop_t>
    private(set) var context: OpaquePointer?
    private(set) var vhost: OpaquePointer?
    /// Runs on the thread after `wake`.
    var onWake: () -> Void = {}
    /// Whoever is adopting a descriptor at this moment; its `lws` is bound to it as soon as it exists.
    var adopting: Connection?

    /// What the next handshake shows.
    var certificate: Certificate?
    /// libwebsockets has a place for each descriptor below it, and none for others.
    let places = DescriptorLimit.allowed

    private let wakeHandle: UnsafeMutablePointer<uv_async_t>
    private let timerHandle: UnsafeMutablePointer<uv_timer_t>
    private let timers = LoopTimers()
    private let table: ProtocolTable
    private var isStopping = false
    /// The SSL_CTX of the vhost, which owns it.
    private var serverContext: OpaquePointer?
    private var eventDescriptor: EventDescriptor?
    /// The context's own; nil where the version has none.
    private var log: UnsafeMutableRawPointer?

    init(settings: NetworkSettings) throws(SocketError) {
        loop = .allocate(capacity: 1)
        wakeHandle = .allocate(capacity: 1)
        timerHandle = .allocate(capacity: 1)
        table = ProtocolTable()
        certificate = settings.certificate
        try makeHandles()
        timers.onArm = { [unowned self] time in ring(at: time) }
        try makeContext(settings)
        eventDescriptor = EventDescriptor(on: loop)
    }

    deinit {
        destroy()
        loop.deallocate()
        wakeHandle.deallocate()
        timerHandle.deallocate()
    }

    /// From any thread (uv_async_send is the one function of libuv that allows it).
    func wake() { uv_async_send(wakeHandle) }

    /// Runs until `stop`.
    func run() {
        while !isStopping { uv_run(loop, UV_RUN_DEFAULT) }
    }

    func stop() {
        isStopping = true
        uv_stop(loop)
    }

    func schedule(after delay: Duration, _ body: @escaping @Sendable () -> Void) -> LoopTimer {
        let timer = LoopTimer(timers: timers, body: body)
        set(timer, after: delay)
        return timer
    }

    /// Sets an entry, or sets it anew: it fires after at least `delay`; if coarse, up to 255 ms later, together with others,
    /// so that ten thousand heartbeats don't wake the loop ten thousand times. O(1).
    func set(_ entry: any WheelEntry, after delay: Duration, isCoarse: Bool = false) {
        uv_update_time(loop)
        let deadline = uv_now(loop) + delay.milliseconds
        timers.set(entry, at: isCoarse ? (deadline | 255) + 1 : deadline)
    }

    /// Makes sure that an entry does not fire. O(1).
    func cancel(_ entry: any WheelEntry) { timers.cancel(entry) }

    /// Gives an accepted descriptor to libwebsockets, which owns it from now on, whether or not this succeeds. It speaks TLS
    /// on it, if there is a certificate, and hands over what comes: no protocol.
    func adopt(_ descriptor: Int32, as connection: Connection) -> Bool {
        guard let vhost else { return false }
        adopting = connection
        defer { adopting = nil }
        let kind = certificate == nil ? LWS_ADOPT_SOCKET : shim_LWS_ADOPT_SOCKET_WITH_TLS
        let socket = lws_sock_file_fd_type(sockfd: descriptor)
        return lws_adopt_descriptor_vhost(vhost, kind, socket, ProtocolTable.connectionName, nil) != nil
    }

    /// Ends the context and the loop. The order, and the second lws_context_destroy, are needed: without it 4.1.6 leaks
    /// 330 KB a cycle.
    func destroy() {
        guard let context else { return }
        timers.removeAll()
        close(wakeHandle)
        close(timerHandle)
        eventDescriptor?.prepare()
        lws_context_destroy(context)
        if eventDescriptor?.occupy() ?? true {
            runDown()
            lws_context_destroy(context)
            free(log)
        } else {
            runDown()
            closeHandles()
        }
        self.context = nil
        vhost = nil
        eventDescriptor?.close()
        let status = uv_loop_close(loop)
        precondition(status == 0, "A libuv loop still has handles after its context was destroyed.")
    }

    /// Lets libuv finish what is closing.
    private func runDown() {
        for _ in 0..<100_000 where uv_run(loop, UV_RUN_NOWAIT) == 0 { break }
    }

    /// Closes what libwebsockets would have closed.
    private func closeHandles() {
        uv_walk(loop, { handle, _ in if uv_is_closing(handle) == 0 { uv_close(handle, nil) } }, nil)
        runDown()
    }

    private func close<Handle>(_ handle: UnsafeMutablePointer<Handle>) {
        uv_close(UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_handle_t.self), nil)
    }

    private func makeHandles() throws(SocketError) {
        guard uv_loop_init(loop) == 0 else { throw .cannotStartLoop(reason: "uv_loop_init failed") }
        let me = Unmanaged.passUnretained(self).toOpaque()
        uv_async_init(loop, wakeHandle) { handle in NetworkContext.behind(handle?.pointee.data)?.onWake() }
        uv_timer_init(loop, timerHandle)
        wakeHandle.pointee.data = me
        timerHandle.pointee.data = me
    }

    private func makeContext(_ settings: NetworkSettings) throws(SocketError) {
        lws_set_log_level(0, nil)
        var loops: UnsafeMutableRawPointer? = UnsafeMutableRawPointer(loop)
        let made = withUnsafeMutablePointer(to: &loops) { loops in
            var info = contextInfo(settings)
            info.foreign_loops = loops
            log = shim_own_log(&info)
            return lws_create_context(&info)
        }
        guard let made else { throw .cannotStartLoop(reason: "lws_create_context failed") }
        context = made
        // With a foreign loop lws_create_context returns a context after a failure too; the vhost then fails.
        var info = contextInfo(settings)
        info.protocols = UnsafePointer(table.protocols)
        if certificate != nil {
            info.options |= shim_OPTION_CREATE_VHOST_SSL_CTX
            info.alpn = ServerSecurity.protocols
        }
        vhost = lws_create_vhost(made, &info)
        guard vhost != nil else { throw .cannotStartLoop(reason: "libwebsockets has no libuv support") }
        if let serverContext { ServerSecurity.refuseOtherProtocols(serverContext) }
    }

    private func contextInfo(_ settings: NetworkSettings) -> lws_context_creation_info {
        var info = lws_context_creation_info()
        info.port = shim_PORT_NO_LISTEN_SERVER
        info.options = shim_OPTION_EXPLICIT_VHOSTS | shim_OPTION_LIBUV | shim_OPTION_VALIDATE_UTF8
        // With the system's authorities an SSL_CTX costs a megabyte, for nothing.
        if certificate != nil { info.options |= shim_OPTION_DO_SSL_GLOBAL_INIT | shim_OPTION_DISABLE_OS_CA_CERTS }
        // gid and uid are signed in 4.1.6 and unsigned in 4.3.5; all bits set is "leave it".
        info.gid = .init(truncatingIfNeeded: -1)
        info.uid = .init(truncatingIfNeeded: -1)
        info.user = Unmanaged.passUnretained(self).toOpaque()
        info.pt_serv_buf_size = UInt32(ProtocolTable.readSize + shim_LWS_PRE)
        info.timeout_secs = settings.requestTimeout
        info.timeout_secs_ah_idle = settings.requestTimeout
        info.retry_and_idle_policy = UnsafePointer(table.policy)
        return info
    }

    private func ring(at time: UInt64) {
        let now = uv_now(loop)
        uv_timer_start(
            timerHandle,
            { handle in
                guard let network = NetworkContext.behind(handle?.pointee.data) else { return }
                network.timers.fire(at: uv_now(network.loop))
            }, time > now ? time - now : 0, 0)
    }

    static func behind(_ data: UnsafeMutableRawPointer?) -> NetworkContext? {
        data.map { Unmanaged<NetworkContext>.fromOpaque($0).takeUnretainedValue() }
    }
}

// MARK: TLS

extension NetworkContext {
    /// libwebsockets has made the SSL_CTX of the vhost that is being made. Not 0: OpenSSL does not take our settings.
    func secure(_ context: OpaquePointer) -> Int32 {
        serverContext = context
        return ServerSecurity.apply(to: context, of: self) ? 0 : -1
    }
}

extension Duration {
    /// Rounded up: a timer never fires early.
    var milliseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        return UInt64(seconds) * 1000 + UInt64((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

/// Settings of a loop's libwebsockets context.
struct NetworkSettings: Sendable {
    /// Seconds for TLS's handshake.
    var requestTimeout: UInt32 = 10
    /// What a server shows; nil: it speaks without TLS.
    var certificate: Certificate?
}
