public import ListProtocol

/// A client of a server of refreshable lists: one connection, however many lists are watched over it.
///
/// ```swift
/// let client = ListClient("https://lists.example.org")
/// try await client.run { client in
///     let mailbox = try await client.watch("mailbox")
///     await mailbox.refresh()
///     print(mailbox.rows.map(\.title))
/// }
/// ```
///
/// A program that watches for as long as it lives runs the client beside its other work, as a service or in a task of its own:
/// `async let running: Void = client.run()`. Whatever is asked before that waits.
///
/// Lists keep themselves right: over lost connections and restarts of the server each goes on from where it was, and one whose
/// rows do not fit what comes is fetched anew. The time between two tries grows, with chance in it.
public final class ListClient: Sendable {
    let engine: ClientEngine

    /// A client that does not connect yet.
    ///
    /// - Parameters:
    ///   - url: The server's, such as `https://lists.example.org`.
    ///   - token: An access token, where the server asks for one.
    ///   - configuration: What is not as usual.
    public convenience init(_ url: String, token: String? = nil, configuration: Configuration = Configuration()) {
        self.init(url, tokens: TokenProvider(token), configuration: configuration)
    }

    /// A client whose token does not last.
    ///
    /// - Parameters:
    ///   - url: The server's.
    ///   - configuration: What is not as usual.
    ///   - token: Gives the token of now. It is asked before each connection, and again where the server has refused one. A
    ///     refusal of the same token twice ends the client; an error is a connection that could not be made.
    public convenience init(
        _ url: String, configuration: Configuration = Configuration(),
        token: @escaping @Sendable () async throws -> String?
    ) {
        self.init(url, tokens: TokenProvider(token), configuration: configuration)
    }

    private init(_ url: String, tokens: TokenProvider, configuration: Configuration) {
        engine = ClientEngine(url: url, tokens: tokens, configuration: configuration)
    }

    /// Settings of a client that few need.
    public struct Configuration: Sendable {
        /// What carries the messages; nil: the network.
        public var transport: (any ListTransport)?
        /// Whether a server that is not there at the first try may come yet. False: `run()` throws
        /// `ListClientError.unreachable` then, which suits a command that somebody waits for.
        public var waitsForServer = true
        /// How long the rows of a list have to be quiet before they are compared with the server's; where they differ, the
        /// list is fetched anew. Nil: they are compared when `verify()` asks. For finding faults: it costs the server a
        /// look at all rows of each revision.
        public var verifiesAfter: Duration?
        /// By which the client waits, and knows that a server has fallen silent.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// How long the client waits between 0 and the longest that is right, as a number from 0 to 1.
        package var chance: @Sendable () -> Double = { .random(in: 0..<1) }

        /// The usual ones.
        public init() {}
    }

    // MARK: Living

    /// Connects, and keeps connected, until the task is cancelled. Once. When it returns, all waiting calls have ended, and so
    /// have the sequences that were read.
    ///
    /// - Throws: `ListClientError.sentAway` where the server does not want the client back as it is; `unreachable`; what
    ///   the transport throws of a bad URL.
    public func run() async throws { try await engine.run() }

    /// Runs the client for as long as `body` takes.
    ///
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws; or what `run()` throws, if that ends first.
    public func run<Result: Sendable>(_ body: @Sendable (ListClient) async throws -> Result) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.run() }
            let result: Swift.Result<Result, any Error>
            do { result = .success(try await body(self)) } catch { result = .failure(error) }
            // A body that read a sequence to its end has come to this one.
            let end = engine.end
            group.cancelAll()
            do { try await group.waitForAll() } catch let error as ListClientError {
                if case .failure = result { throw error }
            }
            if let end, case .success = result { throw end }
            return try result.get()
        }
    }

    /// How the client stands with its server.
    public var connection: ConnectionState { engine.connection }

    /// Tries at once to connect, where the client waits before it tries again: the network has come back.
    public func retryNow() { handle(.retry) }

    /// Shows another token from now on; over the connection that is open, too.
    public func replaceToken(_ token: String) {
        engine.tokens.replace(token)
        handle(.token(token))
    }

    // MARK: Watching

    /// A list, which is watched from now on: what the server has of it comes when it comes. Whoever asks for the same name
    /// shares one list.
    ///
    /// - Parameters:
    ///   - name: The list's.
    ///   - view: What to look at of it; nil: all. It counts for the first who asks: `look(at:)` moves it.
    public func list(_ name: String, at view: ViewRequest? = nil) -> WatchedList {
        engine.list(name, at: view, of: self)
    }

    /// Watches a list, and returns when its rows and its state are here. Before `run()` it waits.
    ///
    /// - Parameters:
    ///   - name: The list's.
    ///   - view: What to look at of a long one, such as `ViewRequest(.first(0, count: 60))`; nil: all of it.
    /// - Throws: `ListClientError.refused` where the server shows no such list to us; `sentAway`, `unreachable`, `ended`; `CancellationError`.
    public func watch(_ name: String, at view: ViewRequest? = nil) async throws -> WatchedList {
        let list = list(name, at: view)
        for await update in list.updates {
            switch update {
            case .state: return list
            case .refused(let code, let message) where code.retry != .later:
                throw ListClientError.refused(code, message)
            case .connection(.refused(let error)): throw error
            default: break
            }
        }
        try Task.checkCancellation()
        throw ListClientError.ended
    }
}

extension ListClient {
    func handle(_ event: Conversation.Event) { engine.handle(event) }

    func read<Value: Sendable>(_ name: String, _ value: (ListConversation) -> Value?) -> Value? {
        engine.read(name, value)
    }

    func add(_ reader: UpdateReader, to name: String) { engine.add(reader, to: name) }

    func leave(_ name: String, serial: Int) { engine.leave(name, serial: serial) }

    func ask(_ name: String, _ wish: Request.Wish) async -> Request.Conclusion? {
        await conclusion(of: name) { .ask($0, list: name, wish) }
    }

    /// Hands a request in and waits for its conclusion; nil: the task was cancelled.
    func conclusion(of name: String, _ event: @Sendable (Int) -> Conversation.Event) async -> Request.Conclusion? {
        await engine.conclusion(of: name, event)
    }

    func randomKey() -> String {
        String(UInt64.random(in: .min ... .max), radix: 36) + String(UInt64.random(in: .min ... .max), radix: 36)
    }
}
