import ListProtocol
import Logging
import WebSockets

@testable import RefreshableLists

/// A server on a free port, for as long as a test needs it.
struct RunningServer {
    let port: Int
    let server: RefreshableServer
    private let task: Task<Void, any Error>

    init(
        _ configuration: RefreshableServer.Configuration = .init(), lists: [RefreshableList],
        clock: any ListClock = SystemClock()
    ) async throws {
        var configuration = configuration
        configuration.port = 0
        let server = RefreshableServer(
            lists: lists, configuration: configuration, logger: Logger(label: "refreshable"), clock: clock)
        self.server = server
        task = Task { try await server.run() }
        port = try await server.port
    }

    func connect() async throws -> Conversation { try await Conversation(port: port) }

    func stop() async throws {
        task.cancel()
        try await task.value
    }
}

/// One client's side of a conversation: sends text, and reads messages until one fits.
final class Conversation {
    private let client: EventSocket
    private var events: AsyncStream<EventSocket.Event>.Iterator
    /// Everything read so far.
    private(set) var heard: [ServerMessage] = []
    private(set) var closeCode: UInt16?

    init(port: Int, token: String? = nil) async throws {
        client = try EventSocket(
            url: "ws://127.0.0.1:\(port)/ws", subprotocol: "refreshable.v1",
            headers: token.map { ["Authorization": "Bearer \($0)"] } ?? [:])
        events = client.events.makeAsyncIterator()
        client.connect()
        _ = try await next { if case .welcome = $0 { true } else { false } }
    }

    func send(_ text: String) { client.send(text) }
    func close() { client.close() }
    func cut() { client.cut() }
    func end() async { await client.stop() }

    /// The next message that fits; those before it are heard and passed over.
    @discardableResult
    func next(_ fits: (ServerMessage) -> Bool) async throws -> ServerMessage {
        while let event = await events.next(isolation: #isolation) {
            switch event {
            case .text(let text):
                let message = try ServerMessage(decoding: Array(text.utf8))
                heard.append(message)
                if fits(message) { return message }
            case .closed(let closing):
                closeCode = closing.code
                throw Ended(code: closing.code, heard: heard)
            case .failed(let error): throw error
            case .opened, .binary: continue
            }
        }
        throw Ended(code: closeCode ?? 0, heard: heard)
    }

    func ok(_ id: String) async throws -> OK {
        guard case .ok(let ok) = try await next({ if case .ok(let ok) = $0 { ok.id == id } else { false } }) else {
            throw Ended(code: 0, heard: heard)
        }
        return ok
    }

    func state(_ fits: (ListState) -> Bool) async throws -> ListState {
        guard
            case .state(let state) = try await next({ if case .state(let state) = $0 { fits(state) } else { false } })
        else { throw Ended(code: 0, heard: heard) }
        return state
    }

    func watch(_ list: String, id: String = "w") async throws -> OK {
        send(#"{"type":"watch","id":"\#(id)","list":"\#(list)"}"#)
        return try await ok(id)
    }

    /// Pulls past the threshold and lets go.
    func pull(_ list: String, gesture: Int) async throws -> OK {
        send(#"{"type":"pull","list":"\#(list)","gesture":\#(gesture),"offset":70}"#)
        send(#"{"type":"release","id":"r\#(gesture)","list":"\#(list)","gesture":\#(gesture),"offset":70}"#)
        return try await ok("r\(gesture)")
    }

    struct Ended: Error {
        var code: UInt16
        var heard: [ServerMessage]
    }
}
