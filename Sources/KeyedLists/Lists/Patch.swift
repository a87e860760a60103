/// The changes that turn the rows of one revision, or of any later one, into those of another.
///
/// Values are absolute, so applying a patch twice, or to a list newer than `from`, is harmless. A key is in `set` or in
/// `remove`, never in both.
public struct Patch: Hashable, Sendable {
    /// A row that was inserted, changed or moved.
    public struct Change: Hashable, Sendable {
        /// What the row is called.
        public var key: Key
        /// Where it stands afterwards.
        public var position: Position
        /// What it shows afterwards; `nil` if that is the same as at `from`.
        public var fields: Fields?

        /// Makes a change; without fields it only moves a row that is known.
        public init(key: Key, position: Position, fields: Fields? = nil) {
            self.key = key
            self.position = position
            self.fields = fields
        }
    }

    /// The oldest revision that this patch can be applied to.
    public var from: Revision
    /// The revision that it leads to.
    public var revision: Revision
    /// The rows to put in place, in order of position.
    public var set: [Change]
    /// The keys of the rows to take away; some may be unknown to a client, who then ignores them.
    public var remove: [Key]
    /// How many rows there are afterwards.
    public var count: Int

    /// Makes a patch; nothing is checked here, but when it is applied.
    public init(from: Revision, revision: Revision, set: [Change] = [], remove: [Key] = [], count: Int) {
        self.from = from
        self.revision = revision
        self.set = set
        self.remove = remove
        self.count = count
    }

    /// Whether it changes nothing but the revision.
    public var isEmpty: Bool { self.set.isEmpty && remove.isEmpty }
}

/// Why a patch could not be applied. The list is then as it was.
public enum PatchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The patch begins after our revision: watch again from `revision`.
    case gap(from: Revision, revision: Revision)
    /// The patch moves a row that we don't know, without fields: watch again without a revision.
    case unknownKey(Key)
    /// The patch contradicts itself or our rows, so our rows are wrong: watch again without a revision.
    case conflict(String)

    /// What we tried, what happened, and what to do.
    public var description: String {
        switch self {
        case .gap(let from, let revision):
            "Cannot apply a patch from revision \(from) at revision \(revision): those between are missing. "
                + "Watch again with revision \(revision)."
        case .unknownKey(let key):
            "Cannot move the row \"\(key)\": it is unknown here. Watch again without a revision."
        case .conflict(let reason):
            "Cannot apply the patch: \(reason). Watch again without a revision."
        }
    }
}

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

    /// The newest commit, from what it touched and the journal has of that.
    func commit(since base: Revision, changes: ChangeCounts) -> Commit {
        let touched = touched(since: base)
        return Commit(
            patch: patch(of: touched, since: base), changes: changes, rows: touched.rows.map { slots[$0].row },
            tombstones: touched.tombstones.map { slots[$0].tombstone }, floor: floor,
            formerPositions: (touched.rows + touched.tombstones).map { slot in
                let entry = journal[Int(slots[slot].entry)]
                return entry.life == .row ? entry.position : nil
            })
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
    func touched(since base: Revision) -> (rows: [Int], tombstones: [Int]) {
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

extension KeyedList {
    /// Takes in a patch, as a client does: what it sets is set, what it removes is removed.
    ///
    /// A patch to this revision or an earlier one does nothing. The list keeps no history of its own then: its floor becomes
    /// its revision.
    ///
    /// - Throws: `PatchError`, and nothing is changed: if the patch begins after this revision, moves a row that is not
    ///   there, or does not fit the rows that are.
    public mutating func apply(_ patch: Patch) throws(PatchError) {
        guard patch.from <= revision else { throw .gap(from: patch.from, revision: revision) }
        guard patch.revision > revision else { return }
        let (placements, countAfter) = try placements(for: patch.set, without: patch.remove)
        guard countAfter == patch.count else {
            throw .conflict("it leads to \(countAfter) rows, not to \(patch.count) as it says")
        }
        for key in patch.remove { slot(of: key).map { forget($0) } }
        forgetTombstones()
        for placement in placements { slot(of: placement.change.key).map { order.remove($0) } }
        apply(placements)
        for change in patch.set { overwrite(change, at: patch.revision) }
        revision = patch.revision
        floor = patch.revision
    }

    /// Where the rows go that are given another position, in order, and how many rows there are afterwards. Changes nothing.
    func placements(
        for changes: [Patch.Change], without removed: [Key]
    ) throws(PatchError) -> ([Placement], countAfter: Int) {
        var keys = Set(removed)
        var leaving = Set(keys.compactMap { slot(of: $0) })
        var countAfter = count - leaving.count
        var placements: [Placement] = []
        for change in changes {
            guard keys.insert(change.key).inserted else { throw .conflict("it names the row \"\(change.key)\" twice") }
            guard 0 < change.position, change.position < Labelling.limit else {
                throw .conflict("it puts the row \"\(change.key)\" at position \(change.position)")
            }
            if let slot = slot(of: change.key) {
                guard slots[slot].row.position != change.position else { continue }
                leaving.insert(slot)
            } else {
                guard change.fields != nil else { throw .unknownKey(change.key) }
                countAfter += 1
            }
            placements.append(Placement(change: change))
        }
        placements.sort { $0.change.position < $1.change.position }
        try anchor(&placements, leaving: leaving)
        return (placements, countAfter)
    }

    /// Finds the row that each is to follow, among those that stay.
    private func anchor(_ placements: inout [Placement], leaving: Set<Int>) throws(PatchError) {
        var anchor: Int?
        var next = order.first
        var taken: Position = 0
        for number in placements.indices {
            let position = placements[number].change.position
            while let slot = next, leaving.contains(slot) || slots[slot].row.position <= position {
                if !leaving.contains(slot) {
                    anchor = slot
                    taken = max(taken, slots[slot].row.position)
                }
                next = order.slot(after: slot)
            }
            guard position > taken else { throw .conflict("it puts a second row at position \(position)") }
            placements[number].anchor = anchor
            taken = position
        }
    }

    /// Puts rows in order, which are made where they are not there.
    mutating func apply(_ placements: [Placement]) {
        var previous: Int?
        var anchor: Int?
        for (number, placement) in placements.enumerated() {
            if number == 0 || placement.anchor != anchor { previous = placement.anchor }
            anchor = placement.anchor
            let slot = slot(of: placement.change.key) ?? add(placement.change.key)
            order.insert(slot, after: previous)
            previous = slot
        }
    }

    private mutating func add(_ key: Key) -> Int {
        let slot = freeSlots.popLast() ?? slots.count
        if slot == slots.count { slots.append(.free) }
        slots[slot] = Slot(life: .row, key: key)
        index.insert(slot, KeyIndex.hash(of: key))
        recency.insert(slot)
        return slot
    }

    private mutating func overwrite(_ change: Patch.Change, at revision: Revision) {
        guard let slot = slot(of: change.key) else { preconditionFailure("The row was placed.") }
        if let fields = change.fields {
            slots[slot].row.fields = fields
            slots[slot].row.fieldsRevision = revision
        }
        slots[slot].row.position = change.position
        slots[slot].row.positionRevision = revision
        recency.remove(slot)
        recency.insert(slot)
    }

    mutating func forget(_ slot: Int) {
        order.remove(slot)
        recency.remove(slot)
        release(slot)
    }

    private mutating func forgetTombstones() {
        while let slot = tombstoneOrder.first {
            tombstoneOrder.remove(slot)
            recency.remove(slot)
            release(slot)
        }
    }
}

/// A change of a patch that gives a row another position.
struct Placement {
    let change: Patch.Change
    /// The slot of the unmoved row to follow; `nil` is the top.
    var anchor: Int?
}
