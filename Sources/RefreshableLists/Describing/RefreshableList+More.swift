public import KeyedLists
public import ListSources

/// Lists that are loaded a page at a time.
///
/// ```swift
/// RefreshableList("archive")
///     .refreshable { try await archive.letters(before: nil) }
///     .more { last in try await archive.letters(before: last.key.string) }
/// ```
///
/// The refresh gives the first page, and is shown that alone; each page that somebody asks for follows the last row.
/// Loading a page is a run: one for all who ask, with its deadline, and with an outcome that everybody hears of. But it
/// is no refresh: it does not move "updated", and a failure does not mark the rows as stale. A refresh that begins
/// meanwhile ends it as cancelled, and its rows are late then and dropped.
extension RefreshableList {
    /// Loads the rows that follow `last`, when somebody asks for them. An empty array says that there are none: nobody
    /// is offered another page then, until the list is refreshed with success.
    public func more(_ load: (@concurrent @Sendable (_ last: Row) async throws -> [Row])?) -> Self {
        // Optional as in `refreshable`, so that an empty array is one of rows.
        with { $0.pages = load.map(Self.pages) }
    }

    /// Loads rows made of the texts or values that follow `last`. None says that there are none.
    public func more<Rows: Sequence & SendableMetatype>(
        _ load: @escaping @concurrent @Sendable (_ last: Row) async throws -> Rows
    ) -> Self where Rows.Element: RowConvertible {
        with { $0.pages = Self.pages { last in try await load(last).map(\.row) } }
    }

    /// Loads the page that follows `last`, which knows whether it is the last one.
    public func more(_ load: @escaping @concurrent @Sendable (_ last: Row) async throws -> MorePage) -> Self {
        with { $0.pages = { last in .continues { _ in try await load(last) } } }
    }

    private static func pages(
        _ load: @escaping @concurrent @Sendable (_ last: Row) async throws -> [Row]
    ) -> @Sendable (Row) -> RefreshHandler {
        { last in
            .continues { _ in
                let rows = try await load(last)
                return MorePage(rows, isLast: rows.isEmpty)
            }
        }
    }
}
