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
        Console.say("Serving an echo at ws://localhost:\(server.listeningPort)/")
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
        configuration.hostHint = "Start the server with --allow-host NAME to accept another name."
        configuration.originHint = "Start the server with --allow-origin ORIGIN to allow it."
        configuration.portHint = "Choose another with --port."
        return configuration
    }
}

/// Sends every message back as it came; to a peer that does not take them it listens no more, until it does.
///
/// For conformance suites (`Scripts/test autobahn`), and for trying a network or a proxy.
final class EchoHandler: LoopHandler {
    /// What a socket has yet to be sent.
    private final class Backlog {
        var frames: [SharedFrame] = []
    }

    func opened(_ socket: WebSocket) { socket.context = Backlog() }

    func received(_ message: WebSocketMessage, from socket: WebSocket) {
        switch message {
        case .text(let bytes): send(SharedFrame(text: Array(bytes)), to: socket)
        case .binary(let bytes): send(SharedFrame(binary: Array(bytes)), to: socket)
        case .tooLarge: socket.close(1009, "a message may have \(EchoServer.messageLimit) bytes")
        }
    }

    func becameWritable(_ socket: WebSocket) {
        guard let backlog = socket.context as? Backlog else { return }
        while socket.isWritable, !backlog.frames.isEmpty { socket.sendNow(backlog.frames.removeFirst()) }
        if backlog.frames.isEmpty { socket.resumeReading() }
    }

    func closed(_ socket: WebSocket, by closing: CloseStatus) {}

    func request(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        exchange.answer(.text(200, "This WebSocket echoes every message. There are no lists here."))
    }

    /// Not at once: a ping that came before a message is to be answered before it.
    private func send(_ frame: SharedFrame, to socket: WebSocket) {
        guard let backlog = socket.context as? Backlog else { return }
        backlog.frames.append(frame)
        if socket.isWritable { socket.whenWritable() } else { socket.pauseReading() }
    }
}
