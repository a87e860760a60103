public import KeyedLists
public import ListStorage
import Locking
import PostgresConnections

/// Which server leads which list, and what the others ask of it.
extension PostgresStore {
    /// Makes this server the leader of a list that has none, or whose leader has not been heard of for 5 s.
    public func lead(
        _ list: String, in epoch: Epoch, then: @escaping @Sendable (Result<Int?, ListStoreError>) -> Void
    ) {
        start(.lead, { [self] in try await lead(list, in: epoch) }, then: then)
    }

    /// This server leads a list no more. Where the database can't be told, it finds out after 5 s.
    public func resign(from list: String) {
        start(.resign) { [self] in
            let number = try number(of: list)
            _ = try await pool.use { [node] in try await $0.ask(ListStatements.resign, [.int(number), .text(node)]) }
            notices.send(list)
        } then: { _ in
        }
    }

    /// Asks a list's leader.
    public func ask(
        _ requests: [StoredAgreement.Request], of list: String, watchers: Int,
        then: @escaping @Sendable (Result<AskOutcome, ListStoreError>) -> Void
    ) {
        start(
            .ask,
            { [self] in
                let values: [PostgresValue] = [
                    .int(try number(of: list)), .text(node), .int(watchers), .bytes(requests.map(\.key)),
                    .bytes(requests.map(\.request)), .text(NoticeChannel.payload(list, from: node)),
                ]
                let count = try await pool.use { try await $0.ask(ListStatements.ask, values) }.first
                return count == requests.count ? .asked : .askedBefore
            }, then: then)
    }

    /// Notes how much this server is interested in a list.
    public func note(_ interest: StoredAgreement.Interest, in list: String, atOnce isUrgent: Bool) {
        interests.withLock { $0[list] = interest }
        guard isUrgent else { return }
        start(.look) { [self] in
            try await look()
            notices.send(list)
        } then: { _ in
        }
    }

    func lead(_ list: String, in epoch: Epoch) async throws -> Int? {
        let number = try number(of: list)
        return try await pool.use { [node] connection in
            // Whoever leads has been heard of.
            _ = try await connection.connection.rows(ListStatements.look, Self.nothing(node)) { _ in true }
            let values: [PostgresValue] = [
                .int(number), .text(node), .text(connection.facts.identity.text), .epoch(epoch),
            ]
            return try await connection.ask(ListStatements.lead, values).first
        }
    }

    /// The values of a look at no list.
    static func nothing(_ node: String) -> [PostgresValue] { [.text(node), .ints([]), .ints([]), .ints([])] }

    /// Says that this server is there, and tells of lists that others have changed unheard: those whose lines are not as this
    /// server has read or written them. A database that is not done with what it was asked before is away.
    func look() async throws {
        if !isMigrated.withLock(\.self) { try await migrate() }
        let names = numbers
        let interests = interests.withLock(\.self)
        let lists = names.sorted { $0.key < $1.key }
        let values: [PostgresValue] = [
            .text(node), .ints(lists.map(\.key)), .ints(lists.map { interests[$0.value]?.watchers ?? 0 }),
            .ints(lists.map { interests[$0.value]?.isWanted == true ? 1 : 0 }),
        ]
        let found = try await pool.use(within: Self.lookPatience) { [self] connection in
            let lines = try await connection.connection.rows(ListStatements.look, values) { row in
                (0..<6).map { row.int($0) ?? 0 }
            }
            if let position = lines.first?[0] {
                positions.withLock { $0[connection.facts.identity.text, default: 0] = position }
            }
            return lines
        }
        for line in found {
            guard let list = names[line[1]] else { continue }
            let isKnown = versions.withLock { $0[line[1]] == line[2] }
            let others = Array(line[3...])
            let areSeen = seen.withLock { $0.updateValue(others, forKey: list) } == others
            if !isKnown || !areSeen { notices.tell(list, .look) }
        }
    }

    /// Makes the tables, or brings them up to date, which may take long. Once: a newer server may bring them further then, and
    /// this one goes on with them.
    private func migrate() async throws {
        let isDue = try await pool.use(within: Self.lookPatience) { [address] in try await $0.isOutdated(at: address) }
        if isDue { try await pool.use(within: .seconds(600)) { [address] in try await $0.migrate(at: address) } }
        isMigrated.withLock { $0 = true }
    }
}
