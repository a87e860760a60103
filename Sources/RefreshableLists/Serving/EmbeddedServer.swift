import ListProtocol
package import WebSockets

/// Serves a server's lists without a port: sessions over any connection that carries text messages, and HTTP requests that
/// another server received.
///
///     client ──text──▶ EmbeddedSession.receive ──▶ the same Session, lists and routes as over the network
///            ◀─text─── sending
package final class EmbeddedServer: Sendable {
    private let server: RefreshableServer
    private let loop: ServiceLoop
    private let handler: SessionHandler
    private let context: ServerContext
    private let metrics: ServerMetrics

    /// Opens the store and begins to serve. Instead of `run()`.
    ///
    /// - Throws: as `run()` does, but for the port.
    package init(_ server: RefreshableServer) throws {
        guard server.isFirstRun() else { throw RefreshableServerError.wasRun }
        try RefreshableServerError.check(server.descriptions)
        try server.store.open()
        server.pool.start()
        self.server = server
        metrics = server.startMetrics()
        context = try server.context(metrics)
        loop = try ServiceLoop(name: "embedded", logger: server.logger)
        handler = metrics.loopSessions(on: loop, of: context)
        loop.start()
    }

    /// Ends all sessions and lists; returns when they have ended.
    package func stop() async throws {
        handler.post { loopSessions in
            for session in loopSessions.sessions.values { session.close(.draining, "draining") }
        }
        for list in server.lists.all { await list.end() }
        await loop.stop()
        metrics.stop()
        server.pool.stop()
        try server.store.close()
    }

    /// A client has come.
    ///
    /// - Parameters:
    ///   - headers: Those of its handshake, such as `Authorization`.
    ///   - address: Where it comes from.
    ///   - sending: Called with each message for it, on a thread of the server's; must not block.
    ///   - ended: Called once when the server ends the session, with the close code and the reason.
    package func session(
        headers: HTTPHeaders = [:], address: String = "127.0.0.1", sending: @escaping @Sendable (String) -> Void,
        ended: @escaping @Sendable (UInt16, String) -> Void
    ) -> EmbeddedSession {
        let session = EmbeddedSession(handler)
        let handshake = Handshake(path: "/ws", headers: headers, remoteAddress: address)
        handler.post { [handler] loopSessions in
            let socket = EmbeddedSocket(handshake: handshake, sending: sending) { code, reason in
                ended(code, reason)
                session.end(CloseStatus(code: code, reason: reason, wasClean: false))
            }
            session.socket = socket
            loopSessions.opened(socket, at: handler)
        }
        return session
    }

    /// Answers a request as the port would. `Host` and `Origin` are for whoever has accepted it to check.
    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        if case .refuse(let response) = context.routes.bodyPlan(for: request) { return response }
        return await withCheckedContinuation { continuation in
            let exchange = HTTPExchange { continuation.resume(returning: $0) }
            context.routes.answer(request, exchange)
        }
    }

    /// Time has passed by the clock of the lists.
    package func lookAtTheClock() async {
        for list in server.lists.all {
            list.executor.lookAtTheClock()
            _ = await list.currentRun
        }
    }

    /// When the next timer of a list is due, in milliseconds of its clock; nil: none is.
    package var nextDue: Int64? { server.lists.all.compactMap(\.executor.nextDue).min() }
}

/// The conversation with one client that an `EmbeddedServer` carries.
package final class EmbeddedSession: @unchecked Sendable {
    private let handler: SessionHandler
    /// On the loop alone.
    fileprivate var socket: EmbeddedSocket?

    fileprivate init(_ handler: SessionHandler) { self.handler = handler }

    /// The client has sent a text message.
    package func receive(_ text: String) {
        handler.post { [self] loopSessions in
            guard let socket else { return }
            var text = text
            text.withUTF8 { loopSessions.received(.text(UnsafeRawBufferPointer($0)), from: socket) }
        }
    }

    /// The client is gone.
    ///
    /// - Parameter isClean: Whether it said goodbye, which withdraws it from what it asked for.
    package func close(isClean: Bool) { end(CloseStatus(code: isClean ? 1000 : 1006, wasClean: isClean)) }

    fileprivate func end(_ status: CloseStatus) {
        handler.post { [self] loopSessions in
            guard let socket else { return }
            self.socket = nil
            loopSessions.closed(socket, by: status)
        }
    }
}
