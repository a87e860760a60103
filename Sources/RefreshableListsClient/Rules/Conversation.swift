import KeyedLists
import ListProtocol

/// The rules by which a client speaks refreshable.v1 for all of its lists over one connection at a time: an event and the
/// time give what to do. No socket, no clock.
///
///     idle ──begin──▶ connecting ──opened──▶ open ──closed, silent──▶ waiting ──time──▶ connecting …
///                                              └────── 4000–4099, goodbye ──────────▶ over
struct Conversation {
    enum Event {
        /// The client runs from now on.
        case begin
        case opened
        case received(ServerMessage)
        /// What came is no message of refreshable.v1.
        case unreadable(MessageError)
        /// The socket has ended, or could not be opened.
        case closed(SocketEnd)
        /// The token that is shown from now on.
        case token(String?)
        /// - Parameter view: What is looked at; nil: all.
        case watch(String, at: ViewRequest? = nil)
        case leave(String)
        case ask(Int?, list: String, Request.Wish)
        case withdraw(Int, list: String)
        case pull(to: Double, list: String)
        case release(Int, list: String)
        case cancelPull(list: String)
        /// The network is there again: what waits is tried now.
        case retry
        /// Time has passed; perhaps to the deadline.
        case time
        /// The client ends.
        case end(ListClientError)
    }

    enum Action {
        /// Open a socket; where `isRefused`, with another token than the last one.
        case connect(isRefused: Bool)
        case send(ClientMessage)
        /// Give the socket up. No `closed` is to follow.
        case cut
        case connection(ListClient.ConnectionState)
        case list(String, ListConversation.Action)
        /// It is over.
        case finish(ListClientError)
    }

    private enum Link: Equatable {
        case idle
        case connecting(since: Duration)
        case open(Open)
        case waiting(until: Duration, isRefused: Bool)
        case over
    }

    private struct Open: Equatable {
        var since: Duration
        var heardAt: Duration
        /// When the server was asked for a sign of life, which has not come.
        var pingedAt: Duration?
        /// The `hello` that is not answered yet.
        var helloID: String?
    }

    /// For the socket to open, and for an answer to a ping.
    private static let (opening, answering) = (Duration.seconds(10), Duration.seconds(8))

    private(set) var lists: [String: ListConversation] = [:]
    private var order: [String] = []
    private(set) var connection = ListClient.ConnectionState.connecting
    private var link = Link.idle
    private var numbers = Numbers()
    private var reconnection = Reconnection()
    private var session: String?
    private var goodbye: Reconnection.ShutdownNotice?
    private var heartbeat = Duration.seconds(25)
    private var lostAt: Int64?
    /// Whether another token may be had when one is refused.
    private let renewsTokens: Bool
    private let verifiesAfter: Duration?
    /// Whether a server that is not there at first may come yet.
    private let waitsForServer: Bool
    private let chance: @Sendable () -> Double

    /// - Parameter chance: Equally spread over 0..<1.
    init(
        renewsTokens: Bool = false, verifiesAfter: Duration? = nil, waitsForServer: Bool = true,
        chance: @escaping @Sendable () -> Double
    ) {
        self.waitsForServer = waitsForServer
        self.renewsTokens = renewsTokens
        self.verifiesAfter = verifiesAfter
        self.chance = chance
    }

    /// When `time` has something to do; nil: not by itself.
    var deadline: Duration? {
        let own: Duration? =
            switch link {
            case .idle, .over: nil
            case .connecting(let since): since + Self.opening
            case .waiting(let until, _): until
            case .open(let open): open.pingedAt.map { $0 + Self.answering } ?? open.heardAt + heartbeat
            }
        guard case .open = link else { return own }
        return ([own] + lists.values.map(\.deadline)).compactMap(\.self).min()
    }

    /// Whether nothing more will come.
    var isOver: Bool { link == .over }

    mutating func handle(_ event: Event, at now: Moment) -> [Action] {
        switch event {
        case .begin: return link == .idle ? connect(now) : []
        case .opened: return opened(now)
        case .received(let message): return received(message, now)
        case .unreadable(let error): return unreadable(error, now)
        case .closed(let end): return closed(end, now)
        case .token(let token): return present(token)
        case .watch(let name, let view): return watch(name, at: view)
        case .leave(let name): return leave(name)
        case .ask(let number, let name, let wish):
            return on(name) { list, numbers in list.ask(wish, number: number, &numbers) }
        case .withdraw(let number, let name): return on(name) { list, numbers in list.withdraw(number, &numbers) }
        case .pull, .release, .cancelPull: return feel(event, now)
        case .retry: return retry(now)
        case .time: return pass(to: now)
        case .end(let error): return finish(error)
        }
    }

    private mutating func on(
        _ name: String, _ body: (inout ListConversation, inout Numbers) -> [ListConversation.Action]
    ) -> [Action] {
        guard var list = lists[name] else { return [] }
        // Taken out, so that its rows are changed where they are.
        lists[name] = nil
        let actions = body(&list, &numbers)
        lists[name] = list
        return actions.map { action in
            if case .send(let message) = action { .send(message) } else { .list(name, action) }
        }
    }

    private mutating func onAll(
        _ body: (inout ListConversation, inout Numbers) -> [ListConversation.Action]
    ) -> [Action] {
        order.flatMap { on($0, body) }
    }
}

// MARK: The connection

extension Conversation {
    private mutating func connect(_ now: Moment, isRefused: Bool = false) -> [Action] {
        link = .connecting(since: now.uptime)
        return [.connect(isRefused: isRefused)]
    }

    private mutating func opened(_ now: Moment) -> [Action] {
        guard case .connecting = link else { return [] }
        goodbye = nil
        lostAt = nil
        connection = .online
        var open = Open(since: now.uptime, heardAt: now.uptime)
        var greeting: [Action] = []
        if let session {
            let id = numbers.nextID()
            open.helloID = id
            greeting = [.send(.hello(id: id, session: session, token: nil))]
        }
        link = .open(open)
        return [.connection(connection)] + greeting + onAll { $0.watch(&$1) }
    }

    private mutating func closed(_ end: SocketEnd, _ now: Moment) -> [Action] {
        let lifetime: Duration?
        switch link {
        case .open(let open): lifetime = now.uptime - open.since
        case .connecting: lifetime = nil
        case .idle, .waiting, .over: return []
        }
        if connection == .connecting, !waitsForServer, end.code == SocketEnd.lost {
            return finish(.unreachable(end.reason))
        }
        for name in order { lists[name]?.lost() }
        let isDenied = CloseCode.denials.contains(end.code)
        // Whoever shows another token is another.
        if isDenied { session = nil }
        let forgotten = isDenied ? onAll { list, _ in list.forget() } : []
        let wait = reconnection.wait(code: end.code, lifetime: lifetime, goodbye: goodbye, chance: chance())
        let reason = [end.reason, goodbye?.message ?? ""].first { !$0.isEmpty }
        if let wait { return forgotten + lose(reason ?? "the connection was lost (\(end.code))", wait, false, now) }
        if renewsTokens, end.code == CloseCode.unauthorised.rawValue {
            let wait = reconnection.waitWithNewToken(chance: chance())
            return forgotten + lose(reason ?? "the token was refused", wait, true, now)
        }
        return forgotten + finish(.sentAway(code: end.code, reason: reason ?? ""))
    }

    private mutating func lose(_ reason: String, _ wait: Duration, _ isRefused: Bool, _ now: Moment) -> [Action] {
        link = .waiting(until: now + wait, isRefused: isRefused)
        goodbye = nil
        lostAt = lostAt ?? now.date
        connection = .offline(.init(reason: reason, since: lostAt ?? now.date, retryAfter: wait))
        return [.connection(connection)]
    }

    /// Gives a socket up from which nothing comes.
    private mutating func abandon(_ reason: String, _ now: Moment) -> [Action] {
        [.cut] + closed(SocketEnd(reason: reason), now)
    }

    private mutating func retry(_ now: Moment) -> [Action] {
        reconnection.encourage()
        guard case .waiting(_, let isRefused) = link else { return [] }
        return connect(now, isRefused: isRefused)
    }

    private mutating func pass(to now: Moment) -> [Action] {
        switch link {
        case .idle, .over: return []
        case .connecting(let since):
            return now.uptime >= since + Self.opening ? abandon("it did not answer", now) : []
        case .waiting(let until, let isRefused):
            return now.uptime >= until ? connect(now, isRefused: isRefused) : []
        case .open(var open):
            if let pingedAt = open.pingedAt, now.uptime >= pingedAt + Self.answering {
                return abandon("it fell silent", now)
            }
            guard open.pingedAt == nil, now.uptime >= open.heardAt + heartbeat else {
                return onAll { $0.pass(to: now, &$1) }
            }
            open.pingedAt = now.uptime
            link = .open(open)
            return [.send(.ping(id: numbers.nextID()))] + onAll { $0.pass(to: now, &$1) }
        }
    }

    /// A later `hello` replaces the token of the handshake.
    private mutating func present(_ token: String?) -> [Action] {
        guard case .open = link, let token else { return [] }
        return [.send(.hello(id: numbers.nextID(), session: nil, token: token))]
    }

    private mutating func finish(_ error: ListClientError) -> [Action] {
        guard link != .over else { return [] }
        link = .over
        connection = error == .ended ? .ended : .refused(error)
        return onAll { list, _ in list.abandon(because: error) } + [.connection(connection), .finish(error)]
    }
}

// MARK: Messages

extension Conversation {
    private mutating func received(_ message: ServerMessage, _ now: Moment) -> [Action] {
        guard case .open(var open) = link else { return [] }
        open.heardAt = now.uptime
        open.pingedAt = nil
        link = .open(open)
        switch message {
        case .welcome(let session, _, let heartbeat, _):
            self.heartbeat = .milliseconds(heartbeat)
            if self.session == nil { self.session = session }
            return []
        case .goodbye(_, let message, let reconnects, let after):
            goodbye = .init(reconnects: reconnects, after: after, message: message)
            return []
        case .ok(let ok): return answered(ok, open, now)
        case .error(let id?, let code, let message, let after):
            return first { list, _ in list.receive(error: id, code, message, after: after, at: now) }
        default:
            guard let name = message.list else { return [] }
            return on(name) { $0.receive(message, at: now, &$1) }
        }
    }

    private mutating func answered(_ ok: OK, _ open: Open, _ now: Moment) -> [Action] {
        guard let id = ok.id, id == open.helloID else { return first { $0.receive(ok, at: now, &$1) } }
        if case .open(var open) = link {
            open.helloID = nil
            link = .open(open)
        }
        session = ok.session ?? session
        if ok.resumed == false { for name in order { lists[name]?.lostSession() } }
        return []
    }

    /// What the one list makes of an answer that knows its id.
    private mutating func first(
        _ body: (inout ListConversation, inout Numbers) -> [ListConversation.Action]?
    ) -> [Action] {
        for name in order {
            var isIts = false
            let actions = on(name) { list, numbers in
                let actions = body(&list, &numbers)
                isIts = actions != nil
                return actions ?? []
            }
            if isIts { return actions }
        }
        return []
    }

    /// JSON that ends nowhere tells that bytes were lost: nothing after it can be believed. A member that can't be read may
    /// have had rows, of whichever list.
    private mutating func unreadable(_ error: MessageError, _ now: Moment) -> [Action] {
        guard case .open = link else { return [] }
        if error.code == .badJSON { return abandon("it sent what is no JSON", now) }
        for name in order { lists[name]?.missed(now) }
        return []
    }
}

// MARK: Lists

extension Conversation {
    private mutating func watch(_ name: String, at view: ViewRequest?) -> [Action] {
        guard lists[name] == nil else { return [] }
        lists[name] = ListConversation(name, at: view, verifiesAfter: verifiesAfter)
        order.append(name)
        guard case .open = link else { return [] }
        return on(name) { $0.watch(&$1) }
    }

    private mutating func leave(_ name: String) -> [Action] {
        guard lists.removeValue(forKey: name) != nil else { return [] }
        order.removeAll { $0 == name }
        guard case .open = link else { return [] }
        return [.send(.unwatch(id: nil, list: name))]
    }

    private mutating func feel(_ event: Event, _ now: Moment) -> [Action] {
        switch event {
        case .pull(let offset, let name):
            return on(name) { list, numbers in
                list.pull.move(to: offset, next: { numbers.nextGesture() }, now: now.uptime)
                return list.sample(now)
            }
        case .release(let number, let name):
            return on(name) { list, numbers in
                guard let (gesture, offset, peak) = list.pull.release() else {
                    return [.conclude(number, .noRun(.belowThreshold, message: nil))]
                }
                return list.ask(
                    .release(gesture: gesture, offset: offset, peak: peak), number: number, &numbers)
            }
        case .cancelPull(let name):
            return on(name) { list, numbers in
                guard let gesture = list.pull.cancel(), list.isWatched else { return [] }
                return [.send(.cancel(id: nil, list: name, gesture: gesture))]
            }
        default: return []
        }
    }
}

extension CloseCode {
    /// By which a server closes on those who may see nothing any more.
    fileprivate static let denials = [unauthorised, forbidden].map(\.rawValue)
}

extension ServerMessage {
    /// The list that it is about.
    fileprivate var list: String? {
        switch self {
        case .snapshot(let part): part.list
        case .patch(let part): part.list
        case .privateState(let state): state.list
        case .state(let state): state.list
        case .progress(let list, _, _, _, _), .unread(let list, _), .unwatched(let list, _, _, _): list
        case .act(let state): state.list
        case .settings(let description): description.list
        case .welcome, .ok, .error, .goodbye, .unknown: nil
        }
    }
}
