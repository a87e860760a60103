import KeyedLists
import Pulling

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
    /// Begins to tell when the rows may have changed, where the source notices that.
    var changes: (@Sendable () -> AsyncStream<Void>)?
    var followUpEdit: FollowUpEdit?
    var initialRows: [Row]?
    /// Whether other programs may change the rows.
    var acceptsPushes = false
    var mode = Mode.replace
    var rules = RefreshGate.Rules()
    var maximumAge: Duration?
    var pull = PullConfiguration.standard
    /// What the last `pull(…)` got that no pull can be measured by.
    var pullFault: PullConfigurationError?
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

    package func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}
