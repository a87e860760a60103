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
        /// With what OpenSSL keeps of it.
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
    /// At the port that sends people on to TLS, where there is one.
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
    /// What visitors may have it keep, divided.
    var memory: MemoryBudget {
        MemoryBudget(
            memoryForVisitors, connections: maximumConnections, isEncrypted: tls != nil,
            redirects: tls?.redirectPort != nil)
    }
}
