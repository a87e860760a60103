import ListProtocol
import Locking
import Logging
import WebSockets

/// Receives all events of one loop's sockets, on the loop's thread, and passes them to its `LoopSessions`, which nothing else
/// can reach.
actor SessionHandler: LoopHandler {
    nonisolated let loop: ServiceLoop
    private let loopSessions: LoopSessions

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter instruments: what the loop records by.
    init(loop: ServiceLoop, context: ServerContext, instruments: LoopInstruments) {
        self.loop = loop
        loopSessions = LoopSessions(context: context, loop: loop, instruments: instruments)
        context.authenticator.onChange { [weak self] in
            self?.post { loopSessions in loopSessions.look() }
        }
    }

    /// Has something done on the loop. From any thread; in the order of the calls.
    nonisolated func post(_ entry: @escaping @Sendable (LoopSessions) -> Void) {
        loop.post { self.assumeIsolated { entry($0.loopSessions) } }
    }

    nonisolated func refusal(of handshake: Handshake) -> HTTPResponse? {
        if assumeIsolated({ $0.loopSessions.context.routes.readiness.drain.isOn }) { return .comeBack }
        return handshake.path == "/ws" ? nil : .text(404, "There is no socket at \(handshake.path). It is at /ws.")
    }

    nonisolated func opened(_ socket: WebSocket) { assumeIsolated { $0.loopSessions.opened(socket, at: $0) } }

    nonisolated func received(_ message: WebSocketMessage, from socket: WebSocket) {
        // Its bytes belong to the library until this call returns, and so does the thread.
        nonisolated(unsafe) let message = message
        assumeIsolated { $0.loopSessions.received(message, from: socket) }
    }

    nonisolated func becameWritable(_ socket: WebSocket) { assumeIsolated { $0.loopSessions.becameWritable(socket) } }

    nonisolated func closed(_ socket: WebSocket, by closing: CloseStatus) {
        assumeIsolated { $0.loopSessions.closed(socket, by: closing) }
    }

    nonisolated func bodyPlan(for request: HTTPRequest) -> BodyPlan {
        assumeIsolated { $0.loopSessions.context.routes.bodyPlan(for: request) }
    }

    nonisolated func request(_ request: HTTPRequest, _ exchange: HTTPExchange) {
        assumeIsolated {
            $0.loopSessions.logForeignPage(request)
            $0.loopSessions.context.routes.answer(request, exchange)
            $0.loopSessions.note(request, exchange)
        }
    }

    nonisolated func refused(_ reason: Refusal, from address: String, path: String) {
        assumeIsolated { $0.loopSessions.refused(reason, from: address, path: path) }
    }

    nonisolated func lagged(by lag: Duration) { assumeIsolated { $0.loopSessions.lagged(by: lag) } }

    /// Programs read problems; people, who ask for pages, read sentences.
    nonisolated func worded(_ refusal: HTTPResponse, of request: HTTPRequest) -> HTTPResponse {
        request.path.hasPrefix("/lists/") ? refusal.asProblem : refusal
    }
}

/// State that all loops of a server share: its lists by name, its limits, and the sessions that can be resumed.
struct ServerContext: Sendable {
    let lists: ListDirectory
    let limits: Limits
    /// Between two signs of life from the server.
    let heartbeat: Duration
    let clock: any ListClock
    let sessions: SessionRegistry
    /// Whether other servers have the same lists, and people come from there.
    let isShared: Bool
    let authenticator: Authenticator
    /// Other sites whose pages may show the lists; `*` is all.
    let allowedOrigins: [String]
    let routes: Routes
    let logger: Logger
}

/// The lists that a server serves now, by name and in order. Shared by all loops.
final class ListDirectory: Sendable {
    private struct Lists {
        var all: [LiveList] = []
        var byName: [String: LiveList] = [:]
    }

    private let lists: Locked<Lists>

    init(_ all: [LiveList]) { lists = Locked(Self.index(all)) }

    /// The list of this name; nil where there is none.
    subscript(name: String) -> LiveList? { lists.withLock { $0.byName[name] } }

    /// The list of this name, if the visitor may know of it. One that they may not takes the same steps as one that is not
    /// there.
    subscript(name: String, for visitor: Visitor) -> LiveList? {
        let list = self[name]
        return visitor.sees(name) ? list : nil
    }

    /// In the order in which they are shown.
    var all: [LiveList] { lists.withLock { $0.all } }

    /// From now on these are served.
    func replace(with all: [LiveList]) { lists.withLock { $0 = Self.index(all) } }

    private static func index(_ all: [LiveList]) -> Lists {
        Lists(all: all, byName: Dictionary(all.map { ($0.name, $0) }) { first, _ in first })
    }
}
