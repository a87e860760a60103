import KeyedLists
import Testing

@testable import RefreshableLists

/// Which runs of actions begin and end.
final class ActionRunsTests {
    private var runs = ActionRuns()
    private let use = ActionRuns.Use(action: "archive", row: "a")

    private func at(_ uptime: Int64) -> Moment { Moment(uptime: uptime, date: uptime) }

    /// A run whose handler is at work from the moment 0.
    private func begun(_ use: ActionRuns.Use, by session: String = "s") throws -> ActionRuns.ID {
        let id = try run(runs.request(use, by: session))
        _ = runs.kept(id, now: at(0))
        return id
    }

    private func run(_ answer: ActionRuns.Answer) throws -> ActionRuns.ID {
        guard case .run(let id, _) = answer else { throw NoRun(answer: answer) }
        return id
    }

    private struct NoRun: Error { let answer: ActionRuns.Answer }

    @Test func whoWantsTheSameOfARowJoins() throws {
        let id = try begun(use)
        #expect(runs.request(use, by: "t") == .run(id, joined: true))
        #expect(runs.request(.init(action: "archive", row: "b"), by: "t") != .run(id, joined: true))
        #expect(runs.request(.init(action: "flag", row: "a"), by: "t") != .run(id, joined: true))
    }

    @Test func aHandlerBeginsOnceItsRequestIsKept() throws {
        let id = try run(runs.request(use, by: "s"))
        #expect(runs.due(deadline: .seconds(1), now: at(60_000)) == [])
        #expect(runs.kept(id, now: at(60_000)) == [.begin(id, use)])
    }

    @Test func eightHandlersRunAtATimeAndTheNextBeginsWhenOneReturns() throws {
        let ids = try (0..<9).map { try begun(.init(action: "archive", row: Key("row \($0)"))) }
        #expect(runs.current[ids[7]]?.activeAt == 0)
        #expect(runs.current[ids[8]]?.activeAt == nil)
        let (_, actions) = runs.returned(ids[0], now: at(5))
        #expect(actions == [.begin(ids[8], .init(action: "archive", row: "row 8"))])
    }

    @Test func moreThanMayWaitAreRefused() throws {
        for number in 0..<(8 + 256) { _ = try begun(.init(action: "archive", row: Key("row \(number)"))) }
        guard case .refused = runs.request(.init(action: "archive", row: "one more"), by: "s") else {
            Issue.record("It was taken.")
            return
        }
    }

    @Test func aSilentHandlerIsEndedAtTheDeadlineAndOneThatReportsIsNot() throws {
        let id = try begun(use)
        runs.wasActive(id, now: at(20_000))
        #expect(runs.due(deadline: .seconds(30), now: at(49_999)) == [])
        #expect(runs.nextMoment(deadline: .seconds(30)) == 50_000)
        let end = ActionRuns.Action.end(id, use, .timeout(after: .seconds(30)))
        #expect(runs.due(deadline: .seconds(30), now: at(50_000)) == [.cancel(id), end])
    }

    @Test func handlersThatDoNotHeedTheirEndCountUntilTheyReturn() throws {
        for number in 0..<8 { _ = try begun(.init(action: "archive", row: Key("row \(number)"))) }
        _ = runs.due(deadline: .seconds(1), now: at(1000))
        #expect(runs.isEmpty && runs.overdue == 8)
        let id = try begun(use)
        #expect(runs.current[id]?.activeAt == nil)
        let (late, actions) = runs.returned(ActionRuns.ID(description: "agone"), now: at(2000))
        #expect(late == nil)
        #expect(actions == [.begin(id, use)])
    }

    @Test func itIsCancelledWhenNobodyWantsItAnyMore() throws {
        let id = try begun(use)
        _ = runs.request(use, by: "t")
        #expect(runs.withdraw("s", from: id, now: at(1)) == [])
        #expect(runs.withdraw("t", from: id, now: at(2)) == [.cancel(id)])
        #expect(runs.withdraw("t", from: id, now: at(3)) == [])
        #expect(runs.due(deadline: nil, now: at(2001)) == [])
        #expect(runs.due(deadline: nil, now: at(2002)) == [.end(id, use, .cancelled)])
    }

    @Test func whatIsBeingKeptIsNotCancelled() throws {
        let id = try begun(use)
        _ = runs.returned(id, now: at(1))
        #expect(runs.withdraw("s", from: id, now: at(2)) == [])
        #expect(runs.due(deadline: .seconds(1), now: at(9000)) == [])
    }

    @Test func whoAsksAfterItWasCancelledGetsARunOfTheirOwn() throws {
        let id = try begun(use)
        _ = runs.withdraw("s", from: id, now: at(1))
        #expect(try run(runs.request(use, by: "t")) != id)
    }

    // MARK: Undoing

    private func done() throws -> ActionRuns.ID {
        let id = try begun(use)
        _ = runs.returned(id, now: at(0))
        runs.change(ListRow("a", title: "Apple"), after: "z", by: id)
        runs.succeed(id, isUndoable: true, now: at(0))
        return id
    }

    @Test func whatSucceededCanBeUndoneOnceForTenSecondsAndIsOfferedForFive() throws {
        let id = try done()
        #expect(runs.undoOffer(of: id.description, now: at(0)) == .seconds(5))
        #expect(runs.undoOffer(of: id.description, now: at(5000)) == nil)
        let undoing = try run(runs.request(undoing: id, by: "s", now: at(9999)))
        #expect(runs.current[undoing]?.use.undoes == id)
        #expect(runs.current[undoing]?.former == .init(row: ListRow("a", title: "Apple"), previous: "z"))
        // Who asks for the same meanwhile joins; afterwards nothing is left to undo.
        #expect(runs.request(undoing: id, by: "t", now: at(9999)) == .run(undoing, joined: true))
        _ = runs.kept(undoing, now: at(9999))
        _ = runs.returned(undoing, now: at(9999))
        runs.succeed(undoing, isUndoable: false, now: at(9999))
        #expect(runs.request(undoing: id, by: "t", now: at(9999)) == .spent)
        #expect(runs.request(undoing: undoing, by: "t", now: at(9999)) == .spent)
    }

    @Test func afterTenSecondsNothingIsUndone() throws {
        let id = try done()
        #expect(runs.request(undoing: id, by: "s", now: at(10_000)) == .spent)
    }

    @Test func anUndoingThatFailedCanBeTriedAgain() throws {
        let id = try done()
        let undoing = try run(runs.request(undoing: id, by: "s", now: at(1)))
        runs.fail(undoing, now: at(2))
        #expect(try run(runs.request(undoing: id, by: "s", now: at(3))) != undoing)
    }

    @Test func aServerThatEndsDoesNotClaimToKnowHowFarHandlersCame() throws {
        let id = try begun(use)
        let waiting = try run(runs.request(.init(action: "archive", row: "b"), by: "s"))
        let actions = runs.abandon()
        #expect(actions.contains(.end(id, use, .failure(.interrupted))))
        #expect(actions.contains(.end(waiting, .init(action: "archive", row: "b"), .cancelled)))
    }
}
