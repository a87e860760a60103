import KeyedLists
import ListProtocol

/// What the steps of an edit come to for the list they find: checked whole before anything is changed.
struct EditPlan {
    /// The edits of one commit; or, after a step that replaced everything, all rows that the list is to have.
    enum Work {
        case edits([Edit])
        case rows([Row])
    }

    let work: Work
    /// Every key that the steps say something about: a run that is under way leaves these alone.
    let keys: Set<Key>
    /// How many rows there will be.
    let count: Int

    /// Nothing of `list` is kept, so that it can be changed in place afterwards.
    init(_ steps: [RowEdits.Step], for list: KeyedList, limits: Limits) throws(EditError) {
        var planner = EditPlanner(list, limits)
        for step in steps { try planner.take(step) }
        work = planner.finish()
        keys = planner.keys
        count = planner.count
    }
}

/// Goes through the steps of an edit, and knows of each row what those so far made of it.
private struct EditPlanner {
    private let limits: Limits
    /// The list as it is found, or as the last step left it that replaced everything.
    private var base: KeyedList
    private var isReplaced = false
    /// What is to be done with `base`.
    private var edits: [Edit] = []
    /// The fields that these gave to rows; nil of a row that they removed.
    private var pending: [Key: Fields?] = [:]
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
            put(row.fields, of: row.key)
            edits.append(.set(row, place))
        case .move(let key, let place):
            guard let fields = fields(of: key) else { throw .unknownRow(key) }
            put(fields, of: key)
            edits.append(.set(Row(key: key, fields: fields), place))
        case .remove(let key):
            put(nil, of: key)
            edits.append(.remove(key))
        case .replace(let rows): try replace(with: rows)
        }
    }

    mutating func finish() -> EditPlan.Work {
        guard isReplaced else { return .edits(edits) }
        _ = base.commit(edits, at: 0)
        return .rows(base.rows.map(\.row))
    }

    /// What came before does not matter any more; the steps that follow edit a list of these rows alone.
    private mutating func replace(with rows: [Row]) throws(EditError) {
        for row in rows { try check(row) }
        keys.formUnion(base.rows.map(\.key))
        keys.formUnion(rows.map(\.key))
        base = KeyedList()
        isReplaced = true
        edits = []
        pending = [:]
        count = rows.count
        do { _ = try base.replace(with: rows, at: 0) } catch { throw .duplicateKey(error.key) }
    }

    private mutating func put(_ fields: Fields?, of key: Key) {
        count += (fields == nil ? 0 : 1) - (self.fields(of: key) == nil ? 0 : 1)
        pending[key] = .some(fields)
        keys.insert(key)
    }

    private func fields(of key: Key) -> Fields? { pending[key] ?? base[key]?.fields }

    private func check(_ row: Row) throws(EditError) {
        let length = row.key.string.utf8.count
        guard length > 0 else { throw .emptyKey }
        guard length <= limits.keyBytes else { throw .keyTooLong(row.key, limit: limits.keyBytes) }
        guard row.fields.bytes.count <= limits.rowBytes else { throw .rowTooLarge(row.key, limit: limits.rowBytes) }
    }
}
