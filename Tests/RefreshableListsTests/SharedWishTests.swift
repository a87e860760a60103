import KeyedLists
import ListProtocol
import Testing

@testable import RefreshableLists

/// What servers tell each other comes back as it was said.
struct SharedWishTests {
    @Test(arguments: [
        SharedWish.refresh(.pull, isAfter: false), .refresh(.code, isAfter: true), .more("a key\twith spaces"),
        .stop(RunID(7)), .act(.use("archive it", row: "row 1\u{E9}"), session: "ann"),
        .mark(UnreadMark(kind: .seen, person: "ann of accounts", row: "row 1")),
        .mark(UnreadMark(kind: .met, person: "ann", row: nil)),
        .act(.undo(run: "a1b2"), session: "ann"), .stopAction(ActionRuns.ID(description: "a1b2"), session: "ann"),
    ])
    func aWishIsReadAsItWasWritten(wish: SharedWish) throws {
        let (read, node) = try #require(SharedWish.read(wish.words(from: "node1")))
        #expect(read == wish && node == "node1")
    }

    @Test(arguments: [
        RunReference.run("r7", joined: true), .run("r8", joined: false), .noRun(.tooSoon),
        .noRun(.refused, message: "Not on Sundays, please."),
    ])
    func anAnswerIsReadAsItWasWritten(answer: RunReference) {
        #expect(RunReference(words: answer.words) == answer)
    }

    @Test(arguments: [
        "", "refresh", "refresh n pull", "refresh n nothing join", "stop n x7", "act n use\u{1F}ann", "dance n r1",
    ])
    func whatIsNoWishIsNone(words: String) {
        #expect(SharedWish.read(Array(words.utf8)) == nil)
    }

    @Test func aStateComesWithItsProgress() {
        let state = ListState(list: "fruit", phase: .loading, run: "r3", cause: .pull, startedAt: 5)
        let words = SharedState(state, RunProgress(completed: 3, total: 9, note: "page 3")).words(of: "fruit")
        let read = SharedState(words: words)
        #expect(read?.state == state && read?.progress?.completed == 3 && read?.progress?.note == "page 3")
    }
}
