import KeyedLists
import ListStorage
import Testing
import WebSockets

@testable import RefreshableLists

/// The body that all are sent who read a list over HTTP.
struct RowsDocumentTests {
    private static func list() throws -> PersistentList {
        var list = try PersistentList("fruit", from: MemoryStore())
        try list.show("apple")
        return list
    }

    /// Where an array's bytes are.
    private static func place(_ bytes: [UInt8]) -> UnsafePointer<UInt8>? {
        bytes.withUnsafeBufferPointer { $0.baseAddress }
    }

    @Test func allWhoReadOneRevisionAreSentTheSameBytesAndNoCopies() throws {
        let list = try Self.list()
        var document = RowsDocument(of: MemoryShare(1 << 30))
        let bytes = (0..<3).map { _ in document.response(of: list, titled: "Fruit").body }
        #expect(bytes[0].count > 40)
        #expect(Set(bytes.map(Self.place)).count == 1)
    }

    @Test func otherRowsAreAnotherDocument() throws {
        var list = try Self.list()
        var document = RowsDocument(of: MemoryShare(1 << 30))
        _ = document.response(of: list, titled: "Fruit").body
        try list.show("pear")
        let text = String(decoding: document.response(of: list, titled: "Fruit").body, as: UTF8.self)
        #expect(text.contains("pear") && !text.contains("apple") && text.contains("\"revision\":2"))
    }

    @Test func anotherTitleAnotherAgeOrAnotherHistoryIsAnotherDocument() throws {
        var list = try Self.list()
        var document = RowsDocument(of: MemoryShare(1 << 30))
        var seen: Set<[UInt8]> = []
        func look(_ title: String) { seen.insert(document.response(of: list, titled: title).body) }
        look("Fruit")
        look("Obst")
        try list.note(StoredFacts(updatedAt: 1000))
        look("Obst")
        try list.note(StoredFacts(updatedAt: 1000, staleSince: 2000))
        look("Obst")
        try list.renewEpoch()
        _ = try list.settle()
        look("Obst")
        #expect(seen.count == 5)
    }
}

extension PersistentList {
    /// One row is all there is from now on.
    fileprivate mutating func show(_ key: String) throws {
        _ = try commit(at: Moment(uptime: 0, date: 0)) { try $0.replace(with: [ListRow(key)], at: 0) }
    }
}
