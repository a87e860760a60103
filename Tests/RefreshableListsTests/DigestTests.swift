import Foundation
import KeyedLists
import ListProtocol
import ListStorage
import SQLiteStorage
import Testing

@testable import RefreshableLists

/// What a client is told that asks whether its rows are right.
@Suite(.timeLimit(.minutes(1)))
struct DigestTests {
    @Test func itNamesTheNewestRevisionAndItsRows() async throws {
        let stage = Stage(RefreshableList("fruit").rows([ListRow("apple"), ListRow("pear")]))
        let ok = try await stage.digest()
        let kept = try #require(await stage.list.kept)
        #expect(
            ok
                == OK(
                    id: "d", list: "fruit", epoch: kept.epoch, revision: 1, count: 2, crc32: kept.rows.digest))
    }

    @Test func itIsOfTheRevisionThatTheRowsOfTheAnswerToAWatchLeadTo() async throws {
        let stage = Stage(RefreshableList("fruit").rows([ListRow("apple")]))
        await stage.watch()
        let ok = try await stage.digest()
        let start = try #require(await stage.contents().deliveries.compactMap(\.attachment).first)
        #expect(start.revision == ok.revision)
    }

    @Test func itChangesWithTheRows() async throws {
        let stage = Stage(
            RefreshableList("fruit").rows([ListRow("apple")]).refreshable { [ListRow("apple"), ListRow("fig")] })
        let before = try await stage.digest()
        await stage.refresh()
        let after = try await stage.digest()
        #expect(after.revision == 2 && after.count == 2)
        #expect(after.crc32 != before.crc32)
        #expect(after.epoch == before.epoch)
    }

    @Test func rowsCommittedAfterItFollowIt() async throws {
        let stage = Stage(RefreshableList("fruit").rows([ListRow("apple")]).refreshable { [ListRow("fig")] })
        await stage.watch()
        let ok = try await stage.digest()
        await stage.refresh()
        let contents = await stage.contents()
        #expect(contents.ring.revision == 2)
        #expect(contents.ring.batch(from: try #require(ok.revision)) != nil)
    }

    @Test func aListThatCannotBeReadIsUnavailable() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "digest-\(UUID())")
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let store = try SQLiteStore(folder: folder.path)
        try store.close()
        let stage = Stage(RefreshableList("fruit"), store: store)
        let reply = try await stage.replyToDigest()
        #expect(
            reply
                == .error(
                    id: "d", code: .unavailable, message: "The list fruit cannot be read at the moment.", after: 5000))
    }
}

extension Stage {
    /// The newest answer, whatever it is.
    func replyToDigest() async throws -> ServerMessage {
        await askForDigest()
        return try ServerMessage(decoding: try #require(await contents().deliveries.compactMap(\.reply).last))
    }

    /// The newest answer to a digest that is asked for now.
    func digest() async throws -> OK {
        guard case .ok(let ok) = try await replyToDigest() else {
            throw MessageError(code: .internal, message: "The answer to a digest is no ok.")
        }
        return ok
    }
}

extension Delivery {
    fileprivate var reply: [UInt8]? {
        guard case .replied(_, let reply) = self else { return nil }
        return reply
    }

    fileprivate var attachment: WatchStart? {
        guard case .attached(let start) = self else { return nil }
        return start
    }
}
