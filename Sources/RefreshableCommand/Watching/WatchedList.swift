import ListProtocol
import Synchronization
import WebSockets

/// One list of a server, watched over a socket that is opened again when it was lost.
///
///     wishes ─▶ run ─▶ Conversation ─▶ EventSocket
///     receive ◀────────┘      ▲ messages, the loss of the socket, the time
///
/// Everything happens in `run`, one thing after another; the other methods may be called from anywhere.
final class WatchedList: Sendable {
    /// Events of the list.
    enum News: Equatable {
        case told(Conversation.News)
        /// The socket was lost, or could not be opened; it is tried again after so long.
        case lost(String, retryAfter: Duration)
    }

    private enum Input: Sendable {
        /// Of the socket with that number: earlier ones are closed.
        case socket(Int, EventSocket.Event)
        case connect
        case watch(Int)
        case checkConnection(Int)
        case refresh(ClientMessage.Freshness)
        case stop
        case end
    }

    private let url: String
    private let list: String
    private let trust: ServerTrust
    private let headers: HTTPHeaders
    private let inputs: AsyncStream<Input>
    private let input: AsyncStream<Input>.Continuation

    /// - Parameters:
    ///   - url: of the socket, such as `ws://localhost:8080/ws`.
    ///   - headers: for its handshake.
    ///   - trust: which servers are believed.
    init(url: String, list: String, headers: HTTPHeaders = [:], trust: ServerTrust = ServerTrust()) {
        self.url = url
        self.trust = trust
        self.list = list
        self.headers = headers
        (inputs, input) = AsyncStream.makeStream()
    }

    /// Requests a refresh; `answered` or `denied` follows once.
    func refresh(fresh: ClientMessage.Freshness = .join) { input.yield(.refresh(fresh)) }

    /// Withdraws from the run that is under way.
    func stop() { input.yield(.stop) }

    /// Lets `run` return.
    func end() { input.yield(.end) }

    /// Watches until `end`, the task's cancellation, or until the server does not want us back.
    ///
    /// - Parameter receive: called with what is new, and the list as it is now.
    /// - Throws: `WatchError` if the server told us to stay away or does not show the list, `SocketError` if the very first connection could not be
    ///   made, `MessageError` for a message that is none of refreshable.v1.
    func run(receive: (News, Replica) async -> Void) async throws {
        var state = Running(conversation: Conversation(list: list))
        input.yield(.connect)
        defer { state.socket?.cut() }
        try await withTaskCancellationHandler {
            for await next in inputs {
                if case .end = next { break }
                for news in try await take(next, &state) { await receive(news, state.conversation.replica) }
            }
        } onCancel: {
            input.finish()
        }
        await close(&state)
    }

    private struct Running {
        var conversation: Conversation
        var reconnection = Reconnection()
        var socket: EventSocket?
        /// Of the newest socket.
        var number = 0
        var openedAt: ContinuousClock.Instant?
        var heardAt = ContinuousClock.now
        var wasOpen = false
    }

    private func take(_ next: Input, _ state: inout Running) async throws -> [News] {
        switch next {
        case .connect: try connect(&state)
        case .socket(let number, let event) where number == state.number: return try await take(event, &state)
        case .watch(let number) where number == state.number: return perform([state.conversation.watch()], &state)
        case .checkConnection(let number) where number == state.number: checkConnection(&state)
        case .refresh(let fresh):
            return perform(state.conversation.refresh(key: Self.randomKey(), fresh: fresh), &state)
        case .stop: return perform(state.conversation.stop(), &state)
        case .socket, .watch, .checkConnection, .end: break
        }
        return []
    }

    private func connect(_ state: inout Running) throws {
        let socket = try EventSocket(url: url, subprotocol: "refreshable.v1", headers: headers, trust: trust)
        state.number += 1
        state.socket = socket
        let number = state.number
        Task { [input] in
            for await event in socket.events { input.yield(.socket(number, event)) }
        }
        socket.connect()
    }

    private func take(_ event: EventSocket.Event, _ state: inout Running) async throws -> [News] {
        state.heardAt = .now
        switch event {
        case .opened:
            state.openedAt = .now
            state.wasOpen = true
            checkConnectionLater(state)
            return perform(state.conversation.opened(), &state)
        case .text(let text):
            let news = perform(state.conversation.receive(try ServerMessage(decoding: Array(text.utf8))), &state)
            for case .told(.refused(let code, let message)) in news {
                guard code.retry != .never else { throw WatchError.refused(code, message) }
                later(.seconds(5), .watch(state.number))
            }
            return news
        case .binary: return []
        case .closed(let closing): return try await lost(closing.code, closing.reason, &state)
        case .failed(let error):
            guard state.wasOpen else { throw error }
            return try await lost(1006, "\(error)", &state)
        }
    }

    private func perform(_ actions: [Conversation.Action], _ state: inout Running) -> [News] {
        actions.compactMap { action in
            switch action {
            case .send(let message):
                state.socket?.send(String(decoding: message.encoded(), as: UTF8.self))
                return nil
            case .tell(let news): return .told(news)
            }
        }
    }

    private func lost(_ code: UInt16, _ reason: String, _ state: inout Running) async throws -> [News] {
        state.conversation.closed()
        await state.socket?.stop()
        state.socket = nil
        state.number += 1
        let wait = state.reconnection.wait(
            code: code, lifetime: state.openedAt.map { .now - $0 }, goodbye: state.conversation.goodbye,
            chance: .random(in: 0..<1))
        state.openedAt = nil
        guard let wait else { throw WatchError.sentAway(code: code, reason: reason) }
        later(wait, .connect)
        return [.lost(reason.isEmpty ? "the connection was lost (\(code))" : reason, retryAfter: wait)]
    }

    /// A client sees no pings: after a silent heartbeat it sends a message, and without an answer it reconnects.
    private func checkConnection(_ state: inout Running) {
        let silent = ContinuousClock.now - state.heardAt
        let heartbeat = Duration.milliseconds(state.conversation.heartbeat)
        if silent >= heartbeat + .seconds(8) { state.socket?.cut() }
        if silent >= heartbeat { _ = perform(state.conversation.ping(), &state) }
        checkConnectionLater(state)
    }

    private func checkConnectionLater(_ state: Running) { later(.seconds(4), .checkConnection(state.number)) }

    private func later(_ wait: Duration, _ next: Input) {
        Task { [input] in
            try await Task.sleep(for: wait)
            input.yield(next)
        }
    }

    private func close(_ state: inout Running) async {
        guard let socket = state.socket else { return }
        state.socket = nil
        socket.close()
        await socket.stop()
    }

    private static func randomKey() -> String {
        String(UInt64.random(in: .min ... .max), radix: 36) + String(UInt64.random(in: .min ... .max), radix: 36)
    }
}

/// Why a list is no longer watched.
enum WatchError: Error, CustomStringConvertible {
    /// The server closed with a code after which one does not come back.
    case sentAway(code: UInt16, reason: String)
    /// The server has no such list, or not for us.
    case refused(ErrorCode, String)

    var description: String {
        switch self {
        case .sentAway(let code, let reason):
            "The server ended the connection and does not want it back (\(code)): "
                + (reason.isEmpty ? "it gave no reason." : reason)
        case .refused(_, let message): message
        }
    }
}

/// How long to wait before connecting again. Time and chance are passed in.
///
///     4000–4099  do not come back unchanged           4200–4299  come back within `after`
///     4100–4199  back off                             otherwise  random 0–2 s first, then back off
struct Reconnection {
    /// The server's last words.
    struct ShutdownNotice: Equatable {
        var reconnects: Bool
        /// Milliseconds.
        var after: ClosedRange<Int>?
    }

    private var attempts = 0

    /// - Parameters:
    ///   - code: The close code; 1006 where the connection was lost or never opened.
    ///   - lifetime: How long the connection was open; nil: it never was.
    ///   - chance: Equally spread over 0..<1.
    /// - Returns: How long to wait; nil: the server does not want us back.
    mutating func wait(
        code: UInt16, lifetime: Duration?, goodbye: ShutdownNotice? = nil, chance: Double
    ) -> Duration? {
        // A server that accepts and drops at once must not be met by an endless row of first attempts.
        if let lifetime, lifetime >= .seconds(10) { attempts = 0 }
        guard !(4000..<4100).contains(code), goodbye?.reconnects != false else { return nil }
        if let after = goodbye?.after {
            return .milliseconds(Double(after.lowerBound) + Double(after.count - 1) * chance)
        }
        let isFirst = lifetime != nil && attempts == 0 && !(4100..<4200).contains(code)
        let longest = min(30_000, 1000 * Double(1 << min(attempts, 10)))
        attempts += 1
        return .milliseconds((isFirst ? 2000 : longest) * chance)
    }
}
