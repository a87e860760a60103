/// What a loop's libwebsockets context is made with.
struct NetworkSettings: Sendable {
    /// WebSocket subprotocols that clients speak.
    var subprotocols: [String] = []
    /// Bytes a client's receive buffer holds; longer messages arrive in pieces and are put together by us.
    var receiveBuffer = 256
    /// Bytes that a client's line and headers of an answer may have together.
    var headRoom = 32 * 1024
    /// Seconds for a client's connecting and for the answer's headers, and for TLS's handshake.
    var requestTimeout: UInt32 = 10
    /// What a server shows; nil: it speaks without TLS.
    var certificate: Certificate?
    /// Whom a client that speaks TLS trusts, and to which host it speaks; nil: it speaks without.
    var trust: (ServerTrust, host: String)?
}
