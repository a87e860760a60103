public import KeyedLists

/// The steps of one edit, in the order in which they are written down. Each finds what those before it left.
///
/// ```swift
/// try await list.edit { rows in
///     rows.insert(Row("c", title: "Cherry"), .after("b"))
///     rows.move("a", .last)
///     rows.remove("z")
/// }
/// ```
public struct RowEdits: Sendable {
    enum Step: Hashable, Sendable {
        case set(Row, Place)
        case move(Key, Place)
        case remove(Key)
        case replace([Row])
    }

    private(set) var steps: [Step] = []

    init() {}

    /// Puts a row there, on top unless told otherwise. A row that has its key already is changed and moved there.
    public mutating func insert(_ row: Row, _ place: Place = .first) { steps.append(.set(row, place)) }

    /// Gives the row of that key these fields. It stays where it is, and goes on top if it is new, unless told otherwise.
    public mutating func set(_ row: Row, _ place: Place = .kept) { steps.append(.set(row, place)) }

    /// Puts a row elsewhere, with the fields it has. A key that the list does not have fails the whole edit.
    public mutating func move(_ key: Key, _ place: Place) { steps.append(.move(key, place)) }

    /// Takes a row away; does nothing if there is none.
    public mutating func remove(_ key: Key) { steps.append(.remove(key)) }

    /// Makes these the rows of the list, by the fewest changes. No key may be among them twice.
    public mutating func replace(with rows: [Row]) { steps.append(.replace(rows)) }
}
