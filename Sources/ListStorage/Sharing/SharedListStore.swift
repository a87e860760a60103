public import KeyedLists

/// A store that several servers use at once: a list goes on by whoever commits first, and the others read what is newer.
///
/// A server is to the store what a page is to a server: it has rows at a place (epoch, revision), and asks for what is newer.
///
///     read(since:) ──▶ rows at a place ──change──▶ keep(at that place) ──▶ kept: they are the list's newest
///          ▲                                             │
///          └───────────────────── outdated ──────────────┘
///
/// Every function returns at once, and calls `then` once, on any thread. What they find at the same time they may have asked
/// for at once.
public protocol SharedListStore: ListStore {
    /// Names this server among those that use the store.
    var node: String { get }

    /// Reads a list from a place on, in one look at one moment; all of it, where the place is nil, of another epoch, or before
    /// the floor. A list that is not there is made.
    ///
    /// - Parameters:
    ///   - known: the place; its tag is what this server can vouch for where the database was started anew.
    ///   - keys: of the requests whose answers this server waits for.
    ///   - people: whose unread rows it wants to know.
    func read(
        _ list: String, since known: StoredPlace?, awaiting keys: [[UInt8]], unreadOf people: UnreadScope,
        then: @escaping @Sendable (Result<StoredUpdate, ListStoreError>) -> Void)

    /// Keeps a change in one transaction, if the list is still where it was made.
    func keep(
        _ change: SharedChange, of list: String, then: @escaping @Sendable (Result<KeepOutcome, ListStoreError>) -> Void
    )

    /// Gives a list a new epoch, if it is still at a place: a client has seen more of its history than there is.
    func renew(
        _ list: String, at place: StoredPlace, then: @escaping @Sendable (Result<KeepOutcome, ListStoreError>) -> Void)

    /// Makes this server the list's leader, if it has none that is there and is in an epoch; the fence, or nil.
    ///
    /// - Parameter epoch: as this server knows it: what it decides as the leader is of this history.
    func lead(_ list: String, in epoch: Epoch, then: @escaping @Sendable (Result<Int?, ListStoreError>) -> Void)

    /// This server leads the list no more.
    func resign(from list: String)

    /// Asks the list's leader, and wakes it. The answers come with a read. What was asked may be lost if the database is killed: it
    /// is to be asked again after `ChangeSignal.reconnect`.
    func ask(
        _ requests: [StoredAgreement.Request], of list: String, watchers: Int,
        then: @escaping @Sendable (Result<AskOutcome, ListStoreError>) -> Void)

    /// Notes how many watch the list here, and whether anybody here waits for its run. Other servers hear of it within a second,
    /// or at once.
    func note(_ interest: StoredAgreement.Interest, in list: String, atOnce isUrgent: Bool)

    /// Hears of lists that may have changed, on any thread, from now on.
    func onChanges(_ tell: @escaping @Sendable (_ list: String, _ signal: ChangeSignal) -> Void)

    /// What it has done so far. From any thread; does not wait for the database.
    var statistics: StoreStatistics { get }

    /// Hears how long operations take from now on, whether they succeed or fail, on any thread: from when they were asked for
    /// to their answer, waiting for a connection included.
    func onDurations(_ tell: @escaping @Sendable (StoreOperation, Duration) -> Void)
}

/// Of whom a server reads what they have not seen.
public enum UnreadScope: Hashable, Sendable {
    case everybody
    /// Of these, where it is not what this server knows.
    case changed([StoredUnread])
}

/// Where a list is in its history.
public struct StoredPlace: Hashable, Sendable {
    /// The history.
    public var epoch: Epoch
    /// How far in it.
    public var revision: Revision
    /// Identifies the commit that made the revision: a random number of whoever made it.
    public var tag: Int

    /// Makes a place.
    public init(epoch: Epoch, revision: Revision, tag: Int) {
        self.epoch = epoch
        self.revision = revision
        self.tag = tag
    }
}

/// What a server finds of a list.
public struct StoredUpdate: Sendable {
    /// The rows.
    public enum Rows: Sendable {
        /// What is newer than the place; it may be nothing.
        case changes(ListChanges)
        /// All of them, with what is remembered of actions and people.
        case whole(KeyedList, actionRuns: [StoredActionRun], unread: [StoredUnread])
    }

    /// Where the list is.
    public var place: StoredPlace
    /// What there is beside the rows.
    public var facts: StoredFacts
    /// The rows, from the place on that was asked for.
    public var rows: Rows
    /// What the servers agree on.
    public var agreement: StoredAgreement

    /// Makes an update.
    public init(place: StoredPlace, facts: StoredFacts, rows: Rows, agreement: StoredAgreement) {
        self.agreement = agreement
        self.place = place
        self.facts = facts
        self.rows = rows
    }
}

/// What a server has kept.
public struct SharedChange: Sendable {
    /// Where the list has to be, or nothing is kept.
    public var place: StoredPlace
    /// What is newer than that, for one revision or several; nil: no row was changed.
    public var rows: ListChanges?
    /// Identifies it.
    public var tag: Int
    /// What is to be kept beside the rows.
    public var facts: StoredFacts
    /// What a leader changes; nil: only additions to the facts are kept. It is outdated where another leads.
    public var leading: (fence: Int, state: [UInt8]?)?
    /// Answers to requests.
    public var answers: [StoredAgreement.Answer] = []
    /// The keys of what must not be done twice: it is outdated where one was answered.
    public var newKeys: [[UInt8]] = []

    /// Makes a change.
    public init(place: StoredPlace, rows: ListChanges?, tag: Int = .random(in: 1 ... .max), facts: StoredFacts) {
        self.place = place
        self.rows = rows
        self.tag = tag
        self.facts = facts
    }

    /// The answers that stand whatever becomes of the change.
    public var decisions: some Sequence<StoredAgreement.Answer> { answers.lazy.filter { !newKeys.contains($0.key) } }

    /// Where the list is once it is kept.
    public var next: StoredPlace {
        guard let rows else { return place }
        return StoredPlace(epoch: place.epoch, revision: rows.revision, tag: tag)
    }
}

/// What came of asking the leader.
public enum AskOutcome: Hashable, Sendable {
    /// The leader is told of all of it.
    case asked
    /// Some of it was asked before, and may be answered already: it is to be read.
    case askedBefore
}

/// What came of a change.
public enum KeepOutcome: Hashable, Sendable {
    /// It survives whatever the database survives.
    case kept
    /// The list was elsewhere already, and nothing was kept: read on, and try again.
    case outdated
}
