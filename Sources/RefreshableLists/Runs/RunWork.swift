import KeyedLists
import ListSources

/// The rows of the run under way: what its handler yielded, and what of it is committed.
struct RunWork {
    let id: RunID
    let cause: RefreshCause
    let mode: RefreshableList.Mode
    let startedAt: Moment
    /// Asks the handler to stop. Nil before it has begun and once it has ended.
    var cancel: (@Sendable () -> Void)?
    /// Everything yielded, in order: what the list holds if the run succeeds.
    private(set) var rows: [ListRow] = []
    /// How many of `rows` are committed already, in mode `stream`.
    private var committedCount = 0
    /// When rows were last committed (uptime).
    private var committedAt: Int64?
    var isFlushScheduled = false
    /// The details of its failure for the log, where the message has less.
    var detail: String?
    /// Whether no rows follow those of its page.
    var isLastPage = false
    /// Rows that others pushed since the run began: it neither overwrites nor removes them.
    var crossed: Set<Key> = []
    /// The keys of `rows`, where one that comes again is passed over; else nil.
    private var keys: Set<Key>?
    /// What it did to the list.
    var changes = ChangeCounts()
    /// What edits did to the list while it was under way: the handler's own work, where it edits.
    var edits = ChangeCounts()

    /// The pause between two commits of a stream, in milliseconds. Twenty a second look continuous.
    static let pause: Int64 = 50

    init(id: RunID, cause: RefreshCause, of list: RefreshableList, startedAt: Moment) {
        self.id = id
        self.cause = cause
        self.mode = list.mode
        self.startedAt = startedAt
        keys = list.duplicates == .keepFirst ? [] : nil
    }

    mutating func add(_ more: [ListRow]) { rows += admitted(more) }

    /// The rows without those whose keys the run has had, where such are passed over.
    mutating func admitted(_ more: [ListRow]) -> [ListRow] {
        guard var seen = keys else { return more }
        keys = nil
        defer { keys = seen }
        return more.filter { seen.insert($0.key).inserted }
    }

    /// The handler was one that edits the list by itself.
    mutating func claimEdits() { changes += edits }

    /// When the rows that wait may be committed (uptime); nil where none wait.
    func nextFlush(now: Moment) -> Int64? {
        guard mode == .stream, committedCount < rows.count else { return nil }
        return max(now.uptime, (committedAt ?? .min / 2) + Self.pause)
    }

    /// The rows to commit now, and the key of the row to put them after: the last one yielded before that is still there,
    /// for others may have removed some.
    mutating func takePending(now: Moment, isThere: (Key) -> Bool) -> (rows: [ListRow], after: Key?) {
        defer {
            committedCount = rows.count
            committedAt = now.uptime
        }
        let last = rows[..<committedCount].last { isThere($0.key) }?.key
        return (Array(rows[committedCount...]), last)
    }
}

/// An event that a handler sends to its list while it runs.
enum RunEvent: Sendable {
    case rows([ListRow])
    case progress(RunProgress)
    /// The handler returned: what it yielded is the list.
    case returned
    /// The handler returned: the list is what its edits made of it.
    case edited
    /// The handler returned: these rows follow the last one.
    case page(MorePage)
    /// The handler returned: this is in the windows that are looked at.
    case windows([ListView: WindowRows])
    case threw(any Error)

    var isEnd: Bool {
        switch self {
        case .returned, .edited, .page, .windows, .threw: true
        case .rows, .progress: false
        }
    }
}

/// The progress of a run.
public struct RunProgress: Hashable, Sendable {
    /// How many units are done.
    public var completed: Int
    /// Of how many; nil where that is not known.
    public var total: Int?
    /// A few words, such as "page 3".
    public var note: String?
}
