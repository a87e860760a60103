import Foundation
import GRDB
import KeyedLists
import Testing

@testable import ListStorage
@testable import SQLiteStorage

/// Who wants to be told is kept, whole or not at all.
struct SubscriptionStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func subscription(_ id: String, list: String = "mail", signIn: Int64? = nil) -> StoredSubscription {
        StoredSubscription(
            id: id, list: list, endpoint: "https://push.example.net/\(id)", publicKey: "p", secret: "s", owner: "o",
            signIn: signIn, language: "de", site: "a.example", seen: 3, told: 5)
    }

    @Test func whatWasKeptIsThereAgain() throws {
        let store = try SQLiteSubscriptionStore(folder: folder.path)
        let arrivals = StoredArrivals(epoch: Epoch(.max), revision: 8, total: 9, key: "k\0é", title: "Hello")
        try store.keep(
            SubscriptionChanges(
                set: [subscription("a", signIn: .min), subscription("b")], arrivals: ["mail": arrivals]))
        var changed = subscription("b")
        changed.told = 9
        try store.keep(SubscriptionChanges(set: [changed], removed: [("a", "news"), ("x", "mail")]))
        try store.close()
        let (kept, lists) = try SQLiteSubscriptionStore(folder: folder.path).load()
        #expect(Set(kept) == [subscription("a", signIn: .min), changed])
        #expect(lists == ["mail": arrivals])
    }

    @Test func whoIsRemovedIsGone() throws {
        let store = try SQLiteSubscriptionStore(folder: folder.path)
        try store.keep(SubscriptionChanges(set: [subscription("a"), subscription("a", list: "news")]))
        try store.keep(SubscriptionChanges(removed: [("a", "mail")]))
        #expect(try store.load().0 == [subscription("a", list: "news")])
    }

    @Test func theFileIsForItsUserAlone() throws {
        _ = try SQLiteSubscriptionStore(folder: folder.path)
        let path = folder.path + "/notifications.sqlite"
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    @Test func aDatabaseOfAnotherProgramIsLeftAlone() throws {
        let path = folder.path + "/notifications.sqlite"
        try DatabaseQueue(path: path).write {
            try $0.execute(sql: "PRAGMA application_id = 5; PRAGMA user_version = 1")
        }
        #expect(throws: ListStoreError.anotherProgram(path: path)) { try SQLiteSubscriptionStore(folder: folder.path) }
    }

    @Test func aFileOfALaterVersionIsLeftAlone() throws {
        _ = try SQLiteSubscriptionStore(folder: folder.path)
        let path = folder.path + "/notifications.sqlite"
        try DatabaseQueue(path: path).write { try $0.execute(sql: "PRAGMA user_version = 2") }
        #expect(throws: ListStoreError.newerVersion(path: path, found: 2, known: 1)) {
            try SQLiteSubscriptionStore(folder: folder.path)
        }
    }

    @Test func whatIsNoDatabaseIsSaid() throws {
        try Data(repeating: 7, count: 4096).write(to: URL(fileURLWithPath: folder.path + "/notifications.sqlite"))
        #expect(throws: ListStoreError.self) { try SQLiteSubscriptionStore(folder: folder.path) }
    }
}
