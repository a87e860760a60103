import CLibwebsockets

/// A connection whose bytes we read and write ourselves: the base of accepted connections and of those that a client makes.
///
/// ```
/// network ──▶ received ──▶ take ──▶ takeNext (overridden) …     what is not taken is kept, and nothing more is read
/// network ◀── write ◀── …                                      what the peer does not take, libwebsockets keeps
/// ```
/// libwebsockets hands over what it reads and knows nothing of HTTP or WebSockets (Documentation/Decisions/08).
/// On its loop's thread only.
class StreamConnection: Connection, @unchecked Sendable {
    let loop: ServiceLoop
    /// Bytes that are kept for it beside what each connection needs.
    private(set) var held: Int32 = 0
    /// Nothing is read from it now.
    private var isHeld = false
    /// Read, but not taken yet.
    private var rest: [UInt8] = []
    var place = WheelPosition()
    var timeouts = ConnectionTimeouts()
    /// Anything came from its socket since the last ping.
    var wasHeard = false

    init(loop: ServiceLoop) {
        self.loop = loop
        super.init(network: loop.network)
    }

    override func handle(
        _ reason: lws_callback_reasons, _ input: UnsafeRawBufferPointer, _ lws: OpaquePointer
    ) -> Int32 {
        switch reason {
        case LWS_CALLBACK_RAW_RX: arrived(UnsafeMutableRawBufferPointer(mutating: input))
        case LWS_CALLBACK_RAW_WRITEABLE: if isDrained { becameWritable() }
        case LWS_CALLBACK_RAW_CLOSE: ended()
        default: return super.handle(reason, input, lws)
        }
        return 0
    }

    override func destroyed() { ended() }

    // MARK: Overridden

    /// Its WebSocket, once it is one.
    var socket: WebSocket? { nil }
    /// Whether anything that comes can be dealt with now.
    var isListening: Bool { false }
    /// Whether all is said, and what comes is dropped.
    var isLeaving: Bool { false }
    /// Whether it has ended.
    var isOver: Bool { false }
    /// How long each thing is waited for.
    var limits: ConnectionTimeouts.Limits { preconditionFailure("A connection has limits.") }
    /// Bytes that may come unread while an answer is waited for.
    var unreadLimit: Int { .max }

    /// Takes what comes next in `bytes` from `position` on, which moves behind it. false: more must come.
    func takeNext(_ bytes: UnsafeMutableRawBufferPointer, _ position: inout Int) -> Bool { false }

    /// Bytes came from the network.
    func arrived(_ bytes: UnsafeMutableRawBufferPointer) { received(bytes) }

    /// Everything written was taken.
    func becameWritable() {}

    /// All is said: from now on what comes is dropped.
    func beginLeaving() {}

    /// It holds so many bytes more than before, or fewer.
    func heldChanged(by difference: Int) {}

    /// What is said to the peer before our side of the stream ends.
    func willShutDown(_ lws: OpaquePointer) {}

    /// The connection has ended; called once or more.
    func ended() {
        network.cancel(self)
        dropRest()
        hold(0)
    }

    // MARK: What goes

    /// Sends bytes behind what is partly sent. false: the connection is lost.
    func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let lws else { return false }
        let isAlive = bytes.withUnsafeBufferPointer { bytes in
            // lws_write(LWS_WRITE_RAW) does not change the bytes, whatever its signature says.
            lws_write(lws, UnsafeMutablePointer(mutating: bytes.baseAddress), bytes.count, shim_LWS_WRITE_RAW) >= 0
        }
        if !isAlive { loop.post { [self] in cut() } }
        return isAlive
    }

    /// Whether the system has taken all that was written.
    var isDrained: Bool { lws.map { lws_partial_buffered($0) == 0 } ?? true }

    /// Ends our side of the stream, and waits for the peer to end its own: what it sends meanwhile would else have the
    /// system reset the connection, and what we said last lost with it. All is taken.
    func leave() {
        guard let lws, isDrained, !isOver else { return }
        beginLeaving()
        dropRest()
        willShutDown(lws)
        shutdown(lws_get_socket_fd(lws), shim_SHUT_WR)
        watch(for: .end)
        holdOrRead()
    }

    /// Ends the connection at once; what is not sent yet is lost. Not inside a callback.
    func cut() {
        if isOver { return }
        end()
    }

    /// From now on so many bytes are kept for it. On its loop's thread.
    func hold(_ bytes: Int) {
        guard held != bytes else { return }
        let before = held
        held = Int32(clamping: bytes)
        heldChanged(by: Int(held) - Int(before))
    }
}

// MARK: What comes

extension StreamConnection {
    /// Bytes have come, decrypted.
    func received(_ bytes: UnsafeMutableRawBufferPointer) {
        guard rest.isEmpty else {
            rest += bytes
            return takeRest()
        }
        take(bytes)
    }

    /// What was read is of no more use.
    func dropRest() { rest = [] }

    /// Continues with what was read before. Never inside a callback of the owner, which gets one event at a time.
    private func takeRest() {
        var bytes: [UInt8] = []
        swap(&bytes, &rest)
        bytes.withUnsafeMutableBytes(take)
    }

    private func take(_ bytes: UnsafeMutableRawBufferPointer) {
        var position = 0
        while position < bytes.count, isListening, takeNext(bytes, &position) {}
        if position < bytes.count, !isLeaving, !isOver { rest = Array(bytes[position...]) }
        holdOrRead()
    }

    /// Reads as long as there is use for it. libwebsockets does not read while something is partly sent, and would ask the
    /// system again and again whether it may.
    private func holdOrRead() {
        guard let lws, isHeld == isListening, !isOver else { return }
        isHeld.toggle()
        lws_rx_flow_control(lws, isHeld ? 0 : 1)
    }

    /// Whether it reads may have changed.
    func listen() {
        holdOrRead()
        guard !isHeld, !rest.isEmpty else { return }
        loop.post { [self] in
            if isListening { takeRest() }
        }
    }

    /// Takes the next frame of a WebSocket. false: more must come.
    ///
    /// - Parameters:
    ///   - receiver: puts messages together.
    ///   - whenClosing: called before what ends the socket is dealt with.
    func takeFrame(
        of socket: WebSocket, by receiver: MessageReceiver, _ bytes: UnsafeMutableRawBufferPointer,
        _ position: inout Int, whenClosing: () -> Void
    ) -> Bool {
        guard let event = socket.reader.next(bytes, &position) else { return false }
        wasHeard = true
        switch event {
        case .piece(let piece): receiver.received(piece, from: socket)
        case .ping(let payload): socket.pong(payload)
        case .pong(let payload): socket.ponged(payload)
        case .close(let payload):
            whenClosing()
            socket.peerClosed(CloseStatus.fault(of: payload) ?? CloseStatus(payload: payload))
        case .fault(let fault):
            whenClosing()
            socket.fail(fault)
        }
        return true
    }
}

// MARK: Timeouts

extension StreamConnection: WheelEntry {
    /// Waits for something else from now on.
    func watch(for watch: ConnectionTimeouts.Watch) { wait(timeouts.begin(watch, limits)) }

    /// The first ping of a socket comes after half a beat to a whole one: not to all who came together at once.
    func watchPulse() {
        guard let beat = timeouts.begin(.beat, limits) else { return }
        wait(beat * Double.random(in: 0.5...1))
    }

    func fire() {
        var facts = ConnectionTimeouts.Facts(wasHeard: wasHeard)
        if let socket { facts.isPaused = socket.isPaused }
        switch timeouts.watch {
        case .stall, .taking: facts.taken = bytesAcknowledged
        // The end of a stream can't be seen behind so much that nobody reads: who sends it ahead has to ask anew.
        case .answer: facts.hasLeft = hasLeft || unread > unreadLimit
        default: break
        }
        let (action, delay) = timeouts.isOver(facts, limits)
        wait(delay)
        perform(action)
    }

    func wait(_ delay: Duration?) {
        guard let delay else { return network.cancel(self) }
        network.set(self, after: delay, isCoarse: delay >= .seconds(2))
    }

    private func perform(_ action: ConnectionTimeouts.Action) {
        switch (action, socket) {
        case (.nothing, _): break
        case (.ping, let socket?):
            wasHeard = false
            socket.sendHeartbeat()
        case (.close(let code, let reason), let socket?): socket.close(code, reason)
        case (.drop(let code, let reason), let socket?):
            socket.drop(CloseStatus(code: code, reason: reason, wasClean: false))
        default: cut()
        }
    }
}
