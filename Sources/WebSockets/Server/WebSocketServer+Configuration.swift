package import Logging

extension WebSocketServer {
    /// Where a server listens, and its limits.
    public struct Configuration: Sendable {
        /// A numeric address or a name; `0.0.0.0` and `::` are all addresses of the machine.
        public var host = "127.0.0.1"
        /// 0 picks a free one; `WebSocketServer.port` has its number.
        public var port = 0
        /// Host names under which the server may be asked for, beside numeric addresses, `localhost` and `*.local`.
        /// Without this check a web page could reach a server in the visitor's own network under a name of its making; `*`
        /// leaves it out.
        public var allowedHosts: [String] = []
        /// Sites, such as `https://example.org`, whose pages may open sockets, read answers and change things; `*`: all.
        /// Pages of the server's own host always may.
        public var allowedOrigins: [String] = []
        /// The certificate for TLS 1.2 or 1.3. Nil: no TLS.
        public var certificate: Certificate?
        /// How long browsers must use TLS (HSTS, RFC 6797); sent with a certificate. Nil: not sent.
        public var strictTransport: Duration?
        /// Proxies that are believed what they say of whoever asks, in `X-Forwarded-For`, `-Proto` and `-Host`, or in
        /// `Forwarded`. They must write these fields themselves, whatever came; and may have any number of connections.
        public var proxies: [AddressBlock] = []
        /// Subprotocols spoken, the most wanted first. A peer that offers none is accepted, one that offers only others
        /// is not.
        public var subprotocols: [String] = []
        /// Whether peers that offer `permessage-deflate` get it: frames of 512 bytes and more go out compressed, each once
        /// for all. What comes in is held to the same limits, compressed or not.
        public var compresses = true
        /// Bytes of a whole message, decompressed.
        public var messageLimit = 1024 * 1024
        /// Bytes of frames that wait to be sent on one socket; then `send` suspends.
        public var sendLimit = 256 * 1024
        /// Messages and bytes of one socket that wait for its task; then nothing more is read from its peer.
        public var receiveLimit = (messages: 64, bytes: 256 * 1024)
        /// Threads that serve. Each connection stays on one.
        public var threads = min(ServiceLoop.coreCount, 64)
        /// How long sockets may take to answer a Close frame, and then tasks to end, when the server ends; then they are cut and
        /// cancelled.
        public var gracePeriod: Duration = .seconds(3)
        /// Bytes of a message longer than the limit that are skipped before it is closed with 1009.
        package var skipLimit = 64 * 1024
        /// Bytes of a request's path and query, decoded; more is a 414.
        public var addressLimit = 4096
        /// Bytes of all headers of a request, names included; more is a 431.
        public var headerLimit = 8192
        /// The maximum size of a request's body in bytes, whatever its owner allows; more is a 413.
        public var bodyLimit = 1024 * 1024
        /// The maximum size in bytes of a body that is skipped; more is a 413.
        package var discardLimit = 64 * 1024
        /// Bytes of all bodies that are kept at a time; beyond it, a 503 with `Retry-After`.
        package var bodyBudget = 64 * 1024 * 1024
        /// Bytes that all connections together may have under way: heads and messages that are not whole, answers and frames
        /// that peers do not take, and messages that no task has taken. Beyond it, whoever holds most is cut.
        public var connectionBudget = 192 * 1024 * 1024
        /// Connections of all kinds at a time; more get a 503. Fewer, where the system allows fewer descriptors.
        public var maximumConnections = 15_000
        /// Connections of one address at a time, and of one /64 network of IPv6; more get a 429.
        public var maximumConnectionsPerAddress = 1000
        /// Addresses that may have any number of connections: this machine, and proxies before the server.
        public var unlimitedAddresses = ["127.0.0.1", "::1"]
        /// Between two pings.
        public var heartbeat: Duration = .seconds(25)
        /// For the pong; then 4102. Shorter than `heartbeat`.
        public var pongTimeout: Duration = .seconds(8)
        /// How long a peer may take not one byte of what is sent; then 4101.
        public var stallLimit: Duration = .seconds(30)
        /// From being accepted to the end of the first request's headers, TLS included; then the connection is cut.
        public var handshakeLimit: Duration = .seconds(10)
        /// From a response to the next request, on a kept-alive connection.
        public var idleLimit: Duration = .seconds(60)
        /// For a whole request to come in, and how long a peer may take not one byte of its answer; then it is cut.
        public var requestLimit: Duration = .seconds(60)
        /// Between two looks whether a peer that waits for its answer is still there.
        package var absenceCheck: Duration = .seconds(1)
        /// How the person who runs the server allows a host; ends the refusal.
        package var hostHint = "Add it to the allowed hosts."
        /// How the person who runs the server allows another site; ends the refusal.
        package var originHint = "Add it to the allowed origins."
        /// What to do about a port that is taken; ends the error.
        package var portHint = "Choose another."

        /// The defaults: loopback, a free port.
        public init() {}
    }
}

extension WebSocketServer.Configuration {
    /// - Throws: where settings are out of their range, or contradict each other.
    func check() throws(SocketError) {
        let reason: String? =
            if !(0...65535).contains(port) {
                "the port \(port) is not between 0 and 65535"
            } else if pongTimeout >= heartbeat {
                "the pongTimeout must be shorter than the heartbeat"
            } else if messageLimit < 1 || sendLimit < 1 || receiveLimit.messages < 1 || receiveLimit.bytes < 1 {
                "a limit of messages must be at least 1"
            } else {
                nil
            }
        if let reason { throw .badConfiguration(reason: reason) }
    }

    /// How long a connection may do what it does.
    var waits: ConnectionTimeouts.Limits {
        ConnectionTimeouts.Limits(
            head: handshakeLimit, exchange: requestLimit, kept: idleLimit, beat: heartbeat, pong: pongTimeout,
            stall: stallLimit, look: absenceCheck)
    }
}

extension WebSocketServer.Configuration {
    /// How many connections come in.
    var admissionLimits: AdmissionControl.Limits {
        AdmissionControl.Limits(
            total: DescriptorLimit.room(for: maximumConnections), perAddress: maximumConnectionsPerAddress,
            unlimited: Set(unlimitedAddresses.compactMap { ClientNetwork($0) }), proxies: proxies)
    }
}

extension WebSocketServer.Configuration {
    /// How long a request's head may be.
    var headLimits: HeadLimits { HeadLimits(address: addressLimit, fields: headerLimit) }
}

extension Logger {
    /// A logger without output: the default of this module.
    package static var quiet: Logger {
        Logger(label: "websockets", factory: { _ in SwiftLogNoOpLogHandler() })
    }
}
