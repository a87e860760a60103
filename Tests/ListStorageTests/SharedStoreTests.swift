import KeyedLists
import Locking
import PostgresConnections
import Testing

@testable import ListStorage
@testable import PostgresStorage

/// Several servers over one database. Where PostgreSQL is not installed, there is nothing to try it with.
@Suite(.enabled(if: TestDatabase.shared != nil, "PostgreSQL is not installed"))
struct SharedStoreTests {
    let url: String
    let first: PostgresStore
    let second: PostgresStore

    init() throws {
        url = try #require(TestDatabase.shared?.makeDatabase())
        first = try PostgresStore(url)
        second = try PostgresStore(url)
    }

    @Test func whatOneKeepsTheOtherReadsFromItsPlaceOn() async throws {
        try await first.push(["c"], to: "names")
        let known = try await first.read("names").place
        try await second.push(["a", "b"], to: "names")
        let update = try await first.read("names", since: known)
        guard case .changes(let changes) = update.rows else { return #expect(Bool(false), "all rows came") }
        #expect(changes.rows.map(\.key) == ["a", "b"] && changes.revision == 2)
    }

    @Test func whoIsSecondKeepsNothing() async throws {
        let known = try await first.read("names")
        try await second.push(["a"], to: "names")
        let outcome = try await first.keep(try known.change(["b"]), of: "names")
        #expect(outcome == .outdated)
        #expect(try second.load("names").list.keys == ["a"])
    }

    @Test func oneLeadsUntilItIsGone() async throws {
        _ = (try await first.read("names"), try await second.read("names"))
        #expect(try await first.lead("names") == 1)
        #expect(try await second.lead("names") == nil)
        try first.close()
        #expect(try await second.lead("names") == 2)
    }

    @Test func whoKnowsTheListInAnotherEpochDoesNotLeadIt() async throws {
        _ = try await first.read("names")
        #expect(try await first.lead("names", in: .random()) == nil)
        #expect(try await first.lead("names") == 1)
    }

    @Test func whatAFormerLeaderChangesIsOutdated() async throws {
        let known = try await first.read("names")
        let fence = try await first.lead("names")
        TestDatabase.shared?.sql(
            "UPDATE refreshable.lists SET leader = NULL, written = pg_current_xact_id()::xid", in: url)
        _ = try await second.read("names")
        #expect(try await second.lead("names") == 2)
        var change = try known.change(["a"])
        change.leading = (try #require(fence), nil)
        #expect(try await first.keep(change, of: "names") == .outdated)
    }

    @Test func whatWasAnsweredIsNotKeptAgain() async throws {
        let answer = StoredAgreement.Answer(key: [1, 2], answer: Array("push".utf8))
        var change = try await first.read("names").change(["a"])
        change.answers = [answer]
        change.newKeys = [answer.key]
        #expect(try await first.keep(change, of: "names") == .kept)
        var again = try await second.read("names").change(["b"])
        again.newKeys = [answer.key]
        #expect(try await second.keep(again, of: "names") == .outdated)
        #expect(try await second.read("names", awaiting: [answer.key]).agreement.answers == [answer.key: answer.answer])
    }

    @Test func whatIsAskedWakesTheOthers() async throws {
        _ = (try await first.read("names"), try await second.read("names"))
        let listener = try await PostgresConnection.open(PostgresAddress(url), on: first.loop)
        defer { listener.close() }
        let (notices, heard) = AsyncStream.makeStream(of: String.self)
        listener.listen { _, payload in
            heard.yield(payload)
        } lost: { _ in
            heard.finish()
        }
        try await listener.run("LISTEN \(NoticeChannel.name)")
        #expect(try await second.ask(["a", "b"], of: "names") == .asked)
        #expect(await notices.first { $0.hasPrefix(second.node) } == NoticeChannel.payload("names", from: second.node))
        #expect(try await first.read("names").agreement.requests.map(\.key).count == 2)
    }

    @Test func whatWasAskedBeforeIsToBeRead() async throws {
        _ = (try await first.read("names"), try await second.read("names"))
        #expect(try await first.ask(["a"], of: "names") == .asked)
        #expect(try await second.ask(["a", "b"], of: "names") == .askedBefore)
        #expect(try await first.read("names").agreement.requests.count == 2)
    }

    @Test func aListOfAnotherDatabaseComesInANewEpoch() async throws {
        try await first.push(["a"], to: "names")
        let known = try await first.read("names").place
        TestDatabase.shared?.sql(
            "UPDATE refreshable.lists SET identity = '1-00000001 0', written = pg_current_xact_id()::xid", in: url)
        let found = try second.load("names")
        #expect(found.epoch != known.epoch && found.list.revision == known.revision + 1 && found.list.keys == ["a"])
    }

    @Test(arguments: [false, true])
    func aDumpThatIsPutBackWhereItIsFromComesInANewEpoch(isSeen: Bool) async throws {
        try await first.push(["a"], to: "names")
        let dumped = try await first.read("names").place
        TestDatabase.shared?.dump(url)
        if isSeen { _ = try await second.read("names") }
        try await first.push(["b"], to: "names")
        TestDatabase.shared?.restore(url)
        let update = try await second.read("names")
        #expect(update.place.epoch != dumped.epoch && update.place.revision == dumped.revision + 1)
        #expect(try await first.keep(try update.change(["c"]), of: "names") == .kept)
        #expect(try second.load("names").list.keys == ["a", "c"])
    }

    @Test func aLineThatWasEditedByHandComesInANewEpoch() async throws {
        let known = try await first.read("names")
        TestDatabase.shared?.sql("UPDATE refreshable.lists SET runs = 5", in: url)
        #expect(try await first.keep(try known.change(["a"]), of: "names") == .outdated)
        #expect(try await first.lead("names", in: known.place.epoch) == nil)
        #expect(try await first.read("names").place.epoch != known.place.epoch)
    }

    @Test func whoKnowsMoreThanThereIsBeginsANewEpoch() async throws {
        try await first.push(["a"], to: "names")
        var known = try await first.read("names").place
        known.revision += 5
        let update = try await first.read("names", since: known)
        #expect(update.place.epoch != known.epoch && update.place.revision == known.revision + 1)
    }

    @Test func aNewEpochIsBeyondAllThatAnybodyKnows() async throws {
        try await first.push(["a"], to: "names")
        var known = try await first.read("names").place
        TestDatabase.shared?.sql("UPDATE refreshable.lists SET runs = 5", in: url)
        let renewed = try await second.read("names").place
        #expect(renewed.epoch != known.epoch)
        known.revision += 5
        let update = try await first.read("names", since: known)
        #expect(update.place.epoch != renewed.epoch && update.place.revision == known.revision + 1)
    }

    @Test func aRowThatWasEditedByHandIsDamage() async throws {
        try await first.push(["a"], to: "names")
        TestDatabase.shared?.sql("UPDATE refreshable.rows SET fields = '{}'", in: url)
        #expect(throws: ListStoreError.self) { try second.load("names") }
    }

    @Test func aLookTellsOfWhatThisServerDoesNotKnow() async throws {
        try await first.push(["a"], to: "names")
        try await first.lookOnLoop()
        let told = Locked<[String]>([])
        first.onChanges { list, _ in told.withLock { $0.append(list) } }
        try await first.push(["b"], to: "names")
        try await first.lookOnLoop()
        #expect(told.withLock(\.self) == [])
        // Nobody is notified of what was written by hand.
        TestDatabase.shared?.sql("UPDATE refreshable.lists SET revision = revision", in: url)
        try await first.lookOnLoop()
        #expect(told.withLock(\.last) == "names")
        _ = try await first.read("names")
        let count = told.withLock(\.count)
        try await first.lookOnLoop()
        #expect(told.withLock(\.count) == count)
    }

    @Test func aConnectionThatEndedWhileItWasIdleIsNotUsed() async throws {
        try await first.onLoop { try await $0.use { $0.connection.close() } }
        try await first.lookOnLoop()
    }

    @Test func aCommitToALongListLooksUpItsOwnRowsAlone() async throws {
        let read = try await first.read("names")
        guard case .whole(var list, _, _) = read.rows else { return #expect(Bool(false), "changes came") }
        var place = read.place
        // From the sixth on, the statement is planned for any values.
        for number in 0..<16 {
            let keys = number == 0 ? (0..<3000).map { "row\($0)" } : ["row\(number)"]
            let base = list.revision
            _ = try list.change(keys.map { .set(ListRow(Key($0), title: "\(number)"), .last) })
            let change = SharedChange(place: place, rows: list.changes(since: base), facts: read.facts)
            #expect(try await first.keep(change, of: "names") == .kept)
            place = change.next
        }
        #expect(try await first.rowsGoneThrough() < 300)
    }

    @Test func whatPeopleHaveNotSeenIsReadWhereItChanged() async throws {
        try await first.push(["a"], to: "names")
        let known = StoredUnread(person: "ann", keys: Array(#"["a"]"#.utf8))
        var change = SharedChange(place: try await first.read("names").place, rows: nil, facts: StoredFacts())
        change.facts.unread = [known, StoredUnread(person: "bob", keys: Array("[]".utf8))]
        #expect(try await first.keep(change, of: "names") == .kept)
        let place = try await second.read("names").place
        func people(_ scope: UnreadScope) async throws -> [String] {
            try await second.read("names", since: place, unreadOf: scope).agreement.unread.map(\.person).sorted()
        }
        #expect(try await people(.changed([known])) == [])
        #expect(try await people(.changed([StoredUnread(person: "ann", keys: Array("[]".utf8))])) == ["ann"])
        #expect(try await people(.everybody) == ["ann", "bob"])
    }

    @Test func tablesOfANewerVersionAreRefused() throws {
        TestDatabase.shared?.sql("UPDATE refreshable.store SET version = 99", in: url)
        #expect(throws: ListStoreError.newerVersion(path: PostgresStore.shown(url), found: 99, known: Schema.version)) {
            try PostgresStore(url)
        }
    }
}

extension PostgresStore {
    func read(
        _ list: String, since known: StoredPlace? = nil, awaiting keys: [[UInt8]] = [],
        unreadOf people: UnreadScope = .changed([])
    ) async throws -> StoredUpdate {
        try await withCheckedThrowingContinuation { continuation in
            read(list, since: known, awaiting: keys, unreadOf: people) { continuation.resume(with: $0) }
        }
    }

    func keep(_ change: SharedChange, of list: String) async throws -> KeepOutcome {
        try await withCheckedThrowingContinuation { continuation in
            keep(change, of: list) { continuation.resume(with: $0) }
        }
    }

    func ask(_ keys: [String], of list: String) async throws -> AskOutcome {
        let requests = keys.map { StoredAgreement.Request(key: Array($0.utf8), request: []) }
        return try await withCheckedThrowingContinuation { continuation in
            ask(requests, of: list, watchers: 0) { continuation.resume(with: $0) }
        }
    }

    func lead(_ list: String, in epoch: Epoch) async throws -> Int? {
        try await withCheckedThrowingContinuation { continuation in
            lead(list, in: epoch) { continuation.resume(with: $0) }
        }
    }

    func lead(_ list: String) async throws -> Int? { try await lead(list, in: read(list).place.epoch) }

    /// As the store does everything: the threads of other tests are not waited for.
    fileprivate func onLoop<Success: Sendable>(
        _ body: @escaping @Sendable (ConnectionPool) async throws -> Success
    ) async throws -> Success {
        try await Task(executorPreference: loop) { [pool] in try await body(pool) }.value
    }

    fileprivate func lookOnLoop() async throws { try await onLoop { _ in try await self.look() } }

    /// How many rows were gone through, by any index.
    fileprivate func rowsGoneThrough() async throws -> Int {
        try await onLoop { pool in
            try await pool.use { connection in
                _ = try await connection.ask("SELECT 1::bigint FROM pg_stat_force_next_flush()", [])
                let query = "SELECT sum(idx_tup_read)::bigint FROM pg_stat_user_indexes WHERE relname = 'rows'"
                return try await connection.ask(query, []).first ?? 0
            }
        }
    }

    func push(_ keys: [String], to list: String) async throws {
        #expect(try await keep(try await read(list).change(keys), of: list) == .kept)
    }
}

extension StoredUpdate {
    /// A change that puts rows of these keys at the end.
    func change(_ keys: [String]) throws -> SharedChange {
        guard case .whole(var list, _, _) = rows else { preconditionFailure("All rows were read.") }
        let base = list.revision
        _ = try list.change(keys.map { .set(ListRow($0, title: $0), .last) })
        return SharedChange(place: place, rows: list.changes(since: base), facts: facts)
    }
}
