/// What a loop's libwebsockets context is made with.
struct NetworkSettings: Sendable {
    /// WebSocket subprotocols, the most wanted first.
    var subprotocols: [String] = []
    /// Bytes a connection's receive buffer holds; longer messages arrive in pieces and are put together by us.
    /// An idle WebSocket costs 5.5 KB at the library's default of 4096, 1.7 KB at 256.
    var receiveBuffer = 256
    /// Bytes a request's line and headers may have together; more ends in a bare close.
    var headRoom = HeadLimits.room
    /// Bytes that are kept of one header, of the path, and of each part of the query; the rest is skipped.
    var fieldRoom = 8192
    /// Seconds for the headers of a request, and for each step of a body.
    var requestTimeout: UInt32 = 10
    /// Whether WebSockets may be compressed. Then what owns them checks that texts are UTF-8: libwebsockets would check
    /// compressed bytes.
    var compresses = false
    /// What a server shows; nil: it speaks without TLS.
    var certificate: Certificate?
    /// Whom a client that speaks TLS trusts, and to which host it speaks; nil: it speaks without.
    var trust: (ServerTrust, host: String)?
    /// Seconds an idle keep-alive connection is kept.
    var keepAlive: Int32 = 60
}
