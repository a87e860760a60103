public import KeyedLists
import ListProtocol
import ListStorage
import Locking
import WebSockets

/// Reading and editing the rows from code, one transaction at a time.
extension LiveList {
    /// Edits the rows: all steps or none, as one revision that is sent to every watcher at once.
    ///
    /// What is edited while a run is under way is kept through it: the run neither changes, moves nor removes such a row,
    /// and does not bring a removed one back. From any task; returns when the change is kept, and needs the server to run.
    ///
    /// - Parameters:
    ///   - expected: The revision that the list must have, or the edit throws `conflict`; nil: any revision.
    ///   - change: Looks at rows and records the steps, in the edit's turn: nobody else's change comes between. It runs on
    ///     the list's thread, and again if the store could not be had: do nothing else in it, and nothing that takes long.
    /// - Returns: The revision after the edit. The same as before, if the steps changed nothing.
    @discardableResult
    public nonisolated func edit(
        at expected: ListRevision? = nil, _ change: @escaping @Sendable (inout RowEdits) -> Void
    ) async throws(EditError) -> ListRevision {
        switch await outcome(at: expected, of: change) {
        case .committed(let result): return try result.get()
        case .refused: preconditionFailure("A change that throws nothing has thrown.")
        }
    }

    /// Edits the rows, unless `change` throws: as the edit whose change throws nothing.
    ///
    /// - Throws: What `change` throws, and nothing was changed then; or an `EditError`.
    @discardableResult
    public nonisolated func edit(
        at expected: ListRevision? = nil, _ change: @escaping @Sendable (inout RowEdits) throws -> Void
    ) async throws -> ListRevision {
        switch await outcome(at: expected, of: change) {
        case .committed(let result): return try result.get()
        case .refused(let error): throw error
        }
    }

    private nonisolated func outcome(
        at expected: ListRevision?, of change: @escaping @Sendable (inout RowEdits) throws -> Void
    ) async -> EditOutcome {
        await withCheckedContinuation { continuation in
            post { list in
                list.commit(at: expected) { () throws(EditError) in
                    var edits = RowEdits(of: try list.editable().rows)
                    do { try change(&edits) } catch {
                        continuation.resume(returning: .refused(error))
                        return nil
                    }
                    edits.forgetRows()
                    return edits
                } then: {
                    continuation.resume(returning: .committed($0.map(\.revision)))
                }
            }
        }
    }

    /// Inserts a row, by default at the top: an `edit` of one step.
    @discardableResult
    public nonisolated func insert(
        _ row: ListRow, _ place: Place = .first
    ) async throws(EditError) -> ListRevision {
        try await edit { $0.insert(row, place) }
    }

    /// Sets the fields of the row with this key, or inserts it: an `edit` of one step.
    @discardableResult
    public nonisolated func set(_ row: ListRow, _ place: Place = .kept) async throws(EditError) -> ListRevision {
        try await edit { $0.set(row, place) }
    }

    /// Moves a row, without changing its fields: an `edit` of one step.
    @discardableResult
    public nonisolated func move(
        _ key: some LosslessStringConvertible, _ place: Place
    ) async throws(EditError) -> ListRevision {
        let key = Key(key)
        return try await edit { $0.move(key, place) }
    }

    /// Removes a row: an `edit` of one step.
    @discardableResult
    public nonisolated func remove(_ key: some LosslessStringConvertible) async throws(EditError) -> ListRevision {
        let key = Key(key)
        return try await edit { $0.remove(key) }
    }

    /// Replaces all rows by these, with the fewest changes: an `edit` of one step.
    @discardableResult
    public nonisolated func replace(with rows: [ListRow]) async throws(EditError) -> ListRevision {
        try await edit { $0.replace(with: rows) }
    }

    /// The current rows, in order. Loads them from the store if needed; does not refresh the list.
    ///
    /// - Throws: `EditError.unavailable` if they can't be read; `ended` if the server stopped before they were.
    public var rows: [ListRow] {
        get throws(EditError) { try editable().rows.rows.map(\.row) }
    }

    /// The list's current revision and its epoch.
    ///
    /// - Throws: `EditError.unavailable` if they can't be read; `ended` if the server stopped before they were.
    public var revision: ListRevision {
        get throws(EditError) { try readable().current }
    }
}

extension LiveList {
    /// Commits an edit in its turn, from code or from a push.
    ///
    /// - Parameters:
    ///   - key: By which it is remembered where other servers use the store, too.
    ///   - words: What is remembered of it.
    ///   - rowLimit: More rows than this are refused, unless the list has as many already.
    ///   - make: Returns the edits, once it is their turn; nil: there are none, and `then` is not called.
    ///   - then: Receives the revision after the edit, and by how many rows the list has grown.
    func commit(
        at expected: ListRevision? = nil, rowLimit: Int = .max,
        recording key: [UInt8]? = nil, as words: @escaping (ListRevision, _ growth: Int) -> [UInt8] = { _, _ in [] },
        _ make: @escaping () throws(EditError) -> RowEdits?,
        then: @escaping (Result<(revision: ListRevision, growth: Int), EditError>) -> Void
    ) {
        let planned = Locked((keys: Set<Key>(), growth: 0))
        let record = key.map { SharedRecord(key: $0) { words($0, planned.withLock(\.growth)) } }
        commit(by: nil, recording: record) { [self] in
            guard !hasEnded else { throw EditError.ended(reason: endReason) }
            guard let edits = try make()?.headed(by: description.heading) else { return nil }
            let (plan, count) = try plan(edits, at: expected)
            guard plan.count <= max(rowLimit, count) else { throw EditError.tooManyRows(limit: rowLimit) }
            planned.withLock { $0 = (plan.keys, plan.count - count) }
            return plan.change(of: count, at: now)
        } then: { [self] result in
            switch result {
            case .failure(let error as EditError): then(.failure(error))
            case .failure where hasEnded: then(.failure(.ended(reason: endReason)))
            case .failure(let error): then(.failure(.unavailable(reason: "\(error)")))
            case .success(let revision):
                let (keys, growth) = planned.withLock(\.self)
                work?.crossed.formUnion(keys)
                then(
                    Result { () throws(EditError) in
                        (ListRevision(epoch: try readable().epoch, revision: revision), growth)
                    })
            }
        }
    }

    private func plan(_ edits: RowEdits, at expected: ListRevision?) throws(EditError) -> (EditPlan, count: Int) {
        let kept = try editable()
        if let expected, expected != kept.current { throw .conflict(kept.current) }
        return (try EditPlan(edits.steps, for: kept.rows, limits: limits), kept.rows.count)
    }

    private func editable() throws(EditError) -> PersistentList {
        guard description.windows == nil else {
            throw .unavailable(reason: "its rows are not kept, as its source is asked for windows")
        }
        return try readable()
    }

    private func readable() throws(EditError) -> PersistentList {
        if hasEnded, kept == nil { throw .ended(reason: endReason) }
        do { try load() } catch { throw .unavailable(reason: "\(error)") }
        guard let kept else { preconditionFailure("A list that was loaded is there.") }
        return kept
    }
}

/// What came of an edit.
private enum EditOutcome {
    case committed(Result<ListRevision, EditError>)
    /// Its change threw.
    case refused(any Error)
}

extension PersistentList {
    /// The current revision and its epoch.
    var current: ListRevision { ListRevision(epoch: epoch, revision: rows.revision) }
}

/// The steps of one edit, in the order in which they were recorded. Each step applies to the result of those before it.
///
/// ```swift
/// try await list.edit { rows in
///     guard rows["c"] == nil else { throw Taken() }
///     rows.insert(ListRow("c", title: "Cherry"), .after("b"))
///     rows.move("a", .last)
///     rows.remove("z")
/// }
/// ```
public struct RowEdits: Sendable {
    enum Step: Hashable, Sendable {
        case set(ListRow, Place)
        case move(Key, Place)
        case remove(Key)
        case replace([ListRow])
    }

    private(set) var steps: [Step] = []
    /// The rows before the edit. Let go before they are changed, or all of them would be copied.
    private var rows: KeyedList?
    /// What the steps so far leave of the rows that they name, as far as somebody asked.
    private var left = RowsLeft()

    /// - Parameter rows: what the list has before the edit; nil where nobody looks.
    init(of rows: KeyedList? = nil) { self.rows = rows }

    /// The row with this key as the steps so far leave it; nil if there is none.
    public subscript(key: some LosslessStringConvertible) -> ListRow? {
        mutating get {
            let key = Key(key)
            left.follow(steps)
            switch left[key] {
            case .row(let row): return row
            case .gone: return nil
            case .asBefore: return rows?[key].map { ListRow(key: key, fields: $0.fields) }
            }
        }
    }

    mutating func forgetRows() {
        rows = nil
        left = RowsLeft()
    }

    /// Inserts a row, by default at the top. If the list has a row with this key, that row is changed and moved.
    public mutating func insert(_ row: ListRow, _ place: Place = .first) { steps.append(.set(row, place)) }

    /// Sets the fields of the row with this key. By default it stays in place, and a new row goes to the top.
    public mutating func set(_ row: ListRow, _ place: Place = .kept) { steps.append(.set(row, place)) }

    /// Moves a row, without changing its fields. A key that the list does not have fails the whole edit.
    public mutating func move(_ key: some LosslessStringConvertible, _ place: Place) {
        steps.append(.move(Key(key), place))
    }

    /// Removes the row with this key; does nothing if there is none.
    public mutating func remove(_ key: some LosslessStringConvertible) { steps.append(.remove(Key(key))) }

    /// Replaces all rows by these, with the fewest changes. A key that occurs twice fails the whole edit.
    public mutating func replace(with rows: [ListRow]) { steps.append(.replace(rows)) }

    /// The same steps, of rows with the headings of their sections.
    func headed(by heading: (@Sendable (ListRow) -> String?)?) -> RowEdits {
        guard heading != nil else { return self }
        var edits = self
        edits.steps = steps.map { step in
            switch step {
            case .set(let row, let place): .set(row.headed(by: heading), place)
            case .replace(let rows): .replace(rows.map { $0.headed(by: heading) })
            case .move, .remove: step
            }
        }
        return edits
    }
}

/// What the steps of an edit leave of the rows that they name.
private struct RowsLeft {
    enum Row {
        case row(ListRow)
        case gone
        case asBefore
    }

    private var named: [Key: Row] = [:]
    private var isReplaced = false
    private var count = 0

    subscript(key: Key) -> Row { named[key] ?? (isReplaced ? .gone : .asBefore) }

    /// Takes in the steps that were recorded since the last time.
    mutating func follow(_ steps: [RowEdits.Step]) {
        for step in steps[count...] {
            switch step {
            case .set(let row, _): named[row.key] = .row(row)
            case .move: break
            case .remove(let key): named[key] = .gone
            case .replace(let rows):
                isReplaced = true
                named = Dictionary(rows.map { ($0.key, .row($0)) }) { _, last in last }
            }
        }
        count = steps.count
    }
}

/// Why an edit failed. No step of it was applied.
public enum EditError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The list does not have the row that a step moves.
    case unknownRow(Key)
    /// This key occurs twice among the rows that replace all others.
    case duplicateKey(Key)
    /// A row has the empty text as its key.
    case emptyKey
    /// A key has more bytes than the protocol sends.
    case keyTooLong(Key, limit: Int)
    /// A row's fields have more bytes than the protocol sends.
    case rowTooLarge(Key, limit: Int)
    /// The list would hold more rows than programs may push into one.
    case tooManyRows(limit: Int)
    /// The list no longer has the expected revision. Carries the current one.
    case conflict(ListRevision)
    /// The rows could not be read or kept; the reason is for the log.
    case unavailable(reason: String)
    /// The server has stopped. The reason is nil where it was told to, else why it could not serve.
    case ended(reason: String? = nil)

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
        case .unavailable(let reason): "Cannot store the rows: \(reason)"
        case .ended(nil): "Cannot edit the list: its server has stopped."
        case .ended(let reason?): "Cannot edit the list: its server does not run. \(reason)"
        }
    }
}

extension Key {
    /// The first 40 characters of a long key, for error messages.
    fileprivate var abridged: String { string.unicodeScalars.count > 40 ? "\(string.prefix(40))…" : string }
}
