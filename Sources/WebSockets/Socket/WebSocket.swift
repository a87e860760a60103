import CLibwebsockets
import CPlatform

/// One WebSocket: its messages, in and out.
///
/// ```swift
/// for await message in socket { try await socket.send(message) }
/// ```
/// What is public may be called from any task. What is the package's belongs to the loop's thread:
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
        /// One side has sent Close; what `closed` will report.
        indirect case closing(CloseStatus, CloseHandshake)
        case closed
    }

    /// Which Close frames are still to come (RFC 6455 §7.1).
    enum CloseHandshake {
        /// Ours is to be sent, and the peer's to come.
        case begun
        /// Ours is to be sent. The peer's came, or is not waited for: what broke the rules is no frame.
        case last
        /// Ours is sent, the peer's is to come.
        case said
        /// Nothing is to come. The stream ends once the peer has taken our frame.
        case over
    }

    /// Which side of a connection this is: a client masks its frames, a server does not (RFC 6455 §5.1).
    enum Side { case server, client }

    /// The connection's, kept here so that sending touches one object less; nil once closed.
    var lws: OpaquePointer?
    /// The connection's; nil where what is sent must pass through libwebsockets, for it is encrypted.
    private let descriptor: Int32?
    /// Something is partly sent; LWS_CALLBACK_RAW_WRITEABLE follows. Nothing is read meanwhile.
    private(set) var isBlocked = false { didSet { noteSendTarget() } }
    /// The owner asked for `becameWritable`.
    private(set) var isAsked = false
    private(set) var isPaused = false
    private var ownersBytes: Int32 = 0
    var state = State.open { didSet { noteSendTarget() } }
    /// What tasks exchange with it; nil where a `LoopHandler` of the package has it.
    let channel: MessageChannel?
    /// Its loop's; nil if compression was not agreed upon.
    private let deflater: Deflater?
    private let side: Side
    /// The loop whose thread this belongs to.
    package let loop: ServiceLoop
    /// Unique within its server, never used twice.
    public let id: UInt64
    /// The request that opened it; its headers are gone after `LoopHandler.opened`.
    package internal(set) var handshake: Handshake
    /// The owner's own, so that it needs no table. Released when the socket is closed.
    package var context: AnyObject?
    /// Bytes of payload that came in.
    package internal(set) var bytesReceived = 0

    /// nil once closed.
    var connection: StreamConnection?
    var reader: FrameReader
    var assembler = MessageAssembler()
    private var text = UTF8Validator()

    init(
        id: UInt64, loop: ServiceLoop, connection: StreamConnection, handshake: Handshake, deflater: Deflater?,
        channel: MessageChannel? = nil, side: Side = .server
    ) {
        self.id = id
        self.loop = loop
        self.connection = connection
        lws = connection.lws
        // A client masks what it sends, each time anew.
        descriptor = side == .server ? connection.plainDescriptor : nil
        self.side = side
        self.handshake = handshake
        self.deflater = deflater
        self.channel = channel
        reader = FrameReader(isCompressing: deflater != nil, isFromServer: side == .client)
        noteSendTarget()
    }

    /// About as many bytes as the owner keeps for this socket, beyond a few hundred that each has. They count against
    /// `WebSocketServer.Configuration.connectionBudget`.
    package var kept: Int {
        get { Int(ownersBytes) }
        set {
            loop.preconditionCurrent()
            let before = ownersBytes
            ownersBytes = Int32(clamping: newValue)
            if let connection { connection.hold(Int(connection.held) + Int(ownersBytes) - Int(before)) }
        }
    }

    /// The memory held for it may have changed.
    ///
    /// - Parameter pending: bytes that the system did not take.
    func noteHeld(pending: Int = 0) { connection?.hold(assembler.bytes.count + kept + pending) }

    /// Whether both sides agreed to `permessage-deflate` (RFC 7692), so that large frames go out compressed.
    public var isCompressing: Bool { deflater != nil }

    /// Whether `sendNow` may be called: it is open, and nothing is partly sent.
    ///
    /// Once this was false on an open socket, `LoopHandler.becameWritable` follows.
    package var isWritable: Bool {
        guard case .open = state else { return false }
        return !isBlocked
    }

    /// Whether what comes can be dealt with: a pong, and the owner's answer, can go out.
    var isListening: Bool { !isPaused && !isBlocked }

    /// Whether further input is ignored: the peer has sent Close, or broke the protocol.
    var isDeaf: Bool {
        switch state {
        case .open, .closing(_, .begun), .closing(_, .said): false
        case .closing(_, .last), .closing(_, .over), .closed: true
        }
    }

    /// Sends a frame, without a copy unless the system takes only a part. Only while `isWritable`; on a socket that is
    /// closing or closed it does nothing. A `Broadcast` sends one to many.
    ///
    /// - Returns: bytes handed to the system or waiting for it, the frame's header included.
    @discardableResult package func sendNow(_ frame: SharedFrame) -> Int {
        loop.preconditionCurrent()
        guard case .open = state, lws != nil else { return 0 }
        precondition(!isBlocked, "sendNow is called only while isWritable: wait for becameWritable.")
        let bytes = form(of: frame)
        loop.counter.statistics.sent(1, bytes: bytes.count, whole: frame.bytes.count)
        let taken = descriptor.map { descriptor in
            bytes.withUnsafeBytes { Int(shim_send(descriptor, $0.baseAddress, $0.count)) }
        }
        if taken ?? 0 < bytes.count { pass(bytes, from: Swift.max(0, taken ?? 0)) }
        return bytes.count
    }

    /// Where a `Broadcast` finds it; nil for an encrypted connection, which is sent to by `sendNow` alone.
    package var sendTarget: SendTarget? {
        descriptor.map {
            SendTarget(
                descriptor: $0, isCompressing: isCompressing, socket: Unmanaged.passUnretained(self).toOpaque())
        }
    }

    /// A frame as it goes out here: compressed, if that was agreed upon and is smaller.
    func form(of frame: SharedFrame) -> [UInt8] {
        let bytes = deflater.map { frame.bytes(compressedBy: $0) } ?? frame.bytes
        return side == .client ? SharedFrame.masked(bytes) : bytes
    }

    private func noteSendTarget() {
        guard let sendTarget else { return }
        if case .open = state, lws != nil, !isBlocked { return loop.writableSockets.open(sendTarget) }
        loop.writableSockets.close(sendTarget)
    }

    /// What the system does not take at once, libwebsockets sends, as soon as it can. It also finds out what is wrong.
    func pass(_ bytes: [UInt8], from start: Int) {
        guard let connection else { return }
        guard connection.write(bytes[start...]) else {
            return drop(CloseStatus(code: 1006, reason: "sending failed", wasClean: false))
        }
        guard !connection.isDrained else { return }
        block()
        noteHeld(pending: bytes.count - start)
    }

    /// Sends a Close frame, after what is partly sent, and ends the connection once the peer has answered it.
    ///
    /// `reason` is cut to 123 bytes. From now on nothing else is sent; `LoopHandler.closed` follows. A second call does
    /// nothing.
    package func close(_ code: UInt16, _ reason: String = "") {
        loop.preconditionCurrent()
        fail(CloseStatus(code: code, reason: reason, wasClean: false))
    }

    /// Drops the connection without a word, like a pulled cable. `closed` follows, with 1006.
    package func cut() {
        loop.preconditionCurrent()
        drop(CloseStatus(code: 1006, wasClean: false))
    }

    /// Has `LoopHandler.becameWritable` called soon: after what has come in so far.
    package func whenWritable() {
        loop.preconditionCurrent()
        guard case .open = state, let lws else { return }
        isAsked = true
        lws_callback_on_writable(lws)
    }

    /// Takes nothing more from the peer, so that it is held up, until `resumeReading`.
    ///
    /// A paused peer's end goes unnoticed, pongs included: pause for moments.
    package func pauseReading() {
        loop.preconditionCurrent()
        guard case .open = state, !isPaused else { return }
        isPaused = true
        connection?.listen()
    }

    /// Reads again; what waited comes after this call has returned.
    package func resumeReading() {
        loop.preconditionCurrent()
        guard isPaused else { return }
        isPaused = false
        connection?.listen()
    }
}

extension WebSocket {
    /// Everything partly sent is out. Returns whether the owner may send again.
    func becameWritable() -> Bool {
        guard isBlocked || isAsked else { return false }
        isAsked = false
        if isBlocked {
            isBlocked = false
            noteHeld()
            connection?.watch(for: .beat)
            connection?.listen()
        }
        switch state {
        case .open: return true
        case .closing: loop.post { [self] in sayGoodbye() }
        case .closed: break
        }
        return false
    }

    /// Asks whether the peer is there.
    func sendHeartbeat() {
        if isWritable { sendNow(.ping) }
    }

    /// Answers a ping (RFC 6455 §5.5.3). Nothing is read while the answer could not be sent, so each ping has its own.
    func pong(_ payload: UnsafeRawBufferPointer) {
        if isWritable { sendNow(SharedFrame(opcode: .pong, payload: Array(payload))) }
    }

    /// Whether a fragment continues valid UTF-8, as far as it can be checked: a compressed message can't be.
    func isText(_ piece: Fragment) -> Bool {
        if piece.isBinary || piece.isCompressed { return true }
        if piece.isFirst { text = UTF8Validator() }
        return text.takes(piece.bytes) && (text.isComplete || !piece.isFinal)
    }

    func block() {
        isBlocked = true
        connection?.watch(for: .stall(taken: connection?.bytesAcknowledged))
        connection?.listen()
    }
}
