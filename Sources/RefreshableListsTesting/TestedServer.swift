import HTTPTypes
import KeyedLists
import Logging
public import RefreshableLists
public import RefreshableListsClient

/// A whole server in memory, for tests of what it serves to whom: several lists, tokens, pushes, and HTTP.
///
/// ```swift
/// @Test func everybodySeesWhatIsPushed() async throws {
///     let server = try TestedServer {
///         RefreshableList("board").acceptsPushes()
///     }
///     try await server.client().run { client in
///         let board = try await client.watch("board")
///         await server.push(ListRow("k", title: "Tea"), to: "board")
///         for await change in board.changes where !change.rows.isEmpty { break }
///         #expect(board.rows.map(\.title) == ["Tea"])
///     }
///     #expect(await server.get("/lists/board").status == 200)
/// }
/// ```
///
/// No socket and no disk; everything else is what a `RefreshableServer` serves. Time passes in ``advance(by:)`` alone: for
/// deadlines, `every`, and the expiry of tokens. Unlike those of a `TestedList`, handlers and clients go on by themselves: wait
/// for what you asked for. It imports no test framework and serves any.
///
/// What comes to it as to a server inside another one, with an `AccessIdentity`, goes to ``server`` itself: its `serve` and
/// `respond`.
public final class TestedServer: Sendable {
    /// The server: for the code under test that edits its lists, or changes who may what. It must not be run.
    public let server: RefreshableServer
    /// The time of its lists.
    public let clock: ManualClock
    private let embedded: EmbeddedServer

    /// Serves from now on.
    ///
    /// - Parameters:
    ///   - configuration: Tokens and the like. What is of the network and the disk means nothing here.
    ///   - clock: Give one that handlers wait on too, if they wait.
    ///   - lists: As they are given to a `RefreshableServer`.
    /// - Throws: `RefreshableServerError` where the lists cannot be served as they are described.
    public init(
        configuration: RefreshableServer.Configuration = .init(), clock: ManualClock = ManualClock(),
        @ListBuilder lists: () -> [RefreshableList]
    ) throws {
        var configuration = configuration
        configuration.data = .ephemeral
        configuration.port = nil
        configuration.loops = 1
        let time = ManualListClock(clock: clock)
        self.clock = clock
        server = RefreshableServer(
            lists: lists(), configuration: configuration,
            logger: Logger(label: "refreshable") { _ in SwiftLogNoOpLogHandler() }, clock: time,
            pool: ThreadPool(clock: time, threads: 2))
        embedded = try EmbeddedServer(server)
    }

    /// Ends it: its clients lose their connection, and its lists end. One that is not stopped lives as long as the test process.
    public func stop() async throws { try await embedded.stop() }

    // MARK: Who comes

    /// A client of the library, over memory instead of a socket; to be run by the test.
    ///
    /// - Parameter token: What it shows.
    public func client(token: String? = nil) -> ListClient {
        var configuration = ListClient.Configuration()
        configuration.transport = EmbeddedTransport(server: server)
        return ListClient("http://localhost", token: token, configuration: configuration)
    }

    /// A connection on which a test says the messages of the protocol itself.
    ///
    /// - Parameter token: What is shown in the handshake.
    public func connect(token: String? = nil) async throws -> TestedConnection {
        try await TestedConnection(server, token: token)
    }

    // MARK: HTTP

    /// Asks for something over HTTP, as a program of this machine does.
    public func get(_ path: String, token: String? = nil) async -> TestedResponse {
        await send("GET", path, token: token)
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - method: In capitals.
    ///   - path: Percent-encoded.
    ///   - body: JSON, for what takes some.
    ///   - token: For `Authorization: Bearer TOKEN`.
    public func send(
        _ method: String, _ path: String, body: String = "", token: String? = nil
    ) async -> TestedResponse {
        let request = HTTPRequest(
            method: .init(method) ?? .get, scheme: "http", authority: "localhost", path: path,
            headerFields: .bearer(token))
        do {
            let response = try await server.respond(to: request, from: "127.0.0.1", as: nil) { _ in Array(body.utf8) }
            return TestedResponse(response)
        } catch {
            return TestedResponse(status: 503, body: "\(error)", headers: [:])
        }
    }

    /// Pushes a row, as a program of this machine does: on top, or in the place of the one with its key.
    @discardableResult
    public func push(_ row: ListRow, to list: String, token: String? = nil) async -> TestedResponse {
        let row = JSONValue.object(["key": .string(row.key.string), "fields": .object(row.fields.members)])
        let body = String(decoding: JSONValue.object(["set": .array([row])]).canonical, as: UTF8.self)
        return await send("PATCH", "/lists/\(list)", body: body, token: token)
    }

    // MARK: Time

    /// Lets time pass for the lists and whoever sleeps on the clock, each moment in its order.
    public func advance(by duration: Duration) async {
        let end = clock.now.advanced(by: duration)
        while let moment = nextMoment, moment < end { await move(to: moment) }
        await move(to: end)
    }

    private var nextMoment: ManualClock.Instant? {
        let timer = embedded.nextDue.map { ManualClock.Instant(offset: .milliseconds($0)) }
        return [timer, clock.nextEnd].compactMap(\.self).filter { $0 > clock.now }.min()
    }

    private func move(to moment: ManualClock.Instant) async {
        clock.move(to: moment)
        await embedded.lookAtTheClock()
    }
}

/// What a tested server has answered.
public struct TestedResponse: Hashable, Sendable {
    /// 200…599.
    public let status: Int
    /// JSON, of most answers.
    public let body: String
    /// By name.
    public let headers: [String: String]
}

extension TestedResponse {
    /// - Parameter response: nil where nothing is.
    fileprivate init(_ response: EmbeddedResponse?) {
        status = response?.head.status.code ?? 404
        body = String(decoding: response?.body ?? [], as: UTF8.self)
        let fields = response?.head.headerFields ?? [:]
        headers = Dictionary(fields.map { ($0.name.rawName, $0.value) }) { first, _ in first }
    }
}

/// A connection to a tested server, on which a test speaks refreshable.v1 itself.
///
/// ```swift
/// let connection = try await server.connect()
/// connection.send(#"{"type":"watch","id":"1","list":"board"}"#)
/// for await message in connection.messages { … }
/// ```
public final class TestedConnection: Sendable {
    /// What the server sends, in order, for one reader; it ends when the server closes.
    public let messages: AsyncStream<String>
    private let session: EmbeddedSession

    init(_ server: RefreshableServer, token: String?) async throws {
        let (messages, message) = AsyncStream<String>.makeStream()
        self.messages = messages
        session = try await server.session(openedBy: .opening(token), from: "127.0.0.1", as: nil) {
            message.yield($0)
        } ended: { _ in
            message.finish()
        }
    }

    /// Sends a message.
    public func send(_ text: String) { session.receive(text) }

    /// Ends the connection by a goodbye, which withdraws from what was asked for; or, if it is lost, without.
    public func close(isLost: Bool = false) { session.close(isClean: !isLost) }
}

/// A client's messages over memory.
private struct EmbeddedTransport: ListTransport {
    private struct Socket: ListSocket {
        let message: AsyncStream<String>.Continuation

        func send(_ text: String) { message.yield(text) }
        func close() { message.finish() }
    }

    let server: RefreshableServer

    func carry(
        _ address: ServerAddress, opened: @Sendable (any ListSocket) -> Void, received: @Sendable (String) -> Void
    ) async throws -> SocketEnd {
        let (sent, message) = AsyncStream<String>.makeStream()
        let (arrived, arrival) = AsyncStream<String>.makeStream()
        async let closeFrame = serve(sent, address.token, arrival)
        opened(Socket(message: message))
        for await text in arrived { received(text) }
        guard let closeFrame = await closeFrame else { return SocketEnd() }
        return SocketEnd(code: closeFrame.code, reason: closeFrame.reason)
    }

    private func serve(
        _ sent: AsyncStream<String>, _ token: String?, _ arrival: AsyncStream<String>.Continuation
    ) async -> EmbeddedSession.CloseFrame? {
        defer { arrival.finish() }
        return await server.serve(sent, openedBy: .opening(token), from: "127.0.0.1", as: nil) { arrival.yield($0) }
    }
}

extension HTTPRequest {
    /// What opens a connection of a program of this machine.
    fileprivate static func opening(_ token: String?) -> HTTPRequest {
        HTTPRequest(
            method: .get, scheme: "http", authority: "localhost", path: "/ws", headerFields: .bearer(token))
    }
}

extension HTTPFields {
    fileprivate static func bearer(_ token: String?) -> HTTPFields {
        token.map { [.authorization: "Bearer \($0)"] } ?? [:]
    }
}
