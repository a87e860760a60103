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
final class ServerConnection: StreamConnection, @unchecked Sendable {
    enum Phase {
        case idle
        indirect case head(HeadReader)
        indirect case body(RequestBody)
        /// Handed on; the answer comes.
        indirect case waiting(Question)
        /// Answered; the peer has not taken all of it yet. What is left of it.
        indirect case draining(ResponseWriter)
        /// Answered; the body is made while it is sent.
        indirect case streaming(ResponseStream, BodyLength)
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
        /// The peer speaks HTTP/1.0, which has no chunks.
        var isOld = false
    }

    unowned let server: LoopServer
    let remoteAddress: String
    let slot: AdmissionControl.ConnectionSlot
    var phase = Phase.idle
    /// Its place in the server's table.
    var index: Int32 = 0
    /// The request under way is of HTTP/1.0.
    var isOld = false
    /// The connection ends with the answer under way.
    var isLast = false

    init(server: LoopServer, remoteAddress: String, slot: AdmissionControl.ConnectionSlot) {
        self.server = server
        self.remoteAddress = remoteAddress
        self.slot = slot
        super.init(loop: server.loop)
    }

    override func destroyed() {
        ended()
        server.removed(self)
    }

    override func ended() {
        switch phase {
        case .waiting(let question): question.exchange?.abandon()
        case .draining(let answer): answer.revocation?.forget(self)
        case .streaming(let stream, _): stream.end()
        default: break
        }
        socketEnded()
        super.ended()
        phase = .over
    }

    override var limits: ConnectionTimeouts.Limits { server.limits }
    override var unreadLimit: Int { server.configuration.discardLimit }
    override func heldChanged(by difference: Int) { server.held(difference) }

    override var socket: WebSocket? { if case .socket(let socket) = phase { socket } else { nil } }
    override var isLeaving: Bool { if case .leaving = phase { true } else { false } }
    override var isOver: Bool { if case .over = phase { true } else { false } }

    override var isListening: Bool {
        switch phase {
        case .idle, .head, .leaving: true
        // 100 Continue may be partly sent.
        case .body: isDrained
        case .socket(let socket): socket.isListening
        case .waiting, .draining, .streaming, .over: false
        }
    }

    override func takeNext(_ bytes: UnsafeMutableRawBufferPointer, _ position: inout Int) -> Bool {
        switch phase {
        case .idle, .head: readHead(UnsafeRawBufferPointer(bytes), &position)
        case .body: readBody(UnsafeRawBufferPointer(bytes), &position)
        case .socket(let socket) where !socket.isDeaf:
            return takeFrame(of: socket, by: server.receiver, bytes, &position) { sayWhatIsLeft(on: socket) }
        case .socket, .leaving: position = bytes.count
        case .waiting, .draining, .streaming, .over: return false
        }
        return true
    }

    override func becameWritable() {
        switch phase {
        case .draining(let answer): proceed(answer)
        case .streaming(let stream, _): proceed(stream)
        case .socket(let socket): if socket.becameWritable() { server.handler.becameWritable(socket) }
        case .body: listen()
        case .idle, .head, .waiting, .leaving, .over: break
        }
    }

    override func beginLeaving() {
        socketEnded()
        phase = .leaving
    }

    override func willShutDown(_ lws: OpaquePointer) {
        guard let encryption = lws_get_ssl(lws) else { return }
        SSL_shutdown(encryption)
        ERR_clear_error()
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
            if socket.channel != nil { return socket.requestClose(code, reason) }
            if let goodbye, socket.isWritable { socket.sendNow(goodbye) }
            socket.close(code, reason)
        case .idle, .head, .body: cut()
        case .streaming(let stream, _): stream.stop()
        case .waiting, .draining, .leaving, .over: break
        }
    }
}
