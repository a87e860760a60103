import ListSources
import Logging
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
    /// Reloads certificate and key, and returns the result. They are reloaded when they change, too.
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
        sockets.portHint = "Choose another for the redirection with \(SettingNames[.redirectPort])."
        let redirection = Redirection(routes: routes) { [weak server] in server?.listeningPort ?? 443 }
        return try WebSocketServer(configuration: sockets, handler: { _ in redirection }, logger: logger)
    }
}

/// Keeps a server's certificate as new as its files.
///
///     a file changes ─┐
///     somebody asks ──┼─▶ read both ─▶ Certificate ─▶ the loops
///     a day is over ──┘                fault ─▶ the log; the old one stays
struct CertificateReloader: Sendable {
    private enum Cause {
        case changed, asked, dayOver
    }

    let files: RefreshableServer.TLS
    let logger: Logger
    /// Reloads the files, and logs it.
    let asks: AsyncStream<Void>
    private let ask: AsyncStream<Void>.Continuation

    init(_ files: RefreshableServer.TLS, logger: Logger) {
        self.files = files
        self.logger = logger
        (asks, ask) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// From any thread.
    func readAgain() { ask.yield() }

    /// - Throws: `SocketError.cannotSecure`.
    func read() throws(SocketError) -> Certificate {
        try Certificate(file: files.certificate, keyFile: files.key)
    }

    /// Until its task is cancelled.
    ///
    /// - Parameters:
    ///   - shown: what is shown at the beginning.
    ///   - show: called with each renewed one.
    func run(from shown: Certificate, show: @Sendable (Certificate) -> Void) async {
        var shown = shown
        let (causes, cause) = AsyncStream.makeStream(of: Cause.self, bufferingPolicy: .bufferingNewest(2))
        let streams = [files.certificate, files.key].map { WholeFile($0, limit: 1 << 20).changes() }
        let days = Task {
            while true {
                try await Task.sleep(for: .seconds(24 * 3600))
                cause.yield(.dayOver)
            }
        }
        defer { days.cancel() }
        // They may have changed before they were watched.
        cause.yield(.changed)
        await withTaskGroup(of: Void.self) { group in
            for changes in streams { group.addTask { for await _ in changes { cause.yield(.changed) } } }
            group.addTask { for await _ in asks { cause.yield(.asked) } }
            for await cause in causes { await look(cause, &shown, show) }
            group.cancelAll()
        }
    }

    private func look(_ cause: Cause, _ shown: inout Certificate, _ show: @Sendable (Certificate) -> Void) async {
        if cause == .dayOver { return warn(of: shown) }
        do {
            let new = try await readWhole()
            let isOther = new != shown
            shown = new
            if isOther { show(new) }
            guard isOther || cause == .asked else { return }
            let what = isOther ? "A renewed certificate is shown" : "The certificate has not changed"
            logger.notice("\(what): \(files.certificate), valid until \(new.lastDay).")
            warn(of: new)
        } catch is CancellationError {
            return
        } catch {
            logger.error("\(error) The previous certificate stays in use: it is valid until \(shown.lastDay).")
        }
    }

    /// Most renewals write one file after the other: for a moment they do not belong together.
    private func readWhole() async throws -> Certificate {
        for _ in 0..<Self.patience {
            do { return try read() } catch { try await Task.sleep(for: .milliseconds(100)) }
        }
        return try read()
    }

    /// Tenths of a second.
    private static let patience = 20

    /// Says what browsers will not like.
    func warn(of certificate: Certificate) {
        let what = "The certificate in \(files.certificate)"
        switch certificate.validity(at: WallClock.milliseconds()) {
        case .good: break
        case .endsSoon: logger.warning("\(what) is valid until \(certificate.lastDay) only. Renew it.")
        case .expired: logger.warning("\(what) expired on \(certificate.lastDay): browsers refuse it. Renew it.")
        case .early: logger.warning("\(what) is not valid yet: browsers refuse it. Is the clock right?")
        }
    }

    /// Logs which host names the certificate does not cover.
    func warn(of certificate: Certificate, for hosts: [String]) {
        for host in hosts where !certificate.covers(host) {
            logger.warning("The certificate in \(files.certificate) is not made for \(host): browsers refuse it there.")
        }
    }
}
