import CLibwebsockets

/// From the handshake on.
extension ServerConnection {
    /// A request that asks for another protocol.
    func shake(_ handshake: Handshake, method: String) {
        if let refusal = server.refusal(of: handshake, method: method) {
            return refuse(refusal, Question(method: method, origin: handshake.headers["Origin"]))
        }
        guard BodyFraming(headers: handshake.headers) == .length(0) else {
            server.refused(.handshake, from: handshake.remoteAddress, path: handshake.path)
            let refusal = HTTPResponse.text(400, "A WebSocket handshake has no body.")
            return refuse(refusal, Question(method: method, origin: handshake.headers["Origin"]))
        }
        guard let laterRefusal = server.handler.laterRefusal(of: handshake) else { return open(handshake) }
        let question = Question(method: method, origin: handshake.headers["Origin"])
        phase = .waiting(question)
        watch(for: .answer)
        let loop = server.loop
        Task {
            let refusal = await laterRefusal()
            loop.post { [self] in decided(handshake, refusal, question) }
        }
    }

    /// The owner has decided about a handshake; whoever asked may have left meanwhile.
    private func decided(_ handshake: Handshake, _ refusal: HTTPResponse?, _ question: Question) {
        guard lws != nil, case .waiting = phase else { return }
        if let refusal {
            server.refused(.owner, from: handshake.remoteAddress, path: handshake.path)
            return refuse(refusal, question)
        }
        open(handshake)
        listen()
    }

    private func open(_ handshake: Handshake) {
        let negotiation =
            server.configuration.compresses
            ? DeflateNegotiation(handshake.headers["Sec-WebSocket-Extensions"]) : DeflateNegotiation(nil)
        guard write(handshake.answer(extensions: negotiation.answer)[...]) else { return }
        hold(0)
        let socket = server.makeSocket(self, handshake, compresses: negotiation.isAgreed)
        phase = .socket(socket)
        watchPulse()
        if !isDrained { socket.block() }
        server.opened(socket)
    }

    /// Sends pending data now, or drops it.
    func sayWhatIsLeft(on socket: WebSocket) {
        if socket.isAsked, socket.isWritable, socket.becameWritable() { server.handler.becameWritable(socket) }
    }

    /// The socket has ended: reported the first time.
    func socketEnded() {
        guard case .socket(let socket) = phase else { return }
        phase = .leaving
        if let closing = socket.end() { server.closed(socket, by: closing) }
    }
}
