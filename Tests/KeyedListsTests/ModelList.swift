import KeyedLists

/// What a list should be, done the plain way: an array of rows, searched and rebuilt at every step.
struct ModelList {
    var rows: [ListRow] = []

    var keys: [Key] { rows.map(\.key) }

    mutating func apply(_ edit: Edit) {
        switch edit {
        case .move(let key, let place):
            if let row = rows.first(where: { $0.key == key }) { set(row, place) }
        case .remove(let key): rows.removeAll { $0.key == key }
        case .set(let row, let place): set(row, place)
        }
    }

    /// Takes in streamed rows as the words of the design say.
    mutating func stream(_ yielded: [ListRow], after last: Key?, sparing: Set<Key>) {
        var previous = last.flatMap { index(of: $0) } ?? -1
        for row in yielded {
            let known = index(of: row.key)
            if sparing.contains(row.key) {
                previous = known ?? previous
                continue
            }
            if let known, previous...previous + 3 ~= known {
                rows[known] = row
                previous = known
                continue
            }
            if let known {
                rows.remove(at: known)
                if known <= previous { previous -= 1 }
            }
            previous += 1
            rows.insert(row, at: previous)
        }
    }

    func index(of key: Key) -> Int? {
        rows.firstIndex { $0.key == key }
    }

    private mutating func set(_ row: ListRow, _ place: Place) {
        let known = index(of: row.key)
        if let known { rows[known] = row }
        let anchor: Int? =
            switch place {
            case .kept: nil
            case .first: 0
            case .last: rows.count
            case .before(let key): key == row.key ? nil : index(of: key)
            case .after(let key): key == row.key ? nil : index(of: key).map { $0 + 1 }
            }
        guard let known else { return rows.insert(row, at: anchor ?? 0) }
        guard let anchor else { return }
        rows.remove(at: known)
        rows.insert(row, at: anchor > known ? anchor - 1 : anchor)
    }
}
