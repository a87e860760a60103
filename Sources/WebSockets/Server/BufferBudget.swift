/// How many bytes the connections of one loop have under way: heads and messages that are not whole, what peers do not take,
/// and what the owner keeps for each. Pure.
///
/// Where they are too many, whoever holds most gives way, whoever asked last: so who holds little stays, however many
/// strangers hold as much as they may.
struct BufferBudget {
    let limit: Int
    private(set) var sum = 0

    /// A connection holds so many more, or fewer.
    ///
    /// - Returns: whether they are too many now.
    mutating func change(by difference: Int) -> Bool {
        sum += difference
        return sum > limit
    }

    /// Who gives way, largest first: so many that some time passes before the next look at all of them.
    ///
    /// - Parameter held: by each connection, in any order.
    /// - Returns: Places in `held`.
    func givingWay(_ held: [Int]) -> [Int] {
        var excess = sum - limit
        guard excess > 0 else { return [] }
        excess += limit / 8
        var places: [Int] = []
        for place in held.indices.sorted(by: { held[$0] > held[$1] }) {
            guard excess > 0, held[place] > 0 else { break }
            places.append(place)
            excess -= held[place]
        }
        return places
    }
}
