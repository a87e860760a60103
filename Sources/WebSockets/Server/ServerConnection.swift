import CLibwebsockets

/// One accepted connection: HTTP requests one after another, then perhaps a WebSocket.
///
/// ```
///   ┌───────────────────── answered ──────────────────────┐
///   ▼                                                     │
/// idle ── byte ──▶ head ─┬─▶ body ── whole ──▶ waiting ── answer ──▶ draining ── last ──▶ leaving ──▶ over
///                        ├──────── whole ────────┘                                          ▲
///                        └── handshake ──▶ socket ── both have said Close ──────────────────┘
/// ```
/// libwebsockets hands over what it reads, decrypted, and knows nothing of HTTP or WebSockets (Documentation/Decisions/08).
/// What belongs to one phase is kept beside the connection while it lasts: an idle WebSocket holds none of it.
///
/// Nothing is read while a request waits for its answer, while the peer does not take what is sent, and while the owner has
/// paused: a peer can't make us keep more than was read at once.
final class ServerConnection: Connection, @unchecked Sendable {
    enum Phase {
        case idle
        indirect case head(HeadReader)
        indirect case body(RequestBody)
        /// Handed on; the answer comes.
        indirect case waiting(Question)
        /// Answered; the peer has not taken all of it yet. What is left of it.
        indirect case draining(ResponseWriter)
        case socket(WebSocket)
        /// Everything is sent and the stream ended; what still arrives is dropped until the peer ends it (RFC 9112 §9.6).
        case leaving
        case over
    }

    /// What an answer must know of its request.
    struct Question {
        var method: String
        var origin: String?
        /// Where it is answered; nil where it is refused at its head.
        weak var exchange: HTTPExchange?
        /// The peer, of HTTP/1.0, hears that the connection is kept.
        var saysKept = false
    }

    unowned let server: LoopServer
    let remoteAddress: String
    let slot: AdmissionControl.ConnectionSlot
    var phase = Phase.idle
    /// Its place in the server's table.
    var index: Int32 = 0
    /// Bytes that are kept for it beside what each connection needs.
    private(set) var held: Int32 = 0
    /// The connection ends with the answer under way.
    var isLast = false
    /// Nothing is read from it now.
    private var isHeld = false
    /// Read, but not taken yet.
    private var rest: [UInt8] = []
    var place = WheelPosition()
    var timeouts = ConnectionTimeouts()
    /// Anything came from its socket since the last ping.
    var wasHeard = false

    init(server: LoopServer, network: NetworkContext, remoteAddress: String, slot: AdmissionControl.ConnectionSlot) {
        self.server = server
        self.remoteAddress = remoteAddress
        self.slot = slot
        super.init(network: network)
    }

    override func handle(
        _ reason: lws_callback_reasons, _ input: UnsafeRawBufferPointer, _ lws: OpaquePointer
    ) -> Int32 {
        switch reason {
        case LWS_CALLBACK_RAW_RX: received(UnsafeMutableRawBufferPointer(mutating: input))
        case LWS_CALLBACK_RAW_WRITEABLE: becameWritable(lws)
        case LWS_CALLBACK_RAW_CLOSE: ended()
        default: return super.handle(reason, input, lws)
        }
        return 0
    }

    override func destroyed() {
        ended()
        server.removed(self)
    }

    private func ended() {
        switch phase {
        case .waiting(let question): question.exchange?.abandon()
        case .draining(let answer): answer.revocation?.forget(self)
        default: break
        }
        socketEnded()
        network.cancel(self)
        phase = .over
        rest = []
        hold(0)
    }

    /// From now on so many bytes are kept for it. On its loop's thread.
    func hold(_ bytes: Int) {
        guard held != bytes else { return }
        let before = held
        held = Int32(clamping: bytes)
        server.held(Int(held) - Int(before))
    }

    /// It holds too much. Not inside a callback.
    func giveWay() {
        hold(0)
        switch phase {
        case .socket(let socket): socket.giveWay()
        case .head, .body:
            phase = .idle
            refuse(.noMemory, Question(method: "GET"))
        default: cut()
        }
    }

    /// The server stops: what waits for its answer gets it, all else ends. Not inside a callback.
    func wind(up code: UInt16, _ reason: String, goodbye: SharedFrame?) {
        isLast = true
        switch phase {
        case .socket(let socket):
            if let goodbye, socket.isWritable { socket.send(goodbye) }
            socket.close(code, reason)
        case .idle, .head, .body: cut()
        case .waiting, .draining, .leaving, .over: break
        }
    }

    /// Ends the connection at once; what is not sent yet is lost. Not inside a callback.
    func cut() {
        if case .over = phase { return }
        end()
    }
}

// MARK: What comes

extension ServerConnection {
    private func received(_ bytes: UnsafeMutableRawBufferPointer) {
        guard rest.isEmpty else {
            rest += bytes
            return takeRest()
        }
        take(bytes)
    }

    /// Continues with what was read before. Never inside a callback of the owner, which gets one event at a time.
    private func takeRest() {
        var bytes: [UInt8] = []
        swap(&bytes, &rest)
        bytes.withUnsafeMutableBytes(take)
    }

    private func take(_ bytes: UnsafeMutableRawBufferPointer) {
        var position = 0
        while position < bytes.count, isListening, takeNext(bytes, &position) {}
        switch phase {
        case .leaving, .over: break
        default: if position < bytes.count { rest = Array(bytes[position...]) }
        }
        hold()
    }

    /// false: more must come.
    private func takeNext(_ bytes: UnsafeMutableRawBufferPointer, _ position: inout Int) -> Bool {
        switch phase {
        case .idle, .head: readHead(UnsafeRawBufferPointer(bytes), &position)
        case .body: readBody(UnsafeRawBufferPointer(bytes), &position)
        case .socket(let socket) where !socket.isDeaf: return readFrame(of: socket, bytes, &position)
        case .socket, .leaving: position = bytes.count
        case .waiting, .draining, .over: return false
        }
        return true
    }

    /// Whether anything that comes can be dealt with now.
    private var isListening: Bool {
        switch phase {
        case .idle, .head, .leaving: true
        // 100 Continue may be partly sent.
        case .body: isDrained
        case .socket(let socket): socket.isListening
        case .waiting, .draining, .over: false
        }
    }

    /// Reads as long as there is use for it. libwebsockets does not read while something is partly sent, and would ask the
    /// system again and again whether it may.
    private func hold() {
        guard let lws, isHeld == isListening else { return }
        if case .over = phase { return }
        isHeld.toggle()
        lws_rx_flow_control(lws, isHeld ? 0 : 1)
    }

    /// Whether it reads may have changed.
    func listen() {
        hold()
        guard !isHeld, !rest.isEmpty else { return }
        server.loop.post { [self] in
            if isListening { takeRest() }
        }
    }
}

// MARK: What goes

extension ServerConnection {
    /// Sends bytes behind what is partly sent. false: the connection is lost.
    func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let lws else { return false }
        let isAlive = bytes.withUnsafeBufferPointer { bytes in
            // lws_write(LWS_WRITE_RAW) does not change the bytes, whatever its signature says.
            lws_write(lws, UnsafeMutablePointer(mutating: bytes.baseAddress), bytes.count, shim_LWS_WRITE_RAW) >= 0
        }
        if !isAlive { server.loop.post { [self] in cut() } }
        return isAlive
    }

    /// Whether the system has taken all that was written.
    var isDrained: Bool { lws.map { lws_partial_buffered($0) == 0 } ?? true }

    private func becameWritable(_ lws: OpaquePointer) {
        guard isDrained else { return }
        switch phase {
        case .draining(let answer): proceed(answer)
        case .socket(let socket): if socket.becameWritable() { server.handler.becameWritable(socket) }
        case .body: listen()
        case .idle, .head, .waiting, .leaving, .over: break
        }
    }

    /// Ends our side of the stream, and waits for the peer to end its own: what it sends meanwhile would else have the
    /// system reset the connection, and what we said last lost with it. All is taken.
    func leave() {
        guard let lws, isDrained else { return }
        if case .over = phase { return }
        socketEnded()
        phase = .leaving
        rest = []
        if let encryption = lws_get_ssl(lws) {
            SSL_shutdown(encryption)
            ERR_clear_error()
        }
        shutdown(lws_get_socket_fd(lws), shim_SHUT_WR)
        watch(for: .end)
        hold()
    }
}

// MARK: Timeouts

extension ServerConnection: WheelEntry {
    /// Waits for something else from now on.
    func watch(for watch: ConnectionTimeouts.Watch) { wait(timeouts.begin(watch, server.limits)) }

    func fire() {
        var facts = ConnectionTimeouts.Facts(wasHeard: wasHeard)
        if case .socket(let socket) = phase { facts.isPaused = socket.isPaused }
        switch timeouts.watch {
        case .stall, .taking: facts.taken = bytesAcknowledged
        // The end of a stream can't be seen behind so much that nobody reads: who sends it ahead has to ask anew.
        case .answer: facts.hasLeft = hasLeft || unread > server.configuration.discardLimit
        default: break
        }
        let (action, delay) = timeouts.isOver(facts, server.limits)
        wait(delay)
        perform(action)
    }

    func wait(_ delay: Duration?) {
        guard let delay else { return network.cancel(self) }
        network.set(self, after: delay, isCoarse: delay >= .seconds(2))
    }

    private func perform(_ action: ConnectionTimeouts.Action) {
        switch (action, phase) {
        case (.nothing, _): break
        case (.ping, .socket(let socket)):
            wasHeard = false
            socket.ping()
        case (.close(let code, let reason), .socket(let socket)): socket.close(code, reason)
        case (.drop(let code, let reason), .socket(let socket)):
            socket.drop(CloseStatus(code: code, reason: reason, wasClean: false))
        default: cut()
        }
    }
}
