/// A slot as it was before the commit being made touched it.
struct JournalEntry: Sendable {
    let slot: Int
    let life: Slot.Life
    let position: Position
    /// The fields, once they were given others: a row that only moves costs no look at them.
    var fields: Fields?
    /// Whether the row was taken from its place, rather than only made to give way.
    var isMoved = false
}
