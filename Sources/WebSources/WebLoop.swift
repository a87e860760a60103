import CCurl
import CLibuv
import EventLoops

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

    private let loop = EventLoop()
    /// On the loop's thread alone, as all that follows from it.
    private var multis: [NetworkScope: CurlMulti] = [:]

    private init() {
        curl_global_init(Int(CURL_GLOBAL_DEFAULT))
        precondition(shim_resolves_beside() != 0, "This libcurl looks names up while it waits. Use one that does not.")
        loop.post { [self] in
            for reach in NetworkScope.allCases { multis[reach] = CurlMulti(on: loop) }
        }
    }

    /// Has something done on the loop, in the order of the calls. From any thread.
    func post(_ job: @escaping @Sendable () -> Void) { loop.post(job) }

    /// What asks servers within reach. On the loop's thread.
    func multi(_ reach: NetworkScope) -> CurlMulti { multis[reach]! }
}

/// Transfers that share connections. On its loop's thread.
final class CurlMulti {
    /// Connections that are kept for the next request, all servers together.
    private static let kept = 64

    private let multi: UnsafeMutableRawPointer
    private let loop: EventLoop
    private let timer: UnsafeMutablePointer<uv_timer_t> = .allocate(capacity: 1)
    private var transfers: [UnsafeMutableRawPointer: WebTransfer] = [:]
    private var running: Int32 = 0

    /// It lives as long as the loop: for ever.
    init(on loop: EventLoop) {
        self.loop = loop
        multi = curl_multi_init()
        timer.initialize(to: uv_timer_t())
        uv_timer_init(loop.pointer, timer)
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
    private func look(at socket: curl_socket_t, _ what: Int32, _ known: UnsafeMutableRawPointer?) {
        let poll = known.map { Unmanaged<SocketPoll>.fromOpaque($0) }
        guard what != CURL_POLL_REMOVE else {
            guard let poll else { return }
            poll.takeUnretainedValue().end()
            curl_multi_assign(multi, socket, nil)
            return poll.release()
        }
        var events: SocketPoll.Readiness = []
        if what != CURL_POLL_OUT { events.insert(.readable) }
        if what != CURL_POLL_IN { events.insert(.writable) }
        (poll?.takeUnretainedValue() ?? begin(socket)).wait(for: events)
    }

    private func begin(_ socket: curl_socket_t) -> SocketPoll {
        let poll = SocketPoll(socket, on: loop) { [unowned self] in act(on: socket, $0) }
        curl_multi_assign(multi, socket, Unmanaged.passRetained(poll).toOpaque())
        return poll
    }

    private func act(on socket: curl_socket_t, _ events: SocketPoll.Readiness) {
        var what: Int32 = 0
        if events.contains(.readable) { what |= CURL_CSELECT_IN }
        if events.contains(.writable) { what |= CURL_CSELECT_OUT }
        curl_multi_socket_action(multi, socket, what, &running)
        settle()
    }

    private static func behind(_ me: UnsafeMutableRawPointer?) -> CurlMulti {
        Unmanaged<CurlMulti>.fromOpaque(me!).takeUnretainedValue()
    }
}
