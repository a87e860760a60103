import CLibwebsockets

/// Asks an HTTP server one question, on a connection of its own.
public enum HTTPClient {
    /// Bytes of an answer's body that are taken.
    static let bodyLimit = 16 * 1024 * 1024

    /// GETs a `http://` or `https://` address. An answer of any status is an answer; what comes to none is an error.
    public static func get(
        _ url: String, headers: HTTPHeaders = [:], trust: ServerTrust = ServerTrust(), timeout: Duration = .seconds(5)
    ) async throws(SocketError) -> HTTPResponse {
        try await send("GET", url, headers: headers, trust: trust, timeout: timeout)
    }

    /// Sends a request to a `http://` or `https://` address and gives its answer, without header fields.
    ///
    /// - Parameters:
    ///   - method: such as `PATCH`.
    ///   - headers: more fields; `Content-Length` is added where there is a body.
    ///   - trust: which servers are believed, with `https`.
    ///   - timeout: from now to the end of the answer.
    /// - Throws: `SocketError` where there is no answer. Whether the request was read is then unknown.
    public static func send(
        _ method: String, _ url: String, headers: HTTPHeaders = [:], body: [UInt8] = [],
        trust: ServerTrust = ServerTrust(), timeout: Duration
    ) async throws(SocketError) -> HTTPResponse {
        let parts = try ClientURL(url, scheme: "http")
        if parts.isSecure { try trust.check() }
        var settings = NetworkSettings()
        settings.trust = parts.isSecure ? (trust, parts.host) : nil
        let loop = try ServiceLoop(name: "request", settings: settings, logger: .quiet)
        loop.start()
        let result = await withCheckedContinuation { continuation in
            loop.post {
                let connection = RequestConnection(
                    loop: loop, url: parts, method: method, headers: headers, body: body
                ) { continuation.resume(returning: $0) }
                connection.start(timeout: timeout)
            }
        }
        await loop.stop()
        return try result.get()
    }
}

/// One HTTP request of ours, on its loop's thread.
final class RequestConnection: Connection, @unchecked Sendable {
    private let loop: ServiceLoop
    private let url: ClientURL
    private let method: String
    private let headers: HTTPHeaders
    private let body: [UInt8]
    /// Of the body.
    private var sent = 0
    private var onEnd: ((Result<HTTPResponse, SocketError>) -> Void)?
    private var response: HTTPResponse?
    private var addresses: ArraySlice<String> = []
    private var deadline: LoopTimer?

    init(
        loop: ServiceLoop, url: ClientURL, method: String, headers: HTTPHeaders, body: [UInt8],
        onEnd: @escaping (Result<HTTPResponse, SocketError>) -> Void
    ) {
        self.loop = loop
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
        self.onEnd = onEnd
        super.init(network: loop.network)
    }

    override func handle(
        _ reason: lws_callback_reasons, _ input: UnsafeRawBufferPointer, _ lws: OpaquePointer
    ) -> Int32 {
        guard onEnd != nil else { return 0 }
        attach(lws)
        switch reason {
        case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER: return append(input, lws)
        case LWS_CALLBACK_CLIENT_HTTP_WRITEABLE: return sendMore(lws)
        case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP: answered(lws)
        case LWS_CALLBACK_RECEIVE_CLIENT_HTTP: return readMore(lws)
        case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ: return received(input)
        case LWS_CALLBACK_COMPLETED_CLIENT_HTTP: completed()
        case LWS_CALLBACK_CLIENT_CONNECTION_ERROR: refused(ClientFailure.text(input, lws), lws)
        case LWS_CALLBACK_CLOSED_CLIENT_HTTP, LWS_CALLBACK_WSI_DESTROY: completed()
        default: break
        }
        return 0
    }

    func start(timeout: Duration) {
        deadline = loop.schedule(after: timeout) { [weak self] in self?.fail("no answer within \(timeout)") }
        addresses = IPAddress.all(of: url.host)[...]
        tryNext("no such host")
    }

    /// Tries the host's next address; without one, `reason` is why the last one failed.
    private func tryNext(_ reason: String) {
        guard onEnd != nil else { return }
        guard let address = addresses.popFirst() else { return fail(reason) }
        let request = ClientRequest(url: url, method: method, address: address)
        if !request.start(as: self) { tryNext("nothing listens there") }
    }

    private func refused(_ reason: String, _ lws: OpaquePointer) {
        lws_set_opaque_user_data(lws, nil)
        attach(nil)
        loop.post { [self] in tryNext(reason) }
    }

    private func append(_ room: UnsafeRawBufferPointer, _ lws: OpaquePointer) -> Int32 {
        var headers = headers
        if !body.isEmpty || method != "GET" { headers["Content-Length"] = String(body.count) }
        guard ClientHeaders.append(headers, room) == 0 else { return -1 }
        if !body.isEmpty {
            lws_client_http_body_pending(lws, 1)
            lws_callback_on_writable(lws)
        }
        return 0
    }

    /// A piece at a time, as libwebsockets keeps what the socket does not take.
    private func sendMore(_ lws: OpaquePointer) -> Int32 {
        guard sent < body.count else { return 0 }
        let piece = Array(repeating: 0, count: Int(shim_LWS_PRE)) + body[sent..<min(sent + Self.piece, body.count)]
        let size = piece.count - Int(shim_LWS_PRE)
        sent += size
        let isLast = sent == body.count
        if isLast { lws_client_http_body_pending(lws, 0) } else { lws_callback_on_writable(lws) }
        return piece.withUnsafeBufferPointer { bytes in
            let start = bytes.baseAddress.map { UnsafeMutablePointer(mutating: $0 + Int(shim_LWS_PRE)) }
            return lws_write(lws, start, size, isLast ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < 0 ? -1 : 0
        }
    }

    /// Bytes of the body that are handed over at a time.
    private static let piece = 16 * 1024

    private func answered(_ lws: OpaquePointer) {
        response = HTTPResponse(status: Int(lws_http_client_http_response(lws)))
    }

    /// Has libwebsockets read into a buffer of ours; what it finds comes as LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ.
    private func readMore(_ lws: OpaquePointer) -> Int32 {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: shim_LWS_PRE + 4096) { buffer in
            var start = buffer.baseAddress.map { $0 + shim_LWS_PRE }
            var length: Int32 = 4096
            return lws_http_client_read(lws, &start, &length) < 0 ? -1 : 0
        }
    }

    private func received(_ part: UnsafeRawBufferPointer) -> Int32 {
        response?.body.append(contentsOf: part)
        guard let size = response?.body.count, size <= HTTPClient.bodyLimit else {
            fail("the answer is larger than \(HTTPClient.bodyLimit >> 20) MiB")
            return -1
        }
        return 0
    }

    private func completed() {
        if let response { finish(.success(response)) } else { fail("it closed the connection without a response") }
    }

    private func fail(_ reason: String) {
        finish(.failure(.connectionFailed(url: url.text, reason: reason)))
    }

    private func finish(_ result: Result<HTTPResponse, SocketError>) {
        guard let onEnd else { return }
        self.onEnd = nil
        deadline?.cancel()
        if let lws { lws_set_opaque_user_data(lws, nil) }
        attach(nil)
        onEnd(result)
    }
}
