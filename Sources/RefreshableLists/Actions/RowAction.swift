public import KeyedLists
import ListProtocol
import WebSockets

/// What people may do to a row of a list: `RefreshableList.action(…)` describes it.
public struct RowAction: Sendable {
    /// What an action does to the row in the list. Pages show it at once, and take it back if the action fails.
    public enum Effect: Hashable, Sendable {
        /// The row leaves the list.
        case remove
        /// These fields are set, beside those that the row has; one that is `.null` is taken away.
        case set([Key: JSONValue])
    }

    /// The work of an action, or of undoing it.
    public typealias Handler = @concurrent @Sendable (_ row: ListRow, _ run: ActionRun) async throws -> Void

    /// Its name in messages and logs.
    public let name: String
    /// Its title, for people.
    public let title: String
    /// What it does to the row; nil where only the next refresh can tell.
    public let effect: Effect?
    /// Whether pages should make it look dangerous.
    public let isDestructive: Bool
    /// Whether the list is refreshed after it.
    let refreshes: Bool
    /// Nil: it does nothing but change the row.
    let handler: Handler?
    /// Nil: it can't be undone.
    let undo: Handler?

    /// How long people are offered to undo it.
    static let undoOffer = Duration.seconds(5)
    /// How long it can be undone: a message may take some time.
    static let undoLimit = Duration.seconds(10)
}

/// One run of an action's handler: it receives the handler's progress.
public final class ActionRun: Sendable {
    /// The run's name, as clients see it. Never given twice.
    public let id: String
    private let report: @Sendable (RunProgress) -> Void

    init(id: String, report: @escaping @Sendable (RunProgress) -> Void) {
        self.id = id
        self.report = report
    }

    /// Shows those who asked for the action how far it is. Each report restarts the list's deadline. From any thread; never
    /// blocks.
    ///
    /// - Parameters:
    ///   - completed: how many units are done.
    ///   - total: how many units there are; nil if that is unknown.
    ///   - note: a few words.
    public func progress(_ completed: Int, of total: Int? = nil, _ note: String? = nil) {
        report(RunProgress(completed: completed, total: total, note: note))
    }
}

/// Actions on the rows of a list.
///
/// ```swift
/// RefreshableList("mail")
///     .refreshable { try await mailbox.fetch() }
///     .action("Archive", effect: .remove) { row in
///         try await mailbox.archive(row.key.string)
///     } undo: { row in
///         try await mailbox.unarchive(row.key.string)
///     }
/// ```
///
/// An action is run on the server like a refresh: one run for all who ask for it on the same row, with the list's deadline, and
/// an outcome that whoever asked is told. It runs beside refreshes and other actions, eight at a time. What it throws is its
/// outcome: throw a `RefreshFailure` to say what people read. After a success the row is changed by the effect, and a refresh
/// that was under way does not change it back. Clients need the right `act`.
///
/// A request that is sent again is not performed again, also after the server was killed. If it was killed while the handler was
/// at work, the handler is not called again for that request: people are told that nobody knows how far it came.
extension RefreshableList {
    /// Offers an action whose work is done by `perform`.
    ///
    /// - Parameters:
    ///   - title: What people read, such as "Archive".
    ///   - name: Its name in messages: letters, digits, `.`, `_` and `-`. The title in lower case, unless given.
    ///   - effect: What becomes of the row when it has succeeded; nil: nothing.
    ///   - isDestructive: Whether pages should make it look dangerous.
    ///   - refreshes: Whether the list is refreshed after a success.
    ///   - perform: Does the work, on threads for handlers. Gets the row as it is when the run begins.
    ///   - undo: Takes it back. Gets the row as it was. The row then is in its former place, with its former fields. Nil: it can't be
    ///     undone. Else people are offered that for five seconds.
    public func action(
        _ title: String, name: String? = nil, effect: RowAction.Effect? = nil, isDestructive: Bool = false,
        refreshes: Bool = false, perform: @escaping @concurrent @Sendable (ListRow) async throws -> Void,
        undo: (@concurrent @Sendable (ListRow) async throws -> Void)? = nil
    ) -> Self {
        var takeBack: RowAction.Handler?
        if let undo { takeBack = { row, _ in try await undo(row) } }
        let handler: RowAction.Handler = { row, _ in try await perform(row) }
        return action(
            title, name: name, effect: effect, isDestructive: isDestructive, refreshes: refreshes, perform: handler,
            undo: takeBack)
    }

    /// Offers an action whose work reports progress to its run; otherwise as above.
    public func action(
        _ title: String, name: String? = nil, effect: RowAction.Effect? = nil, isDestructive: Bool = false,
        refreshes: Bool = false, perform: @escaping RowAction.Handler, undo: RowAction.Handler? = nil
    ) -> Self {
        adding(
            RowAction(
                name: name ?? ActionName.of(title), title: title, effect: effect, isDestructive: isDestructive,
                refreshes: refreshes, handler: perform, undo: undo))
    }

    /// Offers an action that does nothing but change the row in the list, and that can be undone.
    public func action(
        _ title: String, name: String? = nil, effect: RowAction.Effect, isDestructive: Bool = false
    ) -> Self {
        adding(
            RowAction(
                name: name ?? ActionName.of(title), title: title, effect: effect, isDestructive: isDestructive,
                refreshes: false, handler: nil, undo: { _, _ in }))
    }

    package func adding(_ action: RowAction) -> Self { with { $0.actions.append(action) } }

    /// What is wrong with the actions, and what they take.
    var actionFault: String? {
        var names: Set<String> = []
        for action in actions {
            guard ActionName.isValid(action.name) else {
                return "The action \"\(action.title)\" needs a name of \(ActionName.rule). Give it one with `name:`."
            }
            guard !ActionName.reserved.contains(action.name) else {
                return "The action \"\(action.title)\" is named \"\(action.name)\", which is what marks rows as seen. "
                    + "Give it another name with `name:`."
            }
            guard names.insert(action.name).inserted else {
                return "Two actions are named \"\(action.name)\". Give one of them another name with `name:`."
            }
        }
        return nil
    }

    /// As clients are told of them.
    var actionDescriptions: [ActionDescription] {
        actions.map { action in
            let effect: ActionDescription.Effect? =
                switch action.effect {
                case .remove: .remove
                case .set(let fields): .set(fields)
                case nil: nil
                }
            return ActionDescription(
                name: action.name, title: action.title, effect: effect, undo: action.undo != nil,
                destructive: action.isDestructive)
        }
    }
}

extension RowAction {
    /// - Parameter handler: nil: it does nothing but change the row.
    package init(
        named name: String, title: String, effect: Effect?, isDestructive: Bool, refreshes: Bool, handler: Handler?,
        undo: Handler?
    ) {
        self.init(
            name: name, title: title, effect: effect, isDestructive: isDestructive, refreshes: refreshes,
            handler: handler, undo: undo)
    }

    /// The action, with redacted errors of its work.
    func rewording(_ word: @escaping @Sendable (String) -> String) -> RowAction {
        RowAction(
            name: name, title: title, effect: effect, isDestructive: isDestructive, refreshes: refreshes,
            handler: handler.map { Self.rewording($0, word) }, undo: undo.map { Self.rewording($0, word) })
    }

    private static func rewording(
        _ handler: @escaping Handler, _ word: @escaping @Sendable (String) -> String
    ) -> Handler {
        { row, run in try await RefreshHandler.rewording(word) { try await handler(row, run) } }
    }
}

/// The names that actions may have.
package enum ActionName {
    /// What a name is, for the end of a sentence that starts "expected".
    package static let rule = "1 to 64 of a-z, A-Z, 0-9, \".\", \"_\" and \"-\""

    /// Names of the protocol's own.
    package static let reserved = ["seen", "unseen"]

    /// Of a title: "Mark as done" is `mark-as-done`.
    package static func of(_ title: String) -> String {
        title.lowercased().split { !isAllowed($0) }.joined(separator: "-")
    }

    package static func isValid(_ name: String) -> Bool { 1...64 ~= name.utf8.count && name.allSatisfy(isAllowed) }

    static func isAllowed(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
    }
}

extension RowAction.Effect {
    /// The edits of a list that make it of a row; none where the row is gone.
    func edits(of row: ListRow) -> [Edit] {
        switch self {
        case .remove: [.remove(row.key)]
        case .set(let fields): [.set(row.setting(fields), .kept)]
        }
    }

    /// The edits that take it back.
    ///
    /// - Parameters:
    ///   - row: as it was before.
    ///   - current: as it is now; nil if it is gone.
    ///   - previous: the key of the row that it followed; nil if it was the first.
    func edits(restoring row: ListRow, current: ListRow?, after previous: Key?) -> [Edit] {
        switch self {
        case .remove: [.set(row, current == nil ? previous.map { .after($0) } ?? .first : .kept)]
        case .set(let fields):
            current.map { current in
                let former = fields.keys.map { ($0, row.fields.members[$0] ?? .null) }
                return [.set(current.setting(Dictionary(uniqueKeysWithValues: former)), .kept)]
            } ?? []
        }
    }
}

extension ListRow {
    fileprivate func setting(_ fields: [Key: JSONValue]) -> ListRow {
        let members = self.fields.members.merging(fields) { _, new in new }
        return ListRow(key: key, fields: Fields(members.filter { $0.value != .null || fields[$0.key] == nil }))
    }
}
