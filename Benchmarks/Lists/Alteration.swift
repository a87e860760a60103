import KeyedLists

/// How the rows of a refresh differ from those before.
enum Alteration: CaseIterable {
    case thousandth, hundredth, tenth, all, shuffled, prepended

    /// In the names of benchmarks.
    var name: String {
        switch self {
        case .thousandth: "0.1"
        case .hundredth: "1"
        case .tenth: "10"
        case .all: "100"
        case .shuffled: "shuffled"
        case .prepended: "prepended"
        }
    }

    /// About how many steps a list of so many rows is away from itself.
    func distance(of count: Int) -> Int {
        switch self {
        case .thousandth: 2 * count / 1000
        case .hundredth: 2 * count / 100
        case .tenth: 2 * count / 10
        case .all, .shuffled: 2 * count
        case .prepended: count / 100
        }
    }

    /// The rows afterwards, none of which shares memory with one before: so a source makes them.
    func applied(to rows: [ListRow]) -> [ListRow] {
        var random = SplitMix64(state: 7)
        switch self {
        case .thousandth: return changing(rows.count / 1000, of: rows, &random)
        case .hundredth: return changing(rows.count / 100, of: rows, &random)
        case .tenth: return changing(rows.count / 10, of: rows, &random)
        case .all: return changing(rows.count, of: rows, &random)
        case .shuffled: return rows.shuffled(using: &random).map(\.copy)
        case .prepended:
            return (0..<rows.count / 100).map { ListRow("new-\($0)", title: "New \($0)") } + rows.map(\.copy)
        }
    }

    private func changing(_ count: Int, of rows: [ListRow], _ random: inout SplitMix64) -> [ListRow] {
        var rows = rows.map(\.copy)
        for index in rows.indices.shuffled(using: &random).prefix(max(1, count)) {
            rows[index].fields =
                ListRow("", title: "Changed \(index)", subtitle: "By somebody who is in a hurry").fields
        }
        return rows
    }
}
