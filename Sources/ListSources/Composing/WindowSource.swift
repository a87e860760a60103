public import KeyedLists

/// A source that is asked for the rows that somebody looks at, and for no others: of a table of millions, no copy is kept.
///
/// ```
///   somebody looks ──▶ rows(in: window, of: query) ──▶ at most some hundred rows, and where they are
///   a run begins   ──▶ prepare(…) ──▶ rows(…) of each window that is looked at ──▶ what differs is sent
/// ```
///
/// Its functions are called from several tasks at once.
public protocol WindowSource: Sendable {
    /// Reads the rows of a window, in the order in which the list shows them.
    ///
    /// - Parameters:
    ///   - window: the part that is looked at. Rows that are not there are left out.
    ///   - query: what is looked for. A source may refuse what it can't find, by an error that says so.
    /// - Returns: the rows, or those that were found first while the rest is yet to be looked for (`isSearching`): then it is asked
    ///   again at once, until all of it was, or nobody waits for it any more. Nil where the window is around a row that is not there,
    ///   and names no index.
    /// - Throws: `SourceError`, whose text people see; any other error is logged and shown as a plain failure.
    func rows(in window: Window, of query: RowQuery) async throws -> WindowRows?

    /// Forgets what it has remembered of the rows, for they may have changed. Called when a run begins; the run waits for it.
    ///
    /// - Parameter report: shows people how far the work is, and restarts the deadline of the run. For a source that takes long.
    /// - Throws: as `rows(in:of:)`; the run fails then.
    func prepare(_ report: @escaping ProgressReport) async throws

    /// An element for each time that rows may have changed from now on; nil where it does not notice that.
    func changes() -> AsyncStream<Void>?
}

/// Tells how many units of some work are done, of how many (`nil`: that is not known), and a few words, such as "page 3".
public typealias ProgressReport = @Sendable (_ completed: Int, _ total: Int?, _ note: String?) -> Void

extension WindowSource {
    /// Does nothing.
    public func prepare(_ report: @escaping ProgressReport) async throws {}
    /// Nil.
    public func changes() -> AsyncStream<Void>? { nil }
}

/// The rows of a window, and where it lies.
public struct WindowRows: Hashable, Sendable {
    /// In order. No two have the same key.
    public var rows: [ListRow]
    /// How many rows come before them.
    public var first: Int
    /// How many rows there are in all.
    public var total: Int
    /// Whether there may be more, which are yet to be looked for: then `total` is what was found until now.
    public var isSearching: Bool

    /// Rows of a window.
    public init(_ rows: [ListRow], first: Int, total: Int, isSearching: Bool = false) {
        (self.rows, self.first, self.total, self.isSearching) = (rows, first, total, isSearching)
    }

    /// Where they lie.
    package var place: WindowPlace { WindowPlace(first: first, total: total, isSearching: isSearching) }
}
