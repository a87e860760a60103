public import KeyedLists
import Locking

/// Sources are changed as sequences are.
///
/// ```swift
/// WebSource(WebRequest("https://api.example.org/people"))
///     .filter { $0.badge != "away" }
///     .map { person in
///         var row = person
///         row.subtitle = row.subtitle?.uppercased()
///         return row
///     }
///     .prefix(50)
/// ```
///
/// Rows are changed as they come, so a list in `stream` mode shows them as soon as before. What a closure throws fails
/// the run. Closures are called on any thread, one at a time, and must not block.
extension RowSource {
    /// Makes another row of each, on the first page and on those that follow.
    ///
    /// A key that is changed on a list with pages has to be one that the source knows: its next page follows the last
    /// row that the list has.
    public func map(_ transform: @escaping @Sendable (ListRow) throws -> ListRow) -> ComposedSource {
        passing { try $0.map(transform) }
    }

    /// Makes another row of each, or none.
    public func compactMap(_ transform: @escaping @Sendable (ListRow) throws -> ListRow?) -> ComposedSource {
        passing { try $0.compactMap(transform) }
    }

    /// Leaves out rows that do not meet a condition.
    public func filter(_ isIncluded: @escaping @Sendable (ListRow) throws -> Bool) -> ComposedSource {
        passing { try $0.filter(isIncluded) }
    }

    /// Ends after so many rows: the source is cancelled then. The list comes in one piece.
    ///
    /// - Parameter length: not negative.
    public func prefix(_ length: Int) -> ComposedSource {
        precondition(length >= 0, "A list can't have \(length) rows.")
        return ComposedSource([self]) { [self] run in
            guard length > 0 else { return }
            let left = Locked(length)
            try await ForwardingSink.pass(from: self, to: run) { rows in
                left.withLock { left in
                    let rows = Array(rows.prefix(left))
                    left -= rows.count
                    return ForwardingSink.Passed(rows: rows, isLast: left == 0)
                }
            }
        }
    }

    /// Sorts the rows, which appear when all are there. Rows that are alike keep their order. The list comes in one piece.
    ///
    /// - Parameter precedes: whether the first has to come before the second.
    public func sorted(by precedes: @escaping @Sendable (ListRow, ListRow) throws -> Bool) -> ComposedSource {
        ComposedSource([self]) { [self] run in
            // Stable: SE-0372.
            run.yield(try await rows(reportingTo: run).sorted(by: precedes))
        }
    }

    /// Rows that came together become others, and so do the pages.
    private func passing(_ change: @escaping @Sendable ([ListRow]) throws -> [ListRow]) -> ComposedSource {
        let run: ComposedSource.Rows = { [self] run in
            try await ForwardingSink.pass(from: self, to: run) { ForwardingSink.Passed(rows: try change($0)) }
        }
        guard let paged = self as? any PagedSource, paged.hasPages else { return ComposedSource([self], run: run) }
        return ComposedSource([self], run: run) { last in
            let page = try await paged.rows(after: last)
            return MorePage(try change(page.rows), isLast: page.isLast)
        }
    }
}

/// Two sources become one. Both run at once, and if one fails the run does; its progress is that of the first.
extension RowSource {
    /// The rows of this source, and then those of another.
    ///
    /// No key may be in both: map the keys of one, or use `merging`. Pages are those of the other, as its rows are the
    /// last.
    public func followed(by other: some RowSource) -> ComposedSource {
        let run: ComposedSource.Rows = { [self] run in
            async let following = other.rows()
            try await rows(into: run)
            run.yield(try await following)
        }
        guard let paged = other as? any PagedSource, paged.hasPages else {
            return ComposedSource([self, other], run: run)
        }
        return ComposedSource([self, other], run: run) { try await paged.rows(after: $0) }
    }

    /// The rows of this source, and then those that only another has. What both have stands once, where this source
    /// has it. The list comes in one piece.
    ///
    /// - Parameter combine: makes one row of two with the same key, the first of them this source's.
    public func merging(
        _ other: some RowSource, uniquingKeysWith combine: @escaping @Sendable (ListRow, ListRow) throws -> ListRow
    ) -> ComposedSource {
        ComposedSource([self, other]) { [self] run in
            async let others = other.rows()
            let own = try await rows(reportingTo: run)
            let found = try await Found(others)
            run.yield(try own.map { row in try found[row.key].map { try combine(row, $0) } ?? row })
            let keys = Set(own.map(\.key))
            run.yield(found.rows.filter { !keys.contains($0.key) })
        }
    }

    /// The rows of this source, each with what another source has under the same key. Rows that only the other has are
    /// left out. Pages are those of this source; the other runs anew for each.
    ///
    /// ```swift
    /// FileSource("menu.csv").joining(SQLiteSource("stock.db", query: "SELECT dish AS key, left AS title FROM stock")) {
    ///     dish, stock in
    ///     var row = dish
    ///     row.badge = stock?.title == "0" ? "sold out" : nil
    ///     return row
    /// }
    /// ```
    ///
    /// - Parameter combine: makes one row of this source's and the other's, which is nil where it has none.
    public func joining(
        _ other: some RowSource, _ combine: @escaping @Sendable (ListRow, ListRow?) throws -> ListRow
    ) -> ComposedSource {
        let run: ComposedSource.Rows = { [self] run in
            async let others = other.rows()
            let own = try await rows(reportingTo: run)
            let found = try await Found(others)
            run.yield(try own.map { try combine($0, found[$0.key]) })
        }
        guard let paged = self as? any PagedSource, paged.hasPages else {
            return ComposedSource([self, other], run: run)
        }
        return ComposedSource([self, other], run: run) { last in
            async let others = other.rows()
            let page = try await paged.rows(after: last)
            let found = try await Found(others)
            return MorePage(try page.rows.map { try combine($0, found[$0.key]) }, isLast: page.isLast)
        }
    }
}

/// Rows that are looked up.
private struct Found {
    let rows: [ListRow]
    private let byKey: [Key: ListRow]

    /// - Throws: `SourceError` if two have one key: which of them is meant?
    init(_ rows: [ListRow]) throws(SourceError) {
        var byKey: [Key: ListRow] = [:]
        for row in rows {
            if byKey.updateValue(row, forKey: row.key) != nil {
                throw SourceError(message: "Two rows to be joined have the key “\(row.key)”.")
            }
        }
        self.rows = rows
        self.byKey = byKey
    }

    subscript(key: Key) -> ListRow? { byKey[key] }
}
