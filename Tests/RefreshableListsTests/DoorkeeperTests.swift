import Testing
import WebSockets

@testable import RefreshableLists

/// Who somebody is that shows a token, and what has become of those who are in.
struct DoorkeeperTests {
    private static let rights: AccessRights = ["fruit": [.read, .refresh], "*": [.read]]
    private let clock = HandSetClock()

    @Test func whereNoTokensAreAskedForNobodyIsTurnedAway() throws {
        let doors = Doorkeeper(.open, pushToken: "a-token-of-sixteen", clock: clock)
        #expect(doors.visitor(nil)?.kind == .anybody)
        #expect(doors.visitor("whatever somebody's proxy adds")?.kind == .anybody)
        #expect(!doors.asksForTokens)
    }

    @Test func whoShowsATokenIsItsHolderAndWhoShowsNoneAStranger() throws {
        let doors = Doorkeeper(
            .tokens([token("kitchen"), token("cook")], anonymous: ["news": [.read]]), clock: clock)

        #expect(doors.visitor("secret of cook")?.name == "cook")
        #expect(doors.visitor("secret of kitchen")?.may(.refresh, "fruit") == true)
        #expect(doors.visitor("secret of kitchen")?.may(.push, "fruit") == false)
        let stranger = try #require(doors.visitor(nil))
        #expect(stranger.kind == .stranger && stranger.may(.read, "news") && !stranger.sees("fruit"))
    }

    @Test func whatIsSaidOfAListByItsNameCountsAndNothingElse() {
        let rights: AccessRights = ["*": [.read, .push], "board": [.refresh], "salaries": []]
        #expect(rights["board"] == [.refresh] && rights["salaries"].isEmpty && rights["news"] == [.read, .push])
    }

    @Test func whoMayReadSomethingWithoutATokenIsNotNobody() {
        let doors = Doorkeeper(.tokens([], anonymous: ["news": [.read]]), clock: clock)
        #expect(doors.visitor(nil)?.isNobody == false)
    }

    @Test(arguments: ["secret of kitche", "secret of kitchen ", "Secret of kitchen", "", "secret of kitchen\0"])
    func anyOtherTokenIsWrong(_ shown: String) {
        let doors = Doorkeeper(.tokens([token("kitchen")]), clock: clock)
        guard case .wrong = doors.admit(shown, from: "192.0.2.7") else {
            return #expect(Bool(false), "\(shown) was let in.")
        }
    }

    @Test func anEmptyFileOfTokensLetsNobodyIn() {
        let doors = Doorkeeper(.tokens([]), clock: clock)
        #expect(doors.visitor(nil)?.isNobody == true)
        #expect(doors.visitor("") == nil)
    }

    @Test func theTokenForPushesIsOneMore() throws {
        let doors = Doorkeeper(.tokens([]), pushToken: "a-token-of-sixteen", clock: clock)
        let visitor = try #require(doors.visitor("a-token-of-sixteen"))
        #expect(visitor.may(.push, "fruit") && !visitor.may(.read, "fruit"))
    }

    @Test func aTokenIsWorthNothingFromItsLastMomentOn() throws {
        let end = clock.now.date + 1000
        let doors = Doorkeeper(.tokens([token("kitchen", expiresAt: end)]), clock: clock)
        let visitor = try #require(doors.visitor("secret of kitchen"))
        #expect(doors.untilNextExpiry == 1000)
        guard case .stays = doors.standing(of: visitor) else { return #expect(Bool(false)) }

        clock.date += 1000

        guard case .expired = doors.standing(of: visitor) else { return #expect(Bool(false)) }
        guard case .expired = doors.admit("secret of kitchen", from: "192.0.2.7") else { return #expect(Bool(false)) }
        #expect(doors.untilNextExpiry == nil)
    }

    @Test func theNextToExpireIsWaitedForAndThenTheOneAfterIt() {
        let now = clock.now.date
        let tokens = [
            token("cook", expiresAt: now + 3000), token("guest", expiresAt: now + 1000), token("kitchen"),
        ]
        let doors = Doorkeeper(.tokens(tokens), clock: clock)
        #expect(doors.untilNextExpiry == 1000)

        clock.date += 1000

        #expect(doors.untilNextExpiry == 2000)
    }

    @Test func aChangeCountsForThoseWhoAreInAndIsTold() throws {
        let doors = Doorkeeper(.tokens([token("kitchen"), token("cook")]), clock: clock)
        let kitchen = try #require(doors.visitor("secret of kitchen"))
        let cook = try #require(doors.visitor("secret of cook"))
        let told = Locked(0)
        doors.onChange { told.withLock { $0 += 1 } }

        doors.change(to: .tokens([AccessToken("cook", secret: "secret of cook", rights: ["*": [.push]])]))

        #expect(told.withLock { $0 } == 1)
        guard case .gone = doors.standing(of: kitchen) else { return #expect(Bool(false)) }
        guard case .stays(let now) = doors.standing(of: cook) else { return #expect(Bool(false)) }
        #expect(now.may(.push, "fruit") && !now.may(.read, "fruit"))
    }

    @Test func guessesAreCountedAtTheDoor() {
        let doors = Doorkeeper(.tokens([token("kitchen")]), clock: clock)
        for number in 0..<10 { _ = doors.admit("guess \(number)", from: "192.0.2.7") }
        guard case .tooManyGuesses = doors.admit("secret of kitchen", from: "192.0.2.7") else {
            return #expect(Bool(false), "Guessing goes on.")
        }
        guard case .visitor = doors.admit("secret of kitchen", from: "192.0.2.8") else { return #expect(Bool(false)) }
        guard case .visitor = doors.admit(nil, from: "192.0.2.7") else { return #expect(Bool(false)) }
    }

    private func token(_ name: String, expiresAt: Int64? = nil) -> AccessToken {
        AccessToken(name, secret: "secret of \(name)", rights: Self.rights, expiresAt: expiresAt)
    }
}

extension Doorkeeper {
    /// Nil: turned away.
    fileprivate func visitor(_ shown: String?) -> Visitor? {
        guard case .visitor(let visitor) = admit(shown, from: "192.0.2.7") else { return nil }
        return visitor
    }
}

extension Visitor {
    fileprivate var name: String? {
        if case .holder(let name, _) = kind { name } else { nil }
    }
}
