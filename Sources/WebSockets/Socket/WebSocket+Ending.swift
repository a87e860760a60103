/// How a socket ends: by Close frames of both sides, or without.
extension WebSocket {
    /// The peer's Close frame came; `closing` is its payload, or its protocol error. It is answered if it came first.
    func peerClosed(_ closing: CloseStatus) {
        switch state {
        case .open:
            state = .closing(closing, .last)
            loop.post { [self] in sayGoodbye() }
        case .closing(var ours, .begun):
            ours.wasClean = true
            state = .closing(ours, .last)
        case .closing(var ours, .said):
            ours.wasClean = true
            state = .closing(ours, .over)
            loop.post { [self] in connection?.leave() }
        case .closing, .closed: break
        }
    }

    /// Closes with our frame. If the peer broke the rules, its own is not waited for (RFC 6455 §7.1.7).
    func fail(_ closing: CloseStatus) {
        guard case .open = state else { return }
        state = .closing(closing, (1002...1011).contains(closing.code) ? .last : .begun)
        resumeReading()
        // Whoever calls may be in the midst of what came in, and hears of the end afterwards.
        loop.post { [self] in sayGoodbye() }
    }

    /// Sends our Close frame once no frame is partly sent, and continues from there.
    func sayGoodbye() {
        guard case .closing(let closing, let closeHandshake) = state, !isBlocked else { return }
        switch closeHandshake {
        case .begun: send(closing, .said)
        case .last: send(closing, .over)
        case .said, .over: break
        }
        guard case .closing(_, let closeHandshake) = state, !isBlocked else { return }
        if case .over = closeHandshake { connection?.leave() } else { connection?.watch(for: .end) }
    }

    private func send(_ closing: CloseStatus, _ closeHandshake: CloseHandshake) {
        state = .closing(closing, closeHandshake)
        let bytes = form(of: SharedFrame(opcode: .close, payload: closing.payload))
        loop.counter.statistics.sent(1, bytes: bytes.count, whole: bytes.count)
        pass(bytes, from: 0)
    }

    /// The connection has ended: what to report, the first time.
    func end() -> CloseStatus? {
        defer {
            state = .closed
            connection = nil
            lws = nil
            assembler.reset()
        }
        switch state {
        case .open: return CloseStatus(code: 1006, wasClean: false)
        case .closing(let closing, .over): return closing
        // One of the two Close frames is missing.
        case .closing(var closing, _):
            closing.wasClean = false
            return closing
        case .closed: return nil
        }
    }

    /// It holds too much: ends at once, with a Close frame if that can go out.
    func giveWay() {
        let closing = CloseStatus(code: 4100, reason: "overload", wasClean: false)
        if isWritable { send(closing, .over) }
        drop(closing)
    }

    /// Ends the connection without a Close frame; `closing` is what the owner gets.
    func drop(_ closing: CloseStatus) {
        if case .closed = state { return }
        if case .open = state { state = .closing(closing, .over) }
        loop.post { [self] in connection?.cut() }
    }
}
