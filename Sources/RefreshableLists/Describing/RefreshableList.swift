import KeyedLists
package import ListProtocol
import ListSources
import Pulling

/// Describes a list that people can pull down to refresh: its name, where its rows come from, and how it behaves.
///
/// ```swift
/// RefreshableList("mailbox")
///     .refreshable { try await mailbox.fetch().map { ListRow($0.id, title: $0.subject) } }
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

    /// What becomes of a row whose key came before in the same run, or in the same page.
    public enum Duplicates: String, CaseIterable, Sendable {
        /// The run fails, as there is no saying which of the rows is meant.
        case fail
        /// The first one stays, and later ones are passed over: for sources that overlap, such as two feeds.
        case keepFirst
    }

    /// Of several servers that share the list, those that may run it.
    public enum Leaders: String, CaseIterable, Sendable {
        /// Whichever is asked first.
        case anyServer
        /// Only this one, and others that say so of themselves.
        case thisServer
        /// Not this one.
        case otherServers
    }

    /// Says no to a refresh before it begins, with a reason for the person who asked; nil lets it begin.
    public typealias Refusal = @Sendable () -> String?

    /// In URLs and messages.
    public let name: String
    /// The title above the list.
    public let title: String
    /// What a refresh does; nil where there is nothing to refresh the list with.
    package var handler: RefreshHandler?
    /// What the initial load does, where it is not the same.
    package var initialHandler: RefreshHandler?
    /// What loads the rows that follow the last one; nil where the list comes in one piece.
    package var pages: (@Sendable (_ last: ListRow) -> RefreshHandler)?
    /// Begins to report when the rows may have changed, if the source notices it.
    var changes: (@Sendable () -> AsyncStream<Void>)?
    var followUpEdit: FollowUpEdit?
    var initialRows: [ListRow]?
    /// Whether other programs may change the rows.
    var acceptsPushes = false
    var mode = Mode.replace
    var duplicates = Duplicates.fail
    var rules = RefreshGate.Rules()
    var maximumAge: Duration?
    var pull = PullConfiguration.standard
    /// What the last `pull(…)` got that no pull can be measured by.
    var pullFault: PullConfigurationError?
    var haptics = false
    var indicator = "default"
    var texts: [String: String] = [:]
    var noun: Noun?
    /// What people may do to its rows, in the order in which it is offered.
    var actions: [RowAction] = []
    /// Whether people are shown which rows they have not seen.
    var tracksUnread = false
    var leaders = Leaders.anyServer
    /// How its rows are divided.
    var section: Sections?
    /// The section of each row, where code says it.
    var heading: (@Sendable (ListRow) -> String?)?
    /// Of what people may ask to be notified; nil: of nothing.
    package var notify: Occasion?

    /// - Parameters:
    ///   - name: letters, digits, `.`, `_` and `-`, as it stands in `/lists/NAME`.
    ///   - title: the name, capitalised, unless given.
    public init(_ name: String, title: String? = nil) {
        self.name = name
        self.title = title ?? name.prefix(1).uppercased() + name.dropFirst()
    }

    /// Is asked for each window that somebody looks at; nil where the rows are kept.
    package var windows: (any WindowSource)? {
        if case .reads(let source)? = handler { source } else { nil }
    }

    package func with(_ change: (inout Self) -> Void) -> Self {
        var copy = self
        change(&copy)
        return copy
    }
}

extension RefreshableList {
    /// What is wrong with the description, and what it takes; nil where it can be served.
    var fault: String? {
        durationFault ?? pullFault.map { "pull: \($0)." } ?? textFault ?? actionFault ?? windowFault
    }

    private var windowFault: String? {
        guard windows != nil else { return nil }
        let others = [
            ("pushes", acceptsPushes), ("actions", !actions.isEmpty), ("unread rows", tracksUnread),
            ("notifications", notify != nil), ("pages", pages != nil), ("rows of its own", initialRows != nil),
            ("first load of its own", initialHandler != nil), ("edit after a run", followUpEdit != nil),
        ]
        guard let other = others.first(where: \.1)?.0 else { return nil }
        return "A list whose source is asked for windows has no \(other). Leave one of them out."
    }

    private var durationFault: String? {
        let durations = [
            ("deadline", rules.deadline), ("every", rules.every), ("maximumAge", maximumAge),
            ("minimumInterval", rules.minimumInterval),
        ]
        for case (let name, let duration?) in durations where duration.milliseconds < 1 {
            return "\(name) must be at least a millisecond, got \(duration). Leave it out, or give it a longer time."
        }
        return nil
    }

    private var textFault: String? {
        let phases = Phase.allCases.map(\.rawValue)
        guard let name = texts.keys.sorted().first(where: { !phases.contains($0) }) else { return nil }
        return "texts has \"\(name)\", which is no phase. Use \(phases.joined(separator: ", "))."
    }
}

extension RefreshableList {
    /// How the list wants to be pulled, in the words of the wire.
    var pullDescription: PullDescription {
        PullDescription(
            trigger: pull.trigger.rawValue, threshold: pull.threshold, minimum: pull.minimum, hold: pull.hold,
            hysteresis: pull.hysteresis, haptics: haptics, indicator: indicator, texts: texts)
    }
}

extension RefreshableList {
    /// The list, with redacted errors of its source: for text that must not be shown.
    ///
    /// - Parameter word: the text that is told in the place of another. Called from any thread.
    package func rewording(_ word: @escaping @Sendable (String) -> String) -> Self {
        with { list in
            list.handler = list.handler?.rewording(word)
            list.initialHandler = list.initialHandler?.rewording(word)
            list.actions = list.actions.map { $0.rewording(word) }
            list.pages = list.pages.map { pages in { @Sendable last in pages(last).rewording(word) } }
        }
    }
}

extension RefreshHandler {
    fileprivate func rewording(_ word: @escaping @Sendable (String) -> String) -> RefreshHandler {
        switch self {
        case .yields(let work): .yields { run in try await Self.rewording(word) { try await work(run) } }
        case .edits(let work): .edits { run in try await Self.rewording(word) { try await work(run) } }
        case .continues(let work): .continues { run in try await Self.rewording(word) { try await work(run) } }
        case .reads(let source): .reads(RewordingSource(source: source, word: word))
        case .callsBack: self
        }
    }

    static func rewording<Result>(
        _ word: @Sendable (String) -> String, _ work: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await work()
        } catch var error as SourceError {
            error.message = word(error.message)
            error.detail = word(error.detail)
            error.values = error.values.map(word)
            throw error
        }
    }
}

/// A source that is asked for windows, with redacted errors.
private struct RewordingSource: WindowSource {
    let source: any WindowSource
    let word: @Sendable (String) -> String

    func rows(in window: Window, of query: RowQuery) async throws -> WindowRows? {
        try await RefreshHandler.rewording(word) { try await source.rows(in: window, of: query) }
    }

    func prepare(_ report: @escaping ProgressReport) async throws {
        try await RefreshHandler.rewording(word) { try await source.prepare(report) }
    }
    func changes() -> AsyncStream<Void>? { source.changes() }
}

/// Collects the lists that stand in the braces of a `RefreshableServer`.
@resultBuilder
public enum ListBuilder {
    /// One list.
    public static func buildExpression(_ list: RefreshableList) -> [RefreshableList] { [list] }
    /// Lists made elsewhere.
    public static func buildExpression(_ lists: [RefreshableList]) -> [RefreshableList] { lists }
    /// Makes the compiler explain an expression that is no list. Never called.
    @available(*, unavailable, message: "Lists stand here, and arrays of them: RefreshableList(\"name\")")
    public static func buildExpression(_ other: some Any) -> [RefreshableList] { [] }
    /// One after another.
    public static func buildBlock(_ lists: [RefreshableList]...) -> [RefreshableList] { lists.flatMap(\.self) }
    /// `if` without `else`.
    public static func buildOptional(_ lists: [RefreshableList]?) -> [RefreshableList] { lists ?? [] }
    /// `if`.
    public static func buildEither(first lists: [RefreshableList]) -> [RefreshableList] { lists }
    /// `else`.
    public static func buildEither(second lists: [RefreshableList]) -> [RefreshableList] { lists }
    /// `for`.
    public static func buildArray(_ lists: [[RefreshableList]]) -> [RefreshableList] { lists.flatMap(\.self) }
}
