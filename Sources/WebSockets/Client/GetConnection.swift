import CLibwebsockets

/// One GET request of ours, on its loop's thread.
final class GetConnection: Connection, @unchecked Sendable {
    private let loop: ServiceLoop
    private let url: ClientURL
    private var onEnd: ((Result<HTTPResponse, SocketError>) -> Void)?
    private var response: HTTPResponse?
    private var addresses: ArraySlice<String> = []
    private var deadline: LoopTimer?

    init(loop: ServiceLoop, url: ClientURL, onEnd: @escaping (Result<HTTPResponse, SocketError>) -> Void) {
        self.loop = loop
        self.url = url
        self.onEnd = onEnd
        super.init(network: loop.network)
    }

    override func handle(
        _ reason: lws_callback_reasons, _ input: UnsafeRawBufferPointer, _ lws: OpaquePointer
    ) -> Int32 {
        guard onEnd != nil else { return 0 }
        attach(lws)
        switch reason {
        case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP: answered(lws)
        case LWS_CALLBACK_RECEIVE_CLIENT_HTTP: return readMore(lws)
        case LWS_CALLBACK_RECEIVE_CLIENT_HTTP_READ: return received(input)
        case LWS_CALLBACK_COMPLETED_CLIENT_HTTP: completed()
        case LWS_CALLBACK_CLIENT_CONNECTION_ERROR: refused(ClientFailure.text(input), lws)
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
        let request = ClientRequest(url: url, method: "GET", address: address)
        if !request.start(as: self) { tryNext("nothing listens there") }
    }

    private func refused(_ reason: String, _ lws: OpaquePointer) {
        lws_set_opaque_user_data(lws, nil)
        attach(nil)
        loop.post { [self] in tryNext(reason) }
    }

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
        if let response { finish(.success(response)) } else { fail("it hung up without an answer") }
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
