public import KeyedLists

extension WatchedList {
    /// What became of a list's rows since its reader last looked.
    ///
    /// A reader that is slow gets one change for all that happened meanwhile, not one for each. Of a list that is looked at in
    /// part, rows that come into what is looked at are told as inserted, and those that leave it as removed.
    public struct Change: Sendable {
        /// The rows as they are now, in order.
        public let rows: [ListRow]
        /// The history that the rows are of; nil where they are not ours to see any more.
        public let epoch: Epoch?
        /// The revision that they are at.
        public let revision: Revision
        /// Where the rows lie in the list, of a list that is looked at in part; nil: they are all.
        public let place: WindowPlace?
        /// What became of each row that is another than before: first the removed ones, then in the order of the rows.
        public let changes: [RowChange]

        /// Rows that are new, in order. Of the first change that a reader gets, all rows.
        public var inserted: [ListRow] { rows(.inserted) }
        /// Rows whose fields are others than before, in order. They may stand elsewhere, too.
        public var changed: [ListRow] { rows(.changed) }
        /// Rows that only stand elsewhere, in order. One row that was moved may be told as another one that was.
        public var moved: [ListRow] { rows(.moved) }
        /// The keys of rows that are gone.
        public var removed: [Key] { changes.filter { $0.kind == .removed }.map(\.key) }

        private func rows(_ kind: RowChange.Kind) -> [ListRow] {
            changes.filter { $0.kind == kind }.map { ListRow(key: $0.key, fields: $0.fields ?? Fields()) }
        }

        package init(
            rows: [ListRow], epoch: Epoch?, revision: Revision, place: WindowPlace? = nil, changes: [RowChange]
        ) {
            self.rows = rows
            self.epoch = epoch
            self.revision = revision
            self.place = place
            self.changes = changes
        }

        /// From one state of the rows to another.
        ///
        /// - Parameter touched: The keys that may differ; nil: any.
        init(
            from before: KeyedList, to after: KeyedList, in epoch: Epoch?, place: WindowPlace? = nil,
            touched: Set<Key>?
        ) {
            let keys = touched ?? Set(before.rows.map(\.key)).union(after.rows.map(\.key))
            let changed = keys.compactMap { key -> (RowChange, Position)? in
                RowChange(key, from: before[key], to: after[key]).map { ($0, after[key]?.position ?? 0) }
            }
            self.init(
                rows: after.rows.map(\.row), epoch: epoch, revision: after.revision, place: place,
                changes: changed.sorted { ($0.1, $0.0.key.string) < ($1.1, $1.0.key.string) }.map(\.0))
        }
    }

    /// What became of one row.
    public struct RowChange: Hashable, Sendable {
        /// The ways in which a row can be another than before.
        public enum Kind: String, Hashable, Sendable {
            /// It is new.
            case inserted
            /// It has other fields.
            case changed
            /// It has the same fields, and stands elsewhere.
            case moved
            /// It is gone.
            case removed
        }

        /// What became of it.
        public let kind: Kind
        /// The row's key.
        public let key: Key
        /// What the row shows now; nil if it was removed.
        public let fields: Fields?

        package init(kind: Kind, key: Key, fields: Fields? = nil) {
            self.kind = kind
            self.key = key
            self.fields = fields
        }

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
    }
}
