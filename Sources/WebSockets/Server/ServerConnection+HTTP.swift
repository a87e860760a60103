import CLibwebsockets

/// Requests, and their answers in the same order (RFC 9112 §9.3).
extension ServerConnection {
    func readHead(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) {
        var reader = takeReader()
        var left = UnsafeRawBufferPointer(rebasing: bytes[position...])
        let step = reader.read(&left)
        position = bytes.count - left.count
        switch step {
        case .incomplete:
            phase = .head(reader)
            hold(reader.size)
        case .head(let head): begin(head, isAlone: left.isEmpty)
        case .refused(let refusal):
            let request = HTTPRequest(method: reader.method, path: reader.path, remoteAddress: remoteAddress)
            server.refused(.malformed, from: remoteAddress, path: request.path)
            refuse(server.handler.worded(refusal, of: request), Question(request))
        }
    }

    /// The time for a head counts from its first byte, or for the first one from the connection's beginning.
    private func takeReader() -> HeadReader {
        defer { phase = .idle }
        if case .head(let reader) = phase { return reader }
        if case .kept = timeouts.watch { watch(for: .head) }
        // libwebsockets has one of its own, as it knows of no request, from the end of TLS's handshake on.
        if let lws { lws_set_timeout(lws, NO_PENDING_TIMEOUT, 0) }
        return HeadReader(limits: server.configuration.headLimits)
    }

    /// - Parameter isAlone: nothing has come behind it yet.
    private func begin(_ head: RequestHead, isAlone: Bool) {
        var headers = head.headers
        // As whoever asks sent it, where a trusted proxy passed it on.
        let caller = server.forwarding.caller(
            &headers, from: remoteAddress, isSecure: server.configuration.certificate != nil)
        if !head.keepsAlive { isLast = true }
        isOld = head.isOld
        watch(for: .exchange)
        // Any other upgrade is an offer, and goes unheard (RFC 9110 §7.8).
        if headers.list("Upgrade", contains: "websocket") {
            return shake(
                Handshake(
                    path: head.path, rawPath: head.rawPath, query: head.query, headers: headers,
                    remoteAddress: caller.address, subprotocol: server.originPolicy.subprotocol(of: headers),
                    isSecure: caller.isSecure),
                method: head.method)
        }
        let request = HTTPRequest(
            method: head.method, path: head.path, rawPath: head.rawPath, query: head.query, headers: headers,
            remoteAddress: caller.address, isSecure: caller.isSecure)
        if let refusal = server.refusal(of: request) {
            return refuse(server.handler.worded(refusal, of: request), Question(request))
        }
        switch BodyFraming(headers: headers) {
        case .refused(let refusal):
            server.refused(.malformed, from: remoteAddress, path: request.path)
            refuse(server.handler.worded(refusal, of: request), Question(request))
        case .length(0): whole(request)
        case .length(let length):
            guard let body = admit(request, bodyOf: length) else { return }
            phase = .body(body)
            hold(request.headSize)
            if head.expectsContinue, isAlone { _ = write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)[...]) }
        }
    }

    /// Decides about a body before any of it is read; nil: the request is answered.
    private func admit(_ request: HTTPRequest, bodyOf length: Int) -> RequestBody? {
        let configuration = server.configuration
        switch server.handler.bodyPlan(for: request) {
        case .refuse(let response):
            refuse(response, Question(request))
        case .discard where length <= configuration.discardLimit:
            return RequestBody(request: request, missing: length, isKept: false, lease: nil)
        case .discard:
            let text = "This request takes no body, and has one of \(length) bytes. Send it without."
            refuse(server.handler.worded(.text(413, text), of: request), Question(request))
        case .keep(let limit) where length > min(limit, configuration.bodyLimit):
            let text = "The body has \(length) bytes; at most \(min(limit, configuration.bodyLimit)) are allowed."
            refuse(server.handler.worded(.text(413, text), of: request), Question(request))
        case .keep:
            guard let lease = server.bodies.lease(length) else {
                refuse(server.handler.worded(.tooManyBodies, of: request), Question(request))
                break
            }
            var request = request
            request.body.reserveCapacity(length)
            return RequestBody(request: request, missing: length, isKept: true, lease: lease)
        }
        return nil
    }

    func readBody(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) {
        guard case .body(var body) = phase else { return }
        // So that the body is not copied with each piece.
        phase = .idle
        let count = min(body.missing, bytes.count - position)
        if body.isKept { body.request.body.append(contentsOf: bytes[position..<(position + count)]) }
        body.missing -= count
        position += count
        if body.missing == 0 { whole(body.request, body.lease) } else { phase = .body(body) }
    }

    private func whole(_ request: HTTPRequest, _ lease: BodyBudget.Lease? = nil) {
        let loop = server.loop
        let exchange = HTTPExchange(lease: lease) { response in
            if loop.isCurrent { self.answer(response) } else { loop.post { self.answer(response) } }
        }
        var question = Question(request)
        question.exchange = exchange
        question.isOld = isOld
        phase = .waiting(question)
        // From here on it waits for us; who leaves meanwhile gives up the place.
        watch(for: .answer)
        server.handle(request, exchange)
        if case .waiting = phase { hold(request.headSize) }
    }

    /// Responds and closes the connection: where the next request begins is unknown, or none is wanted.
    func refuse(_ refusal: HTTPResponse, _ question: Question) {
        isLast = true
        phase = .waiting(question)
        answer(refusal)
    }

    private func answer(_ response: HTTPResponse) {
        guard lws != nil, case .waiting(let question) = phase else {
            response.stream?.end()
            return
        }
        server.loop.counter.statistics.responses[response.status, default: 0] += 1
        var response = server.decorated(response, for: question.origin)
        if let stream = response.stream { return begin(stream, response, question) }
        if question.saysKept, !isLast { response.headers["Connection"] = "keep-alive" }
        guard send(ResponseWriter(response, to: question.method, closing: isLast)) else {
            listen()
            takeBack(when: response.revocation)
            noteHeld()
            return watch(for: .taking(taken: bytesAcknowledged))
        }
        finish()
    }

    /// What is lent to a peer that reads slowly may be wanted back.
    private func takeBack(when revocation: Revocation?) {
        revocation?.whenRevoked(for: self) { [weak self, loop = server.loop] in
            loop.post { [weak self] in
                guard let self, case .draining(let answer) = phase, answer.revocation === revocation else { return }
                cut()
            }
        }
    }

    /// The peer has taken what was partly sent.
    func proceed(_ answer: ResponseWriter) {
        if send(answer) { finish() } else { noteHeld() }
    }

    private func noteHeld() {
        if case .draining(let answer) = phase { hold(answer.held) }
    }

    /// Half a mebibyte.
    private static let piecesAtATime = 32

    /// Sends the pieces that the peer takes; what is left waits for `becameWritable`.
    ///
    /// - Returns: whether all is taken.
    private func send(_ answer: ResponseWriter) -> Bool {
        var answer = answer
        defer { phase = .draining(answer) }
        var pieces = 0
        while isDrained {
            guard pieces < Self.piecesAtATime else {
                // Somebody reads as fast as we send: others are not to wait for the end of a long answer.
                server.loop.post { [self] in if case .draining(let answer) = phase, isDrained { proceed(answer) } }
                return false
            }
            pieces += 1
            guard let piece = answer.next() else { return true }
            guard write(piece) else { return false }
        }
        return false
    }

    /// The answer is taken.
    func finish() {
        hold(0)
        if case .draining(let answer) = phase { answer.revocation?.forget(self) }
        if isLast { return leave() }
        phase = .idle
        watch(for: .kept)
        listen()
    }
}

extension ServerConnection.Question {
    init(_ request: HTTPRequest) {
        self.init(
            method: request.method, origin: request.headers["Origin"],
            saysKept: request.headers.list("Connection", contains: "keep-alive"))
    }
}
