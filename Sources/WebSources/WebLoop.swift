import CCurl
import CLibuv
import CPlatform
import ListSources
import Locking

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The one thread on which all web servers are asked: libcurl's multi interface on a libuv loop, with a timer and a poll
/// handle for each socket (https://curl.se/libcurl/c/curl_multi_socket_action.html). A thousand servers that think are a
/// thousand sockets, and no work.
///
/// It begins with the first request and stays: a process without web lists has no such thread. Names are looked up by
/// threads of libcurl's own.
final class WebLoop: @unchecked Sendable {
    /// Where a transfer may lead.
    enum NetworkScope: CaseIterable {
        case anywhere
        /// To no private address: such transfers share no connection with others.
        case publicAddresses
    }

    static let shared = WebLoop()

    private let inbox = Locked<[@Sendable () -> Void]>([])
    private let loop: UnsafeMutablePointer<uv_loop_t> = .allocate(capacity: 1)
    private let wakeUp: UnsafeMutablePointer<uv_async_t> = .allocate(capacity: 1)
    /// On the loop's thread alone, as all that follows from it.
    private var multis: [NetworkScope: CurlMulti] = [:]

    private init() {
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        precondition(shim_resolves_beside() != 0, "This libcurl looks names up while it waits. Use one that does not.")
        uv_loop_init(loop)
        wakeUp.initialize(to: uv_async_t())
        uv_async_init(loop, wakeUp) { handle in
            WebLoop.behind(handle).empty()
        }
        wakeUp.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        for reach in NetworkScope.allCases { multis[reach] = CurlMulti(on: loop) }
        let code = shim_start_thread(runWebLoop, Unmanaged.passRetained(self).toOpaque(), 8 << 20)
        precondition(code == 0, "Cannot start the thread for the web: error \(code).")
    }

    /// Has something done on the loop, in the order of the calls. From any thread.
    func post(_ job: @escaping @Sendable () -> Void) {
        inbox.withLock { $0.append(job) }
        uv_async_send(wakeUp)
    }

    /// What asks servers within reach. On the loop's thread.
    func multi(_ reach: NetworkScope) -> CurlMulti { multis[reach]! }

    fileprivate func run() {
        while true { uv_run(loop, UV_RUN_DEFAULT) }
    }

    private func empty() {
        let jobs = inbox.withLock { jobs in
            defer { jobs = [] }
            return jobs
        }
        for job in jobs { job() }
    }

    private static func behind(_ handle: UnsafeMutablePointer<uv_async_t>?) -> WebLoop {
        Unmanaged<WebLoop>.fromOpaque(handle!.pointee.data).takeUnretainedValue()
    }
}

private func runWebLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    Unmanaged<WebLoop>.fromOpaque(context!).takeUnretainedValue().run()
    return nil
}

/// Transfers that share connections. On its loop's thread.
final class CurlMulti {
    /// Connections that are kept for the next request, all servers together.
    private static let kept = 64

    private let multi: UnsafeMutableRawPointer
    private let loop: UnsafeMutablePointer<uv_loop_t>
    private let timer: UnsafeMutablePointer<uv_timer_t> = .allocate(capacity: 1)
    private var transfers: [UnsafeMutableRawPointer: WebTransfer] = [:]
    private var running: Int32 = 0

    /// It lives as long as the loop: for ever.
    init(on loop: UnsafeMutablePointer<uv_loop_t>) {
        self.loop = loop
        multi = curl_multi_init()
        timer.initialize(to: uv_timer_t())
        uv_timer_init(loop, timer)
        let me = Unmanaged.passRetained(self).toOpaque()
        timer.pointee.data = me
        shim_set_multi(
            multi,
            { _, socket, what, me, poll in
                CurlMulti.behind(me).look(at: socket, what, poll)
                return 0
            },
            { _, milliseconds, me in
                CurlMulti.behind(me).wait(milliseconds)
                return 0
            }, me, Self.kept)
    }

    func add(_ transfer: WebTransfer) {
        transfers[transfer.easy] = transfer
        curl_multi_add_handle(multi, transfer.easy)
    }

    /// Ends it at once, whatever it does. Not inside one of its callbacks.
    func remove(_ transfer: WebTransfer) {
        guard transfers.removeValue(forKey: transfer.easy) != nil else { return }
        curl_multi_remove_handle(multi, transfer.easy)
    }

    private func settle() {
        var code = CURLE_OK
        while let easy = shim_next_done(multi, &code) {
            guard let transfer = transfers[easy] else { continue }
            remove(transfer)
            transfer.ended(code)
        }
    }

    /// libcurl wants to be called when so much time is over; -1: not at all.
    private func wait(_ milliseconds: Int) {
        guard milliseconds >= 0 else {
            uv_timer_stop(timer)
            return
        }
        uv_timer_start(
            timer,
            { timer in
                let me = CurlMulti.behind(timer!.pointee.data)
                shim_timed_out(me.multi, &me.running)
                me.settle()
            }, UInt64(milliseconds), 0)
    }

    /// libcurl wants to know when a socket can be read or written, or no longer.
    private func look(at socket: curl_socket_t, _ what: Int32, _ poll: UnsafeMutableRawPointer?) {
        let known = poll?.assumingMemoryBound(to: uv_poll_t.self)
        guard what != CURL_POLL_REMOVE else {
            guard let known else { return }
            uv_poll_stop(known)
            curl_multi_assign(multi, socket, nil)
            known.withMemoryRebound(to: uv_handle_t.self, capacity: 1) { handle in
                uv_close(handle) { $0?.deallocate() }
            }
            return
        }
        let handle = known ?? begin(socket)
        var events: Int32 = 0
        if what != CURL_POLL_OUT { events |= Int32(UV_READABLE.rawValue) }
        if what != CURL_POLL_IN { events |= Int32(UV_WRITABLE.rawValue) }
        uv_poll_start(handle, events) { handle, status, events in
            CurlMulti.behind(handle!.pointee.data).act(on: handle!, status, events)
        }
    }

    private func begin(_ socket: curl_socket_t) -> UnsafeMutablePointer<uv_poll_t> {
        let handle = UnsafeMutablePointer<uv_poll_t>.allocate(capacity: 1)
        handle.initialize(to: uv_poll_t())
        uv_poll_init_socket(loop, handle, socket)
        handle.pointee.data = Unmanaged.passUnretained(self).toOpaque()
        curl_multi_assign(multi, socket, handle)
        return handle
    }

    private func act(on handle: UnsafeMutablePointer<uv_poll_t>, _ status: Int32, _ events: Int32) {
        let descriptor = handle.withMemoryRebound(to: uv_handle_t.self, capacity: 1) { shim_uv_descriptor($0) }
        var what: Int32 = status < 0 ? CURL_CSELECT_ERR : 0
        if events & Int32(UV_READABLE.rawValue) != 0 { what |= CURL_CSELECT_IN }
        if events & Int32(UV_WRITABLE.rawValue) != 0 { what |= CURL_CSELECT_OUT }
        curl_multi_socket_action(multi, descriptor, what, &running)
        settle()
    }

    private static func behind(_ me: UnsafeMutableRawPointer?) -> CurlMulti {
        Unmanaged<CurlMulti>.fromOpaque(me!).takeUnretainedValue()
    }
}
