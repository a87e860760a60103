import WebSockets

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
