public import KeyedLists
import ListProtocol
import WebSockets

/// Rows are changed from code, one transaction at a time.
extension LiveList {
    /// Edits the rows: all steps or none, as one revision that everybody who watches sees at once.
    ///
    /// What is edited while a run is under way is kept through it: the run neither changes, moves nor removes such a row,
    /// and does not bring a removed one back. From any task; returns when the change is kept, and needs the server to run.
    ///
    /// - Parameters:
    ///   - expected: Where the list has to be for the edit to be done; nil: wherever it is.
    ///   - change: Writes the steps down, at once and on the caller's side. What it throws, this throws.
    /// - Returns: Where the list is afterwards. The same as before, if the steps changed nothing.
    /// - Throws: `EditError`.
    @discardableResult
    public nonisolated func edit(
        at expected: ListRevision? = nil, _ change: (inout RowEdits) throws -> Void
    ) async throws -> ListRevision {
        var edits = RowEdits()
        try change(&edits)
        return try await withCheckedThrowingContinuation { continuation in
            post { [edits] list in
                list.commit(at: expected) {
                    edits
                } then: {
                    continuation.resume(with: $0.map(\.revision))
                }
            }
        }
    }

    /// Puts a row there, on top unless told otherwise: an ``edit(at:_:)`` of one step.
    @discardableResult
    public nonisolated func insert(_ row: Row, _ place: Place = .first) async throws -> ListRevision {
        try await edit { $0.insert(row, place) }
    }

    /// Gives the row of that key these fields: an ``edit(at:_:)`` of one step.
    @discardableResult
    public nonisolated func set(_ row: Row, _ place: Place = .kept) async throws -> ListRevision {
        try await edit { $0.set(row, place) }
    }

    /// Puts a row elsewhere, with the fields it has: an ``edit(at:_:)`` of one step.
    @discardableResult
    public nonisolated func move(_ key: Key, _ place: Place) async throws -> ListRevision {
        try await edit { $0.move(key, place) }
    }

    /// Takes a row away: an ``edit(at:_:)`` of one step.
    @discardableResult
    public nonisolated func remove(_ key: Key) async throws -> ListRevision {
        try await edit { $0.remove(key) }
    }

    /// Makes these the rows of the list, by the fewest changes: an ``edit(at:_:)`` of one step.
    @discardableResult
    public nonisolated func replace(with rows: [Row]) async throws -> ListRevision {
        try await edit { $0.replace(with: rows) }
    }

    /// The rows as they are, in order. They are read where they are kept; nothing is refreshed.
    ///
    /// - Throws: `EditError.unavailable` where they can't be read.
    public var rows: [Row] {
        get throws(EditError) { try readable().rows.rows.map(\.row) }
    }

    /// Where the list is in its history.
    ///
    /// - Throws: `EditError.unavailable` where that can't be read.
    public var revision: ListRevision {
        get throws(EditError) { try readable().current }
    }
}

extension LiveList {
    /// Does an edit in its turn, whoever asked for it.
    ///
    /// - Parameters:
    ///   - rowLimit: More rows than this are refused, unless the list has as many already.
    ///   - make: Says what is to be edited, once it is its turn; nil: nothing, and `then` is not called.
    ///   - then: Told where the list is then, and how many more rows it has.
    func commit(
        at expected: ListRevision? = nil, rowLimit: Int = .max, _ make: @escaping () throws(EditError) -> RowEdits?,
        then: @escaping (Result<(revision: ListRevision, growth: Int), EditError>) -> Void
    ) {
        let planned = Locked((keys: Set<Key>(), growth: 0))
        commit(by: nil) { [self] in
            do throws(EditError) {
                guard !hasEnded else { throw .ended }
                guard let edits = try make() else { return nil }
                let (plan, count) = try plan(edits, at: expected)
                guard plan.count <= max(rowLimit, count) else { throw .tooManyRows(limit: rowLimit) }
                planned.withLock { $0 = (plan.keys, plan.count - count) }
                return plan.change(of: count, at: now)
            } catch {
                then(.failure(error))
                return nil
            }
        } then: { [self] error in
            if let error { return then(.failure(hasEnded ? .ended : .unavailable(reason: "\(error)"))) }
            let (keys, growth) = planned.withLock(\.self)
            work?.crossed.formUnion(keys)
            then(Result { () throws(EditError) in (try readable().current, growth) })
        }
    }

    private func plan(_ edits: RowEdits, at expected: ListRevision?) throws(EditError) -> (EditPlan, count: Int) {
        let kept = try readable()
        if let expected, expected != kept.current { throw .conflict(kept.current) }
        return (try EditPlan(edits.steps, for: kept.rows, limits: limits), kept.rows.count)
    }

    private func readable() throws(EditError) -> PersistentList {
        do { try load() } catch { throw .unavailable(reason: "\(error)") }
        guard let kept else { preconditionFailure("A list that was loaded is there.") }
        return kept
    }
}

extension PersistentList {
    /// Where the list is in its history.
    var current: ListRevision { ListRevision(epoch: epoch, revision: rows.revision) }
}

/// The steps of one edit, in the order in which they are written down. Each finds what those before it left.
///
/// ```swift
/// try await list.edit { rows in
///     rows.insert(Row("c", title: "Cherry"), .after("b"))
///     rows.move("a", .last)
///     rows.remove("z")
/// }
/// ```
public struct RowEdits: Sendable {
    enum Step: Hashable, Sendable {
        case set(Row, Place)
        case move(Key, Place)
        case remove(Key)
        case replace([Row])
    }

    private(set) var steps: [Step] = []

    init() {}

    /// Puts a row there, on top unless told otherwise. A row that has its key already is changed and moved there.
    public mutating func insert(_ row: Row, _ place: Place = .first) { steps.append(.set(row, place)) }

    /// Gives the row of that key these fields. It stays where it is, and goes on top if it is new, unless told otherwise.
    public mutating func set(_ row: Row, _ place: Place = .kept) { steps.append(.set(row, place)) }

    /// Puts a row elsewhere, with the fields it has. A key that the list does not have fails the whole edit.
    public mutating func move(_ key: Key, _ place: Place) { steps.append(.move(key, place)) }

    /// Takes a row away; does nothing if there is none.
    public mutating func remove(_ key: Key) { steps.append(.remove(key)) }

    /// Makes these the rows of the list, by the fewest changes. No key may be among them twice.
    public mutating func replace(with rows: [Row]) { steps.append(.replace(rows)) }
}

/// Why a list was not edited. Nothing of the edit was done then.
public enum EditError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A row is to be moved that the list does not have.
    case unknownRow(Key)
    /// The rows that are to replace all others have this key twice.
    case duplicateKey(Key)
    /// A row has the empty text as its key.
    case emptyKey
    /// A key has more bytes than the protocol sends.
    case keyTooLong(Key, limit: Int)
    /// A row's fields have more bytes than the protocol sends.
    case rowTooLarge(Key, limit: Int)
    /// The list would hold more rows than programs may push into one.
    case tooManyRows(limit: Int)
    /// The list has gone on from the revision that the edit is for. Where it is now.
    case conflict(ListRevision)
    /// The rows could not be read or kept; the reason is for the log.
    case unavailable(reason: String)
    /// The server has stopped.
    case ended

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .unknownRow(let key):
            "Cannot move the row \"\(key.abridged)\": there is none of that key. Give it fields to insert it."
        case .duplicateKey(let key):
            "Cannot replace the rows: the key \"\(key.abridged)\" was given twice. Give each row a key of its own."
        case .emptyKey: "Cannot set a row without a key. Give it one of at least one byte."
        case .keyTooLong(let key, let limit):
            "Cannot set the row \"\(key.abridged)\": its key is longer than \(limit) bytes. Give it a shorter one."
        case .rowTooLarge(let key, let limit):
            "Cannot set the row \"\(key.abridged)\": its fields are larger than \(limit) bytes. Leave something out."
        case .tooManyRows(let limit): "Cannot push more rows: the list may hold \(limit). Remove some."
        case .conflict(let current):
            "The list has gone on: it is at \(current). Look at what has changed, and edit that."
        case .unavailable(let reason): "Cannot keep the rows: \(reason)"
        case .ended: "Cannot edit the list: its server has stopped."
        }
    }
}

extension Key {
    /// The beginning of a key, for people.
    fileprivate var abridged: String { string.unicodeScalars.count > 40 ? "\(string.prefix(40))…" : string }
}
