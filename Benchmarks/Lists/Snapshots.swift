import Benchmark
import KeyedLists
import ListProtocol

/// All rows for whoever joins. A thousand who join at once share one encoding, which a test of `SnapshotCache` counts.
func snapshots() {
    Benchmark("snapshot-10000", configuration: .ratios(Ratio.set)) { benchmark, list in
        let keys = list.rows.map(\.key)
        let set = Ratio.time { Set(keys) }
        let work = Ratio.time {
            Frames.snapshot(
                list: "mailbox", epoch: Epoch(7), revision: list.revision, rows: list.rows, limit: 65_536)
        }
        benchmark.measurement(Ratio.set, Ratio.thousandths(work, of: set))
    } setup: {
        KeyedList(.sample(10_000))
    }
    Benchmark("digest-10000", configuration: .ratios(Ratio.set)) { benchmark, list in
        let keys = list.rows.map(\.key)
        let set = Ratio.time { Set(keys) }
        let work = Ratio.time { list.digest }
        benchmark.measurement(Ratio.set, Ratio.thousandths(work, of: set))
    } setup: {
        KeyedList(.sample(10_000))
    }
}
