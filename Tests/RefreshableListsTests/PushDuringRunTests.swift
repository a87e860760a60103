import KeyedLists
import Locking
import Testing
import WebSockets

@testable import RefreshableLists

/// What is pushed while a run is under way is kept through it, in both modes.
struct PushDuringRunTests {
    @Test(arguments: RefreshableList.Mode.allCases)
    func aPushedRowIsKeptThroughTheRunThatItCrossed(mode: RefreshableList.Mode) async throws {
        let crossing = Crossing(mode, rows: [ListRow("a", title: "old"), ListRow("b")])

        try await crossing.run(yielding: [ListRow("a", title: "source"), ListRow("b")]) { list in
            try await list.edit { rows in
                rows.set(ListRow("a", title: "pushed"))
                rows.insert(ListRow("new"))
            }
        }

        #expect(try await crossing.list.rows == [ListRow("new"), ListRow("a", title: "pushed"), ListRow("b")])
    }

    @Test(arguments: RefreshableList.Mode.allCases)
    func aRowRemovedDuringARunDoesNotComeBackWithIt(mode: RefreshableList.Mode) async throws {
        let crossing = Crossing(mode, rows: [ListRow("a"), ListRow("b")])

        try await crossing.run(yielding: [ListRow("a"), ListRow("b"), ListRow("c")]) { try await $0.remove("a") }

        #expect(await crossing.stage.titles == ["b", "c"])
    }

    @Test(arguments: RefreshableList.Mode.allCases)
    func aRowMovedDuringARunStaysWhereItWasPut(mode: RefreshableList.Mode) async throws {
        let crossing = Crossing(mode, rows: [ListRow("a"), ListRow("b"), ListRow("c")])

        try await crossing.run(yielding: [ListRow("a"), ListRow("b"), ListRow("c")]) { try await $0.move("a", .last) }

        #expect(await crossing.stage.titles == ["b", "c", "a"])
    }

    @Test(arguments: RefreshableList.Mode.allCases)
    func whatReplacedTheRowsDuringARunIsKept(mode: RefreshableList.Mode) async throws {
        let crossing = Crossing(mode, rows: [ListRow("a"), ListRow("b")])

        try await crossing.run(yielding: [ListRow("a"), ListRow("b"), ListRow("c")]) { list in
            try await list.replace(with: [ListRow("b", title: "pushed"), ListRow("x")])
        }

        #expect(try await crossing.list.rows.filter { $0.key != "c" } == [ListRow("b", title: "pushed"), ListRow("x")])
    }

    @Test(arguments: RefreshableList.Mode.allCases)
    func theNextRunMayChangeWhatWasPushed(mode: RefreshableList.Mode) async throws {
        let crossing = Crossing(mode, rows: [ListRow("a")])
        try await crossing.run(yielding: [ListRow("a")]) { try await $0.set(ListRow("a", title: "pushed")) }

        try await crossing.run(yielding: [ListRow("a", title: "source")]) { _ in }

        #expect(try await crossing.list.rows == [ListRow("a", title: "source")])
    }

    @Test func aStreamGoesOnWhereItWasWhenItsLastRowIsRemoved() async throws {
        let half = UncancellableGate()
        let whole = UncancellableGate()
        let stage = Stage(
            RefreshableList("names").mode(.stream).refreshable { run in
                run.yield([ListRow("a"), ListRow("b")])
                await half.pass()
                run.yield(ListRow("c"))
                await whole.pass()
            })
        async let run = stage.refresh()
        await half.arrival()
        try await stage.list.remove("b")

        half.open()
        await whole.arrival()
        await stage.advance(by: .milliseconds(50))

        #expect(await stage.titles == ["a", "c"])
        whole.open()
        _ = await run
    }

    /// Runs and edits at random, beside a model that knows only what the words of the design say.
    @Test(arguments: RefreshableList.Mode.allCases, [11, 12, 13] as [UInt64])
    func editsAndRunsAtRandomComeToWhatTheModelSays(mode: RefreshableList.Mode, seed: UInt64) async throws {
        print("seed \(seed), \(mode)")
        var random = SplitMix(seed: seed)
        let crossing = Crossing(mode, rows: [])
        for round in 1...60 {
            let yielded = random.rows()
            let succeeds = random.next() % 5 != 0
            let before = try await crossing.list.rows
            var model = CrossingModel(before)

            try await crossing.run(yielding: yielded, pausing: true, succeeding: succeeds) { list in
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    let shown = try await list.rows
                    let edits = random.edits(knowing: shown.map(\.key))
                    model.crossed.formUnion(edits.flatMap(\.keys))
                    try await list.edit { rows in for edit in edits { rows.take(edit) } }
                    for edit in edits { model.take(edit, shown) }
                    await crossing.stage.advance(by: .milliseconds(Int64.random(in: 0...60, using: &random)))
                }
            }

            let rows = try await crossing.list.rows
            let note: Comment = "seed \(seed), \(mode), round \(round)"
            #expect(model.pushedPart(of: rows) == model.pushed, note)
            guard succeeds else {
                if mode == .replace { #expect(Set(rows) == Set(model.all), note) }
                continue
            }
            #expect(
                rows.filter { !model.crossed.contains($0.key) } == yielded.filter { !model.crossed.contains($0.key) },
                note)
        }
    }
}

/// A list whose handler yields half its rows, waits while others edit, and yields the rest.
private final class Crossing: Sendable {
    private struct Script {
        var rows: [ListRow] = []
        var succeeds = true
        var gate = UncancellableGate()
    }

    let stage: Stage
    private let script: Locked<Script>
    var list: LiveList { stage.list }

    init(_ mode: RefreshableList.Mode, rows: [ListRow]) {
        let script = Locked(Script())
        self.script = script
        stage = Stage(
            RefreshableList("names").rows(rows).mode(mode).deadline(nil).refreshable { run in
                let script = script.withLock { $0 }
                let half = script.rows.count / 2
                run.yield(Array(script.rows[..<half]))
                await script.gate.pass()
                run.yield(Array(script.rows[half...]))
                if !script.succeeds { throw RefreshFailure("No.") }
            })
    }

    func run(
        yielding rows: [ListRow], pausing: Bool = false, succeeding: Bool = true,
        while others: (LiveList) async throws -> Void
    ) async throws {
        let gate = UncancellableGate()
        script.withLock { $0 = Script(rows: rows, succeeds: succeeding, gate: gate) }
        async let run = stage.refresh()
        await gate.arrival()
        do { try await others(list) } catch {
            gate.open()
            throw error
        }
        gate.open()
        _ = await run
    }
}

/// What a list holds of rows that were pushed during a run: exactly what the pushes say, whatever the run yields.
private struct CrossingModel {
    private(set) var all: [ListRow]
    var crossed: Set<Key> = []

    init(_ rows: [ListRow]) { all = rows }

    /// The rows that were pushed, by what they hold.
    var pushed: [Key: Fields] { pushedPart(of: all) }

    func pushedPart(of rows: [ListRow]) -> [Key: Fields] {
        Dictionary(uniqueKeysWithValues: rows.filter { crossed.contains($0.key) }.map { ($0.key, $0.fields) })
    }

    /// - Parameter shown: The rows of the list before the edit: what is moved may have come with the run.
    mutating func take(_ step: RowEdits.Step, _ shown: [ListRow]) {
        switch step {
        case .set(let row, _):
            all.removeAll { $0.key == row.key }
            all.append(row)
        case .move(let key, _):
            all.removeAll { $0.key == key }
            all += shown.filter { $0.key == key }
        case .remove(let key): all.removeAll { $0.key == key }
        case .replace(let rows): all = rows
        }
    }
}

extension RowEdits.Step {
    fileprivate var keys: [Key] {
        switch self {
        case .set(let row, _): [row.key]
        case .move(let key, _), .remove(let key): [key]
        case .replace(let rows): rows.map(\.key)
        }
    }
}

extension SplitMix {
    fileprivate mutating func key() -> Key { Key("k\(Int.random(in: 0..<24, using: &self))") }

    fileprivate mutating func row() -> ListRow {
        ListRow(key().string, title: "\(Int.random(in: 0..<3, using: &self))")
    }

    /// Some rows, no key twice.
    fileprivate mutating func rows() -> [ListRow] {
        var keys: Set<Key> = []
        return (0..<Int.random(in: 0...16, using: &self)).map { _ in row() }.filter { keys.insert($0.key).inserted }
    }

    /// A step or a few. Moves are of rows that are there before the first of them.
    fileprivate mutating func edits(knowing keys: [Key]) -> [RowEdits.Step] {
        if let key = keys.randomElement(using: &self), next() % 4 == 0 { return [.move(key, place())] }
        return (0..<Int.random(in: 1...3, using: &self)).map { _ in
            next() % 3 == 0 ? .remove(key()) : .set(row(), place())
        }
    }

    private mutating func place() -> Place {
        [.kept, .first, .last, .before(key()), .after(key())].randomElement(using: &self) ?? .kept
    }
}
