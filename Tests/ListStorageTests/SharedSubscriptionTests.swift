import KeyedLists
import PostgresConnections
import Testing

@testable import ListStorage
@testable import PostgresStorage

/// Who wants to be told, kept for several servers over one database.
@Suite(.enabled(if: TestDatabase.shared != nil, "PostgreSQL is not installed"))
struct SharedSubscriptionTests {
    private let url: String
    private let stores: [PostgresStore]
    private let first: PostgresSubscriptionStore
    private let second: PostgresSubscriptionStore

    init() throws {
        url = try #require(TestDatabase.shared?.makeDatabase())
        stores = [try PostgresStore(url), try PostgresStore(url)]
        (first, second) = (PostgresSubscriptionStore(stores[0]), PostgresSubscriptionStore(stores[1]))
    }

    private func subscription(
        _ id: String, list: String = "mail", seen: Int = 0, told: Int = 0, title: String = "a.example"
    ) -> StoredSubscription {
        StoredSubscription(
            id: id, list: list, endpoint: "https://push.example.net/\(id)", publicKey: "p\0", secret: "s", owner: "o",
            signIn: id == "a" ? .min : nil, language: "de", site: title, seen: seen, told: told)
    }

    private func asking(_ ids: String..., list: String = "mail") -> SubscriptionChanges {
        var changes = SubscriptionChanges(set: ids.map { subscription($0, list: list) })
        changes.new = Set(changes.set.map(\.name))
        return changes
    }

    private func telling(_ id: String, told: Int, seen: Int = 0) -> SubscriptionChanges {
        var changes = SubscriptionChanges(set: [subscription(id, seen: seen, told: told)])
        changes.due = [SubscriptionName(id: id, list: "mail")]
        return changes
    }

    private func looking(_ id: String, for milliseconds: Int64) -> SubscriptionChanges {
        var changes = SubscriptionChanges()
        changes.looks = [SubscriptionName(id: id, list: "mail"): milliseconds]
        return changes
    }

    private func arrivals(_ total: Int, at revision: Revision, in epoch: Epoch) -> SubscriptionChanges {
        SubscriptionChanges(arrivals: ["mail": StoredArrivals(epoch: epoch, revision: revision, total: total)])
    }

    /// The first server leads the list; where that is.
    private func lead() async throws -> StoredPlace {
        try await stores[0].push(["x"], to: "mail")
        let place = try await stores[0].read("mail").place
        #expect(try await stores[0].lead("mail") != nil)
        return place
    }

    private func outcome(_ store: PostgresSubscriptionStore, _ changes: SubscriptionChanges) throws -> TellOutcome? {
        try store.commit(changes).first?.value
    }

    // MARK: Who asks

    @Test func whoAsksAtOneServerIsReadByTheOthersAsTheyWereKept() throws {
        try first.keep(asking("a", "b"))
        let (all, _) = try second.load()
        #expect(Set(all) == [subscription("a"), subscription("b")])
        #expect(try second.changes().removed == [])
    }

    @Test func aServerReadsWhatIsNewSinceItReadLast() throws {
        try first.keep(asking("a"))
        _ = try second.load()
        try first.keep(asking("b"))
        let update = try second.changes()
        // What was written while another transaction was under way is read once more.
        #expect(!update.isWhole && update.set.map(\.id).contains("b"))
        try first.keep(SubscriptionChanges(removed: [("a", "mail")]))
        #expect(try second.changes().removed.contains(SubscriptionName(id: "a", list: "mail")))
        #expect(try second.load().0.map(\.id) == ["b"])
    }

    @Test func whatATransactionWritesThatEndsLateIsReadAfterIt() async throws {
        _ = try second.load()
        // It begins before the others, and is not over when they are read.
        let connection = try await StoreConnection.open(stores[0].address, on: stores[0].loop)
        // However long this test waits for a thread in between.
        try await connection.connection.run(
            "SET idle_in_transaction_session_timeout = 0; BEGIN; SELECT pg_current_xact_id()")
        try first.keep(asking("b"))
        #expect(try second.changes().set.map(\.id).contains("b"))
        _ = try await connection.ask(
            """
            INSERT INTO refreshable.subscriptions (list, id, endpoint, public_key, secret, owner, language, site, seen, told, written)
            VALUES ('mail', 'late', '', '', '', '', '', '', 0, 0, pg_current_xact_id()::text::bigint) RETURNING 1::bigint
            """, [])
        try await connection.connection.run("COMMIT")
        connection.connection.close()
        #expect(try second.changes().set.map(\.id).contains("late"))
    }

    @Test func ofWhoAsksNoMoreNothingSecretIsKept() async throws {
        try first.keep(asking("a"))
        try second.keep(SubscriptionChanges(removed: [("a", "mail")]))
        let secrets = try await stores[0].pool.use { connection in
            try await connection.ask(
                "SELECT length(endpoint || public_key || secret || owner)::bigint FROM refreshable.subscriptions", [])
        }
        #expect(secrets == [0])
    }

    @Test func whoWasRemovedElsewhereDoesNotComeBackByWhatTheySaw() throws {
        try first.keep(asking("a"))
        try second.keep(SubscriptionChanges(removed: [("a", "mail")]))
        try first.keep(SubscriptionChanges(set: [subscription("a", seen: 4, told: 4)]))
        #expect(try outcome(first, telling("a", told: 5)) == .over)
        #expect(try second.load().0 == [])
    }

    @Test func whoAsksAgainKeepsWhatTheyHaveSeen() throws {
        try first.keep(asking("a"))
        try first.keep(SubscriptionChanges(set: [subscription("a", seen: 3, told: 4)]))
        try second.keep(asking("a"))
        #expect(try first.load().0 == [subscription("a", seen: 3, told: 4)])
    }

    @Test func seenAndToldOnlyGrow() throws {
        try first.keep(asking("a"))
        try first.keep(SubscriptionChanges(set: [subscription("a", seen: 3, told: 9)]))
        try second.keep(SubscriptionChanges(set: [subscription("a", seen: 7, told: 4)]))
        #expect(try first.load().0 == [subscription("a", seen: 7, told: 9)])
        try first.keep(SubscriptionChanges(set: [subscription("a", seen: 1, told: 12)]))
        #expect(try second.load().0 == [subscription("a", seen: 7, told: 12)])
    }

    @Test func aNoticeTellsOfWhoeverComesOrGoes() async throws {
        let told = AsyncStream<Void>.makeStream()
        second.onChanges { told.continuation.yield() }
        var heard = told.stream.makeAsyncIterator()
        try first.keep(asking("a"))
        await heard.next()
        try first.keep(SubscriptionChanges(removed: [("a", "mail")]))
        await heard.next()
    }

    // MARK: What comes

    @Test func aListIsCountedFromWhereItWasWhenSomebodyFirstAsked() async throws {
        let place = try await lead()
        try second.keep(asking("a"))
        let known = try first.load().arrivals["mail"]
        #expect(known == StoredArrivals(epoch: place.epoch, revision: place.revision, total: 0))
        try first.keep(arrivals(2, at: place.revision + 1, in: place.epoch))
        try second.keep(asking("b"))
        #expect(try second.load().arrivals["mail"]?.total == 2)
        let told = try second.load().0.map { "\($0.id) \($0.told)" }
        #expect(Set(told) == ["a 0", "b 2"])
    }

    @Test func aListThatNobodyHasReadIsCountedFromItsBeginning() async throws {
        try first.keep(asking("a"))
        let known = try second.load().arrivals["mail"]
        #expect(known?.epoch == (try await stores[1].read("mail").place.epoch) && known?.revision == 0)
    }

    @Test func onceNobodyAsksItIsCountedFromTheNextWhoDoes() async throws {
        let place = try await lead()
        try first.keep(asking("a"))
        try first.keep(arrivals(3, at: place.revision, in: place.epoch))
        try first.keep(SubscriptionChanges(removed: [("a", "mail")]))
        try await stores[0].push(["y", "z"], to: "mail")
        try first.keep(asking("b"))
        let known = try second.load().arrivals["mail"]
        #expect(known?.revision == place.revision + 1 && known?.total == 3)
        #expect(try second.load().0.map(\.told) == [3])
    }

    @Test func onlyWhoLeadsCounts() async throws {
        let place = try await lead()
        try first.keep(asking("a"))
        try second.keep(arrivals(5, at: place.revision + 1, in: place.epoch))
        #expect(try first.load().arrivals["mail"]?.total == 0)
        try first.keep(
            SubscriptionChanges(arrivals: [
                "mail": StoredArrivals(
                    epoch: place.epoch, revision: place.revision + 2, total: 2, key: "k\0é", title: "")
            ]))
        let kept = try second.load().arrivals["mail"]
        #expect(kept?.total == 2 && kept?.key == "k\0é" && kept?.title == "")
        try first.keep(arrivals(1, at: place.revision + 1, in: place.epoch))
        #expect(try second.load().arrivals["mail"] == kept, "it does not go back")
        try first.keep(arrivals(1, at: place.revision + 3, in: place.epoch))
        #expect(try second.load().arrivals["mail"]?.total == 2)
    }

    // MARK: Telling

    @Test func whoLeadsTells() async throws {
        _ = try await lead()
        try first.keep(asking("a"))
        #expect(try outcome(second, telling("a", told: 2)) == .over)
        #expect(try outcome(first, telling("a", told: 2)) == .told(seen: 0))
        #expect(try second.load().0 == [subscription("a", told: 2)])
    }

    @Test func whatALeaderHasToldTheNextDoesNotTell() async throws {
        _ = try await lead()
        try first.keep(asking("a"))
        #expect(try outcome(first, telling("a", told: 2)) == .told(seen: 0))
        try stores[0].close()
        _ = try await stores[1].read("mail")
        #expect(try await stores[1].lead("mail") != nil)
        #expect(try outcome(second, telling("a", told: 2)) == .over)
        #expect(try outcome(second, telling("a", told: 3)) == .told(seen: 0))
    }

    @Test func whoseAnswerWasLostTellsWhatItHasWritten() async throws {
        _ = try await lead()
        try first.keep(asking("a"))
        _ = try first.commit(telling("a", told: 2))
        #expect(try outcome(first, telling("a", told: 2)) == .told(seen: 0))
    }

    @Test func whoTellsHearsWhatWasSeenElsewhere() async throws {
        _ = try await lead()
        try first.keep(asking("a"))
        try second.keep(SubscriptionChanges(set: [subscription("a", seen: 3, told: 3)]))
        #expect(try outcome(first, telling("a", told: 5)) == .told(seen: 3))
        try second.keep(SubscriptionChanges(set: [subscription("a", seen: 6, told: 6)]))
        #expect(try outcome(first, telling("a", told: 6)) == .over)
    }

    @Test func nobodyIsToldWhatTheyLookAtElsewhere() async throws {
        _ = try await lead()
        try first.keep(asking("a"))
        try second.keep(looking("a", for: 45_000))
        guard case .looks(let rest) = try outcome(first, telling("a", told: 2)) else {
            return #expect(Bool(false), "they were told")
        }
        #expect((30_000...45_001).contains(rest))
        #expect(try second.load().0.map(\.told) == [0])
        try second.keep(looking("a", for: 0))
        #expect(try outcome(first, telling("a", told: 2)) == .told(seen: 0))
    }

    @Test func whoLooksHasSeenWhatAnotherServerCounted() async throws {
        let place = try await lead()
        try first.keep(asking("a"))
        try first.keep(arrivals(4, at: place.revision + 1, in: place.epoch))
        try second.keep(looking("a", for: 0))
        #expect(try first.load().0 == [subscription("a", seen: 4, told: 4)])
    }

    // MARK: The key, and the database

    @Test func theKeyIsOneForAllServers() throws {
        let made = try first.key { [1, 2, 3] }
        #expect(made == [1, 2, 3])
        #expect(try second.key { [4] } == made)
    }

    @Test func whoIsSecondToMakeAKeyChangesNothing() async throws {
        _ = try first.key { [1] }
        // As one does who found none, and was overtaken.
        _ = try await stores[1].pool.use { try await $0.ask(SubscriptionStatements.makeKey, [.bytes([2])]) }
        #expect(try second.key { [3] } == [1])
    }

    @Test func ofServersThatMakeAKeyAtOnceAllHaveTheSame() async throws {
        let keys = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for number in 0..<8 as Range<UInt8> {
                let store = number % 2 == 0 ? first : second
                group.addTask { try store.key { [number] } }
            }
            return try await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
    }

    @Test func whatADumpHasPutBackIsReadWithAll() throws {
        try first.keep(asking("a", "b"))
        // As by a transaction of another cluster, which has had more of them.
        TestDatabase.shared?.sql("UPDATE refreshable.subscriptions SET written = 1::bigint << 40", in: url)
        TestDatabase.shared?.dump(url)
        try first.keep(SubscriptionChanges(removed: [("b", "mail")]))
        for store in stores { try store.close() }
        TestDatabase.shared?.restore(url)
        let store = PostgresSubscriptionStore(try PostgresStore(url))
        #expect(Set(try store.load().0.map(\.id)) == ["a", "b"])
        #expect(try store.changes().set.isEmpty, "and not each time")
        try store.keep(asking("c"))
        #expect(try store.changes().set.map(\.id) == ["c"])
    }

    @Test func aServerOfTheVersionBeforeFindsItsTables() async throws {
        let before = try #require(TestDatabase.shared?.makeDatabase())
        TestDatabase.shared?.sql(Schema.steps[0] + "UPDATE refreshable.store SET version = 1", in: before)
        try PostgresStore(before).close()
        let store = PostgresSubscriptionStore(try PostgresStore(before))
        try store.keep(asking("a"))
        #expect(try store.load().0.map(\.id) == ["a"])
    }
}
