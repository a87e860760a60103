import CLibwebsockets

/// The client's end of a WebSocket, on its loop's thread.
final class ClientConnection: Connection, @unchecked Sendable {
    private enum State {
        case connecting
        case open
        case closing(CloseStatus)
        case over
    }

    private let loop: ServiceLoop
    private let url: ClientURL
    private let headers: HTTPHeaders
    private let onEvent: (WebSocketClient.Event) -> Void
    private var state = State.connecting
    private var subprotocol: String?
    private var offered: String?
    private var addresses: ArraySlice<String> = []
    private var assembler = MessageAssembler()
    /// Frames that wait for the socket to take what is partly sent.
    private var waiting: [SharedFrame] = []
    /// More than a person or a script sends; far less than memory.
    private static let messageLimit = 64 * 1024 * 1024

    init(loop: ServiceLoop, url: ClientURL, headers: HTTPHeaders, onEvent: @escaping (WebSocketClient.Event) -> Void) {
        self.loop = loop
        self.url = url
        self.headers = headers
        self.onEvent = onEvent
        super.init(network: loop.network)
    }

    override func handle(
        _ reason: lws_callback_reasons, _ input: UnsafeRawBufferPointer, _ lws: OpaquePointer
    ) -> Int32 {
        if case .over = state { return 0 }
        attach(lws)
        switch reason {
        case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER: return ClientHeaders.append(headers, input)
        case LWS_CALLBACK_CLIENT_FILTER_PRE_ESTABLISH: accepted(lws)
        case LWS_CALLBACK_CLIENT_ESTABLISHED: opened()
        case LWS_CALLBACK_CLIENT_RECEIVE: received(input, lws)
        case LWS_CALLBACK_CLIENT_WRITEABLE: flush()
        case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE: state = .closing(CloseStatus(payload: input))
        case LWS_CALLBACK_CLIENT_CONNECTION_ERROR: refused(ClientFailure.text(input, lws), lws)
        case LWS_CALLBACK_CLIENT_CLOSED, LWS_CALLBACK_WSI_DESTROY: closed()
        default: break
        }
        return 0
    }

    func start(subprotocol: String?) {
        offered = subprotocol
        addresses = IPAddress.all(of: url.host)[...]
        tryNext("no such host")
    }

    /// Tries the host's next address; without one, `reason` is why the last one failed.
    private func tryNext(_ reason: String) {
        guard let address = addresses.popFirst() else { return failed(reason) }
        let request = ClientRequest(url: url, subprotocol: offered, address: address)
        if !request.start(as: self) { tryNext("the connection could not be begun") }
    }

    func send(_ frame: SharedFrame) {
        guard case .open = state else { return }
        waiting.append(frame)
        flush()
    }

    func close(_ code: UInt16, _ reason: String) {
        guard case .open = state, let lws else { return }
        state = .closing(CloseStatus(code: code, reason: reason, wasClean: false))
        var bytes = Array(reason.cut(toBytes: 123).utf8)
        lws_close_reason(lws, lws_close_status(UInt32(code)), &bytes, bytes.count)
        end()
    }

    /// Drops the connection like a pulled cable would: no flush, no Close frame. The callbacks that end it follow.
    func cut() {
        guard let lws else { return }
        shutdown(lws_get_socket_fd(lws), shim_SHUT_RDWR)
    }

    /// The answer's headers are there for this callback alone.
    private func accepted(_ lws: OpaquePointer) {
        let length = Int(lws_hdr_total_length(lws, WSI_TOKEN_PROTOCOL))
        guard length > 0 else { return }
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
            guard let start = buffer.baseAddress, lws_hdr_copy(lws, start, Int32(buffer.count), WSI_TOKEN_PROTOCOL) > 0
            else { return }
            subprotocol = String(cString: start)
        }
    }

    private func opened() {
        state = .open
        onEvent(.opened(subprotocol: subprotocol))
    }

    private func received(_ piece: UnsafeRawBufferPointer, _ lws: OpaquePointer) {
        let step = assembler.add(
            piece, isFirst: lws_is_first_fragment(lws) != 0, isFinal: lws_is_final_fragment(lws) != 0,
            limit: Self.messageLimit, skipLimit: Self.messageLimit)
        guard case .complete(let isWhole) = step else { return }
        let bytes = isWhole ? Array(piece) : assembler.bytes
        assembler.reset()
        onEvent(lws_frame_is_binary(lws) != 0 ? .binary(bytes) : .text(String(decoding: bytes, as: UTF8.self)))
    }

    private func flush() {
        guard let lws else { return }
        while let frame = waiting.first, lws_partial_buffered(lws) == 0 {
            waiting.removeFirst()
            frame.bytes.withUnsafeBufferPointer { bytes in
                _ = lws_write(lws, UnsafeMutablePointer(mutating: bytes.baseAddress), bytes.count, shim_LWS_WRITE_RAW)
            }
        }
    }

    private func refused(_ reason: String, _ lws: OpaquePointer) {
        // This attempt is over, whatever else is said about it.
        lws_set_opaque_user_data(lws, nil)
        attach(nil)
        loop.post { [self] in tryNext(reason) }
    }

    private func failed(_ reason: String) {
        finish(.failed(.connectionFailed(url: url.text, reason: reason)))
    }

    private func closed() {
        switch state {
        case .connecting: failed("the connection was lost before the handshake was answered")
        case .open: finish(.closed(CloseStatus(code: 1006, wasClean: false)))
        case .closing(let closing): finish(.closed(closing))
        case .over: break
        }
    }

    /// Forgets the `struct lws`, which may be freed without another word.
    private func finish(_ event: WebSocketClient.Event) {
        if case .over = state { return }
        state = .over
        if let lws { lws_set_opaque_user_data(lws, nil) }
        attach(nil)
        onEvent(event)
        let network = network
        loop.post { [self] in network.clients[ObjectIdentifier(self)] = nil }
    }
}

/// Adding fields to a request of ours: LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER passes a `char **` and the room left.
enum ClientHeaders {
    static func append(_ headers: HTTPHeaders, _ input: UnsafeRawBufferPointer) -> Int32 {
        guard let base = UnsafeMutableRawPointer(mutating: input.baseAddress) else { return 0 }
        let place = base.assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
        for field in headers.fields where field.isSafe {
            let line = Array("\(field.name): \(field.value)\r\n".utf8)
            guard let target = place.pointee, line.count < input.count else { return -1 }
            UnsafeMutableRawPointer(target).copyMemory(from: line, byteCount: line.count)
            place.pointee = target + line.count
        }
        return 0
    }
}

/// libwebsockets' reason for a failed connection, as a helpful message.
enum ClientFailure {
    static func text(_ input: UnsafeRawBufferPointer, _ lws: OpaquePointer) -> String {
        if let doubt = doubt(lws) { return doubt }
        let text = String(decoding: input.prefix { $0 != 0 }, as: UTF8.self)
        if text.contains("not 101") || text.contains("upgrade response") {
            return "the server refused the WebSocket handshake; its log, or curl, tells why"
        }
        if text.contains("SSL") { return "no TLS could be agreed on; perhaps it is spoken without, as http or ws" }
        if text.contains("closed before established") { return "nothing listens there, or it closed the connection" }
        return text.isEmpty ? "nothing answered" : text
    }

    /// Why the certificate was not believed; nil: it was, or there was none.
    private static func doubt(_ lws: OpaquePointer) -> String? {
        guard let handshake = lws_get_ssl(lws), let trust = Connection.behind(lws)?.network.trust?.0, trust.isChecked
        else { return nil }
        let result = SSL_get_verify_result(handshake)
        guard result != X509_V_OK else { return nil }
        let reason = String(cString: X509_verify_cert_error_string(result))
        return "its certificate is not trusted: \(reason). \(trust.hint)"
    }
}
