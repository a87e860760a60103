import HTTPTypes
import Logging
import RefreshableLists
import RefreshableListsTesting
import Synchronization
import Testing

/// A server inside another one, for as long as a test takes; the test is the other server.
func embedding(
    _ lists: [RefreshableList], _ configure: (inout RefreshableServer.Configuration) -> Void = { _ in },
    _ body: @Sendable (RefreshableServer) async throws -> Void
) async throws {
    var configuration = RefreshableServer.Configuration()
    configuration.port = nil
    configuration.loops = 1
    configuration.mountPath = "/live"
    configure(&configuration)
    let server = RefreshableServer(
        lists: lists, configuration: configuration, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let running = Task { try await server.run() }
    do { try await body(server) } catch {
        running.cancel()
        throw error
    }
    running.cancel()
    try await running.value
}

extension RefreshableServer {
    /// Asks by the other server.
    func ask(
        _ method: HTTPRequest.Method = .get, _ path: String, _ fields: HTTPFields = [:], body: String = "",
        as identity: AccessIdentity? = nil
    ) async -> EmbeddedResponse? {
        do {
            let request = HTTPRequest.asking(method, path, fields)
            return try await respond(to: request, from: "192.0.2.1", as: identity) { _ in Array(body.utf8) }
        } catch {
            Issue.record(error)
            return nil
        }
    }

    /// Serves a client by the other server.
    func serve(
        _ messages: AsyncStream<String>, as identity: AccessIdentity? = nil,
        sending: @escaping @Sendable (String) async throws -> Void
    ) async -> EmbeddedSession.CloseFrame? {
        await serve(messages, openedBy: .opening(), from: "192.0.2.1", as: identity, sending: sending)
    }
}

extension HTTPRequest {
    static func asking(
        _ method: HTTPRequest.Method = .get, _ path: String, _ fields: HTTPFields = [:]
    ) -> HTTPRequest {
        HTTPRequest(method: method, scheme: "https", authority: "app.example", path: path, headerFields: fields)
    }

    /// A browser's, that opens the socket.
    static func opening(_ path: String = "/live/ws", origin: String = "https://app.example") -> HTTPRequest {
        asking(
            .get, path,
            [
                .upgrade: "websocket", .connection: "Upgrade", .origin: origin,
                .secWebSocketProtocol: "refreshable.v1", .secWebSocketVersion: "13",
            ])
    }
}

/// What a test keeps beyond the end of its server.
final class Kept<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func keep(_ value: Value) { self.value.withLock { $0 = value } }
    func take() throws -> Value { try #require(value.withLock { $0 }) }
}

extension EmbeddedResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}
