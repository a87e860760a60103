import KeyedLists

/// A list that a refresh takes from some rows to others, and an untimed one back, so that nothing is copied in between.
final class Shuttle {
    private var list: KeyedList
    private let before: [ListRow]
    private let after: [ListRow]
    /// The keys of the rows afterwards.
    let keys: [Key]

    init(_ count: Int, _ alteration: Alteration) {
        before = .sample(count)
        after = alteration.applied(to: before)
        keys = after.map(\.key)
        list = KeyedList(before)
    }

    /// The work: rows of a finished run, compared and placed, and the patch that its watchers are sent.
    func forth() -> Commit? { list.adopt(after) }

    func back() {
        list.adopt(before)
        list.prune(keeping: 0, newerThan: .max)
    }

    /// The same comparison as the standard library makes it.
    func collectionDifference() -> CollectionDifference<ListRow> { after.difference(from: before) }
}
