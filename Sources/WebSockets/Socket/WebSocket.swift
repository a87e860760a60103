import CLibwebsockets

/// One WebSocket of a server, touched on its loop's thread alone.
///
/// ```
///            send            peer does not read
///   open, writable ────────▶ open, not writable ──▶ 30 s without a byte taken: 4101
///      │    ▲                    │
///      │    └── becameWritable ──┘
///      └── close, Close received, lost ──▶ closed (told once)
/// ```
public final class WebSocket: @unchecked Sendable {
    enum State {
        case open
        /// A Close frame of either side is on its way; what `closed` will tell.
        indirect case closing(Closing)
        case closed
    }

    /// The connection's, kept here so that sending touches one object less; nil once closed.
    private var lws: OpaquePointer?
    /// The connection's; nil where what is sent must pass through libwebsockets, for it is encrypted.
    private let descriptor: Int32?
    /// A frame of ours is partly sent; LWS_CALLBACK_SERVER_WRITEABLE follows.
    private var isBlocked = false { didSet { noteOutlet() } }
    /// The owner asked for `becameWritable`.
    private(set) var isAsked = false
    private(set) var isPaused = false
    private(set) var state = State.open { didSet { noteOutlet() } }
    /// Its loop's; nil if compression was not agreed upon.
    private let deflater: Deflater?
    /// The loop whose thread this belongs to.
    public let loop: ServiceLoop
    /// Unique within its server, never used twice.
    public let id: UInt64
    /// The request that opened it; its headers are gone after `LoopHandler.opened`.
    public internal(set) var handshake: Handshake
    /// The owner's own, so that it needs no table. Released when the socket is closed.
    public var context: AnyObject?
    /// Bytes of payload that came in.
    public internal(set) var bytesReceived = 0

    /// nil once closed.
    private(set) var connection: ServerConnection?
    var assembler = MessageAssembler()
    /// More of the frame is to come.
    private var isInsideFrame = false
    /// The message under way, or the last one, is compressed.
    private(set) var isMessageCompressed = false
    /// The last piece's.
    private(set) var wasMarked = false
    private var text = UTF8Validator()

    init(id: UInt64, loop: ServiceLoop, connection: ServerConnection, handshake: Handshake, deflater: Deflater?) {
        self.id = id
        self.loop = loop
        self.connection = connection
        lws = connection.lws
        descriptor = connection.plainDescriptor
        self.handshake = handshake
        self.deflater = deflater
        noteOutlet()
    }

    /// Whether both sides agreed to `permessage-deflate` (RFC 7692), so that large frames go out compressed.
    public var isCompressing: Bool { deflater != nil }

    /// Whether `send` may be called: it is open, and nothing is partly sent.
    ///
    /// Once this was false on an open socket, `LoopHandler.becameWritable` follows.
    public var isWritable: Bool {
        guard case .open = state, let lws else { return false }
        // A pong of the library may be partly sent, too.
        if !isBlocked, lws_partial_buffered(lws) != 0 { block() }
        return !isBlocked
    }

    /// Sends a frame, without a copy unless the system takes only a part. Only while `isWritable`; on a socket that is
    /// closing or closed it does nothing. A `Volley` sends one to many.
    ///
    /// - Returns: bytes handed to the system or waiting for it, the frame's header included.
    @discardableResult public func send(_ frame: SharedFrame) -> Int {
        loop.preconditionCurrent()
        guard case .open = state, lws != nil else { return 0 }
        precondition(!isBlocked, "send is called only while isWritable: wait for becameWritable.")
        let bytes = form(of: frame)
        loop.counter.figures.sent(1, bytes: bytes.count, whole: frame.bytes.count)
        let taken = descriptor.map { descriptor in
            bytes.withUnsafeBytes { Int(shim_send(descriptor, $0.baseAddress, $0.count)) }
        }
        if taken ?? 0 < bytes.count { pass(bytes, from: max(0, taken ?? 0)) }
        return bytes.count
    }

    /// Where a `Volley` finds it; nil for an encrypted connection, which is sent to by `send` alone.
    public var outlet: Outlet? {
        descriptor.map {
            Outlet(
                descriptor: $0, isCompressing: isCompressing, socket: Unmanaged.passUnretained(self).toOpaque())
        }
    }

    /// A frame as it goes out here: compressed, if that was agreed upon and is smaller.
    func form(of frame: SharedFrame) -> [UInt8] {
        deflater.map { frame.bytes(compressedBy: $0) } ?? frame.bytes
    }

    private func noteOutlet() {
        guard let outlet else { return }
        if case .open = state, lws != nil, !isBlocked { return loop.outlets.open(outlet) }
        loop.outlets.close(outlet)
    }

    /// What the system does not take at once, libwebsockets sends, as soon as it can. It also finds out what is wrong.
    func pass(_ bytes: [UInt8], from start: Int) {
        guard let lws else { return }
        let isAlive = bytes[start...].withUnsafeBufferPointer { bytes in
            // lws_write(LWS_WRITE_RAW) does not change the bytes, whatever its signature says.
            lws_write(lws, UnsafeMutablePointer(mutating: bytes.baseAddress), bytes.count, shim_LWS_WRITE_RAW) >= 0
        }
        if !isAlive { return drop(Closing(code: 1006, reason: "sending failed", wasClean: false)) }
        if lws_partial_buffered(lws) != 0 { block() }
    }

    /// Sends a Close frame, after what is partly sent, and ends the connection once the peer has answered it.
    ///
    /// `reason` is cut to 123 bytes. From now on nothing else is sent; `LoopHandler.closed` follows. A second call does
    /// nothing.
    public func close(_ code: UInt16, _ reason: String = "") {
        loop.preconditionCurrent()
        guard case .open = state else { return }
        state = .closing(Closing(code: code, reason: reason, wasClean: false))
        resumeReading()
        // libwebsockets must not lose a connection in the midst of one of its callbacks.
        if !isBlocked { loop.post { [self] in sendClose() } }
    }

    /// Drops the connection without a word, like a pulled cable. `closed` follows, with 1006.
    public func cut() {
        loop.preconditionCurrent()
        drop(Closing(code: 1006, wasClean: false))
    }

    /// Has `LoopHandler.becameWritable` called soon: after what has come in so far, and after answers to its pings.
    public func whenWritable() {
        loop.preconditionCurrent()
        guard case .open = state, let lws else { return }
        isAsked = true
        lws_callback_on_writable(lws)
    }

    /// Takes nothing more from the peer, so that it is held up, until `resumeReading`.
    ///
    /// A paused peer's end goes unnoticed, pongs included: pause for moments.
    public func pauseReading() {
        loop.preconditionCurrent()
        guard case .open = state, !isPaused, let lws else { return }
        isPaused = true
        lws_rx_flow_control(lws, 0)
    }

    /// Reads again; what waited comes after this call has returned.
    public func resumeReading() {
        loop.preconditionCurrent()
        guard isPaused, let lws else { return }
        isPaused = false
        lws_rx_flow_control(lws, 1)
    }
}

extension WebSocket {
    /// Everything partly sent is out. Returns whether the owner may send again.
    func becameWritable() -> Bool {
        guard isBlocked || isAsked, let lws, lws_partial_buffered(lws) == 0 else { return false }
        let wasBlocked = isBlocked
        isAsked = false
        isBlocked = false
        if wasBlocked {
            connection?.watch(for: .beat)
            if case .closing(let closing) = state, !closing.wasClean { loop.post { [self] in sendClose() } }
        }
        if case .open = state { return true }
        return false
    }

    /// Asks whether the peer is there.
    func ping() {
        if isWritable { send(.ping) }
    }

    /// Whether it ends because the peer broke the rules: libwebsockets found out, or we did.
    var hasFailed: Bool {
        switch state {
        case .open: true
        case .closing(let closing): !closing.wasClean && (1002...1011).contains(closing.code)
        case .closed: false
        }
    }

    /// The peer's Close frame came first.
    func peerClosed(_ closing: Closing) {
        guard case .open = state else { return }
        state = .closing(closing)
    }

    /// How a piece breaks the rules of frames and texts, if it does; follows where they begin and end.
    func fault(of piece: Piece) -> Closing? {
        let isBeginning = !isInsideFrame
        isInsideFrame = piece.remaining > 0
        wasMarked = piece.isMarked
        if isBeginning, isUnmasked(piece) { return .protocolError("frames of a client must be masked") }
        if isBeginning, piece.isMarked, !piece.isFirst { return .protocolError("RSV1 is for a message's first frame") }
        if piece.isFirst {
            isMessageCompressed = piece.isMarked
            text = UTF8Validator()
        }
        return isText(piece) ? nil : Closing(code: 1007, reason: "text must be UTF-8", wasClean: false)
    }

    /// Of a compressed message, nothing can be said yet.
    private func isText(_ piece: Piece) -> Bool {
        if piece.isBinary || isMessageCompressed { return true }
        return text.takes(piece.bytes) && (text.isComplete || !piece.isFinal)
    }

    /// Whether the piece, a frame's first, shows that the frame is not masked.
    private func isUnmasked(_ piece: Piece) -> Bool {
        guard let start = piece.bytes.baseAddress else { return false }
        let opcode: SharedFrame.Opcode = piece.isBinary ? .binary : .text
        return FrameHeader.isUnmasked(
            before: start, length: piece.bytes.count + piece.remaining, opcode: piece.isFirst ? opcode.rawValue : 0)
    }

    /// The connection has ended: what to tell, the first time.
    func end() -> Closing? {
        defer {
            state = .closed
            connection = nil
            lws = nil
            assembler.reset()
        }
        switch state {
        case .open: return Closing(code: 1006, wasClean: false)
        case .closing(let closing): return closing
        case .closed: return nil
        }
    }

    /// Ends the connection without a Close frame; `closing` is what the owner is told.
    func drop(_ closing: Closing) {
        if case .closed = state { return }
        if case .open = state { state = .closing(closing) }
        loop.post { [self] in connection?.cut() }
    }

    private func sendClose() {
        guard case .closing(let closing) = state, let connection, let lws else { return }
        var reason = Array(closing.reason.cut(toBytes: 123).utf8)
        lws_close_reason(lws, lws_close_status(UInt32(closing.code)), &reason, reason.count)
        connection.end()
    }

    private func block() {
        isBlocked = true
        connection?.watch(for: .stall(taken: connection?.bytesAcknowledged))
    }
}

extension String {
    /// The longest beginning that has at most so many bytes of UTF-8.
    func cut(toBytes limit: Int) -> Substring {
        guard utf8.count > limit else { return self[...] }
        var end = utf8.index(startIndex, offsetBy: limit)
        while String.Index(end, within: self) == nil { end = utf8.index(before: end) }
        return self[..<end]
    }
}
