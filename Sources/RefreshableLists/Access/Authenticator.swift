import Locking
import Logging
import WebSockets

/// Finds the visitor who a token belongs to. Shared by all loops. A change of the tokens applies at once, also to open
/// connections.
///
///     shown token ─▶ digest ─▶ compared with all of them ─▶ Visitor
///                       └─ none: a failed attempt of that address, and these are limited
final class Authenticator: Sendable {
    /// The result of an authentication.
    enum Answer {
        case visitor(Visitor)
        /// It is none of the tokens.
        case wrong
        /// It was one of them.
        case expired
        /// It is one of them, in the cookie of a browser that has signed out.
        case signedOut
        /// Nothing more is looked at from this address for so long, in milliseconds.
        case tooManyGuesses(wait: Int64)
    }

    /// What has changed for an authenticated client.
    enum Validity {
        case stays(Visitor)
        case expired
        /// The token was taken away.
        case gone
        /// The browser has signed out.
        case signedOut
    }

    fileprivate struct State {
        var holders: [Visitor] = []
        var byDigest: [SHA256Digest: Visitor] = [:]
        /// Whoever shows nothing.
        var others = Visitor.anybody
        /// The same, under a name that is not this machine's own.
        var onlookers = Visitor.anybody.onlooker
        /// Those of late, for what was on its way when its browser signed out.
        var signedOut = IdempotencyCache<PresentedToken.SignIn, Bool>(of: MemoryShare(8192), capacity: 4096)
        var failedTokens: FailedTokenLimit
        var listeners: [@Sendable () -> Void] = []
    }

    private let state: Locked<State>
    private let pushToken: String?
    /// Names by which the server may be asked, beside addresses and `localhost`.
    private let allowedHosts: [String]
    let clock: any ListClock
    let logger: Logger?
    let counts = Locked(RefusalCounter())

    /// - Parameters:
    ///   - pushToken: where tokens are asked for, one more, which allows to push to every list.
    ///   - allowedHosts: names of this server, beside addresses and `localhost`.
    ///   - guessers: addresses whose guesses are remembered.
    ///   - logger: is told of tokens that do not count.
    init(
        _ access: Access, pushToken: String? = nil, allowedHosts: [String] = [], guessers: Int = 10_000,
        clock: any ListClock,
        logger: Logger? = nil
    ) {
        self.pushToken = pushToken
        self.allowedHosts = allowedHosts
        self.clock = clock
        self.logger = logger
        state = Locked(State(failedTokens: FailedTokenLimit(mostCallers: guessers)))
        change(to: access)
    }

    /// Whether tokens mean anything here.
    var asksForTokens: Bool { state.withLock { $0.others.isStranger } }

    /// Who sends a request.
    func admit(_ request: HTTPRequest) -> Answer {
        let isOnlooker = isOnlooker(request.headers, from: request.remoteAddress)
        return admit(PresentedToken.of(request), from: request.remoteAddress, isOnlooker: isOnlooker)
    }

    /// Who opens a socket.
    func admit(_ handshake: Handshake) -> Answer {
        let isOnlooker = isOnlooker(handshake.headers, from: handshake.remoteAddress)
        return admit(PresentedToken.of(handshake), from: handshake.remoteAddress, isOnlooker: isOnlooker)
    }

    /// Who shows a token, or none.
    ///
    /// - Parameters:
    ///   - address: whose guesses are counted.
    ///   - isOnlooker: whether they may only read, unless a token says otherwise.
    func admit(_ shown: PresentedToken?, from address: String, isOnlooker: Bool = false) -> Answer {
        let now = clock.now
        // Outside of the lock: it takes the longer, the longer the text is.
        let digest = shown.map { SHA256Digest(of: $0.token) }
        let answer = state.withLock { state -> Answer in
            guard let digest, state.others.isStranger else {
                return .visitor(isOnlooker ? state.onlookers : state.others)
            }
            return state.answer(digest, shown?.signIn, from: address, at: now)
        }
        if let refusal = answer.refusal { note(refusal, from: address) }
        return answer
    }

    /// Whether somebody on this machine asks under a name that another may have: a page whose name, in `.local`, somebody
    /// on the network has pointed at this machine. What a page of theirs reads so, nothing keeps from them; but it has
    /// nothing done with the rights of this machine.
    private func isOnlooker(_ headers: HTTPHeaders, from address: String) -> Bool {
        address.isLoopback && !headers.isForOwnHost(allowed: allowedHosts)
    }

    /// For how long no more tokens for pushes are looked at that come from an address, where that is the only token; nil:
    /// they are. Guesses of it count like those of others.
    ///
    /// - Returns: Milliseconds.
    func wait(forPush shown: String, isRight: Bool, from address: String) -> Int64? {
        let digest = SHA256Digest(of: shown)
        let now = clock.now.uptime
        return state.withLock { $0.failedTokens.wait(for: digest, isRight: isRight, from: address, now: now) }
    }

    /// The current rights of an authenticated client.
    ///
    /// - Parameter signIn: by which they came, where it was by a cookie.
    func validity(of visitor: Visitor, by signIn: PresentedToken.SignIn? = nil) -> Validity {
        let now = clock.now
        if visitor.isIdentified { return visitor.isExpired(at: now.date) ? .expired : .stays(visitor) }
        return state.withLock { state in
            guard case .holder(_, let digest) = visitor.kind else {
                return .stays(visitor.isOnlooker ? state.onlookers : state.others)
            }
            guard let holder = state.byDigest[digest] else { return .gone }
            if state.hasSignedOut(signIn, now) { return .signedOut }
            return holder.isExpired(at: now.date) ? .expired : .stays(holder)
        }
    }

    /// When the next token expires, in milliseconds since 1970; nil where none will. By that clock and no other: it may
    /// jump, and a machine sleep.
    var nextExpiry: Int64? {
        let now = clock.now.date
        return state.withLock { $0.holders.compactMap(\.expiresAt).filter { $0 > now }.min() }
    }

    /// A browser signs out. Listeners are notified.
    func signOut(_ signIn: PresentedToken.SignIn) {
        let now = clock.now
        let listeners = state.withLock { state in
            state.signedOut.remember(true, for: signIn, now)
            return state.listeners
        }
        for tell in listeners { tell() }
    }

    /// Replaces the tokens. Listeners are notified once they are in effect.
    func change(to access: Access) {
        let listeners = state.withLock { state in
            state.set(access, pushToken)
            return state.listeners
        }
        for tell in listeners { tell() }
    }

    /// Calls `body` after each change and signing out, from any thread.
    func onChange(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.listeners.append(body) } }
}

extension Authenticator.State {
    fileprivate mutating func answer(
        _ digest: SHA256Digest, _ signIn: PresentedToken.SignIn?, from address: String, at now: Moment
    ) -> Authenticator.Answer {
        let holder = holder(of: digest)
        let wait = failedTokens.wait(for: digest, isRight: holder != nil, from: address, now: now.uptime)
        if let wait { return .tooManyGuesses(wait: wait) }
        guard let holder else { return .wrong }
        if hasSignedOut(signIn, now) { return .signedOut }
        return holder.isExpired(at: now.date) ? .expired : .visitor(holder)
    }

    fileprivate func hasSignedOut(_ signIn: PresentedToken.SignIn?, _ now: Moment) -> Bool {
        signIn.map { signedOut[$0, now] != nil } ?? false
    }

    /// Looks at all of them, whichever it is.
    fileprivate func holder(of digest: SHA256Digest) -> Visitor? {
        var found: Visitor?
        for holder in holders {
            if case .holder(_, let known) = holder.kind, known.matches(digest) { found = holder }
        }
        return found
    }

    fileprivate mutating func set(_ access: Access, _ pushToken: String?) {
        switch access {
        case .open:
            holders = []
            others = .anybody
        case .tokens(let tokens, let anonymous):
            let pushes = pushToken.map { AccessToken("push", secret: $0, rights: ["*": [.push]]) }
            holders = (tokens + [pushes].compactMap(\.self)).map(Visitor.init)
            others = Visitor(.stranger, anonymous)
        }
        onlookers = others.onlooker
        byDigest = [:]
        for holder in holders {
            if case .holder(_, let digest) = holder.kind { byDigest[digest] = holder }
        }
    }
}

/// Counts refused requests, and logs tokens that are not valid.
extension Authenticator {
    /// How often clients were rejected, by reason. From any thread.
    var refusals: [AccessRefusal: Int] { counts.withLock { $0.counts } }

    /// Somebody may not, as they are.
    func count(_ visitor: Visitor) { count(visitor.shortcoming) }

    /// As above, for a reason that is known.
    func count(_ refusal: AccessRefusal) { counts.withLock { $0.count(refusal) } }

    /// Somebody showed a token that did not count.
    func note(_ refusal: AccessRefusal, from address: String) {
        let leftOut = counts.withLock { $0.note(refusal, at: clock.now.uptime) }
        guard let leftOut else { return }
        var about: Logger.Metadata = ["reason": "\(refusal.rawValue)", "address": "\(address)"]
        if leftOut > 0 { about["leftOut"] = "\(leftOut)" }
        logger?.notice("Refused a token.", metadata: about)
    }
}

/// Limits how many wrong tokens an address may show. Pure: the time is passed in.
///
/// A guess is a token that is none of ours and was not shown from there lately: a program that shows a wrong one again and
/// again has guessed once. After ten, nothing more is looked at until some seconds are over, no right one either, or
/// guessing would go on; but for those that were right from there before, so that whoever guesses beside others, behind
/// one address, keeps nobody out who was in.
struct FailedTokenLimit {
    fileprivate struct Caller {
        /// Those that count still, as of `heardAt`.
        var failedTokens = 0.0
        var heardAt: Int64
        /// Newest last.
        var wrong: [Token] = []
        var right: Set<Token> = []
    }

    /// The first eight bytes of a token's digest, which are enough to know it again.
    struct Token: Hashable {
        private let prefix: UInt64

        init(_ digest: SHA256Digest) { prefix = digest.bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } }
    }

    /// Guesses at once.
    static let burst = 10.0
    /// Milliseconds after which one counts no more.
    static let pause: Int64 = 5000
    private static let mostRemembered = 64

    private let mostCallers: Int
    private var callers: [[UInt8]: Caller] = [:]

    /// - Parameter mostCallers: addresses that are remembered. The longest silent go first.
    init(mostCallers: Int = 10_000) { self.mostCallers = mostCallers }

    /// Whether a token may be looked at.
    ///
    /// - Parameters:
    ///   - address: in its numeric form; of IPv6 counts the half that is somebody's network.
    ///   - now: milliseconds of a clock that never goes back.
    /// - Returns: Milliseconds after which it may be tried again; nil: it may.
    mutating func wait(for digest: SHA256Digest, isRight: Bool, from address: String, now: Int64) -> Int64? {
        let key = AddressBlock.network(of: address)
        let token = Token(digest)
        var caller = callers[key] ?? Caller(heardAt: now)
        caller.failedTokens = max(0, caller.failedTokens - Double(now - caller.heardAt) / Double(Self.pause))
        caller.heardAt = now
        defer { remember(caller, key) }
        if caller.knows(token, isRight: isRight) { return nil }
        guard caller.failedTokens <= Self.burst - 1 else { return Self.pause }
        caller.note(token, isRight: isRight, most: Self.mostRemembered)
        return nil
    }

    private mutating func remember(_ caller: Caller, _ key: [UInt8]) {
        if callers[key] == nil, callers.count >= mostCallers { forgetHalf() }
        callers[key] = caller
    }

    private mutating func forgetHalf() {
        let middle = callers.values.map(\.heardAt).sorted()[callers.count / 2]
        callers = callers.filter { $0.value.heardAt > middle }
    }
}

extension FailedTokenLimit.Caller {
    fileprivate func knows(_ token: FailedTokenLimit.Token, isRight: Bool) -> Bool {
        isRight ? right.contains(token) : wrong.contains(token)
    }

    fileprivate mutating func note(_ token: FailedTokenLimit.Token, isRight: Bool, most: Int) {
        if isRight {
            if right.count >= most { right = [] }
            right.insert(token)
        } else {
            failedTokens += 1
            if wrong.count >= most { wrong.removeFirst() }
            wrong.append(token)
        }
    }
}
