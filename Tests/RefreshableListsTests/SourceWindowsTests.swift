import KeyedLists
import ListProtocol
import ListSources
import Locking
import RefreshableListsTesting
import Testing

@testable import RefreshableLists

/// Lists whose source is asked for windows.
struct SourceWindowsTests {
    /// A hundred rows, of an edition that goes on when it is prepared.
    private final class Book: WindowSource {
        private let edition = Locked(1)
        let gate = UncancellableGate()

        func rows(in window: Window, of query: RowQuery) async throws -> WindowRows? {
            let edition = edition.withLock(\.self)
            let range = window.range(in: 100) { Int($0.string) }
            return range.map { range in
                WindowRows(
                    range.map { ListRow("\($0)", title: "Edition \(edition)") }, first: range.lowerBound, total: 100)
            }
        }

        func prepare(_ report: @escaping ProgressReport) async throws {
            await gate.pass()
            edition.withLock { $0 += 1 }
        }
    }

    @Test func whoComesAmidARunIsShownWhatItBrings() async throws {
        let book = Book()
        let server = try await RunningServer(lists: [RefreshableList("book").windowed(by: book)])
        let (one, other) = (try await server.connect(), try await server.connect())
        one.send(#"{"type":"watch","id":"w","list":"book","window":{"first":0,"count":2}}"#)
        _ = try await one.ok("w")
        await book.gate.arrival()
        other.send(#"{"type":"watch","id":"w","list":"book","window":{"first":50,"count":2}}"#)
        #expect(try await other.ok("w").window == WindowPlace(first: 50, total: 100))
        #expect(try await titles(other) == ["Edition 1", "Edition 1"])

        book.gate.open()

        #expect(try await titles(other) == ["Edition 2", "Edition 2"])
        try await server.stop()
    }

    /// What is looked for is found one row after the other.
    private final class Index: WindowSource {
        private let isFirst = Locked(true)
        let gate = UncancellableGate()

        func rows(in window: Window, of query: RowQuery) async throws -> WindowRows? {
            let rows = [ListRow("a", title: "First"), ListRow("b", title: "Second")]
            guard !query.isEmpty else { return WindowRows(rows, first: 0, total: 2) }
            let isFirst = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if isFirst { return WindowRows([rows[0]], first: 0, total: 1, isSearching: true) }
            await gate.pass()
            return WindowRows(rows, first: 0, total: 2)
        }
    }

    @Test func whatIsFoundFirstIsShownFirst() async throws {
        let index = Index()
        let server = try await RunningServer(lists: [RefreshableList("book").windowed(by: index)])
        let one = try await server.connect()
        one.send(#"{"type":"watch","id":"w","list":"book","window":{"first":0,"count":2}}"#)
        #expect(try await titles(one) == ["First", "Second"])
        _ = try await one.next {
            if case .state(let state) = $0 { state.phase == .waiting && state.last != nil } else { false }
        }

        one.send(#"{"type":"look","id":"l","list":"book","window":{"find":"s","first":0,"count":2}}"#)
        #expect(try await one.ok("l").window == WindowPlace(first: 0, total: 1, isSearching: true))
        // A row that they have, so without its fields.
        #expect(try await titles(one) == [""])
        await index.gate.arrival()
        one.send(#"{"type":"digest","id":"d","list":"book"}"#)
        #expect(try await one.ok("d").window?.isSearching == true)

        index.gate.open()

        #expect(try await titles(one) == ["First", "Second"])
        one.send(#"{"type":"digest","id":"e","list":"book"}"#)
        #expect(try await one.ok("e").window == WindowPlace(first: 0, total: 2))
        try await server.stop()
    }

    /// Answers each look with what was found until then; nil: it fails.
    private final class Finds: WindowSource {
        private let finds: Locked<[(titles: [String], total: Int)?]>
        /// Each keeps back the answer after which so many are left.
        let gates: [Int: UncancellableGate]

        init(_ finds: [(titles: [String], total: Int)?], keepingBack: [Int] = []) {
            self.finds = Locked(finds)
            gates = Dictionary(uniqueKeysWithValues: keepingBack.map { ($0, UncancellableGate()) })
        }

        var rest: Int { finds.withLock(\.count) }

        func rows(in window: Window, of query: RowQuery) async throws -> WindowRows? {
            guard !query.isEmpty else { return WindowRows([], first: 0, total: 9) }
            let (find, rest) = finds.withLock { finds in (finds.removeFirst(), finds.count) }
            guard let find else { throw SourceError(message: "The file is locked.") }
            await gates[rest]?.pass()
            let rows = find.titles.map { ListRow(Key($0), title: $0) }
            return WindowRows(rows, first: 0, total: find.total, isSearching: rest > 0)
        }
    }

    @Test func whatIsFoundIsShownRowByRow() async throws {
        let both = ["A", "B"]
        let source = Finds([(["A"], 1), (["A"], 1), (both, 2), (both, 7), (both, 9)], keepingBack: [2, 0])
        let server = try await RunningServer(lists: [RefreshableList("book").windowed(by: source)])
        let one = try await server.connect()
        one.send(#"{"type":"watch","id":"w","list":"book","window":{"first":0,"count":2}}"#)
        #expect(try await titles(one).isEmpty)
        _ = try await one.next {
            if case .state(let state) = $0 { state.phase == .waiting && state.last != nil } else { false }
        }

        one.send(#"{"type":"look","id":"l","list":"book","window":{"find":"s","first":0,"count":2}}"#)
        #expect(try await one.ok("l").window == WindowPlace(first: 0, total: 1, isSearching: true))
        #expect(try await titles(one) == ["A"])
        source.gates[2]?.open()
        #expect(try await titles(one) == ["A", "B"])
        await source.gates[0]?.arrival()
        one.send(#"{"type":"digest","id":"d","list":"book"}"#)
        #expect(try await one.ok("d").window == WindowPlace(first: 0, total: 2, isSearching: true))

        source.gates[0]?.open()

        #expect(try await titles(one) == ["A", "B"])
        one.send(#"{"type":"digest","id":"e","list":"book"}"#)
        #expect(try await one.ok("e").window == WindowPlace(first: 0, total: 9))
        try await server.stop()
    }

    @Test(.timeLimit(.minutes(1))) func aSearchThatFailsMidwayGoesOnLater() async throws {
        let source = Finds([(["A"], 1), nil, nil, (["A", "B"], 2)])
        // A run would look for it, too.
        let server = try TestedServer { RefreshableList("book").windowed(by: source).shouldRefresh { "Not now." } }
        let one = try await server.connect()
        var messages = one.messages.makeAsyncIterator()
        one.send(#"{"type":"watch","id":"w","list":"book","window":{"first":0,"count":2}}"#)
        one.send(#"{"type":"look","id":"l","list":"book","window":{"find":"s","first":0,"count":2}}"#)

        while source.rest > 0 {
            try Task.checkCancellation()
            await server.advance(by: .seconds(1))
        }

        while let message = await messages.next(), !message.contains(#""title":"B""#) {}
        one.send(#"{"type":"digest","id":"d","list":"book"}"#)
        var digest = await messages.next()
        while digest?.contains(#""id":"d""#) == false { digest = await messages.next() }
        #expect(digest?.contains(#""total":2"#) == true && digest?.contains("searching") == false)
        try await server.stop()
    }

    /// Of the next rows that come.
    private func titles(_ conversation: Conversation) async throws -> [String] {
        let message = try await conversation.next { message in
            switch message {
            case .snapshot, .patch: true
            default: false
            }
        }
        let rows: [Patch.Change] =
            switch message {
            case .snapshot(let part): part.rows
            case .patch(let part): part.set
            default: []
            }
        return rows.map { if case .string(let title)? = $0.fields?["title"] { title } else { "" } }
    }
}
