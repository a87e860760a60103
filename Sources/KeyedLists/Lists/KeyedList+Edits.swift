extension KeyedList {
    /// Makes one revision of several steps, each of which finds what those before it left.
    ///
    /// - Parameter now: Milliseconds since 1970, for the tombstones.
    /// - Returns: What changed from before the first step to after the last; `nil` if nothing did.
    public mutating func commit(_ edits: [Edit], at now: Int64) -> Commit? {
        for edit in edits {
            switch edit {
            case .set(let row, let place): set(row, place)
            case .move(let key, let place): slot(of: key).map { move($0, to: place) }
            case .remove(let key): slot(of: key).map { remove($0) }
            }
        }
        return settle(at: now)
    }

    /// Makes a revision without a change of rows: for a list that tells of rows that it does not have.
    ///
    /// - Returns: an empty commit.
    public mutating func advance() -> Commit {
        revision += 1
        return commit(since: revision - 1, changes: ChangeCounts())
    }

    private mutating func set(_ row: ListRow, _ place: Place) {
        guard let slot = slot(of: row.key) else {
            let slot = insert(row)
            self.place([slot], before: next(for: place, of: slot) ?? order.first)
            return
        }
        update(slot, to: row.fields)
        move(slot, to: place)
    }

    private mutating func move(_ slot: Int, to place: Place) {
        guard let next = next(for: place, of: slot), next != slot, order.slot(after: slot) != next else { return }
        detach(slot)
        self.place([slot], before: next)
    }

    /// The slot that a row is to be put before, where the inner `nil` is the end of the list; the outer `nil` leaves a row
    /// where it is.
    private func next(for place: Place, of slot: Int) -> Int?? {
        switch place {
        case .kept: return .none
        case .first: return .some(order.first)
        case .last: return .some(nil)
        case .before(let key):
            guard let anchor = self.slot(of: key), anchor != slot else { return .none }
            return .some(anchor)
        case .after(let key):
            guard let anchor = self.slot(of: key), anchor != slot else { return .none }
            return .some(order.slot(after: anchor))
        }
    }
}

/// One step of a commit made from code, or by another program.
public enum Edit: Hashable, Sendable {
    /// Puts a row in place: inserts it, or gives the one of that key these fields and this place.
    case set(ListRow, Place)
    /// Puts the row of that key somewhere else, and leaves its fields as they are; does nothing if there is none.
    case move(Key, Place)
    /// Takes the row of that key away; does nothing if there is none.
    case remove(Key)
}

/// The place at which an edit puts a row.
public enum Place: Hashable, Sendable {
    /// A known row keeps its position; a new one is inserted at the top.
    case kept
    /// On top.
    case first
    /// At the end.
    case last
    /// Directly before the row with this key; as `kept` if the list has none such, or if it is the row itself.
    case before(Key)
    /// Directly after the row with this key; as `kept` if the list has none such, or if it is the row itself.
    case after(Key)
}

extension Place {
    /// Before the row with the key that this text, number or identifier of yours makes: see `before(Key)`.
    @_disfavoredOverload
    public static func before(_ key: some LosslessStringConvertible) -> Place { .before(Key(key)) }

    /// After the row with the key that this text, number or identifier of yours makes: see `after(Key)`.
    @_disfavoredOverload
    public static func after(_ key: some LosslessStringConvertible) -> Place { .after(Key(key)) }
}
