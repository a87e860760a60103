import Benchmark
import Foundation
import KeyedLists
import ListStorage
import SQLiteStorage

/// A commit writes the rows that it changed, however many there are.
func storing() {
    Benchmark(
        "commit-100-of-100000-to-100-of-1000", configuration: .ratios(Ratio.number, Ratio.other, iterations: 20)
    ) { benchmark, lists in
        let many = lists.large.change(100)
        let before = try lists.large.rowsWritten
        let large = Ratio.time { lists.large.keep(many) }
        benchmark.measurement(Ratio.number, Ratio.thousandths(try lists.large.rowsWritten - before, of: 1))
        let few = lists.small.change(100)
        let small = Ratio.time { lists.small.keep(few) }
        benchmark.measurement(Ratio.other, Ratio.thousandths(large, of: small))
    } setup: {
        (large: try StoredRows(100_000), small: try StoredRows(1000))
    } teardown: {
        try FileManager.default.removeItem(at: StoredRows.folder)
    }
}

/// A list in a store of its own.
private final class StoredRows {
    /// Where the stores of this process are.
    static let folder = FileManager.default.temporaryDirectory.appending(path: "benchmark-\(UUID())")

    private let store: SQLiteStore
    private var list: KeyedList
    private var random = SplitMix64(state: 13)
    private let keys: [Key]

    init(_ count: Int) throws {
        store = try SQLiteStore(folder: Self.folder.appending(path: "\(count)").path)
        list = try store.load("mailbox").list
        let rows = [ListRow].sample(count)
        keys = rows.map(\.key)
        guard let commit = list.adopt(rows) else { preconditionFailure("The first rows are a change.") }
        try store.commit(commit, facts: StoredFacts(), to: "mailbox")
    }

    var rowsWritten: Int { get throws { try store.rowsWritten } }

    /// Changes so many rows at random places.
    func change(_ count: Int) -> Commit {
        let fields = ListRow("", title: "Changed \(list.revision)").fields
        let edits = keys.shuffled(using: &random).prefix(count).map {
            Edit.set(ListRow(key: $0, fields: fields), .kept)
        }
        guard let commit = list.commit(edits, at: 0) else { preconditionFailure("Every edit changes a row.") }
        return commit
    }

    /// The work: what is committed is kept.
    func keep(_ commit: Commit) {
        do {
            try store.commit(commit, facts: StoredFacts(), to: "mailbox")
        } catch {
            preconditionFailure("A commit is kept: \(error)")
        }
    }
}
