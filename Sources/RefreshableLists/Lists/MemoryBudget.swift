import Synchronization
import WebSockets

/// How the memory that visitors together may have the process keep is divided: so that whoever fills one share takes nothing
/// from the others, and all shares filled to the brim are no more than the whole. Pure.
///
/// ```
///   sixteenths   6 connections at rest │ 3 under way │ 2 bodies │ 2 rows │ 1 sessions │ 1 answers │ 1 guesses
///                └ what they leave ─────▶ ◀──────────────┘ what is more than enough
/// ```
struct MemoryBudget: Hashable, Sendable {
    /// Bytes of one of each, at most, with what the allocator adds.
    enum Cost {
        /// A connection that rests: a socket that watches a list or two, or a request that waits.
        static let connection = 4 * 1024
        /// Including what OpenSSL allocates for it.
        static let encryptedConnection = 28 * 1024
        /// A lost session, and each list that it pulled.
        static let session = 800
        /// A request's key with its answer.
        static let answer = 192
        /// An address that guessed, with as many guesses as are remembered.
        static let guesser = 1536
    }

    /// Bytes of bodies that are enough for any server: sixty-four of the largest at once.
    private static let mostBodies = 64 << 20
    /// The least that can be divided, in bytes.
    static let least = 16 << 20

    /// Connections at a time.
    let connections: Int
    /// At the port that redirects to TLS, if there is one.
    let redirections: Int
    /// Bytes of what connections have under way, all together: `WebSocketServer.Configuration.connectionBudget`.
    let connectionBudget: Int
    /// Bytes of requests' bodies: `WebSocketServer.Configuration.bodyBudget`.
    let bodyBudget: Int
    /// Bytes of rows that slow readers still hold though newer ones were made, of all lists.
    let rows: Int
    /// Lost sessions, and lists that they pulled.
    let sessions: Int
    /// Keys of requests with their answers, of all lists.
    let answers: Int
    /// Addresses whose guesses are remembered.
    let guessers: Int

    /// - Parameters:
    ///   - total: bytes; less than `least` counts as that.
    ///   - wanted: connections, if there is room for them.
    ///   - isEncrypted: whether TLS is spoken.
    ///   - redirects: whether there is a port beside it, to send people on to TLS.
    init(_ total: Int, connections wanted: Int, isEncrypted: Bool = false, redirects: Bool = false) {
        let part = max(total, Self.least) / 16
        redirections = redirects ? min(1000, wanted, part / 2 / Cost.connection) : 0
        let rest = 6 * part - redirections * Cost.connection
        let cost = isEncrypted ? Cost.encryptedConnection : Cost.connection
        connections = min(wanted, rest / cost)
        bodyBudget = min(2 * part, Self.mostBodies)
        connectionBudget = 3 * part + rest - connections * cost + 2 * part - bodyBudget
        rows = 2 * part
        sessions = min(65_536, part / Cost.session)
        answers = part / Cost.answer
        guessers = min(10_000, part / Cost.guesser)
    }
}

extension RefreshableServer.Configuration {
    /// The memory for clients, divided into shares.
    var memory: MemoryBudget {
        MemoryBudget(
            memoryForVisitors, connections: maximumConnections, isEncrypted: tls != nil,
            redirects: tls?.redirectPort != nil)
    }
}

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Reads how much memory this process may use.
enum MachineMemory {
    /// Bytes: of the machine, or of the control group that the process is in, where that may have less (cgroups(7)).
    static var size: Int {
        let groups = text(of: "/proc/self/cgroup").map(limitFiles) ?? []
        return groups.compactMap { text(of: $0).flatMap(limit) }.reduce(physical, min)
    }

    /// A quarter of it: the lists, their sources and commands, and the system's own buffers for sockets are beside that.
    static var forVisitors: Int { max(64 << 20, size / 4) }

    /// Files that may limit the groups of `/proc/self/cgroup`, whose lines are `number:controllers:path`; of version 2 those
    /// that the group is in, too, for the least of them counts. Pure.
    static func limitFiles(_ groups: String) -> [String] {
        groups.split(separator: "\n").flatMap { line -> [String] in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return [] }
            let isSecond = parts[1].isEmpty
            guard isSecond || parts[1].split(separator: ",").contains("memory") else { return [] }
            let root = isSecond ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory"
            let file = isSecond ? "memory.max" : "memory.limit_in_bytes"
            // Within a container, the path may be that of the host, and what is seen at the root is the container's own.
            var folders = [root]
            for name in parts[2].split(separator: "/") { folders.append("\(folders.last ?? root)/\(name)") }
            return folders.map { "\($0)/\(file)" }
        }
    }

    /// The value of such a file, in bytes; nil for `max`. Version 1 has a number beyond all memory instead. Pure.
    static func limit(_ text: String) -> Int? { Int(text.filter { !$0.isWhitespace }).flatMap { $0 > 0 ? $0 : nil } }

    /// Of the machine; as good as endless where the system does not say.
    private static var physical: Int {
        let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        return pages > 0 && size > 0 ? pages * size : .max
    }

    /// Of a small file of the system; nil where it can't be read: not every machine has every one.
    private static func text(of path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
    }
}

/// A share that all lists together may use for clients: responses, or bytes of rows. From any thread.
///
/// A list may keep as much as is still free for all the others. So whoever has one list keep a lot leaves another as much
/// again, those who do so with two leave a third, and no list has to take anything from another's thread.
final class MemoryShare: Sendable {
    /// All of it.
    let size: Int
    private let taken = Atomic<Int>(0)

    init(_ size: Int) { self.size = size }

    /// What is free. Below zero for a moment if several take at once.
    var free: Int { size - taken.load(ordering: .relaxed) }

    /// What one holder has taken; returned when the last reference is released.
    final class Part: Sendable {
        private let share: MemoryShare
        private let held = Atomic<Int>(0)

        init(of share: MemoryShare) { self.share = share }

        deinit { give(held.load(ordering: .relaxed)) }

        /// How much it has.
        var size: Int { held.load(ordering: .relaxed) }

        /// Whether so much more would be more than is left for the others.
        func isTooMuch(_ amount: Int) -> Bool { size + amount > share.free - amount }

        /// How much more it has than is left for the others.
        var excess: Int { max(0, size - max(0, share.free)) }

        /// Takes it, whether it is there or not.
        func take(_ amount: Int) {
            held.add(amount, ordering: .relaxed)
            share.taken.add(amount, ordering: .relaxed)
        }

        func give(_ amount: Int) {
            held.subtract(amount, ordering: .relaxed)
            share.taken.subtract(amount, ordering: .relaxed)
        }
    }
}

/// The shares of the visitors' memory that all lists of a process use together.
struct SharedMemory: Sendable {
    /// Bytes of rows that clients are reading.
    let rows: MemoryShare
    /// Keys with their answers.
    let answers: MemoryShare

    init(_ budget: MemoryBudget) {
        rows = MemoryShare(budget.rows)
        answers = MemoryShare(budget.answers)
    }
}
