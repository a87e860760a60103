import WebSockets

/// Runs a server on a free port of loopback for the length of `body`.
func withServer(
    _ handler: RecordingHandler = RecordingHandler(), loops: Int = 1,
    configure: (inout WebSocketServer.Configuration) -> Void = { _ in },
    _ body: (WebSocketServer, RecordingHandler) async throws -> Void
) async throws {
    var configuration = WebSocketServer.Configuration()
    configuration.subprotocols = ["refreshable.v1"]
    configure(&configuration)
    let server = try WebSocketServer(configuration: configuration, loops: loops, handler: { _ in handler })
    try server.start()
    do {
        try await onThreadOfItsOwn { try await body(server, handler) }
    } catch {
        await server.stop()
        throw error
    }
    await server.stop()
}

/// Runs a body that blocks, as `RawPeer` does, on a thread of its own: the threads of the global pool are few.
func onThreadOfItsOwn(_ body: () async throws -> Void) async throws {
    let loop = try ServiceLoop(name: "test")
    loop.start()
    do {
        try await withTaskExecutorPreference(loop) { try await body() }
    } catch {
        await loop.stop()
        throw error
    }
    await loop.stop()
}
