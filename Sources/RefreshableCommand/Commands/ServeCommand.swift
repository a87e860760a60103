import ArgumentParser
import CPlatform
import CommandSources
import ListSources
import Logging
import RefreshableLists

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// `refreshable serve [lists.yaml]`
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves the lists of a settings file.",
        usage: "refreshable serve [<lists.yaml>] [<options>]",
        discussion: """
            Each option can also be set by the environment variable in brackets, or by a key under `server` in the settings \
            file. An option overrides the variable, and the variable overrides the file.

            On SIGTERM or SIGINT the server stops accepting connections, lets running refreshes finish for up to --drain, \
            tells clients when to reconnect, saves its lists, and exits with status 0. A second signal exits at once: 143 \
            for SIGTERM, 130 for SIGINT.

            Other exit statuses: 1 if it can't serve, 64 for wrong usage, 66 if the settings file does not exist, 78 for \
            invalid settings.
            """)

    @Argument(
        help: "The settings file. (default: lists.yaml) [REFRESHABLE_LISTS]",
        completion: Completions.settings)
    var lists: String?

    @Option(
        help:
            "The name by which lists choose this server (servers). (default: the machine's host name) [REFRESHABLE_NAME]"
    )
    var name: String?

    @Option(
        help:
            "The address or host name to listen on; 0.0.0.0 for all interfaces. (default: localhost) [REFRESHABLE_HOST]",
        completion: .list(["localhost", "0.0.0.0"]))
    var host: String?

    @Option(help: "The port to listen on; 0 picks a free one. (default: 8080) [REFRESHABLE_PORT]")
    var port: String?

    @Option(
        name: .customLong("public"),
        help: "A folder of files to serve over those of the built-in page. [REFRESHABLE_PUBLIC]",
        completion: .directory)
    var publicFolder: String?

    @Option(
        help: "The folder to store lists in. (default: .refreshable beside the settings) [REFRESHABLE_DATA]",
        completion: .directory)
    var data: String?

    @Option(
        help: """
            The PostgreSQL database to store lists in, such as postgres://user@host/database, in place of a folder; the \
            password by PGPASSFILE. [REFRESHABLE_STORE]
            """)
    var store: String?

    @Flag(help: "Keeps lists in memory only; stores nothing. [REFRESHABLE_EPHEMERAL=true]")
    var ephemeral = false

    @Option(help: "The number of event loop threads. (default: one per processor) [REFRESHABLE_LOOPS]")
    var loops: String?

    @Option(help: "The maximum number of open connections. (default: 15000) [REFRESHABLE_MAX_CONNECTIONS]")
    var maxConnections: String?

    @Option(
        help: """
            The maximum per client address; loopback is not limited. (default: 1000) [REFRESHABLE_MAX_CONNECTIONS_PER_ADDRESS]
            """)
    var maxConnectionsPerAddress: String?

    @Option(
        help: """
            The memory that all clients together may use, such as 256MiB. (default: a quarter of the memory limit) \
            [REFRESHABLE_MEMORY_FOR_VISITORS]
            """)
    var memoryForVisitors: String?

    @Option(help: "Another host name to accept in requests; repeatable. [REFRESHABLE_ALLOW_HOST, comma-separated]")
    var allowHost: [String] = []

    @Option(help: "An origin whose pages may connect, or *; repeatable. [REFRESHABLE_ALLOW_ORIGIN, comma-separated]")
    var allowOrigin: [String] = []

    @Option(
        help:
            "A trusted proxy: an address, or a block such as 10.0.0.0/8; repeatable. [REFRESHABLE_PROXY, comma-separated]"
    )
    var proxy: [String] = []

    @Option(
        help: """
            The origin of a push service to allow for notifications, beside those of browsers; repeatable. \
            [REFRESHABLE_PUSH_SERVICE, comma-separated]
            """)
    var pushService: [String] = []

    @Option(help: "The token for pushing rows. Without one, only this machine may push. [REFRESHABLE_PUSH_TOKEN]")
    var pushToken: String?

    @Option(
        help: "Enables TLS: a PEM file with the certificate chain. [REFRESHABLE_CERTIFICATE]",
        completion: .file(extensions: ["pem", "crt"]))
    var certificate: String?

    @Option(
        help: "A PEM file with the private key. Both files are reloaded when they change. [REFRESHABLE_KEY]",
        completion: .file(extensions: ["pem", "key"]))
    var key: String?

    @Option(help: "A port without TLS that redirects to the one with TLS. [REFRESHABLE_REDIRECT_PORT]")
    var redirectPort: String?

    @Option(
        help: """
            How long browsers must use TLS for each --allow-host (HSTS), or none. (default: 8760h) [REFRESHABLE_HSTS]
            """)
    var hsts: String?

    @Option(
        help: "Who may read /metrics: off, local (this machine) or all. (default: local) [REFRESHABLE_METRICS]",
        completion: .list(ServeSettings.Metrics.allCases.map(\.rawValue)))
    var metrics: String?

    @Option(
        help: "How long running refreshes may take after SIGTERM or SIGINT. (default: 10s) [REFRESHABLE_DRAIN]")
    var drain: String?

    @Option(
        help: "A file of access tokens and their rights. Every client then needs one. [REFRESHABLE_TOKENS]",
        completion: .file(extensions: ["yaml"]))
    var tokens: String?

    @Option(
        help: "trace, debug, info, notice, warning, error or critical. (default: notice) [REFRESHABLE_LOG_LEVEL]",
        completion: .list(Logger.Level.allCases.map(\.rawValue)))
    var logLevel: String?

    @Option(
        help: "text, or json for one JSON object per line. (default: text) [REFRESHABLE_LOG_FORMAT]",
        completion: .list(LogFormat.allCases.map(\.rawValue)))
    var logFormat: String?

    @Flag(help: "Serves no lists; echoes every WebSocket message, for conformance suites and network tests.")
    var echo = false

    func validate() throws {
        _ = try serveSettings([:])
    }

    func run() async throws {
        if echo { return try await sendBack() }
        // What a run holds of a million rows is tens of MiB in a few blocks, freed on whatever thread.
        shim_give_back_blocks(1 << 20)
        let file = try SettingsFile.path(try serveSettings([:]).lists)
        let lists = try read(file)
        let folder = TextFile.folder(of: file)
        let settings = try serveSettings(lists.server(in: folder), isWhole: true)
        let name = settings.name ?? MachineName.current
        let tokens = try settings.tokens.map(read(tokens:))
        let secrets = SecretRedactor(lists.secrets)
        if let tokens { secrets.add(tokens.secrets) }
        let logger = Self.logger(settings, hiding: secrets)
        do {
            let data = Self.data(settings, folder: folder)
            let rows = RowsFolder(in: data)
            defer { rows.removeTemporary() }
            let server = RefreshableServer(
                lists: ServedLists.lists(lists, of: name, folder: folder, rows: rows, hiding: secrets.hiding),
                configuration: Self.configuration(settings, data, tokens), logger: logger)
            let tokenReloader = settings.tokens.flatMap { file in
                tokens.map {
                    TokenReloader(file: file, access: $0.access, server: server, secrets: secrets, logger: logger)
                }
            }
            let reloader = Reloader(
                file: file, name: name, folder: folder, rows: rows, tokens: tokenReloader, server: server,
                secrets: secrets, logger: logger)
            try await Self.serve(server, reloadingBy: reloader, from: lists) { port in
                StartMessage(settings, lists: lists.lists, port: port, data: data).say()
            }
        } catch {
            Console.warn(secrets.hiding("\(error)"))
            throw ExitCode.failure
        }
    }
}

extension ServeCommand {
    /// - Parameters:
    ///   - server: what the settings file says.
    ///   - isWhole: whether nothing more is said.
    private func serveSettings(
        _ server: [ServeSettings.Name: String], isWhole: Bool = false
    ) throws -> ServeSettings {
        let flags = ServeSettings.Flags(
            lists: lists, name: name, host: host, port: port, publicFolder: publicFolder, data: data, store: store,
            isEphemeral: ephemeral,
            loops: loops, maxConnections: maxConnections, maxConnectionsPerAddress: maxConnectionsPerAddress,
            memoryForVisitors: memoryForVisitors,
            allowedHosts: allowHost, allowedOrigins: allowOrigin, proxies: proxy,
            pushServices: pushService, pushToken: pushToken,
            certificate: certificate, key: key, redirectPort: redirectPort, hsts: hsts,
            metrics: metrics, drain: drain, tokens: tokens, logLevel: logLevel, logFormat: logFormat)
        if ephemeral, data != nil || store != nil {
            let other = data == nil ? "--store" : "--data"
            throw ValidationError("--ephemeral keeps nothing, so \(other) can't stand beside it.")
        }
        if store != nil, data != nil {
            throw ValidationError("--store keeps lists in a database, so --data can't stand beside it.")
        }
        do {
            let settings = try ServeSettings(flags, environment: EnvironmentVariables.all, file: server)
            if isWhole { try settings.checkWhole() }
            return settings
        } catch {
            throw ValidationError("\(error)")
        }
    }

    private func sendBack() async throws {
        let settings = try serveSettings([:])
        do {
            try await EchoServer(
                settings: settings, logger: Self.logger(settings, hiding: SecretRedactor(Secrets()))
            ).run()
        } catch {
            Console.warn("\(error)")
            throw ExitCode.failure
        }
    }

    private func read(_ file: String) throws -> Settings { try read { try SettingsFile.read(file) } }

    private func read(tokens file: String) throws -> TokenSettings { try read { try TokenSettings(file: file) } }

    private func read<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let faults as SettingsFaults {
            Console.warn("\(faults)")
            throw ExitCode.invalidSettings
        } catch {
            Console.warn("\(error)")
            throw ExitCode.noInput
        }
    }

    /// Serves until the first signal; a second one ends the process at once.
    private static func serve(
        _ server: RefreshableServer, reloadingBy reloader: Reloader, from settings: Settings,
        whenReady: @escaping @Sendable (Int) -> Void
    ) async throws {
        let serving = Task { try await server.run(whenReady: whenReady) }
        StopSignals.onFirst { serving.cancel() }
        let asks = HangupSignal.asks { serving.cancel() }
        let reloading = Task {
            _ = try await server.port
            await reloader.run(from: settings, asks: asks)
        }
        let result = await serving.result
        reloading.cancel()
        await CommandSource.waitForAll()
        try result.get()
    }

    private static func logger(_ settings: ServeSettings, hiding secrets: SecretRedactor) -> Logger {
        var logger = Logger(label: "refreshable") { _ in
            RedactingLog(LineLog(settings.logFormat), hiding: secrets)
        }
        logger.logLevel = settings.logLevel
        return logger
    }

    private static func data(_ settings: ServeSettings, folder: String) -> RefreshableServer.Configuration.Data {
        if settings.isEphemeral { return .ephemeral }
        return settings.store.map { .postgres($0) } ?? .folder(settings.data ?? "\(folder)/.refreshable")
    }

    private static func configuration(
        _ settings: ServeSettings, _ data: RefreshableServer.Configuration.Data, _ tokens: TokenSettings?
    ) -> RefreshableServer.Configuration {
        var configuration = RefreshableServer.Configuration()
        configuration.host = settings.host
        configuration.port = settings.port
        configuration.publicFolder = settings.publicFolder
        configuration.data = data
        if let loops = settings.loops { configuration.loops = loops }
        configuration.maximumConnections = settings.maxConnections
        configuration.maximumConnectionsPerAddress = settings.maxConnectionsPerAddress
        if let memory = settings.memoryForVisitors { configuration.memoryForVisitors = memory }
        configuration.allowedHosts = settings.allowedHosts
        configuration.allowedOrigins = settings.allowedOrigins
        configuration.proxies = settings.proxies
        configuration.pushServices = settings.pushServices
        configuration.pushToken = settings.pushToken
        configuration.tls = tls(settings)
        configuration.drain = settings.drain
        configuration.metrics =
            switch settings.metrics {
            case .off: .off
            case .local: .local
            case .all: .all
            }
        configuration.access = tokens?.access ?? .open
        return configuration
    }

    private static func tls(_ settings: ServeSettings) -> RefreshableServer.TLS? {
        guard let certificate = settings.certificate, let key = settings.key else { return nil }
        var tls = RefreshableServer.TLS(certificate: certificate, key: key)
        tls.redirectPort = settings.redirectPort
        tls.strictTransport = settings.strictTransport
        return tls
    }
}
