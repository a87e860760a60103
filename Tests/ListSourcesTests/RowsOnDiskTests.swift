import Foundation
import KeyedLists
import Locking
import Testing

@testable import ListSources
@testable import SQLiteSources

/// Rows in a file, beside the same rows in a list.
struct RowsOnDiskTests {
    /// Gives rows in pieces, and then fails if it has to.
    private struct Given: RowSource {
        var rows: [ListRow]
        var fault: SourceError?

        func rows(into run: any RowSink) async throws {
            var rest = rows[...]
            while !rest.isEmpty {
                run.yield(Array(rest.prefix(100)))
                rest = rest.dropFirst(100)
                run.progress(rows.count - rest.count, of: rows.count, note: nil)
            }
            if let fault { throw fault }
        }
    }

    private let folder = FileManager.default.temporaryDirectory.appending(path: "rows-\(UUID())")
    private var path: String { folder.appending(path: "log.rows").path }
    private let rows = (0..<1000).map { number in
        ListRow(
            "row \(number)", title: number % 7 == 0 ? "Thé \(number)" : "Row \(number)",
            detail: "\(number * 7919 % 100)", badge: number % 3 == 0 ? "fix" : nil)
    }

    private func kept(_ source: Given) -> RowsOnDisk { RowsOnDisk(source, in: path) }

    private func keys(_ rows: RowsOnDisk, _ window: Window, _ query: RowQuery = RowQuery()) async throws -> [String] {
        try #require(try await rows.whole(window, of: query)).rows.map(\.key.string)
    }

    private func remove() throws { try FileManager.default.removeItem(at: folder) }

    @Test(
        arguments: [
            .first(0, count: 20), .first(990, count: 20), .first(5000, count: 3), .last(7), .last(2000),
            .around("row 500", before: 3, after: 4), .around("row 2", before: 5, after: 1),
            .around("none", before: 1, after: 1, orAt: 9),
        ] as [Window])
    func anyPartIsReadAsItIsInTheWhole(window: Window) async throws {
        var list = KeyedList()
        _ = try list.replace(with: rows, at: 0)
        let onDisk = kept(Given(rows: rows))
        try await onDisk.prepare { _, _, _ in }
        let range = try #require(list.range(of: window))

        let read = try #require(try await onDisk.rows(in: window, of: RowQuery()))

        #expect(read == WindowRows(Array(rows[range]), first: range.lowerBound, total: rows.count))
        try remove()
    }

    @Test
    func aRowThatIsNotThereIsNoPlace() async throws {
        let onDisk = kept(Given(rows: rows))
        try await onDisk.prepare { _, _, _ in }
        for query in [RowQuery(), try RowQuery(find: "the", filter: [], sort: [])] {
            #expect(try await onDisk.rows(in: .around("none", before: 1, after: 1), of: query) == nil)
        }
        try remove()
    }

    @Test(
        arguments: [
            ("the", [], []), ("", ["badge = fix"], []), ("", [], ["-detail"]),
            ("row 1", ["badge = fix"], ["detail", "-title"]),
        ] as [(String, [String], [String])])
    func whatIsLookedForIsFoundInItsOrder(find: String, filter: [String], sort: [String]) async throws {
        let query = try RowQuery(find: find, filter: filter, sort: sort)
        let ranked = rows.compactMap { row in query.sortKey(of: row.fields).map { (key: $0, row: row) } }
        let all = ranked.enumerated().sorted { one, other in
            one.element.key == other.element.key
                ? one.offset < other.offset : one.element.key.lexicographicallyPrecedes(other.element.key)
        }.map(\.element.row.key.string)
        let onDisk = kept(Given(rows: rows))
        try await onDisk.prepare { _, _, _ in }

        #expect(try await keys(onDisk, .first(0, count: 5000), query) == all)
        #expect(try await keys(onDisk, .around(Key(all[40]), before: 2, after: 3), query) == Array(all[38...43]))
        #expect(try await keys(onDisk, .last(4), query) == all.suffix(4))
        #expect(
            try await onDisk.whole(.first(3, count: 1), of: query)?.place == WindowPlace(first: 3, total: all.count))
        try remove()
    }

    @Test
    func whoLooksFirstIsToldTheFirstAndThenAllOfIt() async throws {
        let tea = try RowQuery(find: "the", filter: [], sort: [])
        let onDisk = kept(Given(rows: rows))
        try await onDisk.prepare { _, _, _ in }
        let first = try await onDisk.rows(in: .first(1, count: 2), of: tea)
        #expect(first?.place == WindowPlace(first: 1, total: 3, isSearching: true) && first?.rows.count == 2)
        let again = try await onDisk.whole(.first(1, count: 2), of: tea)
        #expect(again?.place == WindowPlace(first: 1, total: 143) && again?.rows == first?.rows)
        try remove()
    }

    @Test
    func whatIsFoundIsOfTheNewestRows() async throws {
        let tea = try RowQuery(find: "the", filter: [], sort: [])
        try await kept(Given(rows: rows)).prepare { _, _, _ in }
        let onDisk = kept(Given(rows: Array(rows.prefix(8))))
        #expect(try await onDisk.rows(in: .last(1), of: tea)?.total == 143)
        try await onDisk.prepare { _, _, _ in }
        #expect(try await keys(onDisk, .first(0, count: 9), tea) == ["row 0", "row 7"])
        try remove()
    }

    @Test
    func whatWasKeptIsThereAgainWithoutARun() async throws {
        try await kept(Given(rows: rows)).prepare { _, _, _ in }
        let again = kept(Given(rows: [], fault: SourceError(message: "It is not to be asked.")))
        #expect(try await keys(again, .first(500, count: 2)) == ["row 500", "row 501"])
        try remove()
    }

    @Test
    func beforeTheFirstRunThereAreNone() async throws {
        let read = try await kept(Given(rows: rows)).rows(in: .first(0, count: 20), of: RowQuery())
        #expect(read == WindowRows([], first: 0, total: 0))
    }

    @Test
    func aRunThatFailsLeavesWhatWasThereAndNothingElse() async throws {
        try await kept(Given(rows: rows)).prepare { _, _, _ in }
        let failing = kept(Given(rows: Array(rows.prefix(300)), fault: SourceError(message: "The source is gone.")))
        await #expect(throws: SourceError(message: "The source is gone.")) { try await failing.prepare { _, _, _ in } }
        #expect(try await failing.rows(in: .first(0, count: 1), of: RowQuery())?.total == 1000)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["log.rows"])
        try remove()
    }

    @Test
    func whatAProcessThatWasKilledHasLeftIsRemoved() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["log.rows.17.new", "log.rows.new", "other.rows.17.new"] {
            try Data().write(to: folder.appending(path: name))
        }
        try await kept(Given(rows: rows)).prepare { _, _, _ in }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left.sorted() == ["log.rows", "log.rows.new", "other.rows.17.new"])
        try remove()
    }

    @Test
    func aKeyThatIsGivenTwiceIsNamed() async throws {
        let onDisk = kept(Given(rows: rows + [ListRow("row 77", title: "Again")]))
        await #expect(throws: DuplicateKey(key: "row 77")) { try await onDisk.prepare { _, _, _ in } }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        try remove()
    }

    @Test
    func aKeyThatAFileHasTwiceIsNamed() async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "log.tsv").path
        try Data("a\tAlpha\nb\tBeta\na\tAgain\n".utf8).write(to: URL(filePath: file))
        let layout = RowLayout(.tsv, fields: [.key: .number(1), .title: .number(2)])
        let onDisk = RowsOnDisk(FileSource(file, layout: layout), in: path)
        await #expect(throws: DuplicateKey(key: "a")) { try await onDisk.prepare { _, _, _ in } }
        try remove()
    }

    @Test
    func aFolderThatCanNotBeWrittenIsNamed() async throws {
        let onDisk = RowsOnDisk(Given(rows: rows), in: "/dev/null/log.rows")
        let error = await #expect(throws: SourceError.self) { try await onDisk.prepare { _, _, _ in } }
        #expect(error?.message == "The rows can't be kept.")
        #expect(error?.detail.hasPrefix("Cannot write /dev/null/log.rows: ") == true)
    }

    @Test
    func whereTheSourceReportsNothingItsRowsAreCounted() async throws {
        struct Silent: RowSource {
            func rows(into run: any RowSink) async throws {
                for number in 0..<25_000 { run.yield([ListRow("row \(number)")]) }
            }
        }
        let told = Locked<[Int]>([])
        try await RowsOnDisk(Silent(), in: path).prepare { completed, _, _ in told.withLock { $0.append(completed) } }
        #expect(told.withLock(\.self) == [10_000, 20_000])
        try remove()
    }

    @Test
    func whatTheSourceReportsIsTold() async throws {
        let told = Locked<[Int]>([])
        try await kept(Given(rows: Array(rows.prefix(250)))).prepare { completed, _, _ in
            told.withLock { $0.append(completed) }
        }
        #expect(told.withLock(\.self) == [100, 200, 250])
        try remove()
    }
}
