import CLibwebsockets
import CPlatform
import Locking
public import Logging
public import ServiceLifecycle

/// Serves WebSockets, and HTTP beside them.
///
/// ```swift
/// let server = WebSocketServer(port: 8080) { socket in
///     for await message in socket { try await socket.send(message) }
/// }
/// try await server.run()
/// ```
/// Each socket has a task of its own, which runs the closure: the socket is closed with 1000 when it returns, and with 1011
/// when it throws. `run` returns when its task is cancelled, or its service group shuts down, after all sockets were closed with
/// 1001.
///
/// ```
/// port ── accept (loop 0) ──┬─ mailbox ──▶ loop 0: LoopHandler
///                           └─ mailbox ──▶ loop 1: LoopHandler
/// ```
/// A connection stays on its loop, which is one thread, for life.
public final class WebSocketServer: Service {
    /// What it was made with.
    public let configuration: Configuration
    /// Its loops, made at once and started by `start`.
    package let loops: [ServiceLoop]
    private let logger: Logger
    private let counts: ConnectionCounts
    private let servers: [LoopServer]
    /// Of a server whose sockets have tasks.
    private let tasks: TaskRegistry?
    /// Why there are no loops; nil: there are.
    private let fault: SocketError?
    private let state = Locked(State.made)
    let listening = ListeningPort()
    let wasRun = Locked(false)

    /// Makes the last frame of a batch of sockets: which batch of a loop it is, from 0, and of how many.
    package typealias ShutdownNotice = @Sendable (_ batch: Int, _ count: Int) -> SharedFrame

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
    package convenience init(
        configuration: Configuration = Configuration(), loops: Int = 1,
        handler: @escaping @Sendable (ServiceLoop) -> any LoopHandler, logger: Logger = .quiet
    ) throws(SocketError) {
        precondition(loops >= 1, "A server needs at least one loop.")
        let counts = ConnectionCounts(limits: configuration.admissionLimits, loops: loops)
        let servers = try Self.servers(configuration, loops, handler, counts, logger)
        self.init(configuration, servers: servers, counts: counts, logger: logger)
    }

    /// Makes a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - port: 0 picks a free one.
    ///   - host: a numeric address or a name of this machine; `0.0.0.0` and `::` are all of its addresses.
    ///   - logger: nil: nothing is logged.
    ///   - serve: run in a task of its own for each socket, from its opening on. The socket ends with it.
    public convenience init(
        port: Int, host: String = "127.0.0.1", logger: Logger? = nil,
        serve: @escaping @Sendable (_ socket: WebSocket) async throws -> Void
    ) {
        var configuration = Configuration()
        configuration.port = port
        configuration.host = host
        self.init(configuration: configuration, logger: logger, serve: serve)
    }

    /// Makes a server that does not listen yet.
    ///
    /// - Parameters:
    ///   - configuration: where it listens, and its limits.
    ///   - logger: nil: nothing is logged.
    ///   - routes: what is answered to HTTP requests that open no WebSocket. Nil: a 426.
    ///   - upgrade: decides whether a request opens a WebSocket: nil accepts it, a response refuses it. Nil: all are accepted
    ///     that the configuration allows.
    ///   - serve: run in a task of its own for each socket, from its opening on. The socket ends with it.
    public convenience init(
        configuration: Configuration, routes: HTTPRoutes? = nil, logger: Logger? = nil,
        upgrade: (@Sendable (_ request: ServerRequest) async -> ServerResponse?)? = nil,
        serve: @escaping @Sendable (_ socket: WebSocket) async throws -> Void
    ) {
        let logger = logger ?? .quiet
        let tasks = TaskRegistry()
        let behavior = ServerBehavior(serve: serve, upgrade: upgrade, routes: routes)
        let count = max(1, configuration.threads)
        let counts = ConnectionCounts(limits: configuration.admissionLimits, loops: count)
        let handler: @Sendable (ServiceLoop) -> any LoopHandler = { loop in
            SocketTaskHandler(loop: loop, tasks: tasks, behavior: behavior, configuration: configuration)
        }
        do {
            let servers = try Self.servers(configuration, count, handler, counts, logger)
            self.init(configuration, servers: servers, counts: counts, tasks: tasks, logger: logger)
        } catch {
            self.init(configuration, servers: [], counts: counts, tasks: tasks, fault: error, logger: logger)
        }
    }

    private init(
        _ configuration: Configuration, servers: [LoopServer], counts: ConnectionCounts, tasks: TaskRegistry? = nil,
        fault: SocketError? = nil, logger: Logger
    ) {
        self.configuration = configuration
        self.logger = logger
        self.counts = counts
        self.servers = servers
        self.tasks = tasks
        self.fault = fault
        loops = servers.map(\.loop)
    }

    private static func servers(
        _ configuration: Configuration, _ count: Int, _ handler: @escaping @Sendable (ServiceLoop) -> any LoopHandler,
        _ counts: ConnectionCounts, _ logger: Logger
    ) throws(SocketError) -> [LoopServer] {
        try configuration.check()
        var settings = NetworkSettings()
        settings.certificate = configuration.certificate
        let ceiling = DescriptorLimit.ceiling(for: configuration.maximumConnections)
        let loops = try DescriptorLimit.limited(to: ceiling) { () throws(SocketError) in
            var made: [ServiceLoop] = []
            for number in 0..<count {
                made.append(try ServiceLoop(name: "loop \(number)", settings: settings, logger: logger))
            }
            return made
        }
        let bodies = BodyBudget(configuration.bodyBudget)
        return loops.map {
            // Connections are dealt out evenly.
            LoopServer(
                loop: $0, configuration: configuration, handler: handler($0), counts: counts, bodies: bodies,
                bufferBudget: BufferBudget(limit: configuration.connectionBudget / count))
        }
    }

    /// The port it listens on; 0 before `start` and after `stop`.
    package var listeningPort: Int {
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

    /// Binds, listens, and begins to accept. Once. Afterwards `listeningPort` is the real one.
    package func start() throws(SocketError) {
        if let fault { throw fault }
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
    package func stop(
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
            await tasks?.windUp(grace: grace, on: loops[0])
        }
        for loop in loops { await loop.stop() }
        await tasks?.allEnded()
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
        _ = bytes.withUnsafeBytes { shim_send(descriptor, $0.baseAddress, $0.count) }
        shutdown(descriptor, shim_SHUT_WR)
        // What was sent and not read would have the system reset the connection, and the word with it.
        var unread = [UInt8](repeating: 0, count: 4096)
        recv(descriptor, &unread, unread.count, 0)
    }
}
