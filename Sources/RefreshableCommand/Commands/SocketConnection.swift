import WebSockets

/// A connection of a script, by WebSocket.
///
/// How it ends is the last frame: `{"code":4103,"reason":"…","type":"close"}`.
final class SocketConnection: ScriptConnection {
    let inbox = FrameInbox()
    private let client: WebSocketClient
    private let listening: Task<Void, Never>

    /// Connects, and returns when the handshake is done.
    ///
    /// - Parameters:
    ///   - url: such as `ws://localhost:8080/ws`.
    ///   - headers: for the handshake.
    ///   - trust: which servers are believed.
    ///   - hear: called with each frame when it comes.
    /// - Throws: `SocketError` if there is no connection to be had.
    init(
        url: String, headers: HTTPHeaders = [:], trust: ServerTrust = ServerTrust(),
        hear: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws {
        let client = try WebSocketClient(url: url, subprotocol: "refreshable.v1", headers: headers, trust: trust)
        let inbox = inbox
        let opening = AsyncStream<Result<Void, SocketError>>.makeStream()
        listening = Task {
            for await event in client.events {
                switch event {
                case .opened: opening.continuation.yield(.success(()))
                case .failed(let error): opening.continuation.yield(.failure(error))
                case .text(let text):
                    hear(text)
                    await inbox.put(text)
                case .binary(let bytes): await inbox.put(#"{"length":\#(bytes.count),"type":"binary"}"#)
                case .closed(let closing):
                    let frame = Self.frame(for: closing)
                    hear(frame)
                    await inbox.put(frame)
                }
            }
            await inbox.end()
        }
        self.client = client
        client.connect()
        for await result in opening.stream {
            try result.get()
            return
        }
    }

    func send(_ text: String) async { client.send(text) }

    func close() async {
        client.close()
        await end()
    }

    func cut() async {
        client.cut()
        await end()
    }

    private func end() async {
        await listening.value
        await client.stop()
    }

    private static func frame(for closing: CloseStatus) -> String {
        ScriptFrames.close(code: closing.code, reason: closing.reason)
    }
}
