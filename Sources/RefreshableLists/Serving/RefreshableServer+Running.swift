import ListProtocol
import ListStorage
import Locking
import Logging
import ServiceLifecycle
import WebSockets

/// The life of a server, from `run()` to its end.
extension RefreshableServer {
    /// Serves until the task is cancelled, or its service group shuts down; then says goodbye to everybody, and keeps
    /// what is to be kept. Without a port, it serves what `serve` and `respond` are given meanwhile. Once. However it ends, its
    /// lists end with it: who waits for one of them waits no longer, and edits throw ``EditError/ended(reason:)``.
    ///
    /// - Throws: `RefreshableServerError` where the lists cannot be served as they are described; else an error of the
    ///   data folder, of the files of `publicFolder` and `tls`, or of the port, which says what to do.
    public func run() async throws { try await run { _ in } }

    /// As `run()`.
    ///
    /// - Parameter whenReady: called once with the port, when connections are accepted and before anything else is logged.
    package func run(whenReady: @Sendable (Int) -> Void) async throws {
        guard isFirstRun() else { throw RefreshableServerError.wasRun }
        do { try await serve(whenReady) } catch {
            listening.fail(error)
            await abandonLists(because: error)
            throw error
        }
    }

    /// Ends the lists of a server that cannot serve, before they do what was asked of them meanwhile: whoever asked is told why.
    private func abandonLists(because error: any Error) async {
        for list in lists.all { list.post(first: true) { $0.end(because: "\(error)") } }
        pool.stop()
        // Returns once the list has ended.
        for list in lists.all { await list.end() }
        await notifier?.close()
        do { try store.close() } catch { logger.error("Cannot close the store: \(error)") }
    }

    private func serve(_ whenReady: @Sendable (Int) -> Void) async throws {
        try RefreshableServerError.check(descriptions)
        if let proxy = configuration.proxies.first(where: { AddressBlock($0) == nil }) {
            throw RefreshableServerError.invalidProxy(proxy)
        }
        guard MountPath(configuration.mountPath) != nil else {
            throw RefreshableServerError.invalidMountPath(configuration.mountPath)
        }
        try store.open()
        store.onNews { [lists, logger] storeEvents in
            logger.log(level: storeEvents.level, "\(storeEvents)")
            for list in lists.all { list.post { $0.storeEvent(storeEvents) } }
        }
        let metrics = startMetrics()
        store.shared?.onChanges { [lists] name, signal in
            guard let list = lists[name] else { return }
            if signal == .reconnect { list.post { $0.sendAgain() } }
            metrics.read(list, since: .now, by: signal)
        }
        try notifier?.openIfNeeded()
        tellWhoIsNotNotified()
        pool.start()
        for list in lists.all { list.post { $0.readIfChosen() } }
        defer {
            metrics.stop()
            pool.stop()
        }
        let notifying = Task { await notifier?.run() }
        defer { notifying.cancel() }
        if configuration.port == nil {
            try await serveEmbedded(metrics)
        } else {
            try await serveNetwork(metrics, whenReady)
        }
        notifying.cancel()
        await notifier?.close()
        try store.close()
    }

    /// Serves on a port until the server is to stop.
    private func serveNetwork(_ metrics: ServerMetrics, _ whenReady: @Sendable (Int) -> Void) async throws {
        let (server, plain) = try await open(metrics)
        logMemory()
        logger.info("Serving at http\(keeper == nil ? "" : "s")://\(configuration.host):\(server.listeningPort)")
        listening.succeed(server.listeningPort)
        whenReady(server.listeningPort)
        tellWhoMayPush()
        let keeping = Task { await keep(server) }
        await Self.untilStopped()
        keeping.cancel()
        await drain()
        await plain?.stop()
        await server.stop(goodbye: ShutdownNotice.frame, code: CloseCode.draining.rawValue, reason: "draining")
        await endLists()
    }

    /// As `serveNetwork`, of what another server passes on.
    private func serveEmbedded(_ metrics: ServerMetrics) async throws {
        let sessions = try EmbeddedSessions(self, metrics)
        logger.info("Serving without a port, below \(configuration.mountPath)")
        embed(sessions)
        tellWhoMayPush()
        await Self.untilStopped()
        await drain()
        endEmbedding(sessions)
        await endLists()
        await sessions.stop()
    }

    /// Of lists that should notify, where nobody's wish is kept.
    private func tellWhoIsNotNotified() {
        let names = descriptions.filter { $0.notify != nil }.map(\.name)
        guard notifier == nil, !names.isEmpty else { return }
        logger.notice(
            """
            Nobody is notified: without a data folder or a database, who asked would be forgotten. Name one with \
            \(SettingNames[.data]).
            """,
            metadata: ["lists": "\(names.joined(separator: ", "))"])
    }

    /// If no token decides it.
    func tellWhoMayPush() {
        let names = pushedLists
        guard !names.isEmpty, configuration.pushToken == nil, !authenticator.asksForTokens else { return }
        logger.notice(
            """
            Without a token, programs of this machine and pages of this server that are open on it may push; set a push \
            token to say who else may, or who alone.
            """, metadata: ["lists": "\(names.joined(separator: ", "))"])
    }

    var pushedLists: [String] { lists.all.filter(\.description.acceptsPushes).map(\.name) }

    /// Logs if there is no memory for the configured number of connections.
    private func logMemory() {
        let budget = configuration.memory
        guard budget.connections < configuration.maximumConnections else { return }
        logger.notice(
            """
            There is room for \(budget.connections) connections, not \(configuration.maximumConnections): visitors may have \
            \(configuration.memoryForVisitors >> 20) MiB kept. Allow more with \
            \(SettingNames[.memoryForVisitors]), or ask for fewer with \(SettingNames[.maximumConnections]).
            """)
    }

    func isFirstRun() -> Bool {
        wasRun.withLock { wasRun in
            defer { wasRun = true }
            return !wasRun
        }
    }

    /// Listens: with TLS, if it is configured, and on the port that redirects to it.
    private func open(_ metrics: ServerMetrics) async throws -> (WebSocketServer, plain: WebSocketServer?) {
        let server = try makeServer(metrics)
        try server.start()
        do {
            let plain = try makeRedirection(to: server, try routes(metrics))
            try plain?.start()
            return (server, plain)
        } catch {
            await server.stop()
            throw error
        }
    }

    /// Only now, when the program has bootstrapped its own backend if it wants one.
    func startMetrics() -> ServerMetrics {
        let metrics = ServerMetrics(
            lists: lists, sessions: sessions, authenticator: authenticator, pool: pool, notifier: notifier,
            store: store.shared)
        for list in lists.all { metrics.follow(list) }
        self.metrics.withLock { $0 = metrics }
        metrics.start()
        return metrics
    }

    /// What its sessions share.
    func context(_ metrics: ServerMetrics) throws -> ServerContext {
        ServerContext(
            lists: lists, limits: Limits(), heartbeat: configuration.heartbeat, clock: clock,
            sessions: sessions, isShared: store.shared != nil, authenticator: authenticator,
            allowedOrigins: configuration.allowedOrigins,
            routes: try routes(metrics), logger: logger)
    }

    private func makeServer(_ metrics: ServerMetrics) throws -> WebSocketServer {
        let context = try context(metrics)
        var sockets = configuration.sockets
        sockets.certificate = try keeper?.read()
        return try WebSocketServer(
            configuration: sockets, loops: configuration.loops,
            handler: { loop in metrics.loopSessions(on: loop, of: context) }, logger: logger)
    }

    /// Accepts no new connections, and waits for running refreshes while their watchers stay.
    private func drain() async {
        drainSwitch.turnOn()
        logger.notice("Stopping: running refreshes have \(configuration.drain) to finish.")
        await withTaskGroup { group in
            for list in lists.all { group.addTask { [configuration] in await list.drain(within: configuration.drain) } }
        }
    }

    private func endLists() async {
        for list in lists.all {
            if store.shared != nil { await list.finishSharing() }
            await list.end()
            if store.shared != nil { await list.finishSharing() }
        }
    }

    private func routes(_ metrics: ServerMetrics) throws -> Routes {
        Routes(
            lists: lists, files: try configuration.files(),
            pushes: PushAdmission(token: configuration.pushToken.flatMap(PushToken.init)),
            metrics: MetricsPage(metrics: metrics, readers: configuration.metrics),
            readiness: Readiness(
                lists: lists, store: store, drain: drainSwitch, readers: configuration.metrics,
                authenticator: authenticator),
            authenticator: authenticator, signIn: SignIn(authenticator: authenticator, clock: clock),
            notifier: notifier,
            timer: ListExecutor(on: pool))
    }

    /// Returns when the task is cancelled, or its service group shuts down gracefully.
    private static func untilStopped() async {
        let signal = StopSignal()
        await cancelWhenGracefulShutdown { await signal.wait() }
    }
}

extension StoreEvent {
    fileprivate var level: Logger.Level {
        switch self {
        case .renewed, .weak: .warning
        case .lost: .error
        case .recovered: .notice
        }
    }
}
