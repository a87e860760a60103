import Foundation
import GRDB
import KeyedLists
import Testing

@testable import ListStorage
@testable import SQLiteStorage

/// What is not as we wrote it is given out to nobody, and is named.
@Suite struct ChecksumTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// As any program can compute it: zlib's crc32 of these bytes.
    @Test func theChecksumOfARowIsThatOfItsColumnsInOrder() throws {
        let row = PlacedRow(
            key: "ä", fields: Fields(["title": .string("A")]), position: 1 << 52, fieldsRevision: 3,
            positionRevision: 258)
        func number(_ value: Int64) -> [UInt8] { [1] + withUnsafeBytes(of: value.littleEndian) { Array($0) } }
        let key = Array("ä".utf8)
        var bytes: [UInt8] = [0x52] + number(7)
        bytes += number(Int64(key.count)) + key
        bytes += number(1 << 52) + number(3) + number(258)
        bytes += number(Int64(row.fields.bytes.count)) + row.fields.bytes
        var check = CRC32()
        bytes.withUnsafeBytes { check.update($0) }
        #expect(Checksum(row, list: 7).value == Int(check.value))
        #expect(Checksum(row, list: 8).value != Int(check.value))
    }

    @Test(arguments: [
        ("UPDATE rows SET fields = CAST('{}' AS BLOB) WHERE key = CAST('b' AS BLOB)", "the row \"b\""),
        ("UPDATE rows SET fields = CAST('{\"title\":' AS BLOB) WHERE key = CAST('b' AS BLOB)", "the row \"b\""),
        ("UPDATE rows SET key = CAST('bb' AS BLOB) WHERE key = CAST('b' AS BLOB)", "the row \"bb\""),
        ("UPDATE rows SET position = position + 1 WHERE key = CAST('b' AS BLOB)", "the row \"b\""),
        ("UPDATE rows SET fieldsRevision = 2 WHERE key = CAST('b' AS BLOB)", "the row \"b\""),
        ("UPDATE rows SET positionRevision = 'x' WHERE key = CAST('b' AS BLOB)", "the row \"b\""),
        ("UPDATE rows SET position = x'00' WHERE key = CAST('b' AS BLOB)", "the row \"b\""),
        ("UPDATE rows SET checksum = NULL WHERE key = CAST('b' AS BLOB)", "the row \"b\""),
        ("UPDATE rows SET key = x'FF' WHERE key = CAST('b' AS BLOB)", "the row \"\u{FFFD}\""),
        ("UPDATE tombstones SET removedAt = 0", "the removal of \"z\""),
        ("DELETE FROM rows WHERE key = CAST('b' AS BLOB)", "rows are missing"),
        ("DELETE FROM tombstones", "rows are missing"),
        ("UPDATE lists SET revision = 1 WHERE name = CAST('names' AS BLOB)", "the line of the list"),
        ("UPDATE lists SET epoch = 1 WHERE name = CAST('names' AS BLOB)", "the line of the list"),
        ("UPDATE lists SET runs = 'x' WHERE name = CAST('names' AS BLOB)", "the line of the list"),
        ("UPDATE lists SET sum = NULL, checksum = NULL WHERE name = CAST('names' AS BLOB)", "the line of the list"),
        ("UPDATE lists SET name = CAST('mames' AS BLOB) WHERE name = CAST('names' AS BLOB)", "it is not found"),
    ])
    func whatWasChangedIsNamedAndOtherListsAreRead(change: String, named: String) throws {
        for isClosed in [true, false] {
            let folder = try TemporaryFolder()
            let fill: (SQLiteStore) throws -> Void = { store in
                var stored = try store.fill("names", ["a", "b", "z"])
                try store.commit(try stored.list.change([.remove("z")]), facts: StoredFacts(runs: 1), to: "names")
                try store.fill("other", ["x"])
            }
            if isClosed { try folder.withStore(fill) } else { try folder.withLostStore(fill) }
            let editor = try DatabaseQueue(path: folder.data.database)
            try editor.write { try $0.execute(sql: change) }
            try editor.close()
            try folder.withStore { store in
                for _ in 1...2 {
                    let error = #expect(throws: ListStoreError.self) { try store.load("names") }
                    let text = "\(try #require(error))"
                    #expect(text.contains(named) && text.contains("names") && text.contains(folder.data.database))
                    #expect(text.contains("from a backup"))
                }
                #expect(try store.load("other").list.keys == ["x"])
            }
        }
    }

    @Test func aListThatIsDamagedUnderARunningServerCanNotBeChangedAndTheOthersCan() throws {
        try folder.withStore { store in
            var stored = try store.fill("names", ["a", "b"])
            var other = try store.fill("other", ["x"])
            let editor = try DatabaseQueue(path: folder.data.database)
            try editor.write { try $0.execute(sql: "DELETE FROM rows WHERE key = CAST('b' AS BLOB)") }
            try editor.close()
            store.look()
            #expect(throws: ListStoreError.self) { try store.load("names") }
            let commit = try stored.list.change([.set(ListRow("c"), .last)])
            #expect(throws: ListStoreError.self) { try store.commit(commit, facts: stored.facts, to: "names") }
            other = try store.load("other")
            try store.commit(try other.list.change([.set(ListRow("y"), .last)]), facts: other.facts, to: "other")
            #expect(try store.load("other").list.keys == ["x", "y"])
        }
    }

    /// Each byte that means anything is changed once; what is read afterwards is what was written, or nothing.
    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func aByteThatChangedGivesTheRowsThatWereOrNone(seed: UInt64) throws {
        var random = Generator(seed: seed)
        let lists = ["a", "b", "c"]
        try folder.withStore { store in
            for name in lists {
                var stored = try store.fill(name, (0..<40).map { "\(name) \($0)" })
                try store.commit(try stored.list.change([.remove(Key("\(name) 7"))]), facts: StoredFacts(), to: name)
            }
        }
        let sound = try folder.withStore { store in try lists.map { try store.load($0).list } }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.data.database))
        var damaged = 0
        for _ in 0..<60 {
            let folder = try TemporaryFolder()
            var changed = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
                changed[Int.random(in: 100..<bytes.count, using: &random)] ^= bit
            }
            try changed.write(to: URL(fileURLWithPath: folder.data.database), options: [])
            guard let store = try? SQLiteStore(folder: folder.path, boot: "boot 1") else {
                damaged += lists.count
                continue
            }
            for (name, list) in zip(lists, sound) {
                do {
                    let found = try store.load(name)
                    #expect(found.list.placed == list.placed, "seed \(seed), \(name)")
                    #expect(found.list.patch(since: 1) == list.patch(since: 1), "seed \(seed), \(name)")
                } catch {
                    damaged += 1
                    switch error {
                    case .damaged, .corrupt: break
                    default: Issue.record("seed \(seed), \(name): \(error)")
                    }
                }
            }
        }
        #expect(damaged > 0)
    }
}
