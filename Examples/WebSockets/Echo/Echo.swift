import WebSockets

/// Sends every message back to whoever sent it:
///
///     swift run --package-path Examples/WebSockets Echo 8080
@main struct Echo {
    static func main() async throws {
        var configuration = WebSocketServer.Configuration()
        configuration.port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
        // Conformance suites send as much.
        configuration.messageLimit = 16 * 1024 * 1024
        let server = WebSocketServer(configuration: configuration) { socket in
            for await message in socket { try await socket.send(message) }
        }
        async let running: Void = server.run()
        print("ws://localhost:\(try await server.port)/")
        try await running
    }
}
