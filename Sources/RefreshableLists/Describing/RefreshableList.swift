import KeyedLists
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

    /// In URLs and messages.
    public let name: String
    /// What people read above the list.
    public let title: String
    /// What a refresh does; nil where there is nothing to refresh the list with.
    package var handler: RefreshHandler?
    /// What the initial load does, where it is not the same.
    package var initialHandler: RefreshHandler?
    /// What loads the rows that follow the last one; nil where the list comes in one piece.
    package var pages: (@Sendable (_ last: Row) -> RefreshHandler)?
    var aftermath: Aftermath?
    var initialRows: [Row]?
    /// Whether other programs may change the rows.
    var acceptsPushes = false
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

    package func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}
