public import KeyedLists
public import ListSources

/// Where rows come from.
///
/// A handler has one of four forms, and `refreshable` and `task` take each of them:
///
/// ```swift
/// .refreshable { try await market.fruit() }                    // returns the rows: [Row], [String], your own type
/// .refreshable { run in for try await row in feed { run.yield(row) } }     // yields them, and reports progress
/// .refreshable { try await mailbox.synchronise() }             // edits the list by itself
/// .onRefresh { done in legacy.load { rows in done(rows) } }    // calls back
/// ```
///
/// A handler runs on threads for handlers, and one that blocks its thread holds up no other. The indicator is shown for
/// exactly as long as it runs, so await all work inside it: what it leaves to a `Task` of its own is no part of the run. It
/// is cancelled when a person stops it, when it is silent for longer than the deadline, or when nobody waits for it any
/// more. What it throws is the run's outcome: let errors out, and throw a `RefreshFailure` to say what people read.
extension RefreshableList {
    /// Loads the list, at first and at every refresh, with the rows that `action` returns. Nil: it is not refreshed.
    ///
    /// A body that is one `if` or `switch` needs its `return`s: without, Swift takes it for the form that returns
    /// nothing, and warns that its rows are unused.
    public func refreshable(_ action: (@concurrent @Sendable () async throws -> [Row])?) -> Self {
        // Optional, so that Swift ranks it after the form that returns nothing where a body has no `return`, but before
        // it for a single expression: HandlerShapeTests has the closures that people write.
        with { $0.handler = action.map(RefreshHandler.returning) }
    }

    /// Loads the list, at first and at every refresh, with rows made of the texts or values that `action` returns.
    public func refreshable<Rows: Sequence & SendableMetatype>(
        _ action: @escaping @concurrent @Sendable () async throws -> Rows
    ) -> Self where Rows.Element: RowConvertible {
        with { $0.handler = .returning { try await action().map(\.row) } }
    }

    /// Loads the list with the rows that `action` yields, as it yields them where the mode is `stream`.
    ///
    /// What it yielded is the list once it has returned: rows that it did not yield leave then, and only then.
    public func refreshable(_ action: @escaping @concurrent @Sendable (RefreshRun) async throws -> Void) -> Self {
        with { $0.handler = .yields(action) }
    }

    /// Lets `action` do the whole work: it edits the list by itself, and the rows stay as it leaves them.
    public func refreshable(_ action: @escaping @concurrent @Sendable () async throws -> Void) -> Self {
        with { $0.handler = .edits { _ in try await action() } }
    }

    /// Loads the list by work that calls back when it is done: see `RefreshCompletion`.
    ///
    /// The indicator goes away when `done` is called, even if the work goes on; edits of the list that it makes then
    /// belong to no run.
    public func onRefresh(_ action: @escaping @Sendable (_ done: RefreshCompletion) -> Void) -> Self {
        with { $0.handler = .callsBack(action) }
    }

    /// Loads the list from a source: a command, a file, a demo, or one of your own; page by page, if it is a
    /// `PagedSource`, and again when it notices a change, if it is a `ChangingSource`.
    public func source(_ source: any RowSource) -> Self {
        let changes = (source as? any ChangingSource).map { source in { @Sendable in source.changes() } }
        let list = refreshable { run in try await source.rows(into: run) }.with { $0.changes = changes }
        guard let paged = source as? any PagedSource, paged.hasPages else { return list }
        return list.more { last in try await paged.rows(after: last) }
    }

    /// Starts with these rows, without a run. Rows kept from an earlier start are not replaced.
    public func rows(_ rows: [Row]) -> Self { with { $0.initialRows = rows } }

    /// Edits the list some time after a run of it ended, unless another run began by then.
    ///
    /// - Parameters:
    ///   - delay: from the end of the run.
    ///   - rows: what the list then holds, by the smallest patch.
    public func then(after delay: Duration, rows: @escaping @Sendable () -> [Row]) -> Self {
        with { $0.followUpEdit = FollowUpEdit(delay: delay, rows: rows) }
    }

    /// What the gate goes by. A list that nothing can load does not refresh by itself.
    var gateRules: RefreshGate.Rules {
        var rules = rules
        if handler(for: .timer) == nil { rules.every = nil }
        return rules
    }

    /// What a run that begins for this cause does. The initial load has its own handler where one was given; `every`
    /// makes do with that, where the list has no other.
    func handler(for cause: RefreshCause) -> RefreshHandler? {
        switch cause {
        case .initial: initialHandler ?? handler
        case .timer: handler ?? initialHandler
        case .pull, .refresh, .code: handler
        case .more: nil
        }
    }
}

extension RefreshHandler {
    /// The rows that it returns are the list.
    static func returning(_ action: @escaping @concurrent @Sendable () async throws -> [Row]) -> RefreshHandler {
        .yields { run in run.yield(try await action()) }
    }
}

/// An edit that follows a run without being one.
struct FollowUpEdit: Sendable {
    var delay: Duration
    var rows: @Sendable () -> [Row]
}
