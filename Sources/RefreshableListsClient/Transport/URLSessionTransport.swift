#if canImport(Darwin)
    import Foundation

    /// The network, by the system's own WebSockets.
    struct URLSessionTransport: ListTransport {
        private struct Socket: ListSocket {
            let task: URLSessionWebSocketTask

            // A message that can't be sent is of a socket that has ended, which `receive` tells.
            func send(_ text: String) { task.send(.string(text)) { _ in } }
            func close() { task.cancel(with: .normalClosure, reason: nil) }
        }

        func carry(
            _ address: ServerAddress, opened: @Sendable (any ListSocket) -> Void, received: @Sendable (String) -> Void
        ) async throws -> SocketEnd {
            guard let url = URL(string: address.url) else {
                throw ListClientError.badURL(address.url, reason: "it is no URL")
            }
            var request = URLRequest(url: url)
            request.setValue(address.subprotocol, forHTTPHeaderField: "Sec-WebSocket-Protocol")
            if let token = address.token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
            let task = URLSession.shared.webSocketTask(with: request)
            // A long list comes in parts of 64 KiB, but a single row may be larger.
            task.maximumMessageSize = 64 * 1024 * 1024
            task.resume()
            return await withTaskCancellationHandler {
                var isOpen = false
                while true {
                    do {
                        guard case .string(let text) = try await task.receive() else { continue }
                        // The server speaks first: so this is when messages can be sent.
                        if !isOpen { opened(Socket(task: task)) }
                        isOpen = true
                        received(text)
                    } catch {
                        return end(of: task, error)
                    }
                }
            } onCancel: {
                task.cancel()
            }
        }

        private func end(of task: URLSessionWebSocketTask, _ error: any Error) -> SocketEnd {
            guard let code = UInt16(exactly: task.closeCode.rawValue), code != 0 else {
                return SocketEnd(reason: error.localizedDescription)
            }
            return SocketEnd(code: code, reason: task.closeReason.map { String(decoding: $0, as: UTF8.self) } ?? "")
        }
    }

    /// What carries the messages of a client that names nothing else.
    typealias NetworkTransport = URLSessionTransport
#endif
