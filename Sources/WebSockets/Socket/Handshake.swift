/// The request that opened a WebSocket.
public struct Handshake: Sendable {
    /// Percent-decoded, such as `/ws`.
    public var path: String
    /// The path as it came, percent-encoded.
    public var rawPath: String
    /// What followed the `?`; empty if there was none.
    public var query: String
    /// Kept until `LoopHandler.opened` returns, then dropped: thousands of idle sockets need no headers.
    public var headers: HTTPHeaders
    /// Of whoever asks, such as `127.0.0.1`; behind a trusted proxy, of its client.
    public var remoteAddress: String
    /// The one both sides agreed on; nil if the peer offered none.
    public var subprotocol: String?
}
