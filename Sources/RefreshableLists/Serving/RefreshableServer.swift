import ListProtocol
import Locking
public import Logging
public import ServiceLifecycle
import WebPush
import WebSockets

/// Serves lists to browsers: the page, a WebSocket for each, and the same facts over HTTP.
///
/// ```swift
/// let server = RefreshableServer {
///     RefreshableList("fruit").refreshable { try await market.fruit() }
/// }
/// try await server.run()                 // http://localhost:8080
/// ```
///
/// A `Service`: in a `ServiceGroup`, a graceful shutdown drains it.
public final class RefreshableServer: Service {
    /// Where a server listens, what it stores, and which clients it accepts.
    public struct Configuration: Sendable {
        /// Where lists are kept.
        public enum Data: Sendable {
            /// In memory: lost with the process.
            case ephemeral
            /// In a folder, made if absent, that one server at a time can use. By the package's trait `SQLite`.
            #if !SQLite
                @available(*, unavailable, message: "It takes the trait SQLite: name it in Package.swift.")
            #endif
            case folder(String)
            /// In a PostgreSQL database, at a URL as libpq reads it, such as `postgres://app@db.example.org/lists`, with several
            /// hosts if need be. The tables are in a schema of their own, `refreshable`. What the URL leaves out is libpq's
            /// (`PGPASSFILE`, `sslmode`); its password is in no log. By the package's trait `PostgreSQL`.
            #if !PostgreSQL
                @available(*, unavailable, message: "It takes the trait PostgreSQL: name it in Package.swift.")
            #endif
            case postgres(String)
        }

        /// An address or a name of this machine. `0.0.0.0` and `::` are all of its addresses.
        public var host = "localhost"
        /// 0 takes a free one. Nil: none, as another server has the connections, and passes on what comes (<doc:InsideAnotherServer>).
        public var port: Int? = 8080
        /// Without a port: the path below which the other server serves this one, such as `/live`.
        public var mountPath = "/"
        /// A folder of files to serve in the place of those of the built-in page that have the same names, and beside the
        /// others: an `index.html` of your own finds `/refreshable-list.js`. Nil: the built-in page.
        public var publicFolder: String?
        /// In memory, unless a folder or a database is named.
        public var data = Data.ephemeral
        /// Threads that own sockets: one for each processor that this process may use, 64 at most.
        public var loops = min(ServiceLoop.coreCount, 64)
        /// The maximum number of open connections; more get a 503. Fewer, if the system allows fewer descriptors.
        public var maximumConnections = 15_000
        /// The maximum per address, or per /64 network of IPv6; more get a 429. Loopback is not
        /// limited.
        public var maximumConnectionsPerAddress = 1000
        /// Bytes that visitors together may have the server keep for them, beside the rows: their connections, what is under
        /// way on these, rows that are read slowly, and what is remembered of those who were here. A quarter of what this
        /// process may have, 64 MiB at least; 16 MiB are the least. Where it has no room for `maximumConnections`, there
        /// are fewer.
        public var memoryForVisitors = MachineMemory.forVisitors
        /// Names under which the server may be asked for, beside addresses, `localhost` and `*.local`.
        public var allowedHosts: [String] = []
        /// Sites, such as `https://example.org`, whose pages may show our lists.
        public var allowedOrigins: [String] = []
        /// Trusted proxies, such as `10.0.0.2` or `10.0.0.0/8`, whose forwarding headers are believed.
        public var proxies: [String] = []
        /// What programs show to push rows, as `Authorization: Bearer TOKEN`. Nil: those on this machine need none, and
        /// others may not push.
        public var pushToken: String?
        /// Origins of further push services, such as `https://push.example.org`, to which notifications may be sent: a
        /// browser names the service that it uses. Those of Chrome, Edge, Firefox and Safari are known.
        public var pushServices: [String] = []
        /// TLS. Nil: it is not spoken, which is for loopback, for a network that is trusted, and behind a proxy.
        public var tls: TLS?
        /// Who may read, refresh, act and push. Open to whoever reaches the server, unless tokens are asked for; then
        /// `pushToken` is one more of them.
        public var access = Access.open
        /// Between two signs of life of the server.
        public var heartbeat = Duration.seconds(25)
        /// How long refreshes that are under way have when the server is to stop; then they end as cancelled.
        public var drain = Duration.seconds(10)
        /// Who may read `/metrics`. A backend that the program has bootstrapped (`MetricsSystem.bootstrap`) gets the same
        /// figures in any case.
        public var metrics = MetricsReaders.local

        /// A server for this machine only, on port 8080, that stores nothing.
        public init() {}
    }

    let descriptions: [RefreshableList]
    let configuration: Configuration
    let logger: Logger
    let lists: ListDirectory
    let store: ServerStore
    let pool: ThreadPool
    let keeper: CertificateReloader?
    /// Nil before it runs.
    let metrics = Locked<ServerMetrics?>(nil)
    let drainSwitch = DrainFlag()
    let clock: any ListClock
    let sessions: SessionRegistry
    let memory: SharedMemory
    let authenticator: Authenticator
    /// Nil where all is in memory: who has asked would be forgotten.
    let notifier: Notifier?
    let wasRun = Locked(false)
    let listening = ListeningPort()
    /// Who is served without a port; nil before that and afterwards.
    let embedding = Locked<EmbeddedSessions?>(nil)
    let mount: MountPath
    let admission: EmbeddedAdmission

    /// Describes a server. `run()` opens the store and the port, and throws if it can't.
    public convenience init(
        lists descriptions: [RefreshableList], configuration: Configuration = Configuration(),
        logger: Logger = Logger(label: "refreshable")
    ) {
        self.init(lists: descriptions, configuration: configuration, logger: logger, clock: SystemClock())
    }

    /// - Parameters:
    ///   - clock: by which tokens expire, and messages are counted.
    ///   - pool: the threads of the lists, and their clock.
    package init(
        lists descriptions: [RefreshableList], configuration: Configuration, logger: Logger, clock: any ListClock,
        pool: ThreadPool = ThreadPool(clock: SystemClock())
    ) {
        let budget = configuration.memory
        let memory = SharedMemory(budget)
        let store = ServerStore(configuration.data)
        let lists = descriptions.map { description in
            LiveList(
                configuration.data.served(description), store: store, executor: ListExecutor(on: pool),
                limits: Limits(), memory: memory,
                logger: logger)
        }
        self.descriptions = descriptions
        self.configuration = configuration
        self.logger = logger
        self.clock = clock
        self.lists = ListDirectory(lists)
        self.store = store
        self.memory = memory
        self.pool = pool
        sessions = SessionRegistry(clock: clock, capacity: budget.sessions)
        // What is no path is found when it runs.
        mount = MountPath(configuration.mountPath) ?? MountPath.root
        admission = EmbeddedAdmission(configuration.sockets)
        keeper = configuration.tls.map { CertificateReloader($0, logger: logger) }
        authenticator = Authenticator(
            configuration.access, pushToken: configuration.pushToken, allowedHosts: configuration.allowedHosts,
            guessers: budget.guessers, clock: clock, logger: logger)
        notifier = NotifierDependencies(configuration.data, lists: store).map {
            [directory = self.lists, authenticator] dependencies in
            Notifier(
                lists: directory, authenticator: authenticator, dependencies: dependencies,
                services: PushServices(others: configuration.pushServices), pool: pool, logger: logger)
        }
        for list in lists { notifier?.follow(list) }
    }

    /// As above, with the lists in braces.
    public convenience init(
        configuration: Configuration = Configuration(), logger: Logger = Logger(label: "refreshable"),
        @ListBuilder lists: () -> [RefreshableList]
    ) {
        self.init(lists: lists(), configuration: configuration, logger: logger)
    }

    /// The list of this name; nil where none is described. What is asked of it before `run()` waits for that.
    public subscript(name: String) -> LiveList? { lists[name] }

    /// The list that was described so: `server[mailbox]`, where `mailbox` is one of the lists that this server was given.
    /// With any other it is a mistake of the program, which ends.
    public subscript(description: RefreshableList) -> LiveList {
        guard let list = lists[description.name] else {
            preconditionFailure("The server has no list \"\(description.name)\". Give it to RefreshableServer.")
        }
        return list
    }

    /// The port on which the server listens. Before it does, this waits for it.
    ///
    /// - Throws: the error of `run()`, if that ends before it listens; `CancellationError`, if the waiting task is cancelled;
    ///   ``RefreshableServerError/noPort``, if it is configured without one.
    public var port: Int {
        get async throws {
            guard configuration.port != nil else { throw RefreshableServerError.noPort }
            return try await listening.port
        }
    }

    /// Lets others in from now on, or the same with other rights. It counts at once, also for those who are in: whose token
    /// was taken away is sent away (4001), and a list that one may no longer read is gone for them.
    public func change(to access: Access) { authenticator.change(to: access) }
}

extension RefreshableServer.Configuration.Data {
    /// A list as it can be served: notifications take a place where it is kept who asked.
    func served(_ list: RefreshableList) -> RefreshableList {
        if case .ephemeral = self { list.with { $0.notify = nil } } else { list }
    }
}

/// Why a server cannot be made of its description.
public enum RefreshableServerError: Error, Hashable, CustomStringConvertible {
    /// A name that cannot stand in `/lists/NAME`.
    case invalidName(String)
    /// Two lists have this name.
    case duplicateName(String)
    /// A list's description is invalid; the text names the modifier and its value.
    case invalidList(String, reason: String)
    /// What is no address and no block of addresses stands among the proxies.
    case invalidProxy(String)
    /// The path below which another server serves this one is no path.
    case invalidMountPath(String)
    /// The server is configured without a port.
    case noPort
    /// `run()` was called before.
    case wasRun

    /// What cannot be served, and what to do.
    public var description: String {
        switch self {
        case .invalidName(let name):
            "Cannot serve a list named \"\(name)\": use 1 to 64 letters, digits, `.`, `_` and `-`."
        case .duplicateName(let name):
            "Cannot serve two lists named \"\(name)\": give one of them another name."
        case .invalidList(let name, let reason): "Cannot serve the list \"\(name)\": \(reason)"
        case .invalidProxy(let text):
            "Cannot trust the proxy \"\(text)\": name an address such as 10.0.0.2, or a block such as 10.0.0.0/8."
        case .invalidMountPath(let text):
            "Cannot serve below \"\(text)\": configuration.mountPath is a path such as /live, percent-encoded."
        case .noPort:
            "The server has no port of its own, as configuration.port is nil. Ask the server that it is inside of."
        case .wasRun: "A server can run only once: create another one."
        }
    }

    static func check(_ lists: [RefreshableList]) throws(RefreshableServerError) {
        var names: Set<String> = []
        for list in lists {
            guard isValid(list.name) else { throw .invalidName(list.name) }
            if let reason = list.fault { throw .invalidList(list.name, reason: reason) }
            guard names.insert(list.name).inserted else { throw .duplicateName(list.name) }
        }
    }

    private static func isValid(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x2D || byte == 0x2E || byte == 0x5F
            }
    }
}
