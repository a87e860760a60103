import KeyedLists
import ListProtocol

/// A client's messages about one list, and its handling of the answers. No socket, no clock.
///
///     idle ──send watch──▶ awaited ──ok──▶ watched          frames count while watched alone
///       ▲                    │  ▲            │
///       └── connection lost ─┴──┼────────────┤
///                    refused ───┘◀──error, unwatched
struct ListConversation {
    enum Watching: Equatable {
        case idle
        /// The watch with this id is not answered yet: until then, frames are of an earlier one.
        case awaited(id: String)
        case watched
        /// To be tried again then; nil: not over this connection.
        case refused(retryAt: Duration?)
    }

    enum Action {
        case send(ClientMessage)
        case settings(ListDescription)
        /// The rows have changed; the keys of all that may be others.
        case rows(touched: [Key])
        case state(ListState)
        case progress(WatchedList.Progress)
        case unread([Key])
        case refused(ErrorCode, String)
        case conclude(Int, Request.Conclusion)
    }

    let name: String
    /// What is looked at of it; nil: all of it.
    var view: ViewRequest?
    var replica = Replica()
    /// The list as its ok and settings describe it; nil before the first.
    private(set) var description: ListDescription?
    /// The newest state; nil before the first.
    private(set) var state: ListState?
    private(set) var progress: WatchedList.Progress?
    /// Rows that are unread; nil where the server does not tell.
    private(set) var unread: [Key]?
    var pull = PullPrediction()
    var watching = Watching.idle
    /// Whether the rows that answer the watch are yet to come.
    private(set) var isBehind = false
    /// Why the list is not shown over this connection; nil: it is, or will be.
    private(set) var refusal: ListClientError?
    var requests: [Request] = []
    /// How long rows have to be quiet before they are compared with the server's; nil: only when asked.
    private let verifiesAfter: Duration?
    private var verifyAt: Duration?
    /// When rows last came.
    private var rowsHeardAt = Duration.zero

    /// How long rows that a digest names may stay away while none come. The server sends them before the digest or right
    /// after it, so on a working connection they are as fast as the answer to a ping: 5 s is below the 8 s of that
    /// (Protocol.md, Heartbeat), and as long as this client waits before it watches again elsewhere.
    private static let patience = Duration.seconds(5)
    /// When a digest is asked for again that came amid a search.
    static let searchPause = Duration.milliseconds(200)

    init(_ name: String, at view: ViewRequest? = nil, verifiesAfter: Duration? = nil) {
        self.name = name
        self.view = view
        self.verifiesAfter = verifiesAfter
    }

    var isWatched: Bool { watching == .watched }

    /// When rows that a digest has named count as lost; nil: none are awaited. Another digest does not put it off.
    private var rowsDue: Duration? {
        let digests = requests.compactMap { if case .checking(_, _, _, let since) = $0.stage { since } else { nil } }
        return digests.min().map { max($0, rowsHeardAt) + Self.patience }
    }

    /// When `pass` has something to do.
    var deadline: Duration? {
        var times = requests.compactMap { if case .paused(let until) = $0.stage { until } else { nil } }
        if case .refused(let retryAt?) = watching { times.append(retryAt) }
        if isWatched { times += [verifyAt, rowsDue, pull.deadline].compactMap(\.self) }
        return times.min()
    }
}

// MARK: Watching

extension ListConversation {
    /// Watches from where the rows are.
    mutating func watch(_ numbers: inout Numbers) -> [Action] {
        let id = numbers.nextID()
        watching = .awaited(id: id)
        for number in requests.indices { requests[number].missDigest() }
        return [.send(.watch(id: id, list: name, resume: resume, view: nextView))]
    }

    /// Rows of a window are of no use for all of the list.
    private var resume: ClientMessage.Resume? { view == nil && replica.place != nil ? nil : replica.resume }

    /// What to look at from now on. A window in the midst is where its rows are now, whatever their indexes.
    private var nextView: ViewRequest? {
        guard var view, let place = replica.place else { return view }
        view.allUpTo = nil
        let (rows, before) = (replica.rows, replica.rows.count / 2)
        if case .first(let first, _) = view.window, first > 0, let middle = rows.rows(in: before..<rows.count).first {
            view.window = .around(
                middle.key, before: before, after: rows.count - 1 - before, orAt: place.first + before)
        }
        return view
    }

    mutating func lost() {
        watching = .idle
        pull.lost()
        requests.removeAll(where: \.isWithdrawn)
        for number in requests.indices { requests[number].lost() }
    }

    /// The server no longer knows our session: runs that we wait for may have ended with it.
    mutating func lostSession() {
        for number in requests.indices {
            if case .running(let run, _) = requests[number].stage {
                requests[number].stage = .running(run, isDoubtful: true)
            }
        }
    }

    /// Something of this list could not be read: it is watched again, but not at once, or that would go on for ever.
    mutating func missed(_ now: Moment) {
        if isWatched { watching = .refused(retryAt: now + .seconds(5)) }
    }

    /// Time has passed.
    mutating func pass(to now: Moment, _ numbers: inout Numbers) -> [Action] {
        if case .refused(let retryAt?) = watching, retryAt <= now.uptime { return watch(&numbers) }
        if let rowsDue, rowsDue <= now.uptime, isWatched { return watch(&numbers) }
        for number in requests.indices {
            if case .paused(let until) = requests[number].stage, until <= now.uptime {
                requests[number].stage = .waiting
            }
        }
        if let due = verifyAt, due <= now.uptime, isWatched {
            verifyAt = nil
            if !requests.contains(where: { $0.wish == .digest }) { requests.append(Request(wish: .digest)) }
        }
        return sample(now) + sendWaiting(&numbers)
    }

    mutating func watched(_ ok: OK, _ numbers: inout Numbers) -> [Action] {
        watching = .watched
        refusal = nil
        isBehind = ok.begin != .live
        replica.begin()
        let pull = ok.pull ?? description?.pull
        guard let pull else { return sendWaiting(&numbers) }
        let description = ListDescription(
            list: name, title: ok.title ?? description?.title ?? name,
            refreshable: ok.refreshable ?? description?.refreshable ?? false, pull: pull, noun: ok.noun,
            section: ok.section, notify: ok.notify, actions: ok.actions ?? [], unread: ok.unread ?? false)
        return describe(description) + sendWaiting(&numbers)
    }

    private mutating func describe(_ description: ListDescription) -> [Action] {
        self.description = description
        pull.configure(description.pull)
        return [.settings(description)]
    }

    /// - Parameter after: Milliseconds until it may be asked for again, if that is known.
    mutating func refuse(_ code: ErrorCode, _ message: String, after: Int?, _ now: Moment) -> [Action] {
        let isForGood = code.retry != .later && after == nil
        watching = .refused(retryAt: isForGood ? nil : now + .milliseconds(after ?? 5000))
        guard isForGood else { return [.refused(code, message)] }
        refusal = .refused(code, message)
        let waiting = requests.compactMap(\.number)
        requests = []
        return (code.retry == .never ? forget() : []) + [.refused(code, message)]
            + waiting.map { .conclude($0, .failed(.refused(code, message))) }
    }

    /// Rows that are not ours to see any more go.
    mutating func forget() -> [Action] {
        let keys = replica.rows.rows.map(\.key)
        replica = Replica()
        (state, progress, unread, verifyAt) = (nil, nil, nil, nil)
        return [.rows(touched: keys)]
    }
}

// MARK: Receiving

extension ListConversation {
    /// Takes in a message about this list. Until a watch is answered, what comes is of an earlier one.
    mutating func receive(_ message: ServerMessage, at now: Moment, _ numbers: inout Numbers) -> [Action] {
        guard isWatched else { return [] }
        switch message {
        case .snapshot(let part):
            let effect = replica.receive(part)
            return take(effect, now, &numbers) + (effect == .nothing || effect == .lost ? [] : concludeLooks())
        case .patch(let part): return take(replica.receive(part), now, &numbers)
        case .state(let state): return receive(state, &numbers)
        case .privateState(let state):
            pull.hear(state)
            return []
        case .progress(_, _, let completed, let total, let note):
            let progress = WatchedList.Progress(completed: completed, total: total, note: note)
            self.progress = progress
            return [.progress(progress)]
        case .unread(_, let keys):
            unread = keys.map { Key($0) }
            return [.unread(unread ?? [])]
        case .act(let state): return receive(state)
        case .settings(let description): return describe(description)
        case .unwatched(_, let code, let message, let after):
            return refuse(code, message, after: after ?? 5000, now)
        default: return []
        }
    }

    private mutating func take(_ effect: Replica.Effect, _ now: Moment, _ numbers: inout Numbers) -> [Action] {
        rowsHeardAt = now.uptime
        switch effect {
        case .nothing: return []
        case .lost: return watch(&numbers)
        case .rows(let touched):
            isBehind = false
            verifyAt = verifiesAfter.map { now + $0 }
            return [.rows(touched: touched)] + lookAtRows(&numbers)
        }
    }

    private mutating func receive(_ state: ListState, _ numbers: inout Numbers) -> [Action] {
        // It is told after the rows, if there were any.
        isBehind = false
        if state.run != self.state?.run { progress = nil }
        self.state = state
        pull.hear(state)
        for number in requests.indices { requests[number].resolve(by: state) }
        return [.state(state)] + conclude { $0.conclusion(by: state) } + sendWaiting(&numbers)
    }

    private mutating func receive(_ act: ActionState) -> [Action] {
        guard case .closing(_, let revision, _, _) = act.phase else { return [] }
        let isShown = revision.map { $0 <= replica.rows.revision } ?? true
        for number in requests.indices where requests[number].stage == .running(act.run) {
            requests[number].stage = .closing(act)
        }
        return isShown ? concludeActs() : []
    }

    /// New rows may be those that an action has changed, or that a digest is of.
    private mutating func lookAtRows(_ numbers: inout Numbers) -> [Action] {
        concludeActs() + compare(&numbers, isAnswer: false)
    }
}
