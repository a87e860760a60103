import KeyedLists
import ListProtocol
import Testing

@testable import RefreshableListsClient

struct UpdateQueueTests {
    private var queue = UpdateQueue(limit: 3)

    @Test mutating func aReaderThatKeepsUpGetsAllInOrder() {
        queue.append(.state(ListState(list: "fruit", phase: .loading)))
        queue.append(.rows(rows(1, row("a", 10)), nil, touched: ["a"]))
        queue.append(.state(ListState(list: "fruit", phase: .closing)))
        #expect(texts() == ["loading", "1: inserted a", "closing"])
    }

    @Test mutating func aSlowReaderGetsOneOfEachKindRowsFirst() {
        queue.append(.rows(rows(1, row("a", 10)), nil, touched: ["a"]))
        queue.append(.state(ListState(list: "fruit", phase: .loading)))
        queue.append(.rows(rows(2, row("a", 10), row("b", 20)), nil, touched: ["b"]))
        queue.append(.state(ListState(list: "fruit", phase: .closing)))
        #expect(texts() == ["2: inserted a, inserted b", "closing"])
    }

    @Test mutating func aChangeIsFromWhatTheReaderHasSeen() {
        queue = UpdateQueue(limit: 1)
        queue.append(.rows(rows(1, row("a", 10), row("b", 20), row("c", 30)), nil, touched: nil))
        _ = texts()
        queue.append(.rows(rows(2, row("b", 20), row("c", 30), row("x", 40)), nil, touched: ["a", "x"]))
        queue.append(.rows(rows(3, row("c", 5), row("b", 20, "B")), nil, touched: ["x", "c", "b"]))
        #expect(texts() == ["3: removed a, moved c, changed b"])
    }

    @Test mutating func keysThatComeAndGoDoNotGather() {
        queue = UpdateQueue(limit: 1)
        for number in 0..<1000 {
            queue.append(.rows(rows(number + 1, row("a", 10)), nil, touched: [Key("passing \(number)"), "a"]))
        }
        #expect(queue.heldKeys <= 66)
        #expect(texts() == ["1000: inserted a"])
    }

    private mutating func texts() -> [String] {
        var texts: [String] = []
        while let update = queue.next() {
            switch update {
            case .state(let state): texts.append(state.phase.rawValue)
            case .rows(let change):
                let changes = change.changes.map { "\($0.kind.rawValue) \($0.key)" }
                texts.append("\(change.revision): \(changes.joined(separator: ", "))")
            default: texts.append("?")
            }
        }
        return texts
    }

    private func rows(_ revision: Revision, _ rows: Patch.Change...) -> KeyedList {
        guard let list = try? KeyedList(snapshot: rows, revision: revision) else { preconditionFailure("Bad rows.") }
        return list
    }
}
