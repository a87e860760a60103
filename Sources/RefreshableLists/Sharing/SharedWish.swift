import KeyedLists
import ListProtocol
import ListStorage

/// A wish of somebody here, for whoever leads the list.
struct SharedAsk {
    let wish: SharedWish
    let key: [UInt8]
    /// Nil: nobody asks again.
    let idempotencyKey: IdempotencyKey?
    let requester: RefreshGate.Requester?
    /// Nil: the store can't be reached.
    let then: (RunReference?) -> Void

    init(
        wish: SharedWish, key: IdempotencyKey?, of requester: RefreshGate.Requester?,
        then: @escaping (RunReference?) -> Void
    ) {
        self.wish = wish
        idempotencyKey = key
        self.key = key?.bytes ?? (0..<16).map { _ in UInt8.random(in: 0...255) }
        self.requester = requester
        self.then = then
    }
}

/// What people at this server want of whoever leads the list.
struct SharedAsks {
    /// What was sent and is not answered yet, by key.
    var sent: [[UInt8]: SharedAsk] = [:]
    /// What of it is to be sent once others have been.
    var outgoing: [StoredAgreement.Request] = []
    /// Whether some are on their way, or others are waited for.
    var isSending = false
    /// What is asked of whoever will lead.
    var unsent: [SharedAsk] = []
    /// Those who wait here for a run of another server.
    var requesters: Set<RefreshGate.Requester> = []
    /// Requests of people here for actions that the leader performs, until they are over.
    var actions: Set<[UInt8]> = []
    /// What the store was last told of this server's interest.
    var interest = StoredAgreement.Interest(watchers: 0, isWanted: false)
    /// Those who have asked again what is not answered yet.
    var deciding: [IdempotencyKey: [(RefreshGate.Answer?) -> Void]] = [:]
    /// Those who wait to hear whether a request with this key was answered before, by any server.
    var recalls: [[UInt8]: [(_ isKnown: Bool) -> Void]] = [:]

    /// Whether nobody here wants anything of a leader.
    var isEmpty: Bool { sent.isEmpty && unsent.isEmpty }

    /// Those whose answers are waited for.
    var keys: Set<[UInt8]> { Set(sent.keys).union(recalls.keys).union(actions) }

    mutating func takeUnsent() -> [SharedAsk] {
        defer { unsent = [] }
        return unsent
    }
}

/// What servers ask of each other, in words.
enum SharedWish: Hashable {
    case refresh(RefreshCause, isAfter: Bool)
    /// The page after the last row, which has this key.
    case more(Key)
    case stop(RunID)
    case act(ClientMessage.ActionRequest, session: String)
    case stopAction(ActionRuns.ID, session: String)
    case mark(UnreadMark)

    /// Between words that may have spaces.
    private static let separator = "\u{1F}"

    func words(from node: String) -> [UInt8] {
        let text =
            switch self {
            case .refresh(let cause, let isAfter): "refresh \(node) \(cause.rawValue) \(isAfter ? "after" : "join")"
            case .more(let key): "more \(node) \(key.string)"
            case .stop(let run): "stop \(node) \(run)"
            case .act(.use(let name, let row), let session):
                "act \(node) " + ["use", session, name, row].joined(separator: Self.separator)
            case .act(.undo(let run), let session):
                "act \(node) " + ["undo", session, run].joined(separator: Self.separator)
            case .mark(let mark):
                "mark \(node) "
                    + ([mark.kind.rawValue, mark.person] + (mark.row.map { [$0.string] } ?? []))
                    .joined(separator: Self.separator)
            case .act(.mark, _): preconditionFailure("What was seen is no action of the list.")
            case .stopAction(let run, let session):
                "act \(node) " + ["stop", session, run.description].joined(separator: Self.separator)
            }
        return Array(text.utf8)
    }

    static func read(_ words: [UInt8]) -> (SharedWish, node: String)? {
        let parts = String(decoding: words, as: UTF8.self).split(separator: " ", maxSplits: 2)
        guard parts.count == 3 else { return nil }
        let node = String(parts[1])
        switch parts[0] {
        case "refresh":
            let words = parts[2].split(separator: " ")
            guard words.count == 2, let cause = RefreshCause(rawValue: String(words[0])) else { return nil }
            return (.refresh(cause, isAfter: words[1] == "after"), node)
        case "more": return (.more(Key(String(parts[2]))), node)
        case "stop": return RunID(String(parts[2])).map { (.stop($0), node) }
        case "act":
            return act(parts[2].split(separator: Character(separator), maxSplits: 3).map(String.init)).map {
                ($0, node)
            }
        case "mark":
            return mark(parts[2].split(separator: Character(separator), maxSplits: 2).map(String.init)).map {
                ($0, node)
            }
        default: return nil
        }
    }

    private static func mark(_ words: [String]) -> SharedWish? {
        guard words.count > 1, let kind = UnreadMark.Kind(rawValue: words[0]) else { return nil }
        return .mark(UnreadMark(kind: kind, person: words[1], row: words.count > 2 ? Key(words[2]) : nil))
    }

    private static func act(_ words: [String]) -> SharedWish? {
        switch words.first {
        case "use" where words.count == 4: .act(.use(words[2], row: words[3]), session: words[1])
        case "undo" where words.count == 3: .act(.undo(run: words[2]), session: words[1])
        case "stop" where words.count == 3: ActionRuns.ID(words[2]).map { .stopAction($0, session: words[1]) }
        default: nil
        }
    }
}

/// What a leader says of its list, in words: its state as it is told, and the progress of its run.
struct SharedState {
    var state: ListState?
    var progress: RunProgress?

    init(_ state: ListState, _ progress: RunProgress?) {
        self.state = state
        self.progress = progress
    }

    init?(words: [UInt8]?) {
        guard let lines = words?.split(separator: UInt8(ascii: "\n")), let first = lines.first else { return nil }
        if case .state(let state)? = try? ServerMessage(decoding: Array(first)) { self.state = state }
        if lines.count > 1,
            case .progress(_, _, let completed, let total, let note)? = try? ServerMessage(
                decoding: Array(lines[1]))
        {
            progress = RunProgress(completed: completed, total: total, note: note)
        }
    }

    func words(of list: String) -> [UInt8] {
        guard let state else { return [] }
        var words = ServerMessage.state(state).encoded()
        if let progress, let run = state.run {
            words.append(UInt8(ascii: "\n"))
            words += ServerMessage.progress(
                list: list, run: run, completed: progress.completed, total: progress.total, note: progress.note
            ).encoded()
        }
        return words
    }
}

extension RunReference {
    /// As servers tell each other.
    var words: [UInt8] {
        let text =
            switch self {
            case .run(let run, let joined): "run \(run) \(joined ? "joined" : "began")"
            case .noRun(let reason, let message): "none \(reason.rawValue) \(message ?? "")"
            }
        return Array(text.utf8)
    }

    init?(words: [UInt8]) {
        let parts = String(decoding: words, as: UTF8.self)
            .split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        if parts[0] == "run" {
            self = .run(String(parts[1]), joined: parts[2] == "joined")
        } else if let reason = Reason(rawValue: String(parts[1])) {
            self = .noRun(reason, message: parts[2].isEmpty ? nil : String(parts[2]))
        } else {
            return nil
        }
    }
}

extension RefreshGate.Answer {
    init?(_ reference: RunReference) {
        switch reference {
        case .run(let run, let joined):
            guard let run = RunID(run) else { return nil }
            self = .run(run, joined: joined)
        case .noRun(.tooSoon, _): self = .tooSoon
        case .noRun(.spent, _): self = .spent
        case .noRun(_, let message): self = .refused(message ?? "The list is not refreshed now.")
        }
    }
}

extension RefreshFailure {
    /// One that another server has told.
    fileprivate init(_ error: RunError?) {
        self.init(
            error?.message ?? "The refresh failed.", code: error?.code ?? "failed",
            retryAfter: error?.retryAfter.map { .milliseconds($0) })
        values = error?.values ?? []
    }
}

extension FinishedRun {
    /// A run that another server has performed.
    init(_ last: LastRun, cause: RefreshCause) {
        let outcome: RefreshOutcome =
            switch last.outcome {
            case .success: .success
            case .cancelled: .cancelled
            case .failure, .timeout: .failure(RefreshFailure(last.error))
            }
        self.init(
            id: RunID(last.run) ?? RunID(0), cause: last.cause == .more ? .more : cause, outcome: outcome,
            duration: .milliseconds(last.duration), changes: last.changes)
    }
}
