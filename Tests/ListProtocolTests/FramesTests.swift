import KeyedLists
import ListProtocol
import Testing

@Suite struct FramesTests {
    let epoch = Epoch(1)

    private func row(_ number: Int, bytes: Int = 40) -> PlacedRow {
        PlacedRow(
            key: Key("key \(number)"), fields: Fields(["title": .string(String(repeating: "x", count: bytes))]),
            position: number, fieldsRevision: 1, positionRevision: 1)
    }

    private func snapshot(_ rows: [PlacedRow], limit: Int) throws -> (frames: [[UInt8]], parts: [SnapshotPart]) {
        let frames = Frames.snapshot(list: "names", epoch: epoch, revision: 9, rows: rows, limit: limit)
        return (frames, try frames.map { try #require(try ServerMessage(decoding: $0).snapshot) })
    }

    @Test func anEmptyListIsOnePartWithoutRows() {
        let frames = Frames.snapshot(list: "names", epoch: epoch, revision: 0, rows: [], limit: 65_536)
        #expect(
            frames.map(text) == [#"{"type":"snapshot","list":"names","epoch":"1","revision":0,"rows":[],"last":true}"#])
    }

    @Test func anEmptyPatchIsOnePartWithBothArrays() {
        let frames = Frames.patch(
            Patch(from: 3, revision: 3, count: 7), list: "names", epoch: epoch, run: nil, limit: 65_536)
        #expect(
            frames.map(text) == [
                #"{"type":"patch","list":"names","epoch":"1","from":3,"revision":3,"#
                    + #""set":[],"remove":[],"count":7,"last":true}"#
            ])
    }

    @Test(arguments: [300, 1_000, 4_096, 65_536])
    func snapshotPartsStayWithinTheLimitAndMakeUpTheList(limit: Int) throws {
        let rows = (1...2_000).map { row($0, bytes: $0 % 97) }
        let (frames, parts) = try snapshot(rows, limit: limit)
        #expect(frames.allSatisfy { $0.count <= limit })
        // Full enough: no two neighbours would have gone into one.
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.count + $1.count > limit })
        #expect(parts.map(\.isLast) == Array(repeating: false, count: parts.count - 1) + [true])
        #expect(parts.allSatisfy { $0.revision == 9 && $0.list == "names" && $0.epoch == epoch })
        #expect(parts.flatMap(\.rows).map(\.key) == rows.map(\.key))
        #expect(parts.flatMap(\.rows).map(\.fields) == rows.map(\.fields))
    }

    @Test func aSingleRowIsNeverCut() throws {
        let (frames, parts) = try snapshot([row(1), row(2, bytes: 5_000), row(3)], limit: 1_000)
        #expect(parts.map { $0.rows.count } == [1, 1, 1])
        #expect(frames.map { $0.count > 1_000 } == [false, true, false])
    }

    @Test func aListThatJustFitsIsOnePart() throws {
        let rows = (1...20).map { row($0) }
        let whole = try snapshot(rows, limit: 65_536).frames[0].count
        // A tail as long as a patch's is kept free.
        #expect(try snapshot(rows, limit: whole + 64).frames.count == 1)
        #expect(try snapshot(rows, limit: whole - 1).frames.count == 2)
    }

    @Test(arguments: [300, 1_000, 65_536])
    func patchPartsSayCountInTheLastAlone(limit: Int) throws {
        let set = (1...500).map { Patch.Change(key: Key("s\($0)"), position: $0, fields: $0 % 3 == 0 ? nil : Fields()) }
        let remove = (1...500).map { Key("removed \($0)") }
        let patch = Patch(from: 3, revision: 5, set: set, remove: remove, count: 70)
        let frames = Frames.patch(patch, list: "names", epoch: epoch, run: "r7", limit: limit)
        let parts = try frames.map { try #require(try ServerMessage(decoding: $0).patch) }
        #expect(frames.allSatisfy { $0.count <= limit })
        #expect(parts.flatMap(\.set) == set)
        #expect(parts.flatMap(\.remove) == remove)
        #expect(parts.allSatisfy { $0.from == 3 && $0.revision == 5 && $0.run == "r7" })
        #expect(parts.dropLast().allSatisfy { $0.count == nil && !$0.isLast })
        #expect(parts.last?.count == 70 && parts.last?.isLast == true)
    }

    @Test func aPartHasBothArraysWhereTheyMeet() {
        let patch = Patch(
            from: 1, revision: 2, set: [Patch.Change(key: "a", position: 1)], remove: ["b", "c"], count: 1)
        let frames = Frames.patch(patch, list: "n", epoch: epoch, run: nil, limit: 190)
        let head = #"{"type":"patch","list":"n","epoch":"1","from":1,"revision":2,"#
        #expect(
            frames.map(text) == [
                head + #""set":[{"key":"a","position":1}],"remove":["b","c"],"count":1,"last":true}"#
            ])
        let cut = Frames.patch(patch, list: "n", epoch: epoch, run: nil, limit: 165)
        #expect(
            cut.map(text) == [
                head + #""set":[{"key":"a","position":1}],"remove":[],"last":false}"#,
                head + #""set":[],"remove":["b","c"],"count":1,"last":true}"#,
            ])
    }
}

extension ServerMessage {
    fileprivate var snapshot: SnapshotPart? {
        if case .snapshot(let part) = self { part } else { nil }
    }

    fileprivate var patch: PatchPart? {
        if case .patch(let part) = self { part } else { nil }
    }
}
