import Benchmark
import Foundation

/// What is measured here: one work as a multiple of another, done in turn in the same iteration.
///
/// Works are timed by the processor time of their thread, so what else the machine is busy with counts for neither.
enum Ratio {
    /// The work as a multiple of putting every key into a `Set`, in thousandths.
    static let set = BenchmarkMetric.custom("set", polarity: .prefersSmaller, useScalingFactor: false)
    /// `CollectionDifference` as a multiple of the same, in thousandths.
    static let collectionDifference = BenchmarkMetric.custom(
        "collectiondifference", polarity: .prefersSmaller, useScalingFactor: false)
    /// The work and the `Set` in thousandths of a nanosecond for each row: to compare with other lengths, never to print.
    static let row = BenchmarkMetric.custom("row", polarity: .prefersSmaller, useScalingFactor: false)
    static let key = BenchmarkMetric.custom("key", polarity: .prefersSmaller, useScalingFactor: false)
    /// The work as a multiple of the other that the benchmark's name says, in thousandths.
    static let other = BenchmarkMetric.custom("other", polarity: .prefersSmaller, useScalingFactor: false)
    /// A plain number, in thousandths too.
    static let number = BenchmarkMetric.custom("number", polarity: .prefersSmaller, useScalingFactor: false)

    /// In thousandths.
    static func thousandths(_ work: some BinaryInteger, of yardstick: some BinaryInteger) -> Int {
        Int((Double(work) / Double(max(1, yardstick)) * 1000).rounded())
    }

    /// The nanoseconds of processor time that a work takes. What it gives is let go of within.
    static func time<Result>(_ work: () -> Result) -> Int {
        let start = clock()
        blackHole(work())
        return clock() - start
    }

    private static func clock() -> Int {
        var now = timespec()
        precondition(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0, "A thread has a clock.")
        return now.tv_sec * 1_000_000_000 + now.tv_nsec
    }
}

extension Benchmark.Configuration {
    /// As many iterations as two seconds hold, so that the median says something; digits are not rounded away.
    static func ratios(_ metrics: BenchmarkMetric..., iterations: Int = 200) -> Self {
        .init(
            metrics: metrics, units: Dictionary(uniqueKeysWithValues: metrics.map { ($0, .count) }),
            warmupIterations: 1, maxDuration: .seconds(2), maxIterations: iterations)
    }
}
