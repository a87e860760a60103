import WebSockets

/// Sends a number to everybody, ten times a second. Each message is encoded once, however many read it; who reads too slowly
/// misses some.
///
///     swift run --package-path Examples/WebSockets Ticker 8080
@main struct Ticker {
    static func main() async throws {
        let readers = SocketGroup(slowMembers: .skip)
        let server = WebSocketServer(port: CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080) {
            socket in
            readers.insert(socket)
            // Until it leaves.
            for await _ in socket {}
        }
        async let running: Void = server.run()
        print("ws://localhost:\(try await server.port)/")
        let ticking = Task {
            for number in 1... {
                try await Task.sleep(for: .milliseconds(100))
                await readers.send(SharedFrame(text: #"{"tick":\#(number)}"#))
            }
        }
        defer { ticking.cancel() }
        try await running
    }
}
