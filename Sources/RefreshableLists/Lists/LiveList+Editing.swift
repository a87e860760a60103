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
