import Benchmark
import KeyedLists

/// An edit costs the same in a long list, but for what the processor's caches hold.
func edits() {
    Benchmark("edit-of-100000-to-of-1000", configuration: .ratios(Ratio.other)) { benchmark, lists in
        let large = Ratio.time { lists.large.edit(1000) }
        let small = Ratio.time { lists.small.edit(1000) }
        benchmark.measurement(Ratio.other, Ratio.thousandths(large, of: small))
    } setup: {
        (large: Edited(100_000), small: Edited(1000))
    }
}

/// A list that is edited row by row, each a commit of its own.
private final class Edited {
    private var list: KeyedList
    private let keys: [Key]
    private var random = SplitMix64(state: 17)
    private var serial = 0

    init(_ count: Int) {
        let rows = [ListRow].sample(count)
        keys = rows.map(\.key)
        list = KeyedList(rows)
    }

    /// The work: a row gets other fields, another place, or leaves and comes back, in turn.
    func edit(_ times: Int) {
        for _ in 0..<times {
            serial += 1
            let key = keys[Int.random(in: 0..<keys.count, using: &random)]
            let row = ListRow(key: key, fields: ListRow("", title: "Changed \(serial)").fields)
            let edit: Edit = [.set(row, .kept), .move(key, .first), .remove(key)][serial % 3]
            blackHole(list.commit([edit], at: 0))
            if serial % 3 == 2 { blackHole(list.commit([.set(row, .last)], at: 0)) }
        }
    }
}
