import WebSockets

extension RefreshableServer {
    /// How a server speaks TLS: 1.2 and 1.3, by HTTP/1.1.
    public struct TLS: Sendable {
        /// A PEM file: the server's own certificate, then those between it and one that browsers know.
        ///
        /// It and the key are read again when they change, and shown from then on; connections stay. A faulty renewal is
        /// logged, and what was shown before is shown on.
        public var certificate: String
        /// A PEM file: the certificate's private key, without a password.
        public var key: String
        /// A port at which HTTP without TLS is spoken, to send people on to the port with it (308). `/healthz` and
        /// `/readyz` are answered there, too. Nil: none.
        public var redirectPort: Int?
        /// For how long browsers are to come by TLS alone (`Strict-Transport-Security`, RFC 6797). It is said where
        /// `allowedHosts` names the server: for addresses it has no meaning, for `localhost` it would do harm. Nil: never.
        public var strictTransport: Duration? = .seconds(365 * 24 * 3600)

        /// TLS with these files.
        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }
}

extension RefreshableServer {
    /// Reads certificate and key again and says what came of it. They are read when they change, too.
    package func readCertificateAgain() { keeper?.readAgain() }

    /// Renews the certificate as its files are, until the task is cancelled.
    func keep(_ server: WebSocketServer) async {
        guard let keeper, let certificate = server.configuration.certificate else { return }
        keeper.warn(of: certificate)
        keeper.warn(of: certificate, for: configuration.allowedHosts)
        await keeper.run(from: certificate) { server.renew($0) }
    }

    /// What listens without TLS; nil where nothing is to.
    func makeRedirection(to server: WebSocketServer, _ routes: Routes) throws -> WebSocketServer? {
        guard let port = configuration.tls?.redirectPort else { return nil }
        var sockets = configuration.sockets
        sockets.port = port
        // Nobody stays here, and no body is read.
        sockets.maximumConnections = configuration.memory.redirections
        sockets.connectionBudget = configuration.memory.redirections * MemoryBudget.Cost.connection
        sockets.bodyBudget = 0
        sockets.portHint = "Choose another for the redirection with --redirect-port."
        let redirection = Redirection(routes: routes) { [weak server] in server?.port ?? 443 }
        return try WebSocketServer(configuration: sockets, handler: { _ in redirection }, logger: logger)
    }
}
