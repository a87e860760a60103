import ListProtocol
import ListStorage

/// Who leads a list, as far as this server knows, and what it keeps and tells as the leader.
struct SharedLead {
    /// The fence under which this server leads the list; nil: it does not.
    var fence: Int?
    /// The fence under which this server has been given the lead. It leads once it has read what the leader before had kept by then.
    var givenFence: Int?
    /// What the servers agreed on when it was last read.
    var agreement = StoredAgreement()
    /// Whether `agreement` was read.
    var isAgreed = false
    /// Whether this server is to take the lead next.
    var isDue = false
    /// Those who wait for a leader.
    var waiters: [() -> Void] = []

    /// How many watch at other servers.
    var watchersElsewhere = 0
    /// Requests of other servers whose answers are being kept.
    var answering: Set<[UInt8]> = []
    /// Answers that are kept with the next transaction, by key. Nobody is told one before.
    var answers: [[UInt8]: [UInt8]] = [:]
    /// What was decided here and is not kept yet. People are told what was kept last for so long: another server may lead by the
    /// time that the rest would be kept.
    var unkept = 0
    /// What people were told last, or are to be told while something is not kept.
    var told: ToldState?
    /// As it was published: it is not said again.
    var published: ListState?
    /// Whether they would have been told something else since.
    var isBehind = false
    /// What is done once the number of its run is kept.
    var deferred: [RefreshGate.Action] = []
    /// Whether this server has read what the leader before has kept of what people have not seen.
    var knowsUnread = false
    /// The progress of the run that this server performs.
    var progress: RunProgress?

    /// Whether people are to be told no more than they were.
    var holdsBack: Bool { fence != nil && unkept > 0 }

    /// Has an answer be kept.
    mutating func owe(_ answer: RunReference, for key: [UInt8]) { answers[key] = answer.words }

    /// What was decided before, and is not kept yet.
    func owed(_ key: [UInt8]) -> RunReference? { answers[key].flatMap { RunReference(words: $0) } }

    /// What could not be kept is kept with the next transaction.
    mutating func oweAgain(_ unkept: some Sequence<StoredAgreement.Answer>) {
        for answer in unkept where answers[answer.key] == nil { answers[answer.key] = answer.answer }
    }

    /// Whether what was read says that the run which is shown is over.
    func willEnd(_ agreement: StoredAgreement, _ run: RunID?) -> Bool {
        guard fence == nil, let run, let state = SharedState(words: agreement.state)?.state else { return false }
        return state.run != run.description || state.phase != .loading
    }
}

/// What people are told that a list is doing.
struct ToldState {
    var state: ListState
    /// The run under way.
    let run: RunID?
    /// The run under way, or the last one, that is no page.
    let refresh: RunID?
    /// Since when its rows could not be refreshed.
    let staleSince: Int64?

    /// As it is told while the store is away: that is true in any case.
    ///
    /// - Parameter awaySince: nil: it is there.
    func stale(since awaySince: Int64?) -> ToldState {
        var told = self
        told.state.staleSince = staleSince ?? awaySince
        return told
    }
}

/// What a leader has decided counts for nothing: another leads the list by now.
struct LedElsewhere: Error {}
