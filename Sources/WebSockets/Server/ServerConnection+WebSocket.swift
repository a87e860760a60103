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

    /// The first ping of a socket comes after half a beat to a whole one: not to all who came together at once.
    private func watchPulse() {
        guard let beat = timeouts.begin(.beat, server.limits) else { return }
        wait(beat * Double.random(in: 0.5...1))
    }

    /// false: more must come.
    func readFrame(
        of socket: WebSocket, _ bytes: UnsafeMutableRawBufferPointer, _ position: inout Int
    ) -> Bool {
        guard let event = socket.reader.next(bytes, &position) else { return false }
        wasHeard = true
        switch event {
        case .piece(let piece): server.received(piece, from: socket)
        case .ping(let payload): socket.pong(payload)
        case .pong: break
        case .close(let payload):
            sayWhatIsLeft(on: socket)
            socket.peerClosed(CloseStatus.fault(of: payload) ?? CloseStatus(payload: payload))
        case .fault(let fault):
            sayWhatIsLeft(on: socket)
            socket.fail(fault)
        }
        return true
    }

    /// Sends pending data now, or drops it.
    private func sayWhatIsLeft(on socket: WebSocket) {
        if socket.isAsked, socket.isWritable, socket.becameWritable() { server.handler.becameWritable(socket) }
    }

    /// The socket has ended: reported the first time.
    func socketEnded() {
        guard case .socket(let socket) = phase else { return }
        phase = .leaving
        if let closing = socket.end() { server.closed(socket, by: closing) }
    }
}
