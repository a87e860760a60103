import CLibwebsockets

/// One accepted connection: HTTP requests one after another, then perhaps a WebSocket.
///
/// ```
/// idle ── request ──▶ reading ── whole ──▶ waiting ── answer ──▶ idle …
///   └── handshake ──▶ socket
/// ```
/// What belongs to one phase is kept beside the connection while it lasts: an idle WebSocket holds none of it.
///
/// No request is answered inside a callback: while one waits, the connection is flow-controlled, and its answer is
/// written from the mailbox. libwebsockets spins or reads freed memory otherwise.
final class ServerConnection: Connection, @unchecked Sendable {
    enum Phase {
        case idle
        indirect case reading(HTTPRequest, expected: Int)
        /// Handed on; the answer comes.
        indirect case waiting(method: String, origin: String?)
        /// Written; the peer has not taken all of it yet.
        case draining
        indirect case shaking(Handshake, DeflateNegotiation)
        case socket(WebSocket)
    }

    /// nil only between adoption and the first byte, never seen by handlers.
    unowned let server: LoopServer
    let remoteAddress: String
    let ticket: Turnstile.Ticket
    private(set) var phase = Phase.idle
    /// Its place in the server's table.
    var index = 0
    /// The connection ends with the answer under way.
    private var isLast = false
    /// What still comes of the request under way is skipped: it was refused by its headers, or is whole already.
    private var skipsBody = false
    var place = WheelPlace()
    private var vigil = Vigil()
    /// Anything came from its socket since the last ping.
    var wasHeard = false

    init(server: LoopServer, network: NetworkContext, remoteAddress: String, ticket: Turnstile.Ticket) {
        self.server = server
        self.remoteAddress = remoteAddress
        self.ticket = ticket
        super.init(network: network)
    }

    override func handle(
        _ reason: lws_callback_reasons, _ input: UnsafeRawBufferPointer, _ lws: OpaquePointer
    ) -> Int32 {
        switch reason {
        case LWS_CALLBACK_RECEIVE: return received(input, lws)
        case LWS_CALLBACK_SERVER_WRITEABLE: return becameWritable(lws)
        case LWS_CALLBACK_RECEIVE_PONG: return pongReceived(lws)
        case LWS_CALLBACK_HTTP: return requestBegan(lws)
        case LWS_CALLBACK_HTTP_BODY: return bodyReceived(input)
        case LWS_CALLBACK_HTTP_BODY_COMPLETION: return bodyCompleted(lws)
        case LWS_CALLBACK_HTTP_WRITEABLE: return answerTaken(lws)
        case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return upgradeAsked(lws)
        case LWS_CALLBACK_ADD_HEADERS: return headersAdded(input)
        case LWS_CALLBACK_ESTABLISHED: return socketOpened()
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: return closeReceived(input, lws)
        case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL: return socketEnds()
        case LWS_CALLBACK_CLOSED: return socketClosed()
        case LWS_CALLBACK_RAW_ADOPT: return -1
        default: return super.handle(reason, input, lws)
        }
    }

    override func takesOffer() -> Bool {
        guard case .shaking(let handshake, var negotiation) = phase else { return false }
        let isTaken = negotiation.takesNext()
        phase = .shaking(handshake, negotiation)
        return isTaken
    }

    override func destroyed() {
        _ = socketClosed()
        network.cancel(self)
        phase = .idle
        server.removed(self)
    }

    /// The server stops: what waits for its answer gets it, all else ends. Not inside a callback.
    func wind(up code: UInt16, _ reason: String, goodbye: SharedFrame?) {
        isLast = true
        switch phase {
        case .socket(let socket):
            if let goodbye, socket.isWritable { socket.send(goodbye) }
            socket.close(code, reason)
        case .waiting, .draining: break
        case .idle, .reading, .shaking: end()
        }
    }
}

// MARK: HTTP

extension ServerConnection {
    private func requestBegan(_ lws: OpaquePointer) -> Int32 {
        guard case .idle = phase else { return -1 }
        let (head, caller) = readHead(lws)
        let request = HTTPRequest(
            method: head.method, path: head.path, query: head.query, headers: head.headers,
            remoteAddress: caller.address, isSecure: caller.isSecure)
        watch(for: .exchange)
        if let refusal = server.refusal(of: request, head) {
            return refuse(request, refusal, lws)
        }
        switch BodyFraming(method: head.method, headers: head.headers, limit: server.configuration.bodyLimit) {
        case .refused(let refusal):
            server.refused(.malformed, from: remoteAddress, path: request.path)
            return refuse(request, refusal, lws)
        case .length(let length) where length > 0 || head.method == "POST":
            // A POST of length 0 gets its completion callback, others don't.
            phase = .reading(request, expected: length)
            return 0
        case .length, .none: return whole(request, lws)
        }
    }

    /// As whoever asks sent it, where a trusted proxy passed it on.
    private func readHead(_ lws: OpaquePointer) -> (RequestHead, Forwarding.Caller) {
        var head = RequestHead(lws, extraHeaders: server.extraHeaders)
        let caller = server.forwarding.caller(
            &head.headers, from: remoteAddress, isSecure: server.configuration.certificate != nil)
        return (head, caller)
    }

    private func bodyReceived(_ input: UnsafeRawBufferPointer) -> Int32 {
        guard !input.isEmpty else { return 0 }
        // What was refused may have a body all the same.
        if skipsBody { return 0 }
        guard case .reading(var request, let expected) = phase else { return -1 }
        phase = .idle
        let missing = expected - request.body.count
        request.body.append(contentsOf: input.prefix(missing))
        guard input.count > missing, let lws else {
            phase = .reading(request, expected: expected)
            return 0
        }
        // 4.3.5 passes on what was pipelined behind the body, too, loses count, and never says that the body is complete.
        isLast = true
        skipsBody = true
        server.loop.post { [self] in stopTimeout() }
        return whole(request, lws)
    }

    /// libwebsockets sets its own again after a callback that leaves it waiting for more.
    private func stopTimeout() {
        guard let lws, case .waiting = phase else { return }
        lws_set_timeout(lws, NO_PENDING_TIMEOUT, 0)
    }

    private func bodyCompleted(_ lws: OpaquePointer) -> Int32 {
        if skipsBody {
            skipsBody = false
            return 0
        }
        guard case .reading(let request, let expected) = phase, request.body.count == expected else { return -1 }
        return whole(request, lws)
    }

    private func whole(_ request: HTTPRequest, _ lws: OpaquePointer) -> Int32 {
        let exchange = hold(request, lws)
        server.handle(request, exchange)
        return 0
    }

    private func refuse(_ request: HTTPRequest, _ refusal: HTTPResponse, _ lws: OpaquePointer) -> Int32 {
        isLast = true
        skipsBody = true
        hold(request, lws).answer(server.handler.worded(refusal, of: request))
        return 0
    }

    /// Stops the connection where it is until its answer comes.
    private func hold(_ request: HTTPRequest, _ lws: OpaquePointer) -> HTTPExchange {
        lws_set_timeout(lws, NO_PENDING_TIMEOUT, 0)
        lws_rx_flow_control(lws, 0)
        phase = .waiting(method: request.method, origin: request.headers["Origin"])
        watch(for: .rest)
        let loop = server.loop
        return HTTPExchange { response in
            loop.post { self.answer(response) }
        }
    }

    private func answer(_ response: HTTPResponse) {
        guard let lws, case .waiting(let method, let origin) = phase else { return }
        server.loop.counter.figures.responses[response.status, default: 0] += 1
        // First of all: a flow-controlled HTTP/1 connection never drains.
        lws_rx_flow_control(lws, 1)
        if network.hasPendingInput { isLast = true }
        var bytes = server.decorated(response, for: origin).wire(to: method, closing: isLast)
        phase = .draining
        guard lws_write(lws, &bytes, bytes.count, shim_LWS_WRITE_RAW) >= 0 else { return end() }
        guard lws_partial_buffered(lws) != 0 else { return finish() }
        watch(for: .exchange)
        // Closing now would give the peer five seconds for the rest; LWS_CALLBACK_HTTP_WRITEABLE tells when it is taken.
        if !isLast { finish() }
    }

    private func answerTaken(_ lws: OpaquePointer) -> Int32 {
        guard case .draining = phase, lws_partial_buffered(lws) == 0 else { return 0 }
        server.loop.post { [self] in
            if case .draining = phase { finish() }
        }
        return 0
    }

    private func finish() {
        guard let lws else { return }
        if lws_partial_buffered(lws) == 0 { watch(for: .kept) }
        phase = .idle
        if isLast || lws_http_transaction_completed(lws) != 0 { end() }
    }
}

// MARK: WebSocket

extension ServerConnection {
    private func upgradeAsked(_ lws: OpaquePointer) -> Int32 {
        guard case .idle = phase, !isLast else { return -1 }
        let (head, caller) = readHead(lws)
        let handshake = Handshake(
            path: head.path, query: head.query, headers: head.headers, remoteAddress: caller.address,
            subprotocol: server.admission.subprotocol(of: head.headers))
        guard let refusal = server.refusal(of: handshake, head) else {
            phase = .shaking(handshake, DeflateNegotiation(handshake.headers["Sec-WebSocket-Extensions"]))
            return 0
        }
        server.loop.counter.figures.responses[refusal.status, default: 0] += 1
        var bytes = refusal.wire(to: "GET", closing: true)
        lws_write(lws, &bytes, bytes.count, shim_LWS_WRITE_RAW)
        return -1
    }

    /// The answer is written, but for its last empty line. If an offer was taken, its last line is
    /// `Sec-WebSocket-Extensions: permessage-deflate`, to which the parameters are added.
    private func headersAdded(_ input: UnsafeRawBufferPointer) -> Int32 {
        guard case .shaking(_, let negotiation) = phase, negotiation.isAgreed else { return 0 }
        let arguments = UnsafeMutableRawPointer(mutating: input.baseAddress)?
            .assumingMemoryBound(to: lws_process_html_args.self)
        let line = Array((negotiation.answer + "\r\n").utf8)
        guard let arguments, let end = arguments.pointee.p, arguments.pointee.max_len > line.count else { return -1 }
        UnsafeMutableRawPointer(end - 2).copyMemory(from: line, byteCount: line.count)
        arguments.pointee.p = end - 2 + line.count
        return 0
    }

    private func socketOpened() -> Int32 {
        guard case .shaking(let handshake, let negotiation) = phase else { return -1 }
        let socket = server.makeSocket(self, handshake, compresses: negotiation.isAgreed)
        phase = .socket(socket)
        // libwebsockets tells only those who have something there that it is about to close.
        if let lws { lws_set_wsi_user(lws, Unmanaged.passUnretained(self).toOpaque()) }
        watchPulse()
        server.opened(socket)
        return 0
    }

    private func received(_ piece: UnsafeRawBufferPointer, _ lws: OpaquePointer) -> Int32 {
        guard case .socket(let socket) = phase else { return -1 }
        let piece = Piece(
            bytes: piece, isFirst: lws_is_first_fragment(lws) != 0, isFinal: lws_is_final_fragment(lws) != 0,
            isBinary: lws_frame_is_binary(lws) != 0, isMarked: Self.isMarked(lws),
            remaining: Int(lws_remaining_packet_payload(lws)))
        server.received(piece, from: socket)
        return 0
    }

    /// Whether RSV1 is set in the header that was read last; libwebsockets lets it pass once an extension is active.
    private static func isMarked(_ lws: OpaquePointer) -> Bool { lws_get_reserved_bits(lws) & 0x40 != 0 }

    private func becameWritable(_ lws: OpaquePointer) -> Int32 {
        guard case .socket(let socket) = phase else { return 0 }
        // libwebsockets answers pings by itself. One with RSV1 shows here, as a header that began no message: unless the
        // message before it was compressed, whose header may be the one that was read last.
        if Self.isMarked(lws), lws_is_first_fragment(lws) == 0, !socket.wasMarked { refuseControl(socket) }
        if socket.becameWritable() { server.handler.becameWritable(socket) }
        return 0
    }

    private func pongReceived(_ lws: OpaquePointer) -> Int32 {
        guard case .socket(let socket) = phase else { return 0 }
        wasHeard = true
        if Self.isMarked(lws) { refuseControl(socket) }
        return 0
    }

    private func refuseControl(_ socket: WebSocket) {
        let fault = Closing.markedControl
        socket.close(fault.code, fault.reason)
    }

    private func closeReceived(_ payload: UnsafeRawBufferPointer, _ lws: OpaquePointer) -> Int32 {
        guard case .socket(let socket) = phase else { return 0 }
        if Self.isMarked(lws) { return refuseClose(.markedControl, socket, lws) }
        if let fault = Closing.fault(of: payload) { return refuseClose(fault, socket, lws) }
        socket.peerClosed(Closing(payload: payload))
        return 0
    }

    /// A Close frame that breaks the rules is answered with why, and not with what it says.
    private func refuseClose(_ fault: Closing, _ socket: WebSocket, _ lws: OpaquePointer) -> Int32 {
        socket.peerClosed(fault)
        var reason = Array(fault.reason.utf8)
        lws_close_reason(lws, lws_close_status(UInt32(fault.code)), &reason, reason.count)
        return -1
    }

    /// libwebsockets is about to send a Close frame, and would then wait for an answer that it may not be able to read: what
    /// broke the rules is no frame. So the peer gets the end of the stream behind it (RFC 6455 §7.1.7), once the frame has had
    /// time to go out: that is not told.
    private func socketEnds() -> Int32 {
        guard case .socket(let socket) = phase, socket.hasFailed else { return 0 }
        // What was to be said when there is time is said now, or never.
        if socket.isAsked, socket.becameWritable() { server.handler.becameWritable(socket) }
        _ = server.loop.schedule(after: .milliseconds(250)) { [weak self] in
            guard let lws = self?.lws, lws_partial_buffered(lws) == 0 else { return }
            shutdown(lws_get_socket_fd(lws), shim_SHUT_WR)
        }
        return 0
    }

    private func socketClosed() -> Int32 {
        guard case .socket(let socket) = phase else { return 0 }
        phase = .idle
        if let closing = socket.end() { server.closed(socket, by: closing) }
        return 0
    }
}

// MARK: Its vigil

extension ServerConnection: WheelEntry {
    /// Waits for something else from now on.
    func watch(for watch: Vigil.Watch) { wait(vigil.begin(watch, server.limits)) }

    /// The first ping of a socket comes after half a beat to a whole one: not to all who came together at once.
    private func watchPulse() {
        guard let beat = vigil.begin(.beat, server.limits) else { return }
        wait(beat * Double.random(in: 0.5...1))
    }

    func fire() {
        var facts = Vigil.Facts(wasHeard: wasHeard)
        if case .socket(let socket) = phase { facts.isPaused = socket.isPaused }
        if case .stall = vigil.watch { facts.taken = bytesAcknowledged }
        let (action, delay) = vigil.isOver(facts, server.limits)
        wait(delay)
        perform(action)
    }

    private func wait(_ delay: Duration?) {
        guard let delay else { return network.cancel(self) }
        network.set(self, after: delay, isCoarse: delay >= .seconds(2))
    }

    private func perform(_ action: Vigil.Action) {
        switch (action, phase) {
        case (.nothing, _): break
        case (.ping, .socket(let socket)):
            wasHeard = false
            socket.ping()
        case (.close(let code, let reason), .socket(let socket)): socket.close(code, reason)
        case (.drop(let code, let reason), .socket(let socket)):
            socket.drop(Closing(code: code, reason: reason, wasClean: false))
        default: cut()
        }
    }
}
