import ListProtocol

/// One refresh from beginning to end: when to ask, and when the rows are those that it brought.
struct RefreshRequest {
    enum Step: Equatable {
        case wait
        /// Wait, and print this meanwhile.
        case say(String)
        case ask
        case end
    }

    private let list: String
    private var hasAsked = false
    private var run: String?
    /// What a person should know besides the rows.
    private(set) var remark: String?
    /// Whether the rows are what was asked for.
    private(set) var isFulfilled = false

    init(list: String) {
        self.list = list
    }

    mutating func receive(_ news: WatchedList.News, _ replica: Replica) -> Step {
        switch news {
        case .told(.denied(_, let message)):
            remark = message
            return .end
        case .told(.refused(_, let message)): return .say("\(message) Trying again in 5 s.")
        case .told(.answered(.run(let run, _))):
            self.run = run
            return look(replica)
        case .told(.answered(.noRun(let reason, let message))):
            isFulfilled = reason == .tooSoon
            remark = message ?? (isFulfilled ? "\(list) was refreshed a moment ago." : "The refresh was refused.")
            return .end
        case .told(.state): return hasAsked ? look(replica) : ask()
        case .told(.watching), .told(.rows), .told(.progress): return .wait
        case .lost(let reason, let wait):
            return .say("Lost the server (\(reason)). Trying again in \(wait.seconds) s.")
        }
    }

    /// Only once the list's first state has come: the rows before it are then complete.
    private mutating func ask() -> Step {
        hasAsked = true
        return .ask
    }

    private mutating func look(_ replica: Replica) -> Step {
        guard let run, let state = replica.state, state.isOver(run), let last = state.last else { return .wait }
        isFulfilled = last.outcome == .success
        if !isFulfilled { remark = "\(list): \(last.outcome.rawValue). \(last.error?.message ?? "")" }
        return .end
    }
}

extension Duration {
    /// Rounded to tenths, for messages.
    var seconds: Double { (self / .milliseconds(100)).rounded() / 10 }
}
