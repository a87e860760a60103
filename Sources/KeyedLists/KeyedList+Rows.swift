extension KeyedList {
    /// The row at the end; `nil` if there is none.
    public var last: PlacedRow? { order.last.map { slots[$0].row } }

    /// The rows of a list in order of position. Going through them costs a step each.
    public struct Rows: Sequence, Sendable {
        private let slots: [Slot]
        private let order: LinkedSlots
        private let count: Int

        init(_ list: KeyedList) {
            slots = list.slots
            order = list.order
            count = list.count
        }

        /// How many rows there are.
        public var underestimatedCount: Int { count }

        /// An iterator that begins at the first row.
        public func makeIterator() -> Iterator {
            Iterator(slots: slots, order: order)
        }

        /// Goes from row to row.
        public struct Iterator: IteratorProtocol {
            let slots: [Slot]
            let order: LinkedSlots
            var last: Int?
            var isAtEnd = false

            /// The next row; `nil` after the last.
            public mutating func next() -> PlacedRow? {
                guard !isAtEnd else { return nil }
                last = order.slot(after: last)
                guard let last else {
                    isAtEnd = true
                    return nil
                }
                return slots[last].row
            }
        }
    }
}
