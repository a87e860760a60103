import KeyedLists
import Locking
import Testing

@testable import ListSources

/// Sources that are made of others.
@Suite(.timeLimit(.minutes(3)))
struct ComposingTests {
    private let people = Given([["ada", "Ada"], ["grace", "Grace"], ["hedy", "Hedy"]])
    private let teams = Given([["grace", "blue"], ["ada", "red"], ["alan", "green"]])

    @Test
    func rowsAreChangedAsTheyCome() async throws {
        let source =
            people
            .filter { $0.key != "grace" }
            .map { row in
                var row = row
                row.title = row.title?.uppercased()
                return row
            }
            .compactMap { $0.title == "HEDY" ? nil : $0 }
        #expect(try await source.run().map { $0.map(\.title) } == [["ADA"]])
        #expect(try await people.map { $0 }.run().map(\.count) == [1, 1, 1], "each as soon as it comes")
    }

    @Test
    func rowsAreSortedWhenAllAreThere() async throws {
        #expect(
            try await people.sorted { $1.key.string < $0.key.string }.titles() == [
                "hedy Hedy", "grace Grace", "ada Ada",
            ])
    }

    @Test
    func aSourceIsCancelledOnceThereAreEnoughRows() async throws {
        #expect(try await Endless().prefix(3).titles() == ["0 0", "1 1", "2 2"])
        #expect(try await Endless().prefix(0).titles().isEmpty)
        #expect(try await people.prefix(9).titles().count == 3)
    }

    @Test
    func aClosureThatThrowsEndsTheRun() async {
        struct Odd: Error {}
        await #expect(throws: Odd.self) { try await Endless().map { _ in throw Odd() }.rows() }
        await #expect(throws: Odd.self) { try await people.sorted { _, _ in throw Odd() }.rows() }
        await #expect(throws: Odd.self) { try await people.joining(teams) { _, _ in throw Odd() }.rows() }
    }

    @Test
    func anErrorOfASourceIsThatOfTheRun() async {
        let broken = Given([], error: SourceError(message: "It is broken."))
        for source in [broken.map { $0 }, broken.prefix(1), people.followed(by: broken), broken.followed(by: people)] {
            await #expect(throws: SourceError(message: "It is broken.")) { try await source.rows() }
        }
    }

    @Test
    func cancellingARunCancelsItsSources() async {
        let run = Task { try await Endless().map { $0 }.followed(by: Endless()).rows(into: TestSink()) }
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
    }

    @Test
    func oneSourceFollowsAnother() async throws {
        let source = people.followed(by: teams.filter { $0.key == "alan" })
        #expect(try await source.titles() == ["ada Ada", "grace Grace", "hedy Hedy", "alan green"])
    }

    @Test
    func mergedRowsStandOnceWhereTheFirstHasThem() async throws {
        let source = people.merging(teams) { person, team in
            var row = person
            row.subtitle = team.title
            return row
        }
        #expect(
            try await source.rows().map { "\($0.key) \($0.subtitle ?? "-")" } == [
                "ada red", "grace blue", "hedy -", "alan -",
            ])
    }

    @Test
    func joinedRowsAreThoseOfTheFirst() async throws {
        let source = people.joining(teams) { person, team in ListRow(person.key.string, title: team?.title ?? "no team")
        }
        #expect(try await source.titles() == ["ada red", "grace blue", "hedy no team"])
        let twice = people.joining(teams.followed(by: teams)) { person, _ in person }
        await #expect(throws: SourceError(message: "Two rows to be joined have the key “grace”.")) {
            try await twice.rows()
        }
    }

    @Test
    func pagesAreChangedTooAndAskForWhatFollowsTheLastRow() async throws {
        let numbers = Pages()
        let changed = numbers.filter { $0.key != "11" }.map { ListRow($0.key.string, title: "n") }
        #expect(changed.hasPages && numbers.joining(people) { row, _ in row }.hasPages)
        #expect(people.followed(by: numbers).hasPages && !numbers.followed(by: people).hasPages)
        #expect(!numbers.prefix(5).hasPages && !people.map { $0 }.hasPages)
        #expect(try await changed.titles() == ["9 n", "10 n"])
        let page = try await changed.rows(after: ListRow("10"))
        #expect(page.rows.map(\.key) == ["12"] && page.isLast)
        #expect(try await people.map { $0 }.rows(after: ListRow("10")).isLast)
        let joined = numbers.joining(Given([["12", "Twelve"]])) { row, other in
            ListRow(row.key.string, title: other?.title)
        }
        #expect(try await joined.rows(after: ListRow("10")).rows.map(\.title) == [nil, "Twelve"])
    }

    @Test
    func changesAreThoseOfAllSources() async throws {
        let (first, second) = (Changing(), Changing())
        var changes = first.map { $0 }.followed(by: people).merging(second) { own, _ in own }.changes()
            .makeAsyncIterator()
        first.tell()
        try #require(await changes.next() != nil)
        second.tell()
        try #require(await changes.next() != nil)
        first.end()
        second.tell()
        try #require(await changes.next() != nil)
        second.end()
        #expect(await changes.next() == nil)
        var none = people.map { $0 }.changes().makeAsyncIterator()
        #expect(await none.next() == nil)
    }

    @Test
    func whoStopsListeningIsForgotten() async {
        let source = Changing()
        let listening = Task {
            for await _ in source.map({ $0 }).changes() {}
        }
        while source.followers == 0 { await Task.yield() }
        listening.cancel()
        await listening.value
        while source.followers > 0 { await Task.yield() }
    }
}

/// Rows of a test, one at a time: key and title.
private struct Given: RowSource {
    let given: [[String]]
    var error: SourceError?

    init(_ given: [[String]], error: SourceError? = nil) {
        self.given = given
        self.error = error
    }

    func rows(into run: any RowSink) async throws {
        for row in given { run.yield([ListRow(row[0], title: row[1])]) }
        if let error { throw error }
    }
}

/// Gives rows until it is cancelled.
private struct Endless: RowSource {
    func rows(into run: any RowSink) async throws {
        for number in 0... {
            try Task.checkCancellation()
            run.yield([ListRow("\(number)", title: "\(number)")])
            await Task.yield()
        }
    }
}

/// 9 and 10, and on the page after that 11 and 12.
private struct Pages: PagedSource {
    func rows(into run: any RowSink) async throws { run.yield([ListRow("9", title: "9"), ListRow("10", title: "10")]) }

    func rows(after last: ListRow) async throws -> MorePage {
        let number = Int(last.key.string) ?? 0
        return MorePage([ListRow("\(number + 1)"), ListRow("\(number + 2)")], isLast: number >= 10)
    }
}

/// Changes when it is told to.
private final class Changing: ChangingSource {
    private let tellers = Locked<[Int: AsyncStream<Void>.Continuation]>([:])

    var followers: Int { tellers.withLock { $0.count } }

    func rows(into run: any RowSink) async throws {}

    func changes() -> AsyncStream<Void> {
        let (changes, teller) = AsyncStream.makeStream(of: Void.self)
        let number = tellers.withLock { tellers in
            let number = tellers.count
            tellers[number] = teller
            return number
        }
        teller.onTermination = { [self] _ in tellers.withLock { $0[number] = nil } }
        return changes
    }

    func tell() { for teller in tellers.withLock({ $0.values.map(\.self) }) { teller.yield() } }

    func end() { for teller in tellers.withLock({ $0.values.map(\.self) }) { teller.finish() } }
}
