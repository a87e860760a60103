import Synchronization
import WebSockets

/// Rooms in which everybody gets what anybody says. The path is the room's name:
///
///     swift run --package-path Examples/WebSockets Chat 8080
///     ws://localhost:8080/rooms/lobby
@main struct Chat {
    static func main() async throws {
        let rooms = Rooms()
        var configuration = WebSocketServer.Configuration()
        configuration.port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
        // Pictures, too.
        configuration.messageLimit = 16 * 1024 * 1024
        let server = WebSocketServer(configuration: configuration) { request in
            request.path.hasPrefix("/rooms/") ? nil : .text("Rooms are at /rooms/NAME.", .notFound)
        } serve: { socket in
            let room = rooms[socket.request.path]
            room.insert(socket)
            for await message in socket { await room.send(SharedFrame(message)) }
        }
        async let running: Void = server.run()
        print("ws://localhost:\(try await server.port)/rooms/lobby")
        try await running
    }
}

/// The rooms by their paths. A room is there from the first who asks for it, for as long as the server runs.
final class Rooms: Sendable {
    private let rooms = Mutex<[String: SocketGroup]>([:])

    subscript(path: String) -> SocketGroup {
        rooms.withLock { rooms in
            let room = rooms[path] ?? SocketGroup()
            rooms[path] = room
            return room
        }
    }
}
