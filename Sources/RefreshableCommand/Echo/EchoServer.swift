import Logging
import WebSockets

/// `refreshable serve --echo`: the socket alone, without lists, which sends back what it gets.
struct EchoServer {
    /// Bytes of a message; conformance suites send 16 MiB.
    static let messageLimit = 16 * 1024 * 1024

    let settings: ServeSettings
    let logger: Logger

    /// Serves until the first SIGTERM or SIGINT.
    ///
    /// - Throws: where it can't listen, with what to do.
    func run() async throws {
        let server = try WebSocketServer(
            configuration: configuration, loops: settings.loops ?? ServiceLoop.coreCount,
            handler: { _ in EchoHandler() }, logger: logger)
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        StopSignals.onFirst { stop.finish() }
        try server.start()
        Console.say("Serving an echo at ws://localhost:\(server.port)/")
        for await _ in stops {}
        await server.stop()
    }

    private var configuration: WebSocketServer.Configuration {
        var configuration = WebSocketServer.Configuration()
        configuration.host = settings.host
        configuration.port = settings.port
        configuration.allowedHosts = settings.allowedHosts
        configuration.allowedOrigins = settings.allowedOrigins
        configuration.subprotocols = ["refreshable.v1"]
        configuration.messageLimit = Self.messageLimit
        configuration.skipLimit = Self.messageLimit
        configuration.hostHint = "Start the server with --allow-host NAME to answer to another name."
        configuration.originHint = "Start the server with --allow-origin ORIGIN to allow it."
        configuration.portHint = "Choose another with --port."
        return configuration
    }
}
