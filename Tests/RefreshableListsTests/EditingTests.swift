import KeyedLists
import ListStorage
import Locking
import Testing
import WebSockets

@testable import RefreshableLists

/// Rows that code changes: all of an edit or nothing, kept before it is told, and told as one revision.
struct EditingTests {
    private let stage = Stage(RefreshableList("names").rows([ListRow("a"), ListRow("b"), ListRow("c")]))

    @Test func anEditIsOneRevisionHoweverManyStepsItHas() async throws {
        let before = try await stage.list.revision

        let after = try await stage.list.edit { rows in
            rows.insert(ListRow("d"))
            rows.set(ListRow("b", title: "B"))
            rows.move("a", .last)
            rows.remove("c")
        }

        #expect(await stage.titles == ["d", "b", "a"])
        #expect(after == ListRevision(epoch: before.epoch, revision: before.revision + 1))
        #expect(try await stage.list.rows[1] == ListRow("b", title: "B"))
    }

    @Test func anEditIsToldToThoseWhoWatchAsOnePatch() async throws {
        await stage.watch()
        let before = try await stage.list.revision

        try await stage.list.edit { rows in
            rows.insert(ListRow("d"))
            rows.remove("c")
        }

        let batch = await stage.contents().ring.batch(from: before.revision)
        #expect(batch?.revision == before.revision + 1)
    }

    @Test func anEditSeesTheRowsAsItsStepsLeaveThem() async throws {
        let seen = Locked<[String?]>([])
        try await stage.list.edit { rows in
            func look(_ key: Key) { seen.withLock { $0.append(rows[key].map { $0.title ?? "untitled" }) } }
            look("a")
            look("z")
            rows.set(ListRow("z", title: "Z"))
            rows.remove("a")
            look("a")
            look("z")
            rows.replace(with: [ListRow("y", title: "Y")])
            look("b")
            look("y")
        }

        #expect(seen.withLock(\.self) == ["untitled", nil, nil, "Z", nil, "Y"])
        #expect(await stage.titles == ["y"])
    }

    private struct Taken: Error {}

    @Test func checkingAndInsertingAreOneStep() async throws {
        await withTaskGroup { group in
            for number in 0..<20 {
                group.addTask { [list = stage.list] in
                    _ = try? await list.edit { rows in
                        guard rows["seat"] == nil else { throw Taken() }
                        rows.insert(ListRow("seat", title: "\(number)"))
                    }
                }
            }
        }

        #expect(try await stage.list.revision.revision == 2)
        await #expect(throws: Taken.self) { try await stage.list.edit { _ in throw Taken() } }
    }

    @Test func keysAreTextsOrNumbers() async throws {
        let id = "a"
        try await stage.list.move(id, .after("c"))
        try await stage.list.insert(ListRow(7), .before(id))
        try await stage.list.remove(id.prefix(1))
        #expect(await stage.titles == ["b", "c", "7"])
    }

    @Test func eachStepHasAShortcut() async throws {
        try await stage.list.insert(ListRow("d"), .after("a"))
        try await stage.list.set(ListRow("e"))
        try await stage.list.move("c", .first)
        try await stage.list.remove("b")
        #expect(await stage.titles == ["c", "e", "a", "d"])

        try await stage.list.replace(with: [ListRow("x"), ListRow("a")])
        #expect(await stage.titles == ["x", "a"])
    }

    @Test func movingKeepsTheFieldsThatEarlierStepsGave() async throws {
        try await stage.list.edit { rows in
            rows.set(ListRow("a", title: "A"))
            rows.move("a", .last)
        }

        #expect(try await stage.list.rows.last == ListRow("a", title: "A"))
    }

    @Test func stepsAfterReplacingEditWhatReplaced() async throws {
        let before = try await stage.list.revision

        let after = try await stage.list.edit { rows in
            rows.remove("a")
            rows.replace(with: [ListRow("x", title: "X"), ListRow("b")])
            rows.move("x", .last)
            rows.insert(ListRow("y"))
        }

        #expect(try await stage.list.rows == [ListRow("y"), ListRow("b"), ListRow("x", title: "X")])
        #expect(after.revision == before.revision + 1)
    }

    @Test func anEditThatChangesNothingIsNoRevision() async throws {
        let before = try await stage.list.revision

        let after = try await stage.list.edit { rows in
            rows.set(ListRow("b"))
            rows.remove("z")
        }

        #expect(after == before)
    }

    @Test(arguments: [
        (RowEdits.Step.move("z", .first), EditError.unknownRow("z")),
        (.set(ListRow(""), .kept), .emptyKey),
        (.replace([ListRow("x"), ListRow("x")]), .duplicateKey("x")),
        (.replace([ListRow("")]), .emptyKey),
    ])
    func aFaultyStepUndoesTheWholeEdit(step: RowEdits.Step, error: EditError) async throws {
        await #expect(throws: error) {
            try await stage.list.edit { rows in
                rows.remove("a")
                rows.take(step)
            }
        }

        #expect(await stage.titles == ["a", "b", "c"])
    }

    @Test func aKeyOrARowBeyondItsLimitIsAFault() async throws {
        let key = String(repeating: "k", count: 257)
        await #expect(throws: EditError.keyTooLong(Key(key), limit: 256)) { try await stage.list.insert(ListRow(key)) }

        let title = String(repeating: "t", count: 16_384)
        await #expect(throws: EditError.rowTooLarge("l", limit: 16_384)) {
            try await stage.list.insert(ListRow("l", title: title))
        }
        #expect(await stage.titles == ["a", "b", "c"])
    }

    @Test func removingThenMovingARowIsAFault() async throws {
        await #expect(throws: EditError.unknownRow("a")) {
            try await stage.list.edit { rows in
                rows.remove("a")
                rows.move("a", .last)
            }
        }
    }

    @Test func anEditForAnEarlierRevisionIsAConflict() async throws {
        let seen = try await stage.list.revision
        let current = try await stage.list.remove("a")

        await #expect(throws: EditError.conflict(current)) {
            try await stage.list.edit(at: seen) { $0.remove("b") }
        }

        #expect(try await stage.list.edit(at: current) { $0.remove("b") }.revision == current.revision + 1)
        #expect(await stage.titles == ["c"])
    }

    @Test func whatIsEditedIsKept() async throws {
        let store = MemoryStore()
        let first = Stage(RefreshableList("names"), store: store)
        let revision = try await first.list.insert(ListRow("a"))

        let second = Stage(RefreshableList("names"), store: store)

        #expect(try await second.list.revision == revision)
        #expect(await second.titles == ["a"])
    }

    @Test func aListWhoseServerHasStoppedIsNotEdited() async throws {
        await stage.list.end()

        await #expect(throws: EditError.ended()) { try await stage.list.remove("a") }
    }
}

extension RowEdits {
    mutating func take(_ step: Step) {
        switch step {
        case .set(let row, let place): set(row, place)
        case .move(let key, let place): move(key, place)
        case .remove(let key): remove(key)
        case .replace(let rows): replace(with: rows)
        }
    }
}
