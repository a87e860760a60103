/// A slot as it was before the commit being made touched it.
struct JournalEntry: Sendable {
    let slot: Int
    let life: Slot.Life
    let row: PlacedRow
    /// Whether the row was taken from its place, rather than only made to give way.
    var isMoved = false
}
