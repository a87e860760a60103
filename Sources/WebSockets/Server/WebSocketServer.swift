import CLibwebsockets
public import Logging

/// Accepts connections and serves WebSockets and HTTP on one or more loops.
///
/// ```
/// port ── accept (loop 0) ──┬─ mailbox ──▶ loop 0: LoopHandler
///                           └─ mailbox ──▶ loop 1: LoopHandler
/// ```
/// A connection stays on its loop for life. The owner makes one `LoopHandler` for each.
public final class WebSocketServer: Sendable {
    /// What it was made with.
    public let configuration: Configuration
    /// Its loops, made at once and started by `start`.
    public let loops: [ServiceLoop]
    private let logger: Logger
    private let counts: ConnectionCounts
    private let servers: [LoopServer]
    private let state = Locked(State.made)

    /// Makes the last frame of a batch of sockets: which batch of a loop it is, from 0, and of how many.
    public typealias ShutdownNotice = @Sendable (_ batch: Int, _ count: Int) -> SharedFrame

    private enum State {
        case made
        case listening(Listener)
        case stopped
    }

    /// Makes a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - loops: how many threads serve; at least 1.
    ///   - handler: makes what hears about one loop's sockets; called once for each loop, before this returns.
    public init(
        configuration: Configuration = Configuration(), loops: Int = 1,
        handler: @escaping @Sendable (ServiceLoop) -> any LoopHandler, logger: Logger = .quiet
    ) throws(SocketError) {
        precondition(loops >= 1, "A server needs at least one loop.")
        let counts = ConnectionCounts(limits: configuration.admissionLimits, loops: loops)
        self.configuration = configuration
        self.logger = logger
        self.counts = counts
        var settings = NetworkSettings(subprotocols: configuration.subprotocols)
        settings.certificate = configuration.certificate
        let ceiling = DescriptorLimit.ceiling(for: configuration.maximumConnections)
        self.loops = try DescriptorLimit.limited(to: ceiling) { () throws(SocketError) in
            var made: [ServiceLoop] = []
            for number in 0..<loops {
                made.append(try ServiceLoop(name: "loop \(number)", settings: settings, logger: logger))
            }
            return made
        }
        let bodies = BodyBudget(configuration.bodyBudget)
        servers = self.loops.map {
            // Connections are dealt out evenly.
            LoopServer(
                loop: $0, configuration: configuration, handler: handler($0), counts: counts, bodies: bodies,
                bufferBudget: BufferBudget(limit: configuration.connectionBudget / loops))
        }
    }

    /// The port it listens on; 0 before `start` and after `stop`.
    public var port: Int {
        state.withLock { state in
            if case .listening(let listener) = state { listener.port } else { 0 }
        }
    }

    /// Connections of all kinds now.
    public var connectionCount: Int { counts.count }

    /// Shows another certificate from the next handshake on. Connections that are open stay. From any thread.
    ///
    /// For a server that was made with one.
    public func renew(_ certificate: Certificate) {
        precondition(configuration.certificate != nil, "A server that speaks without TLS has nothing to renew.")
        for loop in loops { loop.post { loop.network.certificate = certificate } }
    }

    /// Binds, listens, and begins to accept. Once. Afterwards `port` is the real one.
    public func start() throws(SocketError) {
        let listener = try Listener(
            configuration, loop: loops[0], mayAccept: { [counts] in counts.mayAccept() },
            onAccept: { [self] in accepted($0, from: $1) })
        let resume: @Sendable () -> Void = { [weak listener] in listener?.resume() }
        counts.whenReleased { [loop = loops[0]] in loop.post(resume) }
        state.withLock { state in
            guard case .made = state else { preconditionFailure("A WebSocketServer can be started only once.") }
            state = .listening(listener)
        }
        for server in servers {
            server.loop.start()
            server.loop.post { server.start() }
        }
        loops[0].post { listener.start() }
    }

    /// Stops accepting, sends a goodbye and then a Close frame to every socket, lets requests under way be answered, and
    /// ends the loops. Returns when all is gone; what has not gone `grace` after the last goodbye is cut.
    ///
    /// Not to be awaited on one of its own loops. A second call waits for the same end.
    ///
    /// - Parameter goodbye: the frame for one of a loop's batches of sockets, counted from 0, of so many; they are closed
    ///   one batch after another.
    public func stop(
        goodbye: ShutdownNotice? = nil, code: UInt16 = 1001, reason: String = "", grace: Duration = .seconds(3)
    ) async {
        let before = state.withLock { state in
            defer { state = .stopped }
            return state
        }
        if case .listening(let listener) = before {
            await withCheckedContinuation { continuation in
                loops[0].post {
                    listener.stop()
                    continuation.resume()
                }
            }
            await windUp(goodbye: goodbye, code: code, reason: reason, grace: grace)
        }
        for loop in loops { await loop.stop() }
    }

    private func windUp(goodbye: ShutdownNotice?, code: UInt16, reason: String, grace: Duration) async {
        await withTaskGroup { group in
            for server in servers {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        server.loop.post {
                            server.stop(goodbye: goodbye, code: code, reason: reason, grace: grace) {
                                continuation.resume()
                            }
                        }
                    }
                }
            }
        }
    }

    /// Hands a connection to its loop, or turns it away.
    private func accepted(_ descriptor: Int32, from address: sockaddr_storage) {
        switch counts.verdict(on: ClientNetwork(address)) {
        case .enter(let slot):
            let server = servers[slot.loop]
            server.loop.post { server.adopt(descriptor, from: IPAddress.text(of: address), slot: slot) }
        case .full:
            // Accepting is the first loop's work.
            servers[0].refused(.connections, from: IPAddress.text(of: address))
            turnAway(descriptor, 503, "This server has no room for more connections. Come back later.")
        case .crowded:
            servers[0].refused(.crowded, from: IPAddress.text(of: address))
            turnAway(
                descriptor, 429,
                "Too many connections come from your address. Close some, or come back later.")
        }
    }

    /// One connection too many gets a word; not under TLS, where a word costs a handshake. It was made non-blocking, so this
    /// can't hold the loop up.
    private func turnAway(_ descriptor: Int32, _ status: Int, _ text: String) {
        defer { close(descriptor) }
        guard configuration.certificate == nil else { return }
        var response = HTTPResponse.text(status, text)
        response.headers.add("Retry-After", "5")
        let bytes = response.head(closing: true) + response.body
        send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        shutdown(descriptor, shim_SHUT_WR)
        // What was sent and not read would have the system reset the connection, and the word with it.
        var unread = [UInt8](repeating: 0, count: 4096)
        recv(descriptor, &unread, unread.count, 0)
    }
}

/// Receives the events of one loop of a `WebSocketServer`. The server's owner makes one for each loop.
///
/// All of it is called on the loop's thread, one call at a time, and must not block.
public protocol LoopHandler: AnyObject {
    /// The last word on a handshake that the server itself would accept: nil accepts, a response refuses.
    func refusal(of handshake: Handshake) -> HTTPResponse?

    /// A socket is open and may be sent to.
    func opened(_ socket: WebSocket)

    /// A complete message arrived. Its bytes are valid until this returns.
    func received(_ message: WebSocketMessage, from socket: WebSocket)

    /// `isWritable` was false and is true again.
    func becameWritable(_ socket: WebSocket)

    /// The socket has ended. Exactly once for each that was opened.
    func closed(_ socket: WebSocket, by closing: CloseStatus)

    /// A request's head is there, and a body follows: what becomes of that.
    func bodyPlan(for request: HTTPRequest) -> BodyPlan

    /// A whole request, with its body if that was to be kept. Answer it now or later, from any thread.
    func request(_ request: HTTPRequest, _ exchange: HTTPExchange)

    /// A connection, a handshake or a request was rejected. `path` is empty if none was read.
    func refused(_ reason: Refusal, from address: String, path: String)

    /// The loop did something so much later than it was due; about once a second.
    func lagged(by lag: Duration)

    /// The server itself refuses a request, by its headers alone. Gives the refusal the form that its sender reads.
    func worded(_ refusal: HTTPResponse, of request: HTTPRequest) -> HTTPResponse
}

extension LoopHandler {
    /// Accepts.
    public func refusal(of handshake: Handshake) -> HTTPResponse? { nil }

    /// Keeps as much as the server allows.
    public func bodyPlan(for request: HTTPRequest) -> BodyPlan { .keep(limit: .max) }

    /// Does nothing.
    public func refused(_ reason: Refusal, from address: String, path: String) {}

    /// Does nothing.
    public func lagged(by lag: Duration) {}

    /// Leaves it as it is: a sentence for a person.
    public func worded(_ refusal: HTTPResponse, of request: HTTPRequest) -> HTTPResponse { refusal }

    /// Does nothing.
    public func becameWritable(_ socket: WebSocket) {}
}
