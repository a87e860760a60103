import Benchmark
import KeyedLists

/// Rows of a refresh become the list, and its patch.
func difference() {
    for count in [1000, 10_000, 100_000] {
        for alteration in Alteration.allCases { difference(count, alteration) }
    }
}

/// A list's first rows: every one is a change, and needs a slot.
func firstRows() {
    for count in [1000, 10_000, 100_000] {
        Benchmark("first-\(count)", configuration: .ratios(Ratio.set)) { benchmark, rows in
            let keys = rows.map(\.key)
            let set = Ratio.time { Set(keys) }
            let work = Ratio.time { KeyedList(rows) }
            benchmark.measurement(Ratio.set, Ratio.thousandths(work, of: set))
        } setup: {
            [ListRow].sample(count)
        }
    }
}

/// `CollectionDifference` (Myers) costs rows × distance: more than this, and it ends in no sensible time.
private let mostSteps = 20_000_000

private func difference(_ count: Int, _ alteration: Alteration) {
    let isComparable = count * alteration.distance(of: count) <= mostSteps
    Benchmark(
        "replace-\(count)-\(alteration.name)",
        configuration: isComparable
            ? .ratios(Ratio.set, Ratio.row, Ratio.key, Ratio.collectionDifference)
            : .ratios(Ratio.set, Ratio.row, Ratio.key)
    ) { benchmark, shuttle in
        let set = Ratio.time { Set(shuttle.keys) }
        let work = Ratio.time { shuttle.forth() }
        shuttle.back()
        benchmark.measurement(Ratio.set, Ratio.thousandths(work, of: set))
        benchmark.measurement(Ratio.row, Ratio.thousandths(work, of: count))
        benchmark.measurement(Ratio.key, Ratio.thousandths(set, of: count))
        guard isComparable else { return }
        let other = Ratio.time { shuttle.collectionDifference() }
        benchmark.measurement(Ratio.collectionDifference, Ratio.thousandths(other, of: set))
    } setup: {
        Shuttle(count, alteration)
    }
}
