import Benchmark
import KeyedLists

/// What changed since a revision costs what it returns, not what the list holds.
func patches() {
    Benchmark("patch-100-of-100000-to-100-of-1000", configuration: .ratios(Ratio.other)) { benchmark, lists in
        let large = Ratio.time { lists.large.newest() }
        let small = Ratio.time { lists.small.newest() }
        benchmark.measurement(Ratio.other, Ratio.thousandths(large, of: small))
    } setup: {
        (large: Changed(100, of: 100_000), small: Changed(100, of: 1000))
    }
    Benchmark("patch-10000-of-100000-to-1000-of-100000", configuration: .ratios(Ratio.other)) { benchmark, lists in
        let large = Ratio.time { lists.many.newest() }
        let small = Ratio.time { lists.few.newest() }
        benchmark.measurement(Ratio.other, Ratio.thousandths(large, of: small))
    } setup: {
        (many: Changed(10_000, of: 100_000), few: Changed(1000, of: 100_000))
    }
}

/// A list whose newest revision changed some of its rows, at random places.
private struct Changed: Sendable {
    private let list: KeyedList

    init(_ changes: Int, of count: Int) {
        var list = KeyedList(.sample(count))
        var random = SplitMix64(state: 11)
        let edits = [ListRow].sample(count).shuffled(using: &random).prefix(changes).map { row in
            Edit.set(ListRow(key: row.key, fields: ListRow("", title: "Changed").fields), .kept)
        }
        precondition(list.commit(edits, at: 0)?.patch.set.count == changes, "Every edit changes a row.")
        self.list = list
    }

    func newest() -> Int {
        var total = 0
        for _ in 0..<20 { total += list.patch(since: list.revision - 1)?.set.count ?? 0 }
        return total
    }
}
