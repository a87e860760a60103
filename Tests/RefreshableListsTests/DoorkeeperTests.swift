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
        guard case .wrong = doors.admit(ShownToken(shown), from: "192.0.2.7") else {
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
        #expect(doors.nextExpiry == end)
        guard case .stays = doors.standing(of: visitor) else { return #expect(Bool(false)) }

        clock.date += 1000

        guard case .expired = doors.standing(of: visitor) else { return #expect(Bool(false)) }
        guard case .expired = doors.admit(ShownToken("secret of kitchen"), from: "192.0.2.7") else {
            return #expect(Bool(false))
        }
        #expect(doors.nextExpiry == nil)
    }

    @Test func theNextToExpireIsWaitedForAndThenTheOneAfterIt() {
        let now = clock.now.date
        let tokens = [
            token("cook", expiresAt: now + 3000), token("guest", expiresAt: now + 1000), token("kitchen"),
        ]
        let doors = Doorkeeper(.tokens(tokens), clock: clock)
        #expect(doors.nextExpiry == now + 1000)

        clock.date += 1000

        #expect(doors.nextExpiry == now + 3000)
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
        for number in 0..<10 { _ = doors.admit(ShownToken("guess \(number)"), from: "192.0.2.7") }
        guard case .tooManyGuesses = doors.admit(ShownToken("secret of kitchen"), from: "192.0.2.7") else {
            return #expect(Bool(false), "Guessing goes on.")
        }
        guard case .visitor = doors.admit(ShownToken("secret of kitchen"), from: "192.0.2.8") else {
            return #expect(Bool(false))
        }
        guard case .visitor = doors.admit(nil, from: "192.0.2.7") else { return #expect(Bool(false)) }
    }

    @Test func aBrowserThatHasSignedOutIsOutAndOthersWithItsTokenAreNot() throws {
        let doors = Doorkeeper(.tokens([token("kitchen")]), clock: clock)
        let (one, other) = (signIn("secret of kitchen"), signIn("secret of kitchen"))
        let visitor = try #require(doors.visitor("secret of kitchen"))
        let told = Locked(0)
        doors.onChange { told.withLock { $0 += 1 } }

        doors.signOut(try #require(one?.signIn))

        #expect(told.withLock { $0 } == 1)
        guard case .signedOut = doors.standing(of: visitor, by: one?.signIn) else { return #expect(Bool(false)) }
        guard case .stays = doors.standing(of: visitor, by: other?.signIn) else { return #expect(Bool(false)) }
        guard case .stays = doors.standing(of: visitor) else { return #expect(Bool(false)) }
        guard case .signedOut = doors.admit(one, from: "192.0.2.7") else { return #expect(Bool(false)) }
        guard case .visitor = doors.admit(other, from: "192.0.2.7") else { return #expect(Bool(false)) }
    }

    @Test func aCookieOfAnEarlierVersionStillShowsItsToken() {
        for token in [
            "a-secret", "a.secret", String(repeating: "a", count: 32), "\(String(repeating: "g", count: 32)).b",
        ] {
            let headers: HTTPHeaders = ["Host": "localhost", "Cookie": "refreshable=\(token)"]
            #expect(ShownToken.of(HTTPRequest(path: "/", headers: headers))?.token == token)
        }
    }

    @Test(
        arguments: [
            ("127.0.0.1", "localhost", true), ("::1", "[::1]:8080", true), ("127.0.0.1", "192.168.1.20:8080", true),
            ("127.0.0.1", "lists.example", true), ("127.0.0.1", "evil.local", false),
            ("::ffff:127.0.0.1", "evil.localhost:8080", false), ("192.168.1.9", "raspberrypi.local:8080", true),
        ])
    func onThisMachineANameThatAnybodyCanHaveOnlyReads(address: String, host: String, mayAll: Bool) throws {
        for access in [Access.open, .tokens([token("kitchen")], anonymous: ["*": [.read, .refresh, .push]])] {
            let doors = Doorkeeper(access, allowedHosts: ["lists.example"], clock: clock)
            var request = HTTPRequest(path: "/", headers: ["Host": host], remoteAddress: address)
            guard case .visitor(let visitor) = doors.admit(request) else { return #expect(Bool(false)) }
            guard case .stays(let later) = doors.standing(of: visitor) else { return #expect(Bool(false)) }

            for visitor in [visitor, later] {
                #expect(visitor.may(.read, "fruit"))
                #expect(visitor.may(.refresh, "fruit") == mayAll && visitor.may(.push, "fruit") == mayAll)
            }
            guard doors.asksForTokens else { continue }
            request.headers["Authorization"] = "Bearer secret of kitchen"
            guard case .visitor(let holder) = doors.admit(request) else { return #expect(Bool(false)) }
            #expect(holder.may(.refresh, "fruit"), "A token says what it says under any name.")
        }
    }

    /// What a browser shows from now on in which somebody has signed in.
    private func signIn(_ secret: String) -> ShownToken? {
        let headers: HTTPHeaders = [
            "Host": "localhost", "Cookie": "refreshable=\(ShownToken.cookie(holding: secret))",
        ]
        return ShownToken.of(HTTPRequest(path: "/", headers: headers))
    }

    private func token(_ name: String, expiresAt: Int64? = nil) -> AccessToken {
        AccessToken(name, secret: "secret of \(name)", rights: Self.rights, expiresAt: expiresAt)
    }
}

extension Doorkeeper {
    /// Nil: turned away.
    fileprivate func visitor(_ shown: String?) -> Visitor? {
        guard case .visitor(let visitor) = admit(shown.map { ShownToken($0) }, from: "192.0.2.7") else { return nil }
        return visitor
    }
}

extension Visitor {
    fileprivate var name: String? {
        if case .holder(let name, _) = kind { name } else { nil }
    }
}
