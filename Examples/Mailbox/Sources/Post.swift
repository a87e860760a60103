import RefreshableLists

/// Where letters come from.
protocol Post: Sendable {
    /// How many letters there are.
    func count() async throws -> Int
    /// One of them, from 1, newest first.
    func letter(_ number: Int) async throws -> Letter
}

/// A letter, and how the list shows it.
struct Letter: Sendable, RowConvertible {
    var id: String
    var sender: String
    var subject: String

    var row: ListRow { ListRow(id, title: sender, subtitle: subject) }
}
