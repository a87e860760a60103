import WebSockets

/// A program on the public face of WebSockets, as others are on theirs: what is posted to /push is sent to all; any message is
/// answered with one text.
///
///     SocketProgram PORT DEFLATE ANSWER
@main struct SocketProgram {
    static func main() async throws {
        let arguments = CommandLine.arguments
        var configuration = WebSocketServer.Configuration()
        configuration.port = Int(arguments[1]) ?? 0
        configuration.compresses = arguments[2] == "1"
        configuration.threads = 1
        // The crowd answers no pings while it is measured.
        configuration.heartbeat = .seconds(3600)
        let everybody = SocketGroup()
        let answer = SharedFrame(text: arguments[3])
        var routes = HTTPRoutes()
        routes.post("/push") { request in
            await everybody.send(SharedFrame(text: String(decoding: request.body, as: UTF8.self)))
            return ServerResponse(.noContent)
        }
        let server = WebSocketServer(configuration: configuration, routes: routes) { socket in
            everybody.insert(socket)
            for await _ in socket { try await socket.send(answer) }
        }
        try await server.run()
    }
}
