import ListProtocol
import Locking
import WebSockets

/// The loops of a server without a port, and the sessions on them. From any thread.
///
/// A loop is a thread for sessions, as it is for those of the network, and has no sockets. Each new session goes to the next one.
final class EmbeddedSessions: Sendable {
    private let handlers: [SessionHandler]
    private let next = Locked(0)
    let context: ServerContext

    /// Begins to serve.
    init(_ server: RefreshableServer, _ metrics: ServerMetrics) throws {
        let context = try server.context(metrics)
        self.context = context
        handlers = try (0..<max(1, server.configuration.loops)).map { number in
            let loop = try ServiceLoop(name: "embedded \(number)", logger: server.logger)
            return metrics.loopSessions(on: loop, of: context)
        }
        for handler in handlers {
            handler.loop.start()
            tick(handler, due: .now + Self.period)
        }
    }

    private static let period = Duration.seconds(1)

    /// What a port's loop does by itself: looks at what has expired, and measures how late it is.
    private func tick(_ handler: SessionHandler, due: ContinuousClock.Instant) {
        handler.post { [weak self] _ in
            _ = handler.loop.schedule(after: due - .now) { [weak self] in
                handler.lagged(by: max(.zero, .now - due))
                self?.tick(handler, due: .now + Self.period)
            }
        }
    }

    /// - Parameter stallLimit: for how long a client may take nothing.
    func session(
        _ handshake: Handshake, as known: Visitor?, stallLimit: Duration = .seconds(30)
    ) -> EmbeddedSession {
        let number = next.withLock { next in
            defer { next = (next + 1) % handlers.count }
            return next
        }
        return EmbeddedSession(handshake, as: known, on: handlers[number], stallLimit: stallLimit)
    }

    /// Answers a request that was admitted.
    ///
    /// - Parameters:
    ///   - known: who asks, where another server knows that.
    ///   - body: called where a body is kept, with the limit of its bytes.
    /// - Returns: nil: there is nothing at that path.
    /// - Throws: what `body` throws; `CancellationError`.
    func respond(
        to request: HTTPRequest, as known: Visitor?, body: (_ limit: Int) async throws -> [UInt8]
    ) async throws -> HTTPResponse? {
        var (request, routes) = (request, context.routes)
        routes.known = known
        switch routes.bodyPlan(for: request) {
        case .refuse(let response): return response
        case .discard: break
        case .keep(let limit):
            request.body = try await body(limit)
            guard request.body.count <= limit else {
                return .problem(413, "The body has \(request.body.count) bytes; at most \(limit) are allowed.")
            }
        }
        let response = await answer(to: request, as: known, by: routes)
        try Task.checkCancellation()
        return response.status == 404 && Endpoint(request) == .other ? nil : response
    }

    /// An exchange that is not kept: one that nobody holds any more answers by itself.
    private struct Waiting {
        weak var exchange: HTTPExchange?
    }

    private func answer(to request: HTTPRequest, as known: Visitor?, by routes: Routes) async -> HTTPResponse {
        let waiting = Locked(Waiting())
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let exchange = HTTPExchange { continuation.resume(returning: $0) }
                waiting.withLock { $0.exchange = exchange }
                routes.answer(request, exchange)
                handlers[0].post { loopSessions in loopSessions.note(request, exchange, of: known) }
                if Task.isCancelled { exchange.refuse(.abandoned) }
            }
        } onCancel: {
            waiting.withLock { $0.exchange }?.refuse(.abandoned)
        }
    }

    /// A request or a handshake was refused.
    func refused(_ reason: Refusal, from address: String, path: String) {
        handlers[0].post { loopSessions in loopSessions.refused(reason, from: address, path: path) }
    }

    /// Says goodbye to all clients, who come back spread over some seconds.
    func dismiss() {
        for handler in handlers {
            handler.post { loopSessions in
                for session in loopSessions.sessions.values { session.dismiss() }
            }
        }
    }

    /// Ends the loops.
    func stop() async {
        for handler in handlers { await handler.loop.stop() }
    }

    /// Time has passed by a clock that a test moves.
    func lookAtTheClock() {
        for handler in handlers { handler.post { loopSessions in loopSessions.lookIfExpired() } }
    }
}

extension Session {
    private static let batches = 32

    /// Says goodbye, as the server is about to stop.
    func dismiss() {
        answer(ShutdownNotice.frame(batch: .random(in: 0..<Self.batches), of: Self.batches))
        close(.draining, "draining")
    }
}

extension HTTPResponse {
    /// To nobody: whoever asked has left.
    fileprivate static var abandoned: HTTPResponse { .text(503, "Nobody waits for this answer.") }
}
