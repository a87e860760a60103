import RefreshableLists
import RefreshableListsTesting
import Testing

/// What a user of the library writes: their own handler, tested in milliseconds.
struct TestedListTests {
    @Test func pullBringsTheNewMail() async {
        let mailbox = Mailbox(["Hello"])
        let list = TestedList(RefreshableList("mailbox").refreshable { try await mailbox.fetch() })
        let ann = await list.person()
        await list.settle()
        await mailbox.receive("News")

        await ann.pull(to: 80)
        #expect(ann.phase == .primed)
        let answer = await ann.release()
        #expect(list.phase == .loading)
        await list.settle()

        #expect(await list.titles == ["News", "Hello"])
        #expect(list.outcomes.last?.id == answer.run)
        #expect(list.outcomes.last?.outcome == .success)
        #expect(list.outcomes.last?.changes.inserted == 1)
    }

    @Test func firstPersonStartsTheInitialLoadAndTheSecondDoesNot() async {
        let mailbox = Mailbox(["Hello"])
        let list = TestedList(RefreshableList("mailbox").refreshable { try await mailbox.fetch() })

        _ = await list.person()
        _ = await list.person()
        await list.settle()

        #expect(list.outcomes.map(\.cause) == [.initial])
    }

    @Test func nothingMovesUntilTheTestWaits() async {
        let mailbox = Mailbox([])
        let list = TestedList(RefreshableList("mailbox").refreshable { try await mailbox.fetch() })

        await list.start()

        for _ in 1...100 { await Task.yield() }
        #expect(list.phase == .loading)
        #expect(await mailbox.fetches == 0)
        await list.settle()
        #expect(list.phase == .closing)
        #expect(await mailbox.fetches == 1)
    }

    @Test func overlappingPullsAreOneRunWithOneOutcome() async {
        let gate = HandlerGate()
        let list = TestedList(
            RefreshableList("fruit").rows([]).refreshable {
                try await gate.pass(); return [ListRow("apple")]
            })
        let ann = await list.person()
        let bob = await list.person()

        let first = await ann.pullAndRelease()
        await list.settle()
        let second = await bob.pullAndRelease()
        gate.open()
        await list.settle()

        #expect(second == first.run.map(PullAnswer.joins))
        #expect(gate.begun == 1)
        #expect(list.outcomes.count == 1)
    }

    @Test func failureKeepsTheRowsAndTellsTheTestEverything() async {
        let mailbox = Mailbox(["Hello"])
        let list = TestedList(RefreshableList("mailbox").refreshable { try await mailbox.fetch() })
        await list.refresh()
        await mailbox.fail(with: Mailbox.Unreachable(host: "mail.example"))

        let run = await list.refresh()

        #expect(run?.outcome.isSuccess == false)
        #expect(list.errors.first as? Mailbox.Unreachable == .init(host: "mail.example"))
        #expect(await list.titles == ["Hello"])
    }

    @Test func failureMeantForPeopleIsReadByThem() async {
        let failure = RefreshFailure("The mail is being sorted.", retryAfter: .seconds(60))
        let list = TestedList(RefreshableList("mailbox").refreshable { () -> [ListRow] in throw failure })

        #expect(await list.refresh()?.outcome == .failure(failure))
    }

    @Test func whatEachPersonPullsIsTheirOwn() async {
        let list = TestedList(RefreshableList("fruit").rows([]).refreshable { [ListRow("apple")] })
        let ann = await list.person()
        let bob = await list.person()

        await ann.pull(to: 37)

        #expect(ann.pullProgress == 0.5)
        #expect(bob.pullProgress == 0)
        #expect(list.phase == .waiting)
    }

    @Test func releasingShortOfTheThresholdRunsNothing() async {
        let list = TestedList(RefreshableList("fruit").rows([]).refreshable { [ListRow("apple")] })
        let ann = await list.person()

        await ann.pull(to: 63)

        #expect(await ann.release() == .belowThreshold)
        #expect(list.phases == [.waiting])
    }

    @Test func abandonedPullRunsNothing() async {
        let list = TestedList(RefreshableList("fruit").rows([]).refreshable { [ListRow("apple")] })
        let ann = await list.person()

        await ann.pull(to: 80)
        await ann.cancel()

        #expect(ann.phase == .waiting)
        #expect(list.phases == [.waiting])
    }

    @Test func crossingRunsBeforeTheFingerIsLifted() async {
        let list = TestedList(
            RefreshableList("names").rows([]).pull(.progress).refreshable { [ListRow("vesta")] })
        let ann = await list.person()

        let answer = await ann.pull(to: 100)
        #expect(list.phase == .loading)

        #expect(await ann.release() == answer)
        await list.settle()
        #expect(list.outcomes.map(\.id) == [answer?.run])
    }

    @Test func releaseSentTwiceIsAnsweredTheSame() async {
        let list = TestedList(RefreshableList("fruit").rows([]).refreshable { [ListRow("apple")] })
        let ann = await list.person()

        let first = await ann.pullAndRelease()
        await list.settle()

        #expect(await ann.release() == first)
        #expect(list.outcomes.count == 1)
    }

    @Test func fingerThatWasDownWhileItLoadedIsSpent() async {
        let list = TestedList(RefreshableList("fruit").rows([]).refreshable { [ListRow("apple")] })
        let ann = await list.person()
        await ann.pull(to: 20)
        await list.refresh()
        await list.advance(by: .seconds(1))

        await ann.pull(to: 80)

        #expect(await ann.release() == .spent)
    }

    @Test func listWithoutAHandlerHasNothingToPull() async {
        let list = TestedList(RefreshableList("fixed").rows([ListRow("a")]))
        let ann = await list.person()

        #expect(await ann.pullAndRelease() == .notRefreshable)
        #expect(await ann.pressRefresh() == .notRefreshable)
        #expect(list.phases == [.waiting])
    }

    @Test func pagesFollowUntilThereAreNoMore() async {
        let list = TestedList(
            RefreshableList("archive")
                .refreshable { [ListRow("3"), ListRow("2")] }
                .more { last in last.key == "2" ? [ListRow("1")] : [] })
        let ann = await list.person()
        await list.settle()

        await ann.askForMore()
        await list.settle()
        #expect(await list.keys == ["3", "2", "1"])
        await ann.askForMore()
        await list.settle()

        #expect(await ann.askForMore() == .exhausted)
    }

    @Test func ownerMayRefuseAndTheFingerIsLetGo() async {
        let list = TestedList(
            RefreshableList("fruit").rows([]).shouldRefresh { "Closed on Sundays." }.refreshable { [ListRow("apple")] })
        let ann = await list.person()

        #expect(await ann.pullAndRelease() == .refused("Closed on Sundays."))
        #expect(ann.phase == .waiting)
    }
}

/// What stands for a user's service in these tests.
actor Mailbox {
    struct Unreachable: Error, Equatable { var host: String }

    private var subjects: [String]
    private var error: (any Error)?
    private(set) var fetches = 0

    init(_ subjects: [String]) { self.subjects = subjects }

    func receive(_ subject: String) { subjects.insert(subject, at: 0) }
    func fail(with error: any Error) { self.error = error }

    func fetch() async throws -> [ListRow] {
        fetches += 1
        if let error { throw error }
        return subjects.map { ListRow($0, title: $0) }
    }
}
