public import KeyedLists

/// A source whose rows come a page at a time: its `rows(into:)` gives the first.
public protocol PagedSource: RowSource {
    /// Whether rows may follow the first page at all. True unless a source says otherwise.
    var hasPages: Bool { get }

    /// Produces the rows that follow the last one that the list has.
    ///
    /// - Throws: as `rows(into:)`. The list stays as it is then, and the page may be asked for again.
    func rows(after last: Row) async throws -> MorePage
}

extension PagedSource {
    /// True.
    public var hasPages: Bool { true }
}
