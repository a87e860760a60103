public import KeyedLists

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
    public func map(_ transform: @escaping @Sendable (Row) throws -> Row) -> ComposedSource {
        passing { try $0.map(transform) }
    }

    /// Makes another row of each, or none.
    public func compactMap(_ transform: @escaping @Sendable (Row) throws -> Row?) -> ComposedSource {
        passing { try $0.compactMap(transform) }
    }

    /// Leaves out rows that do not meet a condition.
    public func filter(_ isIncluded: @escaping @Sendable (Row) throws -> Bool) -> ComposedSource {
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
            try await PassingSink.pass(from: self, to: run) { rows in
                left.withLock { left in
                    let rows = Array(rows.prefix(left))
                    left -= rows.count
                    return PassingSink.Passed(rows: rows, isLast: left == 0)
                }
            }
        }
    }

    /// Sorts the rows, which appear when all are there. Rows that are alike keep their order. The list comes in one piece.
    ///
    /// - Parameter precedes: whether the first has to come before the second.
    public func sorted(by precedes: @escaping @Sendable (Row, Row) throws -> Bool) -> ComposedSource {
        ComposedSource([self]) { [self] run in
            // Stable: SE-0372.
            run.yield(try await rows(reportingTo: run).sorted(by: precedes))
        }
    }

    /// Rows that came together become others, and so do the pages.
    private func passing(_ change: @escaping @Sendable ([Row]) throws -> [Row]) -> ComposedSource {
        let run: ComposedSource.Rows = { [self] run in
            try await PassingSink.pass(from: self, to: run) { PassingSink.Passed(rows: try change($0)) }
        }
        guard let paged = self as? any PagedSource, paged.hasPages else { return ComposedSource([self], run: run) }
        return ComposedSource([self], run: run) { last in
            let page = try await paged.rows(after: last)
            return MorePage(try change(page.rows), isLast: page.isLast)
        }
    }
}
