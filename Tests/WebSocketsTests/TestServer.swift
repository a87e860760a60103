import WebSockets

/// Runs a server on a free port of loopback for the length of `body`.
func withServer(
    _ handler: RecordingHandler = RecordingHandler(), loops: Int = 1,
    configure: (inout WebSocketServer.Configuration) -> Void = { _ in },
    _ body: (WebSocketServer, RecordingHandler) async throws -> Void
) async throws {
    var configuration = WebSocketServer.Configuration()
    configuration.messageLimit = 16 * 1024
    configuration.subprotocols = ["refreshable.v1"]
    // No ping between a test's frames.
    configuration.heartbeat = .seconds(3600)
    configure(&configuration)
    let server = try WebSocketServer(configuration: configuration, loops: loops, handler: { _ in handler })
    try server.start()
    do {
        try await body(server, handler)
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}
