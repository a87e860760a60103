extension KeyedList {
    /// Whether there is a patch since a revision. Costs nothing.
    public func remembers(_ base: Revision) -> Bool { floor <= base && base <= revision }

    /// What changed since a revision, in one fold: it costs what it returns, whatever the list holds.
    ///
    /// - Parameter base: The revision that a watcher has. At the newest, the patch is empty.
    /// - Returns: `nil` if that is before the floor, where tombstones are gone, or after the newest: a snapshot is due.
    public func patch(since base: Revision) -> Patch? {
        guard remembers(base) else { return nil }
        let touched = touched(since: base)
        return patch(of: touched, since: base)
    }

    /// The newest commit, from what it touched.
    func commit(since base: Revision, changes: ChangeCounts) -> Commit {
        let touched = touched(since: base)
        return Commit(
            patch: patch(of: touched, since: base), changes: changes, rows: touched.rows.map { slots[$0].row },
            tombstones: touched.tombstones.map { slots[$0].tombstone }, floor: floor)
    }

    private func patch(of touched: (rows: [Int], tombstones: [Int]), since base: Revision) -> Patch {
        Patch(
            from: base, revision: revision,
            set: touched.rows.map { change(of: slots[$0].row, since: base) },
            remove: touched.tombstones.map { slots[$0].row.key }, count: count)
    }

    private func change(of row: PlacedRow, since base: Revision) -> Patch.Change {
        Patch.Change(key: row.key, position: row.position, fields: row.fieldsRevision > base ? row.fields : nil)
    }

    /// The slots newer than a revision: the rows in order of position, the tombstones newest first.
    private func touched(since base: Revision) -> (rows: [Int], tombstones: [Int]) {
        var rows: [Int] = []
        var tombstones: [Int] = []
        var next = recency.first
        while let slot = next, slots[slot].row.revision > base {
            if slots[slot].life == .row { rows.append(slot) } else { tombstones.append(slot) }
            next = recency.slot(after: slot)
        }
        rows.sort { slots[$0].row.position < slots[$1].row.position }
        return (rows, tombstones)
    }
}
