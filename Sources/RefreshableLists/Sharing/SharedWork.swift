import KeyedLists
import ListProtocol
import ListStorage

/// What all servers remember of a change, so that it is made once however often it is asked for.
struct SharedRecord {
    let key: [UInt8]
    /// What it was answered, with the revision that it led to.
    let answer: (ListRevision) -> [UInt8]
}

/// A change of rows that waits for its turn.
struct SharedEntry {
    let run: RunID?
    /// What is remembered of it; nil: nothing.
    let record: SharedRecord?
    /// Says what is to be changed of the rows as they are then; nil: nothing, and `then` is not called. Called again where
    /// another server was sooner.
    let make: () throws -> RowsChange?
    let then: (Result<Revision, any Error>) -> Void
    /// Whether what others have committed was read since it came. Before that, nobody is told that it changes nothing, or can't be
    /// made: that may be so of rows that are no longer the list's.
    var reading = Reading.due

    enum Reading {
        case due, begun, done
    }
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
        var entries: [Entry]
        /// The changes that could be made, each with the revision that it led to; without a commit, it changed nothing.
        var made: [(entry: SharedEntry, commit: Commit?, revision: Revision)] = []
        /// What is remembered of them, in the same transaction.
        private(set) var answers: [StoredAgreement.Answer] = []
        private var keys: Set<[UInt8]> = []
        /// What the list was doing when it was sent.
        var state: ToldState?
        /// The rows with all of them.
        var rows = KeyedList()

        init(entries: [Entry]) { self.entries = entries }

        /// Whether the same was asked for already, and is made with this.
        func isMaking(_ record: SharedRecord?) -> Bool { record.map { keys.contains($0.key) } ?? false }

        mutating func remember(_ record: SharedRecord, at revision: ListRevision) {
            keys.insert(record.key)
            answers.append(StoredAgreement.Answer(key: record.key, answer: record.answer(revision)))
        }

        /// Whether something is to be kept beside the rows.
        var hasFacts: Bool { entries.contains(where: \.isFacts) }

        /// Whether it makes a revision: then it is kept only if these are the newest rows.
        var hasCommits: Bool { made.contains { $0.commit != nil } }
        /// What nobody was told of yet.
        var unconcluded: [Entry] {
            made.map { Entry.change($0.entry) }
                + entries.filter(\.isFacts)
        }
    }

    /// What is under way with the store.
    enum Current {
        /// For those who wait for it, if any.
        case reading([((any Error)?) -> Void], recalls: [[UInt8]: [(Bool) -> Void]], people: UnreadScope)
        /// Changes are made on rows that are not kept yet, or what the store has answered is taken over: what that asks for begins
        /// once it is done.
        case processing
        case keeping(Batch, SharedChange)
        case leading
    }

    var lead = SharedLead()
    var asks = SharedAsks()

    /// What waits for the next transaction.
    var waiting: [Entry] = []
    var current: Current?
    var isReadDue = false
    /// Whether the next read is of all rows.
    var isWholeDue = false
    /// Those who wait for the next read.
    var readers: [((any Error)?) -> Void] = []
    /// Keys of changes that another server has made.
    var conflicting: Set<[UInt8]> = []
    /// Those who wait for a new epoch.
    var renewers: [((any Error)?) -> Void] = []
    /// Those who begin to watch, or to look elsewhere, and wait for what the store says or for rows that they look for, by
    /// connection.
    var attaching: [UInt64: [Attaching]] = [:]
    private var newestAttaching = 0
    /// Those of them who watch no more, and are answered all the same.
    var departed: Set<WatchID> = []
    /// Since when the database has been away, in milliseconds since 1970.
    var awaySince: Int64?
    var whenIdle: [() -> Void] = []

    /// Until when decisions alone wait for others (uptime).
    var gatheringEnd: Int64 = 0
    /// Whether a timer is set for that.
    var isGathering = false

    /// How long what comes waits for more, in milliseconds: one for each request or answer that was sent together last. Who pulls alone
    /// does not wait, and a crowd that pulls at once is some transactions a second.
    static func pause(after count: Int) -> Int64 { Int64(min(count, 250)) }

    /// Whether the list is being read.
    var isReading: Bool { if case .reading = current { true } else { false } }

    /// Whether nothing is under way, and nothing waits.
    var isIdle: Bool { current == nil && waiting.isEmpty }

    func isAttaching(_ watch: WatchID) -> Bool {
        attaching[watch.socket]?.contains { $0.watch == watch } ?? false
    }

    /// Has somebody wait, after those of the same connection who wait already.
    ///
    /// - Returns: their number.
    mutating func wait(_ attaching: Attaching) -> Int {
        newestAttaching += 1
        var attaching = attaching
        attaching.number = newestAttaching
        self.attaching[attaching.watch.socket, default: []].append(attaching)
        return newestAttaching
    }

    /// What somebody has waited for is there.
    mutating func noteReady(_ number: Int, on socket: UInt64) {
        guard let index = attaching[socket]?.firstIndex(where: { $0.number == number }) else { return }
        attaching[socket]?[index].isReady = true
    }

    /// Those who need not wait any more: the answers to one connection come in the order of its messages, also where one of them had
    /// to wait for more.
    mutating func takeReady(on socket: UInt64) -> ArraySlice<Attaching> {
        guard let waiting = attaching[socket] else { return [] }
        let ready = waiting.prefix(while: \.isReady)
        attaching[socket] = ready.count == waiting.count ? nil : Array(waiting[ready.endIndex...])
        return ready
    }

    /// What the first who waits on a connection begins with, unless it has begun.
    mutating func takeBeginning(on socket: UInt64) -> (() -> Void)? {
        guard let first = attaching[socket]?.first, let begin = first.begin else { return nil }
        attaching[socket]?[0].begin = nil
        return { begin(first.number) }
    }

    mutating func forget(_ watch: WatchID) {
        attaching[watch.socket]?.removeAll { $0.watch == watch }
        departed.remove(watch)
        if attaching[watch.socket]?.isEmpty == true { attaching[watch.socket] = nil }
    }

    /// A read begins, or has ended well: then all that waited when it began may be told what they find.
    mutating func noteRead(_ reading: SharedEntry.Reading) {
        for index in waiting.indices {
            guard case .change(var change) = waiting[index] else { continue }
            guard reading == .done ? change.reading == .begun : change.reading == .due else { continue }
            change.reading = reading
            waiting[index] = .change(change)
        }
    }

    mutating func takeWaiting() -> [Entry] {
        defer { waiting = [] }
        return waiting
    }
}

/// Somebody who begins to watch, or to look elsewhere.
struct Attaching {
    let watch: WatchID
    fileprivate(set) var number = 0
    fileprivate(set) var isReady = false
    /// What it begins with once those before it are done, told its number; nil: it has begun.
    fileprivate(set) var begin: ((Int) -> Void)?
    /// Tells that the list has ended.
    let refuse: () -> Void
    /// Tells what the list is.
    let attach: () -> Void

    init(
        watch: WatchID, begin: ((Int) -> Void)? = nil, refuse: @escaping () -> Void, attach: @escaping () -> Void
    ) {
        self.watch = watch
        self.begin = begin
        self.refuse = refuse
        self.attach = attach
    }
}

extension Result {
    /// Nil where it succeeded.
    var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
