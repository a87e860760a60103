import Foundation
import KeyedLists
import Locking
import Testing
import WebSockets

@testable import RefreshableLists

/// Who somebody is that shows a token, and what has become of those who are in.
struct AuthenticatorTests {
    private static let rights: AccessRights = ["fruit": [.read, .refresh], "*": [.read]]
    private let clock = SettableClock()

    @Test func whereNoTokensAreAskedForNobodyIsTurnedAway() throws {
        let authenticator = Authenticator(.open, pushToken: "a-token-of-sixteen", clock: clock)
        #expect(authenticator.visitor(nil)?.kind == .anybody)
        #expect(authenticator.visitor("whatever somebody's proxy adds")?.kind == .anybody)
        #expect(!authenticator.asksForTokens)
    }

    @Test func whoShowsATokenIsItsHolderAndWhoShowsNoneAStranger() throws {
        let authenticator = Authenticator(
            .tokens([token("kitchen"), token("cook")], anonymous: ["news": [.read]]), clock: clock)

        #expect(authenticator.visitor("secret of cook")?.name == "cook")
        #expect(authenticator.visitor("secret of kitchen")?.may(.refresh, "fruit") == true)
        #expect(authenticator.visitor("secret of kitchen")?.may(.push, "fruit") == false)
        let stranger = try #require(authenticator.visitor(nil))
        #expect(stranger.kind == .stranger && stranger.may(.read, "news") && !stranger.sees("fruit"))
    }

    @Test func whatIsSaidOfAListByItsNameCountsAndNothingElse() {
        let rights: AccessRights = ["*": [.read, .push], "board": [.refresh], "salaries": []]
        #expect(rights["board"] == [.refresh] && rights["salaries"].isEmpty && rights["news"] == [.read, .push])
    }

    @Test func whoMayReadSomethingWithoutATokenIsNotNobody() {
        let authenticator = Authenticator(.tokens([], anonymous: ["news": [.read]]), clock: clock)
        #expect(authenticator.visitor(nil)?.isNobody == false)
    }

    @Test(arguments: ["secret of kitche", "secret of kitchen ", "Secret of kitchen", "", "secret of kitchen\0"])
    func anyOtherTokenIsWrong(_ shown: String) {
        let authenticator = Authenticator(.tokens([token("kitchen")]), clock: clock)
        guard case .wrong = authenticator.admit(PresentedToken(shown), from: "192.0.2.7") else {
            return #expect(Bool(false), "\(shown) was let in.")
        }
    }

    @Test func anEmptyFileOfTokensLetsNobodyIn() {
        let authenticator = Authenticator(.tokens([]), clock: clock)
        #expect(authenticator.visitor(nil)?.isNobody == true)
        #expect(authenticator.visitor("") == nil)
    }

    @Test func theTokenForPushesIsOneMore() throws {
        let authenticator = Authenticator(.tokens([]), pushToken: "a-token-of-sixteen", clock: clock)
        let visitor = try #require(authenticator.visitor("a-token-of-sixteen"))
        #expect(visitor.may(.push, "fruit") && !visitor.may(.read, "fruit"))
    }

    @Test func aTokenIsWorthNothingFromItsLastMomentOn() throws {
        let end = clock.now.date + 1000
        let authenticator = Authenticator(.tokens([token("kitchen", expiresAt: Date(milliseconds: end))]), clock: clock)
        let visitor = try #require(authenticator.visitor("secret of kitchen"))
        #expect(authenticator.nextExpiry == end)
        guard case .stays = authenticator.validity(of: visitor) else { return #expect(Bool(false)) }

        clock.date += 1000

        guard case .expired = authenticator.validity(of: visitor) else { return #expect(Bool(false)) }
        guard case .expired = authenticator.admit(PresentedToken("secret of kitchen"), from: "192.0.2.7") else {
            return #expect(Bool(false))
        }
        #expect(authenticator.nextExpiry == nil)
    }

    @Test func theNextToExpireIsWaitedForAndThenTheOneAfterIt() {
        let now = clock.now.date
        let tokens = [
            token("cook", expiresAt: Date(milliseconds: now + 3000)),
            token("guest", expiresAt: Date(milliseconds: now + 1000)), token("kitchen"),
        ]
        let authenticator = Authenticator(.tokens(tokens), clock: clock)
        #expect(authenticator.nextExpiry == now + 1000)

        clock.date += 1000

        #expect(authenticator.nextExpiry == now + 3000)
    }

    @Test func aChangeCountsForThoseWhoAreInAndIsTold() throws {
        let authenticator = Authenticator(.tokens([token("kitchen"), token("cook")]), clock: clock)
        let kitchen = try #require(authenticator.visitor("secret of kitchen"))
        let cook = try #require(authenticator.visitor("secret of cook"))
        let told = Locked(0)
        authenticator.onChange { told.withLock { $0 += 1 } }

        authenticator.change(to: .tokens([AccessToken("cook", secret: "secret of cook", rights: ["*": [.push]])]))

        #expect(told.withLock { $0 } == 1)
        guard case .gone = authenticator.validity(of: kitchen) else { return #expect(Bool(false)) }
        guard case .stays(let now) = authenticator.validity(of: cook) else { return #expect(Bool(false)) }
        #expect(now.may(.push, "fruit") && !now.may(.read, "fruit"))
    }

    @Test func guessesAreCountedAtTheDoor() {
        let authenticator = Authenticator(.tokens([token("kitchen")]), clock: clock)
        for number in 0..<10 { _ = authenticator.admit(PresentedToken("guess \(number)"), from: "192.0.2.7") }
        guard case .tooManyGuesses = authenticator.admit(PresentedToken("secret of kitchen"), from: "192.0.2.7") else {
            return #expect(Bool(false), "Guessing goes on.")
        }
        guard case .visitor = authenticator.admit(PresentedToken("secret of kitchen"), from: "192.0.2.8") else {
            return #expect(Bool(false))
        }
        guard case .visitor = authenticator.admit(nil, from: "192.0.2.7") else { return #expect(Bool(false)) }
    }

    @Test func aBrowserThatHasSignedOutIsOutAndOthersWithItsTokenAreNot() throws {
        let authenticator = Authenticator(.tokens([token("kitchen")]), clock: clock)
        let (one, other) = (signIn("secret of kitchen"), signIn("secret of kitchen"))
        let visitor = try #require(authenticator.visitor("secret of kitchen"))
        let told = Locked(0)
        authenticator.onChange { told.withLock { $0 += 1 } }

        authenticator.signOut(try #require(one?.signIn))

        #expect(told.withLock { $0 } == 1)
        guard case .signedOut = authenticator.validity(of: visitor, by: one?.signIn) else {
            return #expect(Bool(false))
        }
        guard case .stays = authenticator.validity(of: visitor, by: other?.signIn) else { return #expect(Bool(false)) }
        guard case .stays = authenticator.validity(of: visitor) else { return #expect(Bool(false)) }
        guard case .signedOut = authenticator.admit(one, from: "192.0.2.7") else { return #expect(Bool(false)) }
        guard case .visitor = authenticator.admit(other, from: "192.0.2.7") else { return #expect(Bool(false)) }
    }

    @Test func aCookieOfAnEarlierVersionStillShowsItsToken() {
        for token in [
            "a-secret", "a.secret", String(repeating: "a", count: 32), "\(String(repeating: "g", count: 32)).b",
        ] {
            let headers: HTTPHeaders = ["Host": "localhost", "Cookie": "refreshable=\(token)"]
            #expect(PresentedToken.of(HTTPRequest(path: "/", headers: headers))?.token == token)
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
            let authenticator = Authenticator(access, allowedHosts: ["lists.example"], clock: clock)
            var request = HTTPRequest(path: "/", headers: ["Host": host], remoteAddress: address)
            guard case .visitor(let visitor) = authenticator.admit(request) else { return #expect(Bool(false)) }
            guard case .stays(let later) = authenticator.validity(of: visitor) else { return #expect(Bool(false)) }

            for visitor in [visitor, later] {
                #expect(visitor.may(.read, "fruit"))
                #expect(visitor.may(.refresh, "fruit") == mayAll && visitor.may(.push, "fruit") == mayAll)
            }
            guard authenticator.asksForTokens else { continue }
            request.headers["Authorization"] = "Bearer secret of kitchen"
            guard case .visitor(let holder) = authenticator.admit(request) else { return #expect(Bool(false)) }
            #expect(holder.may(.refresh, "fruit"), "A token says what it says under any name.")
        }
    }

    /// What a browser shows from now on in which somebody has signed in.
    private func signIn(_ secret: String) -> PresentedToken? {
        let headers: HTTPHeaders = [
            "Host": "localhost", "Cookie": "refreshable=\(PresentedToken.cookie(holding: secret))",
        ]
        return PresentedToken.of(HTTPRequest(path: "/", headers: headers))
    }

    private func token(_ name: String, expiresAt: Date? = nil) -> AccessToken {
        AccessToken(name, secret: "secret of \(name)", rights: Self.rights, expiresAt: expiresAt)
    }
}

extension Authenticator {
    /// Nil: turned away.
    fileprivate func visitor(_ shown: String?) -> Visitor? {
        guard case .visitor(let visitor) = admit(shown.map { PresentedToken($0) }, from: "192.0.2.7") else {
            return nil
        }
        return visitor
    }
}

extension Visitor {
    fileprivate var name: String? {
        if case .holder(let name, _) = kind { name } else { nil }
    }
}
