#if !canImport(Darwin)
    package import WebSockets

    /// The network, by our own WebSockets.
    package struct WebSocketTransport: ListTransport {
        private struct Socket: ListSocket {
            let client: EventSocket

            func send(_ text: String) { client.send(text) }
            func close() { client.close() }
        }

        private let trust: ServerTrust

        /// - Parameter trust: Which servers are believed, with `https`.
        package init(trust: ServerTrust = ServerTrust()) { self.trust = trust }

        package func carry(
            _ address: ServerAddress, opened: @Sendable (any ListSocket) -> Void, received: @Sendable (String) -> Void
        ) async throws -> SocketEnd {
            let headers: HTTPHeaders = address.token.map { ["Authorization": "Bearer \($0)"] } ?? [:]
            let client = try EventSocket(
                url: address.url, subprotocol: address.subprotocol, headers: headers, trust: trust)
            client.connect()
            var end = SocketEnd()
            for await event in client.events {
                switch event {
                case .opened: opened(Socket(client: client))
                case .text(let text): received(text)
                case .binary: break
                case .closed(let status): end = SocketEnd(code: status.code, reason: status.reason)
                case .failed(let error): end = SocketEnd(reason: "\(error)")
                }
            }
            await client.stop()
            return end
        }
    }

    /// What carries the messages of a client that names nothing else.
    typealias NetworkTransport = WebSocketTransport
#endif
