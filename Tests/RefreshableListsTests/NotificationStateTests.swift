import KeyedLists
import ListStorage
import Testing

@testable import RefreshableLists

/// Who is told of new rows, when, and of how many.
final class NotificationStateTests {
    private static let epoch = Epoch(7)
    private var state = NotificationState()

    init() throws { try state.subscribe(Self.subscription("a")) }

    @Test func rowsThatComeWithinThreeSecondsAreOneNotice() {
        arrive(1, at: 0)
        arrive(2, at: 2999)
        #expect(due(at: 2999).isEmpty && state.nextMoment == 3000)
        #expect(due(at: 3000) == ["a: 3"])
        #expect(state.nextMoment == nil && due(at: 60_000).isEmpty)
    }

    @Test func noListTellsABrowserMoreOftenThanEveryTenSeconds() {
        arrive(1, at: 0)
        #expect(due(at: 3000) == ["a: 1"])
        arrive(1, at: 4000)
        #expect(due(at: 12_999).isEmpty)
        #expect(due(at: 13_000) == ["a: 2"], "what was told and not seen is unread still")
    }

    @Test func whoAsksIsNotToldWhatWasThereBefore() throws {
        arrive(5, at: 0)
        try state.subscribe(Self.subscription("b"))
        arrive(1, at: 1)
        #expect(due(at: 3000) == ["a: 6", "b: 1"])
    }

    @Test func whoLooksHasSeenIt() {
        #expect(see("a", at: 0))
        arrive(1, at: 1000)
        #expect(due(at: 4000).isEmpty)
        #expect(see("a", at: 20_000))
        arrive(1, at: 30_000)
        #expect(see("a", at: 31_000, isLooking: false), "gone, and has seen that one")
        #expect(due(at: 100_000).isEmpty)
        arrive(1, at: 100_000)
        #expect(due(at: 103_000) == ["a: 1"])
    }

    @Test func whosePhoneWasLostWhileLookingIsToldWhatCameSince() {
        #expect(see("a", at: 0))
        arrive(1, at: 10_000)
        #expect(due(at: 13_000).isEmpty && state.nextMoment == 45_000)
        #expect(due(at: 45_000) == ["a: 1"])
    }

    @Test func aListThatGoesOnWithoutRowsTellsNothingAndCanWait() {
        _ = state.takeChanges()
        arrive(0, at: 0)
        #expect(!state.isUrgent && state.nextMoment == nil)
        #expect(state.takeChanges().arrivals["mail"]?.revision == 1)
    }

    @Test func whatIsToldIsWrittenAsTold() {
        arrive(2, at: 0)
        #expect(due(at: 3000) == ["a: 2"])
        let kept = state.takeChanges()
        #expect(kept.set.map(\.told) == [2] && kept.set.map(\.seen) == [0])
        var next = NotificationState(kept.set, arrivals: kept.arrivals, now: 0)
        #expect(next.takeDue(now: 100_000).isEmpty, "after a restart it is not told again")
    }

    @Test func whatWasNotToldBeforeARestartIsToldAfterIt() {
        arrive(2, at: 0)
        let kept = state.takeChanges()
        var next = NotificationState(kept.set, arrivals: kept.arrivals, now: 50)
        #expect(next.nextMoment == 3050)
        #expect(next.takeDue(now: 3050).map(\.unread) == [2])
    }

    @Test func whatCouldNotBeWrittenIsWrittenNextTime() throws {
        arrive(2, at: 0)
        state.unsubscribe("a", from: "mail")
        try state.subscribe(Self.subscription("b"))
        let changes = state.takeChanges()
        #expect(state.takeChanges().isEmpty)
        state.putBack(changes)
        let again = state.takeChanges()
        #expect(again.set == changes.set && again.arrivals == changes.arrivals)
        #expect(again.removed.map(\.id) == ["a"])
    }

    @Test func whoIsForgottenIsToldNothing() {
        arrive(1, at: 0)
        state.forget("a")
        #expect(due(at: 3000).isEmpty && state.count == 0 && state.subscribedLists.isEmpty)
        #expect(!see("a", at: 3000))
    }

    @Test func askingAgainChangesNothing() throws {
        arrive(1, at: 0)
        try state.subscribe(Self.subscription("a"))
        #expect(due(at: 3000) == ["a: 1"] && state.count == 1)
    }

    @Test func aListHasAsManyAsItTakesAndNoMore() throws {
        for number in 1..<NotificationState.mostOfList { try state.subscribe(Self.subscription("\(number)")) }
        #expect(throws: NotificationState.Limit.list) { try state.subscribe(Self.subscription("z")) }
        try state.subscribe(Self.subscription("a"))
        for number in 0..<NotificationState.mostOfList {
            try state.subscribe(Self.subscription("\(number)", list: "news"))
        }
        #expect(throws: NotificationState.Limit.server) { try state.subscribe(Self.subscription("z", list: "other")) }
    }

    // MARK: Vocabulary

    private static func subscription(_ id: String, list: String = "mail") -> StoredSubscription {
        StoredSubscription(
            id: id, list: list, endpoint: "", publicKey: "", secret: "", owner: "", signIn: nil, language: "en",
            site: "a.example", seen: 0, told: 0)
    }

    private var revision = 0

    private func arrive(_ count: Int, at now: Int64) {
        revision += 1
        var list = KeyedList()
        let commit = list.commit([.set(ListRow(key: "k", fields: Fields()), .first)], at: 0)
        var arrival = Arrival(of: commit!, in: Self.epoch, isNews: true)
        arrival.count = count
        state.arrived(arrival, on: "mail", now: now)
    }

    private func due(at now: Int64) -> [String] {
        state.takeDue(now: now).map { "\($0.subscription.id): \($0.unread)" }.sorted()
    }

    private func see(_ id: String, at now: Int64, isLooking: Bool = true) -> Bool {
        state.saw(id, "mail", isLooking: isLooking, now: now)
    }
}

/// Which rows of a commit are news.
struct ArrivalTests {
    private static let epoch = Epoch(7)

    private func row(_ key: Key, _ title: String = "") -> ListRow {
        ListRow(key: key, fields: Fields(["title": .string(title)]))
    }

    @Test func rowsThatWereNotThereAreNewAndTheFirstOfThemIsNamed() throws {
        var list = KeyedList()
        _ = try list.replace(with: [row("a"), row("b")], at: 0)
        let commit = try #require(
            try list.replace(with: [row("c", "New"), row("d"), row("a"), row("b", "Changed")], at: 0))
        let arrival = Arrival(of: commit, in: Self.epoch, isNews: true)
        #expect(arrival.count == 2 && arrival.first == Arrival.Shown(key: "c", title: "New"))
    }

    @Test func whereARowWasChangedAndMovedNoneIsNamed() throws {
        var list = KeyedList()
        _ = try list.replace(with: [row("a"), row("b"), row("c")], at: 0)
        let commit = try #require(
            try list.replace(with: [row("c", "Changed"), row("d", "New"), row("a"), row("b")], at: 0))
        let arrival = Arrival(of: commit, in: Self.epoch, isNews: true)
        #expect(arrival.count == 1 && arrival.first == nil)
    }

    @Test func whatIsNoNewsTellsNobody() throws {
        var list = KeyedList()
        let commit = try #require(try list.replace(with: [row("a"), row("b")], at: 0))
        #expect(Arrival(of: commit, in: Self.epoch, isNews: false).count == 0)
        #expect(Arrival(of: commit, in: Self.epoch, isNews: true).count == 2)
    }

    @Test func afterAnEndWithoutAWarningWhatCameSinceIsNew() throws {
        var list = KeyedList()
        _ = try list.replace(with: [row("a")], at: 0)
        let known = ListRevision(epoch: Self.epoch, revision: list.revision)
        _ = try list.replace(with: [row("b", "New"), row("a", "Changed")], at: 0)
        let arrival = Arrival(to: list, in: Self.epoch, since: known)
        #expect(arrival.count == 1 && arrival.first == Arrival.Shown(key: "b", title: "New"))
        #expect(Arrival(to: list, in: Epoch(8), since: known).count == 0, "another history")
        #expect(Arrival(to: list, in: Self.epoch, since: nil).count == 0)
    }
}
