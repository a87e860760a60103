public import KeyedLists
public import ListSources

/// The run a handler works for: where its rows and its progress go.
///
/// The run ends when the handler returns or throws, so await all work inside it: rows from a task that outlives the
/// handler are rejected. Every method may be called from any thread and never blocks.
public final class RefreshRun: RowSink {
    /// This run's name, as clients see it.
    public let id: RunID
    /// Why it began.
    public let cause: RefreshCause
    fileprivate let post: @Sendable (RunEvent) -> Void

    init(id: RunID, cause: RefreshCause, post: @escaping @Sendable (RunEvent) -> Void) {
        self.id = id
        self.cause = cause
        self.post = post
    }

    /// Adds a row. In `stream` mode people see it within 50 ms; in `replace` mode when the run succeeds.
    public func yield(_ row: Row) { post(.rows([row])) }

    /// Adds rows, in order.
    public func yield(_ rows: [Row]) {
        if !rows.isEmpty { post(.rows(rows)) }
    }

    /// Adds a text or a value of your own as a row.
    @_disfavoredOverload
    public func yield(_ row: some RowConvertible) { yield(row.row) }

    /// Adds texts or values of your own as rows, in order.
    @_disfavoredOverload
    public func yield<Rows: Sequence>(_ rows: Rows) where Rows.Element: RowConvertible { yield(rows.map(\.row)) }

    /// Tells people how far the work is. A run that reports is never too late.
    ///
    /// - Parameters:
    ///   - completed: how many units are done.
    ///   - total: of how many; nil where that is not known: the indicator then shows no share.
    ///   - note: a few words, such as "page 3".
    public func progress(_ completed: Int, of total: Int? = nil, _ note: String? = nil) {
        post(.progress(RunProgress(completed: completed, total: total, note: note)))
    }

    /// As above, for a `RowSource`.
    public func progress(_ completed: Int, of total: Int?, note: String?) { progress(completed, of: total, note) }
}

extension RefreshRun {
    /// The handler is done.
    func end(_ event: RunEvent) { post(event) }
}
