import KeyedLists
import Testing

@testable import RefreshableLists

/// Following a list from code (SEEDS D3): each transition before and after it happens, and each run's end.
struct ObservingTests {
    private typealias Told = PhaseTransition

    @Test func eachTransitionIsToldBeforeAndAfterItHappens() async {
        let stage = Stage(RefreshableList("names").refreshable { [ListRow("a")] })
        let phases = stage.list.phases

        await stage.refresh()
        await stage.advance(by: .milliseconds(600))

        let run = RunID(1)
        #expect(
            await phases.first(6) == [
                Told(.will, .waiting, .loading, run, .code), Told(.did, .waiting, .loading, run, .code),
                Told(.will, .loading, .closing, run, .code), Told(.did, .loading, .closing, run, .code),
                Told(.will, .closing, .waiting), Told(.did, .closing, .waiting),
            ])
        #expect(await stage.list.phase == .waiting)
    }

    @Test func loadingIsToldBeforeTheHandlersFirstInstructionToCodeToo() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("names").refreshable {
                await gate.pass(); return []
            })
        let phases = stage.list.phases

        stage.list.refresh?.start()
        await gate.arrival()

        #expect(await stage.list.phase == .loading)
        #expect(await phases.first(2).map(\.stage) == [.will, .did])
        gate.open()
    }

    @Test func aRunThatFollowsAnotherIsToldAsOneOfItsOwn() async {
        let gate = UncancellableGate()
        let stage = Stage(
            RefreshableList("names").refreshable {
                await gate.pass(); return []
            })
        let phases = stage.list.phases
        let first = Task { await stage.list.refresh?() }
        await gate.arrival()
        let second = Task { await stage.list.refresh?(fresh: .after) }
        while await stage.list.waiters.count < 2 { await Task.yield() }
        gate.open()
        _ = await (first.value, second.value)
        await stage.list.end()

        var entered: [String] = []
        for await told in phases where told.stage == .did {
            entered.append("\(told.to) \(told.run?.description ?? "")")
        }
        #expect(entered == ["loading r1", "closing r1", "loading r2", "closing r2"])
    }

    @Test func eachRunThatEndsIsToldWithItsOutcome() async {
        let stage = Stage(
            RefreshableList("names").refreshable { run in
                if run.id.number == 2 { throw RefreshFailure("No.") }
                run.yield(ListRow("a"))
            })
        let outcomes = stage.list.outcomes
        await stage.refresh()
        await stage.refresh()
        await stage.list.end()

        var told: [FinishedRun] = []
        for await run in outcomes { told.append(run) }
        #expect(told.map(\.outcome) == [.success, .failure(RefreshFailure("No."))])
        #expect(told.first?.changes == ChangeCounts(inserted: 1))
    }

    @Test func sequencesEndWithTheServerAlsoThoseBegunLater() async {
        let stage = Stage(RefreshableList("names"))
        let before = stage.list.phases
        await stage.list.end()
        let after = stage.list.outcomes

        #expect(await before.first(1).isEmpty)
        #expect(await after.first(1).isEmpty)
    }

    @Test func whoeverStopsFollowingIsForgotten() async {
        let observers = Observers<Int>()
        let reading = Task {
            for await number in observers.stream() where number == 1 { break }
        }
        while !observers.isFollowed { await Task.yield() }

        observers.tell(1)
        await reading.value

        #expect(!observers.isFollowed)
    }
}

extension AsyncSequence where Failure == Never {
    /// So many elements, or fewer if it ends before.
    func first(_ count: Int) async -> [Element] {
        var elements: [Element] = []
        for await element in self {
            elements.append(element)
            if elements.count == count { break }
        }
        return elements
    }
}

extension PhaseTransition {
    fileprivate init(
        _ stage: Stage, _ from: LiveList.Phase, _ to: LiveList.Phase, _ run: RunID? = nil, _ cause: RefreshCause? = nil
    ) {
        self.init(stage: stage, from: from, to: to, run: run, cause: cause)
    }
}
