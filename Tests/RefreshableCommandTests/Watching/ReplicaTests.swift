import KeyedLists
import ListProtocol
import Testing

@testable import RefreshableCommand

struct ReplicaTests {
    private var replica = Replica("fruit")
    private let epoch = Epoch(7)

    @Test mutating func aSnapshotIsTheRows() {
        let effect = replica.receive(snapshot(at: 3, [row("a", 10), row("b", 20)]))

        #expect(effect == .rows([change(.inserted, "a"), change(.inserted, "b")]))
        #expect(keys == ["a", "b"])
        #expect(replica.resume == ClientMessage.Resume(epoch: epoch.description, revision: 3))
    }

    @Test mutating func partsAreTakenTogether() {
        #expect(replica.receive(snapshot(at: 3, [row("a", 10)], isLast: false)) == .nothing)
        #expect(keys.isEmpty)
        _ = replica.receive(snapshot(at: 3, [row("b", 20)]))
        #expect(keys == ["a", "b"])
    }

    @Test mutating func partsOfAnAnswerThatWasCutAreForgotten() {
        _ = replica.receive(snapshot(at: 3, [row("a", 10)], isLast: false))
        replica.begin(OK())
        _ = replica.receive(snapshot(at: 3, [row("b", 20)]))
        #expect(keys == ["b"])
    }

    @Test mutating func aPatchSaysWhatBecameOfEachRow() {
        _ = replica.receive(snapshot(at: 3, [row("a", 10), row("b", 20), row("c", 30)]))
        let effect = replica.receive(
            patch(
                from: 3, to: 4, [row("n", 5), row("b", 20, "B"), moved("a", 40)], remove: ["c", "unknown"], count: 3))

        #expect(
            effect
                == .rows([
                    change(.removed, "c"), change(.inserted, "n"), change(.changed, "b", "B"), change(.moved, "a"),
                ]))
        #expect(keys == ["n", "b", "a"])
    }

    @Test mutating func aPatchAppliesFromAnyRevisionBetween() {
        _ = replica.receive(snapshot(at: 5, [row("a", 10)]))
        _ = replica.receive(patch(from: 3, to: 6, [row("b", 20)], count: 2))
        #expect(keys == ["a", "b"])
        #expect(replica.receive(patch(from: 5, to: 6, [row("x", 9)], count: 3)) == .nothing)
    }

    @Test mutating func aGapAsksForWhatIsMissing() {
        _ = replica.receive(snapshot(at: 3, [row("a", 10)]))
        #expect(replica.receive(patch(from: 5, to: 6, [row("b", 20)], count: 2)) == .lost)
        #expect(replica.resume?.revision == 3)
    }

    @Test(arguments: ["another epoch", "an unknown row", "another count"])
    mutating func whatDoesNotFitAsksForAllRowsAndKeepsThose(case wrong: String) {
        _ = replica.receive(snapshot(at: 3, [row("a", 10)]))
        let message =
            switch wrong {
            case "another epoch": patch(from: 3, to: 4, [row("b", 20)], count: 2, epoch: Epoch(8))
            case "an unknown row": patch(from: 3, to: 4, [moved("b", 20)], count: 2)
            default: patch(from: 3, to: 4, [row("b", 20)], count: 5)
            }
        #expect(replica.receive(message) == .lost)
        #expect(replica.resume == nil)
        #expect(keys == ["a"])
    }

    @Test mutating func anotherListsMessagesChangeNothing() {
        #expect(replica.receive(.state(ListState(list: "names", phase: .loading))) == .nothing)
        #expect(replica.state == nil)
    }

    @Test mutating func progressIsOfItsRun() {
        _ = replica.receive(.state(ListState(list: "fruit", phase: .loading, run: "r1")))
        #expect(replica.receive(.progress(list: "fruit", run: "r1", completed: 3, total: 9, note: nil)) == .progress)
        _ = replica.receive(.state(ListState(list: "fruit", phase: .closing, run: "r1")))
        #expect(replica.progress?.completed == 3)
        _ = replica.receive(.state(ListState(list: "fruit", phase: .loading, run: "r2")))
        #expect(replica.progress == nil)
    }

    private var keys: [String] { replica.rows.rows.map(\.key.string) }

    private func row(_ key: Key, _ position: Position, _ title: String = "") -> Patch.Change {
        Patch.Change(key: key, position: position, fields: Fields(["title": .string(title)]))
    }

    private func moved(_ key: Key, _ position: Position) -> Patch.Change { Patch.Change(key: key, position: position) }

    private func change(_ kind: RowChange.Kind, _ key: Key, _ title: String = "") -> RowChange {
        RowChange(kind: kind, key: key, fields: kind == .removed ? nil : Fields(["title": .string(title)]))
    }

    private func snapshot(at revision: Revision, _ rows: [Patch.Change], isLast: Bool = true) -> ServerMessage {
        .snapshot(SnapshotPart(list: "fruit", epoch: epoch, revision: revision, rows: rows, isLast: isLast))
    }

    private func patch(
        from: Revision, to revision: Revision, _ set: [Patch.Change], remove: [Key] = [], count: Int,
        epoch: Epoch = Epoch(7)
    ) -> ServerMessage {
        .patch(
            PatchPart(
                list: "fruit", epoch: epoch, from: from, revision: revision, set: set, remove: remove, count: count,
                isLast: true))
    }
}
