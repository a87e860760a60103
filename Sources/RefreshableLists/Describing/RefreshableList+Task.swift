public import KeyedLists

/// The initial load, where it is not a refresh.
extension RefreshableList {
    /// Loads the list when somebody first watches it, with the rows that `action` returns, in place of the handler of
    /// `refreshable`.
    ///
    /// Alone it gives no pull and no button: the list is loaded once, and again where `maximumAge` or `every` say so.
    public func task(_ action: (@concurrent @Sendable () async throws -> [Row])?) -> Self {
        with { $0.initialHandler = action.map(RefreshHandler.returning) }
    }

    /// Loads the list when somebody first watches it, with rows made of the texts or values that `action` returns.
    public func task<Rows: Sequence & SendableMetatype>(
        _ action: @escaping @concurrent @Sendable () async throws -> Rows
    ) -> Self where Rows.Element: RowConvertible {
        with { $0.initialHandler = .returning { try await action().map(\.row) } }
    }

    /// Loads the list when somebody first watches it, with the rows that `action` yields.
    public func task(_ action: @escaping @concurrent @Sendable (RefreshRun) async throws -> Void) -> Self {
        with { $0.initialHandler = .yields(action) }
    }

    /// Does this when somebody first watches the list; the rows stay as its edits leave them.
    public func task(_ action: @escaping @concurrent @Sendable () async throws -> Void) -> Self {
        with { $0.initialHandler = .edits { _ in try await action() } }
    }
}
