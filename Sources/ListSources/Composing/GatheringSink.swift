import KeyedLists

/// Keeps the rows of a run until it is over.
final class GatheringSink: RowSink {
    private let gathered = Locked<[Row]>([])
    private let run: (any RowSink)?

    /// - Parameter run: hears of the progress; nil: nobody does.
    init(reportingTo run: (any RowSink)? = nil) {
        self.run = run
    }

    var rows: [Row] { gathered.withLock { $0 } }

    func yield(_ rows: [Row]) { gathered.withLock { $0 += rows } }

    func progress(_ completed: Int, of total: Int?, note: String?) { run?.progress(completed, of: total, note: note) }
}
