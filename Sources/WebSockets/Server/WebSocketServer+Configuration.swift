extension WebSocketServer {
    /// What a server listens to, and whom and how much it takes.
    public struct Configuration: Sendable {
        /// A numeric address or a name; `0.0.0.0` and `::` are all addresses of the machine.
        public var host = "127.0.0.1"
        /// 0 takes a free one; `WebSocketServer.port` then tells which.
        public var port = 0
        /// Host names under which the server may be asked for, beside numeric addresses, `localhost` and `*.local`.
        /// Without this check a web page could reach a server in the visitor's own network under a name of its making.
        public var allowedHosts: [String] = []
        /// Sites, such as `https://example.org`, whose pages may open sockets, read answers and change things; `*`: all.
        /// Pages of the server's own host always may.
        public var allowedOrigins: [String] = []
        /// What is shown to those who connect, by TLS 1.2 or 1.3. Nil: no TLS is spoken.
        public var certificate: Certificate?
        /// For how long browsers are to come by TLS alone (RFC 6797); said with a certificate. Nil: it is not said.
        public var strictTransport: Duration?
        /// Subprotocols spoken, the most wanted first. A peer that offers none is accepted, one that offers only others
        /// is not.
        public var subprotocols: [String] = []
        /// Fields of requests that libwebsockets does not know by itself, in lower case, such as `idempotency-key`.
        public var headers: [String] = []
        /// Whether peers that offer `permessage-deflate` get it: frames of 512 bytes and more go out compressed, each once
        /// for all. What comes in is held to the same limits, compressed or not.
        public var compresses = true
        /// Bytes of a whole message, decompressed.
        public var messageLimit = 16 * 1024
        /// Bytes of a message longer than the limit that are skipped before it is closed with 1009.
        public var skipLimit = 64 * 1024
        /// Bytes of a request's body.
        public var bodyLimit = 1024 * 1024
        /// Connections of all kinds at a time; more get a 503.
        public var maximumConnections = 15_000
        /// Between two pings.
        public var heartbeat: Duration = .seconds(25)
        /// For the pong; then 4102.
        public var pongTimeout: Duration = .seconds(8)
        /// How long a peer may take not one byte of what is sent; then 4101.
        public var stallLimit: Duration = .seconds(30)
        /// For a whole request to come in, and for its answer to be taken.
        public var requestLimit: Duration = .seconds(60)
        /// How the person who runs the server allows a host; ends the refusal.
        public var hostHint = "Add it to the allowed hosts."
        /// How the person who runs the server allows another site; ends the refusal.
        public var originHint = "Add it to the allowed origins."
        /// What to do about a port that is taken; ends the error.
        public var portHint = "Choose another."

        /// The defaults: loopback, a free port.
        public init() {}
    }
}

extension WebSocketServer.Configuration {
    /// Bytes that a message of `messageLimit` may have compressed: what can't be compressed grows by up to an eighth and a
    /// sixty-fourth (zlib's deflateBound for the least memory).
    var compressedLimit: Int { messageLimit + messageLimit / 4 + 64 }
}
