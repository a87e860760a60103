public import KeyedLists

/// The rows that follow the last one of a list, and whether any follow those.
public struct MorePage: Sendable {
    /// In order. A row that the list has already is brought up to date where it is; the others go to the end.
    public var rows: [Row]
    /// Whether the list has no more rows after these: then nobody is offered another page until it is refreshed.
    public var isLast: Bool

    /// A page, after which there may be more unless `isLast` says so.
    public init(_ rows: [Row], isLast: Bool) {
        self.rows = rows
        self.isLast = isLast
    }
}
