public import KeyedLists

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
        _ other: some RowSource, uniquingKeysWith combine: @escaping @Sendable (Row, Row) throws -> Row
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
        _ other: some RowSource, _ combine: @escaping @Sendable (Row, Row?) throws -> Row
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
    let rows: [Row]
    private let byKey: [Key: Row]

    /// - Throws: `SourceError` if two have one key: which of them is meant?
    init(_ rows: [Row]) throws(SourceError) {
        var byKey: [Key: Row] = [:]
        for row in rows {
            if byKey.updateValue(row, forKey: row.key) != nil {
                throw SourceError(message: "Two rows to be joined have the key “\(row.key)”.")
            }
        }
        self.rows = rows
        self.byKey = byKey
    }

    subscript(key: Key) -> Row? { byKey[key] }
}
