public import KeyedLists

/// Takes the rows of one run. May be called from any thread; never blocks.
public protocol RowSink: Sendable {
    /// Adds rows, in order, after those yielded before.
    func yield(_ rows: [Row])

    /// Tells people how far the work is.
    ///
    /// - Parameters:
    ///   - completed: how many units are done.
    ///   - total: of how many; nil where that is not known.
    ///   - note: a few words, such as "page 3".
    func progress(_ completed: Int, of total: Int?, note: String?)
}
