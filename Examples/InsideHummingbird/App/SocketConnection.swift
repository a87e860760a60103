import HTTPTypes
import NIOCore
import NIOWebSocket
import RefreshableLists

/// One WebSocket of a client that has signed in.
struct SocketConnection: Sendable {
    /// Bytes of a client's message: what the lists take.
    static let messageLimit = 16 * 1024

    let request: HTTPRequest
    let user: AccessIdentity?
    let channel: NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

    /// Serves it until it ends, on either side.
    func serve(by lists: RefreshableServer) async throws {
        let address = channel.channel.remoteAddress?.ipAddress ?? ""
        try await channel.executeThenClose { inbound, outbound in
            let messages = TextMessages(frames: inbound, outbound: outbound)
            let closeFrame = await lists.serve(messages, openedBy: request, from: address, as: user) { text in
                // Returns when the channel is writable again: that is the back-pressure.
                try await outbound.write(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text)))
            }
            guard let closeFrame else { return }
            var data = ByteBuffer(integer: closeFrame.code)
            data.writeString(closeFrame.reason)
            try await outbound.write(WebSocketFrame(fin: true, opcode: .connectionClose, data: data))
        }
    }
}

/// The text messages of a connection. They end with a Close frame, and fail where the connection is lost without one.
struct TextMessages: AsyncSequence, Sendable {
    struct Lost: Error {}

    let frames: NIOAsyncChannelInboundStream<WebSocketFrame>
    let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>

    struct AsyncIterator: AsyncIteratorProtocol {
        var frames: NIOAsyncChannelInboundStream<WebSocketFrame>.AsyncIterator
        let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>

        mutating func next() async throws -> String? {
            while let frame = try await frames.next() {
                switch frame.opcode {
                case .text: return String(buffer: frame.unmaskedData)
                case .ping: try await outbound.write(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData))
                case .connectionClose:
                    let code = frame.unmaskedData.getSlice(at: 0, length: 2) ?? ByteBuffer()
                    try await outbound.write(WebSocketFrame(fin: true, opcode: .connectionClose, data: code))
                    return nil
                // The protocol has text alone.
                default: continue
                }
            }
            throw Lost()
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(frames: frames.makeAsyncIterator(), outbound: outbound)
    }
}
