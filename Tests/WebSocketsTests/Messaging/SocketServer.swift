import WebSockets

/// Runs a server whose sockets have tasks, on a free port of loopback, for the length of `body`; then cancels it.
func withSocketServer(
    configure: (inout WebSocketServer.Configuration) -> Void = { _ in },
    routes: HTTPRoutes? = nil, upgrade: (@Sendable (ServerRequest) async -> ServerResponse?)? = nil,
    serve: @escaping @Sendable (WebSocket) async throws -> Void,
    _ body: (WebSocketServer, Int) async throws -> Void
) async throws {
    var configuration = WebSocketServer.Configuration()
    configuration.threads = 1
    // No ping between a test's frames.
    configuration.heartbeat = .seconds(3600)
    configure(&configuration)
    let server = WebSocketServer(configuration: configuration, routes: routes, upgrade: upgrade, serve: serve)
    let running = Task { try await server.run() }
    do {
        try await body(server, try await server.port)
    } catch {
        running.cancel()
        try await running.value
        throw error
    }
    running.cancel()
    try await running.value
}

/// Hands values from a socket's task to a test, in order.
struct Results<Value: Sendable>: Sendable {
    private let stream: AsyncStream<Value>
    private let continuation: AsyncStream<Value>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func add(_ value: Value) { continuation.yield(value) }

    /// The next one; throws when the test's time limit ends.
    func next() async throws -> Value {
        for await value in stream { return value }
        throw MissingEvent(description: "No result came.")
    }
}
