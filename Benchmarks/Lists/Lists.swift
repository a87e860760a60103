import Benchmark

/// What the list engine costs, side by side with works that everybody knows: only ratios, so a table of one machine can be
/// laid beside that of another.
let benchmarks: @Sendable () -> Void = {
    difference()
    firstRows()
    edits()
    patches()
    memory()
    snapshots()
    storing()
}
