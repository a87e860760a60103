public import KeyedLists
import Locking

/// Where the rows of a list come from: a command, a demo, or a type of your own.
///
/// ```
///   a run begins ──▶ rows(into: run) ──▶ run.yield(rows) … run.progress(…) … ──▶ returns: success
///                                                                             └─▶ throws:  failure, old rows stay
/// ```
public protocol RowSource: Sendable {
    /// Produces the rows of one run, in the order in which the list shows them.
    ///
    /// Yield each as soon as it is known: a list in `stream` mode shows it while the run goes on. The run lasts as long
    /// as this function; what a task started here yields after it returned is rejected. Heed cancellation: nobody
    /// waits for the rows any more, or the deadline has passed.
    ///
    /// - Throws: `SourceError`, whose text people see; any other error is logged and shown as a plain failure.
    func rows(into run: any RowSink) async throws
}

/// Takes the rows of one run. May be called from any thread; never blocks.
public protocol RowSink: Sendable {
    /// Adds rows, in order, after those yielded before.
    func yield(_ rows: [ListRow])

    /// Reports the progress of the work.
    ///
    /// - Parameters:
    ///   - completed: how many units are done.
    ///   - total: of how many; nil where that is not known.
    ///   - note: a few words, such as "page 3".
    func progress(_ completed: Int, of total: Int?, note: String?)

    /// Whether it notices by itself that a key comes twice: then a source need not remember all of them. Default: false.
    var checksKeys: Bool { get }
}

extension RowSink {
    /// False.
    public var checksKeys: Bool { false }
}

/// A source that notices by itself when its rows may be others than those it gave last.
///
/// Its list is refreshed then, if somebody watches it, and else when somebody next does.
public protocol ChangingSource: RowSource {
    /// An element for each time that rows may have changed from now on; changes that come close together are one.
    ///
    /// Called once for each list. It ends when whoever reads it stops.
    func changes() -> AsyncStream<Void>
}

/// A source whose rows come a page at a time: its `rows(into:)` gives the first.
public protocol PagedSource: RowSource {
    /// Whether the source has pages beyond the first. Default: true.
    var hasPages: Bool { get }

    /// Produces the rows that follow the last one that the list has.
    ///
    /// - Throws: as `rows(into:)`. The list stays as it is then, and the page may be asked for again.
    func rows(after last: ListRow) async throws -> MorePage
}

extension PagedSource {
    /// True.
    public var hasPages: Bool { true }
}

/// The rows that follow the last one of a list, and whether any follow those.
public struct MorePage: Sendable {
    /// In order. A row that the list has already is brought up to date where it is; the others go to the end.
    public var rows: [ListRow]
    /// Whether the list has no more rows after these: then no further page is offered until it is refreshed.
    public var isLast: Bool

    /// A page; more may follow unless `isLast` is true.
    public init(_ rows: [ListRow], isLast: Bool) {
        self.rows = rows
        self.isLast = isLast
    }
}

/// Why a source could not produce its rows, once for the person at the page and once for the log.
public struct SourceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One or two sentences for the person at the page. Holds no path, no environment and no program output.
    public var message: String
    /// What the person who runs the server needs to mend it, such as the end of a command's error output.
    public var detail: String
    /// When another try makes sense; nil where that is not known.
    public var retryAfter: Duration?
    /// A word for programs, and what a message of theirs in another language has to have in it.
    package var code = "source"
    package var values: [String] = []

    /// - Parameters:
    ///   - message: for the person at the page.
    ///   - detail: for the log; empty where the message says it all.
    ///   - retryAfter: from now.
    public init(message: String, detail: String = "", retryAfter: Duration? = nil) {
        self.message = message
        self.detail = detail
        self.retryAfter = retryAfter
    }

    /// This error with a code of its own: pages have a text for it in the reader's language.
    package func coded(_ code: String, _ values: String...) -> Self {
        var error = self
        error.code = code
        error.values = values
        return error
    }

    /// Both texts, as a log shows them.
    public var description: String { detail.isEmpty ? message : "\(message) \(detail)" }
}

extension RowSource {
    /// Runs the source once and gives all its rows; of a source with pages those of the first.
    ///
    /// - Throws: as `rows(into:)`.
    public func rows() async throws -> [ListRow] { try await rows(reportingTo: nil) }

    func rows(reportingTo run: (any RowSink)?) async throws -> [ListRow] {
        let sink = CollectingSink(reportingTo: run)
        try await rows(into: sink)
        return sink.rows
    }
}

/// Keeps the rows of a run until it is over.
final class CollectingSink: RowSink {
    private let gathered = Locked<[ListRow]>([])
    private let run: (any RowSink)?

    /// - Parameter run: receives the progress; nil: it is dropped.
    init(reportingTo run: (any RowSink)? = nil) {
        self.run = run
    }

    var rows: [ListRow] { gathered.withLock { $0 } }

    func yield(_ rows: [ListRow]) { gathered.withLock { $0 += rows } }

    func progress(_ completed: Int, of total: Int?, note: String?) { run?.progress(completed, of: total, note: note) }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The time of day.
package enum WallClock {
    /// Milliseconds since 1970.
    @Sendable package static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
