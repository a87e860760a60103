import KeyedLists
import ListProtocol
import ListStorage

/// A change of rows that waits for its turn.
struct SharedEntry {
    let run: RunID?
    let isWanted: () -> Bool
    /// What is remembered of it at all servers, with the revision that it led to; nil: nothing.
    let record: ((ListRevision) -> StoredAgreement.Answer)?
    /// Says what is to be changed of the rows as they are then; nil: nothing, and `then` is not called. Called again where
    /// another server was sooner.
    let make: () -> RowsChange?
    let then: (Result<Revision, any Error>) -> Void
}

/// What a list does with a store that is shared, and what waits for it.
struct SharedWork {
    enum Entry {
        case change(SharedEntry)
        /// Facts that are owed.
        case facts(((any Error)?) -> Void)

        var isFacts: Bool { if case .facts = self { true } else { false } }

        func conclude(_ result: Result<Revision, any Error>) {
            switch self {
            case .change(let change): change.then(result)
            case .facts(let then): then(result.error)
            }
        }
    }

    /// What is one transaction.
    struct Batch {
        let entries: [Entry]
        /// The changes that could be made, each with its revision; nil: it changed nothing.
        var made: [(entry: SharedEntry, commit: Commit?)] = []
        /// What is remembered of them, in the same transaction.
        var answers: [StoredAgreement.Answer] = []
        /// The rows with all of them.
        var rows = KeyedList()

        init(entries: [Entry]) { self.entries = entries }

        /// Whether something is to be kept beside the rows.
        var hasFacts: Bool { entries.contains(where: \.isFacts) }

        /// What nobody was told of yet.
        var unconcluded: [Entry] {
            made.map { Entry.change($0.entry) }
                + entries.filter(\.isFacts)
        }
    }

    /// What is under way with the store.
    enum Current {
        /// For those who wait for it, if any.
        case reading([((any Error)?) -> Void], recalls: [() -> Void])
        case keeping(Batch, SharedChange)
        case leading
    }

    /// The fence under which this server leads the list; nil: it does not.
    var fence: Int?
    /// What the servers agreed on when it was last read.
    var agreement = StoredAgreement()
    var isLeadDue = false
    /// Whether `agreement` was read.
    var isAgreed = false
    /// Those who wait for a leader.
    var leadWaiters: [() -> Void] = []
    /// What people here have asked of the leader, by key.
    var asked: [[UInt8]: SharedAsk] = [:]
    /// What of it is to be sent once others have been.
    var outgoing: [StoredAgreement.Request] = []
    var isSending = false
    /// What they ask of whoever will lead.
    var unasked: [SharedAsk] = []
    /// Those who wait here for a run of another server.
    var requesters: Set<RefreshGate.Requester> = []
    /// What the store was last told of this server's interest.
    var interest = StoredAgreement.Interest(watchers: 0, isWanted: false)
    /// Requests of people here for actions that the leader performs, until they are over.
    var actions: Set<[UInt8]> = []
    /// How many watch at other servers.
    var watchersElsewhere = 0
    /// Requests of other servers whose answers are being kept.
    var answering: Set<[UInt8]> = []
    /// Answers that are kept with the next transaction.
    var answers: [StoredAgreement.Answer] = []
    /// Runs that have ended here, as the store does not know yet.
    var unkeptEnds = 0
    /// The progress of the run that this server performs.
    var progress: RunProgress?

    /// Those who begin to watch and wait for what the store says; each is told that the list has ended.
    var attaching: [WatchID: () -> Void] = [:]
    var waiting: [Entry] = []
    var current: Current?
    var isReadDue = false
    /// Whether the next read is of all rows.
    var isWholeDue = false
    /// Those who wait for the next read.
    var readers: [((any Error)?) -> Void] = []
    /// Those who have asked again what is not answered yet.
    var deciding: [IdempotencyKey: [(RefreshGate.Answer?) -> Void]] = [:]
    /// Those who wait to hear whether a request with this key was answered before, by any server.
    var recalls: [[UInt8]: [() -> Void]] = [:]
    /// Keys of changes that another server has made.
    var conflicting: Set<[UInt8]> = []
    /// Those who wait for a new epoch.
    var renewers: [((any Error)?) -> Void] = []
    /// How often in a row another server was sooner.
    var misses = 0
    /// Since when the database has been away, in milliseconds since 1970.
    var awaySince: Int64?
    var whenIdle: [() -> Void] = []

    /// Whether nothing is under way, and nothing waits.
    var isIdle: Bool { current == nil && waiting.isEmpty }

    /// Whether anybody here wants something of a leader.
    var hasWish: Bool { !asked.isEmpty || !unasked.isEmpty }

    mutating func takeUnasked() -> [SharedAsk] {
        defer { unasked = [] }
        return unasked
    }

    /// Whether what was read says that the run which is shown is over.
    func willEnd(_ agreement: StoredAgreement, _ run: RunID?) -> Bool {
        guard fence == nil, let run, let state = SharedState(words: agreement.state)?.state else { return false }
        return state.run != run.description || state.phase != .loading
    }

    mutating func takeWaiting() -> [Entry] {
        defer { waiting = [] }
        return waiting
    }
}

extension Result {
    /// Nil where it succeeded.
    var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
