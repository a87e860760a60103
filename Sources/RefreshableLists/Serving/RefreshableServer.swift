import ListProtocol
import ListStorage
public import Logging
import WebSockets

/// Serves lists to browsers: the page, a WebSocket for each, and the same facts over HTTP.
///
/// ```swift
/// let server = try RefreshableServer {
///     RefreshableList("fruit").refreshable { try await market.fruit() }
/// }
/// try await server.run()                 // http://localhost:8080
/// ```
public final class RefreshableServer: Sendable {
    /// Where a server listens, what it keeps, and whom it lets in.
    public struct Configuration: Sendable {
        /// Where lists are kept.
        public enum Data: Sendable {
            /// In memory: gone with the process.
            case ephemeral
            /// In a folder, made if absent, that one server at a time can use.
            case folder(String)
        }

        /// An address or a name of this machine. `0.0.0.0` and `::` are all of its addresses.
        public var host = "localhost"
        /// 0 takes a free one.
        public var port = 8080
        /// Files to serve instead of the page in the binary. Nil: that page.
        public var publicFolder: String?
        /// In memory, unless a folder is named.
        public var data = Data.ephemeral
        /// Threads that own sockets.
        public var loops = 1
        /// Names under which the server may be asked for, beside addresses, `localhost` and `*.local`.
        public var allowedHosts: [String] = []
        /// Sites, such as `https://example.org`, whose pages may show our lists.
        public var allowedOrigins: [String] = []
        /// Between two signs of life of the server.
        public var heartbeat = Duration.seconds(25)

        /// A server for this machine alone, on port 8080, that keeps nothing.
        public init() {}
    }

    /// The lists, by name.
    private let lists: [String: LiveList]
    private let store: any ListStore
    private let threads: [ListThread]
    private let server: WebSocketServer
    private let signal = StopSignal()

    /// Describes a server. Nothing is listened to before `run()`.
    ///
    /// - Throws: `RefreshableServerError` where two lists share a name, the data folder cannot be used, or the files of
    ///   `publicFolder` cannot be read.
    public init(
        lists descriptions: [RefreshableList], configuration: Configuration = Configuration(),
        logger: Logger = Logger(label: "refreshable")
    ) throws {
        try RefreshableServerError.check(descriptions)
        let clock = SystemClock()
        let store = try Self.store(configuration.data)
        let threads = (0..<Self.threadCount).map { _ in ListThread(clock: clock) }
        let lists = descriptions.enumerated().map { index, description in
            LiveList(
                description, store: store, thread: threads[index % threads.count], limits: Limits(), logger: logger)
        }
        let house = House(
            lists: Dictionary(uniqueKeysWithValues: lists.map { ($0.name, $0) }), limits: Limits(),
            heartbeat: configuration.heartbeat, clock: clock, sessions: SessionRegistry(clock: clock),
            routes: Routes(lists: lists, files: try configuration.files()))
        server = try WebSocketServer(
            configuration: configuration.sockets, loops: configuration.loops,
            handler: { loop in LoopDesk(loop: loop, house: house) }, logger: logger)
        self.lists = house.lists
        self.store = store
        self.threads = threads
    }

    /// As above, with the lists in braces.
    public convenience init(
        configuration: Configuration = Configuration(), logger: Logger = Logger(label: "refreshable"),
        @ListBuilder lists: () -> [RefreshableList]
    ) throws {
        try self.init(lists: lists(), configuration: configuration, logger: logger)
    }

    /// The list of this name, while it is served.
    public subscript(name: String) -> LiveList? { lists[name] }

    /// Serves until the task is cancelled; then says goodbye to everybody, and keeps what is to be kept.
    ///
    /// - Parameter whenReady: called once with the port, when connections are accepted.
    /// - Throws: where the port cannot be had, or the store cannot be closed.
    public func run(whenReady: @Sendable (Int) -> Void = { _ in }) async throws {
        for thread in threads { thread.start() }
        defer { for thread in threads { thread.stop() } }
        do { try server.start() } catch {
            try store.close()
            throw error
        }
        whenReady(server.port)
        await signal.wait()
        await server.stop(
            goodbye: SharedFrame(text: Self.goodbye.encoded()), code: CloseCode.draining.rawValue, reason: "draining")
        for list in lists.values { await list.end() }
        try store.close()
    }

    private static let goodbye = ServerMessage.goodbye(
        code: .draining, message: "The server is about to stop.", reconnect: true, after: 0...8000)

    private static var threadCount: Int { 2 }

    private static func store(_ data: Configuration.Data) throws -> any ListStore {
        switch data {
        case .ephemeral: MemoryStore()
        case .folder(let path): try SQLiteStore(folder: path)
        }
    }
}
