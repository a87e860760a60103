public import KeyedLists
public import ListSources
public import Pulling

/// Describes a list that people can pull down to refresh: its name, where its rows come from, and how it behaves.
///
/// ```swift
/// RefreshableList("mailbox")
///     .refreshable { try await mailbox.fetch().map { Row($0.id, title: $0.subject) } }
///     .every(.seconds(300))
/// ```
///
/// A value: each modifier returns a changed copy. A `RefreshableServer` serves it as a `LiveList`.
public struct RefreshableList: Sendable {
    /// How the rows of a run reach the list.
    public enum Mode: String, CaseIterable, Sendable {
        /// All at the end of a successful run, by the smallest patch.
        case replace
        /// As they are yielded; those not seen again leave when the run succeeds.
        case stream
    }

    /// Says no to a refresh before it begins, with a reason for the person who asked; nil lets it begin.
    public typealias Refusal = @Sendable () -> String?

    typealias Handler = @concurrent @Sendable (RefreshRun) async throws -> Void

    /// In URLs and messages.
    public let name: String
    /// What people read above the list.
    public let title: String
    var handler: Handler?
    var aftermath: Aftermath?
    var initialRows: [Row]?
    var mode = Mode.replace
    var rules = RefreshGate.Rules()
    var maximumAge: Duration?
    var refusal: Refusal = { nil }
    var pull = PullConfiguration.standard
    var haptics = false
    var indicator = "default"
    var texts: [String: String] = [:]

    /// - Parameters:
    ///   - name: letters, digits, `.`, `_` and `-`, as it stands in `/lists/NAME`.
    ///   - title: the name, capitalised, unless given.
    public init(_ name: String, title: String? = nil) {
        self.name = name
        self.title = title ?? name.prefix(1).uppercased() + name.dropFirst()
    }

    // MARK: Where rows come from

    /// Loads the list, at first and at every refresh, with the rows that `action` returns.
    ///
    /// The indicator is shown for exactly as long as `action` runs. It runs on the concurrent pool and is cancelled
    /// when a person stops it, when it is silent for longer than the deadline, or when nobody waits for it any more.
    public func refreshable(_ action: @escaping @concurrent @Sendable () async throws -> [Row]) -> Self {
        refreshable { run in run.yield(try await action()) }
    }

    /// Loads the list with the rows that `action` yields, as it yields them where the mode is `stream`.
    public func refreshable(_ action: @escaping @concurrent @Sendable (RefreshRun) async throws -> Void) -> Self {
        with { $0.handler = action }
    }

    /// Loads the list from a source: a command, a demo, or one of your own.
    public func source(_ source: any RowSource) -> Self {
        refreshable { run in try await source.rows(into: run) }
    }

    /// Starts with these rows, without a run. Rows kept from an earlier start are not replaced.
    public func rows(_ rows: [Row]) -> Self { with { $0.initialRows = rows } }

    /// Edits the list some time after a run of it ended, unless another run began by then.
    ///
    /// - Parameter rows: what the list then holds, by the smallest patch.
    public func then(after delay: Duration, rows: @escaping @Sendable () -> [Row]) -> Self {
        with { $0.aftermath = Aftermath(delay: delay, rows: rows) }
    }

    // MARK: How it refreshes

    /// `replace` unless set.
    public func mode(_ mode: Mode) -> Self { with { $0.mode = mode } }

    /// How long a run may go without a row or a report before it ends as timed out. 30 s unless set; nil: for ever.
    public func deadline(_ deadline: Duration?) -> Self { with { $0.rules.deadline = deadline } }

    /// Refreshes by itself this long after the last run began, while somebody watches.
    public func every(_ interval: Duration?) -> Self { with { $0.rules.every = interval } }

    /// Refreshes when somebody comes to watch rows that are older than this.
    public func maximumAge(_ age: Duration?) -> Self { with { $0.maximumAge = age } }

    /// Answers a pull that comes sooner than this after a success from what is there.
    public func minimumInterval(_ interval: Duration?) -> Self { with { $0.rules.minimumInterval = interval } }

    /// Asks before each run whether it may begin. Called on the list's thread: answer at once.
    public func shouldRefresh(_ refusal: @escaping Refusal) -> Self { with { $0.refusal = refusal } }

    // MARK: How it feels

    /// Where a pull primes and triggers, in displayed px.
    public func pull(_ configuration: PullConfiguration) -> Self { with { $0.pull = configuration } }

    /// Whether phones that can do so tick when the pull primes.
    public func haptics(_ isOn: Bool = true) -> Self { with { $0.haptics = isOn } }

    /// `default`, `simple`, `circular`, or a name that the page knows.
    public func indicator(_ name: String) -> Self { with { $0.indicator = name } }

    /// What the indicator says, by phase: `waiting`, `primed`, `loading`, `closing`.
    public func texts(_ texts: [String: String]) -> Self { with { $0.texts = texts } }

    private func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

/// An edit that follows a run without being one.
struct Aftermath: Sendable {
    var delay: Duration
    var rows: @Sendable () -> [Row]
}
