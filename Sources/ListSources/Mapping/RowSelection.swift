/// Which of a source's rows are shown, and in which order. Unless said otherwise all, as they come.
///
/// It goes by what the source reads, not by what rows show: a column need not be a field to be sorted by.
public struct RowSelection: Hashable, Sendable {
    /// What a row has to meet, all of it.
    public var filter: [Comparison]
    /// By what rows are sorted: by the first, alike ones by the second, and so on. Rows then appear when all are read.
    public var sort: [SortOrder]
    /// How many rows there are at most; nil: all.
    public var limit: Int?

    /// All rows, unless something is said.
    public init(filter: [Comparison] = [], sort: [SortOrder] = [], limit: Int? = nil) {
        self.filter = filter
        self.sort = sort
        self.limit = limit
    }

    var columns: [Column] { filter.map(\.column) + sort.map(\.column) }
}
