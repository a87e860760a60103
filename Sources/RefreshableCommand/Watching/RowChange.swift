import KeyedLists

/// What became of a row from one revision of a list to another, as a client sees it.
struct RowChange: Hashable {
    enum Kind: String {
        case inserted, changed, moved, removed
    }

    var kind: Kind
    var key: Key
    /// What the row shows now; nil where it is gone.
    var fields: Fields?

    /// How the row under a key is another than before; nil if it is not. Fields count before places.
    init?(_ key: Key, from before: PlacedRow?, to after: PlacedRow?) {
        guard let after else {
            guard before != nil else { return nil }
            self.init(kind: .removed, key: key)
            return
        }
        guard let before else {
            self.init(kind: .inserted, key: key, fields: after.fields)
            return
        }
        guard before.fields != after.fields || before.position != after.position else { return nil }
        self.init(kind: before.fields == after.fields ? .moved : .changed, key: key, fields: after.fields)
    }

    init(kind: Kind, key: Key, fields: Fields? = nil) {
        self.kind = kind
        self.key = key
        self.fields = fields
    }
}
