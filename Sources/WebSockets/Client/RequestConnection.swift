/// One HTTP request of ours, on its loop's thread: sent as its peer takes it, answered, and over.
final class RequestConnection: ClientConnection, @unchecked Sendable {
    private let client: HTTPClient
    private let onEnd: (Result<HTTPResponse, SocketError>) -> Void
    /// What is not handed over yet.
    private var toSend: ArraySlice<UInt8>
    private var reader: ResponseReader
    private var response: HTTPResponse?
    private var hasEnded = false
    /// Bytes that are handed over at a time.
    private static let pieceSize = 16 * 1024

    /// - Parameter onEnd: called once.
    init(
        loop: ServiceLoop, url: ClientURL, method: String, headers: HTTPHeaders, body: [UInt8], client: HTTPClient,
        onEnd: @escaping (Result<HTTPResponse, SocketError>) -> Void
    ) {
        self.client = client
        self.onEnd = onEnd
        reader = ResponseReader(method: method)
        var fields: HTTPHeaders = ["Host": url.authority, "Connection": "close"]
        if !body.isEmpty || !["GET", "HEAD"].contains(method) { fields["Content-Length"] = String(body.count) }
        for field in headers.fields where fields[field.name] == nil { fields.add(field.name, field.value) }
        toSend = (fields.lines(after: "\(method) \(url.path) HTTP/1.1") + body)[...]
        let waits = ConnectionTimeouts.Limits(
            head: client.timeout, exchange: client.timeout, kept: client.timeout, beat: client.timeout,
            pong: client.timeout, stall: client.timeout, look: client.timeout)
        super.init(loop: loop, url: url, trust: client.trust, limits: waits)
    }

    override var isOver: Bool { hasEnded }
    override var isListening: Bool { !hasEnded }

    override func connected() { sendMore() }

    override func becameWritable() { sendMore() }

    /// A piece at a time, as libwebsockets copies what the peer does not take of one.
    private func sendMore() {
        while !hasEnded, !toSend.isEmpty, isDrained {
            let piece = toSend.prefix(Self.pieceSize)
            toSend = toSend.dropFirst(piece.count)
            guard write(piece) else { return fail("sending failed") }
        }
    }

    override func takeNext(_ bytes: UnsafeMutableRawBufferPointer, _ position: inout Int) -> Bool {
        var rest = Array(bytes[position...])[...]
        position = bytes.count
        while let event = reader.next(&rest) {
            switch event {
            case .head(let head): response = HTTPResponse(status: head.status, headers: head.headers)
            case .piece(let piece):
                response?.body += piece
                guard (response?.body.count ?? 0) <= client.bodyLimit else {
                    fail("the answer is larger than \(client.bodyLimit) bytes")
                    return true
                }
            case .end:
                complete()
                return true
            case .fault(let reason):
                fail(reason)
                return true
            }
        }
        return true
    }

    /// The peer ended the stream, which ends an answer of no other end.
    override func ended() {
        if !hasEnded, response != nil, reader.streamEnded() == nil { complete() }
        if !hasEnded, let reason = reader.streamEnded() { fail(reason) }
        super.ended()
    }

    override func failed(_ reason: String) {
        guard !hasEnded else { return }
        hasEnded = true
        onEnd(.failure(.connectionFailed(url: url.text, reason: reason)))
    }

    private func complete() {
        guard !hasEnded, let response else { return }
        hasEnded = true
        onEnd(.success(response))
        finish()
    }
}
