import KeyedLists
import ListProtocol
import Testing

@testable import RefreshableListsClient

struct ReplicaTests {
    private var replica = Replica()

    @Test mutating func aSnapshotIsTheRows() {
        #expect(replica.receive(.of([row("a", 10), row("b", 20)], at: 3)) == .rows(touched: ["a", "b"]))
        #expect(keys == ["a", "b"])
        #expect(replica.resume == ClientMessage.Resume(epoch: Epoch(7).description, revision: 3))
    }

    @Test mutating func partsAreTakenTogether() {
        #expect(replica.receive(.of([row("a", 10)], at: 3, isLast: false)) == .nothing)
        #expect(keys.isEmpty && replica.isIncomplete)
        _ = replica.receive(.of([row("b", 20)], at: 3))
        #expect(keys == ["a", "b"])
        #expect(!replica.isIncomplete)
    }

    @Test mutating func partsOfAnAnswerThatWasCutAreForgotten() {
        _ = replica.receive(.of([row("a", 10)], at: 3, isLast: false))
        replica.begin()
        _ = replica.receive(.of([row("b", 20)], at: 3))
        #expect(keys == ["b"])
    }

    @Test mutating func aPatchChangesTheRowsThatItNames() {
        _ = replica.receive(.of([row("a", 10), row("b", 20), row("c", 30)], at: 3))
        let effect = replica.receive(
            .of(from: 3, to: 4, set: [row("n", 5), row("b", 20, "B"), moved("a", 40)], remove: ["c", "x"], count: 3))
        #expect(effect == .rows(touched: ["c", "x", "n", "b", "a"]))
        #expect(keys == ["n", "b", "a"])
    }

    @Test mutating func aPatchAppliesFromAnyRevisionBetween() {
        _ = replica.receive(.of([row("a", 10)], at: 5))
        _ = replica.receive(.of(from: 3, to: 6, set: [row("b", 20)], count: 2))
        #expect(keys == ["a", "b"])
        #expect(replica.receive(.of(from: 5, to: 6, set: [row("x", 9)], count: 3)) == .nothing)
    }

    @Test mutating func aGapAsksForWhatIsMissing() {
        _ = replica.receive(.of([row("a", 10)], at: 3))
        #expect(replica.receive(.of(from: 5, to: 6, set: [row("b", 20)], count: 2)) == .lost)
        #expect(replica.resume?.revision == 3)
    }

    @Test(arguments: ["another epoch", "an unknown row", "another count", "a key twice", "a position twice"])
    mutating func whatDoesNotFitAsksForAllRowsAndKeepsThose(case wrong: String) {
        _ = replica.receive(.of([row("a", 10)], at: 3))
        let patch: PatchPart =
            switch wrong {
            case "another epoch": .of(from: 3, to: 4, set: [row("b", 20)], count: 2, epoch: Epoch(8))
            case "an unknown row": .of(from: 3, to: 4, set: [moved("b", 20)], count: 2)
            case "a key twice": .of(from: 3, to: 4, set: [row("b", 20), row("b", 30)], count: 2)
            case "a position twice": .of(from: 3, to: 4, set: [row("b", 10)], count: 2)
            default: .of(from: 3, to: 4, set: [row("b", 20)], count: 5)
            }
        #expect(replica.receive(patch) == .lost)
        #expect(replica.resume == nil)
        #expect(keys == ["a"])
    }

    @Test mutating func aSnapshotThatContradictsItselfIsAskedForAgain() {
        _ = replica.receive(.of([row("a", 10)], at: 3))
        #expect(replica.receive(.of([row("b", 10), row("c", 10)], at: 4)) == .lost)
        #expect(keys == ["a"])
    }

    private var keys: [String] { replica.rows.rows.map(\.key.string) }
}

func row(_ key: Key, _ position: Position, _ title: String = "") -> Patch.Change {
    Patch.Change(key: key, position: position, fields: Fields(["title": .string(title)]))
}

func moved(_ key: Key, _ position: Position) -> Patch.Change { Patch.Change(key: key, position: position) }

extension SnapshotPart {
    static func of(_ rows: [Patch.Change], at revision: Revision, isLast: Bool = true, epoch: Epoch = Epoch(7)) -> Self
    {
        SnapshotPart(list: "fruit", epoch: epoch, revision: revision, rows: rows, isLast: isLast)
    }
}

extension PatchPart {
    static func of(
        from: Revision, to revision: Revision, set: [Patch.Change], remove: [Key] = [], count: Int,
        epoch: Epoch = Epoch(7)
    ) -> Self {
        PatchPart(
            list: "fruit", epoch: epoch, from: from, revision: revision, set: set, remove: remove, count: count,
            isLast: true)
    }
}
