import WebSockets

/// Sessions that have something to remember, by their token: connected ones, and for ten minutes those that were lost.
final class SessionRegistry: Sendable {
    /// The connection that a session has at present.
    struct Owner: Sendable {
        var socket: UInt64
        var close: @Sendable () -> Void
    }

    private struct Entry: Sendable {
        var memory: SessionMemory
        var owner: Owner?
        /// Uptime in milliseconds; nil while connected.
        var expiresAt: Int64?
    }

    static let age: Int64 = 10 * 60 * 1000

    /// Looking for expired sessions costs a look at each, so it is done this often, in milliseconds.
    private static let pause: Int64 = 30_000

    private let entries = Locked<[String: Entry]>([:])
    private let searchedAt = Locked<Int64>(0)
    private let clock: any ListClock

    init(clock: any ListClock) { self.clock = clock }

    func register(_ memory: SessionMemory, owner: Owner) {
        entries.withLock { $0[memory.token] = Entry(memory: memory, owner: owner) }
    }

    /// Takes a session up again. A connection that still has it is closed.
    func takeUp(_ token: String, owner: Owner) -> SessionMemory? {
        let (memory, previous) = entries.withLock { entries -> (SessionMemory?, Owner?) in
            guard let entry = entries[token] else { return (nil, nil) }
            entries[token] = Entry(memory: entry.memory, owner: owner)
            return (entry.memory, entry.owner)
        }
        previous?.close()
        return memory
    }

    /// The connection is gone; the session is kept for a while.
    func release(_ token: String, by socket: UInt64) {
        let expiry = clock.now.uptime + Self.age
        entries.withLock { entries in
            guard entries[token]?.owner?.socket == socket else { return }
            entries[token]?.owner = nil
            entries[token]?.expiresAt = expiry
        }
    }

    /// Removes and returns the sessions that nobody came back for; looks twice a minute at most.
    func takeExpired() -> [SessionMemory] {
        let now = clock.now.uptime
        let isDue = searchedAt.withLock { searchedAt in
            guard now >= searchedAt + Self.pause else { return false }
            searchedAt = now
            return true
        }
        guard isDue else { return [] }
        return entries.withLock { entries in
            let expired = entries.values.filter { $0.expiresAt.map { $0 <= now } ?? false }.map(\.memory)
            for memory in expired { entries[memory.token] = nil }
            return expired
        }
    }
}
