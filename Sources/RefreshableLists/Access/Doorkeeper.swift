import Logging
import WebSockets

/// Knows the tokens, and tells who somebody is that shows one. Shared by all loops; a change counts at once, also for those
/// who are in already.
///
///     shown token ─▶ digest ─▶ compared with all of them ─▶ Visitor
///                       └─ none: a guess of that address, and there is a limit to those
final class Doorkeeper: Sendable {
    /// What somebody is answered at the door.
    enum Answer {
        case visitor(Visitor)
        /// It is none of the tokens.
        case wrong
        /// It was one of them.
        case expired
        /// Nothing more is looked at from this address for so long, in milliseconds.
        case tooManyGuesses(wait: Int64)
    }

    /// What has become of somebody who is in.
    enum Standing {
        case stays(Visitor)
        case expired
        /// The token was taken away.
        case gone
    }

    fileprivate struct State {
        var holders: [Visitor] = []
        var byDigest: [SHA256Digest: Visitor] = [:]
        /// Whoever shows nothing.
        var others = Visitor.anybody
        var guesses = GuessLimit()
        var listeners: [@Sendable () -> Void] = []
    }

    private let state: Locked<State>
    private let pushToken: String?
    let clock: any ListClock
    let logger: Logger?
    let tally = Locked(AccessTally())

    /// - Parameters:
    ///   - pushToken: where tokens are asked for, one more, which allows to push to every list.
    ///   - logger: is told of tokens that do not count.
    init(_ access: Access, pushToken: String? = nil, clock: any ListClock, logger: Logger? = nil) {
        self.pushToken = pushToken
        self.clock = clock
        self.logger = logger
        state = Locked(State())
        change(to: access)
    }

    /// Whether tokens mean anything here.
    var asksForTokens: Bool { state.withLock { $0.others.isStranger } }

    /// Who shows a token, or none.
    ///
    /// - Parameter address: whose guesses are counted.
    func admit(_ shown: String?, from address: String) -> Answer {
        let now = clock.now
        // Outside of the lock: it takes the longer, the longer the text is.
        let digest = shown.map { SHA256Digest(of: $0) }
        let answer = state.withLock { $0.answer(digest, from: address, at: now) }
        if let refusal = answer.refusal { note(refusal, from: address) }
        return answer
    }

    /// For how long no more tokens for pushes are looked at that come from an address, where that is the only token; nil:
    /// they are. Guesses of it count like those of others.
    ///
    /// - Returns: Milliseconds.
    func wait(forPush shown: String, isRight: Bool, from address: String) -> Int64? {
        let digest = SHA256Digest(of: shown)
        let now = clock.now.uptime
        return state.withLock { $0.guesses.wait(for: digest, isRight: isRight, from: address, now: now) }
    }

    /// What somebody who is in may do now.
    func standing(of visitor: Visitor) -> Standing {
        let now = clock.now.date
        return state.withLock { state in
            guard case .holder(_, let digest) = visitor.kind else { return .stays(state.others) }
            guard let holder = state.byDigest[digest] else { return .gone }
            return holder.isExpired(at: now) ? .expired : .stays(holder)
        }
    }

    /// When the next token expires, in milliseconds from now; nil where none will.
    var untilNextExpiry: Int64? {
        let now = clock.now.date
        return state.withLock { $0.holders.compactMap(\.expiresAt).filter { $0 > now }.min().map { $0 - now } }
    }

    /// From now on these tokens count. Who listens is told when they do.
    func change(to access: Access) {
        let listeners = state.withLock { state in
            state.set(access, pushToken)
            return state.listeners
        }
        for tell in listeners { tell() }
    }

    /// Calls `body` after each change, from any thread.
    func onChange(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.listeners.append(body) } }
}

extension Doorkeeper.State {
    fileprivate mutating func answer(
        _ digest: SHA256Digest?, from address: String, at now: Moment
    ) -> Doorkeeper.Answer {
        guard let digest, others.isStranger else { return .visitor(others) }
        let holder = holder(of: digest)
        let wait = guesses.wait(for: digest, isRight: holder != nil, from: address, now: now.uptime)
        if let wait { return .tooManyGuesses(wait: wait) }
        guard let holder else { return .wrong }
        return holder.isExpired(at: now.date) ? .expired : .visitor(holder)
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
        byDigest = [:]
        for holder in holders {
            if case .holder(_, let digest) = holder.kind { byDigest[digest] = holder }
        }
    }
}
