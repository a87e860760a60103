import CLibwebsockets
import Synchronization

/// What a client's WebSocket tells its owner. On the loop's thread, one call at a time.
protocol SocketClientHandler: AnyObject {
    /// The handshake is done.
    func opened(_ socket: WebSocket)
    /// A complete message arrived. Its bytes are valid until this returns.
    func received(_ message: WebSocketMessage, from socket: WebSocket)
    /// Everything partly sent is out.
    func becameWritable(_ socket: WebSocket)
    /// The socket has ended, after it was open. Once.
    func closed(_ socket: WebSocket, by closing: CloseStatus)
    /// It never opened. Once, in place of all others.
    func failed(_ error: SocketError)
}

/// The client's end of a WebSocket: the handshake (RFC 6455 §4.1), then the same frames, rules and timeouts as a server's.
final class SocketClientConnection: ClientConnection, @unchecked Sendable {
    private enum Phase {
        case connecting
        case shaking(ResponseReader)
        case socket(WebSocket)
        case leaving
        case over
    }

    private let configuration: WebSocketClient.Configuration
    private let handler: any SocketClientHandler
    private let makeChannel: (_ subprotocol: String?) -> MessageChannel?
    private let receiver: MessageReceiver
    private var phase = Phase.connecting
    /// In base64; new for each handshake.
    private let key = SocketClientConnection.makeKey()
    private static let lastID = Atomic<UInt64>(0)

    /// - Parameter makeChannel: by which tasks exchange messages with the socket; nil: `handler` does it.
    init(
        loop: ServiceLoop, url: ClientURL, configuration: WebSocketClient.Configuration,
        handler: any SocketClientHandler,
        makeChannel: @escaping (_ subprotocol: String?) -> MessageChannel? = { _ in nil }
    ) {
        self.configuration = configuration
        self.handler = handler
        self.makeChannel = makeChannel
        receiver = MessageReceiver(
            messageLimit: configuration.messageLimit, skipLimit: configuration.messageLimit, counter: loop.counter
        ) { [unowned handler] message, socket in handler.received(message, from: socket) }
        super.init(loop: loop, url: url, trust: configuration.trust, limits: configuration.waits)
    }

    // MARK: The handshake

    override func connected() {
        phase = .shaking(ResponseReader(method: "GET"))
        _ = write(request[...])
    }

    private var request: [UInt8] {
        var headers: HTTPHeaders = [
            "Host": url.authority, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": key,
            "Sec-WebSocket-Version": "13",
        ]
        if !configuration.subprotocols.isEmpty {
            headers["Sec-WebSocket-Protocol"] = configuration.subprotocols.joined(separator: ", ")
        }
        if configuration.compresses { headers["Sec-WebSocket-Extensions"] = DeflateNegotiation.offer }
        for field in HTTPHeaders(configuration.headerFields).fields where headers[field.name] == nil {
            headers.add(field.name, field.value)
        }
        return headers.lines(after: "GET \(url.path) HTTP/1.1")
    }

    private func readHead(_ bytes: UnsafeMutableRawBufferPointer, _ position: inout Int) {
        guard case .shaking(var reader) = phase else { return }
        var rest = Array(bytes[position...])[...]
        let event = reader.next(&rest)
        position = bytes.count - rest.count
        phase = .shaking(reader)
        switch event {
        case .head(let head): shake(head)
        case .fault(let reason): fail(reason)
        case .piece, .end, nil: break
        }
    }

    /// RFC 6455 §4.1: what the server must have answered.
    private func shake(_ head: ResponseHead) {
        guard head.status == 101 else {
            let reason = HTTPResponse.reason(of: head.status)
            return fail("the server refused the WebSocket handshake with \(head.status) (\(reason))")
        }
        let proof = head.headers["Sec-WebSocket-Accept"]
        guard head.headers.list("Upgrade", contains: "websocket"), head.headers.list("Connection", contains: "upgrade"),
            proof == Handshake.proof(of: key)
        else { return fail("what answered is no WebSocket server") }
        let chosen = head.headers["Sec-WebSocket-Protocol"]
        guard chosen == nil || configuration.subprotocols.contains(chosen ?? "") else {
            return fail("the server chose a subprotocol that was not offered")
        }
        guard let compresses = DeflateNegotiation.isAgreed(by: head.headers["Sec-WebSocket-Extensions"]),
            configuration.compresses || !compresses
        else { return fail("the server chose an extension that was not offered") }
        open(chosen, compresses: compresses)
    }

    private func open(_ subprotocol: String?, compresses: Bool) {
        let handshake = Handshake(
            path: url.path, rawPath: url.path, query: "", headers: HTTPHeaders(), remoteAddress: url.host,
            subprotocol: subprotocol)
        let socket = WebSocket(
            id: Self.lastID.add(1, ordering: .relaxed).newValue, loop: loop, connection: self, handshake: handshake,
            deflater: compresses ? Deflater() : nil, channel: makeChannel(subprotocol), side: .client)
        phase = .socket(socket)
        disarm()
        watchPulse()
        if !isDrained { socket.block() }
        handler.opened(socket)
    }

    // MARK: The connection

    override var socket: WebSocket? { if case .socket(let socket) = phase { socket } else { nil } }
    override var isLeaving: Bool { if case .leaving = phase { true } else { false } }
    override var isOver: Bool { if case .over = phase { true } else { false } }

    override var isListening: Bool {
        switch phase {
        case .shaking, .leaving: true
        case .socket(let socket): socket.isListening
        case .connecting, .over: false
        }
    }

    override func takeNext(_ bytes: UnsafeMutableRawBufferPointer, _ position: inout Int) -> Bool {
        switch phase {
        case .shaking: readHead(bytes, &position)
        case .socket(let socket) where !socket.isDeaf:
            return takeFrame(of: socket, by: receiver, bytes, &position) {}
        case .socket, .leaving: position = bytes.count
        case .connecting, .over: return false
        }
        return true
    }

    override func becameWritable() {
        guard case .socket(let socket) = phase, socket.becameWritable() else { return }
        handler.becameWritable(socket)
    }

    override func beginLeaving() {
        socketEnded()
        phase = .leaving
    }

    override func failed(_ reason: String) {
        switch phase {
        case .connecting, .shaking:
            phase = .over
            handler.failed(.connectionFailed(url: url.text, reason: reason))
        case .socket, .leaving, .over: socketEnded()
        }
    }

    override func ended() {
        super.ended()
        phase = .over
    }

    private func socketEnded() {
        guard case .socket(let socket) = phase else { return }
        phase = .over
        if let closing = socket.end() { handler.closed(socket, by: closing) }
    }

    /// 16 random bytes.
    private static func makeKey() -> String {
        let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        // A letter for six bits, and the zero that EVP_EncodeBlock puts behind.
        var text = [UInt8](repeating: 0, count: 25)
        EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
        return String(decoding: text.prefix(24), as: UTF8.self)
    }
}

extension HTTPHeaders {
    /// A head as it goes over the wire, with the empty line behind it.
    func lines(after first: String) -> [UInt8] {
        var bytes = Array("\(first)\r\n".utf8)
        for field in fields where field.isSafe { bytes += Array("\(field.name): \(field.value)\r\n".utf8) }
        return bytes + [0x0D, 0x0A]
    }
}
