import Benchmark
import CHeap
import KeyedLists

/// The memory of a row in its list, beyond its key and fields.
func memory() {
    for count in [10_000, 100_000] {
        Benchmark("memory-\(count)", configuration: .ratios(Ratio.number, Ratio.other, iterations: 3)) { benchmark in
            let rows = [ListRow].sample(count)
            let alone = bytes { rows.map(\.copy) }
            let listed = bytes { KeyedList(rows.map(\.copy)) }
            benchmark.measurement(Ratio.number, Ratio.thousandths(listed, of: count))
            benchmark.measurement(Ratio.other, Ratio.thousandths(listed, of: alone))
        }
    }
}

/// The bytes of heap that a value holds, once all that was needed to make it is gone.
private func bytes<Value>(_ make: () -> Value) -> Int {
    let before = heap_in_use()
    let value = make()
    let held = Int(heap_in_use()) - Int(before)
    blackHole(value)
    return held
}
