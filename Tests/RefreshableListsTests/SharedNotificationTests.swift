import KeyedLists
import ListStorage
import Locking
import Testing

@testable import RefreshableLists

/// Of several servers, one tells of each list; all know who asks.
final class SharedNotificationTests {
    private static let epoch = Epoch(7)
    private var state = NotificationState(isShared: true)

    init() throws {
        state.take(update([subscription("a")], arrivals: StoredArrivals(epoch: Self.epoch, revision: 1)))
    }

    @Test func whoDoesNotCountTellsNobody() {
        state.take(update([subscription("b")], arrivals: StoredArrivals(epoch: Self.epoch, revision: 4, total: 3)))
        #expect(state.nextMoment == nil && state.takeDue(now: 100_000).isEmpty)
        #expect(state.subscribedLists == ["mail": ListRevision(epoch: Self.epoch, revision: 4)])
    }

    @Test func whatTheLeaderBeforeDidNotTellIsToldByTheNext() {
        state.take(update(arrivals: StoredArrivals(epoch: Self.epoch, revision: 4, total: 3)))
        arrive(0, at: 4, now: 1000)
        #expect(state.nextMoment == 4000)
        #expect(state.takeDue(now: 4000).map(\.unread) == [3])
    }

    @Test func countingGoesOnFromWhatTheLeaderBeforeHasCounted() {
        state.take(update(arrivals: StoredArrivals(epoch: Self.epoch, revision: 4, total: 3)))
        arrive(2, at: 6, now: 0)
        #expect(state.takeDue(now: 3000).map(\.unread) == [5])
        #expect(state.takeChanges().arrivals["mail"]?.total == 5)
    }

    @Test func whoLeadsNoMoreTellsNothingAndWritesNoCount() {
        arrive(2, at: 3, now: 0)
        state.stopCounting("mail")
        #expect(state.takeDue(now: 100_000).isEmpty && state.takeChanges().arrivals.isEmpty)
        state.take(update(arrivals: StoredArrivals(epoch: Self.epoch, revision: 9, total: 4)))
        #expect(state.subscribedLists["mail"] == ListRevision(epoch: Self.epoch, revision: 9))
    }

    @Test func aLeaderKeepsItsOwnPlace() {
        arrive(2, at: 5, now: 0)
        state.take(update(arrivals: StoredArrivals(epoch: Self.epoch, revision: 3, total: 1)))
        #expect(state.subscribedLists["mail"] == ListRevision(epoch: Self.epoch, revision: 5))
        #expect(state.takeDue(now: 3000).map(\.unread) == [2])
    }

    @Test func onceNobodyAsksTheNextIsCountedFromWhereTheStoreSays() throws {
        arrive(2, at: 5, now: 0)
        state.take(update(removed: ["a"]))
        state.take(update([subscription("b")], arrivals: StoredArrivals(epoch: Self.epoch, revision: 8, total: 2)))
        #expect(state.subscribedLists["mail"] == ListRevision(epoch: Self.epoch, revision: 8))
    }

    @Test func whatWasSeenOrToldElsewhereIsNotToldHere() {
        arrive(2, at: 3, now: 0)
        state.take(update([subscription("a", seen: 0, told: 2)]))
        #expect(state.takeDue(now: 3000).isEmpty)
        state.take(update([subscription("a", seen: 0, told: 0)]))
        #expect(state.takeDue(now: 100_000).isEmpty, "told only grows")
    }

    @Test func whoIsNotInAWholeUpdateIsGoneUnlessTheyAskedHereJustNow() throws {
        try state.subscribe(subscription("b"))
        var whole = update([subscription("c")])
        whole.isWhole = true
        state.take(whole)
        #expect(Set(state.all.map(\.id)) == ["b", "c"] && state.count == 2)
    }

    @Test func whoWasRemovedHereDoesNotComeBackBeforeItIsWritten() {
        state.unsubscribe("a", from: "mail")
        state.take(update([subscription("a")]))
        #expect(state.count == 0)
        let changes = state.takeChanges()
        state.putBack(changes)
        state.take(update([subscription("a")]))
        #expect(state.count == 0 && state.takeChanges().removed.map(\.id) == ["a"])
    }

    @Test func whatCouldNotBeWrittenIsDueAgain() {
        arrive(2, at: 3, now: 0)
        let notices = state.takeDue(now: 3000)
        let changes = state.takeChanges(now: 3000)
        #expect(changes.due == [SubscriptionName(id: "a", list: "mail")])
        state.putBack(changes)
        state.postpone(notices, now: 3000)
        #expect(state.nextMoment == 13_000 && state.takeDue(now: 13_000).map(\.unread) == [2])
    }

    @Test func onlyWhatThisServerTellsIsSentWithWhatWasNotSeenAnywhere() throws {
        for id in ["b", "c", "d"] { state.take(update([subscription(id)])) }
        arrive(5, at: 3, now: 0)
        let notices = state.takeDue(now: 3000)
        let outcomes: [SubscriptionName: TellOutcome] = [
            name("a"): .told(seen: 0), name("b"): .told(seen: 3), name("c"): .over,
            name("d"): .looks(milliseconds: 500),
        ]
        let sent = state.settle(notices, outcomes, now: 3000).map { "\($0.subscription.id) \($0.unread)" }
        #expect(sent.sorted() == ["a 5", "b 2"])
        #expect(state.nextMoment == 3500)
        #expect(state.takeDue(now: 3499).isEmpty)
        // Of the third it is read who told them.
        state.take(update([subscription("c", told: 5)]))
        #expect(state.takeDue(now: 3500).map(\.subscription.id) == ["d"])
    }

    @Test func whoLookedHereMayHaveLeftElsewhereSoTheStoreIsAsked() {
        #expect(see(isLooking: true, at: 0))
        arrive(1, at: 2, now: 0)
        #expect(state.takeDue(now: 3000).map(\.unread) == [1])
    }

    @Test func whatAFormerLeaderDidNotTellItTellsOnceItLeadsAgain() {
        arrive(2, at: 3, now: 0)
        #expect(state.settle(state.takeDue(now: 3000), [name("a"): .over], now: 3000).isEmpty)
        state.stopCounting("mail")
        arrive(0, at: 3, now: 20_000)
        #expect(state.takeDue(now: 23_000).map(\.unread) == [2])
    }

    @Test func whoLooksIsWrittenWithHowMuchLonger() {
        #expect(see(isLooking: true, at: 0))
        #expect(state.takeChanges(now: 5000).looks == [name("a"): 40_000])
        #expect(see(isLooking: false, at: 6000))
        let changes = state.takeChanges(now: 6000)
        #expect(changes.looks == [name("a"): 0] && changes.isEmpty)
        state.putBack(changes)
        #expect(state.hasChanges)
    }

    // MARK: Vocabulary

    private func name(_ id: String) -> SubscriptionName { SubscriptionName(id: id, list: "mail") }

    private func subscription(_ id: String, seen: Int = 0, told: Int = 0) -> StoredSubscription {
        StoredSubscription(
            id: id, list: "mail", endpoint: "", publicKey: "", secret: "", owner: "", signIn: nil, language: "en",
            site: "a.example", seen: seen, told: told)
    }

    private func update(
        _ set: [StoredSubscription] = [], removed: [String] = [], arrivals: StoredArrivals? = nil
    ) -> SubscriptionUpdate {
        var update = SubscriptionUpdate()
        update.set = set
        update.removed = removed.map(name)
        if let arrivals { update.arrivals["mail"] = arrivals }
        return update
    }

    private func see(isLooking: Bool, at now: Int64) -> Bool {
        state.saw("a", "mail", isLooking: isLooking, now: now)
    }

    private func arrive(_ count: Int, at revision: Revision, now: Int64) {
        var arrival = Arrival(
            to: KeyedList(), in: Self.epoch, since: ListRevision(epoch: Self.epoch, revision: revision))
        arrival.count = count
        state.arrived(arrival, on: "mail", now: now)
    }
}

/// Which rows come with what another server has committed.
struct SharedArrivalTests {
    private static let epoch = Epoch(7)

    private func row(_ key: Key, _ title: String = "") -> ListRow {
        ListRow(key: key, fields: Fields(["title": .string(title)]))
    }

    private func place(_ revision: Revision) -> ListRevision { ListRevision(epoch: Self.epoch, revision: revision) }

    @Test func rowsThatWereNotThereAreNewAlsoWhereOthersMoved() throws {
        var list = KeyedList()
        _ = try list.replace(with: [row("a"), row("b"), row("c")], at: 0)
        let before = list
        _ = try list.replace(with: [row("c", "Changed"), row("d", "New"), row("a"), row("b")], at: 0)
        let changes = try #require(list.changes(since: before.revision))
        let arrival = Arrival(of: changes, to: before, since: place(before.revision))
        #expect(arrival.count == 1 && arrival.first == Arrival.Shown(key: "d", title: "New"))
        #expect(arrival.at == place(list.revision))
    }

    @Test func whatIsCountedAlreadyIsNotCountedAgain() throws {
        var list = KeyedList()
        let before = list
        _ = try list.replace(with: [row("a")], at: 0)
        _ = try list.replace(with: [row("a"), row("b")], at: 0)
        let changes = try #require(list.changes(since: 0))
        #expect(Arrival(of: changes, to: before, since: place(0)).count == 2)
        #expect(Arrival(of: changes, to: before, since: place(0), except: [1]).count == 1)
        #expect(Arrival(of: changes, to: before, since: place(1)).count == 1)
        let ahead = Arrival(of: changes, to: before, since: place(9))
        #expect(ahead.count == 0 && ahead.at == place(9))
    }

    @Test func inAnotherHistoryRowsThatWereNotThereBeforeAreNew() throws {
        var list = KeyedList()
        _ = try list.replace(with: [row("a"), row("b")], at: 0)
        let before = list
        _ = try list.replace(with: [row("b"), row("c", "New"), row("a", "Changed")], at: 0)
        let arrival = Arrival(of: list, in: Epoch(8), to: before, since: place(9))
        #expect(arrival.count == 1 && arrival.first == Arrival.Shown(key: "c", title: "New"))
        #expect(arrival.at == ListRevision(epoch: Epoch(8), revision: 2))
        #expect(Arrival(of: list, in: Self.epoch, to: before, since: place(2)).count == 0, "counted already")
    }

    @Test func aPlaceThatIsAheadOfTheRowsStays() throws {
        var list = KeyedList()
        _ = try list.replace(with: [row("a")], at: 0)
        let arrival = Arrival(to: list, in: Self.epoch, since: place(5))
        #expect(arrival.count == 0 && arrival.at == place(5))
    }

    @Test func revisionsThatAreNoNewsAreLeftOut() throws {
        var list = KeyedList()
        _ = try list.replace(with: [row("a")], at: 0)
        _ = try list.replace(with: [row("a"), row("b")], at: 0)
        _ = try list.replace(with: [row("a"), row("b"), row("c")], at: 0)
        let arrival = Arrival(to: list, in: Self.epoch, since: place(1), except: [2])
        #expect(arrival.count == 1 && arrival.first?.key == "c")
    }

    /// Another server heard them ask before that, and the one that leads hears of it after.
    @Test(arguments: [(true, 0), (false, 1)])
    func whatAListFirstLoadsIsNoNewsToWhoAskedBefore(hasHandler: Bool, count: Int) async throws {
        let list = RefreshableList("mail")
        let stage = Stage(hasHandler ? list.refreshable { [ListRow("a")] } : list.acceptsPushes())
        let counts = Locked<[Int]>([])
        stage.list.arrivals.hear { arrival in counts.withLock { $0.append(arrival.count) } }
        await stage.watch()
        if hasHandler { await stage.runEnds() } else { try await stage.list.set(ListRow("a")) }
        let epoch = try #require(await stage.list.kept?.epoch)
        await stage.list.setSubscribed(true, since: ListRevision(epoch: epoch, revision: 0))
        #expect(counts.withLock(\.self) == [count])
    }
}
