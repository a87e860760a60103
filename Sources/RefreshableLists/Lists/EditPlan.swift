import KeyedLists
import ListProtocol

/// The changes that an edit makes to a list. All its steps are checked before anything is changed.
struct EditPlan {
    /// The edits of one commit; or, after a step that replaced everything, all rows that the list is to have.
    enum Work {
        case edits([Edit])
        case rows([ListRow])
    }

    let work: Work
    /// Every key that a step mentions. A run under way does not touch these rows.
    let keys: Set<Key>
    /// The number of rows after the edit.
    let count: Int

    /// The change for a list of `count` rows.
    func change(of count: Int, at now: Moment) -> RowsChange {
        switch work {
        case .edits(let edits): RowsChange(weight: edits.count) { $0.commit(edits, at: now.date) }
        case .rows(let rows): .rows(rows, of: count, at: now)
        }
    }

    /// Plans the steps for `list`. Keeps no reference to `list`, so that it can be changed in place afterwards.
    init(_ steps: [RowEdits.Step], for list: KeyedList, limits: Limits) throws(EditError) {
        var planner = EditPlanner(list, limits)
        for step in steps { try planner.take(step) }
        work = planner.finish()
        keys = planner.keys
        count = planner.count
    }
}

/// Checks the steps of an edit in order, and tracks which rows exist after each step.
private struct EditPlanner {
    private let limits: Limits
    /// The list before the edit, or the rows of the last step that replaced everything.
    private var base: KeyedList
    private var isReplaced = false
    /// The edits to make to `base`.
    private var edits: [Edit] = []
    /// For each key in `edits`, whether its row exists after them.
    private var known: [Key: Bool] = [:]
    private(set) var keys: Set<Key> = []
    private(set) var count: Int

    init(_ list: KeyedList, _ limits: Limits) {
        self.limits = limits
        base = list
        count = list.count
    }

    mutating func take(_ step: RowEdits.Step) throws(EditError) {
        switch step {
        case .set(let row, let place):
            try check(row)
            note(row.key, isThere: true)
            edits.append(.set(row, place))
        case .move(let key, let place):
            guard isThere(key) else { throw .unknownRow(key) }
            note(key, isThere: true)
            edits.append(.move(key, place))
        case .remove(let key):
            note(key, isThere: false)
            edits.append(.remove(key))
        case .replace(let rows): try replace(with: rows)
        }
    }

    mutating func finish() -> EditPlan.Work {
        guard isReplaced else { return .edits(edits) }
        _ = base.commit(edits, at: 0)
        return .rows(base.rows.map(\.row))
    }

    /// Replaces all rows. Earlier steps are discarded; later steps edit a list of these rows alone.
    private mutating func replace(with rows: [ListRow]) throws(EditError) {
        for row in rows { try check(row) }
        keys.formUnion(base.rows.map(\.key))
        keys.formUnion(rows.map(\.key))
        base = KeyedList()
        isReplaced = true
        edits = []
        known = [:]
        count = rows.count
        do { _ = try base.replace(with: rows, at: 0) } catch { throw .duplicateKey(error.key) }
    }

    private mutating func note(_ key: Key, isThere: Bool) {
        count += (isThere ? 1 : 0) - (self.isThere(key) ? 1 : 0)
        known[key] = isThere
        keys.insert(key)
    }

    private func isThere(_ key: Key) -> Bool { known[key] ?? (base[key] != nil) }

    private func check(_ row: ListRow) throws(EditError) {
        let length = row.key.string.utf8.count
        guard length > 0 else { throw .emptyKey }
        guard length <= limits.keyBytes else { throw .keyTooLong(row.key, limit: limits.keyBytes) }
        guard row.fields.bytes.count <= limits.rowBytes else { throw .rowTooLarge(row.key, limit: limits.rowBytes) }
    }
}
