import KeyedLists
import ListStorage
import PostgresConnections

/// What is asked about one list.
extension StoreConnection {
    func read(
        _ list: String, since place: StoredPlace?, by node: String, awaiting keys: [[UInt8]],
        unreadOf people: UnreadScope = .changed([]), of number: Int? = nil
    ) async throws -> UpdateReader.Result? {
        let known: [StoredUnread] = if case .changed(let known) = people { known } else { [] }
        let values: [PostgresValue] = [
            .bytes(Array(list.utf8)), .epoch(place?.epoch ?? Epoch(0)), .int(place?.revision ?? 0), .text(node),
            .bytes(keys), .int(people == .everybody ? 1 : 0), .bytes(known.map { [UInt8]($0.person.utf8) }),
            .ints(known.map { Checksum($0, list: Int64(number ?? 0)).value }),
        ]
        return try await withCheckedThrowingContinuation { continuation in
            connection.send(ListStatements.read, values: values, to: UpdateReader(continuation))
        }
    }

    func create(_ list: String) async throws {
        _ = try await ask(
            ListStatements.create, [.bytes(Array(list.utf8)), .epoch(.random()), .text(facts.identity.text)])
    }

    /// What became of a list that was read.
    enum Vouching {
        /// It can be used as it was read.
        case usable
        /// It is to be read again: it is vouched for now, or somebody else was sooner.
        case changed
        /// It is to be read again, in the new epoch that it was given.
        case renewed
    }

    /// Whether the list can be used as it was read; where not, it is in a new epoch now, or vouched for, and to be read again.
    ///
    /// - Parameters:
    ///   - known: where this server knows it to be.
    ///   - positions: how far the log of each database was when this server last looked.
    func vouch(for line: ListLine, _ known: StoredPlace?, _ positions: [String: Int]) async throws -> Vouching {
        let identity = facts.identity.text
        if line.identity == identity {
            guard let known, known.contradicts(line.place) else { return .usable }
        } else if let known, known.epoch == line.place.epoch, let found = DatabaseIdentity(line.identity),
            found.history == facts.identity.history, facts.position >= positions[line.identity] ?? .max
        {
            let values: [PostgresValue] = [
                .int(line.id), .text(identity), .text(line.identity), .int(known.revision), .int(known.tag),
            ]
            if try await !ask(ListStatements.vouch, values).isEmpty { return .changed }
        }
        let isRenewed = try await renew(line.id, at: line.place, line.identity, beyond: known?.revision ?? 0)
        return isRenewed ? .renewed : .changed
    }

    /// Gives a list a new epoch, beyond a revision; false where it is elsewhere already.
    func renew(_ list: Int, at place: StoredPlace, _ found: String, beyond revision: Revision) async throws -> Bool {
        let values: [PostgresValue] = [
            .int(list), .text(facts.identity.text), .epoch(place.epoch), .int(place.revision), .text(found),
            .epoch(.random()), .int(revision), .int(Int.random(in: 1 ... .max)),
        ]
        return try await !ask(ListStatements.renew, values).isEmpty
    }

    /// The version of the list's line, and the one before; nil: nothing was kept, for it is not where the change was made.
    func commit(_ change: SharedChange, list: Int) async throws -> (version: Int, previous: Int)? {
        let statement = CommitStatement(change, list: Int64(list), identity: facts.identity.text)
        let found = try await connection.rows(ListStatements.commit, statement.values) { row in
            (version: row.int(0) ?? 0, previous: row.int(1) ?? 0)
        }
        guard let versions = found.first else { return nil }
        // Now and then: what is too old does no harm.
        if let newest = change.facts.actionRuns.last, newest.begunAt % 64 == 0 {
            let oldest = newest.begunAt - StoredActionRun.age
            _ = try await ask(ListStatements.forgetActionRuns, [.int(list), .int(oldest), .int(StoredActionRun.most)])
        }
        return versions
    }

    /// Whether a change was kept whose answer was lost.
    func find(_ change: SharedChange, list: Int) async throws -> KeepOutcome {
        let next = change.next
        let values: [PostgresValue] = [.int(list), .epoch(next.epoch), .int(next.revision), .int(next.tag)]
        return try await ask(ListStatements.find, values).isEmpty ? .outdated : .kept
    }

    /// Whether the tables are of an earlier version, or not there.
    func isOutdated(at address: PostgresAddress) async throws -> Bool {
        let found = try await version()
        guard found <= Schema.version else {
            throw ListStoreError.newerVersion(path: "\(address)", found: found, known: Schema.version)
        }
        return found < Schema.version
    }

    /// Makes the tables, or brings them up to date.
    func migrate(at address: PostgresAddress) async throws {
        guard try await isOutdated(at: address) else { return }
        do { try await connection.run(Schema.migration(from: version())) } catch let error as PostgresError {
            // Whoever held the lock has made them, as the second sees only now.
            guard case .refused(let refusal) = error, ["42P06", "42P07"].contains(refusal.state) else { throw error }
            try await connection.run("ROLLBACK")
            try await migrate(at: address)
        }
    }

    private func version() async throws -> Int {
        do {
            return try await connection.rows("SELECT version FROM refreshable.store") { $0.int(0) ?? 0 }.first ?? 0
        } catch PostgresError.refused(let refusal) where ["42P01", "3F000"].contains(refusal.state) {
            return 0
        }
    }

    func ask(_ text: String, _ values: [PostgresValue]) async throws -> [Int] {
        try await connection.rows(text, values) { $0.int(0) ?? 0 }
    }
}

extension StoredPlace {
    /// Whether what is kept can't follow on what a server at this place has read or kept: some of it was lost, or another server
    /// that knew less of it has given the list its new epoch. Revisions only grow, for whoever watches.
    fileprivate func contradicts(_ kept: StoredPlace) -> Bool {
        revision > kept.revision || revision == kept.revision && (tag != kept.tag || epoch != kept.epoch)
    }
}

/// The values of `ListStatements.commit`.
private struct CommitStatement {
    private(set) var values: [PostgresValue]

    init(_ change: SharedChange, list: Int64, identity: String) {
        let (place, facts) = (change.place, change.facts)
        // A statement writes no line twice: of what changed several times, the newest is kept.
        let actionRuns = facts.actionRuns.newest(by: \.key)
        let unread = facts.unread.newest(by: \.person)
        let answers = change.answers.newest(by: \.key)
        let rows = change.rows?.rows ?? []
        let tombstones = change.rows?.tombstones ?? []
        let checksums = rows.map { Checksum($0, list: list).value }
        let buried = tombstones.map { Checksum($0, list: list).value }
        values = [
            .int(list), .epoch(place.epoch), .int(place.revision), .text(identity),
            .int(change.rows?.revision), .int(change.rows?.floor ?? 0), .int(change.tag),
            .int(checksums.reduce(0, +) + buried.reduce(0, +)),
            .int(facts.runs), .int(facts.updatedAt), .int(facts.staleSince), .bytes(facts.lastRun),
        ]
        values += .rows(rows, checksums: checksums)
        values += [
            .bytes(tombstones.map { Array($0.key.string.utf8) }), .ints(tombstones.map(\.revision)),
            .ints(tombstones.map { Int($0.removedAt) }), .ints(buried),
        ]
        values += .actionRuns(actionRuns[...], of: list)
        values += .unread(unread[...], of: list)
        values += [
            .int(change.leading?.fence), .bytes(change.leading?.state), .bytes(answers.map(\.key)),
            .bytes(answers.map(\.answer)), .bytes(change.newKeys),
        ]
    }
}

/// A column for each value of what is kept, as statements take it.
extension [PostgresValue] {
    static func rows(_ rows: [PlacedRow], checksums: [Int]) -> Self {
        [
            .bytes(rows.map { [UInt8]($0.key.string.utf8) }), .ints(rows.map(\.position)),
            .ints(rows.map(\.fieldsRevision)), .ints(rows.map(\.positionRevision)), .bytes(rows.map(\.fields.bytes)),
            .ints(checksums),
        ]
    }

    static func actionRuns(_ runs: ArraySlice<StoredActionRun>, of list: Int64) -> Self {
        [
            .bytes(runs.map(\.key)), .bytes(runs.map { [UInt8]($0.run.utf8) }),
            .ints(runs.map { Int($0.begunAt) }), .bytes(runs.map(\.state)),
            .ints(runs.map { Checksum($0, list: list).value }),
        ]
    }

    static func unread(_ unread: ArraySlice<StoredUnread>, of list: Int64) -> Self {
        [
            .bytes(unread.map { [UInt8]($0.person.utf8) }), .bytes(unread.map(\.keys)),
            .ints(unread.map { Checksum($0, list: list).value }),
        ]
    }
}

extension Array {
    /// The last of those that share a key, each where the first was.
    fileprivate func newest<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var places: [Key: Int] = [:]
        return reduce(into: []) { found, element in
            if let place = places[key(element)] {
                found[place] = element
            } else {
                places[key(element)] = found.count
                found.append(element)
            }
        }
    }
}

extension PostgresValue {
    static func epoch(_ epoch: Epoch) -> PostgresValue { .int(Int64(bitPattern: epoch.value)) }
}
