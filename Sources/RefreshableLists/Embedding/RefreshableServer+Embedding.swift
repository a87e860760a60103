public import HTTPTypes
import ListProtocol
import Locking
import WebSockets

/// A server inside another one, which has the port, TLS and the login: with ``Configuration/port`` nil.
///
///     the other server ── HTTP ──────────▶ respond(to:from:as:body:)
///       port, TLS, login ── WebSocket ──▶ serve(_:openedBy:from:as:sending:), as long as the connection
extension RefreshableServer {
    /// The fields of the answer `101` by which the other server is to open a WebSocket: the subprotocol that the client has to
    /// find there. Nil: the request does not ask for the socket of the lists, or may not; then `respond` says why.
    ///
    /// The socket is at `/ws` below ``Configuration/mountPath``. Pages of other sites may open it that are among
    /// ``Configuration/allowedOrigins``. From any thread; it waits for nothing.
    public func upgradeFields(for request: HTTPTypes.HTTPRequest) -> HTTPFields? {
        guard case .inside(let target) = mount.place(of: request), Self.isSocket(target), Self.isUpgrade(request),
            !drainSwitch.isOn
        else { return nil }
        do throws(EmbeddedAdmission.Refused) {
            let subprotocol = try admission.handshake(request, target, from: "").subprotocol
            return subprotocol.map { [.secWebSocketProtocol: $0] } ?? [:]
        } catch {
            // `respond` answers with it.
            return nil
        }
    }

    /// Answers a request that another server has received: with the page and its files, the lists, and whatever else a port of
    /// this server would answer. Waits until the server runs; from then on for as long as the answer takes, which for a refresh is
    /// as long as its run. Answers come whole, never as a stream.
    ///
    /// Methods that change something are refused to pages of other sites, unless they are among
    /// ``Configuration/allowedOrigins``.
    ///
    /// - Parameters:
    ///   - request: With the path as the client sent it: what stands before ``Configuration/mountPath`` is not ours. Its scheme
    ///     says whether the client uses TLS.
    ///   - address: Of the client, such as `127.0.0.1`; from behind a proxy as that tells it. Wrong tokens are counted by it, and
    ///     where neither tokens nor an identity say who asks, programs of this machine may push and read the metrics.
    ///   - identity: Who the other server says it is. Nil: whom our own tokens and ``Configuration/access`` say.
    ///   - body: Collects the request's body, of at most so many bytes. It is called where there is something to do with a body, by
    ///     somebody who may; else the body is the other server's to pass over. More bytes than the limit are answered with 413.
    /// - Returns: The answer; nil: nothing is at that path, or it is outside of the mount path.
    /// - Throws: What `body` throws; `CancellationError` where the calling task is cancelled, which withdraws the request from what it
    ///   waits for. A server that cannot run, or has ended, answers 503.
    public func respond(
        to request: HTTPTypes.HTTPRequest, from address: String, as identity: AccessIdentity?,
        body: (_ limit: Int) async throws -> [UInt8] = { _ in [] }
    ) async throws -> EmbeddedResponse? {
        let target: String
        switch mount.place(of: request) {
        case .outside: return nil
        case .itself(let location): return EmbeddedResponse(.moved(to: location), to: request)
        case .inside(let found): target = found
        }
        guard let sessions = try await embedded() else { return EmbeddedResponse(.comeBack, to: request) }
        let accepted: WebSockets.HTTPRequest
        do throws(EmbeddedAdmission.Refused) {
            if Self.isSocket(target) { return EmbeddedResponse(try socketAnswer(to: request, target), to: request) }
            accepted = try admission.request(request, target, from: address)
        } catch {
            if let reason = error.reason { sessions.refused(reason, from: address, path: target) }
            let isForProgram = target.hasPrefix("/lists/") && error.reason != nil
            return EmbeddedResponse(isForProgram ? error.response.asProblem : error.response, to: request)
        }
        let known = identity.map { Visitor($0) }
        let response = try await sessions.respond(to: accepted, as: known, body: body)
        return response.map { EmbeddedResponse(admission.shared($0, with: accepted), to: request) }
    }

    /// Serves one client, whose connection the other server carries, and returns when the conversation has ended. Waits until the
    /// server runs.
    ///
    /// ```swift
    /// let closeFrame = await server.serve(texts, openedBy: request, from: address, as: ada) { text in
    ///     try await connection.send(text)
    /// }
    /// if let closeFrame { try await connection.close(closeFrame.code, closeFrame.reason) }
    /// ```
    /// Both ways are under back-pressure. The next message is sent when `sending` has returned, and while it does not, the session makes
    /// no more than 64 KiB of others: later states replace earlier ones, and rows become one larger patch. While so much waits,
    /// `messages` is not asked for more.
    ///
    /// Where the calling task belongs to a service group, as those of connections do in Hummingbird, its graceful shutdown says goodbye
    /// to the client.
    ///
    /// - Parameters:
    ///   - messages: The text messages that the client sends. Their end says that the client has said goodbye, by a Close frame; their
    ///     error, that the connection was lost: then its session can be taken up again for ten minutes.
    ///   - request: By which the connection was opened. Its `Origin` is checked as by `upgradeFields`.
    ///   - address: Of the client. As that of `respond`.
    ///   - identity: Who the other server says it is. Nil: whom our own tokens say, in the request or in a `hello`.
    ///   - sending: Sends one text message to the client, and returns when the connection has taken it. If it throws, the connection
    ///     counts as lost.
    /// - Returns: By what the other server is to close the connection; nil: the client has left, or the calling task was cancelled.
    public func serve<Messages: AsyncSequence & Sendable>(
        _ messages: Messages, openedBy request: HTTPTypes.HTTPRequest, from address: String,
        as identity: AccessIdentity?, sending: @escaping @Sendable (_ text: String) async throws -> Void
    ) async -> EmbeddedSession.CloseFrame? where Messages.Element == String {
        let session: EmbeddedSession
        do throws(EmbeddedSession.CloseFrame) {
            session = try await open(request, from: address, as: identity)
        } catch { return Task.isCancelled ? nil : error }
        return await session.carry(sending) {
            do {
                for try await text in messages { await session.received(text) }
                session.close()
            } catch {
                session.close(isClean: false)
            }
        }
    }

    /// Begins to serve one client, for a server whose connections call back. Waits until the server runs.
    ///
    /// As `serve`, which is to be preferred: its life is that of the call, and it holds a client up that sends too much.
    ///
    /// - Parameters:
    ///   - request: By which the connection was opened.
    ///   - address: Of the client.
    ///   - identity: Who the other server says it is.
    ///   - sending: As that of `serve`. One call at a time.
    ///   - ended: Called once, after the last message, when the server has ended the session, with what to close the connection by;
    ///     with nil after `close()`, and where `sending` has thrown.
    /// - Returns: What the client's messages are given to. The caller calls ``EmbeddedSession/close(isClean:)`` when the client is gone.
    /// - Throws: By what to close the connection, where the client is not served; `ended` is not called then.
    public func session(
        openedBy request: HTTPTypes.HTTPRequest, from address: String, as identity: AccessIdentity?,
        sending: @escaping @Sendable (_ text: String) async throws -> Void,
        ended: @escaping @Sendable (EmbeddedSession.CloseFrame?) -> Void
    ) async throws(EmbeddedSession.CloseFrame) -> EmbeddedSession {
        let session = try await open(request, from: address, as: identity)
        Task { ended(await session.carry(sending)) }
        return session
    }
}

extension RefreshableServer {
    private static func isSocket(_ target: String) -> Bool { target == "/ws" || target.hasPrefix("/ws?") }

    /// Whether HTTP/1.1 (RFC 6455 §4.1) or HTTP/2 (RFC 8441 §4) asks for a WebSocket.
    private static func isUpgrade(_ request: HTTPTypes.HTTPRequest) -> Bool {
        if request.method == .connect { return request.extendedConnectProtocol == "websocket" }
        return request.method == .get && request.headerFields[.upgrade]?.lowercased() == "websocket"
    }

    /// The answer to a request for the socket that was not upgraded.
    private func socketAnswer(
        to request: HTTPTypes.HTTPRequest, _ target: String
    ) throws(EmbeddedAdmission.Refused) -> WebSockets.HTTPResponse {
        _ = try admission.handshake(request, target, from: "")
        if drainSwitch.isOn { return .comeBack }
        var response = WebSockets.HTTPResponse.text(426, "The socket of the lists is here. Open it as a WebSocket.")
        response.headers["Upgrade"] = "websocket"
        return response
    }

    private func open(
        _ request: HTTPTypes.HTTPRequest, from address: String, as identity: AccessIdentity?
    ) async throws(EmbeddedSession.CloseFrame) -> EmbeddedSession {
        let sessions: EmbeddedSessions?
        do { sessions = try await embedded() } catch { throw .ended }
        guard let sessions, !drainSwitch.isOn else { throw .ended }
        do throws(EmbeddedAdmission.Refused) {
            let handshake = try admission.handshake(request, "/ws", from: address)
            return sessions.session(handshake, as: identity.map { Visitor($0) })
        } catch {
            if let reason = error.reason { sessions.refused(reason, from: address, path: "/ws") }
            throw EmbeddedSession.CloseFrame(
                code: CloseCode.forbidden.rawValue, reason: String(decoding: error.response.body, as: UTF8.self))
        }
    }

    /// Those who are served without a port, once they are. Nil: the server cannot run, or has ended.
    ///
    /// - Throws: `CancellationError`.
    private func embedded() async throws -> EmbeddedSessions? {
        precondition(
            configuration.port == nil,
            "The server has a port of its own. Set configuration.port to nil to serve what another server has received."
        )
        do { _ = try await listening.port } catch {
            if error is CancellationError { throw error }
            return nil
        }
        return embedding.withLock(\.self)
    }

    /// From now on it serves by these.
    func embed(_ sessions: EmbeddedSessions) {
        embedding.withLock { $0 = sessions }
        listening.succeed(0)
    }

    /// It serves no more; who is served is told.
    func endEmbedding(_ sessions: EmbeddedSessions) {
        drainSwitch.turnOn()
        embedding.withLock { $0 = nil }
        sessions.dismiss()
    }
}

extension EmbeddedSession.CloseFrame {
    /// The server has ended, or is about to.
    fileprivate static var ended: Self { Self(code: CloseCode.draining.rawValue, reason: "draining") }
}
