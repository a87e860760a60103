import Pulling
import Testing

@testable import RefreshableLists
@testable import WebSockets

/// What follows a place: the order of a list's frames, for whoever watches it.
struct FeedStateTests {
    @Test func whoIsAtTheNewestIsSentNothing() {
        let feedState = feedState(patches: 1...3, states: [state(1, .waiting, revision: 3)])
        #expect(feedState.catchUp(from: WatchPosition(revision: 3, state: 1)).steps.isEmpty)
    }

    @Test func patchesFollowEachOtherAndThenTheState() {
        let feedState = feedState(patches: 1...3, states: [state(7, .waiting, revision: 3)])
        let catchUp = feedState.catchUp(from: WatchPosition(revision: 1, state: 6))
        #expect(catchUp.steps.map(\.frame.text) == ["patch 2", "patch 3", "waiting 7"])
        #expect(catchUp.steps.last?.place == WatchPosition(revision: 3, state: 7))
        #expect(catchUp.isWhole)
    }

    @Test func loadingGoesBeforeTheRowsOfItsRunAndItsEndAfterThem() {
        let states = [state(1, .loading, revision: 1), state(2, .closing, revision: 2)]
        let catchUp = feedState(patches: 1...2, states: states).catchUp(from: WatchPosition(revision: 1))
        #expect(catchUp.steps.map(\.frame.text) == ["loading 1", "patch 2", "closing 2"])
    }

    @Test func theRowsOfAnEarlierRunGoBeforeTheNextLoading() {
        let catchUp = feedState(patches: 1...2, states: [state(1, .loading, revision: 2)]).catchUp(
            from: WatchPosition(revision: 1))
        #expect(catchUp.steps.map(\.frame.text) == ["patch 2", "loading 1"])
    }

    @Test func aStateWaitsForRowsThatAreYetToCome() {
        let feedState = feedState(patches: 1...1, states: [state(1, .closing, revision: 2)])
        #expect(feedState.catchUp(from: WatchPosition(revision: 1)).steps.isEmpty)
    }

    @Test func progressComesLastAndOnlyOfTheRunUnderWay() {
        let run = RunID(4)
        var contents = contents(patches: 1...1, states: [state(1, .loading, revision: 1, run: run)])
        contents.progress = ProgressFrame(
            serial: 1, run: run, progress: RunProgress(completed: 1), frame: frame("50 %"))
        var feedState = FeedState()
        feedState.append(contents)
        #expect(feedState.catchUp(from: WatchPosition(revision: 1)).steps.map(\.frame.text) == ["loading 1", "50 %"])

        feedState.append(self.contents(patches: nil, states: [state(2, .closing, revision: 1)]))
        #expect(
            feedState.catchUp(from: WatchPosition(revision: 1)).steps.map(\.frame.text) == ["loading 1", "closing 2"])
    }

    @Test func rowsInPartsEndTheCatchUp() {
        var contents = contents(patches: 1...1, states: [])
        contents.ring.append(FrameBatch(from: 1, revision: 2, frames: [frame("part 1"), frame("part 2")]))
        var feedState = FeedState()
        feedState.append(contents)
        let catchUp = feedState.catchUp(from: WatchPosition(revision: 0))
        #expect(catchUp.steps.map(\.frame.text) == ["patch 1"])
        #expect(!catchUp.isWhole)
    }

    @Test func whoIsBehindTheRingNeedsAFold() {
        var feedState = feedState(patches: 5...5, states: [])
        let catchUp = feedState.catchUp(from: WatchPosition(revision: 2))
        #expect(catchUp.steps.isEmpty && !catchUp.isWhole)
        guard case .fold(since: 2) = feedState.step(from: WatchPosition(revision: 2)) else {
            Issue.record("no fold was asked for")
            return
        }
        feedState.append(contents(patches: 6...6, states: []))
        #expect(feedState.catchUp(from: WatchPosition(revision: 4)).steps.map(\.frame.text) == ["patch 5", "patch 6"])
    }

    // MARK: Samples

    private func feedState(patches: ClosedRange<Int>, states: [ListStateFrame]) -> FeedState {
        var feedState = FeedState()
        feedState.append(contents(patches: patches, states: states))
        return feedState
    }

    private func contents(patches: ClosedRange<Int>?, states: [ListStateFrame]) -> LoopFeed.Contents {
        var contents = LoopFeed.Contents()
        for revision in patches.map(Array.init) ?? [] {
            contents.ring.append(
                FrameBatch(from: revision - 1, revision: revision, frames: [frame("patch \(revision)")]))
        }
        for state in states { contents.states.append(state) }
        return contents
    }

    private func state(_ serial: Int, _ phase: Pull.Phase, revision: Int, run: RunID? = nil) -> ListStateFrame {
        ListStateFrame(
            serial: serial, frame: frame("\(phase) \(serial)"), phase: phase, run: run,
            told: .init(phase: phase, run: nil), revision: revision)
    }

    private func frame(_ text: String) -> SharedFrame { SharedFrame(text: Array(text.utf8)) }
}

extension SharedFrame {
    /// What a test put in.
    fileprivate var text: String { String(decoding: bytes.suffix(payloadLength), as: UTF8.self) }
}
