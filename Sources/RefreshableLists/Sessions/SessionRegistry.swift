import DequeModule
import Locking
import WebSockets

/// Sessions that have something to remember, by their token: connected ones, and for ten minutes those that were lost.
///
/// Of more lost ones than fit, those are forgotten first that were lost first. Each counts as one, and one more for each list
/// on which it has a gesture to remember.
final class SessionRegistry: Sendable {
    /// The connection that a session has at present.
    struct Owner: Sendable {
        var socket: UInt64
        var close: @Sendable () -> Void
    }

    private struct Entry: Sendable {
        var memory: SessionMemory
        var owner: Owner?
        /// Which loss it was; nil while connected.
        var loss: Int?
    }

    private struct Loss: Sendable {
        let token: String
        let number: Int
        let weight: Int
        /// Uptime in milliseconds.
        let expiresAt: Int64
    }

    private struct Contents: Sendable {
        var entries: [String: Entry] = [:]
        /// In order of time. Some have come back since.
        var losses: Deque<Loss> = []
        var lossCount = 0
        /// Of all losses that are kept.
        var weight = 0
    }

    /// In milliseconds.
    static let age: Int64 = 10 * 60 * 1000

    private let contents = Locked(Contents())
    private let capacity: Int
    private let clock: any ListClock

    /// - Parameter capacity: how many lost sessions are kept: at a hundred a second, all of ten minutes.
    init(clock: any ListClock, capacity: Int = 65_536) {
        self.clock = clock
        self.capacity = capacity
    }

    /// How many there are, of connected people and of lost ones.
    var count: Int { contents.withLock { $0.entries.count } }

    func register(_ memory: SessionMemory, owner: Owner) {
        contents.withLock { $0.entries[memory.token] = Entry(memory: memory, owner: owner) }
    }

    /// Takes a session up again. A connection that still has it is closed.
    func takeUp(_ token: String, owner: Owner) -> SessionMemory? {
        let (memory, previous) = contents.withLock { contents -> (SessionMemory?, Owner?) in
            guard let entry = contents.entries[token] else { return (nil, nil) }
            contents.entries[token] = Entry(memory: entry.memory, owner: owner)
            return (entry.memory, entry.owner)
        }
        previous?.close()
        return memory
    }

    /// The connection is gone; the session is kept for a while.
    func release(_ token: String, by socket: UInt64) {
        let expiry = clock.now.uptime + Self.age
        contents.withLock { contents in
            guard contents.entries[token]?.owner?.socket == socket else { return }
            contents.lossCount += 1
            contents.entries[token]?.owner = nil
            contents.entries[token]?.loss = contents.lossCount
            let lists = contents.entries[token]?.memory.withContents { max($0.pulls.count, $0.requested.count) }
            let weight = 1 + (lists ?? 0)
            contents.weight += weight
            contents.losses.append(
                Loss(token: token, number: contents.lossCount, weight: weight, expiresAt: expiry))
        }
    }

    /// Removes and returns the sessions that nobody came back for.
    func takeExpired() -> [SessionMemory] {
        let now = clock.now.uptime
        return contents.withLock { contents in
            var expired: [SessionMemory] = []
            while let loss = contents.losses.first, loss.expiresAt <= now || contents.weight > capacity {
                contents.losses.removeFirst()
                contents.weight -= loss.weight
                guard let entry = contents.entries[loss.token], entry.loss == loss.number else { continue }
                contents.entries[loss.token] = nil
                expired.append(entry.memory)
            }
            return expired
        }
    }
}

/// What is remembered of a session while its connection is lost, and found again by `hello`: its gestures and what they
/// were answered, so that a message sent again has no second effect.
final class SessionMemory: Sendable {
    struct Contents: Sendable {
        /// By the name of the list.
        var pulls: [String: PullMemory] = [:]
        /// Lists that the session may be waiting for a run of.
        var requested: Set<String> = []
    }

    let token: String
    private let contents = Locked(Contents())

    init(token: String) { self.token = token }

    func withContents<Result>(_ body: (inout Contents) throws -> Result) rethrows -> Result {
        try contents.withLock(body)
    }
}

/// The secret name of a session: 128 random bits, shown as 32 hexadecimal digits.
struct SessionToken: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Bits of the system's own generator.
    static func random() -> SessionToken {
        var generator = SystemRandomNumberGenerator()
        return SessionToken(high: generator.next(), low: generator.next())
    }

    /// Reads what `text` shows; nil for anything else.
    init?(_ text: String) {
        guard text.utf8.count == 32, let high = UInt64(text.prefix(16), radix: 16),
            let low = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
        guard self.text == text else { return nil }
    }

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// 32 hexadecimal digits in lower case.
    var text: String { Self.hexadecimal(high) + Self.hexadecimal(low) }

    private static func hexadecimal(_ bits: UInt64) -> String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
